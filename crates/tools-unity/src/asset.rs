//! Single assets and how they hang together.

mod dependencies_graph;
mod info;
mod unused;
mod usages;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "asset",
    engine: Some("unity"),
    about: "Assets of Unity projects: what they are, what they need, who uses them",
    tools: &[info::TOOL, dependencies_graph::TOOL, usages::TOOL, unused::TOOL],
};
