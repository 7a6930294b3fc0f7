//! Where the engine looks at scripts: in the project, or in a copy that it understands.
//!
//! Scripts name each other by class, and the engine knows classes from a list that the editor
//! keeps. Where that list is not up to date, a copy of the project's text files gets a true one, so
//! that nobody has to open the editor first and the project stays as it is.

use std::collections::BTreeSet;
use std::path::Path;

use scenewright_contract::ToolError;
use scenewright_godot::{Config, FileEntry, FileKind, Variant};
use scenewright_text::beneath;

use super::Scratch;
use crate::base::Godot;

/// The list of classes that the editor keeps.
const CLASS_LIST: &str = ".godot/global_script_class_cache.cfg";
/// A larger file is no text that was written by hand.
const MAX_FILE: u64 = 16 << 20;

/// A folder with scripts that the engine can make sense of.
pub enum Place<'a> {
    /// The project as it is.
    Project(&'a Path),
    /// A copy of its text files.
    Copy(Scratch),
}

impl Place<'_> {
    /// The folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::Project(path) => path,
            Self::Copy(copy) => copy.path(),
        }
    }

    /// Whether it is a copy, without imported assets.
    pub fn is_copy(&self) -> bool {
        matches!(self, Self::Copy(_))
    }
}

/// The place to look at the scripts of a project.
pub fn place_for_scripts<'a>(godot: &'a Godot<'_>) -> Result<Place<'a>, ToolError> {
    let root = &godot.project.root;
    if is_imported(godot, root) {
        return Ok(Place::Project(root));
    }
    copy(godot).map(Place::Copy)
}

/// Whether the engine has imported the project in this folder, which is it or a copy of it, and knows
/// all of its classes.
pub(super) fn is_imported(godot: &Godot<'_>, root: &Path) -> bool {
    let list = root.join(CLASS_LIST);
    let list = beneath::read(root, &list);
    let listed = Config::parse(list.unwrap_or_default());
    let known: BTreeSet<(String, String)> = listed
        .find("", "list")
        .map(|value| value.decode())
        .as_ref()
        .and_then(Variant::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|class| {
            let text = |key: &str| class.get(key)?.as_str().map(str::to_owned);
            Some((text("class")?, text("path")?))
        })
        .collect();
    let actual: BTreeSet<(String, String)> =
        godot.index.classes().map(|(name, file)| (name.to_owned(), file.res_path())).collect();
    root.join(".godot/imported").is_dir() && known.is_superset(&actual)
}

fn copy(godot: &Godot<'_>) -> Result<Scratch, ToolError> {
    let scratch = Scratch::new()?;
    let is_text = |file: &&FileEntry| {
        !matches!(file.kind, FileKind::Other | FileKind::Import) && file.size <= MAX_FILE
    };
    // What an extension would load is not there, and neither is its code.
    let is_extension = |file: &FileEntry| file.path.ends_with(".gdextension");
    for file in godot.index.files().filter(is_text).filter(|file| !is_extension(file)) {
        godot.cx.check_cancelled()?;
        scratch.write(&file.path, &godot.read(&godot.path(&file.path)?)?)?;
    }
    scratch.write(CLASS_LIST, class_list(godot).as_bytes())?;
    Ok(scratch)
}

/// The list as the editor would write it.
fn class_list(godot: &Godot<'_>) -> String {
    let classes = godot.index.classes().filter_map(|(name, file)| {
        let script = file.script.as_ref()?;
        let base = script.base.as_deref().unwrap_or("RefCounted");
        // A script that another names by its path stands for the engine's class.
        let base = match base.contains("://") {
            true => godot.index.engine_base(base).unwrap_or("RefCounted"),
            false => base,
        };
        let text = |text: &str| Variant::String(text.to_owned());
        let word = |text: &str| Variant::StringName(text.to_owned());
        let pairs = [
            ("base", word(base)),
            ("class", word(name)),
            ("icon", text("")),
            ("is_abstract", Variant::Bool(false)),
            ("is_tool", Variant::Bool(script.is_tool)),
            ("language", word("GDScript")),
            ("path", text(&file.res_path())),
        ];
        let pairs = pairs.into_iter().map(|(key, value)| (text(key), value));
        Some(Variant::Dictionary(None, pairs.collect()))
    });
    format!("list={}\n", Variant::Array(None, classes.collect()).to_text(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::InGodot;
    use crate::testing::{self, runner};
    use scenewright_contract::{Call, JsonMap, Limits};
    use scenewright_toolkit::Cx;

    type GodotSample = testing::GodotSample<testing::None>;

    fn with<T>(sample: &GodotSample, look: impl FnOnce(&Godot<'_>) -> T) -> T {
        let runner = runner(&sample.path(""), &[], false);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        look(&cx.godot(None).unwrap())
    }

    #[test]
    fn a_project_without_a_list_is_copied_with_a_true_one() {
        let sample = GodotSample::new();
        let (is_copy, list, has_icon) = with(&sample, |godot| {
            let place = place_for_scripts(godot).unwrap();
            let list = std::fs::read_to_string(place.path().join(CLASS_LIST)).unwrap();
            (place.is_copy(), list, place.path().join("icon.svg").exists())
        });
        assert!(is_copy && !has_icon);
        let player = "\"base\": &\"Actor\",\n\"class\": &\"Player\",\n\"icon\": \"\",\n\"is_abstract\": false,\n\"is_tool\": false,\n\"language\": &\"GDScript\",\n\"path\": \"res://scripts/player.gd\"\n}";
        assert!(list.contains(player), "{list}");
        // The same list in the project is believed.
        sample.write(CLASS_LIST, &list);
        sample.write(".godot/imported/x", "");
        assert!(!with(&sample, |godot| place_for_scripts(godot).unwrap().is_copy()));
        // Until a class is new.
        sample.write("new.gd", "class_name New\n");
        assert!(with(&sample, |godot| place_for_scripts(godot).unwrap().is_copy()));
    }
}
