//! `cargo xtask faults`: kills, full disks, foreign saves, broken files, rude clients and hostile repositories,
//! against the real program. Nothing may be mixed, lost, let out, left behind or kept waiting.

mod client;
mod dash_paths;
mod environment;
mod examples;
mod foreign;
mod full_disk;
mod git;
mod half_open;
mod hostile;
mod killed_merges;
mod kills;
mod mixed_load;
mod mutated;
mod mutated_calls;
mod orphans;
mod places;
mod planted;
mod power_cut;
mod race;
mod report;
mod stall;
mod strangers;
mod ways_out;
mod writers;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::random::Random;
use crate::{binary, paths};
use report::{Report, Tally};

const USAGE: &str = "usage: cargo xtask faults [--full] [--only KIND] [--seed N] [--tries N]";

/// A kind of fault, and what tries it.
type Kind = (&'static str, fn(&Ground, &mut Report) -> Result<()>);

const KINDS: [Kind; 18] = [
    ("kills", kills::run),
    ("full-disk", full_disk::run),
    ("foreign-saves", foreign::run),
    ("mutated-files", mutated::run),
    ("mutated-calls", mutated_calls::run),
    ("paths", ways_out::run),
    ("stall", stall::run),
    ("half-open", half_open::run),
    ("strangers", strangers::run),
    ("writers", writers::run),
    ("mixed-load", mixed_load::run),
    ("power-cut", power_cut::run),
    ("hostile-repository", hostile::run),
    ("dash-paths", dash_paths::run),
    ("killed-merges", killed_merges::run),
    ("path-race", race::run),
    ("planted-records", planted::run),
    ("orphaned-children", orphans::run),
];

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    // Of its own, so that two runs do not meet.
    let scratch = paths::target().join("tmp").join(format!("faults-{}", std::process::id()));
    places::empty(&scratch)?;
    let ground = Ground { binary: binary::tested()?, scratch, options };
    let mut report = Report::default();
    for (name, kind) in KINDS {
        if ground.options.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let started = Instant::now();
        if let Err(error) = kind(&ground, &mut report) {
            // The other kinds have something to say all the same.
            report.add(name, Tally::failed(format!("{error:#}")));
        }
        eprintln!("{name}: {:.1} s", started.elapsed().as_secs_f64());
    }
    println!("{}", report.table());
    let _ = fs::remove_dir_all(&ground.scratch);
    let cases = report.cases();
    let again = format!("`--seed {}` tries the same again", ground.options.seed);
    ensure!(cases.is_empty(), "{}\n{again}", cases.join("\n"));
    Ok(())
}

struct Options {
    full: bool,
    only: Option<String>,
    seed: u64,
    tries: Option<usize>,
}

fn parse(mut args: &[&str]) -> Result<Options> {
    let mut parsed = Options { full: false, only: None, seed: 1, tries: None };
    while let [option, rest @ ..] = args {
        args = rest;
        if *option == "--full" {
            parsed.full = true;
            continue;
        }
        let [value, rest @ ..] = args else { bail!(USAGE) };
        args = rest;
        match *option {
            "--only" => {
                let names = KINDS.map(|(name, _)| name);
                ensure!(names.contains(value), "--only takes one of {}", names.join(", "));
                parsed.only = Some((*value).to_owned());
            }
            "--seed" => parsed.seed = value.parse().context("--seed takes a number")?,
            "--tries" => parsed.tries = Some(value.parse().context("--tries takes a number")?),
            _ => bail!(USAGE),
        }
    }
    Ok(parsed)
}

/// What every kind stands on: the program, a place to work in, and how much of it.
struct Ground {
    binary: PathBuf,
    scratch: PathBuf,
    options: Options,
}

impl Ground {
    /// How often to try: what was asked for, or what the form has.
    fn tries(&self, short: usize, full: usize) -> usize {
        self.options.tries.unwrap_or(if self.options.full { full } else { short })
    }

    /// An empty folder of a kind.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.scratch.join(name);
        places::empty(&folder)?;
        Ok(folder)
    }

    /// The random numbers of one step of a kind: the same whatever the other steps took.
    fn random(&self, kind: &str, step: usize) -> Random {
        Random::new(self.options.seed, kind, step)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_options() {
        let options = parse(&["--full", "--only", "kills", "--seed", "7"]).expect("they are good");
        assert_eq!((options.full, options.only.as_deref(), options.seed), (true, Some("kills"), 7));
        assert!(parse(&["--only", "floods"]).is_err());
        assert!(parse(&["--seed"]).is_err());
    }
}
