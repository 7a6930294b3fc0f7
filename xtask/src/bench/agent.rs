//! `cargo xtask bench agent`: everyday tasks done as an agent does them, over stdio with standard MCP,
//! each with a check of what came of it, and what it cost in calls and tokens.

mod client;
mod files;
mod godot;
mod older;
pub(crate) mod projects;
mod report;
mod task;
mod tiles;
mod unity;
mod walk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use self::client::{Agent, Answer, Cost};
use self::files::Files;
use self::task::{Arguments, Check, Done, Expects, Needs, Programs, Step, Task};
use crate::{binary, godot as engine, install, paths};

const USAGE: &str = "usage: cargo xtask bench agent [--only NAME] [--out FILE] [--before BINARY]";
/// More pages than any answer of a task may have.
const MOST_PAGES: usize = 100;
const MOST_AT_ONCE: usize = 4;

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let options = parse(options)?;
    let tasks: Vec<Task> =
        tasks().into_iter().filter(|task| task.name.contains(&options.only)).collect();
    ensure!(!tasks.is_empty(), "no task has {:?} in its name", options.only);
    let programs = programs(&tasks, options.before.clone())?;
    let started = Instant::now();
    tasks.iter().try_for_each(|task| task.project.prepare())?;
    let outcomes = attempt_all(&tasks, &programs);
    let seconds = started.elapsed().as_secs_f64();
    let report = match options.before {
        Some(_) => report::before(&tasks, &outcomes),
        None => report::render(&tasks, &outcomes, seconds),
    };
    print!("{report}");
    if let Some(out) = options.out {
        fs::write(&out, &report).with_context(|| out.display().to_string())?;
    }
    if options.before.is_none() {
        fail_where_wrong(&tasks, &outcomes)?;
    }
    Ok(())
}

/// Every task, Unity's first.
fn tasks() -> Vec<Task> {
    let mut tasks = unity::tasks();
    tasks.extend(godot::tasks());
    tasks
}

#[derive(Debug, Default)]
struct Options {
    only: String,
    out: Option<PathBuf>,
    /// An older binary, of which a table is made to compare with.
    before: Option<PathBuf>,
}

fn parse(mut options: &[&str]) -> Result<Options> {
    let mut parsed = Options::default();
    loop {
        match options {
            [] => return Ok(parsed),
            ["--only", name, rest @ ..] => (parsed.only, options) = ((*name).to_owned(), rest),
            ["--out", file, rest @ ..] => (parsed.out, options) = (Some(file.into()), rest),
            ["--before", binary, rest @ ..] => {
                parsed.before = Some(std::path::absolute(binary)?);
                options = rest;
            }
            _ => bail!(USAGE),
        }
    }
}

fn programs(tasks: &[Task], before: Option<PathBuf>) -> Result<Programs> {
    let asks_godot =
        |task: &Task| task.needs != Needs::Files || matches!(task.check, Check::Judged(..));
    let is_older = before.is_some();
    let scenewright = before.map_or_else(binary::tested, Ok)?;
    let mut programs = Programs { scenewright, is_older, ..Programs::default() };
    if tasks.iter().any(asks_godot) {
        programs.godot = install::or_notice("tasks with a real Godot", engine::ensure())?;
        programs.with_screen = programs.godot.as_deref().and_then(engine::with_screen);
        programs.imported = programs.godot.as_deref().map(godot::import).transpose()?;
    }
    Ok(programs)
}

/// What came of a task.
#[derive(Debug, Default)]
struct Outcome {
    cost: Cost,
    list_bytes: usize,
    seconds: f64,
    /// Tools that were used and that neither list, first words, searches nor errors had named.
    not_named: Vec<String>,
    verdict: Verdict,
}

