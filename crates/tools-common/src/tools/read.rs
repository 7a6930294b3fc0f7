//! The tool `tools.read`: Call Any Tool That Only Reads. Hosts ask a person about `tools.call` where
//! writes are allowed, and need not about this one.

use scenewright_contract::{ErrorKind, JsonMap, Runs, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call_large, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::call;

pub(crate) const TOOL: Tool = Tool {
    id: "tools.read",
    keywords: "run any reading tool by name safely",
    argument_aliases: &[("name", "tool")],
    title: "Call Any Tool That Only Reads",
    category: "tools",
    delegates: true,
    lean: true,
    examples: &[Example {
        description: "Ask for the engine version of the Godot sample through its id",
        input: r#"{ "tool": "project.getVersion", "arguments": { "project": "godot" } }"#,
        output: r#"{ "tool": "project.getVersion", "output": {} }"#,
        varies: &["output"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<call::Output>,
    call: |cx, args| call_large(cx, args, run),
    ..Tool::READ
};

/// Call any tool that only reads by name, listed or not; dry runs count, too. tools_search finds names,
/// mcp_tool_describe tells arguments.
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

fn run(cx: &Cx, Input { tool, arguments }: Input) -> Result<call::Output, ToolError> {
    let arguments = arguments.unwrap_or_default();
    if !cx.would_only_read(&tool, &arguments)? {
        let message = format!("{tool} does not only read, and tools.read runs nothing else");
        let known = cx.runner().known(&tool).ok();
        let is_dry = arguments.get("dryRun") == Some(&true.into());
        let hint = match known.filter(|_| is_dry) {
            Some((known, _)) if known.dry_runs || known.runs != Runs::No => {
                "its dry run starts the engine, too; call it by its name or with tools_call"
            }
            Some(_) => "it has no dry run; call it by its name or with tools_call",
            None => "call it by its name or with tools_call, or look first with dryRun: true",
        };
        return Err(ToolError::new(ErrorKind::Denied, message).hint(hint));
    }
    call::pass_on(cx, &tool, arguments)
}
