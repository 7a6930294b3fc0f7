//! String tables of the Localization package.

mod batch_import;
mod coverage_report;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "localization",
    engine: Some("unity"),
    about: "Localization: string tables, what they lack, and translations for them",
    tools: &[coverage_report::TOOL, batch_import::TOOL],
};
