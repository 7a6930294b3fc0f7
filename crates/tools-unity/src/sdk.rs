//! Tools that people write themselves.

mod register_custom_tool;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "sdk",
    engine: Some("unity"),
    about: "Tools that people write themselves, in C#",
    tools: &[register_custom_tool::TOOL],
};
