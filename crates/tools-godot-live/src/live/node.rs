//! The tool `godotLive.node`, which MCP clients call `live_node`.

use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, USUAL, find, scene_name};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLive.node",
    keywords: "current value of a variable running game inspect property live state now position health inspector remote unsaved",
    mcp: Some("live_node"),
    title: "Live Node",
    category: "godot.live",
    needs: Needs::Game,
    examples: &[Example {
        description: "Where is the player now, and how fast",
        input: r#"{ "projectPath": "godot", "nodePath": "Player", "properties": ["position", "velocity"] }"#,
        output: r#"{
            "path": "/root/Main/Player",
            "class": "CharacterBody2D",
            "properties": { "position": { "x": 48.0, "y": 288.0 }, "velocity": { "x": 0.0, "y": 0.0 } },
            "groups": ["player"],
            "children": 5
        }"#,
        varies: &["properties"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the values that a node has now, in the running game, or in a scene as it is open in the editor
/// (give `scenePath`). Without names: those that differ from the usual, and the script's variables.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The open scene in the editor; the running game without it.
    scene_path: Option<String>,
    /// The node: `/root/Main/Player`, or from the scene's root.
    node_path: String,
    /// Properties and variables by name, parts as `position:x`.
    #[serde(default)]
    properties: Vec<String>,
    /// Tell every property.
    #[serde(default)]
    all: bool,
    /// Tell methods and connected signals too.
    #[serde(default)]
    methods: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Output {
    /// The node.
    path: String,
    /// Its class.
    class: String,
    /// Its script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// Values by name; an object by the path of its file or node.
    properties: JsonMap,
    /// The groups that it is in.
    groups: Vec<String>,
    /// How many children it has.
    children: u32,
    /// Methods of its script, or of its class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    methods: Vec<String>,
    /// Connected signals and where they go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signals: Vec<Connected>,
    #[serde(default, skip_serializing)]
    unknown: Vec<String>,
    #[serde(default, skip_serializing)]
    known: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Connected {
    /// The signal.
    signal: String,
    /// Node and method.
    to: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let side = if input.scene_path.is_some() { Side::Editor } else { Side::Game };
    let asked = find(cx, &input.live, side)?;
    let mut params = json!({
        "path": input.node_path, "names": input.properties, "all": input.all, "methods": input.methods,
    });
    if let Some(scene) = &input.scene_path {
        params["scene"] = Value::from(scene_name(scene));
    }
    let said: Output = asked.ask("node.get", &params, USUAL)?;
    if let Some(unknown) = said.unknown.first() {
        let hint = suggest::did_you_mean(unknown, said.known.iter().map(String::as_str), "");
        let message = format!("{} has no property '{unknown}'", said.path);
        return Err(ToolError::new(ErrorKind::BadArguments, message).hint(hint));
    }
    Ok(said)
}
