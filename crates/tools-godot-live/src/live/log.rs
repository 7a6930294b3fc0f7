//! The tool `godotLive.log`, which MCP clients call `live_log`.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::Side;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base::{InLive, Line, Severity, USUAL, find};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLive.log",
    keywords: "errors warnings output console print messages of the running game or editor what went wrong since",
    mcp: Some("live_log"),
    title: "Live Log",
    notes: Some("Godot 4.5 and later tell it; an earlier one says so."),
    category: "godot.live",
    needs: Needs::Game,
    examples: &[Example {
        description: "What went wrong in the running game so far",
        input: r#"{ "projectPath": "godot", "of": "game", "severity": "error" }"#,
        output: r#"{ "lines": [], "cursor": 12, "lost": 0 }"#,
        varies: &["lines", "cursor"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read errors, warnings and output of the running game or of the editor, the last ones first asked
/// for, or those after a cursor.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    live: InLive,
    /// Whose.
    #[serde(default = "game")]
    of: Side,
    /// The least that is told.
    #[serde(default)]
    severity: Severity,
    /// The `cursor` of the answer before: only what came later. The last lines without it.
    since: Option<u64>,
    /// How many lines.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
}

fn game() -> Side {
    Side::Game
}

fn most() -> usize {
    100
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// In the order they came.
    lines: Vec<Line>,
    /// Give this as `since` for what comes next.
    cursor: u64,
    /// How many lines after `since` are not kept any more.
    lost: u64,
    /// How many more there are now.
    #[serde(default, skip_serializing_if = "is_zero")]
    more: u64,
    #[serde(default, skip_serializing)]
    is_heard: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let asked = find(cx, &input.live, input.of)?;
    let params = json!({
        "since": input.since.unwrap_or(0), "severity": input.severity, "limit": input.limit,
        "tail": input.since.is_none(),
    });
    let said: Output = asked.ask("log", &params, USUAL)?;
    match said.is_heard {
        true => Ok(said),
        false => Err(ToolError::new(
            ErrorKind::NotReady,
            "this version of Godot does not tell what it prints; 4.5 and later do",
        )
        .hint("get_debug_output has what a game of run_project prints")),
    }
}
