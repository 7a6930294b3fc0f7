//! The tool `godotEngine.getGodotVersion`, which MCP clients call `get_godot_version`.

use scenewright_contract::ToolError;
use scenewright_live::godot::Program;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.getGodotVersion",
    keywords: "which godot is installed program engine binary version path executable",
    mcp: Some("get_godot_version"),
    title: "Get Godot Version",
    notes: Some(
        "Looks at GODOT_PATH, then for godot and godot4 on the search path, then at the usual places.",
    ),
    category: "godot.engine",
    needs: Needs::Program,
    examples: &[Example {
        description: "Ask for the engine on this machine",
        input: "{}",
        output: r#"{ "success": true, "version": "4.6.3.stable.official", "path": "/usr/bin/godot" }"#,
        varies: &["version", "path"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell which Godot program this server would run, and its version.
#[derive(Deserialize, JsonSchema)]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What the program says of itself.
    version: String,
    /// Where it is.
    path: String,
}

fn run(cx: &Cx, Input {}: Input) -> Result<Output, ToolError> {
    let program = Program::find(cx.cancel())?;
    let path = program.path.display().to_string();
    Ok(Output { success: true, version: program.version, path })
}
