//! Real merges with the exact expectation of each, given to the program as git gives them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{binary, paths};

/// Judges every case of a folder with an `index.json`; fails when one is not as it should be.
pub(super) fn run(folder: &Path) -> Result<()> {
    let index = folder.join("index.json");
    let index: Value =
        serde_json::from_slice(&fs::read(&index).with_context(|| index.display().to_string())?)?;
    let binary = binary::release()?;
    let scratch = paths::target().join("merge-cases");
    fs::create_dir_all(&scratch)?;
    let cases = index["cases"].as_array().context("cases")?;
    let mut failed = 0;
    for case in cases {
        let id = case["id"].as_str().unwrap_or_default();
        match judge(&binary, folder, &scratch, case) {
            Ok(words) => println!("pass {id}  {words}"),
            Err(error) => {
                failed += 1;
                println!("FAIL {id}  {error:#}");
            }
        }
    }
    println!("{} of {} cases pass", cases.len() - failed, cases.len());
    if failed > 0 {
        bail!("{failed} cases fail");
    }
    Ok(())
}

fn judge(binary: &Path, folder: &Path, scratch: &Path, case: &Value) -> Result<String> {
    let file = |name: &str| -> Result<_> {
        let path = case["files"][name].as_str().with_context(|| name.to_owned())?;
        Ok(folder.join(path))
    };
    let text = |key: &str| case[key].as_str().unwrap_or_default();
    let name = text("path").rsplit('/').next().unwrap_or_default();
    let (output, report) = (scratch.join("merged"), scratch.join("report.json"));
    fs::write(&output, fs::read(file("ours")?)?)?;
    let mut command = Command::new(binary);
    command.current_dir(scratch).args(["git", "merge-driver"]).arg(file("base")?).arg(&output);
    command.arg(file("theirs")?).arg(name).arg("--report").arg(&report);
    let ended = command.output()?;
    let report: Value = serde_json::from_slice(&fs::read(&report)?)?;
    let is_clean = match ended.status.code() {
        Some(0) => true,
        Some(1) => false,
        other => bail!("exit code {other:?}: {}", String::from_utf8_lossy(&ended.stderr)),
    };
    match (text("expect"), is_clean) {
        ("conflict", true) if !case["also_accepted"].is_null() => {
            Ok("clean, which is accepted".into())
        }
        ("conflict", true) => bail!("clean, and should have conflicts"),
        ("clean", false) => bail!("conflicts {}, and should be clean", report["conflicts"]),
        ("conflict", false) => conflicts(case, &report),
        _ if matches!(text("expectation_class"), "clean_equals_result" | "control_line_clean") => {
            equals(binary, scratch, &file("result")?, name)
        }
        _ => Ok("clean".into()),
    }
}

/// The fields in conflict are those that are listed, no more and no less.
fn conflicts(case: &Value, report: &Value) -> Result<String> {
    if report["result"] == "left to git" {
        return Ok(format!("left to git: {}", report["reason"]));
    }
    let listed = case["conflicts"].as_array().context("conflicts")?;
    let wanted: BTreeSet<String> = listed
        .iter()
        // Those tell of what follows from another conflict of the list, or name the object.
        .filter(|conflict| {
            listed.len() == 1
                || !conflict["kind"].as_str().unwrap_or_default().starts_with("structural")
        })
        .map(place)
        .collect();
    let found: BTreeSet<String> = report["conflicts"]
        .as_array()
        .context("conflicts of the report")?
        .iter()
        .map(|conflict| {
            let part = |key: &str| conflict[key].as_str().unwrap_or_default().to_owned();
            format!("{}#{}", part("object"), part("field"))
        })
        .collect();
    if found == wanted {
        return Ok(format!("conflict {}", found.into_iter().collect::<Vec<_>>().join(", ")));
    }
    bail!("conflicts {found:?}, not {wanted:?}");
}

/// The place of a listed conflict as our reports have it.
fn place(conflict: &Value) -> String {
    let object = match (&conflict["object"], conflict["section"].as_array()) {
        (Value::String(id), _) => id.clone(),
        (_, Some(section)) => section_key(section),
        _ => "meta".to_owned(),
    };
    let mut field = String::new();
    let steps = match &conflict["field"] {
        Value::String(key) => vec![Value::String(key.clone())],
        Value::Array(steps) => steps.clone(),
        _ => Vec::new(),
    };
    for step in steps {
        match step {
            Value::Array(item) => {
                let key: Vec<&str> = item.iter().skip(1).filter_map(Value::as_str).collect();
                field += &format!("[{}]", key.join(" "));
            }
            step => {
                let dot = if field.is_empty() { "" } else { "." };
                field += &format!("{dot}{}", step.as_str().unwrap_or_default());
            }
        }
    }
    format!("{object}#{field}")
}

fn section_key(section: &[Value]) -> String {
    let text = |at: usize| section.get(at).and_then(Value::as_str);
    match (text(0), text(1), text(2)) {
        (Some("node"), None, _) => "node .".to_owned(),
        (Some("node"), Some("."), Some(name)) => format!("node {name}"),
        (Some("node"), Some(parent), Some(name)) => format!("node {parent}/{name}"),
        (Some(kind), Some(name), _) => format!("{kind} {name}"),
        (Some(kind), None, _) => kind.to_owned(),
        _ => String::new(),
    }
}

/// What was merged and what people committed are the same but for order and noise. A connection may lead
/// to a node by its new name where what was committed leads nowhere.
fn equals(binary: &Path, scratch: &Path, result: &Path, name: &str) -> Result<String> {
    let mut command = Command::new(binary);
    command.current_dir(scratch).args(["diff", "--format", "json", "--name", name]);
    let output = command.arg(result).arg("merged").output()?;
    let told: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let objects = told["files"][0]["differences"]["objects"].as_array().context("objects")?;
    let is_order = |object: &&Value| {
        let is_changed = object["change"] == "changed" && object["movedFrom"].is_null();
        is_changed && object["fields"].as_array().is_some_and(|fields| is_reordered(fields))
    };
    let others: Vec<&Value> = objects.iter().filter(|object| !is_order(object)).collect();
    if others.is_empty() {
        return Ok("clean, as committed".into());
    }
    let repaired = others.iter().all(|object| object["part"] == "connection");
    let committed = fs::read_to_string(result)?;
    let leads_nowhere =
        others.iter().filter(|object| object["change"] == "removed").all(|object| {
            let from = object["place"].as_str().and_then(|place| place.split(' ').nth(1));
            from.is_some_and(|from| !committed.contains(&format!("[node name=\"{from}\"")))
        });
    if repaired && leads_nowhere {
        return Ok("clean; connections follow a renamed node, and lead nowhere as committed".into());
    }
    bail!("differs from what was committed: {}", serde_json::to_string(&others)?)
}

/// Whether the fields have the same values in another order, such as the items of a list.
fn is_reordered(fields: &[Value]) -> bool {
    let sorted = |key: &str| {
        let texts = fields.iter().filter_map(|field| field[key].as_str());
        let mut words: Vec<&str> =
            texts.flat_map(|text| text.split([' ', ','])).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.join(" ")
    };
    sorted("old") == sorted("new")
}
