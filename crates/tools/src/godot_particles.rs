//! Particles of Godot projects.

use crate::Group;

mod create_gpu_particles;
mod create_particle_material;

pub(crate) const GROUP: Group = Group {
    name: "godotParticles",
    about: "Godot particles: emitters and their materials",
    tools: &[create_gpu_particles::TOOL, create_particle_material::TOOL],
};
