//! Lights, environments and lightmaps of Godot projects.

use crate::Group;

mod create_light;
mod setup_environment;
mod setup_lightmapper;

pub(crate) const GROUP: Group = Group {
    name: "godotLighting",
    about: "Godot lighting: lights, environments and lightmaps",
    tools: &[create_light::TOOL, setup_environment::TOOL, setup_lightmapper::TOOL],
};
