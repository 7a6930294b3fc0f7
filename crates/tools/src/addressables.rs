//! Groups of the Addressables package.

mod analyze_memory;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "addressables",
    about: "Addressables: groups, their sizes, duplicates",
    tools: &[analyze_memory::TOOL],
};
