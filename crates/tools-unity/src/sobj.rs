//! ScriptableObjects.

mod create;
mod set_field;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "sobj",
    engine: Some("unity"),
    about: "ScriptableObjects of Unity",
    tools: &[create::TOOL, set_field::TOOL],
};
