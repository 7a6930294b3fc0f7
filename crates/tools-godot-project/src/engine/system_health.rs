//! The tool `godotEngine.systemHealth`, which MCP clients call `system_health`.

use std::time::SystemTime;

use scenewright_contract::ToolError;
use scenewright_live::godot::Program;
use scenewright_text::time::iso;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.systemHealth",
    keywords: "environment ready setup works server status godot found alive",
    mcp: Some("system_health"),
    title: "System Health Check",
    category: "godot.engine",
    examples: &[Example {
        description: "Ask how the server is, without looking for Godot",
        input: r#"{ "includeGodotStatus": false }"#,
        output: r#"{
            "success": true,
            "status": "healthy",
            "timestamp": "2026-01-31T09:30:00.000Z",
            "version": "0.1.0",
            "uptime": 12.5,
            "metrics": { "runningCalls": 1, "maxParallelCalls": 32, "tools": 60, "projects": ["unity", "godot"] }
        }"#,
        varies: &["timestamp", "version", "uptime", "metrics"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how the server is: uptime, load, and whether a Godot program answers.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Tell numbers, too.
    #[serde(default = "yes")]
    include_metrics: bool,
    /// Look for Godot, too.
    #[serde(default = "yes")]
    include_godot_status: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How it is.
    status: Status,
    /// The time here.
    timestamp: String,
    /// The version of this server.
    version: String,
    /// Seconds since its start.
    uptime: f64,
    /// Numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<Metrics>,
    /// The Godot program.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot: Option<GodotStatus>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Everything works.
    Healthy,
    /// Tools that need the engine do not work.
    Degraded,
    /// What the operator requires is missing.
    Unhealthy,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    /// Calls that run now, this one included.
    running_calls: usize,
    /// How many may run at once over the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_parallel_calls: Option<usize>,
    /// Tools on offer.
    tools: usize,
    /// The open projects.
    projects: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct GodotStatus {
    /// Whether a program answers.
    available: bool,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Why none answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let health = cx.runner().health();
    let godot = input.include_godot_status.then(|| match Program::find(cx.cancel()) {
        Ok(program) => GodotStatus {
            available: true,
            version: Some(program.version),
            path: Some(program.path.display().to_string()),
            problem: None,
        },
        Err(error) => GodotStatus {
            available: false,
            version: None,
            path: None,
            problem: Some(error.message),
        },
    });
    let status = match &godot {
        _ if !health.ready => Status::Unhealthy,
        Some(godot) if !godot.available => Status::Degraded,
        _ => Status::Healthy,
    };
    let metrics = input.include_metrics.then(|| Metrics {
        running_calls: health.running,
        max_parallel_calls: cx.runner().settings().in_flight,
        tools: health.tools,
        projects: health.projects,
    });
    Ok(Output {
        success: true,
        status,
        timestamp: iso(SystemTime::now()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        uptime: health.uptime.as_secs_f64(),
        metrics,
        godot,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn the_engine_decides_between_healthy_and_degraded() {
        let health = GodotSample::new().call(super::TOOL.id, json!({})).unwrap();
        let available = health["godot"]["available"].as_bool().unwrap();
        assert_eq!(health["status"], if available { "healthy" } else { "degraded" });
        assert_eq!(health["godot"]["problem"].is_string(), !available);
        assert!(health["metrics"]["tools"].as_u64().unwrap() > 10);
    }
}
