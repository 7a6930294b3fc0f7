//! The tool `mcp.diagnostics.schema.audit`: Audit Tool Schemas.

use scenewright_contract::ToolError;
use scenewright_contract::definition::Definition;
use scenewright_contract::definition::validate::{Problem, Profile, Severity, validate};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.diagnostics.schema.audit",
    title: "Audit Tool Schemas",
    category: "mcp.platform",
    examples: &[Example {
        description: "Audit one tool",
        input: r#"{ "toolId": "project.info" }"#,
        output: r#"{ "success": true, "toolCount": 1, "errorCount": 0, "warningCount": 0, "problems": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Audit the definitions of the tools on offer for completeness: types, descriptions, defaults,
/// examples. Each problem has a JSON pointer into the tool's definition.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Only this tool.
    tool_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether no definition has an error.
    success: bool,
    /// Number of definitions read.
    tool_count: usize,
    /// Problems that break a rule.
    error_count: usize,
    /// Problems that are advice.
    warning_count: usize,
    /// Every problem, tool by tool.
    problems: Vec<Found>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The tool's id.
    tool: String,
    /// JSON pointer into its definition.
    pointer: String,
    /// The rule of spec 003 that it breaks.
    rule: String,
    /// `error` or `warning`.
    severity: String,
    /// What was found and what to write instead.
    message: String,
}

fn run(cx: &Cx, Input { tool_id }: Input) -> Result<Output, ToolError> {
    let tools = match tool_id {
        Some(id) => vec![cx.runner().describe(&id)?],
        None => cx.catalog(),
    };
    let sources = tools
        .iter()
        .map(|tool| Ok((tool.id.to_owned(), serde_json::to_value(Definition::of(tool))?)))
        .collect::<Result<Vec<_>, serde_json::Error>>()
        .map_err(|error| ToolError::failed(format!("a definition cannot be written: {error}")))?;
    let problems = validate(&sources, Profile::Open);
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    Ok(Output {
        success: errors == 0,
        tool_count: tools.len(),
        error_count: errors,
        warning_count: problems.len() - errors,
        problems: problems.into_iter().map(found).collect(),
    })
}

fn found(problem: Problem) -> Found {
    Found {
        tool: problem.source,
        pointer: problem.pointer,
        rule: problem.rule.as_str().to_owned(),
        severity: if problem.severity == Severity::Error { "error" } else { "warning" }.to_owned(),
        message: problem.message,
    }
}
