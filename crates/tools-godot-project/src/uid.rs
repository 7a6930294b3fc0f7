//! The uids by which Godot knows files wherever they are moved.

use scenewright_toolkit::Group;

mod get_uid;
mod update_project_uids;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotUid",
    engine: Some("godot"),
    about: "Godot uids: look them up and complete them",
    tools: &[get_uid::TOOL, update_project_uids::TOOL],
};
