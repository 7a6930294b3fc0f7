//! Classes of the engine and of a project's scripts.

use crate::Group;

mod get_class_info;
mod search_classes;

pub(crate) const GROUP: Group = Group {
    name: "godotClass",
    about: "Godot's classes, and those of a project's scripts: members, types, defaults",
    tools: &[get_class_info::TOOL, search_classes::TOOL],
};
