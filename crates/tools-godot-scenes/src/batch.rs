//! Several calls as one change.

use scenewright_toolkit::Group;

mod batch_operations;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotBatch",
    engine: Some("godot"),
    about: "Several calls as one change, all or nothing",
    tools: &[batch_operations::TOOL],
};
