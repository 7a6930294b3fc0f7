//! OpenAI's responses.

use serde_json::{Value, json};

use super::seen::{Offered, Seen};
use super::{NAME, Said, Turn, events};

pub(super) fn read(body: &Value) -> Seen {
    let mut seen = Seen::new(body);
    body["tools"].as_array().into_iter().flatten().for_each(|tool| offer(&mut seen, tool, None));
    for item in body["input"].as_array().into_iter().flatten() {
        match item["type"].as_str() {
            Some("function_call_output" | "custom_tool_call_output" | "mcp_tool_call_output") => {
                seen.receive(&item["call_id"], &item["output"]);
            }
            Some("tool_search_output") => {
                let tools = item["tools"].as_array().into_iter().flatten();
                tools.for_each(|tool| offer(&mut seen, tool, None));
                seen.receive(&item["call_id"], &Value::Null);
            }
            _ if item["role"] == "user" => seen.add_pictures(&item["content"]),
            _ => {}
        }
    }
    // A namespace tells of a server in words of its own.
    let spaces = body["tools"].as_array().into_iter().flatten();
    let words = spaces.filter(|tool| tool["type"] == "namespace").map(|tool| &tool["description"]);
    seen.texts.extend(words.filter_map(|text| Some(text.as_str()?.to_owned())));
    seen
}

/// Functions, those of a namespace under its name.
fn offer(seen: &mut Seen, tool: &Value, namespace: Option<&str>) {
    match tool["type"].as_str() {
        Some("namespace") => {
            let inner = tool["tools"].as_array().into_iter().flatten();
            inner.for_each(|one| offer(seen, one, tool["name"].as_str()));
        }
        Some("function") => {
            let offered = seen.offer(&tool["name"], &tool["parameters"]);
            offered.namespace = namespace.map(str::to_owned);
            offered.is_deferred = tool["defer_loading"] == true;
        }
        Some("tool_search") => seen.offer(&tool["type"], &Value::Null).is_search = true,
        _ => {}
    }
}

pub(super) fn say(turn: Turn, streams: bool, serial: usize) -> Said {
    let item = item(turn, serial);
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 10, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 110,
    });
    let whole = |status: &str, output: Value, usage: Value| {
        json!({
            "id": format!("resp_{serial}"), "object": "response", "created_at": 1, "status": status, "model": NAME,
            "output": output, "usage": usage, "parallel_tool_calls": false, "tool_choice": "auto", "tools": [],
            "error": null, "incomplete_details": null, "instructions": null, "metadata": {},
        })
    };
    let done = whole("completed", json!([item]), usage);
    if !streams {
        return Said::Json(done);
    }
    let begun = whole("in_progress", json!([]), Value::Null);
    let mut stream = vec![
        json!({ "type": "response.created", "response": begun }),
        json!({ "type": "response.in_progress", "response": begun }),
    ];
    stream.extend(told(&item));
    stream.push(json!({ "type": "response.completed", "response": done }));
    for (number, event) in stream.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    Said::Events(events(&stream, true))
}

fn item(turn: Turn, serial: usize) -> Value {
    match turn {
        Turn::Say(text) => json!({
            "type": "message", "id": format!("msg_{serial}"), "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Turn::Call { tool: Offered { is_search: true, .. }, arguments, id } => json!({
            "type": "tool_search_call", "id": format!("ts_{serial}"), "call_id": id, "execution": "client",
            "status": "completed", "arguments": arguments,
        }),
        Turn::Call { tool, arguments, id } => {
            let mut item = json!({
                "type": "function_call", "id": format!("fc_{serial}"), "call_id": id, "name": tool.name,
                "arguments": arguments.to_string(), "status": "completed",
            });
            if let Some(namespace) = tool.namespace {
                item["namespace"] = json!(namespace);
            }
            item
        }
    }
}

/// The events that tell of an item bit by bit.
fn told(item: &Value) -> Vec<Value> {
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    let id = &item["id"];
    let mut told = Vec::new();
    match item["type"].as_str() {
        Some("message") => {
            let (part, text) = (&item["content"][0], &item["content"][0]["text"]);
            begun["content"] = json!([]);
            let at = json!({ "output_index": 0, "content_index": 0, "item_id": id });
            let mut tell = |kind: &str, key: &str, value: Value| {
                let mut event = at.clone();
                event["type"] = json!(format!("response.{kind}"));
                event[key] = value;
                told.push(event);
            };
            let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
            tell("content_part.added", "part", empty);
            tell("output_text.delta", "delta", text.clone());
            tell("output_text.done", "text", text.clone());
            tell("content_part.done", "part", part.clone());
        }
        Some("function_call") => {
            let arguments = &item["arguments"];
            told.push(json!({
                "type": "response.function_call_arguments.delta", "output_index": 0, "item_id": id, "delta": arguments,
            }));
            told.push(json!({
                "type": "response.function_call_arguments.done", "output_index": 0, "item_id": id, "arguments": arguments,
            }));
        }
        _ => {}
    }
    let added = json!({ "type": "response.output_item.added", "output_index": 0, "item": begun });
    told.insert(0, added);
    told.push(json!({ "type": "response.output_item.done", "output_index": 0, "item": item }));
    told
}
