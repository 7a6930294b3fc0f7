//! The tool `explorer.readConsoleScript`, `ReadConsoleScript` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::scripts::{self, ScriptFile};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readConsoleScript",
    explorer: Some("ReadConsoleScript"),
    title: "Read a Console Script",
    category: "explorer",
    examples: &[Example {
        description: "Read a script",
        input: r#"{ "path": "hello.cs" }"#,
        output: r#"{ "Name": "hello.cs", "Path": "", "Content": "", "SizeBytes": 0, "LastModifiedUtc": "", "Truncated": false }"#,
        varies: &["Path", "Content", "SizeBytes", "LastModifiedUtc"],
    }],
    after: &[Earlier {
        tool: "explorer.writeConsoleScript",
        input: r#"{ "path": "hello.cs", "content": "return 1;" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<ScriptFile>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a script of the interface's Scripts folder.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A `.cs` file in the Scripts folder: a name, or a path inside it.
    path: String,
}

fn run(cx: &Cx, Input { path }: Input) -> Result<ScriptFile, ToolError> {
    scripts::read(&scripts::resolve(&scripts::folder(cx)?, &path)?)
}
