//! The engine at work: what it makes of projects, and where that is not what we read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use xtask::{godot, paths, process};

use crate::questions::{self, Expected, Made, Questions};
use crate::sandbox::{Changes, Files, Sandbox};

const JUDGE_LIMIT: Duration = Duration::from_secs(240);
/// The first import starts a whole editor.
const IMPORT_LIMIT: Duration = Duration::from_secs(240);
/// More complaints about one project say nothing new.
const MAX_COMPLAINTS: usize = 20;
/// The line before what is said about a visit; `engine_judge.gd` prints it.
const VISIT: &str = "-- visit ";

pub(crate) struct Engine {
    path: PathBuf,
}

/// A state of the project that is to be judged.
pub(crate) struct Visit<'a> {
    /// The project in this state.
    pub(crate) state: &'a Sandbox,
    pub(crate) files: Files,
    /// What the running engine has to see changed to be in this state.
    pub(crate) changes: Option<&'a Changes>,
}

/// What came of a visit.
#[derive(Debug)]
pub(crate) enum Judged {
    /// The engine holds an older file and has to be started anew.
    Stale,
    Seen {
        scenes: usize,
        values: usize,
        complaints: Vec<String>,
    },
}

/// What `engine_judge.gd` reads about one visit.
#[derive(Serialize)]
struct Asked<'a> {
    /// Where changed files come from, and those that they replace.
    from: PathBuf,
    back: PathBuf,
    written: &'a [String],
    #[serde(flatten)]
    questions: &'a Questions,
}

/// What `engine_judge.gd` writes about one visit.
#[derive(Deserialize)]
struct Answers {
    #[serde(default)]
    stale: bool,
    scenes: BTreeMap<String, Made>,
    problems: Vec<String>,
}

