//! Components of one GameObject.

mod add;
mod list;
mod remove;
mod set_property;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "component",
    engine: Some("unity"),
    about: "Components of Unity GameObjects",
    tools: &[list::TOOL, add::TOOL, remove::TOOL, set_property::TOOL],
};
