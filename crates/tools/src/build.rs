//! What a build would be made of, told from the files.

mod size_report;
mod texture_usage;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "build",
    about: "Builds: sizes by kind, texture memory",
    tools: &[size_report::TOOL, texture_usage::TOOL],
};
