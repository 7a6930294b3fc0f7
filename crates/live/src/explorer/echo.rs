//! Which news from a host are of our own calls. Our server announces those itself, so the host's
//! word about them would be the second.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

/// Calls whose news may be on their way.
const MAX_EXPECTED: usize = 256;

/// The ids of our calls, by which the host's copies of its answers to us are known.
pub(super) struct Ids {
    prefix: String,
}

impl Ids {
    pub(super) fn new() -> Self {
        // Without randomness two links of one machine could still be told apart by their process.
        let random = getrandom::u64().unwrap_or(u64::from(std::process::id()));
        Self { prefix: format!("scenewright-{random:016x}-") }
    }

    /// The id of a call: it names the tool, because the copy of an answer does not.
    pub(super) fn of(&self, number: u64, tool: &str) -> String {
        format!("{}{number}-{tool}", self.prefix)
    }

    /// The tool of a call of ours.
    fn tool<'a>(&self, id: &'a str) -> Option<&'a str> {
        Some(id.strip_prefix(&self.prefix)?.split_once('-')?.1)
    }
}

/// Answers of which the copy has come, and `tool_result` has not.
#[derive(Default)]
pub(super) struct Echo {
    expected: VecDeque<u64>,
}

impl Echo {
    /// Look at the copy of somebody's answer; hosts send it before `tool_result`.
    pub(super) fn mirrored(&mut self, ids: &Ids, message: &Value) {
        let Some(tool) = message["id"].as_str().and_then(|id| ids.tool(id)) else { return };
        let output = match &message["result"]["content"][0]["json"] {
            Value::Null => serde_json::from_str(
                message["result"]["content"][0]["text"].as_str().unwrap_or_default(),
            )
            .unwrap_or_default(),
            json => json.clone(),
        };
        if self.expected.len() == MAX_EXPECTED {
            self.expected.pop_front();
        }
        self.expected.push_back(print(tool, &output, &message["error"]));
    }

    /// Whether this `tool_result` is of a call of ours. Each call has only one.
    pub(super) fn is_own(&mut self, payload: &Value) -> bool {
        let tool = payload["name"].as_str().unwrap_or_default();
        let print = print(tool, &payload["result"], &payload["error"]);
        let place = self.expected.iter().position(|expected| *expected == print);
        place.is_some_and(|place| self.expected.remove(place).is_some())
    }
}

/// What the copy and the event have in common: the tool and its output, or what went wrong. A write
/// that was refused is a result in the one and, with some hosts, an error in the other.
fn print(tool: &str, output: &Value, error: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    tool.hash(&mut hasher);
    let error =
        if output.get("ok") == Some(&Value::Bool(false)) { &output["error"] } else { error };
    match error {
        Value::Null => output.to_string().hash(&mut hasher),
        error => {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let cause = text(&error["data"]["detail"]).or_else(|| text(&error["message"]));
            cause.hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_two_equal_calls_only_ours_is_known() {
        let ids = Ids::new();
        let mut echo = Echo::default();
        let output = json!({ "ok": true });
        let copy =
            json!({ "id": ids.of(1, "SetActive"), "result": { "content": [{ "json": output }] } });
        let event = json!({ "name": "SetActive", "ok": true, "result": output });
        assert!(!echo.is_own(&event));
        echo.mirrored(&ids, &copy);
        echo.mirrored(&ids, &json!({ "id": 1, "result": copy["result"] }));
        echo.mirrored(
            &ids,
            &json!({ "id": Ids::new().of(1, "SetActive"), "result": copy["result"] }),
        );
        assert!(!echo.is_own(&json!({ "name": "SelectObject", "ok": true, "result": output })));
        assert!(echo.is_own(&event));
        assert!(!echo.is_own(&event));
    }

    #[test]
    fn failures_are_known_in_every_form() {
        let ids = Ids::new();
        let error =
            json!({ "code": -32004, "message": "Not found", "data": { "kind": "NotFound" } });
        let refusal =
            json!({ "ok": false, "error": { "kind": "NotFound", "message": "Not found" } });
        let by_text = json!({ "content": [{ "text": refusal.to_string() }] });
        for (copy, event) in [
            (json!({ "error": error }), json!({ "ok": false, "error": error })),
            (json!({ "result": by_text }), json!({ "ok": false, "error": error })),
            (json!({ "result": by_text }), json!({ "ok": true, "result": refusal })),
        ] {
            let mut echo = Echo::default();
            let (mut copy, mut event) = (copy, event);
            copy["id"] = json!(ids.of(7, "GetObject"));
            event["name"] = json!("GetObject");
            echo.mirrored(&ids, &copy);
            assert!(echo.is_own(&event), "{event}");
        }
    }
}
