//! What a real Godot makes of merged scenes: the same tree as of what they should be, node by node with
//! classes, values, groups and connections.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use scenewright_merge::{Choices, Inputs, merge};
use serde_json::{Value, json};
use xtask::{godot, paths, process};

/// How many random pairs are made without a word about it.
pub(crate) const FEW: u64 = 300;
const GENERATE_LIMIT: Duration = Duration::from_secs(1800);
const SURVEY_LIMIT: Duration = Duration::from_secs(1200);
/// Answers are said in full up to here.
const SHOWN: usize = 600;

/// A merge, and what it should be, as files of the project.
struct Pair {
    name: String,
    merged: String,
    /// Either is right: where both sides put something in one place, its order is that of the edits.
    expected: Vec<String>,
}

/// Lets the engine load random merges, and those of a folder of cases; fails on the first difference.
pub(crate) fn run(engine: &Path, count: u64, cases: Option<&Path>) -> Result<()> {
    let folder = paths::target().join("tmp").join("merges");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("project.godot"), "config_version=5\n")?;
    let mut pairs = generated(&folder, count)?;
    let random = pairs.len();
    if let Some(cases) = cases {
        pairs.extend(of_cases(&folder, cases)?);
    }
    ensure!(random > 0, "no pair merged clean, so that nothing was judged");
    let controls = controls(&folder, &pairs[0])?;
    let scenes: Vec<&str> = pairs
        .iter()
        .chain(&controls)
        .flat_map(|pair| std::iter::once(&pair.merged).chain(&pair.expected))
        .map(String::as_str)
        .collect();
    let seen = survey(engine, &folder, &scenes)?;
    for control in &controls {
        ensure!(differs(&seen, control)?.is_some(), "the judge does not see that {}", control.name);
    }
    let mut wrong = 0;
    for pair in &pairs {
        if let Some(words) = differs(&seen, pair)? {
            println!("WRONG {}: {words}", pair.name);
            wrong += 1;
        }
    }
    println!(
        "merges: {random} random and {} real clean results loaded by the engine, {wrong} wrong",
        pairs.len() - random
    );
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} merges are not what they should be"),
    }
}

/// Random pairs of edits, merged by the test that makes them.
fn generated(folder: &Path, count: u64) -> Result<Vec<Pair>> {
    let mut command = process::cargo();
    // Of the whole workspace, as the tests are built; one package alone would be compiled anew.
    command.args(["test", "-q", "--workspace", "--test", "all", "random_edits_of_godot_scenes"]);
    command.env("SCENEWRIGHT_MERGES", count.to_string()).env("SCENEWRIGHT_MERGES_OUT", folder);
    process::run(&mut command, GENERATE_LIMIT)?;
    let pairs = (0..).map(|number| Pair {
        name: format!("random pair {number}"),
        merged: format!("{number}-merged.tscn"),
        expected: ["expected", "other"].map(|name| format!("{number}-{name}.tscn")).to_vec(),
    });
    Ok(pairs.take_while(|pair| folder.join(&pair.merged).is_file()).collect())
}

/// Real merges that have to come out clean, and what people committed.
fn of_cases(folder: &Path, cases: &Path) -> Result<Vec<Pair>> {
    let index = fs::read(cases.join("index.json")).context("index.json")?;
    let index: Value = serde_json::from_slice(&index)?;
    let mut pairs = Vec::new();
    for case in index["cases"].as_array().context("cases")? {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let is_known =
            matches!(text("expectation_class"), "clean_equals_result" | "control_line_clean");
        if !text("path").ends_with(".tscn") || !is_known {
            continue;
        }
        let read = |version: &str| -> Result<Vec<u8>> {
            let path = case["files"][version].as_str().with_context(|| version.to_owned())?;
            Ok(fs::read(cases.join(path))?)
        };
        let (base, ours, theirs) = (read("base")?, read("ours")?, read("theirs")?);
        // Of the scenes of Godot 3 this engine makes what it likes.
        if !ours.starts_with(b"[gd_scene") || !first_line(&ours).contains("format=3") {
            continue;
        }
        let inputs = Inputs { base: &base, ours: &ours, theirs: &theirs };
        let id = text("id");
        let result = merge(Path::new(text("path")), inputs, &Choices::new())
            .with_context(|| id.to_owned())?;
        ensure!(result.is_clean(), "{id} should be clean");
        let pair = Pair {
            name: id.to_owned(),
            merged: format!("{id}-merged.tscn"),
            expected: vec![format!("{id}-expected.tscn")],
        };
        fs::write(folder.join(&pair.merged), &result.bytes)?;
        fs::write(folder.join(&pair.expected[0]), read("result")?)?;
        pairs.push(pair);
    }
    Ok(pairs)
}

