//! `cargo xtask bench search`: how often `tools_search` finds the tool that is right for somebody's
//! words, asked over stdio as agents ask it, one server for each engine's sample.
//!
//! The queries are those that the tests of the search have.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::call::Call;
use super::pipe::Pipe;
use super::samples::Series;
use super::table::{Row, align, goal, number};
use crate::server::Server;
use crate::{binary, paths};

const QUERIES: &str = "crates/tools/tests/all/data/queries.tsv";
const LIMIT: Duration = Duration::from_secs(300);
/// Groups of tools that serve projects of any engine; the others have one.
const SHARED_GROUPS: [&str; 4] = ["tools", "project", "ci", "mcp"];

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let out = match options {
        [] => None,
        ["--out", file] => Some(PathBuf::from(file)),
        _ => bail!("usage: cargo xtask bench search [--out FILE]"),
    };
    let queries = fs::read_to_string(paths::root().join(QUERIES)).context(QUERIES)?;
    let mut groups = Vec::new();
    for entry in fs::read_dir(paths::root().join("docs/tools"))? {
        groups.extend(groups_of(&fs::read_to_string(entry?.path())?));
    }
    let binary = binary::release()?;
    let mut found = Vec::new();
    for engine in ["unity", "godot"] {
        let queries = queries_of(&queries, engine);
        ensure!(!queries.is_empty(), "{QUERIES} has none for {engine}");
        found.push(ask_all(&binary, engine, &queries, &groups)?);
    }
    let report = report(&found);
    println!("{report}");
    if let Some(out) = out {
        fs::write(&out, format!("{report}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

/// What somebody looks for, and the names of the tools that are right.
type Query<'a> = (&'a str, Vec<&'a str>);

fn queries_of<'a>(text: &'a str, engine: &str) -> Vec<Query<'a>> {
    let of_engine = text.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (of, query, right) = (fields.next()?, fields.next()?, fields.next()?);
        (of == engine).then(|| (query, right.split(' ').collect()))
    });
    of_engine.collect()
}

/// The group of every tool by its MCP name, from the headings of the reference such as
/// `## godotScene.addNode` and the line that names it for MCP.
fn groups_of(reference: &str) -> Vec<(String, String)> {
    let mut group = "";
    let mut groups = Vec::new();
    for line in reference.lines() {
        if let Some(id) = line.strip_prefix("## ") {
            group = id.split('.').next().unwrap_or_default();
        } else if let Some(rest) = line.strip_prefix("MCP name `") {
            let name = rest.split('`').next().unwrap_or_default();
            groups.push((name.to_owned(), group.to_owned()));
        }
    }
    groups
}

/// Whether a tool that was found is of no use in a project of this engine.
fn is_foreign(tool: &Value, engine: &str, groups: &[(String, String)]) -> bool {
    let name = tool["name"].as_str().unwrap_or_default();
    let group = groups.iter().find(|(of, _)| of == name).map_or("", |(_, group)| group);
    let is_shared = SHARED_GROUPS.contains(&group);
    let is_godot = group.starts_with("godot");
    match engine {
        "unity" => is_godot,
        _ => {
            let summary = tool["summary"].as_str().unwrap_or_default();
            !is_shared && !is_godot || is_shared && summary.contains(" of a Unity project")
        }
    }
}

/// What came of the queries of one engine.
#[derive(Debug, Default)]
struct Found {
    engine: String,
    queries: usize,
    first: usize,
    third: usize,
    tenth: usize,
    foreign: usize,
    milliseconds: Series,
    bytes: Series,
    /// Queries whose right tool is not the first, with where it is.
    missed: Vec<(Option<usize>, String)>,
}

impl Found {
    fn add(&mut self, query: &str, right: &[&str], names: &[&str]) {
        let place = names.iter().position(|name| right.contains(name));
        let within = |places: usize| usize::from(place.is_some_and(|place| place < places));
        self.queries += 1;
        self.first += within(1);
        self.third += within(3);
        self.tenth += within(10);
        if place != Some(0) {
            let best = names.iter().take(3).copied().collect::<Vec<_>>().join(", ");
            let missed = format!("{}: {query}: {}, not {best}", self.engine, right.join(" or "));
            self.missed.push((place, missed));
        }
    }
}

