//! What build servers take from a project.

mod build_target;
mod export_results;
mod run_tests;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "ci",
    engine: None,
    about: "CI: results as files, tests and builds by Unity's batch mode",
    tools: &[export_results::TOOL, run_tests::TOOL, build_target::TOOL],
};
