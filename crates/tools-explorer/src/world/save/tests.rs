//! What a save writes into the scene's file, and what it tells of.

mod instances;
mod kinds;
mod values;

use serde_json::{Value, json};

use crate::testing::UnitySample;

const MAIN: &str = "Assets/Scenes/Main.unity";

impl UnitySample {
    /// What a save changes in the files, as diffs without their heads.
    fn saved(&self) -> (String, Value) {
        let output = self.call("explorer.saveScene", json!({})).unwrap();
        let changes = output["changes"].as_array().unwrap().iter();
        let diffs: String =
            changes.map(|change| change["diff"].as_str().unwrap_or_default()).collect();
        // Of a document that goes, its head is enough.
        let mut is_going = false;
        let lines = diffs.lines().filter(|line| {
            let is_head = line.starts_with("---- !u!");
            is_going = is_head || (is_going && line.starts_with('-'));
            let is_frame = ["--- a/", "+++ b/", "@@"].iter().any(|head| line.starts_with(head));
            is_head || (line.starts_with(['+', '-']) && !is_frame && !is_going)
        });
        (lines.map(|line| format!("{line}\n")).collect(), output)
    }
}
