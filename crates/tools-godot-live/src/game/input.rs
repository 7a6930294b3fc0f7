//! The tool `godotGame.input`, which MCP clients call `game_input`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.input",
    keywords: "press key action button simulate player input jump move type text mouse click touch swipe drag joypad controls hold",
    mcp: Some("game_input"),
    title: "Game Input",
    category: "godot.game",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Game,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Hold the way to the right for half a second, then jump",
        input: r#"{ "projectPath": "godot", "events": [ { "action": "move_right", "frames": 30 }, { "action": "jump" } ] }"#,
        output: r#"{ "success": true, "events": 2, "frame": 240 }"#,
        varies: &["events", "frame"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give the running game input as a player would: actions, keys, text, mouse, touch, one after the
/// other. What is pressed is released after its frames.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// One after the other.
    #[schemars(length(min = 1, max = 200))]
    events: Vec<Event>,
    /// Tell what would be pressed instead.
    #[serde(default)]
    dry_run: bool,
}

/// One of `action`, `key`, `text`, `mouse`, `touch`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Event {
    /// An action of the input map.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    /// How far an action is pressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    strength: Option<f64>,
    /// A key: `A`, `Space`, `Enter`, `Escape`, `Up`, `F1`, `Ctrl+S`.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Text, letter by letter, for what has the focus.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// A place in the window: `[x, y]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    mouse: Option<Vec<f64>>,
    /// For the mouse: `left`, `right`, `middle`, `wheel_up`, `wheel_down`; it only moves without.
    #[serde(skip_serializing_if = "Option::is_none")]
    button: Option<String>,
    /// For the mouse: how far it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<Vec<f64>>,
    /// A finger at a place of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    touch: Option<Vec<f64>>,
    /// For a finger: where it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Vec<f64>>,
    /// Which finger.
    #[serde(skip_serializing_if = "Option::is_none")]
    finger: Option<u32>,
    /// Only press, or only release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pressed: Option<bool>,
    /// Frames of physics before it is released, or before the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 600))]
    frames: Option<u32>,
}

impl Event {
    fn has_points(&self) -> bool {
        let points = [&self.mouse, &self.relative, &self.touch, &self.to];
        points.into_iter().flatten().all(|point| point.len() == 2)
    }

    fn is_one(&self) -> bool {
        let kinds = [
            self.action.is_some(),
            self.key.is_some(),
            self.text.is_some(),
            self.mouse.is_some(),
            self.touch.is_some(),
        ];
        kinds.iter().filter(|is_there| **is_there).count() == 1
    }
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many events the game was given.
    events: u64,
    /// The frame then.
    frame: u64,
}

#[derive(Deserialize)]
struct Said {
    events: u64,
    frame: u64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    if let Some(wrong) = input.events.iter().position(|event| !event.has_points()) {
        let message = format!("event {} has a place that is not [x, y]", wrong + 1);
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    }
    if let Some(wrong) = input.events.iter().position(|event| !event.is_one()) {
        let message = format!("event {} is not one of action, key, text, mouse, touch", wrong + 1);
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    }
    let asked = find(cx, &input.live, Side::Game)?;
    if input.dry_run {
        let frame = asked.ask::<Value>("state", &json!({}), LIMIT)?["frame"].as_u64().unwrap_or(0);
        return Ok(Output { success: true, events: 0, frame });
    }
    let said: Said = asked.ask("input", &json!({ "events": input.events }), LIMIT)?;
    Ok(Output { success: true, events: said.events, frame: said.frame })
}

/// Two hundred events of ten seconds are no more than somebody's mistake.
const LIMIT: Duration = Duration::from_secs(120);
