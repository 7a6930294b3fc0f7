//! How a tool is called, for a model that is about to: names, types, defaults, an example, in few words.

use scenewright_contract::tool::first_sentence;
use scenewright_contract::{JsonMap, ToolInfo, bounds};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// Bytes of a description: 400 tokens.
pub(super) const BYTES: usize = 1600;

/// How a tool is called.
#[derive(Serialize, JsonSchema)]
pub(super) struct Short {
    /// The name to call it by.
    tool: String,
    /// What it does.
    description: String,
    /// Its arguments by name: type, default and what it is. Those that must be given come first.
    #[schemars(with = "Map<String, Value>")]
    arguments: JsonMap,
    /// What it may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    safety: Option<&'static str>,
    /// A flag that the server lacks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<String>,
    /// Limits and caveats.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    /// Arguments that work on the bundled sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    example: Option<Value>,
}

/// How much is said where there is less and less room.
#[derive(Clone, Copy)]
struct Room {
    description: usize,
    notes: usize,
    /// Bytes on an argument that must be given, on others, and on parts of both.
    required: usize,
    optional: usize,
    parts: usize,
    example: usize,
}

const ROOMS: [Room; 7] = [
    Room { description: 600, notes: 400, required: 400, optional: 300, parts: 120, example: 500 },
    Room { description: 400, notes: 250, required: 300, optional: 140, parts: 60, example: 400 },
    Room { description: 300, notes: 160, required: 600, optional: 80, parts: 0, example: 300 },
    Room { description: 200, notes: 100, required: 560, optional: 60, parts: 0, example: 250 },
    Room { description: 160, notes: 0, required: 560, optional: 40, parts: 0, example: 250 },
    Room { description: 120, notes: 0, required: 480, optional: 24, parts: 0, example: 200 },
    Room { description: 100, notes: 0, required: 200, optional: 0, parts: 0, example: 200 },
];

impl Short {
    pub(super) fn of(tool: &ToolInfo, needs: Option<String>) -> Short {
        let with = |room: &Room| Self::within(tool, needs.clone(), *room);
        let fits = |short: &Short| short.bytes() <= BYTES;
        let found = ROOMS.iter().map(with).find(fits);
        found.unwrap_or_else(|| with(&ROOMS[ROOMS.len() - 1]))
    }

    fn within(tool: &ToolInfo, needs: Option<String>, room: Room) -> Short {
        let words = &tool.words;
        let changes = tool.safety != scenewright_contract::Safety::ReadOnly;
        let examples = words.examples.iter().map(|example| &example.input);
        let length = |example: &&Value| example.to_string().len();
        // One that says little of itself is better than none.
        let example = examples.clone().find(|example| length(example) <= room.example);
        let example = example.or_else(|| examples.min_by_key(length));
        let notes = tool.notes.map(|notes| sentences(notes, room.notes));
        Short {
            tool: tool.mcp_name.clone(),
            description: sentences(&words.description, room.description),
            arguments: arguments(&bounds::unsaid(&words.input), room),
            safety: changes.then(|| tool.safety.as_str()),
            needs,
            notes: notes.filter(|notes| !notes.is_empty()),
            example: example
                .filter(|example| example.as_object().is_some_and(|map| !map.is_empty()))
                .cloned(),
        }
    }

    fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len())
    }
}

