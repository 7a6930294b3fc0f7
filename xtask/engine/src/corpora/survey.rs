//! What the engine says about the scenes of a project: `engine_survey.gd` asked, its answers read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xtask::{godot, paths, process};

use crate::judge::{Engine, complaints};
use crate::sandbox::Sandbox;

/// For as many visits as one engine is given.
const LIMIT: Duration = Duration::from_secs(900);

/// What the engine is to look at, and in which state of the project.
#[derive(Serialize, Default)]
pub(super) struct Visit {
    pub(super) number: usize,
    /// Files of the project that are others in this visit.
    pub(super) written: Vec<String>,
    /// Where those come from, and where the usual ones are.
    pub(super) from: PathBuf,
    pub(super) back: PathBuf,
    /// A uid that leads elsewhere in this visit: to where, and to where before and afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uid: Option<[String; 3]>,
    /// The scenes and resources to look at.
    pub(super) scenes: Vec<String>,
    /// A value that must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) want: Option<Value>,
    /// Something to try.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    pub(super) attempt: Option<Value>,
    /// Scripts to tell about, together with the engine's classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) facts: Option<Vec<String>>,
    /// What a check said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) findings: Option<Vec<Value>>,
}

/// What it says of a visit.
#[derive(Deserialize, Default, Debug)]
pub(super) struct Answer {
    pub(super) number: usize,
    /// The engine holds an older file and has to be started anew.
    #[serde(default)]
    pub(super) stale: bool,
    #[serde(default)]
    pub(super) scenes: BTreeMap<String, Seen>,
    pub(super) want: Option<Got>,
    #[serde(rename = "try")]
    pub(super) taken: Option<bool>,
    #[serde(default)]
    pub(super) classes: BTreeMap<String, Class>,
    #[serde(default)]
    pub(super) scripts: BTreeMap<String, Script>,
    #[serde(default)]
    pub(super) findings: Vec<Option<bool>>,
    /// What it complained about, by scene.
    #[serde(skip)]
    pub(super) complaints: BTreeMap<String, BTreeSet<String>>,
}

/// A scene or resource as the engine makes it.
#[derive(Deserialize, Debug, Clone, Default, PartialEq)]
#[serde(default)]
pub(super) struct Seen {
    pub(super) loads: bool,
    /// The name of its root.
    pub(super) name: String,
    /// The scene that it inherits.
    pub(super) base: String,
    pub(super) nodes: Vec<Node>,
    pub(super) state: Vec<Section>,
    pub(super) connections: Vec<Connection>,
    /// All values of what is no scene.
    pub(super) resource: String,
}

#[derive(Deserialize, Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) path: String,
    pub(super) class: String,
    pub(super) script: String,
    pub(super) scene: String,
    pub(super) groups: Vec<String>,
    /// Where its paths lead: `!` is nowhere.
    pub(super) refs: BTreeMap<String, String>,
}

/// What the file itself says of a node.
#[derive(Deserialize, Debug, Clone, PartialEq)]
pub(super) struct Section {
    pub(super) path: String,
    pub(super) class: String,
    pub(super) instance: String,
    pub(super) groups: Vec<String>,
    pub(super) properties: BTreeMap<String, String>,
}

#[derive(Deserialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Connection {
    pub(super) from: String,
    pub(super) to: String,
    /// `signal|method|flags|whether the method is there`.
    pub(super) rest: String,
}

#[derive(Deserialize, Debug)]
pub(super) struct Got {
    pub(super) got: String,
    pub(super) is: bool,
}

#[derive(Deserialize, Debug, Default)]
pub(super) struct Class {
    pub(super) properties: Vec<Property>,
    pub(super) signals: Vec<String>,
}

#[derive(Deserialize, Debug, Default)]
pub(super) struct Script {
    pub(super) properties: Vec<Property>,
    pub(super) methods: Vec<String>,
    pub(super) signals: Vec<String>,
}

/// A property that the inspector shows and files keep.
#[derive(Deserialize, Debug, Clone)]
pub(super) struct Property {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: i64,
    pub(super) hint: i64,
    pub(super) hint_string: String,
}

impl Answer {
    pub(super) fn all_complaints(&self) -> BTreeSet<String> {
        self.complaints.values().flatten().cloned().collect()
    }
}

/// Let the engine make all visits. One that ends it is left out, and those behind it are made by the
/// next engine.
pub(super) fn survey(
    engine: &Engine,
    stage: &Sandbox,
    visits: &[Visit],
) -> Result<BTreeMap<usize, Answer>> {
    let mut answers = BTreeMap::new();
    let mut rest = visits;
    while !rest.is_empty() {
        let made = start(engine, stage, rest)?;
        let count = made.len();
        answers.extend(made.into_iter().map(|answer| (answer.number, answer)));
        // The visit after the last that was answered is the one that went wrong.
        rest = &rest[(count + 1).min(rest.len())..];
    }
    Ok(answers)
}

fn start(engine: &Engine, stage: &Sandbox, visits: &[Visit]) -> Result<Vec<Answer>> {
    let (asked, told) = (stage.beside("visits.jsonl"), stage.beside("answers.jsonl"));
    let lines = visits.iter().map(|visit| serde_json::to_string(visit).map(|line| line + "\n"));
    fs::write(&asked, lines.collect::<Result<String, _>>()?)?;
    let _ = fs::remove_file(&told);
    let mut command = godot::headless(engine.path());
    command.arg("--path").arg(stage.root());
    command.arg("--script").arg(paths::asset("engine_survey.gd"));
    command.arg("--").args([&asked, &told]);
    let said = process::capture(stage.at_home(&mut command), LIMIT)?;
    let text = fs::read_to_string(&told)
        .with_context(|| format!("the engine gave no answer: {}", said.tail()))?;
    let whole = text.lines().filter_map(|line| serde_json::from_str::<Answer>(line).ok());
    let mut answers: Vec<Answer> = whole.collect();
    for stream in [&said.stdout, &said.stderr] {
        for ((number, scene), words) in by_scene(stream) {
            let Some(answer) = answers.iter_mut().find(|answer| answer.number == number) else {
                continue;
            };
            let found = complaints(&words).into_iter().map(|it| plain(&it));
            answer.complaints.entry(scene).or_default().extend(found);
        }
    }
    Ok(answers)
}

/// A complaint without the place in the engine's code.
fn plain(complaint: &str) -> String {
    complaint.lines().next().unwrap_or_default().trim().to_owned()
}

/// What was printed, by the visit and the scene of which it was said.
fn by_scene(text: &str) -> BTreeMap<(usize, String), String> {
    let mut out: BTreeMap<(usize, String), String> = BTreeMap::new();
    let mut now = (usize::MAX, String::new());
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("-- visit ") {
            now = (number.trim().parse().unwrap_or(usize::MAX), String::new());
        } else if let Some(scene) = line.strip_prefix("-- scene ") {
            now.1 = scene.to_owned();
        } else {
            *out.entry(now.clone()).or_default() += &format!("{line}\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scene_of_a_visit_hears_its_own() {
        let said = by_scene("start\n-- visit 3\n-- scene a\nx\n-- scene b\ny\n-- visit 4\nz\n");
        assert_eq!(said[&(3, "a".to_owned())], "x\n");
        assert_eq!(said[&(3, "b".to_owned())], "y\n");
        assert_eq!(said[&(4, String::new())], "z\n");
    }
}
