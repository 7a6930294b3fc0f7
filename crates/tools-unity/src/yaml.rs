//! Scenes and prefabs as the text that they are.

mod safe_scene_edit;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "yaml",
    engine: Some("unity"),
    about: "Scenes and prefabs of Unity as text: find and replace that keeps them whole",
    tools: &[safe_scene_edit::TOOL],
};
