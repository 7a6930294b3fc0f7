//! The tool `godotGame.click`, which MCP clients call `game_click`.

use scenewright_contract::{ErrorKind, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.click",
    keywords: "click button by its text in the running game press menu entry tap control ui",
    mcp: Some("game_click"),
    title: "Game Click",
    category: "godot.game",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Game,
    examples: &[Example {
        description: "Press the button Restart of the running game",
        input: r#"{ "projectPath": "godot", "text": "Restart" }"#,
        output: r#"{ "success": true, "path": "/root/Main/HUD/Root/TopBar/RestartButton", "at": [596, 23], "isPressed": true }"#,
        varies: &["at"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Click a control of the running game by what it says or by its path, and tell whether the click came
/// to it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// What it says, whatever the case; a part of it where that is enough.
    text: Option<String>,
    /// Instead of the text: the control.
    node_path: Option<String>,
    /// The button of the mouse.
    #[serde(default)]
    button: Button,
    /// Twice.
    #[serde(default)]
    double: bool,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Button {
    /// The left one.
    #[default]
    Left,
    /// The right one.
    Right,
    /// The one in the middle.
    Middle,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The control.
    path: String,
    /// Where it was clicked.
    at: [f64; 2],
    /// Whether it is a button that was pressed by it.
    is_pressed: bool,
    /// Whether it went away by it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    path: String,
    at: [f64; 2],
    is_pressed: bool,
    is_gone: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let mut params = json!({ "button": input.button, "double": input.double });
    match (input.text, input.node_path) {
        (Some(text), None) => params["text"] = text.into(),
        (None, Some(path)) => params["path"] = path.into(),
        _ => {
            return Err(ToolError::new(ErrorKind::BadArguments, "give either text or nodePath")
                .hint("game_ui lists what is on the screen"));
        }
    }
    let said: Said = find(cx, &input.live, Side::Game)?.ask("click", &params, USUAL)?;
    let Said { path, at, is_pressed, is_gone } = said;
    Ok(Output { success: true, path, at, is_pressed, is_gone })
}
