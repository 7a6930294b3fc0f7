//! The tool `mcp.tool.describe`: Describe MCP Tool.

mod short;

use scenewright_contract::definition::Definition;
use scenewright_contract::{Dialect, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::short::Short;
use crate::tools::search::needed;

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.tool.describe",
    keywords: "arguments schema help how to call parameters of a tool accepts takes use options",
    title: "Describe MCP Tool",
    category: "mcp.platform",
    instant: true,
    argument_aliases: &[("name", "toolId")],
    lean: true,
    examples: &[
        Example {
            description: "Read how project.info is called",
            input: r#"{ "toolId": "project.info" }"#,
            output: r#"{ "tool": "project_info", "arguments": {} }"#,
            varies: &["description", "arguments", "safety", "notes", "example"],
        },
        Example {
            description: "Read the whole definition of project.info",
            input: r#"{ "toolId": "project.info", "schema": true }"#,
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
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    text: Some(text),
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Describe one tool: every argument with type and default, an example call. Also a tool that this server
/// may not run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// The tool, as `project.info` or `project_info`.
    tool_id: String,
    /// Return the whole definition instead: schemas of arguments and outputs, safety, all examples.
    #[serde(default)]
    schema: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    #[serde(flatten)]
    short: Option<Short>,
    #[serde(flatten)]
    whole: Option<Definition>,
}

fn run(cx: &Cx, Input { tool_id, schema }: Input) -> Result<Output, ToolError> {
    // Spec 000 has the whole definition there, of tools that it has.
    if cx.dialect() == Dialect::Editor {
        let info = cx.runner().describe(&tool_id)?;
        return Ok(Output { short: None, whole: Some(Definition::of(info)) });
    }
    let (_, info) = cx.runner().known(&tool_id)?;
    if schema {
        return Ok(Output { short: None, whole: Some(Definition::of(info)) });
    }
    let needs = cx.runner().describe(&tool_id).err().map(needed);
    Ok(Output { short: Some(Short::of(info, needs)), whole: None })
}

/// The short form as lines; a whole definition as the JSON that it is.
fn text(output: &Value) -> String {
    match output["tool"].is_null() {
        true => format!("{output:#}"),
        false => short::text(output),
    }
}
