//! The steps of the run, in the order they start in.
//!
//! What cargo builds is linted by the same compiler run: `clippy-driver` is a compiler, and takes the place of `rustc`
//! for our crates. All that follows uses what the step `build` left, the program under test included.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::step::{Room, Step};
use crate::{
    bench, book, clients, conformance, dist, engine, faults, fuzz, house, install, live, load,
    paths, process,
};

/// Of one call of cargo.
const LIMIT: Duration = Duration::from_secs(3600);
/// Lines of a failure that are repeated at the end.
const MOST_TOLD: usize = 200;
/// The crates whose documentation people read; that of the others is checked where it is changed.
const DOCUMENTED: [&str; 3] = ["scenewright-contract", "scenewright-text", "scenewright-toolkit"];

/// What the program is made of.
const PROGRAM: &[&str] = &["crates/", "bridges/", "samples/", "Cargo.toml", "Cargo.lock"];
const TASKS: &[&str] = &["xtask/"];
/// The pages, and what they show.
const PAGES: &[&str] =
    &["docs/", "README.md", "CHANGELOG.md", "llms.txt", "AGENTS.md", "SECURITY.md"];
/// What a release is made of beside the program.
const RELEASE: &[&str] = &[
    "action.yml",
    "ci/",
    "pyproject.toml",
    ".pre-commit-hooks.yaml",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
const LINTS: &[&str] = &["clippy.toml", "rustfmt.toml", ".cargo/"];
const FUZZ: &[&str] = &["fuzz/"];
const TABLES: &[&str] = &["crates/unity/", "crates/text/", "xtask/", "Cargo.toml", "Cargo.lock"];

pub(super) const STEPS: [Step; 17] = [
    step("components", Room::Aside, &[TASKS], install::all),
    step("fmt", Room::Shared, &[PROGRAM, TASKS, FUZZ, LINTS], || {
        cargo(&["fmt", "--all", "--check"])
    }),
    step("house", Room::Shared, &[PROGRAM, TASKS, FUZZ, PAGES], house::run),
    step("build", Room::Whole, &[PROGRAM, TASKS, LINTS, PAGES], build),
    step("docs", Room::Whole, &[PROGRAM, LINTS], docs),
    step("tests", Room::Whole, &[PROGRAM, TASKS, PAGES, RELEASE], || {
        process::run_told(process::cargo().args(TESTS), LIMIT, &failed_tests)
    }),
    step("faults", Room::Whole, &[PROGRAM, TASKS], || faults::run(&[])),
    step("load", Room::Whole, &[PROGRAM, TASKS], || load::run(&["explorer", "--seconds", "20"])),
    step("fuzz", Room::Shared, &[PROGRAM, TASKS, FUZZ], || fuzz::run(&[])),
    step("live", Room::Shared, &[PROGRAM, TASKS], || live::run(&[])),
    step("engine", Room::Shared, &[PROGRAM, TASKS], || engine(&[])),
    step("conformance", Room::Shared, &[PROGRAM, TASKS], || conformance::run(&[])),
    step("clients", Room::Shared, &[PROGRAM, TASKS], || clients::run(&[])),
    step("agent", Room::Shared, &[PROGRAM, TASKS], || bench::agent::run(&[])),
    step("dist", Room::Shared, &[PROGRAM, TASKS, PAGES, RELEASE], || dist::run(&["--try"])),
    step("scripts", Room::Shared, &[TABLES], || engine(&["scripts"])),
    step("book", Room::Shared, &[PAGES, TASKS], book::run),
];

/// One failing crate does not hide what the others would have said.
const TESTS: [&str; 3] = ["test", "--workspace", "--no-fail-fast"];

const fn step(
    name: &'static str,
    room: Room,
    reads: &'static [&'static [&'static str]],
    run: fn() -> Result<()>,
) -> Step {
    Step { name, run, room, reads }
}

/// What the process of a step gets: our crates are linted while they are compiled, and what `build` left is used as it
/// is. Were it asked for alone, cargo would compile it once more, with the features that it needs alone.
pub(super) fn environment(command: &mut Command, has_built: bool) {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    if has_built {
        let built = |name: &str| {
            paths::target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
        };
        command.env("SCENEWRIGHT_BIN", built("scenewright"));
        command.env(crate::ENGINE_BIN, built("xtask-engine"));
    }
}

/// Compile everything that the other steps run, and lint what is ours.
fn build() -> Result<()> {
    install::quietly(Command::new("clippy-driver").arg("--version"))?;
    let build = |args: &[&str]| {
        process::run_heard(process::cargo().args(["build", "--keep-going"]).args(args), LIMIT)
    };
    let mut printed = build(&["--workspace", "--all-targets", "--exclude", "xtask"])?;
    // Without the program that runs this: it would be replaced, which not every system allows.
    printed += &build(&["--package", "xtask", "--lib", "--tests"])?;
    let warnings: Vec<&str> = warnings(&printed).take(MOST_TOLD).collect();
    ensure!(warnings.is_empty(), "there are warnings:\n{}", warnings.join("\n"));
    // Here and not in its own step: cargo lets nobody else build meanwhile.
    if install::or_notice("fuzz", install::compiler_of_cpp())?.is_some() && cfg!(unix) {
        fuzz::build()?;
    }
    Ok(())
}

/// What a compiler warned of, with the lines that show where. Cargo counts them once more, which is left out.
fn warnings(printed: &str) -> impl Iterator<Item = &str> {
    let mut within = false;
    printed.lines().filter(move |line| {
        let begins = line.starts_with("warning: ") && !line.contains(" generated ");
        within = begins || within && !line.trim().is_empty();
        within
    })
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

/// A link of the documentation that leads nowhere is an error.
fn docs() -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    for package in DOCUMENTED {
        cargo.args(["--package", package]);
    }
    process::run(&mut cargo, LIMIT)
}

fn cargo(args: &[&str]) -> Result<()> {
    process::run(process::cargo().args(args), LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_test_run_the_failures_are_repeated() {
        let printed = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nwhy\n\nfailures:\n    b\n\n\
                       test result: FAILED. 1 passed\n\ntest c ... ok\n\ntest result: ok. 1 passed\n";
        assert_eq!(failed_tests(printed), "failures:\n---- b stdout ----\nwhy\nfailures:\n    b");
    }

    #[test]
    fn warnings_are_found_in_what_cargo_prints() {
        let printed = "   Compiling a v0.1.0\nwarning: unused import\n --> a.rs:1\n\nwarning: `a` (lib) generated 1 warning\n\
                       \x20   Finished\n";
        let found: Vec<&str> = warnings(printed).collect();
        assert_eq!(found, ["warning: unused import", " --> a.rs:1"]);
        assert_eq!(warnings("   Compiling a v0.1.0\n    Finished\n").count(), 0);
    }

    #[test]
    fn every_folder_of_the_repository_is_read_by_a_step() {
        let folders = ["crates/", "xtask/", "fuzz/", "docs/", "samples/", "bridges/", "ci/"];
        for folder in folders {
            let reads = |step: &Step| step.reads.iter().any(|paths| paths.contains(&folder));
            assert!(STEPS.iter().any(reads), "{folder}");
        }
    }

    #[test]
    fn a_step_has_a_name_of_its_own() {
        let mut names = STEPS.map(|step| step.name);
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
    }
}
