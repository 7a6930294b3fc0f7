//! The exact diff of each kind of change on the sample, and what is refused.

mod components;
mod events;
mod fields;
mod instances;
mod lists;
mod managed;
mod maps;
mod models;
mod models_beside;
mod names;
mod objects;
mod refusals;
mod stand_ins;
mod types;
mod versions;

use expect_test::Expect;
use serde_json::{Value, json};

use crate::testing::call_sample;

/// The lines that changes add and remove in a file of the sample, without hunks' surroundings.
fn lines(path: &str, changes: Value) -> String {
    let input = json!({ "path": path, "changes": changes, "dryRun": true });
    let outcome = call_sample("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
    let diff = outcome.output["changes"][0]["diff"].as_str().unwrap_or_default();
    let is_change = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-'))
            && !line.starts_with("+++")
            && !line.starts_with("--- a/")
    };
    diff.lines().filter(is_change).map(|line| format!("{line}\n")).collect()
}

fn check(path: &str, changes: Value, expected: Expect) {
    expected.assert_eq(&lines(path, changes));
}

fn refused(path: &str, changes: Value, expected: Expect) {
    let input = json!({ "path": path, "changes": changes, "dryRun": true });
    let error = call_sample("unity.edit", input).map(|outcome| outcome.output).unwrap_err();
    let hint = error.hint.as_deref().unwrap_or_default();
    expected.assert_eq(&format!("{}; {hint}", error.message));
}

const MAIN: &str = "Assets/Scenes/Main.unity";
