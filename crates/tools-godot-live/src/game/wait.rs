//! The tool `godotGame.wait`, which MCP clients call `game_wait`.

use std::time::Duration;

use scenewright_contract::{Limits, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{InLive, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotGame.wait",
    keywords: "wait until signal is emitted property changes log line appears in the running game watch for event timeout",
    mcp: Some("game_wait"),
    title: "Game Wait",
    category: "godot.game",
    needs: Needs::Game,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Wait until the game prints that it saved",
        input: r#"{ "projectPath": "godot", "log": "saved", "seconds": 5 }"#,
        output: r#"{ "isMet": false, "seconds": 5.0 }"#,
        varies: &["isMet", "seconds"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Wait until a node of the running game emits a signal, a property has a value, or the log has a
/// line, and not longer than some seconds.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// The node: `/root/Main/Player`, or from the root of the running scene.
    node_path: Option<String>,
    /// Wait for this signal of it.
    signal: Option<String>,
    /// Wait for this property of it, parts as `position:x`.
    property: Option<String>,
    /// When the property is right.
    #[serde(default)]
    is: Is,
    /// What the property is compared with.
    #[serde(default)]
    #[schemars(schema_with = "schema::any_value")]
    value: Option<Value>,
    /// Wait for a line of the log that contains this.
    log: Option<String>,
    /// For the log: from this `cursor` of live_log on; from now on without it.
    since: Option<u64>,
    /// How long at most.
    #[serde(default = "some")]
    #[schemars(range(min = 0, max = 120))]
    seconds: f64,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Is {
    /// It is other than it was.
    #[default]
    Changed,
    /// It equals the value.
    Equal,
    /// It does not.
    NotEqual,
    /// It is less.
    Less,
    /// It is greater.
    Greater,
}

fn some() -> f64 {
    10.0
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether it came.
    is_met: bool,
    /// How long it took.
    seconds: f64,
    /// The signal's arguments, the value, or the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::any_value")]
    what: Option<Value>,
    /// The value in the end, where it did not come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::any_value")]
    last: Option<Value>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, Side::Game)?;
    let mut params = json!({ "is": input.is, "seconds": input.seconds });
    let given = [
        ("path", input.node_path.map(Value::from)),
        ("signal", input.signal.map(Value::from)),
        ("property", input.property.map(Value::from)),
        ("log", input.log.map(Value::from)),
        ("since", input.since.map(Value::from)),
        ("value", input.value),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            params[name] = value;
        }
    }
    asked.ask("wait", &params, Duration::from_secs_f64(input.seconds + 10.0))
}
