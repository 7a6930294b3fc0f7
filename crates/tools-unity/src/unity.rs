//! Scenes, prefabs and assets, changed without the editor.

mod edit;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "unity",
    engine: Some("unity"),
    about: "Changes of Unity scenes, prefabs and assets",
    tools: &[edit::TOOL],
};
