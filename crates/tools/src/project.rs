//! The project as a whole, from its settings files.

mod get_version;
mod info;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "project",
    about: "The project as a whole: settings, versions",
    tools: &[info::TOOL, get_version::TOOL],
};
