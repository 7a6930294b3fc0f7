//! The line that a write leaves in the log: who may read the log learns what was done, not what was
//! written.

use scenewright_contract::JsonMap;
use serde_json::Value;

/// Arguments of which only the length is told.
const LONG: [&str; 5] = ["code", "content", "source", "text", "jsonValue"];
/// A value longer than this is cut.
const MAX_VALUE: usize = 120;

/// The line for one call.
pub(super) fn line(tool: &str, summary: &str, error: Option<&Value>) -> String {
    let ok = error.is_none();
    let error = error.map_or_else(String::new, |error| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!(" error={}:{}", text(&error["data"]["kind"]), text(&error["message"]))
    });
    format!("tool={tool} ok={ok} args={summary}{error}")
}

/// The arguments by name, without what is long or secret in them.
pub(super) fn summary(arguments: &JsonMap) -> String {
    if arguments.is_empty() {
        return "none".to_owned();
    }
    let mut parts: Vec<String> = arguments.iter().map(|(name, value)| part(name, value)).collect();
    parts.sort();
    parts.join(" ")
}

fn part(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) if LONG.contains(&name) => {
            format!("{name}Len={}", text.chars().count())
        }
        Value::String(text) => format!("{name}={}", cut(text)),
        Value::Array(items) => format!("{name}=array({})", items.len()),
        Value::Object(_) => format!("{name}=object"),
        other => format!("{name}={other}"),
    }
}

fn cut(text: &str) -> String {
    let one_line = text.replace(['\r', '\n'], " ");
    match one_line.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_written_stays_out_of_the_log() {
        let Value::Object(arguments) = json!({
            "path": "a.cs", "content": "secret", "confirm": true, "list": [1, 2], "pos": {"X": 1},
        }) else {
            unreachable!("an object")
        };
        let summary = summary(&arguments);
        expect!["confirm=true contentLen=6 list=array(2) path=a.cs pos=object"].assert_eq(&summary);
        let error = json!({ "message": "Writes disabled", "data": { "kind": "PermissionDenied" } });
        expect!["tool=SetActive ok=false args=none error=PermissionDenied:Writes disabled"]
            .assert_eq(&line("SetActive", &super::summary(&JsonMap::new()), Some(&error)));
        assert!(line("SetActive", &summary, None).starts_with("tool=SetActive ok=true args="));
    }
}
