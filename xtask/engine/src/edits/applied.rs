//! What an instance has other than its prefab, applied: the file has to show what it showed, and the
//! instance to have nothing left of its own.

use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::Document;
use scenewright_unity::edit::scene::Apply;
use scenewright_unity::index::AssetKind;
use xtask::random::Random;

use super::Verdict;
use super::field::refused;
use super::ground::{Ground, value_behind};
use super::unpacked::{compare, is_instance, path_of};

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    _: &mut Random,
) -> Option<Verdict> {
    let Ground { document, tree, .. } = ground;
    let instance = document.objects().filter(is_instance).nth(place)?.file_id();
    let source = document.object(instance)?.get("m_SourcePrefab")?.as_reference()?.guid?;
    let asset = opened.unity.index.by_guid(source)?;
    if asset.kind() != AssetKind::Prefab || !asset.path().starts_with("Assets/") {
        return None;
    }
    let path = path_of(tree, instance)?;
    let Ok(mut editor) = opened.editor() else { return None };
    let done = match editor.apply(&Apply { object: &path, ..Apply::default() }) {
        Err(refusal) if refusal.message.contains("before 2018.3") => {
            return Some(Verdict::Untold("the prefab is of an older version".into()));
        }
        Err(refusal) => {
            return Some(Verdict::Other(refused(&refusal.message)));
        }
        Ok(done) => done,
    };
    if !done.changed {
        return None;
    }
    // The name of the root is an override that every instance keeps.
    let start = format!("--- !u!1001 &{instance}");
    let value = |bytes: &[u8]| {
        let path = value_behind(bytes, &start, "propertyPath: m_Name")?;
        Some(path + value_behind(&bytes[path..], "", "value: ")?)
    };
    let after = Arc::new(Document::parse(ground.shown(editor.to_bytes(), value)));
    let now = editor.expander().scene(after, opened.guid());
    // Other instances of the prefab in the file take it, too.
    Some(compare(tree, &now, &path))
}
