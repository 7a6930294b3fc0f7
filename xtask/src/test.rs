//! `cargo xtask test`: everything a change must pass, to the end, with one closing count.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{binary, conformance, engine, faults, fuzz, house, load, process};

/// Of one call of cargo.
const LIMIT: Duration = Duration::from_secs(3600);

type Step = (&'static str, fn() -> Result<()>);

const STEPS: [Step; 11] = [
    ("fmt", || cargo(&["fmt", "--all", "--check"])),
    ("house", house::run),
    ("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    ("docs", docs),
    ("tests", || cargo(&["test", "--workspace"])),
    ("fuzz", || fuzz::run(&[])),
    ("release build", binary::build_release),
    ("conformance", || conformance::run(&[])),
    ("load", || load::run(&["explorer", "--seconds", "20"])),
    ("faults", || faults::run(&[])),
    ("engine", || engine(&[])),
];

/// The count is the last line, also when something failed; the exit code says the rest.
pub(crate) fn run() -> ExitCode {
    let failed = STEPS.into_iter().filter(|(name, step)| !run_step(name, *step)).count();
    println!("\n{} passed, {failed} failed", STEPS.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_step(name: &str, step: fn() -> Result<()>) -> bool {
    println!("\n== {name}");
    let started = Instant::now();
    let outcome = step();
    let seconds = started.elapsed().as_secs_f64();
    match &outcome {
        Ok(()) => println!("== {name}: passed in {seconds:.1} s"),
        Err(error) => println!("== {name}: FAILED in {seconds:.1} s: {error:#}"),
    }
    outcome.is_ok()
}

/// The documentation of every crate: a link that leads nowhere is an error.
fn docs() -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut cargo, LIMIT)
}

fn cargo(args: &[&str]) -> Result<()> {
    process::run(process::cargo().args(args), LIMIT)
}
