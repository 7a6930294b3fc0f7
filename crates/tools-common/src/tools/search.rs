//! The tool `tools.search`: Search Tools.

mod answer;
mod gaps;
mod members;
mod phrases;
mod rank;
mod roles;
mod tables;
mod ways;
mod wish;
mod words;

use std::sync::{Arc, PoisonError};

use scenewright_contract::{JsonMap, Runs, Safety, ToolError, ToolInfo};
use scenewright_toolkit::{Cx, Example, Runner, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use self::answer::{Found, Output};
use self::rank::Hit;
use self::wish::Deed;
use crate::CommonPack;
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
                "arguments": "",
                "summary": "Tell which engine version the project needs and which version the project itself has"
            }],
            "call": { "tool": "project_getVersion", "arguments": {} }
        }"#,
        varies: &["total", "call"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    text: Some(answer::text),
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find tools by what you want to do, in your words. Answers names with their arguments, best first, and the
/// call to make with the best. Most tools are not in the default list: look here before you conclude that
/// something cannot be done.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Words to look for, such as `missing references` or `add node`. Empty lists everything.
    #[serde(default)]
    query: String,
    /// How many to return.
    #[serde(default = "usual")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

/// Nobody looks for a tool with more words; each is looked for in every tool.
const MAX_WORDS: usize = 24;

fn usual() -> usize {
    5
}

fn run(cx: &Cx, Input { query, limit }: Input) -> Result<Output, ToolError> {
    let runner = cx.runner();
    let all: Vec<(&ToolInfo, Option<String>)> =
        runner.everything().map(|(tool, offer)| (tool, offer.err().map(needed))).collect();
    let found = |number: usize| all.get(number).map(|(tool, needs)| Found::of(tool, needs.clone()));
    if query.trim().is_empty() {
        let fits = fitting(runner);
        let offered = |number: &usize| fits(*number) && all[*number].1.is_none();
        let numbers: Vec<usize> = (0..all.len()).filter(offered).collect();
        let tools = numbers.iter().take(limit).filter_map(|number| found(*number)).collect();
        return Ok(Output { total: numbers.len(), tools, call: None, note: None }.fitted());
    }
    with_index(runner, |index| {
        let hits = search(runner, index, &query);
        let engines = open_engines(runner);
        let (gap, anything) = (gaps::instead(&query, &engines), anything(&engines));
        let is_there = hits.first().is_some_and(|best| best.is_meant) && gap.is_none();
        let best = hits.first().filter(|_| is_there);
        let call = best.and_then(|best| suggestion(runner, index, all[best.tool].0, &query));
        let note = match (gap, is_there, hits.is_empty()) {
            (Some(instead), ..) => Some(format!("no tool does this: {instead}")),
            (None, true, _) => None,
            (None, false, true) => Some(format!("no tool has any of these words; {anything}")),
            (None, false, false) => Some(format!("no tool has all of these words; {anything}")),
        };
        let tools = hits.iter().take(limit).filter_map(|hit| found(hit.tool)).collect();
        Ok(Output { total: hits.len(), tools, call, note }.fitted())
    })
}

/// What is true of every project, for whoever finds nothing.
fn anything(engines: &[&str]) -> String {
    let sets = match (engines.contains(&"unity"), engines.contains(&"godot")) {
        (true, false) => "unity_edit sets any field of a component, asset or settings file",
        (false, true) => "edit_node sets any property of a node, modify_resource of a resource",
        _ => "unity_edit and edit_node set any field",
    };
    format!("{sets}; project_editText edits any text file")
}

/// Ask the index of a server; made once for what is open.
fn with_index<T>(runner: &Runner, ask: impl FnOnce(&Index) -> T) -> T {
    let make = || {
        let tools = runner.everything().map(|(tool, _)| tool);
        let reads_too = |id: &str| runner.known(id).is_ok_and(|(tool, _)| tool.reads_if.is_some());
        Index::new(tools, members::of(&runner.workspace()), &reads_too)
    };
    let Some(pack) = runner.pack::<CommonPack>() else { return ask(&make()) };
    let edition = runner.edition();
    let mut kept = pack.tools.lock().unwrap_or_else(PoisonError::into_inner);
    let index = match &*kept {
        Some((of, index)) if *of == edition => index.clone(),
        _ => {
            let index = Arc::new(make());
            *kept = Some((edition, index.clone()));
            index
        }
    };
    drop(kept);
    ask(&index)
}

/// The tools of a server that answer, best first.
fn search(runner: &Runner, index: &Index, query: &str) -> Vec<Hit> {
    let mut hits = index.search(query, MAX_WORDS, &open_engines(runner), &fitting(runner));
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

/// The engines of the open projects.
fn open_engines(runner: &Runner) -> Vec<&'static str> {
    let workspace = runner.workspace();
    workspace.projects().iter().map(|project| project.engine.name()).collect()
}

/// What a server would have to be started with, as a flag.
pub(crate) fn needed(refusal: ToolError) -> String {
    let setting = refusal.details.get("setting").and_then(|setting| setting.as_str());
    let tier = refusal.details.get("requiredTier").and_then(|tier| tier.as_str());
    match (setting, tier) {
        (Some(setting), _) => format!("--{setting}"),
        (None, Some(tier)) => format!("--tier {tier}"),
        (None, None) => refusal.message,
    }
}

/// A call that works on the bundled samples, of what was asked for. The project is the open one, not
/// that of the sample: it is left out, or named where it must be: a change among several has to.
fn suggestion(runner: &Runner, index: &Index, tool: &ToolInfo, query: &str) -> Option<JsonMap> {
    let of_field = || {
        if ways::clearest(tool.id, query).is_some() {
            return None;
        }
        let about = index.about(query, MAX_WORDS)?;
        // A class alone says what is added, and not what is set.
        let is_whole = about.field.is_some() || wish::asked_deed(query) == Some(Deed::Make);
        about.example(tool.id).filter(|_| is_whole)?.as_object().cloned()
    };
    let mut arguments = match (of_field(), ways::nearest(tool.id, query)) {
        (Some(arguments), _) => arguments,
        (None, Some(way)) => way.arguments(),
        (None, None) => tool.words.examples.first()?.input.as_object()?.clone(),
    };
    let required = tool.words.input.get("required").and_then(|names| names.as_array());
    let workspace = runner.workspace();
    let acts = tool.safety != Safety::ReadOnly || tool.runs != Runs::No;
    let is_ambiguous = acts && workspace.candidates(tool.engine).nth(1).is_some();
    for name in ["project", "projectPath"] {
        let is_required =
            required.is_some_and(|names| names.iter().any(|required| required == name));
        let properties = tool.words.input.get("properties");
        let is_taken = properties.is_some_and(|properties| properties.get(name).is_some());
        arguments.shift_remove(name);
        if is_required || (is_taken && is_ambiguous) {
            let own = workspace.candidates(tool.engine).next()?;
            arguments.insert(name.to_owned(), json!(own.id.to_string()));
        }
    }
    let arguments = json!(arguments);
    let parts = [("tool", json!(tool.mcp_name)), ("arguments", arguments)];
    Some(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
