//! The addon as it lies in `bridges/godot`, part of the program.

/// Its files by their paths in its folder.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "editor/changes.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/changes.gd"),
    ),
    (
        "editor/classes.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/classes.gd"),
    ),
    (
        "editor/difference.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/difference.gd"),
    ),
    (
        "editor/export.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/export.gd"),
    ),
    (
        "editor/methods.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/methods.gd"),
    ),
    (
        "editor/scenes.gd",
        include_str!("../../../bridges/godot/addons/scenewright/editor/scenes.gd"),
    ),
    ("game/clock.gd", include_str!("../../../bridges/godot/addons/scenewright/game/clock.gd")),
    ("game/hands.gd", include_str!("../../../bridges/godot/addons/scenewright/game/hands.gd")),
    ("game/methods.gd", include_str!("../../../bridges/godot/addons/scenewright/game/methods.gd")),
    ("game/places.gd", include_str!("../../../bridges/godot/addons/scenewright/game/places.gd")),
    ("game/screen.gd", include_str!("../../../bridges/godot/addons/scenewright/game/screen.gd")),
    ("game/waits.gd", include_str!("../../../bridges/godot/addons/scenewright/game/waits.gd")),
    ("link/log.gd", include_str!("../../../bridges/godot/addons/scenewright/link/log.gd")),
    ("link/nodes.gd", include_str!("../../../bridges/godot/addons/scenewright/link/nodes.gd")),
    ("link/server.gd", include_str!("../../../bridges/godot/addons/scenewright/link/server.gd")),
    ("link/values.gd", include_str!("../../../bridges/godot/addons/scenewright/link/values.gd")),
    ("plugin.cfg", include_str!("../../../bridges/godot/addons/scenewright/plugin.cfg")),
    ("plugin.gd", include_str!("../../../bridges/godot/addons/scenewright/plugin.gd")),
    ("runtime.gd", include_str!("../../../bridges/godot/addons/scenewright/runtime.gd")),
];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::FILES;

    fn all(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { all(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn the_program_has_every_file_of_the_addon() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bridges/godot/addons/scenewright");
        let name = |path: PathBuf| {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            (name, std::fs::read_to_string(&path).unwrap())
        };
        let mut there: Vec<(String, String)> = all(&folder).into_iter().map(name).collect();
        there.sort();
        let known: Vec<(String, String)> =
            FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(there, known);
    }

    #[test]
    fn the_addon_has_the_version_of_the_program() {
        let version = scenewright_live::godot::ADDON_VERSION;
        for (name, wanted) in [
            ("plugin.cfg", format!("version=\"{version}\"")),
            ("link/server.gd", format!("const VERSION := \"{version}\"")),
        ] {
            let text = FILES.iter().find(|(file, _)| *file == name).unwrap().1;
            assert!(text.contains(&wanted), "{name} does not say {wanted}");
        }
    }
}
