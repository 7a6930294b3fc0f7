//! The tool `godotEditor.class`, which MCP clients call `editor_class`.

use scenewright_contract::ToolError;
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEditor.class",
    keywords: "class reference of an extension gdextension plugin classdb methods properties signals of this very editor script class",
    mcp: Some("editor_class"),
    title: "Editor Class",
    notes: Some(
        "get_class_info needs no editor and tells the engine's own classes of the project's version.",
    ),
    category: "godot.editor",
    needs: Needs::Editor,
    examples: &[Example {
        description: "What a class of a script has",
        input: r#"{ "projectPath": "godot", "name": "Actor" }"#,
        output: r#"{
            "class": "Actor", "from": "res://scripts/actor.gd", "inherits": "CharacterBody2D", "canInstantiate": true,
            "properties": ["speed: float"], "methods": [], "signals": [], "heirs": []
        }"#,
        varies: &["properties", "methods", "signals"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what a class has, as the running editor knows it: of the engine, of extensions, or of a script
/// of the project.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The class.
    name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The class.
    class: String,
    /// `engine`, `editor`, `extension`, or the script.
    from: String,
    /// The class above it.
    inherits: String,
    /// Whether objects of it can be made.
    can_instantiate: bool,
    /// Its own, with type and first value.
    properties: Vec<String>,
    /// Its own.
    methods: Vec<String>,
    /// Its own.
    signals: Vec<String>,
    /// The classes right below it.
    heirs: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    find(cx, &input.live, Side::Editor)?.ask("class", &json!({ "name": input.name }), USUAL)
}
