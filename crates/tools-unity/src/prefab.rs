//! Prefabs and their instances, changed without the editor.

mod edit_property;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "prefab",
    engine: Some("unity"),
    about: "Prefabs of Unity and their instances",
    tools: &[edit_property::TOOL],
};
