//! Google's generateContent.

use serde_json::{Value, json};

use super::seen::Seen;
use super::{NAME, Said, Turn, events};
use crate::clients::plan;

pub(super) fn read(body: &Value) -> Seen {
    let mut seen = Seen::new(body);
    let groups = body["tools"].as_array().into_iter().flatten();
    for tool in groups.filter_map(|group| group["functionDeclarations"].as_array()).flatten() {
        let schema = tool.get("parametersJsonSchema").unwrap_or(&tool["parameters"]);
        seen.offer(&tool["name"], schema);
    }
    let contents = body["contents"].as_array().into_iter().flatten();
    for part in contents.filter_map(|content| content["parts"].as_array()).flatten() {
        match part.get("functionResponse") {
            // Not every client keeps the id; then its place tells.
            Some(result) if result["id"].is_null() => {
                let id = json!(plan::id_of_call(seen.results.len(), 0));
                seen.receive(&id, result);
            }
            Some(result) => seen.receive(&result["id"], result),
            None => seen.add_pictures(part),
        }
    }
    seen
}

pub(super) fn say(turn: Turn, streams: bool) -> Said {
    let part = match turn {
        Turn::Say(text) => json!({ "text": text }),
        Turn::Call { tool, arguments, id } => {
            json!({ "functionCall": { "id": id, "name": tool.name, "args": arguments } })
        }
    };
    let whole = json!({
        "candidates": [{
            "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110 },
        "modelVersion": NAME,
    });
    match streams {
        true => Said::Events(events(&[whole], false)),
        false => Said::Json(whole),
    }
}
