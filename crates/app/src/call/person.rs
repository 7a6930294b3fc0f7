//! A tool's answer for a person: what changed as a diff, the rest indented.

use scenewright_contract::Output;
use serde_json::Value;

use crate::term::{Paint, Style, line};

/// Print the answer. Data goes to programs as it is; here the diffs are read, not parsed.
pub(super) fn show(output: &Output) {
    let mut value = output.clone().into_value();
    let paint = Paint::stdout();
    for diff in take_diffs(&mut value) {
        diff.lines().for_each(|one| line(&paint.diff_line(one)));
        line("");
    }
    match value {
        Value::String(text) => line(&text),
        value => line(&serde_json::to_string_pretty(&value).unwrap_or_default()),
    }
    if value_is_dry(output) {
        line(&paint.paint(
            Style::Dim,
            "Nothing was written; --allow-writes instead of --dry-run does it.",
        ));
    }
}

fn value_is_dry(output: &Output) -> bool {
    output["dryRun"] == true
}

/// The diffs of what changed, in their order; they are gone from the value.
fn take_diffs(value: &mut Value) -> Vec<String> {
    let Some(changes) = value.get_mut("changes").and_then(Value::as_array_mut) else {
        return Vec::new();
    };
    let taken =
        changes.iter_mut().filter_map(|change| change.as_object_mut()?.shift_remove("diff"));
    taken.filter_map(|diff| diff.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn diffs_are_taken_out_and_all_else_stays() {
        let mut value = json!({ "dryRun": true, "changes": [
            { "path": "a", "diff": "--- a\n+++ a\n" }, { "path": "b" } ] });
        assert_eq!(take_diffs(&mut value), ["--- a\n+++ a\n"]);
        assert_eq!(value, json!({ "dryRun": true, "changes": [{ "path": "a" }, { "path": "b" }] }));
        assert!(take_diffs(&mut json!({ "changes": "none" })).is_empty());
        assert!(take_diffs(&mut json!([1])).is_empty());
    }
}
