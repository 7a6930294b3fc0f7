//! OpenAI's chat completions.

use serde_json::{Value, json};

use super::seen::{Seen, all_strings};
use super::{NAME, Said, Turn, events};
use crate::clients::plan;

pub(super) fn read(body: &Value) -> Seen {
    let mut seen = Seen::new(body);
    for tool in body["tools"].as_array().into_iter().flatten() {
        seen.offer(&tool["function"]["name"], &tool["function"]["parameters"]);
    }
    let mut told = None;
    for message in body["messages"].as_array().into_iter().flatten() {
        let content = &message["content"];
        match message["role"].as_str() {
            Some("tool") => seen.receive(&message["tool_call_id"], content),
            // Some tell of calls and results in words.
            Some("assistant") => told = all_strings(content).into_iter().find_map(plan::find_id),
            Some("user") if told.is_some() => seen.receive(&json!(told.take()), content),
            // A result has no place for pictures here.
            Some("user") => seen.add_pictures(content),
            _ => {}
        }
    }
    seen
}

pub(super) fn say(turn: Turn, streams: bool, serial: usize) -> Said {
    let (mut message, stop) = match turn {
        Turn::Say(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Turn::Call { tool, arguments, id } => {
            let function = json!({ "name": tool.name, "arguments": arguments.to_string() });
            let call = json!({ "index": 0, "id": id, "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    };
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 });
    let whole = |object: &str, choices: Value| {
        json!({
            "id": format!("chatcmpl-{serial}"), "object": object, "created": 1, "model": NAME,
            "choices": choices, "usage": usage,
        })
    };
    if !streams {
        let call = message.pointer_mut("/tool_calls/0").and_then(Value::as_object_mut);
        call.map(|call| call.remove("index"));
        let choice = json!({ "index": 0, "message": message, "finish_reason": stop });
        return Said::Json(whole("chat.completion", json!([choice])));
    }
    let chunk = |delta: Value, stop: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": stop });
        let mut chunk = whole("chat.completion.chunk", json!([choice]));
        chunk["usage"] = Value::Null;
        chunk
    };
    let stream = [
        chunk(message.take(), Value::Null),
        chunk(json!({}), json!(stop)),
        whole("chat.completion.chunk", json!([])),
    ];
    Said::Events(events(&stream, false) + "data: [DONE]\n\n")
}
