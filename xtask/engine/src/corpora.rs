//! Random edits of real projects, judged by the engine: `cargo xtask engine --corpora DIR`.
//!
//! Every edit starts from the project as it is and is taken back by the tool that undoes. What the
//! engine makes of the changed files is compared with what it made of them before, and must differ
//! in what was asked for and in nothing else. One engine sees many edits; where it disagrees, a fresh
//! one is asked again, so that nothing is held against a tool that a cache did.

mod expect;
mod findings;
mod ground;
mod survey;
mod table;
mod trial;
mod values;
mod wish;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use xtask::paths;
use xtask::random::Random;

use crate::cases::Programs;
use crate::judge::Engine;
use ground::Ground;
use survey::{Answer, Visit, survey};
use table::Table;
use trial::Outcome;
use wish::Source;

/// Where nothing else is said.
const EDITS: usize = 2000;

/// What the command line says.
pub(crate) struct Options<'a> {
    pub(crate) dir: &'a Path,
    edits: usize,
    seed: u64,
    /// Only projects with this in their name.
    only: &'a str,
}

impl<'a> Options<'a> {
    pub(crate) fn parse(dir: &'a str, rest: &[&'a str]) -> Result<Options<'a>> {
        let mut options = Options { dir: Path::new(dir), edits: EDITS, seed: 1, only: "" };
        let mut rest = rest;
        while let [option, value, more @ ..] = rest {
            match *option {
                "--edits" => options.edits = value.parse().context("--edits takes a number")?,
                "--seed" => options.seed = value.parse().context("--seed takes a number")?,
                "--project" => options.only = value,
                _ => bail!(crate::USAGE),
            }
            rest = more;
        }
        ensure!(rest.is_empty(), crate::USAGE);
        Ok(options)
    }
}

/// Judge edits of every project in a folder, and what `check` says of them.
pub(crate) fn run(options: &Options<'_>, engine: &Engine, programs: &Programs) -> Result<()> {
    let dir = options.dir.canonicalize().with_context(|| options.dir.display().to_string())?;
    let folder = paths::target().join("tmp").join("corpora");
    let projects = ground::projects(&dir)?;
    let is_asked = |project: &&std::path::PathBuf| project.to_string_lossy().contains(options.only);
    let projects: Vec<_> = projects.iter().filter(is_asked).collect();
    ensure!(!projects.is_empty(), "{} has no project of Godot 4", dir.display());
    let mut table = Table::default();
    let mut yard = Vec::new();
    for project in projects {
        let ground = Ground::prepare(engine, &dir, project, &folder)?;
        let weight = ground.files(&[".tscn"]).len();
        yard.push((ground, weight));
    }
    let total: usize = yard.iter().map(|(_, weight)| weight).sum();
    let mut left = options.edits;
    let mut behind = total;
    for (ground, weight) in &yard {
        // What rounds off here is left for those that follow.
        let count = (left * weight).checked_div(behind).unwrap_or_default();
        (left, behind) = (left - count, behind - weight);
        let judged = judge(ground, count, options.seed, engine, programs, &mut table);
        if let Err(error) = judged {
            table.broken.push(format!("{}: {error:#}", ground.name));
        }
        ground.copy.remove();
    }
    table.print(options.seed);
    ensure!(table.false_successes() == 0, "{} false successes", table.false_successes());
    ensure!(table.broken.is_empty(), "{} projects were not judged", table.broken.len());
    Ok(())
}

fn judge(
    ground: &Ground,
    count: usize,
    seed: u64,
    engine: &Engine,
    programs: &Programs,
    table: &mut Table,
) -> Result<()> {
    let before = first_look(ground, engine)?;
    table.add_findings(&ground.name, findings::judge(ground, &before, engine, programs)?);
    let loads = |path: &&String| path.ends_with(".tscn") && before.scenes[*path].loads;
    let scenes: Vec<&String> = before.scenes.keys().filter(loads).collect();
    println!("{}: {} scenes load, {count} edits", ground.name, scenes.len());
    if !table.is_judge_checked {
        table.is_judge_checked = check_judge(ground, engine, &before, &scenes)?;
    }
    let source = Source { ground, before: &before, scenes };
    let wishes = (0..count).filter_map(|step| {
        let wish = wish::make(&source, &mut Random::new(seed, &ground.name, step))?;
        Some((step, wish))
    });
    let trials = trial::run(ground, programs, wishes.collect())?;
    for (step, trial, outcome) in trial::judge(ground, engine, &before, trials)? {
        table.add(&ground.name, step, &trial, outcome);
    }
    Ok(())
}

/// A judge that finds nothing is no judge: a scene that was broken on purpose has to be noticed.
/// Whether there was one to break.
fn check_judge(
    ground: &Ground,
    engine: &Engine,
    before: &Answer,
    scenes: &[&String],
) -> Result<bool> {
    let child = |scene: &&&String| {
        let own = before.scenes[**scene].state.iter();
        own.map(|section| section.path.clone()).find(|path| path != "." && !path.contains('/'))
    };
    let Some((scene, node)) = scenes.iter().find_map(|scene| Some((scene, child(&scene)?))) else {
        return Ok(false);
    };
    let broken = trial::broken(ground, scene, &node)?;
    let judged = trial::judge(ground, engine, before, vec![(0, broken)])?;
    let is_noticed = judged.iter().all(|(_, _, it)| matches!(it, Outcome::FalseSuccess(_)));
    ensure!(is_noticed, "the judge does not notice that {node} of {scene} is broken");
    Ok(true)
}

/// The project as it is.
fn first_look(ground: &Ground, engine: &Engine) -> Result<Answer> {
    let scenes = ground.files(&[".tscn", ".tres"]).into_iter().map(|path| format!("res://{path}"));
    let scripts = ground.files(&[".gd"]).iter().map(|path| format!("res://{path}")).collect();
    // Scripts come first: what is wrong with them is said once.
    let visits = [
        Visit { number: 0, facts: Some(scripts), ..Visit::default() },
        Visit { number: 1, scenes: scenes.collect(), ..Visit::default() },
    ];
    let mut answers = survey(engine, &ground.copy, &visits)?;
    let facts = answers.remove(&0).unwrap_or_default();
    let mut seen = answers.remove(&1).context("the engine ends when it loads the project")?;
    (seen.classes, seen.scripts) = (facts.classes, facts.scripts);
    seen.complaints.extend(facts.complaints);
    Ok(seen)
}

/// What a tool answered, for a line of the report.
fn shortly(value: &Value) -> String {
    let text = value.to_string();
    text.chars().take(400).collect()
}
