//! The tool `explorer.writeConsoleScript`, `WriteConsoleScript` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.writeConsoleScript",
    explorer: Some("WriteConsoleScript"),
    title: "Write a Console Script",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Write a script",
        input: r#"{ "path": "mcp-test.cs", "content": "return 123;" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write a script into the interface's Scripts folder; one of that name is replaced.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
    /// The code, at most 256 KB.
    content: String,
}

fn run(cx: &Cx, Input { path, content }: Input) -> Result<Done, ToolError> {
    scripts::write(&scripts::resolve(&scripts::folder(cx)?, &path)?, &content)?;
    cx.holder().changed("unity://console");
    Ok(Done::OK)
}
