//! Anthropic's messages.

use serde_json::{Value, json};

use super::seen::Seen;
use super::{NAME, Said, Turn, events};

pub(super) fn read(body: &Value) -> Seen {
    let mut seen = Seen::new(body);
    for tool in body["tools"].as_array().into_iter().flatten() {
        let is_deferred = tool["defer_loading"] == true;
        seen.offer(&tool["name"], &tool["input_schema"]).is_deferred = is_deferred;
    }
    let messages = body["messages"].as_array().into_iter().flatten();
    let parts = messages.filter_map(|message| message["content"].as_array()).flatten();
    for part in parts.filter(|part| part["type"] == "tool_result") {
        seen.receive(&part["tool_use_id"], &part["content"]);
        let inner = part["content"].as_array().into_iter().flatten();
        let shown = inner.filter(|inner| inner["type"] == "tool_reference");
        seen.loaded.extend(shown.filter_map(|tool| Some(tool["tool_name"].as_str()?.to_owned())));
    }
    seen
}

pub(super) fn say(turn: Turn, streams: bool, serial: usize) -> Said {
    let (block, delta, whole, stop) = match turn {
        Turn::Say(text) => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": text }),
            json!({ "type": "text", "text": text }),
            "end_turn",
        ),
        Turn::Call { tool, arguments, id } => (
            json!({ "type": "tool_use", "id": id, "name": tool.name, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
            json!({ "type": "tool_use", "id": id, "name": tool.name, "input": arguments }),
            "tool_use",
        ),
    };
    let mut message = json!({
        "id": format!("msg_{serial}"), "type": "message", "role": "assistant", "model": NAME,
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": 100, "output_tokens": 10 },
    });
    if !streams {
        message["content"] = json!([whole]);
        message["stop_reason"] = json!(stop);
        return Said::Json(message);
    }
    let stream = [
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({
            "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null },
            "usage": { "output_tokens": 10 },
        }),
        json!({ "type": "message_stop" }),
    ];
    Said::Events(events(&stream, true))
}
