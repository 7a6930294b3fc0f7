//! Where things may walk in Godot scenes.

use crate::Group;

mod bake_navigation_mesh;
mod create_navigation_region;

pub(crate) const GROUP: Group = Group {
    name: "godotNavigation",
    about: "Godot navigation: regions and their meshes",
    tools: &[create_navigation_region::TOOL, bake_navigation_mesh::TOOL],
};
