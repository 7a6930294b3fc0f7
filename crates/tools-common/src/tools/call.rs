//! The tool `tools.call`: Call Any Tool.

use scenewright_contract::{self as contract, ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call_large, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read;

pub(crate) const TOOL: Tool = Tool {
    id: "tools.call",
    argument_aliases: &[("name", "tool")],
    keywords: "run any tool by name",
    title: "Call Any Tool",
    category: "tools",
    safety: Safety::Destructive,
    delegates: true,
    idempotent: false,
    lean: true,
    examples: &[Example {
        description: "Ask for the engine version of the Godot sample through its id",
        input: r#"{ "tool": "project.getVersion", "arguments": { "project": "godot" } }"#,
        output: r#"{ "tool": "project.getVersion", "output": {} }"#,
        varies: &["output"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call_large(cx, args, run),
    ..Tool::READ
};

/// Call any tool of this server by name, listed or not. tools_search finds names, mcp_tool_describe tells
/// arguments. Writing needs --allow-writes; try `dryRun` first,
/// project_undoLast takes it back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// The tool, as `project.info` or `project_info`.
    tool: String,
    /// Its arguments.
    #[serde(default)]
    #[schemars(with = "Option<JsonMap>")]
    arguments: Option<JsonMap>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Output {
    /// The id of the tool that ran.
    tool: String,
    /// What it returned.
    #[schemars(with = "JsonMap")]
    output: contract::Output,
}

fn run(cx: &Cx, Input { tool, arguments }: Input) -> Result<Output, ToolError> {
    pass_on(cx, &tool, arguments.unwrap_or_default())
}

/// Run a tool inside this one, which is none that runs others.
pub(super) fn pass_on(cx: &Cx, tool: &str, arguments: JsonMap) -> Result<Output, ToolError> {
    let id = cx.runner().known(tool)?.0.id;
    if [TOOL.id, read::TOOL.id].contains(&id) {
        let message = format!("{id} cannot be called by {}", cx.tool());
        return Err(
            ToolError::new(ErrorKind::BadArguments, message).hint("name the tool you want to run")
        );
    }
    let outcome = cx.call_tool(id, arguments)?;
    outcome.diagnostics.into_iter().for_each(|text| cx.diagnose(text));
    outcome.images.into_iter().for_each(|image| cx.show(image));
    if let Some(text) = outcome.text {
        cx.set_text(text);
    }
    Ok(Output { tool: id.to_owned(), output: outcome.output })
}
