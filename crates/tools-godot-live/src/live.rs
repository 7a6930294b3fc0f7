//! What editors and games have in common: what runs, trees, properties, output, pictures.

use scenewright_toolkit::Group;

mod log;
mod node;
mod picture;
mod status;
mod tree;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotLive",
    engine: Some("godot"),
    about: "Running Godot editors and games: what is open and runs, live trees, values, output, pictures",
    tools: &[status::TOOL, tree::TOOL, node::TOOL, log::TOOL, picture::TOOL],
};