#[derive(Debug, Default, PartialEq)]
enum Verdict {
    #[default]
    Right,
    Wrong(String),
    /// A call was refused that should not have been.
    Refused(String),
    /// What it needs is not on this machine.
    Skipped(&'static str),
}

/// Several at once: each has a project and a server of its own, and engines take their time.
fn attempt_all(tasks: &[Task], programs: &Programs) -> Vec<Outcome> {
    let workers = thread::available_parallelism().map_or(1, |count| count.get()).min(MOST_AT_ONCE);
    let next = AtomicUsize::new(0);
    let outcomes: Vec<OnceLock<Outcome>> = tasks.iter().map(|_| OnceLock::new()).collect();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(at) else { break };
                    outcomes[at].get_or_init(|| attempt(task, programs));
                }
            });
        }
    });
    outcomes.into_iter().map(|outcome| outcome.into_inner().unwrap_or_default()).collect()
}

fn attempt(task: &Task, programs: &Programs) -> Outcome {
    let Some(godot) = programs.meet(task.needs) else {
        let missing = match (&programs.godot, task.needs) {
            (None, _) => "no Godot",
            (_, Needs::NoScreen) => "there is a screen",
            _ => "no screen",
        };
        eprintln!("NOTICE: {} skipped: {missing} (cargo xtask godot --gui has both)", task.name);
        return Outcome { verdict: Verdict::Skipped(missing), ..Outcome::default() };
    };
    let mut outcome = Outcome::default();
    let started = Instant::now();
    if let Err(error) = perform(task, programs, godot, &mut outcome) {
        outcome.verdict = Verdict::Wrong(format!("{error:#}"));
    }
    outcome.seconds = started.elapsed().as_secs_f64();
    outcome
}

fn perform(
    task: &Task,
    programs: &Programs,
    godot: Option<&Path>,
    outcome: &mut Outcome,
) -> Result<()> {
    let files = task.project.make(task.name)?;
    let asks_godot = godot.is_some() || matches!(task.check, Check::Judged(..));
    if let Some(imported) = programs.imported.as_ref().filter(|_| asks_godot) {
        projects::copy(&imported.root().join(".godot"), &files.root().join(".godot"))?;
    }
    let untouched = files.all()?;
    not_yet(task, &files)?;
    let home = paths::target().join("tmp").join("agent-homes").join(task.name);
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let mut agent = Agent::start(&programs.scenewright, files.root(), &home, godot)?;
    agent.is_older = programs.is_older;
    outcome.list_bytes = agent.list_bytes;
    let result = take_steps(&mut agent, task, programs, (&files, &untouched), outcome);
    agent.end();
    result
}

fn take_steps(
    agent: &mut Agent,
    task: &Task,
    programs: &Programs,
    (files, untouched): (&Files, &BTreeMap<String, Vec<u8>>),
    outcome: &mut Outcome,
) -> Result<()> {
    let mut answers = Vec::new();
    for (number, step) in (1..).zip((task.steps)()) {
        let pages = take_step(agent, &step, &Done { files, answers: &answers });
        outcome.cost = agent.cost;
        let pages = pages.with_context(|| format!("step {number}, {}", step.tool))?;
        let is_refused = pages.last().is_none_or(|page| page.is_error);
        if is_refused != (step.expects == Expects::Refusal) {
            let said = pages.last().map_or("", |page| &page.text).replace('\n', " | ");
            let tool = step.tool;
            outcome.verdict = Verdict::Refused(format!("step {number}, {tool}, said: {said}"));
            return Ok(());
        }
        answers.push(pages);
    }
    let done = Done { files, answers: &answers };
    outcome.not_named = not_named(&(task.steps)(), agent, &done);
    judge(&task.check, &done, programs.godot.as_deref())?;
    if let Check::Told(_) = task.check {
        ensure!(files.all()? == *untouched, "a file of the project changed");
    }
    Ok(())
}

fn take_step(agent: &mut Agent, step: &Step, done: &Done<'_>) -> Result<Vec<Answer>> {
    let mut arguments = match &step.arguments {
        Arguments::Given(arguments) => arguments.clone(),
        Arguments::Made(make) => make(done)?,
    };
    let mut pages = Vec::new();
    loop {
        let page = agent.call(step.tool, &arguments, step.way)?;
        let cursor = page.data.get("nextCursor").cloned().unwrap_or(Value::Null);
        pages.push(page);
        if cursor.is_null() || step.expects != Expects::AllPages {
            return Ok(pages);
        }
        ensure!(pages.len() < MOST_PAGES, "more than {MOST_PAGES} pages");
        arguments["cursor"] = cursor;
    }
}

