//! Meshes, as far as they can be changed.

mod auto_l_o_d;
mod combine_static;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "mesh",
    engine: Some("unity"),
    about: "Meshes of Unity projects",
    tools: &[auto_l_o_d::TOOL, combine_static::TOOL],
};
