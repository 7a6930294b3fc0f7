//! The tool `mcp.selfTest`: MCP Self Test.

use std::time::Instant;

use scenewright_contract::definition::Definition;
use scenewright_contract::definition::validate::{Profile, Severity, validate};
use scenewright_contract::{JsonMap, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.selfTest",
    title: "MCP Self Test",
    category: "mcp.platform",
    examples: &[Example {
        description: "Check the server end to end",
        input: "{}",
        output: r#"{ "success": true, "passed": 5, "failed": 0, "checks": [] }"#,
        varies: &["passed", "checks"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check that the server works end to end: each project is readable, each tool definition is
/// valid, and a call passes the whole way.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Whether every check passed.
    success: bool,
    /// Checks that passed.
    passed: usize,
    /// Checks that failed.
    failed: usize,
    /// Each check, in the order it ran.
    checks: Vec<Check>,
}

#[derive(Serialize, JsonSchema)]
struct Check {
    /// What was checked.
    name: String,
    /// Whether it holds.
    ok: bool,
    /// What was found.
    detail: String,
    /// How long it took, in microseconds.
    micros: u64,
}

fn run(cx: &Cx, Input {}: Input) -> Result<Output, ToolError> {
    let mut checks = vec![
        check("a call passes the policy and comes back", || call_through(cx)),
        check("every tool definition is valid", || definitions_are_valid(cx)),
        check("a project is open", || match cx.workspace().projects().len() {
            0 => Err(cx.workspace().nothing_open().text()),
            count => Ok(format!("{count} open")),
        }),
    ];
    for project in cx.workspace().projects() {
        cx.check_cancelled()?;
        let arguments = JsonMap::from_iter([("project".to_owned(), json!(project.id))]);
        checks.push(check(&format!("project {} is readable", project.id), || {
            let outcome = cx.call_tool("project.info", arguments).map_err(|e| e.text())?;
            Ok(outcome.output["projectName"].as_str().unwrap_or_default().to_owned())
        }));
    }
    let failed = checks.iter().filter(|check| !check.ok).count();
    Ok(Output { success: failed == 0, passed: checks.len() - failed, failed, checks })
}

fn check(name: &str, run: impl FnOnce() -> Result<String, String>) -> Check {
    let started = Instant::now();
    let result = run();
    Check {
        name: name.to_owned(),
        ok: result.is_ok(),
        detail: result.unwrap_or_else(|problem| problem),
        micros: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
    }
}

fn call_through(cx: &Cx) -> Result<String, String> {
    let outcome = cx.call_tool("mcp.health", JsonMap::new()).map_err(|error| error.text())?;
    match outcome.output["status"].as_str() {
        Some("healthy") => Ok("mcp.health answers healthy".to_owned()),
        other => Err(format!("mcp.health answers {other:?}")),
    }
}

fn definitions_are_valid(cx: &Cx) -> Result<String, String> {
    let sources: Vec<_> = cx
        .catalog()
        .into_iter()
        .filter_map(|tool| {
            Some((tool.id.to_owned(), serde_json::to_value(Definition::of(tool)).ok()?))
        })
        .collect();
    let problems = validate(&sources, Profile::Open);
    match problems.iter().find(|problem| problem.severity == Severity::Error) {
        Some(problem) => Err(format!("{}{}: {}", problem.source, problem.pointer, problem.message)),
        None => Ok(format!("{} definitions", sources.len())),
    }
}
