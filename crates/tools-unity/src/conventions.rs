//! Conventions of a team about its files.

mod enforce_editor_config;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "conventions",
    engine: Some("unity"),
    about: "Conventions of a team: what .editorconfig says, checked and put right",
    tools: &[enforce_editor_config::TOOL],
};
