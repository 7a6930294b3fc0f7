//! Groups of the Addressables package.

mod analyze_memory;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "addressables",
    engine: Some("unity"),
    about: "Addressables: groups, their sizes, duplicates",
    tools: &[analyze_memory::TOOL],
};
