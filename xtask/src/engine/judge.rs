//! The engine at work: what it makes of a project, and where that is not what we read.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::questions::{self, Expected, Made};
use super::sandbox::{Files, Sandbox};
use crate::{godot, paths, process};

const JUDGE_LIMIT: Duration = Duration::from_secs(60);
/// The first import starts a whole editor.
const IMPORT_LIMIT: Duration = Duration::from_secs(240);
/// More complaints about one project say nothing new.
const MAX_COMPLAINTS: usize = 20;

pub(super) struct Engine {
    path: PathBuf,
}

/// What `engine_judge.gd` writes.
#[derive(Deserialize)]
struct Answers {
    scenes: BTreeMap<String, Made>,
    problems: Vec<String>,
}

impl Engine {
    pub(super) fn new(path: PathBuf) -> Engine {
        Engine { path }
    }

    /// Let the editor fill its caches: imported assets, uids and class names.
    pub(super) fn import(&self, sandbox: &Sandbox) -> Result<()> {
        let mut command = godot::headless(&self.path);
        command.arg("--path").arg(sandbox.root()).arg("--import");
        let said = process::capture(sandbox.at_home(&mut command), IMPORT_LIMIT)?;
        ensure!(said.status.success(), "the import fails: {}", said.tail());
        Ok(())
    }

    /// What the engine does not agree with.
    pub(super) fn judge(&self, sandbox: &Sandbox, files: &Files) -> Result<Vec<String>> {
        let expected = questions::ask(sandbox, files)?;
        let (asked, answered) = (sandbox.beside("questions.json"), sandbox.beside("answers.json"));
        fs::write(&asked, serde_json::to_vec(&expected.questions)?)?;
        let mut command = godot::headless(&self.path);
        command.arg("--path").arg(sandbox.root());
        command.arg("--script").arg(paths::asset("engine_judge.gd"));
        command.arg("--").args([&asked, &answered]);
        let said = process::capture(sandbox.at_home(&mut command), JUDGE_LIMIT)?;
        let mut complaints = complaints(&format!("{}\n{}", said.stdout, said.stderr));
        let answers = fs::read(&answered)
            .with_context(|| format!("the engine gave no answer: {}", said.tail()))?;
        let answers: Answers = serde_json::from_slice(&answers).context("the engine's answers")?;
        complaints.extend(answers.problems);
        complaints.extend(differences(&expected, &answers.scenes));
        complaints.truncate(MAX_COMPLAINTS);
        Ok(complaints)
    }
}

/// The lines that complain, each with the one below it that tells where.
fn complaints(output: &str) -> Vec<String> {
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
