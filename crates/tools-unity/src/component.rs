//! Components of one GameObject.

mod list;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "component",
    engine: Some("unity"),
    about: "Components of Unity GameObjects",
    tools: &[list::TOOL],
};