fn ask_all(
    binary: &Path,
    engine: &str,
    queries: &[Query<'_>],
    groups: &[(String, String)],
) -> Result<Found> {
    let sample = paths::root().join("samples").join(engine);
    let options = ["--stdio", "--allow-writes", "--allow-runs", "--project"];
    let mut command = binary::serve(binary, &options);
    let (server, stdin, stdout) = Server::start_stdio(command.arg(sample), LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands().with_context(|| server.stderr_tail())?;
    let mut found = Found { engine: engine.to_owned(), ..Found::default() };
    for (query, right) in queries {
        let call = Call::tool("tools_search", &json!({ "query": query }));
        let (seconds, answer) = pipe.ask_timed(&call)?;
        let tools = answer["structuredContent"]["tools"].as_array();
        let tools = tools.with_context(|| format!("{query}: no tools in {answer}"))?;
        let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        found.add(query, right, &names);
        found.foreign += tools.iter().filter(|tool| is_foreign(tool, engine, groups)).count();
        found.milliseconds.push(seconds * 1e3);
        found.bytes.push(content_bytes(&answer) as f64);
    }
    Ok(found)
}

/// The bytes of an answer that reach a model: its text and its data.
fn content_bytes(answer: &Value) -> usize {
    let texts = answer["content"].as_array().into_iter().flatten();
    let text: usize = texts.filter_map(|part| part["text"].as_str()).map(str::len).sum();
    text + answer.get("structuredContent").map_or(0, |data| data.to_string().len())
}

fn report(found: &[Found]) -> String {
    let header = ["measure", "unity", "godot", "goal", "verdict"].map(str::to_owned);
    let mut rows = vec![header];
    let row = |label: &str, cell: &dyn Fn(&Found) -> String| -> Row {
        let cell = |at: usize| found.get(at).map(cell).unwrap_or_default();
        [label.to_owned(), cell(0), cell(1), String::new(), String::new()]
    };
    rows.push(row("queries", &|of| of.queries.to_string()));
    rows.push(row("right tool first", &|of| percent(of.first, of.queries)));
    rows.push(row("right tool among 3", &|of| percent(of.third, of.queries)));
    rows.push(row("right tool among 10", &|of| percent(of.tenth, of.queries)));
    rows.push(row("results of the wrong engine", &|of| of.foreign.to_string()));
    rows.push(row("time, median ms", &|of| number(of.milliseconds.median(), 2)));
    rows.push(row("time, p95 ms", &|of| number(of.milliseconds.quantile(0.95), 2)));
    rows.push(row("bytes of a median answer", &|of| number(of.bytes.median(), 0)));
    rows.extend(goals(found));
    let mut report = align(&rows);
    for (title, from) in [("at 1", 1), ("at 3", 3)] {
        let missed = found.iter().flat_map(|of| &of.missed);
        let missed: Vec<&str> = missed
            .filter(|(place, _)| place.is_none_or(|place| place >= from))
            .map(|(_, missed)| &**missed)
            .collect();
        report += &format!("\nmissed {title}: {}\n", missed.len());
        report.extend(missed.iter().map(|missed| format!("  {missed}\n")));
    }
    report.trim_end().to_owned()
}

/// Over both engines, as the test of the search asks for.
fn goals(found: &[Found]) -> Vec<Row> {
    let sum = |count: fn(&Found) -> usize| found.iter().map(count).sum::<usize>();
    let all = sum(|of| of.queries);
    let share = |label: &str, count: usize, least: f64| {
        let reached = (all > 0).then(|| count as f64 >= all as f64 * least / 100.0);
        goal(label, percent(count, all), &format!("≥ {least:.0} %"), reached)
    };
    let foreign = sum(|of| of.foreign);
    vec![
        share("all: right tool first", sum(|of| of.first), 85.0),
        share("all: right tool among 3", sum(|of| of.third), 97.0),
        goal("all: results of the wrong engine", foreign.to_string(), "0", Some(foreign == 0)),
    ]
}

fn percent(count: usize, of: usize) -> String {
    if of == 0 {
        return "n/a".to_owned();
    }
    format!("{:.1} %", count as f64 / of as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_where_the_right_tool_is() {
        let mut found = Found { engine: "godot".to_owned(), ..Found::default() };
        found.add("a", &["x", "y"], &["y", "x"]);
        found.add("b", &["x"], &["q", "r", "s", "x"]);
        found.add("c", &["x"], &[]);
        assert_eq!((found.queries, found.first, found.third, found.tenth), (3, 1, 1, 2));
        let report = report(&[Found::default(), found]);
        assert!(report.contains("missed at 1: 2\n  godot: b: x, not q, r, s\n"), "{report}");
        assert!(report.contains("≥ 85 %"), "{report}");
        assert!(report.contains("MISSED"), "{report}");
    }

    #[test]
    fn knows_tools_of_the_other_engine() {
        let reference = "# go\n\n## go.find\nFind.\n\nMCP name `go_find`; read-only\n\n\
                         ## godotScene.addNode\n\nMCP name `add_node`; x\n\n\
                         ## project.scenes.list\n\nMCP name `project_scenes_list`; x\n";
        let groups = groups_of(reference);
        let is = |name: &str, summary: &str, engine: &str| {
            is_foreign(&json!({ "name": name, "summary": summary }), engine, &groups)
        };
        assert!(is("go_find", "", "godot") && !is("go_find", "", "unity"));
        assert!(is("add_node", "", "unity") && !is("add_node", "", "godot"));
        let summary = "List the scenes of a Unity project.";
        assert!(is("project_scenes_list", summary, "godot"));
        assert!(!is("project_scenes_list", summary, "unity"));
    }

    #[test]
    fn queries_are_of_one_engine() {
        let text = "# engine\t query\t tools\ngodot\tadd a node\tadd_node x\nunity\ta\tb\n";
        assert_eq!(queries_of(text, "godot"), [("add a node", vec!["add_node", "x"])]);
    }
}
