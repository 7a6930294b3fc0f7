//! One change made to many assets, without the editor.

mod set_property;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "batch",
    engine: Some("unity"),
    about: "One change of many assets of Unity",
    tools: &[set_property::TOOL],
};
