//! The tool `mcp.tool.describe`: Describe MCP Tool.

use scenewright_contract::ToolError;
use scenewright_contract::definition::Definition;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.tool.describe",
    keywords: "arguments schema help how to call parameters of a tool accepts takes use options",
    title: "Describe MCP Tool",
    category: "mcp.platform",
    instant: true,
    argument_aliases: &[("name", "toolId")],
    lean: true,
    examples: &[Example {
        description: "Read the definition of project.info",
        input: r#"{ "toolId": "project.info" }"#,
        output: r#"{
            "id": "project.info",
            "name": "Project Info",
            "description": "",
            "category": "project",
            "safetyLevel": "read-only",
            "tier": "core",
            "inputs": {},
            "outputs": {}
        }"#,
        varies: &["description", "inputs", "outputs", "notes", "examples"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Definition>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Describe one tool completely: every argument with type and default, outputs, safety, examples.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// The tool, as `project.info` or `project_info`.
    tool_id: String,
}

fn run(cx: &Cx, Input { tool_id }: Input) -> Result<Definition, ToolError> {
    cx.runner().describe(&tool_id).map(Definition::of)
}
