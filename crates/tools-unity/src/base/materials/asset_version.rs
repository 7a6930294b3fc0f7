//! The hidden object beside materials of the high definition pipeline, which says how old their
//! settings are. Without it the pipeline takes them for very old ones and moves them.

use scenewright_unity::index::AssetKind;
use scenewright_unity::{Object, Value};

use super::{Chosen, Unity};

/// The script of that object.
const SCRIPT: &str = "da692e001514ec24dbc4cca1949ff7e8";

impl Unity<'_> {
    /// A new material's file, with the version that others of the project have where its shader's
    /// pipeline keeps one.
    pub fn with_asset_version(&self, file: String, chosen: &Chosen) -> String {
        if !chosen.name.starts_with("HDRP/") {
            return file;
        }
        let Some(version) = self.asset_version() else {
            self.cx.diagnose(
                "No material of the project has the version that HDRP keeps beside its materials, so the new one has none: Unity adds it.",
            );
            return file;
        };
        let at = file.find("--- !u!").unwrap_or(file.len());
        let (head, material) = file.split_at(at);
        format!("{head}{version}\n{material}")
    }

    /// The newest version object, without what plugins noted there for one material.
    fn asset_version(&self) -> Option<String> {
        let materials = self.index.of_kind(AssetKind::Material);
        let versions = materials.filter_map(|asset| {
            let document = asset.document().ok()?;
            let object = document.objects().find(|object| is_version(*object))?;
            let text = String::from_utf8_lossy(&document.as_bytes()[object.span()]);
            let number = object.get("version").and_then(Value::as_i64)?;
            let is_plain = !text.contains("m_Keys:") || text.contains("m_Keys: []");
            is_plain.then(|| (number, text.replace('\r', "").trim_end_matches('\n').to_owned()))
        });
        versions.max_by_key(|(number, _)| *number).map(|(_, text)| text)
    }
}

fn is_version(object: Object<'_>) -> bool {
    let script = object.get("m_Script").and_then(Value::as_reference);
    script.and_then(|script| script.guid).is_some_and(|guid| guid.to_string() == SCRIPT)
}
