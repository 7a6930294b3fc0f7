//! Older binaries, asked in the words that they knew, so that what tasks cost can be compared.

use serde_json::{Value, json};

/// Tasks whose answers were there in another form, so that their checks do not know them: references
/// without their causes, and fields among all others.
pub(super) const ANSWERED_OTHERWISE: [&str; 3] =
    ["missing-scripts", "missing-by-cause", "fields-of-a-component"];

/// A call as it was before `batch` was of all projects.
pub(super) fn words(tool: &str, arguments: &Value) -> (String, Value) {
    let Some(steps) = arguments["steps"].as_array().filter(|_| tool == "project_batch") else {
        return (tool.to_owned(), arguments.clone());
    };
    let operation = |step: &Value| json!({ "tool": step["tool"], "args": step.get("arguments").unwrap_or(&json!({})) });
    let operations: Vec<Value> = steps.iter().map(operation).collect();
    ("batch_operations".to_owned(), json!({ "operations": operations }))
}

/// The arguments without those that a refusal says are not known; nothing if it says so of none.
pub(super) fn without_unknown(arguments: &Value, refusal: &str) -> Option<Value> {
    let mut kept = arguments.as_object()?.clone();
    kept.retain(|name, _| !refusal.contains(&format!("{name} is not known")));
    (kept.len() < arguments.as_object()?.len()).then_some(Value::Object(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_operations() {
        let steps = json!({ "steps": [{ "tool": "a", "arguments": { "b": 1 } }, { "tool": "c" }] });
        let operations = json!([{ "tool": "a", "args": { "b": 1 } }, { "tool": "c", "args": {} }]);
        let expected = json!({ "operations": operations });
        assert_eq!(words("project_batch", &steps), ("batch_operations".to_owned(), expected));
        assert_eq!(words("a", &steps), ("a".to_owned(), steps));
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let arguments = json!({ "a": 1, "b": 2 });
        let refusal = "Invalid tool arguments: b is not known: no such parameter";
        assert_eq!(without_unknown(&arguments, refusal), Some(json!({ "a": 1 })));
        assert_eq!(without_unknown(&arguments, "no such file"), None);
    }
}
