//! GameObjects, found by what they are.

mod find;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "go",
    engine: Some("unity"),
    about: "GameObjects of Unity scenes",
    tools: &[find::TOOL],
};
