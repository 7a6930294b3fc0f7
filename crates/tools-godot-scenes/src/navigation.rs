//! Where things may walk in Godot scenes.

use scenewright_toolkit::Group;

mod bake_navigation_mesh;
mod create_navigation_region;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotNavigation",
    engine: Some("godot"),
    about: "Godot navigation: regions and their meshes",
    tools: &[create_navigation_region::TOOL, bake_navigation_mesh::TOOL],
};
