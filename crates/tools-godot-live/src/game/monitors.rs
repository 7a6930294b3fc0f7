//! The tool `godotGame.monitors`, which MCP clients call `game_monitors`.

use std::collections::BTreeMap;
use std::time::Duration;

use scenewright_contract::{Limits, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.monitors",
    keywords: "fps frame rate memory draw calls orphans performance profile slow leak objects nodes of the running game measure",
    mcp: Some("game_monitors"),
    title: "Game Monitors",
    category: "godot.game",
    needs: Needs::Game,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Measure the running game for two seconds",
        input: r#"{ "projectPath": "godot", "seconds": 2 }"#,
        output: r#"{ "frames": 290, "seconds": 2.0, "longestFrameSeconds": 0.02, "monitors": { "fps": [145.0, 145.0, 145.0] } }"#,
        varies: &["frames", "longestFrameSeconds", "monitors"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Measure the running game over some seconds: frames, memory, objects, orphans, draw calls, physics.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// How long.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 60))]
    seconds: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Frames that were looked at.
    frames: u64,
    /// How long.
    seconds: f64,
    /// The longest frame.
    longest_frame_seconds: f64,
    /// Least, mean and most of each.
    monitors: BTreeMap<String, [f64; 3]>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Game)?;
    let limit = Duration::from_secs_f64(input.seconds + 10.0);
    asked.ask("monitors", &json!({ "seconds": input.seconds }), limit)
}
