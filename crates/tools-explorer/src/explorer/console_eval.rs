//! The tool `explorer.consoleEval`, `ConsoleEval` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::CONSOLE;
use crate::world::InWorld;
use crate::world::console::{self, Given};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.consoleEval",
    explorer: Some("ConsoleEval"),
    title: "Run Code",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: CONSOLE,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Ask where the player of the Unity sample is",
        input: r#"{ "code": "GameObject.Find(\"Player\").transform.childCount + 1" }"#,
        output: r#"{ "ok": true, "result": "2" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Given>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run a safe subset of C# in the world and give what it returns: literals, arithmetic, strings, loops,
/// lambdas, lists, LINQ, GameObject.Find, GetComponent, transforms, vectors, Debug.Log.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The code; the last line may be an expression or `return …;`.
    code: String,
}

fn run(cx: &Cx, Input { code }: Input) -> Result<Given, ToolError> {
    cx.world(|world| console::run(cx, world, &code))
}
