//! The tool `godotGame.call`, which MCP clients call `game_call`.

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, LONG, Line, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.call",
    keywords: "call method function evaluate expression in the running game execute code script run gdscript spawn",
    mcp: Some("game_call"),
    title: "Game Call",
    notes: Some(
        "Runs code of the game. An expression is GDScript without statements; `root`, `tree` and `scene` are there, and the members of the node.",
    ),
    category: "godot.game",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Game,
    examples: &[Example {
        description: "The name of the scene that the game runs",
        input: r#"{ "projectPath": "godot", "expression": "scene.name" }"#,
        output: r#"{ "value": "Main", "type": "StringName", "errors": [] }"#,
        varies: &["value"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Call a method of a node in the running game, or evaluate an expression there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The node: `/root/Main/Player`, or from the root of the running scene; the root of the tree for
    /// an expression without it.
    node_path: Option<String>,
    /// The method.
    method: Option<String>,
    /// What it is given, one after the other.
    #[serde(default)]
    arguments: Vec<Argument>,
    /// Instead of a method: an expression of GDScript.
    expression: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Argument(#[schemars(schema_with = "schema::any_value")] Value);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Output {
    /// What came of it.
    #[schemars(schema_with = "schema::any_value")]
    value: Value,
    /// Its type.
    r#type: String,
    /// Errors that were told meanwhile.
    errors: Vec<Line>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Game)?;
    let path = input.node_path.unwrap_or_default();
    match (input.method, input.expression) {
        (Some(method), None) => {
            let params = json!({ "path": path, "method": method, "arguments": input.arguments });
            asked.ask("node.call", &params, LONG)
        }
        (None, Some(expression)) => {
            asked.ask("evaluate", &json!({ "path": path, "expression": expression }), LONG)
        }
        _ => Err(ToolError::new(ErrorKind::BadArguments, "give either a method or an expression")),
    }
}
