//! What build servers take from a project.

mod export_results;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "ci",
    engine: None,
    about: "CI: results as files",
    tools: &[export_results::TOOL],
};
