//! String tables of the Localization package.

mod coverage_report;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "localization",
    engine: Some("unity"),
    about: "Localization: string tables and what they lack",
    tools: &[coverage_report::TOOL],
};
