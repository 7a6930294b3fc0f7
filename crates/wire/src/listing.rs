//! The tool list as each dialect's clients see it, for the command line and the documentation.

use scenewright_contract::definition::Definition;
use scenewright_contract::{Dialect, ToolInfo, bounds};
use serde_json::{Value, json};

use crate::mcp;

/// The list of `tools` in the words of `dialect`; the framed protocol carries standard MCP.
pub fn listing(dialect: Dialect, tools: &[&ToolInfo]) -> Value {
    let entries: Vec<Value> = match dialect {
        Dialect::Mcp | Dialect::Framed => {
            tools.iter().map(|tool| json!(mcp::render(tool))).collect()
        }
        Dialect::Editor => tools.iter().map(|tool| json!(Definition::of(tool))).collect(),
        Dialect::Explorer => tools.iter().filter_map(|tool| explorer(tool)).collect(),
    };
    json!({ "tools": entries })
}

/// An entry of spec 001's `list_tools`; only tools with a name there have one.
fn explorer(tool: &ToolInfo) -> Option<Value> {
    let mut schema = bounds::unsaid(&tool.words.input);
    schema.insert("additionalProperties".to_owned(), json!(false));
    Some(
        json!({ "name": tool.explorer?, "description": tool.words.description, "inputSchema": schema }),
    )
}
