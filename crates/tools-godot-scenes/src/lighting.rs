//! Lights, environments and lightmaps of Godot projects.

use scenewright_toolkit::Group;

mod create_light;
mod setup_environment;
mod setup_lightmapper;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotLighting",
    engine: Some("godot"),
    about: "Godot lighting: lights, environments and lightmaps",
    tools: &[create_light::TOOL, setup_environment::TOOL, setup_lightmapper::TOOL],
};
