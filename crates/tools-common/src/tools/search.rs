//! The tool `tools.search`: Search Tools.

mod rank;
mod tables;
mod ways;
mod words;

use scenewright_contract::tool::first_sentence;
use scenewright_contract::{JsonMap, Safety, ToolError, ToolInfo};
use scenewright_toolkit::{Cx, Example, Runner, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::CommonPack;
use rank::Hit;
pub(crate) use rank::Index;

pub(crate) const TOOL: Tool = Tool {
    id: "tools.search",
    keywords: "find command feature",
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
            }],
            "call": { "tool": "project_getVersion", "arguments": {} }
        }"#,
        varies: &["total", "call"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find tools by what they do, in your words. Answers names, one-line summaries and argument names,
/// best first, and the call to make with the best. Most tools are not in the default list: look here
/// before you conclude that something cannot be done.
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
const MAX_WORDS: usize = 24;

fn ten() -> usize {
    10
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// How many tools match.
    total: usize,
    /// The best of them.
    tools: Vec<Found>,
    /// An example call of the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<JsonMap>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
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
    /// A flag that the server lacks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<String>,
}

fn run(cx: &Cx, Input { query, limit }: Input) -> Result<Output, ToolError> {
    let runner = cx.runner();
    let all: Vec<(&ToolInfo, Option<String>)> =
        runner.everything().map(|(tool, offer)| (tool, offer.err().map(needed))).collect();
    let fits = fitting(runner);
    let answer = |number: usize| all.get(number).map(|(tool, needs)| found(tool, needs.clone()));
    if query.trim().is_empty() {
        let offered = |number: &usize| fits(*number) && all[*number].1.is_none();
        let numbers: Vec<usize> = (0..all.len()).filter(offered).collect();
        let tools = numbers.iter().take(limit).filter_map(|number| answer(*number)).collect();
        return Ok(Output { total: numbers.len(), tools, call: None, note: None });
    }
    let hits = search(runner, &query);
    let is_there = hits.first().is_some_and(|best| best.is_meant);
    let best = hits.first().filter(|_| is_there);
    let call = best.and_then(|best| suggestion(runner, all[best.tool].0, &query));
    let note = match (is_there, hits.is_empty()) {
        (true, _) => None,
        (false, true) => {
            Some("no tool has any of these words; try others, or an empty query for the whole list")
        }
        (false, false) => Some("no tool does all of this; these are the nearest"),
    };
    Ok(Output {
        total: hits.len(),
        tools: hits.iter().take(limit).filter_map(|hit| answer(hit.tool)).collect(),
        call,
        note: note.map(str::to_owned),
    })
}

/// The tools of a server that answer, best first.
fn search(runner: &Runner, query: &str) -> Vec<Hit> {
    let own;
    let index = match runner.pack::<CommonPack>() {
        Some(pack) => pack.tools.get_or_init(|| index(runner)),
        None => {
            own = index(runner);
            &own
        }
    };
    let mut hits = index.search(query, MAX_WORDS, &fitting(runner));
    if !runner.packs().any(|pack| pack.is_live()) {
        let is_of_a_game: Vec<bool> =
            runner.everything().map(|(tool, _)| tool.toolset == "explorer").collect();
        for hit in hits.iter_mut().filter(|hit| is_of_a_game[hit.tool]) {
            hit.score *= WITHOUT_A_GAME;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
    }
    hits
}

/// What a tool counts that asks a running game, where there is none.
const WITHOUT_A_GAME: f32 = 0.6;

/// Whether a tool, by its number, is for the open projects.
fn fitting(runner: &Runner) -> impl Fn(usize) -> bool {
    let engines = open_engines(runner);
    let of: Vec<Option<&str>> = runner.everything().map(|(tool, _)| tool.engine).collect();
    move |number| {
        let engine = of.get(number).copied().flatten();
        engine.is_none_or(|engine| engines.is_empty() || engines.contains(&engine))
    }
}

/// The words of all tools of a server.
fn index(runner: &Runner) -> Index {
    Index::new(runner.everything().map(|(tool, _)| tool))
}

/// The engines of the open projects.
fn open_engines(runner: &Runner) -> Vec<&'static str> {
    let projects = runner.workspace().projects().iter();
    projects.map(|project| project.engine.name()).collect()
}

/// What a server would have to be started with, as a flag.
fn needed(refusal: ToolError) -> String {
    let setting = refusal.details.get("setting").and_then(|setting| setting.as_str());
    let tier = refusal.details.get("requiredTier").and_then(|tier| tier.as_str());
    match (setting, tier) {
        (Some(setting), _) => format!("--{setting}"),
        (None, Some(tier)) => format!("--tier {tier}"),
        (None, None) => refusal.message,
    }
}

/// A call that works on the bundled samples, of what was asked for. The project is the open one, not
/// that of the sample: it is left out, or named where it must be.
fn suggestion(runner: &Runner, tool: &ToolInfo, query: &str) -> Option<JsonMap> {
    let mut arguments = match ways::nearest(tool.id, query) {
        Some(way) => way.arguments(),
        None => tool.words.examples.first()?.input.as_object()?.clone(),
    };
    let required = tool.words.input.get("required").and_then(|names| names.as_array());
    for name in ["project", "projectPath"] {
        if arguments.shift_remove(name).is_some()
            && required.is_some_and(|names| names.iter().any(|required| required == name))
        {
            let mut projects = runner.workspace().projects().iter();
            let own = projects.find(|own| tool.engine.is_none_or(|of| of == own.engine.name()));
            arguments.insert(name.to_owned(), json!(own?.id.to_string()));
        }
    }
    let arguments = json!(arguments);
    let parts = [("tool", json!(tool.mcp_name)), ("arguments", arguments)];
    Some(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn found(tool: &ToolInfo, needs: Option<String>) -> Found {
    Found {
        name: tool.mcp_name.clone(),
        title: tool.title.to_owned(),
        summary: first_sentence(&tool.words.description).to_owned(),
        safety: tool.safety,
        arguments: argument_names(tool),
        needs,
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
