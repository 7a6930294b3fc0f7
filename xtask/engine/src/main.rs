//! `cargo xtask engine`: a real Godot judges what the tools do.
//!
//! Every example of every Godot tool is run on a fresh copy of the sample, with that Godot at hand.
//! Where files came of it, the engine loads the project: it must not complain, must make the nodes
//! and connections that we read from the files, and must hold the values that stand in what was
//! changed.
//!
//! `cargo xtask remake` and `cargo xtask scripts` are here, too, for they stand on the same crates.
//! Edits of Unity's files, which no engine is at hand for, are judged by those files: [`edits`].

#![allow(clippy::disallowed_methods, reason = "tasks write under target/")]
#![allow(clippy::print_stdout, reason = "a task's report is its output; no protocol runs here")]

mod cases;
mod corpora;
mod edits;
mod judge;
mod live;
mod merges;
mod packages;
mod questions;
mod remake;
mod sandbox;
mod scripts;
mod session;

use std::collections::BTreeMap;
use std::fs;
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use xtask::{binary, godot, install, paths};

use cases::{Case, Left, Programs};
use corpora::Options;
use judge::{Engine, Judged, Visit};
use sandbox::{Changes, Sandbox, Scope};

const USAGE: &str = "usage: cargo xtask engine [--only TOOL|live]\n       cargo xtask engine --corpora DIR [--edits N] [--seed S] [--project NAME]\n       cargo xtask engine --merges N [--cases DIR]";

/// The checks of a project that is broken on purpose, for `--only`.
const LIVE: &str = "live";

fn main() -> ExitCode {
    xtask::ended(|args| run(args).map(|()| ExitCode::SUCCESS))
}

fn run(args: &[&str]) -> Result<()> {
    let (only, corpora) = match args {
        [] => ("", None),
        ["--only", tool] => (*tool, None),
        ["remake", "--corpora", dir, "--kind", kind, rest @ ..] if edits::knows(kind) => {
            return edits::run(dir, kind, rest);
        }
        ["remake", rest @ ..] => return remake::run(rest),
        ["scripts"] => return scripts::run(),
        ["packages", "--cache", dir] => return packages::run(dir),
        ["--merges", rest @ ..] => {
            let Some((count, cases)) = merges::parse(rest) else { bail!(USAGE) };
            let Some(godot) = install::or_notice("engine", godot::ensure())? else { return Ok(()) };
            return merges::run(&godot, count, cases.as_deref());
        }
        ["--corpora", dir, rest @ ..] => ("", Some(Options::parse(dir, rest)?)),
        _ => bail!(USAGE),
    };
    let Some(godot) = install::or_notice("engine", godot::ensure())? else { return Ok(()) };
    let programs = Programs {
        scenewright: binary::tested()?,
        with_screen: godot::with_screen(&godot),
        godot: godot.clone(),
    };
    if let Some(options) = corpora {
        return corpora::run(&options, &Engine::new(godot), &programs);
    }
    if only.is_empty() {
        merges::run(&godot, merges::FEW, None)?;
    }
    let cases = if only == LIVE { Vec::new() } else { cases::cases(only)? };
    let folder = paths::target().join("tmp").join("engine");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let bench = Bench {
        engine: Engine::new(godot),
        pristine: Sandbox::pristine(&folder.join("sample"))?,
        programs,
        folder,
    };
    bench.engine.import(&bench.pristine)?;
    let mut rows = bench.judge(&cases);
    if only.is_empty() || only == LIVE {
        rows.push(bench.judge_live());
    }
    report(&rows)
}

/// What all cases are judged with.
struct Bench {
    engine: Engine,
    programs: Programs,
    /// The sample as it is, imported.
    pristine: Sandbox,
    folder: PathBuf,
}

/// What became of an example: a line of the table.
struct Row {
    tool: &'static str,
    verdict: Verdict,
}

/// What was judged, or every complaint.
type Verdict = Result<String, Vec<String>>;

/// What an example left, and the copy of the sample that it was run in.
type Ran = Result<(Sandbox, Left)>;

