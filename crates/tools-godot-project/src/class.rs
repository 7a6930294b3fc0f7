//! Classes of the engine and of a project's scripts.

use scenewright_toolkit::Group;

mod get_class_info;
mod search_classes;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotClass",
    engine: Some("godot"),
    about: "Godot's classes, and those of a project's scripts: members, types, defaults",
    tools: &[get_class_info::TOOL, search_classes::TOOL],
};
