//! The tool `godotGame.set`, which MCP clients call `game_set`.

use scenewright_contract::{ErrorKind, JsonMap, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.set",
    keywords: "change variable of the running game set property live tweak value while it runs health speed position teleport",
    mcp: Some("game_set"),
    title: "Game Set",
    category: "godot.game",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Game,
    examples: &[Example {
        description: "Give the player of the running game more speed",
        input: r#"{ "projectPath": "godot", "nodePath": "Player", "properties": { "speed": 300 } }"#,
        output: r#"{ "success": true, "path": "/root/Main/Player", "properties": { "speed": 300.0 } }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set properties and variables of a node in the running game and read them back. Nothing of it is
/// saved; edit_node changes the scene.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The node: `/root/Main/Player`, or from the root of the running scene.
    node_path: String,
    /// Values by name, parts as `position:x`; `"res://a.tres"` and node paths for objects.
    properties: JsonMap,
    /// Tell the values that it has instead.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The node.
    path: String,
    /// The values that it has now.
    properties: JsonMap,
}

#[derive(Deserialize)]
struct Said {
    path: String,
    #[serde(alias = "properties")]
    now: JsonMap,
    #[serde(default)]
    differs: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Game)?;
    let names: Vec<&String> = input.properties.keys().collect();
    let said: Said = match input.dry_run {
        true => {
            asked.ask("node.get", &json!({ "path": input.node_path, "names": names }), USUAL)?
        }
        false => {
            let params = json!({ "path": input.node_path, "values": input.properties });
            asked.ask("node.set", &params, USUAL)?
        }
    };
    if let Some(name) = said.differs.first() {
        let (wanted, now) = (&input.properties[name], &said.now[name]);
        return Err(ToolError::new(
            ErrorKind::EngineError,
            format!("{}.{name} was set to {wanted} and is {now}", said.path),
        )
        .hint("its setter or its class changes what it is given; the others were set"));
    }
    Ok(Output { success: true, path: said.path, properties: said.now })
}
