//! Controls of Godot scenes.

use crate::Group;

mod create_control;
mod create_ui_container;

pub(crate) const GROUP: Group = Group {
    name: "godotUi",
    about: "Godot user interfaces: containers and controls",
    tools: &[create_ui_container::TOOL, create_control::TOOL],
};
