//! Particles of Godot projects.

use scenewright_toolkit::Group;

mod create_gpu_particles;
mod create_particle_material;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotParticles",
    engine: Some("godot"),
    about: "Godot particles: emitters and their materials",
    tools: &[create_gpu_particles::TOOL, create_particle_material::TOOL],
};
