//! `cargo xtask test`: everything a change must pass, to the end, with one closing count.
//!
//! Each step is a process of its own: what it printed stays together, what it cost is known, and steps that leave
//! cores idle run beside each other. The table of steps is in `steps.rs`, the order they start in is its order.

mod changed;
mod lanes;
mod step;
mod steps;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::bench::table::{Row, align, number};
use step::{Ended, Step};
use steps::STEPS;

const USAGE: &str = "usage: cargo xtask test [--timings] [--changed [REVISION]] [STEP]...";

/// What failed is said once more at the end, where a log that was cut still has it.
///
/// The count is the last line, also when something failed; the exit code says the rest.
pub(crate) fn run(args: &[&str]) -> Result<ExitCode> {
    if let ["--step", name] = args {
        return step::run_here(find(name)?);
    }
    let options = parse(args)?;
    let chosen = choose(&options)?;
    let started = Instant::now();
    let ended = lanes::run_all(&chosen)?;
    if options.timings {
        println!("\n{}", table(&ended, started.elapsed().as_secs_f64()));
    }
    let failures: Vec<&str> = ended.iter().filter_map(|ended| ended.failure.as_deref()).collect();
    for failure in &failures {
        println!("\n{failure}");
    }
    println!("\n{} passed, {} failed", ended.len() - failures.len(), failures.len());
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Debug, Default, PartialEq)]
struct Options<'a> {
    timings: bool,
    /// Only what a change since this revision can affect.
    changed: Option<&'a str>,
    steps: Vec<&'a str>,
}

fn parse<'a>(mut args: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options::default();
    while let [first, rest @ ..] = args {
        args = rest;
        match (*first, rest) {
            ("--timings", _) => options.timings = true,
            ("--changed", [revision, rest @ ..]) if is_revision(revision) => {
                (options.changed, args) = (Some(*revision), rest);
            }
            ("--changed", _) => options.changed = Some("main"),
            (name, _) => {
                ensure!(!name.starts_with('-'), "unknown option `{name}`\n{USAGE}");
                options.steps.push(find(name)?.name);
            }
        }
    }
    Ok(options)
}

/// Whatever stands behind `--changed` and is neither an option nor a step.
fn is_revision(word: &str) -> bool {
    !word.starts_with('-') && find(word).is_err()
}

fn find(name: &str) -> Result<&'static Step> {
    let step = STEPS.iter().find(|step| step.name == name);
    let names = || STEPS.map(|step| step.name).join(", ");
    step.ok_or_else(|| anyhow::anyhow!("there is no step `{name}`; the steps are {}", names()))
}

/// The steps to run, in the order of the table.
fn choose(options: &Options<'_>) -> Result<Vec<&'static Step>> {
    let affected = options.changed.map(changed::steps_since).transpose()?;
    let is_chosen = |step: &&Step| {
        let is_named = options.steps.is_empty() || options.steps.contains(&step.name);
        is_named && affected.as_ref().is_none_or(|names| names.contains(&step.name))
    };
    let chosen: Vec<_> = STEPS.iter().filter(is_chosen).collect();
    if let Some(revision) = options.changed {
        let names: Vec<_> = chosen.iter().map(|step| step.name).collect();
        println!("What changed since {revision} can affect: {}", names.join(", "));
    }
    Ok(chosen)
}

/// What each step took and compiled.
fn table(ended: &[Ended], wall: f64) -> String {
    let head = ["step", "wall s", "CPU s", "compiled, ours", "compiled, others"].map(str::to_owned);
    let row = |ended: &Ended| -> Row {
        let (ours, others) = ended.compiled;
        let seconds = |seconds| number(seconds, 1);
        let count = |count: usize| number(Some(count as f64), 0);
        let (wall, cpu) = (seconds(Some(ended.wall)), seconds(ended.cpu));
        [ended.name.to_owned(), wall, cpu, count(ours), count(others)]
    };
    let cpu: Option<f64> = ended.iter().map(|ended| ended.cpu).sum();
    let sum = |of: fn(&Ended) -> usize| ended.iter().map(of).sum();
    let compiled = (sum(|ended| ended.compiled.0), sum(|ended| ended.compiled.1));
    let total = Ended { name: "all", wall, cpu, compiled, failure: None };
    let rows = ended.iter().chain([&total]).map(row);
    align(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options() {
        let options = parse(&["--timings", "--changed", "house", "fmt"]).unwrap();
        assert_eq!((options.timings, options.changed), (true, Some("main")));
        assert_eq!(options.steps, ["house", "fmt"]);
        assert_eq!(parse(&["--changed", "HEAD~3"]).unwrap().changed, Some("HEAD~3"));
        assert!(parse(&["--fast"]).is_err());
        let error = parse(&["lint"]).unwrap_err().to_string();
        assert!(
            error.starts_with("there is no step `lint`; the steps are components, "),
            "{error}"
        );
    }
}
