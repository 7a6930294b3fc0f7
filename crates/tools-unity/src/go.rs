//! GameObjects: found by what they are, made, moved and deleted.

mod create;
mod delete;
mod find;
mod set_parent;
mod set_transform;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "go",
    engine: Some("unity"),
    about: "GameObjects of Unity scenes",
    tools: &[find::TOOL, create::TOOL, delete::TOOL, set_parent::TOOL, set_transform::TOOL],
};
