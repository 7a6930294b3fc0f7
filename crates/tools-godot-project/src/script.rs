//! Scripts of Godot projects: files, and the nodes that have them.

use scenewright_toolkit::Group;

mod attach_script;
mod delete_script;
mod detach_script;
mod list_scripts;
mod read_script;
mod write_script;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotScript",
    engine: Some("godot"),
    about: "Scripts of Godot projects: list, read, write, delete, attach",
    tools: &[
        list_scripts::TOOL,
        read_script::TOOL,
        write_script::TOOL,
        delete_script::TOOL,
        attach_script::TOOL,
        detach_script::TOOL,
    ],
};
