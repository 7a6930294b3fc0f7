//! Bodies, shapes and layers of Godot projects.

use scenewright_toolkit::Group;

mod configure_physics_layers;
mod create_collision_shape;
mod setup_rigidbody;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotPhysics",
    engine: Some("godot"),
    about: "Godot physics: collision shapes, rigid bodies and layer names",
    tools: &[create_collision_shape::TOOL, setup_rigidbody::TOOL, configure_physics_layers::TOOL],
};
