//! Single assets and how they hang together.

mod dependencies_graph;
mod duplicate;
mod info;
mod r#move;
mod unused;
mod usages;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "asset",
    engine: Some("unity"),
    tools: &[
        info::TOOL,
        dependencies_graph::TOOL,
        usages::TOOL,
        unused::TOOL,
        r#move::TOOL,
        duplicate::TOOL,
    ],
};