/// Merges that were broken on purpose.
fn controls(folder: &Path, pair: &Pair) -> Result<Vec<Pair>> {
    let text = fs::read_to_string(folder.join(&pair.expected[0]))?;
    let node = "\n[node name=\"Late\" type=\"Node\" parent=\".\" groups=[\"one\"]]\nprocess_priority = 7\n";
    let whole = text.clone() + node;
    let broken = [
        ("a node is missing", text),
        ("a value is another", whole.replace("process_priority = 7", "process_priority = 8")),
        ("a group is missing", whole.replace(" groups=[\"one\"]", "")),
        ("a class is another", whole.replace("\"Late\" type=\"Node\"", "\"Late\" type=\"Timer\"")),
        ("a node is elsewhere", whole.replace("\"Late\"", "\"Later\"")),
    ];
    fs::write(folder.join("control-expected.tscn"), &whole)?;
    let mut controls = Vec::new();
    for (number, (name, text)) in broken.into_iter().enumerate() {
        let merged = format!("control-{number}.tscn");
        fs::write(folder.join(&merged), text)?;
        let expected = vec!["control-expected.tscn".to_owned()];
        controls.push(Pair { name: name.to_owned(), merged, expected });
    }
    Ok(controls)
}

/// What the engine makes of each scene, all of them in one run of it.
fn survey(engine: &Path, folder: &Path, scenes: &[&str]) -> Result<BTreeMap<String, Value>> {
    let (asked, answers) = (folder.join("asked.jsonl"), folder.join("answers.jsonl"));
    let visits = scenes.iter().enumerate().map(|(number, scene)| {
        json!({ "number": number, "written": [], "scenes": [scene] }).to_string() + "\n"
    });
    fs::write(&asked, visits.collect::<String>())?;
    let mut command = godot::headless(engine);
    command.arg("--path").arg(folder).arg("--script").arg(paths::asset("engine_survey.gd"));
    command.arg("--").args([&asked, &answers]);
    let said = process::capture(&mut command, SURVEY_LIMIT)?;
    let text = fs::read_to_string(&answers)
        .with_context(|| format!("the engine gave no answer: {}", said.tail()))?;
    let mut seen = BTreeMap::new();
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line)?;
        let found = answer["scenes"].as_object().context("scenes of an answer")?;
        seen.extend(found.iter().map(|(path, tree)| (path.clone(), tree.clone())));
    }
    Ok(seen)
}

/// In what the two trees of a pair differ.
fn differs(seen: &BTreeMap<String, Value>, pair: &Pair) -> Result<Option<String>> {
    let tree = |path: &String| {
        let tree = seen.get(path).with_context(|| format!("the engine has no answer on {path}"))?;
        // Where the file is belongs to neither.
        let text = rounded(&tree.to_string().replace(path.as_str(), "it"));
        ensure!(text.len() > 40, "{}: the engine could not load {path}: {text}", pair.name);
        Ok(text)
    };
    let merged = tree(&pair.merged)?;
    let mut expected = String::new();
    for path in &pair.expected {
        expected = tree(path)?;
        if merged == expected {
            return Ok(None);
        }
    }
    let same = merged.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
    let part =
        |text: &str| -> String { text.chars().skip(same.saturating_sub(80)).take(SHOWN).collect() };
    Ok(Some(format!("\n  merged   … {}\n  expected … {}", part(&merged), part(&expected))))
}

/// What was asked for: `N [--cases DIR]`.
pub(crate) fn parse(args: &[&str]) -> Option<(u64, Option<PathBuf>)> {
    match args {
        [count] => Some((count.parse().ok()?, None)),
        [count, "--cases", folder] => Some((count.parse().ok()?, Some(PathBuf::from(folder)))),
        _ => None,
    }
}

fn first_line(text: &[u8]) -> String {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).into_owned()
}

/// The text with numbers that have a fraction to four digits: the last ones are noise to a merge.
fn rounded(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        out.push_str(&rest[..start]);
        let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |end| start + end);
        let token = &rest[start..end];
        match token.parse::<f64>() {
            Ok(number) if token.contains(['.', 'e']) => out.push_str(&format!("{number:.3e}")),
            _ => out.push_str(token),
        }
        rest = &rest[end..];
    }
    out + rest
}
