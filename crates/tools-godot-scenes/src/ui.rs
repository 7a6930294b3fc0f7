//! Controls of Godot scenes.

use scenewright_toolkit::Group;

mod create_control;
mod create_ui_container;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotUi",
    engine: Some("godot"),
    about: "Godot user interfaces: containers and controls",
    tools: &[create_ui_container::TOOL, create_control::TOOL],
};
