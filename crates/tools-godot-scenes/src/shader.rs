//! Shaders of Godot projects and the materials that use them.

use scenewright_toolkit::Group;

mod create_shader;
mod create_shader_material;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotShader",
    engine: Some("godot"),
    about: "Godot shaders and shader materials",
    tools: &[create_shader::TOOL, create_shader_material::TOOL],
};
