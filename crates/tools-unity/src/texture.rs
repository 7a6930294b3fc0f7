//! Textures of Unity projects: resized, packed into atlases, cut into sprites.

mod atlas;
mod resize_batch;
mod slice;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "texture",
    engine: Some("unity"),
    about: "Textures of Unity projects: resized, packed into atlases, cut into sprites",
    tools: &[resize_batch::TOOL, atlas::TOOL, slice::TOOL],
};
