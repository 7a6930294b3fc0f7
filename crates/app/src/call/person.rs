//! A tool's answer for a person: what changed as a diff, what else there is to know indented.

use scenewright_contract::Output;
use serde_json::Value;

use crate::term::{Paint, Style, line};

/// Print the answer. Data goes to programs as it is; here what changed is read by object and field, as
/// `scenewright diff` tells it, and by line where a file has none.
pub(super) fn show(output: &Output, changed: &[String]) {
    let mut value = output.clone().into_value();
    let paint = Paint::stdout();
    let diffs = take_diffs(&mut value, !changed.is_empty());
    match changed {
        // Somebody else carried the change out, as an editor does.
        [] => {
            diffs.iter().flat_map(|diff| diff.lines()).for_each(|one| line(&paint.diff_line(one)))
        }
        lines => lines.iter().for_each(|one| line(&paint.change_line(one))),
    }
    let end = end_of(&mut value, !diffs.is_empty() || !changed.is_empty());
    match value {
        Value::String(text) => line(&text),
        Value::Object(rest) if rest.is_empty() && end.is_some() => {}
        value => line(&serde_json::to_string_pretty(&value).unwrap_or_default()),
    }
    if let Some(end) = end {
        line(&paint.paint(Style::Dim, end));
    }
}

/// The diffs of what changed, in their order. They are gone from the value, and so is what a diff
/// tells itself; all of it where the changes are told in another way.
fn take_diffs(value: &mut Value, told: bool) -> Vec<String> {
    let Some(changes) = value.get_mut("changes").and_then(Value::as_array_mut) else {
        return Vec::new();
    };
    let mut diffs = Vec::new();
    changes.retain(|change| match change["diff"].as_str() {
        Some(diff) => {
            diffs.push(diff.to_owned());
            false
        }
        None => !told,
    });
    if changes.is_empty() && (told || !diffs.is_empty()) {
        value.as_object_mut().map(|value| value.shift_remove("changes"));
    }
    diffs
}

/// What became of it, in words instead of fields.
fn end_of(value: &mut Value, changed: bool) -> Option<&'static str> {
    let value = value.as_object_mut().filter(|_| changed)?;
    for told in ["success", "ok"] {
        if value.get(told) == Some(&Value::Bool(true)) {
            value.shift_remove(told);
        }
    }
    value.shift_remove("filesChanged");
    match value.shift_remove("dryRun") {
        Some(Value::Bool(true)) => {
            Some("Nothing was written; --allow-writes instead of --dry-run does it.")
        }
        _ if value.shift_remove("undo").is_some() => {
            Some("Written. `scenewright call project_undoLast --allow-writes` takes it back.")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_diff_tells_is_told_once() {
        let mut value = json!({ "dryRun": true, "success": true, "nodePath": "A", "filesChanged": 1,
            "changes": [{ "path": "a", "diff": "--- a\n+++ a\n" }] });
        assert_eq!(take_diffs(&mut value, false), ["--- a\n+++ a\n"]);
        assert!(end_of(&mut value, true).unwrap().starts_with("Nothing was written"));
        assert_eq!(value, json!({ "nodePath": "A" }));
    }

    #[test]
    fn what_was_told_by_object_is_not_told_again() {
        let mut value = json!({ "changes": [{ "path": "a", "diff": "+" }, { "path": "b.png" }] });
        assert_eq!(take_diffs(&mut value, true).len(), 1);
        assert_eq!(value, json!({}));
    }

    #[test]
    fn what_has_no_diff_stays() {
        let mut value = json!({ "changes": [{ "path": "a", "diff": "+" }, { "path": "b.png" }] });
        assert_eq!(take_diffs(&mut value, false).len(), 1);
        assert_eq!(value, json!({ "changes": [{ "path": "b.png" }] }));
        let mut read = json!({ "dryRun": true, "success": true });
        assert!(take_diffs(&mut read, false).is_empty() && end_of(&mut read, false).is_none());
        assert_eq!(read, json!({ "dryRun": true, "success": true }));
        assert!(take_diffs(&mut json!([1]), false).is_empty());
    }
}
