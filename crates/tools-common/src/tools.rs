//! Tools about tools: find one by words, call any by name. They keep the default list short.

mod call;
mod read;
pub(crate) mod search;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "tools",
    engine: None,
    about: "Find a tool by words and call any tool by name",
    tools: &[search::TOOL, read::TOOL, call::TOOL],
};
