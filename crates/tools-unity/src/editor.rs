//! The state of a running editor, as far as files tell it.

mod execute_menu;
mod selection_apply_layer;
mod selection_apply_tag;
mod selection_info;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "editor",
    engine: Some("unity"),
    about: "The editor: its selection and menu",
    tools: &[
        selection_info::TOOL,
        selection_apply_layer::TOOL,
        selection_apply_tag::TOOL,
        execute_menu::TOOL,
    ],
};
