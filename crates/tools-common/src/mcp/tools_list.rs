//! The tool `mcp.tools.list`: List MCP Tools.

use scenewright_contract::definition::Summary;
use scenewright_contract::{Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.tools.list",
    keywords: "list all tools every tool available commands catalogue",
    title: "List MCP Tools",
    category: "mcp.platform",
    instant: true,
    examples: &[Example {
        description: "List the tools about tools",
        input: r#"{ "category": "tools", "tier": "core" }"#,
        output: r#"{ "tools": [] }"#,
        varies: &["tools"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List every tool on offer with id, description, safety and tier, sorted by id. Narrow it by
/// category or tier; tools_search is shorter when you know what you want to do.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Only this category and those below it: `mcp` includes `mcp.platform`.
    category: Option<String>,
    /// Only this tier: `core`, `tier1` … `tier4`, or `indie`, `pro`, `studio`, `enterprise`.
    tier: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// The tools, sorted by id.
    tools: Vec<Summary>,
}

fn run(cx: &Cx, Input { category, tier }: Input) -> Result<Output, ToolError> {
    let tier = tier.as_deref().map(parse_tier).transpose()?;
    let mut tools: Vec<Summary> = cx
        .catalog()
        .into_iter()
        .filter(|tool| category.as_deref().is_none_or(|wanted| is_below(tool.category, wanted)))
        .filter(|tool| tier.is_none_or(|wanted| tool.tier == wanted))
        .map(Summary::of)
        .collect();
    tools.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(Output { tools })
}

fn parse_tier(text: &str) -> Result<Tier, ToolError> {
    text.parse().map_err(|problem: String| ToolError::bad_argument("tier", &problem))
}

fn is_below(category: &str, wanted: &str) -> bool {
    category.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
        && matches!(category.as_bytes().get(wanted.len()), None | Some(b'.'))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_category_includes_those_below_it_and_no_others() {
        assert!(is_below("mcp.platform", "mcp"));
        assert!(is_below("mcp.platform", "MCP.Platform"));
        assert!(!is_below("mcpx", "mcp"));
        assert!(!is_below("mcp", "mcp.platform"));
    }
}
