//! The tool `mcp.diagnostics.dispatcher`: Dispatcher Diagnostics.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.diagnostics.dispatcher",
    keywords: "main thread queue calls running busy workers",
    title: "Dispatcher Diagnostics",
    notes: Some(
        "There is no main thread to wait for: each call has a worker of its own. In an editor calls wait for its main thread.",
    ),
    category: "mcp.platform",
    instant: true,
    examples: &[Example {
        description: "Ask what runs",
        input: "{}",
        output: r#"{
            "success": true,
            "usesMainThread": false,
            "editorConnected": false,
            "queueDepth": 0,
            "runningCalls": 0,
            "uptimeMs": 2100
        }"#,
        varies: &["runningCalls", "uptimeMs"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how calls are run: how many at this moment, and whether they wait for an editor's main thread.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether calls wait for the main thread of an editor.
    uses_main_thread: bool,
    /// Whether an editor is connected.
    editor_connected: bool,
    /// Calls that wait for a main thread.
    queue_depth: usize,
    /// Calls that run besides this one.
    running_calls: usize,
    /// Time since the start.
    uptime_ms: u64,
}

fn run(cx: &Cx, Input {}: Input) -> Result<Output, ToolError> {
    let health = cx.runner().health();
    Ok(Output {
        success: true,
        uses_main_thread: false,
        editor_connected: false,
        queue_depth: 0,
        running_calls: health.running.saturating_sub(1),
        uptime_ms: u64::try_from(health.uptime.as_millis()).unwrap_or(u64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::call_sample;

    #[test]
    fn only_this_call_runs() {
        let outcome = call_sample(super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output["runningCalls"], 0);
        assert_eq!(outcome.output["usesMainThread"], false);
    }
}
