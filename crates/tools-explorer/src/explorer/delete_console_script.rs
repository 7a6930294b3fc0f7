//! The tool `explorer.deleteConsoleScript`, `DeleteConsoleScript` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Done, WORLD};
use crate::world::{InWorld, scripts};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.deleteConsoleScript",
    explorer: Some("DeleteConsoleScript"),
    title: "Delete a Console Script",
    category: "explorer",
    safety: Safety::Destructive,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Delete a script",
        input: r#"{ "path": "hello.cs" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.writeConsoleScript",
        input: r#"{ "path": "hello.cs", "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Delete a script of the interface's Scripts folder.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<Done, ToolError> {
    scripts::delete(&scripts::resolve(&scripts::folder(cx)?, &path)?)?;
    cx.holder().changed("unity://console");
    Ok(Done::OK)
}
