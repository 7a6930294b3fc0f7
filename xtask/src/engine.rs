//! `cargo xtask engine`: a real Godot judges what the tools write.
//!
//! Every example of every Godot tool that writes is run on a fresh copy of the sample. The engine
//! then loads the project: it must not complain, must make the nodes and connections that we read
//! from the files, and must hold the values that stand in what was changed.

mod judge;
mod questions;
mod sandbox;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{panic, thread};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::{binary, godot, install, paths, process};
use judge::Engine;
use sandbox::{Sandbox, Scope};

const USAGE: &str = "usage: cargo xtask engine [--only TOOL]";
const CALL_LIMIT: Duration = Duration::from_secs(60);
/// So much of a complaint is shown in the table; all of it follows below.
const MAX_VERDICT: usize = 60;

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let only = match args {
        [] => "",
        ["--only", tool] => tool,
        _ => bail!(USAGE),
    };
    let Some(engine) = install::or_notice("engine", godot::ensure())? else { return Ok(()) };
    let binary = binary::release()?;
    let cases = cases(&binary, only)?;
    let folder = paths::target().join("tmp").join("engine");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let engine = Engine::new(engine);
    let pristine = Sandbox::pristine(&folder.join("sample"))?;
    engine.import(&pristine)?;
    let mut rows = vec![judge_sample(&engine, &pristine)];
    rows.extend(in_parallel(&cases, |number, case| {
        judge_case(&engine, &binary, case, &pristine, &folder.join(format!("{number:03}")))
    }));
    report(&rows)
}

/// One example of a tool.
struct Case {
    tool: String,
    input: Value,
}

/// What became of an example: a line of the table.
struct Row {
    tool: String,
    files: usize,
    /// Empty when the engine agrees.
    complaints: Vec<String>,
}

impl Row {
    fn of(tool: &str, judged: Result<(usize, Vec<String>)>) -> Row {
        let (files, complaints) = judged.unwrap_or_else(|error| (0, vec![format!("{error:#}")]));
        Row { tool: tool.to_owned(), files, complaints }
    }
}

/// The tools as `scenewright tools list --dialect editor` tells them.
#[derive(Deserialize)]
struct List {
    tools: Vec<Definition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Definition {
    id: String,
    safety_level: String,
    #[serde(default)]
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    input: Value,
}

fn cases(binary: &Path, only: &str) -> Result<Vec<Case>> {
    let mut command = Command::new(binary);
    let said =
        process::capture(command.args(["tools", "list", "--dialect", "editor"]), CALL_LIMIT)?;
    ensure!(said.status.success(), "the tools cannot be listed: {}", said.tail());
    let list: List = serde_json::from_str(&said.stdout).context("the list of tools")?;
    let writes =
        |tool: &Definition| tool.id.starts_with("godot") && tool.safety_level != "read-only";
    let chosen = list.tools.into_iter().filter(|tool| writes(tool) && tool.id.contains(only));
    let cases: Vec<Case> = chosen
        .flat_map(|Definition { id, examples, .. }| {
            examples.into_iter().map(move |example| Case { tool: id.clone(), input: example.input })
        })
        .collect();
    ensure!(!cases.is_empty(), "no Godot tool that writes is called {only:?}");
    Ok(cases)
}

/// The sample as it is: all its scenes, and every value in it.
fn judge_sample(engine: &Engine, pristine: &Sandbox) -> Row {
    let judged = || -> Result<(usize, Vec<String>)> {
        let files = pristine.files(Scope::Everything)?;
        Ok((files.close.len(), engine.judge(pristine, &files)?))
    };
    Row::of("(the sample as it is)", judged())
}

fn judge_case(
    engine: &Engine,
    binary: &Path,
    case: &Case,
    pristine: &Sandbox,
    folder: &Path,
) -> Row {
    let judged = || -> Result<(usize, Vec<String>)> {
        let copy = pristine.copy_to(folder)?;
        let said = call(binary, case, &copy)?;
        let changes = copy.changes_since(pristine)?;
        let promised = said["filesChanged"].as_u64().filter(|_| said["dryRun"] != true);
        if let Some(promised) = promised {
            let is_told = (promised == 0) == changes.is_empty();
            ensure!(is_told, "{promised} changed files are told, {} are there", changes.len());
        }
        if changes.need_import() {
            engine.import(&copy)?;
        }
        let complaints = engine.judge(&copy, &copy.files(Scope::Only(&changes))?)?;
        Ok((changes.len(), complaints))
    };
    let row = Row::of(&case.tool, judged());
    // What failed stays for a look at it.
    if row.complaints.is_empty() {
        let _ = fs::remove_dir_all(folder);
    }
    row
}

/// Run the example; its output.
fn call(binary: &Path, case: &Case, copy: &Sandbox) -> Result<Value> {
    let mut command = Command::new(binary);
    command.args(["call", &case.tool, "--json", &case.input.to_string(), "--allow-writes"]);
    command.arg("--project").arg(copy.root());
    let said = process::capture(copy.at_home(&mut command), CALL_LIMIT)?;
    ensure!(said.status.success(), "the call fails: {}", said.tail());
    serde_json::from_str(&said.stdout).context("the output is no JSON")
}

/// All results in order, made by as many threads as there are cores.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return done };
            done.push((number, work(number, item)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
        };
        running.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn report(rows: &[Row]) -> Result<()> {
    let width = rows.iter().map(|row| row.tool.len()).max().unwrap_or_default();
    println!("{:width$}  files  verdict", "tool");
    for Row { tool, files, complaints } in rows {
        let verdict = match complaints.first() {
            None if *files == 0 => "ok, nothing written".to_owned(),
            None => "ok".to_owned(),
            Some(first) => format!("FAILED: {}", start_of(first)),
        };
        println!("{tool:width$}  {files:>5}  {verdict}");
    }
    let failed: Vec<&Row> = rows.iter().filter(|row| !row.complaints.is_empty()).collect();
    for row in &failed {
        println!("\n{}\n  {}", row.tool, row.complaints.join("\n").replace('\n', "\n  "));
    }
    println!("\n{} judged, {} failed", rows.len(), failed.len());
    ensure!(failed.is_empty(), "the engine disagrees with {} of {}", failed.len(), rows.len());
    Ok(())
}

fn start_of(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_VERDICT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The sample project in the repository.
fn sample() -> PathBuf {
    paths::root().join("samples").join("godot")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_work() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, |number, item| number + item)[99], 198);
    }

    #[test]
    fn long_complaints_are_cut_between_characters() {
        assert_eq!(start_of("short\nmore"), "short");
        assert_eq!(start_of(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }
}
