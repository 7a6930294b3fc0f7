//! The state of a running editor, as far as files tell it.

mod selection_info;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "editor",
    engine: Some("unity"),
    about: "The state of the editor",
    tools: &[selection_info::TOOL],
};
