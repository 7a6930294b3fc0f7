//! The tool `godotGame.time`, which MCP clients call `game_time`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.time",
    keywords: "pause unpause slow motion time scale single step frame by frame advance freeze the running game speed up",
    mcp: Some("game_time"),
    title: "Game Time",
    category: "godot.game",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Game,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Pause the running game and let ten frames pass",
        input: r#"{ "projectPath": "godot", "steps": 10 }"#,
        output: r#"{ "timeScale": 1.0, "isPaused": true, "frame": 400, "physicsFrame": 210 }"#,
        varies: &["frame", "physicsFrame"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Pause the running game or let it go on, change how fast its time goes, or let it run for some
/// frames of physics and pause again. Without arguments: tell.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// Whether it is paused.
    pause: Option<bool>,
    /// How fast its time goes; 1 is usual.
    #[schemars(range(min = 0, max = 100))]
    scale: Option<f64>,
    /// Let so many frames of physics pass, then pause.
    #[schemars(range(min = 0, max = 10000))]
    steps: Option<u32>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// How fast its time goes now.
    time_scale: f64,
    /// Whether it is paused now.
    is_paused: bool,
    /// Frames so far.
    frame: u64,
    /// Frames of physics so far.
    physics_frame: u64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Game)?;
    let mut params = json!({});
    let given = [
        ("pause", input.pause.map(Value::from)),
        ("scale", input.scale.map(Value::from)),
        ("steps", input.steps.map(Value::from)),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            params[name] = value;
        }
    }
    asked.ask("time", &params, Duration::from_secs(120))
}
