//! `cargo xtask test`: everything a change must pass, to the end, with one closing count.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{
    bench, binary, book, conformance, dist, engine, faults, fuzz, house, live, load, process,
};

/// Of one call of cargo.
const LIMIT: Duration = Duration::from_secs(3600);

/// Lines of a failure that are repeated at the end.
const MOST_TOLD: usize = 200;

/// One failing crate does not hide what the others would have said.
const TESTS: [&str; 3] = ["test", "--workspace", "--no-fail-fast"];

type Step = (&'static str, fn() -> Result<()>);

const STEPS: [Step; 16] = [
    ("fmt", || cargo(&["fmt", "--all", "--check"])),
    ("house", house::run),
    ("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    ("docs", docs),
    ("book", book::run),
    ("tests", || process::run_told(process::cargo().args(TESTS), LIMIT, &failed_tests)),
    ("fuzz", || fuzz::run(&[])),
    ("release build", binary::build_release),
    ("dist", || dist::run(&["--try"])),
    ("conformance", || conformance::run(&[])),
    ("agent", || bench::agent::run(&[])),
    ("load", || load::run(&["explorer", "--seconds", "20"])),
    ("faults", || faults::run(&[])),
    ("scripts", || engine(&["scripts"])),
    ("engine", || engine(&[])),
    ("live", || live::run(&[])),
];

/// What failed is said once more at the end, where a log that was cut still has it.
///
/// The count is the last line, also when something failed; the exit code says the rest.
pub(crate) fn run() -> ExitCode {
    let failures: Vec<String> = STEPS.into_iter().filter_map(run_step).collect();
    for failure in &failures {
        println!("\n{failure}");
    }
    println!("\n{} passed, {} failed", STEPS.len() - failures.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What there is to say of a step that failed.
fn run_step((name, step): Step) -> Option<String> {
    println!("\n== {name}");
    let started = Instant::now();
    let outcome = step();
    let seconds = started.elapsed().as_secs_f64();
    let failure =
        outcome.err().map(|error| format!("== {name}: FAILED in {seconds:.1} s: {error:#}"));
    println!(
        "{}",
        failure.clone().unwrap_or_else(|| format!("== {name}: passed in {seconds:.1} s"))
    );
    failure
}

/// The parts of what `cargo test` printed that tell why a test failed.
fn failed_tests(printed: &str) -> String {
    let mut within = false;
    let telling = printed.lines().filter(|line| {
        within = (within || *line == "failures:") && !line.starts_with("test result: ");
        within && !line.is_empty()
    });
    telling.take(MOST_TOLD).collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests {
    #[test]
    fn of_a_test_run_the_failures_are_repeated() {
        let printed = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nwhy\n\nfailures:\n    b\n\n\
                       test result: FAILED. 1 passed\n\ntest c ... ok\n\ntest result: ok. 1 passed\n";
        assert_eq!(
            super::failed_tests(printed),
            "failures:\n---- b stdout ----\nwhy\nfailures:\n    b"
        );
    }
}
