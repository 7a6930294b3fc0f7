//! The tool `mcp.health`: MCP Health.

use std::time::Duration;

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.health",
    keywords: "server alive up uptime status",
    title: "MCP Health",
    category: "mcp.platform",
    instant: true,
    examples: &[Example {
        description: "Ask how the server is",
        input: "{}",
        output: r#"{
            "status": "healthy",
            "queueDepth": 0,
            "uptime": "2 s",
            "uptimeMs": 2100,
            "toolCount": 10,
            "mode": "files",
            "projects": ["unity", "godot"]
        }"#,
        varies: &["queueDepth", "uptime", "uptimeMs", "toolCount"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how the server is: status, uptime, number of tools, calls that run besides this one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// `healthy`, or `error` when a required engine is not connected.
    status: String,
    /// Calls that run besides this one.
    queue_depth: usize,
    /// Time since the start, for people.
    uptime: String,
    /// Time since the start.
    uptime_ms: u64,
    /// Number of tools on offer.
    tool_count: usize,
    /// Where answers come from: `files` or `live`.
    mode: String,
    /// Ids of the open projects.
    projects: Vec<String>,
}

fn run(cx: &Cx, Input {}: Input) -> Result<Output, ToolError> {
    let health = cx.runner().health();
    Ok(Output {
        status: if health.ready { "healthy" } else { "error" }.to_owned(),
        queue_depth: health.running.saturating_sub(1),
        uptime: for_people(health.uptime),
        uptime_ms: u64::try_from(health.uptime.as_millis()).unwrap_or(u64::MAX),
        tool_count: health.tools,
        mode: health.mode.to_owned(),
        projects: health.projects,
    })
}

fn for_people(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uptime_reads_well() {
        assert_eq!(for_people(Duration::from_secs(59)), "59 s");
        assert_eq!(for_people(Duration::from_secs(61)), "1 min 1 s");
        assert_eq!(for_people(Duration::from_secs(7260)), "2 h 1 min");
    }
}
