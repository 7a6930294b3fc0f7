//! ScriptableObjects.

mod set_field;
//! ScriptableObjects of Unity projects.
mod create;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "sobj",
    engine: Some("unity"),
    about: "ScriptableObjects of Unity",
    tools: &[set_field::TOOL],
    about: "ScriptableObject assets of Unity projects",
    tools: &[create::TOOL],
};
