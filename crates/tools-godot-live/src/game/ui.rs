//! The tool `godotGame.ui`, which MCP clients call `game_ui`.

use scenewright_contract::ToolError;
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.ui",
    keywords: "buttons labels texts on the screen of the running game user interface list controls menu what can be clicked",
    mcp: Some("game_ui"),
    title: "Game Ui",
    category: "godot.game",
    needs: Needs::Game,
    examples: &[Example {
        description: "What is on the screen of the running game",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{ "controls": [ { "path": "/root/Main/HUD/Root/TopBar/RestartButton", "class": "Button", "text": "Restart", "rect": [560, 8, 72, 31] } ], "total": 1 }"#,
        varies: &["controls", "total"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what the user interface of the running game shows: texts, buttons and fields with their places.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// Visible controls without a text too.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Output {
    /// In the order of the tree, at most 500.
    controls: Vec<Control>,
    /// How many there are.
    total: usize,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Control {
    /// The control.
    path: String,
    /// Its class.
    class: String,
    /// What it says.
    text: String,
    /// Left, top, width, height.
    rect: [f64; 4],
    /// Whether it cannot be used now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_disabled: bool,
    /// Whether it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_pressed: Option<bool>,
    /// Its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Whether keys go to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_focus: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    find(cx, &input.live, Side::Game)?.ask("ui", &json!({ "all": input.all }), USUAL)
}
