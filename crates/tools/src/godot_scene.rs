//! Scenes of Godot projects: their nodes, properties, signals and groups.

use crate::Group;

mod add_node;

pub(crate) const GROUP: Group = Group {
    name: "godotScene",
    about: "Godot scenes: nodes, properties, signals and groups",
    tools: &[add_node::TOOL],
};
