//! Single assets and how they hang together.

mod dependencies_graph;
mod info;
mod unused;
mod usages;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "asset",
    about: "Assets of Unity projects: what they are, what they need, who uses them",
    tools: &[info::TOOL, dependencies_graph::TOOL, usages::TOOL, unused::TOOL],
};
