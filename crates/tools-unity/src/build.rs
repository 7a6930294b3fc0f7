//! What a build would be made of, told from the files.

mod size_report;
mod texture_usage;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "build",
    engine: Some("unity"),
    about: "Builds: sizes by kind, texture memory",
    tools: &[size_report::TOOL, texture_usage::TOOL],
};
