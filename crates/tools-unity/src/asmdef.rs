//! Assembly definitions: how the C# code is cut into assemblies.

mod add_reference;
mod validate_graph;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "asmdef",
    engine: Some("unity"),
    about: "Assembly definitions and their references",
    tools: &[validate_graph::TOOL, add_reference::TOOL],
};
