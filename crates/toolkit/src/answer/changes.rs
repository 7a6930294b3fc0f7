//! What a tool wrote, or would write: a line per file and its diff below it.

use serde_json::{Map, Value};

/// The member that lists the files, as every tool that writes has it.
const CHANGES: &str = "changes";
/// Members that the list says itself.
const SAID: [&str; 3] = [CHANGES, "dryRun", "filesChanged"];
/// A diff begins with the two names that its file has.
const DIFF_HEAD: usize = 2;

/// Whether an output has such a list, which then says `dryRun` and `filesChanged` as well.
pub(super) fn are_in(members: &Map<String, Value>) -> bool {
    let changes = members.get(CHANGES).and_then(Value::as_array);
    members.contains_key("filesChanged")
        && changes.is_some_and(|changes| changes.iter().all(is_change))
}

fn is_change(change: &Value) -> bool {
    change.get("action").is_some_and(Value::is_string) && change.get("path").is_some()
}

/// Whether a member is a part of the list.
pub(super) fn says(key: &str) -> bool {
    SAID.contains(&key)
}

/// The lines of the list.
pub(super) fn lines(members: &Map<String, Value>) -> Vec<String> {
    let empty = Vec::new();
    let changes = members.get(CHANGES).and_then(Value::as_array).unwrap_or(&empty);
    let count = members.get("filesChanged").and_then(Value::as_u64).unwrap_or_default();
    let is_dry = members.get("dryRun") == Some(&Value::Bool(true));
    let mut head = match (count, is_dry) {
        (0, true) => "dry run: nothing would change".to_owned(),
        (0, false) => "nothing changed".to_owned(),
        (_, true) => "dry run, nothing is written yet:".to_owned(),
        (_, false) => "written:".to_owned(),
    };
    if count > changes.len() as u64 {
        head = format!("{head} the first {} of {count} files", changes.len());
    }
    let mut lines = vec![head];
    for change in changes {
        lines.push(format!("  {}", title(change)));
        let diff = change.get("diff").and_then(Value::as_str).unwrap_or_default();
        let skipped = if diff.starts_with("--- ") { DIFF_HEAD } else { 0 };
        // The line that says where a hunk is helps nobody who reads only its lines.
        let told = diff.lines().skip(skipped).filter(|line| !line.starts_with("@@ -0,0 "));
        lines.extend(told.map(|line| format!("    {line}")));
    }
    lines
}

fn title(change: &Value) -> String {
    let text = |key: &str| change.get(key).and_then(Value::as_str);
    let number = |key: &str| change.get(key).and_then(Value::as_u64).unwrap_or_default();
    let path = text("path").unwrap_or_default();
    let mut title = match (text("action").unwrap_or_default(), text("from")) {
        ("renamed", Some(from)) => format!("renamed {from} to {path}"),
        (action, _) => format!("{action} {path}"),
    };
    let (added, removed) = (number("added"), number("removed"));
    if added + removed > 0 {
        title.push_str(&format!(", +{added} -{removed} lines"));
    }
    title
}
