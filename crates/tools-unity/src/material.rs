//! Materials of Unity projects: made, changed, varied and moved to other shaders.

mod batch_convert;
mod create;
mod create_variant;
mod set_properties;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "material",
    engine: Some("unity"),
    about: "Materials of Unity projects: made, changed, varied, moved to other shaders",
    tools: &[create::TOOL, set_properties::TOOL, create_variant::TOOL, batch_convert::TOOL],
};
