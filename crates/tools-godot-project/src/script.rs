//! Scripts of Godot projects: files, and the nodes that have them.

use scenewright_contract::ToolError;
use scenewright_live::godot::lsp::Position;
use scenewright_toolkit::Group;
use scenewright_toolkit::door::ProjectPath;
use scenewright_tools_godot::base::program::OpenScript;
use schemars::JsonSchema;
use serde::Deserialize;

mod attach_script;
mod delete_script;
mod detach_script;
mod edit_script;
mod list_scripts;
mod read_script;
mod script_completion;
mod script_rename;
mod script_symbol;
mod write_script;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotScript",
    engine: Some("godot"),
    about: "Scripts of Godot projects: list, read, write, edit, delete, attach; symbols by the engine",
    tools: &[
        list_scripts::TOOL,
        read_script::TOOL,
        write_script::TOOL,
        edit_script::TOOL,
        delete_script::TOOL,
        attach_script::TOOL,
        detach_script::TOOL,
        script_completion::TOOL,
        script_symbol::TOOL,
        script_rename::TOOL,
    ],
};

/// Whether a file is code of the project: a script or a shader.
fn is_script(path: &ProjectPath) -> bool {
    let extension = path.as_str().rsplit('.').next().unwrap_or_default();
    ["gd", "cs", "gdshader", "gdshaderinc"].contains(&extension)
}

/// What is true of every question to the language server.
const LANGUAGE_NOTES: &str = "Asks the language server of the editor that has this project open, or of a headless editor in a temporary copy, which takes some seconds to start and is kept for ten minutes; `server` says which.";

/// A name in a script. Flatten it into the input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InSymbol {
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    /// The name as it stands in the code.
    symbol: String,
    /// A line that has it, from 1; the first one by default.
    #[schemars(range(min = 1))]
    line: Option<usize>,
    /// The column where it begins, from 1, in characters, for a line that has the name twice.
    #[schemars(range(min = 1))]
    column: Option<usize>,
}

impl InSymbol {
    /// Where it is.
    fn position(&self, script: &OpenScript) -> Result<Position, ToolError> {
        let at = script.find(&self.symbol, self.line)?;
        match self.column {
            Some(column) => script.position(self.line.unwrap_or(at.line + 1), Some(column)),
            None => Ok(at),
        }
    }
}