impl Engine {
    pub(crate) fn new(path: PathBuf) -> Engine {
        Engine { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Let the editor fill its caches: imported assets, uids and class names.
    pub(crate) fn import(&self, sandbox: &Sandbox) -> Result<()> {
        // Errors are told again when the project is judged.
        self.open(sandbox, &sandbox.root()).map(drop)
    }

    /// What the editor complains about when it opens a project for the first time.
    pub(crate) fn open(&self, sandbox: &Sandbox, root: &Path) -> Result<Vec<String>> {
        let mut command = godot::headless(&self.path);
        command.arg("--path").arg(root).arg("--import");
        let said = process::capture(sandbox.at_home(&mut command), IMPORT_LIMIT)?;
        ensure!(said.status.success(), "the import fails: {}", said.tail());
        Ok(complaints(&format!("{}\n{}", said.stdout, said.stderr)))
    }

    /// What one engine on the project of `stage` says about each visit. Files that a visit changes
    /// are put into the stage, and those of `pristine` back after it.
    pub(crate) fn judge(
        &self,
        stage: &Sandbox,
        pristine: &Sandbox,
        visits: &[Visit<'_>],
    ) -> Result<Vec<Judged>> {
        let ask = |visit: &Visit<'_>| questions::ask(visit.state, &visit.files);
        let expected = visits.iter().map(ask).collect::<Result<Vec<Expected>>>()?;
        let asked = visits.iter().zip(&expected).map(|(visit, expected)| Asked {
            from: visit.state.root(),
            back: pristine.root(),
            written: visit.changes.map_or(&[], Changes::written),
            questions: &expected.questions,
        });
        let (questions, answers) = (stage.beside("questions.json"), stage.beside("answers.json"));
        fs::write(&questions, serde_json::to_vec(&asked.collect::<Vec<_>>())?)?;
        let mut command = godot::headless(&self.path);
        command.arg("--path").arg(stage.root());
        command.arg("--script").arg(paths::asset("engine_judge.gd"));
        command.arg("--").args([&questions, &answers]);
        let said = process::capture(stage.at_home(&mut command), JUDGE_LIMIT)?;
        let answers = fs::read(&answers)
            .with_context(|| format!("the engine gave no answer: {}", said.tail()))?;
        let answers: Vec<Answers> =
            serde_json::from_slice(&answers).context("the engine's answers")?;
        ensure!(answers.len() == visits.len(), "the engine made {} visits", answers.len());
        let judged =
            expected.iter().zip(answers).enumerate().map(|(number, (expected, answer))| {
                let words = [&said.stdout, &said.stderr].map(|text| said_about(text, number));
                judged(expected, answer, &words.concat())
            });
        Ok(judged.collect())
    }
}

fn judged(expected: &Expected, answer: Answers, said: &str) -> Judged {
    if answer.stale {
        return Judged::Stale;
    }
    let mut complaints = complaints(said);
    complaints.extend(answer.problems);
    complaints.extend(differences(expected, &answer.scenes));
    complaints.truncate(MAX_COMPLAINTS);
    let (scenes, values) = (answer.scenes.len(), expected.questions.values());
    Judged::Seen { scenes, values, complaints }
}

/// What is printed about a visit. The first one also hears what is said before it.
fn said_about(text: &str, visit: usize) -> String {
    let mut now = 0;
    let mut out = String::new();
    for line in text.lines() {
        match line.strip_prefix(VISIT).and_then(|number| number.trim().parse().ok()) {
            Some(number) => now = number,
            None if now == visit => out += &format!("{line}\n"),
            None => {}
        }
    }
    out
}

/// The lines that complain, each with the one below it that tells where.
pub(crate) fn complaints(output: &str) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    let complains = |line: &str| {
        let is_error = ["ERROR:", "SCRIPT ERROR:", "USER ERROR:", "SHADER ERROR:"]
            .iter()
            .any(|start| line.starts_with(start));
        let is_missing = line.starts_with("WARNING:") && line.contains("not found");
        // What is still in use when the engine ends is the engine's affair.
        (is_error || is_missing) && !line.contains("at exit")
    };
    let found = lines.iter().enumerate().filter(|(_, line)| complains(line));
    found
        .map(|(number, line)| match lines.get(number + 1) {
            Some(place) if place.starts_with(' ') => format!("{line}\n{}", place.trim_end()),
            _ => (*line).to_owned(),
        })
        .collect()
}

/// Where our scenes are not the engine's.
fn differences(expected: &Expected, made: &BTreeMap<String, Made>) -> Vec<String> {
    let mut found = Vec::new();
    for (path, ours) in &expected.scenes {
        // One that does not load is a complaint already.
        let Some(theirs) = made.get(path) else { continue };
        let opaque = expected.opaque.get(path).map_or(&[][..], Vec::as_slice);
        let nodes = first_difference(&known(&ours.nodes, opaque), &known(&theirs.nodes, opaque));
        let connections = first_difference(
            &ours.connections.iter().collect::<Vec<_>>(),
            &theirs.connections.iter().collect::<Vec<_>>(),
        );
        for (what, difference) in [("node", nodes), ("connection", connections)] {
            if let Some((number, ours, theirs)) = difference {
                found.push(format!(
                    "{path}: {what} {number} is {ours} for us and {theirs} for the engine"
                ));
            }
        }
    }
    found
}

/// The nodes that are not inside of what we cannot look into.
fn known<'a>(nodes: &'a [String], opaque: &[String]) -> Vec<&'a String> {
    let is_inside = |line: &str, above: &str| {
        let path = line.split('|').next().unwrap_or_default();
        above == "." || path == above || path.starts_with(&format!("{above}/"))
    };
    nodes.iter().filter(|line| !opaque.iter().any(|above| is_inside(line, above))).collect()
}

fn first_difference(ours: &[&String], theirs: &[&String]) -> Option<(usize, String, String)> {
    let at = (0..ours.len().max(theirs.len())).find(|at| ours.get(*at) != theirs.get(*at))?;
    let show =
        |lines: &[&String]| lines.get(at).map_or("nothing".to_owned(), |line| (*line).clone());
    Some((at + 1, show(ours), show(theirs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hears_what_is_wrong_and_nothing_else() {
        let output = "Godot Engine\nERROR: no such file\n   at: load (a.cpp:1)\nWARNING: slow\n\
                      WARNING: x not found\nERROR: 2 resources still in use at exit\n";
        assert_eq!(
            complaints(output),
            ["ERROR: no such file\n   at: load (a.cpp:1)", "WARNING: x not found"]
        );
    }

    #[test]
    fn each_visit_hears_its_own() {
        let text = "start\n-- visit 0\na\n-- visit 1\nb\nc\n";
        assert_eq!(said_about(text, 0), "start\na\n");
        assert_eq!(said_about(text, 1), "b\nc\n");
    }

    #[test]
    fn compares_what_both_can_see() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (ours, theirs) = (lines(".|Node A|? B|Node"), lines(".|Node A|Node3D A/Mesh|X C|Node"));
        let opaque = lines("A");
        assert_eq!(
            first_difference(&known(&ours, &opaque), &known(&theirs, &opaque)),
            Some((2, "B|Node".to_owned(), "C|Node".to_owned()))
        );
    }
}
