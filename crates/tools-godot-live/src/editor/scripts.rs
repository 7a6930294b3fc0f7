//! The tool `godotEditor.scripts`, which MCP clients call `editor_scripts`.

use scenewright_contract::ToolError;
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEditor.scripts",
    keywords: "scripts open in the editor unsaved text being written code what is the person editing",
    mcp: Some("editor_scripts"),
    title: "Editor Scripts",
    category: "godot.editor",
    needs: Needs::Editor,
    examples: &[Example {
        description: "See which scripts are open and what of them is not saved",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{ "scripts": [ { "path": "res://scripts/main.gd", "isUnsaved": false, "line": 1 } ] }"#,
        varies: &["scripts"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scripts that are open in the running editor, with the text of those that are not saved.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Output {
    /// As the editor lists them.
    scripts: Vec<OpenScript>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenScript {
    /// The script.
    path: String,
    /// Whether its text is not that of its file.
    is_unsaved: bool,
    /// The text, where it is not that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The line of the cursor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    find(cx, &input.live, Side::Editor)?.ask("scripts", &json!({}), USUAL)
}
