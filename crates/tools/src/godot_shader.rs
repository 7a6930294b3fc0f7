//! Shaders of Godot projects and the materials that use them.

use crate::Group;

mod create_shader;
mod create_shader_material;

pub(crate) const GROUP: Group = Group {
    name: "godotShader",
    about: "Godot shaders and shader materials",
    tools: &[create_shader::TOOL, create_shader_material::TOOL],
};
