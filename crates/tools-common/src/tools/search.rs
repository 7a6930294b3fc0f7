//! The tool `tools.search`: Search Tools.

use scenewright_contract::tool::first_sentence;
use scenewright_contract::{Safety, ToolError, ToolInfo};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "tools.search",
    title: "Search Tools",
    category: "tools",
    instant: true,
    lean: true,
    limits: scenewright_contract::Limits {
        max_items: Some(50),
        ..scenewright_contract::Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find the tool that tells the engine version",
        input: r#"{ "query": "project version", "limit": 1 }"#,
        output: r#"{
            "total": 3,
            "tools": [{
                "name": "project_getVersion",
                "title": "Project Version",
                "summary": "Tell which engine version the project needs and which version the project itself has.",
                "safety": "read-only",
                "arguments": ["project?"]
            }]
        }"#,
        varies: &["total"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find tools by words. Answers names, one-line summaries and argument names, best match first.
/// Most tools are not in the default list: look here before you conclude that something cannot be
/// done.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Words to look for, such as `missing references` or `add node`. Empty lists everything.
    #[serde(default)]
    query: String,
    /// How many to return.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

/// Nobody looks for a tool with more words; each is looked for in every tool.
const MAX_WORDS: usize = 50;

fn ten() -> usize {
    10
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// How many tools match.
    total: usize,
    /// The best of them.
    tools: Vec<Found>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The name to call it by.
    name: String,
    /// Its name for people.
    title: String,
    /// What it does, in a sentence.
    summary: String,
    /// What it may change.
    safety: Safety,
    /// Argument names; `?` marks the optional ones.
    arguments: Vec<String>,
}

fn run(cx: &Cx, Input { query, limit }: Input) -> Result<Output, ToolError> {
    let words = query.split_whitespace().take(MAX_WORDS);
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let mut matches: Vec<(usize, &ToolInfo)> =
        cx.catalog().into_iter().filter_map(|tool| Some((score(tool, &words)?, tool))).collect();
    matches.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.id.cmp(b.1.id)));
    let total = matches.len();
    let tools = matches.into_iter().take(limit).map(|(_, tool)| found(tool)).collect();
    Ok(Output { total, tools })
}

/// How well a tool answers the words: names weigh most, then titles, then the prose. None when
/// fewer than half of the words occur at all.
fn score(tool: &ToolInfo, words: &[String]) -> Option<usize> {
    let name = format!("{} {}", tool.id, tool.aliases.join(" ")).to_lowercase();
    let title = tool.title.to_lowercase();
    let prose =
        format!("{} {} {}", tool.words.description, tool.notes.unwrap_or(""), tool.category)
            .to_lowercase();
    let mut hits = 0;
    let mut score = 0;
    for word in words {
        // "references" also finds "reference".
        let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word);
        let weight = 8 * usize::from(name.contains(stem))
            + 4 * usize::from(title.contains(stem))
            + 2 * usize::from(prose.contains(stem));
        hits += usize::from(weight > 0);
        score += weight;
    }
    (hits * 2 >= words.len()).then_some(score)
}

fn found(tool: &ToolInfo) -> Found {
    Found {
        name: tool.mcp_name.clone(),
        title: tool.title.to_owned(),
        summary: first_sentence(&tool.words.description).to_owned(),
        safety: tool.safety,
        arguments: argument_names(tool),
    }
}

fn argument_names(tool: &ToolInfo) -> Vec<String> {
    let required = |name: &str| {
        tool.words
            .input
            .get("required")
            .and_then(|names| names.as_array())
            .is_some_and(|names| names.iter().any(|n| n == name))
    };
    let Some(properties) = tool.words.input.get("properties").and_then(|p| p.as_object()) else {
        return Vec::new();
    };
    properties
        .keys()
        .map(|name| if required(name) { name.clone() } else { format!("{name}?") })
        .collect()
}
