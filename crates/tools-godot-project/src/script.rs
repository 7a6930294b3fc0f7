//! Scripts of Godot projects: files, and the nodes that have them.

use scenewright_toolkit::Group;
use scenewright_toolkit::door::ProjectPath;

mod attach_script;
mod delete_script;
mod detach_script;
mod edit_script;
mod list_scripts;
mod read_script;
mod write_script;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotScript",
    engine: Some("godot"),
    about: "Scripts of Godot projects: list, read, write, edit, delete, attach",
    tools: &[
        list_scripts::TOOL,
        read_script::TOOL,
        write_script::TOOL,
        edit_script::TOOL,
        delete_script::TOOL,
        attach_script::TOOL,
        detach_script::TOOL,
    ],
};

/// Whether a file is code of the project: a script or a shader.
fn is_script(path: &ProjectPath) -> bool {
    let extension = path.as_str().rsplit('.').next().unwrap_or_default();
    ["gd", "cs", "gdshader", "gdshaderinc"].contains(&extension)
}
