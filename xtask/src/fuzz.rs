//! `cargo xtask fuzz`: every target of `fuzz/` on the stable compiler, each for some seconds, from
//! seeds that are in the repository. What a target asserts is said in its own file.

mod literals;
mod seeds;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{install, paths, process};

const BUILD_LIMIT: Duration = Duration::from_secs(3600);
/// An input that takes longer is a crash. A build machine may be busy, so this is much.
const INPUT_SECONDS: u32 = 20;
/// A target that needs more memory crashes.
const MEMORY_MB: u32 = 2048;
/// Longer inputs find little that short ones do not, and are slow.
const MAX_INPUT: usize = 16 * 1024;
/// The gate tries the same inputs each time, so that it does not fail by luck on a change that has
/// nothing to do with it; 0 lets libFuzzer choose, which is how new faults are looked for.
const GATE_SEED: u32 = 1;
/// A crashing input of so many bytes is printed, not only kept.
const MAX_SHOWN: usize = 512;
/// Names the target that the program runs.
const TARGET: &str = "SCENEWRIGHT_FUZZ_TARGET";

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let (mut seconds, mut only, mut seed) = (5, None, GATE_SEED);
    let mut rest = args;
    while let [option, value, more @ ..] = rest {
        match *option {
            "--seconds" => seconds = value.parse().context("--seconds takes a whole number")?,
            "--only" => only = Some(*value),
            "--seed" => seed = value.parse().context("--seed takes a whole number")?,
            _ => break,
        }
        rest = more;
    }
    if !rest.is_empty() {
        bail!("usage: cargo xtask fuzz [--seconds S] [--only TARGET] [--seed N]");
    }
    let all = targets()?;
    let chosen: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|name| only.is_none_or(|only| only == *name))
        .collect();
    if chosen.is_empty() {
        bail!("no such target; there are {}", all.join(", "));
    }
    if !cfg!(unix) {
        eprintln!("NOTICE: fuzz skipped: libFuzzer is built here only on Unix");
        return Ok(());
    }
    if install::or_notice("fuzz", install::compiler_of_cpp())?.is_none() {
        return Ok(());
    }
    let binary = build()?;
    let failed = run_all(&binary, &chosen, Effort { seconds, seed })?;
    if failed > 0 {
        bail!("{failed} of {} fuzz targets failed", chosen.len());
    }
    Ok(())
}

/// The targets are the files of their folder.
fn targets() -> Result<Vec<String>> {
    let folder = paths::root().join("fuzz/src/targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

fn folder() -> PathBuf {
    paths::target().join("fuzz")
}

/// Build beside everything else. Neither cargo-fuzz nor a nightly compiler is needed: the wrapper
/// passes the flags for coverage that cargo-fuzz would, and only to our own crates, so that the
/// others are those of the tests.
pub(crate) fn build() -> Result<PathBuf> {
    let mut cargo = process::cargo();
    // The dependencies of the whole workspace, which are compiled already.
    cargo.args(["build", "--workspace", "--bin", "scenewright-fuzz"]);
    cargo.args(["--features", "scenewright-fuzz/libfuzzer"]);
    let wrapper = paths::asset("fuzz_rustc.sh");
    process::run(cargo.env("RUSTC_WORKSPACE_WRAPPER", wrapper), BUILD_LIMIT)?;
    Ok(paths::target().join("debug/scenewright-fuzz"))
}

/// How long each target is tried, and from which place of libFuzzer's dice.
#[derive(Clone, Copy)]
struct Effort {
    seconds: u32,
    seed: u32,
}

/// As many at a time as there are cores; how many failed.
fn run_all(binary: &Path, targets: &[&str], effort: Effort) -> Result<usize> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let mut failed = 0;
    for some in targets.chunks(at_once) {
        let outcomes: Vec<Result<String>> = std::thread::scope(|scope| {
            let run = |name| scope.spawn(move || run_one(binary, name, effort));
            let running: Vec<_> = some.iter().map(|name| run(*name)).collect();
            running.into_iter().map(|run| run.join().expect("a run does not panic")).collect()
        });
        for (name, outcome) in some.iter().zip(outcomes) {
            match outcome {
                Ok(summary) => println!("{name}: {summary}"),
                Err(error) => {
                    println!("{name}: FAILED: {error:#}");
                    failed += 1;
                }
            }
        }
    }
    Ok(failed)
}

fn run_one(binary: &Path, name: &str, Effort { seconds, seed }: Effort) -> Result<String> {
    let seeds = fresh(&folder().join("seeds").join(name))?;
    let count = seeds::write(name, &seeds, MAX_INPUT)?;
    // What was found interesting before is tried again.
    let corpus = folder().join("corpus").join(name);
    fs::create_dir_all(&corpus)?;
    let crashes = fresh(&folder().join("crashes").join(name))?;
    let scratch = fresh(&folder().join("tmp").join(name))?;
    let mut command = Command::new(binary);
    command.env(TARGET, name);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-seed={seed}"));
    command.arg(format!("-timeout={INPUT_SECONDS}"));
    command.arg(format!("-rss_limit_mb={MEMORY_MB}"));
    command.arg(format!("-max_len={MAX_INPUT}"));
    let mut prefix = OsString::from("-artifact_prefix=");
    prefix.push(&crashes);
    prefix.push("/");
    command.args(["-print_final_stats=1", "-reload=0"]).arg(prefix);
    command.args([&corpus, &seeds]).env("TMPDIR", &scratch).current_dir(&scratch);
    let limit = Duration::from_secs(u64::from(seconds + 4 * INPUT_SECONDS));
    let said = process::capture(&mut command, limit)?;
    fs::remove_dir_all(&scratch)?;
    let runs =
        said.stderr.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    match (said.status.success(), runs) {
        (true, Some(runs)) => Ok(format!("{} inputs from {count} seeds", runs.trim())),
        _ => bail!("{}\n{}", reason(&said), crash(binary, name, &crashes)),
    }
}

/// What the target said of the crash: the panic, or else libFuzzer's last lines.
fn reason(said: &process::Captured) -> String {
    let lines: Vec<&str> = said.stderr.lines().collect();
    match lines.iter().position(|line| line.contains("panicked at")) {
        Some(at) => lines[at..lines.len().min(at + 12)].join("\n"),
        None => said.tail(),
    }
}

/// The input that crashed, and how to see it again.
fn crash(binary: &Path, name: &str, crashes: &Path) -> String {
    let first = fs::read_dir(crashes).ok().and_then(|mut entries| entries.next()?.ok());
    let Some(input) = first.map(|entry| entry.path()) else {
        return "it left no input".to_owned();
    };
    let bytes = fs::read(&input).unwrap_or_default();
    let shown = match bytes.len() {
        0..=MAX_SHOWN => format!("b\"{}\"", bytes.escape_ascii()),
        more => format!("{more} bytes"),
    };
    format!("input: {shown}\nrepeat: {TARGET}={name} {} {}", binary.display(), input.display())
}

fn fresh(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds() {
        for name in targets().expect("the folder is there") {
            let folder = fresh(
                &std::env::temp_dir()
                    .join(format!("scenewright-seeds-{}-{name}", std::process::id())),
            )
            .expect("a temporary folder");
            let count = seeds::write(&name, &folder, MAX_INPUT).expect("the seeds are written");
            assert!(count > 0, "{name}");
            assert_eq!(fs::read_dir(&folder).expect("it is there").count(), count);
            fs::remove_dir_all(&folder).expect("it is ours");
        }
    }
}
