//! The tool `godotEngine.getDebugOutput`, which MCP clients call `get_debug_output`.

use scenewright_contract::{Limits, ToolError};
use scenewright_live::godot::{GameState, Line, StreamName};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InProject, game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.getDebugOutput",
    keywords: "stdout stderr console log errors of the running game printed print output runtime crash stack trace statements message",
    mcp: Some("get_debug_output"),
    title: "Get Debug Output",
    notes: Some(
        "10,000 lines of each stream are kept, also when the game has ended, until the next run.",
    ),
    category: "godot.engine",
    limits: Limits { max_items: Some(2000), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[Example {
        description: "Read what the game has said so far",
        input: r#"{ "limit": 50 }"#,
        output: r#"{
            "success": true,
            "project": "godot",
            "running": true,
            "seconds": 2.1,
            "output": [],
            "errors": [],
            "nextCursor": 0,
            "skipped": 0
        }"#,
        varies: &["scene", "seconds", "output", "errors", "nextCursor", "skipped"],
    }],
    after: super::GAME_RUNS,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read what the game that run_project started has printed. Without a cursor the last lines; with
/// the `nextCursor` of the answer before, what came since.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Only lines behind this one.
    cursor: Option<u64>,
    /// How many lines to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 2000))]
    limit: usize,
    /// Only lines that have this in them.
    filter: Option<String>,
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project whose game it is.
    project: String,
    /// The scene that it was started with; absent for the main scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// Whether it still runs.
    running: bool,
    /// The code that it ended with.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// Seconds since its start.
    seconds: f64,
    /// What it printed.
    output: Vec<Line>,
    /// What it printed as errors and warnings.
    errors: Vec<Line>,
    /// Give this as `cursor` to read on.
    next_cursor: u64,
    /// How many earlier lines are left out here.
    skipped: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (godot, game) = game(cx, input.project.project_path.as_deref())?;
    let state = game.state();
    let mut lines = game.output.since(input.cursor.unwrap_or(0));
    let newest = lines.last().map(|line| line.number);
    if let Some(filter) = &input.filter {
        lines.retain(|line| line.text.contains(filter.as_str()));
    }
    let next_cursor = newest.or(input.cursor).unwrap_or(0);
    let (lines, skipped, next_cursor) = page(lines, input.limit, input.cursor, next_cursor);
    let (output, errors) = lines.into_iter().partition(|line| line.stream == StreamName::Stdout);
    Ok(Output {
        success: true,
        project: godot.project.id.to_string(),
        scene: game.scene.clone(),
        running: state == GameState::Running,
        exit_code: match state {
            GameState::Ended(code) => code,
            GameState::Running => None,
        },
        seconds: game.age().as_secs_f64(),
        output,
        errors,
        next_cursor,
        skipped,
    })
}

/// With a cursor the first lines behind it, else the last of all.
fn page(
    mut lines: Vec<Line>,
    limit: usize,
    cursor: Option<u64>,
    newest: u64,
) -> (Vec<Line>, usize, u64) {
    let more = lines.len().saturating_sub(limit);
    if cursor.is_none() {
        return (lines.split_off(more), more, newest);
    }
    lines.truncate(limit);
    let next = lines.last().filter(|_| more > 0).map_or(newest, |line| line.number);
    (lines, 0, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_go_on_where_the_last_one_ended() {
        let line = |number| Line { number, stream: StreamName::Stdout, text: String::new() };
        let lines: Vec<Line> = (1..=5).map(line).collect();
        let numbers = |(lines, skipped, next): (Vec<Line>, usize, u64)| {
            (lines.iter().map(|line| line.number).collect::<Vec<_>>(), skipped, next)
        };
        assert_eq!(numbers(page(lines.clone(), 2, None, 5)), (vec![4, 5], 3, 5));
        assert_eq!(numbers(page(lines.clone(), 2, Some(0), 5)), (vec![1, 2], 0, 2));
        assert_eq!(numbers(page(lines.clone(), 9, Some(0), 5)), (vec![1, 2, 3, 4, 5], 0, 5));
        assert_eq!(numbers(page(Vec::new(), 9, Some(7), 7)), (vec![], 0, 7));
    }
}
