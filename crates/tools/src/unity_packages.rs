//! The packages of a Unity project.

mod search;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "unityPackages",
    about: "The packages of a Unity project",
    tools: &[search::TOOL],
};