/// As many sentences as have room; the first, cut, where even that has none.
fn sentences(text: &str, most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    let mut end = 0;
    while let Some(next) =
        text.get(end..).map(first_sentence).map(str::len).filter(|next| *next > 0)
    {
        let after = end + next;
        if after > most {
            break;
        }
        let blank = text[after..].len() - text[after..].trim_start().len();
        end = after + blank;
    }
    match end {
        0 => cut(text, most),
        end => text[..end].trim_end().to_owned(),
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let blanks = text.match_indices([' ', '\n']).map(|(at, _)| at);
    let end = blanks.take_while(|at| *at <= most).last().unwrap_or(0);
    format!("{}…", text[..end].trim_end_matches([',', ':', ';', ' ']))
}

fn arguments(schema: &JsonMap, room: Room) -> JsonMap {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let Some(Value::Object(properties)) = schema.get("properties") else { return JsonMap::new() };
    let (first, rest): (Vec<_>, Vec<_>) =
        properties.iter().partition(|(name, _)| is_required(name));
    let first = first.into_iter().map(|(name, property)| {
        (name.clone(), argument(property, true, room.required, room.parts).into())
    });
    let rest = rest.into_iter().map(|(name, property)| {
        (name.clone(), argument(property, false, room.optional, room.parts).into())
    });
    first.chain(rest).collect()
}

/// `string, required: The scene.`, `integer = 5: How many.`
fn argument(schema: &Value, is_required: bool, most: usize, parts: usize) -> String {
    let mut text = kind(schema, parts);
    let default = schema.get("default").filter(|default| !default.is_null() && !is_required);
    if let Some(default) = default.filter(|default| !is_nothing(default)) {
        text += &format!(" = {default}");
    }
    if is_required {
        text += ", required";
    }
    let own = schema["description"].as_str().unwrap_or_default();
    // What is known of an item is known nowhere else.
    let item = schema["items"]["description"].as_str().unwrap_or_default();
    let whole =
        [own, item].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    let about = sentences(&whole, most);
    if about.is_empty() { text } else { format!("{text}: {about}") }
}

fn is_nothing(default: &Value) -> bool {
    match default {
        Value::Bool(is) => !is,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// The type of a value: `"a"|"b"`, `[string]`, `{x: number, y?: number}`. `parts` are the bytes that may
/// be said of each member.
fn kind(schema: &Value, parts: usize) -> String {
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str);
        return words.collect::<Vec<_>>().join("|");
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let kinds: Vec<String> = alternatives.iter().map(|one| kind(one, parts)).collect();
        return kinds.into_iter().filter(|kind| kind != "null").collect::<Vec<_>>().join("|");
    }
    let types = match &schema["type"] {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let types: Vec<&str> = types.into_iter().filter(|name| *name != "null").collect();
    // Any kind of value has all of them.
    if types.is_empty() || types.len() > 4 {
        return "any JSON".to_owned();
    }
    let of = |name: &&str| match *name {
        "array" => format!("[{}]", kind(&schema["items"], parts)),
        "object" => members(schema, parts).unwrap_or_else(|| "object".to_owned()),
        "boolean" => "bool".to_owned(),
        name => name.to_owned(),
    };
    types.iter().map(of).collect::<Vec<_>>().join("|")
}

fn members(schema: &Value, parts: usize) -> Option<String> {
    let properties = schema["properties"].as_object()?;
    let required = schema["required"].as_array();
    let is_required = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name));
    let member = |(name, property): (&String, &Value)| {
        let mark = if is_required(name) { "" } else { "?" };
        let own = property["description"].as_str().unwrap_or_default();
        let about = sentences(own, parts);
        let about = if about.is_empty() { about } else { format!(" ({about})") };
        let kind = match kind(property, 0) {
            // Most are; the name says what.
            kind if kind == "string" || kind == "any JSON" => String::new(),
            kind => format!(": {kind}"),
        };
        format!("{name}{mark}{kind}{about}")
    };
    Some(format!("{{{}}}", properties.iter().map(member).collect::<Vec<_>>().join(", ")))
}

/// A description as a model reads it.
pub(crate) fn text(output: &Value) -> String {
    let said = |key: &str| output[key].as_str().unwrap_or_default();
    let mut lines = vec![format!("{}: {}", said("tool"), said("description"))];
    for (key, words) in [("safety", ""), ("needs", "needs ")] {
        lines.extend(output[key].as_str().map(|text| format!("{words}{text}")));
    }
    let arguments = output["arguments"].as_object().into_iter().flatten();
    lines.extend(
        arguments.map(|(name, about)| format!("- {name}: {}", about.as_str().unwrap_or_default())),
    );
    lines.extend(output["notes"].as_str().map(str::to_owned));
    if !output["example"].is_null() {
        lines.push(format!("Example: {}", output["example"]));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_said_as_a_signature() {
        let check = |schema: Value, expected: Expect| {
            expected.assert_eq(&argument(&schema, false, 80, 20));
        };
        check(
            json!({ "type": "string", "description": "The scene." }),
            expect!["string: The scene."],
        );
        check(
            json!({ "type": "integer", "default": 5, "description": "Most." }),
            expect!["integer = 5: Most."],
        );
        check(json!({ "type": ["string", "null"], "enum": ["a", "b", null] }), expect!["a|b"]);
        check(json!({ "type": "boolean", "default": false }), expect!["bool"]);
        check(json!({}), expect!["any JSON"]);
        let point = json!({ "type": "object", "required": ["x"], "properties": {
            "x": { "type": "number" }, "name": { "type": "string", "description": "Its name." },
        } });
        check(
            json!({ "type": "array", "items": point }),
            expect!["[{x: number, name? (Its name.)}]"],
        );
    }

    #[test]
    fn texts_end_with_a_sentence_or_a_word() {
        assert_eq!(sentences("One. Two three. Four.", 16), "One. Two three.");
        assert_eq!(sentences("One two three four.", 12), "One two…");
        assert_eq!(sentences("One. Two.", 99), "One. Two.");
        assert_eq!(sentences("One.", 0), "");
    }

    #[test]
    fn a_model_reads_lines() {
        let output = json!({
            "tool": "edit_node", "description": "Set properties.", "safety": "safe-write",
            "needs": "--allow-writes", "arguments": { "nodePath": "string, required: The node." },
            "notes": "Of one scene.", "example": { "nodePath": "." },
        });
        expect![[r#"
            edit_node: Set properties.
            safe-write
            needs --allow-writes
            - nodePath: string, required: The node.
            Of one scene.
            Example: {"nodePath":"."}"#]]
        .assert_eq(&text(&output));
    }
}