impl Bench {
    fn judge(&self, cases: &[Case]) -> Vec<Row> {
        let ran = in_parallel(cases, |number, case| -> Ran {
            let copy = self.pristine.copy_to(&self.folder.join(format!("{number:03}")))?;
            let left = case.run(&self.programs, &copy, &self.pristine)?;
            Ok((copy, left))
        });
        let (sample, seen) = match self.judge_together(&ran) {
            Ok((sample, seen)) => (verdict(&sample, 0), seen),
            Err(error) => (Err(vec![format!("{error:#}")]), BTreeMap::new()),
        };
        let verdicts = in_parallel(&ran, |number, ran| self.judge_one(ran, seen.get(&number)));
        let mut rows = vec![Row { tool: "(the sample as it is)", verdict: sample }];
        let row = |(case, verdict): (&Case, _)| Row { tool: case.tool.id, verdict };
        rows.extend(cases.iter().zip(verdicts).map(row));
        rows
    }

    /// A debugger, scripts and scenes in a copy that is broken on purpose.
    fn judge_live(&self) -> Row {
        let copy = self.pristine.copy_to(&self.folder.join(LIVE));
        let judged = copy.and_then(|copy| live::judge(&self.programs, &copy));
        Row { tool: "(live)", verdict: judged.map_err(|error| vec![format!("{error:#}")]) }
    }

    /// One engine sees the sample as it is, and then every state that it can come to from there.
    fn judge_together(&self, ran: &[Ran]) -> Result<(Judged, BTreeMap<usize, Judged>)> {
        let stage = self.pristine.copy_to(&self.folder.join("stage"))?;
        let files = self.pristine.files(Scope::Everything)?;
        let mut visits = vec![Visit { state: &self.pristine, files, changes: None }];
        let mut numbers = Vec::new();
        for (number, ran) in ran.iter().enumerate() {
            let Ok((copy, Left::Files(changes))) = ran else { continue };
            if !changes.need_start() {
                let files = copy.files(Scope::Only(changes))?;
                visits.push(Visit { state: copy, files, changes: Some(changes) });
                numbers.push(number);
            }
        }
        let mut judged = self.engine.judge(&stage, &self.pristine, &visits)?.into_iter();
        let sample = judged.next().context("the sample was not judged")?;
        Ok((sample, numbers.into_iter().zip(judged).collect()))
    }

    /// What is to be said of an example; `seen` is what the engine said already.
    fn judge_one(&self, ran: &Ran, seen: Option<&Judged>) -> Verdict {
        let failed = |error: &anyhow::Error| vec![format!("{error:#}")];
        let (copy, left) = ran.as_ref().map_err(failed)?;
        let verdict = match (left, seen) {
            (Left::Nothing(reason), _) => Ok(reason.clone()),
            (Left::Project(root), _) => {
                let complaints = self.engine.open(copy, root).map_err(|error| failed(&error))?;
                let opens = "the engine opens the new project".to_owned();
                if complaints.is_empty() { Ok(opens) } else { Err(complaints) }
            }
            (Left::Files(changes), Some(seen @ Judged::Seen { .. })) => {
                verdict(seen, changes.len())
            }
            (Left::Files(changes), _) => {
                let judged = self.judge_alone(copy, changes).map_err(|error| failed(&error))?;
                verdict(&judged, changes.len())
            }
        };
        // What failed stays for a look at it.
        if verdict.is_ok() {
            copy.remove();
        }
        verdict
    }

    /// A state that an engine has to be started in.
    fn judge_alone(&self, copy: &Sandbox, changes: &Changes) -> Result<Judged> {
        if changes.need_import() {
            self.engine.import(copy)?;
        }
        let files = copy.files(Scope::Only(changes))?;
        let visit = Visit { state: copy, files, changes: None };
        let judged = self.engine.judge(copy, &self.pristine, &[visit])?;
        judged.into_iter().next().context("it was not judged")
    }
}

fn verdict(judged: &Judged, files: usize) -> Verdict {
    match judged {
        Judged::Stale => Err(vec!["the engine holds an older file".to_owned()]),
        Judged::Seen { complaints, .. } if !complaints.is_empty() => Err(complaints.clone()),
        Judged::Seen { scenes, values, .. } => {
            Ok(format!("{files} files changed; {scenes} scenes and {values} values agree"))
        }
    }
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
    for Row { tool, verdict } in rows {
        match verdict {
            Ok(judged) => println!("{tool:width$}  ok: {judged}"),
            Err(_) => println!("{tool:width$}  FAILED"),
        }
    }
    let mut failed = 0;
    for Row { tool, verdict } in rows {
        if let Err(complaints) = verdict {
            println!("\n{tool}\n  {}", complaints.join("\n").replace('\n', "\n  "));
            failed += 1;
        }
    }
    println!("\n{} judged, {failed} failed", rows.len());
    ensure!(failed == 0, "the engine disagrees with {failed} of {}", rows.len());
    Ok(())
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
}
