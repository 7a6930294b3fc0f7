//! The packages of a Unity project.

mod add;
mod remove;
mod search;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "unityPackages",
    engine: Some("unity"),
    about: "The packages of a Unity project",
    tools: &[search::TOOL, add::TOOL, remove::TOOL],
};
