//! String tables of the Localization package.

mod coverage_report;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "localization",
    about: "Localization: string tables and what they lack",
    tools: &[coverage_report::TOOL],
};