/// What of the tools that a task uses an agent had to know of otherwise.
fn not_named(steps: &[Step], agent: &Agent, done: &Done<'_>) -> Vec<String> {
    let searches = (0..).zip(steps).filter(|(_, step)| step.tool == "tools_search");
    let tools = |at: usize| done.data(at)["tools"].as_array().into_iter().flatten();
    let named: Vec<&str> =
        searches.flat_map(|(at, _)| tools(at).filter_map(|tool| tool["name"].as_str())).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let mut used: Vec<&str> = steps.iter().map(|step| step.tool).collect();
    for step in steps {
        let Arguments::Given(arguments) = &step.arguments else { continue };
        let inner = arguments["steps"].as_array().into_iter().flatten();
        used.extend(inner.filter_map(|inner| inner["tool"].as_str()));
    }
    used.sort_unstable();
    used.dedup();
    let told =
        |tool: &str| done.answers.iter().flatten().any(|it| it.is_error && it.text.contains(tool));
    used.retain(|tool| !named.contains(tool) && !agent.knows(tool) && !told(tool));
    used.into_iter().map(str::to_owned).collect()
}

fn judge(check: &Check, done: &Done<'_>, godot: Option<&Path>) -> Result<()> {
    match check {
        Check::Changed(changed) => changed(done.files),
        Check::Told(told) => told(done),
        Check::ChangedAndTold(changed, told) => changed(done.files).and_then(|()| told(done)),
        Check::Judged(changed, judged) => {
            changed(done.files)?;
            // Without an engine, for which there was a notice, the files have to do.
            godot.map_or(Ok(()), |godot| judged(done.files, godot))
        }
    }
}

/// The control of every check: of a project as it was, and of no answers, it must say no.
fn not_yet(task: &Task, files: &Files) -> Result<()> {
    let nothing = Done { files, answers: &[] };
    let (changed, told) = match task.check {
        Check::Changed(changed) | Check::Judged(changed, _) => (Some(changed), None),
        Check::Told(told) => (None, Some(told)),
        Check::ChangedAndTold(changed, told) => (Some(changed), Some(told)),
    };
    let passes = changed.is_some_and(|changed| changed(files).is_ok())
        || told.is_some_and(|told| told(&nothing).is_ok());
    ensure!(!passes, "its check passes before anything was done");
    Ok(())
}

fn fail_where_wrong(tasks: &[Task], outcomes: &[Outcome]) -> Result<()> {
    let wrong = tasks.iter().zip(outcomes).filter_map(|(task, outcome)| match &outcome.verdict {
        Verdict::Wrong(why) | Verdict::Refused(why) => {
            Some(format!("{} ({}): {why}", task.name, task.words))
        }
        Verdict::Right | Verdict::Skipped(_) => None,
    });
    let wrong: Vec<String> = wrong.collect();
    ensure!(wrong.is_empty(), "{} tasks were not done right:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_check_passes_before_its_task_was_done() {
        for task in tasks() {
            task.project.prepare().expect("it can be made");
            let name = format!("untouched-{}", task.name);
            let files = task.project.make(&name).expect("its project can be made");
            not_yet(&task, &files).expect(task.name);
            fs::remove_dir_all(files.root()).expect("it is ours");
        }
    }

    #[test]
    fn a_check_that_always_passes_is_found_out() {
        let mut task = tasks().swap_remove(0);
        task.check = Check::Changed(|_| Ok(()));
        let files = task.project.make("always-passes").expect("its project can be made");
        assert!(not_yet(&task, &files).is_err());
    }

    #[test]
    fn there_are_enough_tasks_of_different_names() {
        let tasks = tasks();
        let mut names: Vec<_> = tasks.iter().map(|task| task.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), tasks.len());
        assert!(tasks.len() >= 40, "{}", tasks.len());
    }
}
