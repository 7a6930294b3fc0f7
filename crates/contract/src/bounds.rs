//! How much one argument may hold where its schema says nothing else. The bounds are in the schema
//! of every tool and are checked; lists of tools leave these defaults out, because a model reads
//! every byte of them.

use serde_json::Value;

use crate::JsonMap;

/// Characters of a text: names, paths, queries.
pub const TEXT: u64 = 4096;
/// Characters of a text that is the content of a file. A tool whose argument is one says so.
pub const CONTENT: u64 = 4 << 20;
/// Items of a list.
pub const ITEMS: u64 = 1000;
/// Members of an object whose names nobody knows before.
pub const MEMBERS: u64 = 1000;
/// Values inside of an argument of any form.
pub const VALUES: usize = 100_000;

/// The schema with the bounds that it lacks.
pub fn fill(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if !map.contains_key("enum") {
        let is = |map: &JsonMap, name: &str| match map.get("type") {
            Some(Value::Array(names)) => names.iter().any(|one| one == name),
            Some(one) => one == name,
            None => false,
        };
        for (name, keyword, most) in [
            ("string", "maxLength", TEXT),
            ("array", "maxItems", ITEMS),
            ("object", "maxProperties", MEMBERS),
        ] {
            let is_closed = map.get("additionalProperties") == Some(&Value::Bool(false));
            if is(map, name) && !(name == "object" && is_closed) {
                map.entry(keyword).or_insert_with(|| most.into());
            }
        }
    }
    each_part(map, fill);
}

/// The schema as lists show it: without the bounds that hold where nothing is said.
pub fn unsaid(schema: &JsonMap) -> JsonMap {
    let mut schema = Value::Object(schema.clone());
    strip(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => JsonMap::new(),
    }
}

fn strip(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    for (keyword, defaults) in
        [("maxLength", &[TEXT, CONTENT][..]), ("maxItems", &[ITEMS]), ("maxProperties", &[MEMBERS])]
    {
        if map.get(keyword).and_then(Value::as_u64).is_some_and(|most| defaults.contains(&most)) {
            map.shift_remove(keyword);
        }
    }
    each_part(map, strip);
}

/// The schema for a model that reads every byte of it: without what can be taken for granted.
pub fn short(schema: &JsonMap) -> JsonMap {
    let mut schema = Value::Object(unsaid(schema));
    shorten(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => JsonMap::new(),
    }
}

fn shorten(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    // What need not be given may be null, too.
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|one| one != "null");
        if let [one] = &types[..] {
            map["type"] = one.clone();
        }
        if let Some(Value::Array(words)) = map.get_mut("enum") {
            words.retain(|word| !word.is_null());
        }
    }
    let is_empty = |value: &Value| match value {
        Value::Bool(is) => !is,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        other => other.is_null(),
    };
    let is_low = |value: &Value| value.as_f64().is_some_and(|least| least == 0.0 || least == 1.0);
    for (keyword, is_granted) in [
        ("default", &is_empty as &dyn Fn(&Value) -> bool),
        ("minimum", &is_low),
        ("additionalProperties", &|value| *value == Value::Bool(false)),
    ] {
        if map.get(keyword).is_some_and(is_granted) {
            map.shift_remove(keyword);
        }
    }
    // Clients drop the keyword, and a model is to know it all the same.
    if let Some(default) = map.shift_remove("default") {
        let text = map.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = format!("{text} {DEFAULT}{default}.").trim_start().to_owned();
        map.insert("description".to_owned(), text.into());
    }
    each_part(map, shorten);
}

/// Stands before a default in a description.
const DEFAULT: &str = "Default ";

/// The schema where there is hardly room for it: without bounds, and without words on numbers and
/// switches that need not be given, whose names say what they are; a switch keeps its default.
pub fn bare(schema: &mut JsonMap) {
    for keyword in ["maximum", "minimum", "maxItems", "minItems", "maxLength"] {
        schema.shift_remove(keyword);
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    if let Some(Value::Object(parts)) = schema.get_mut("properties") {
        let is_required =
            |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
        for (name, part) in parts.iter_mut() {
            let Value::Object(part) = part else { continue };
            let kind = part.get("type").and_then(Value::as_str);
            if matches!(kind, Some("integer" | "boolean")) && !is_required(name) {
                let is_switch = kind == Some("boolean");
                // How much of a list a model gets is a matter of pages.
                let text = part.shift_remove("description").filter(|_| is_switch);
                let text = text.as_ref().and_then(Value::as_str).unwrap_or_default();
                if let Some(default) = text.rfind(DEFAULT) {
                    part.insert("description".to_owned(), text[default..].into());
                }
            }
        }
    }
    each_part(schema, |part| {
        if let Value::Object(part) = part {
            bare(part);
        }
    });
}

/// The schemas inside of a schema.
fn each_part(map: &mut JsonMap, mut work: impl FnMut(&mut Value)) {
    for (keyword, value) in map.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(parts)) => {
                parts.values_mut().for_each(&mut work)
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(parts)) => {
                parts.iter_mut().for_each(&mut work);
            }
            ("items" | "additionalProperties", part) => work(part),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_filled_in_is_left_out_of_lists_and_what_was_said_stays() {
        let said = json!({
            "type": "object",
            "properties": {
                "name": { "type": ["string", "null"] },
                "mode": { "type": "string", "enum": ["a"] },
                "tiles": { "type": "array", "maxItems": 100_000, "items": { "type": "string" } },
                "any": { "description": "Anything." },
                "colour": { "anyOf": [{ "type": "string" }, { "type": "object" }] },
            },
            "additionalProperties": false,
        });
        let mut filled = said.clone();
        fill(&mut filled);
        let properties = &filled["properties"];
        assert_eq!(properties["name"]["maxLength"], TEXT);
        assert_eq!(properties["tiles"]["maxItems"], 100_000);
        assert_eq!(properties["tiles"]["items"]["maxLength"], TEXT);
        assert_eq!(properties["colour"]["anyOf"][1]["maxProperties"], MEMBERS);
        assert_eq!(properties["mode"], said["properties"]["mode"]);
        assert_eq!(filled.get("maxProperties"), None);
        assert_eq!(Value::Object(unsaid(filled.as_object().unwrap())), said);
    }

    #[test]
    fn what_goes_without_saying_is_not_said_to_a_model() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": { "type": ["string", "null"], "maxLength": TEXT },
                "count": { "type": "integer", "minimum": 1, "maximum": 9, "default": 5 },
                "dryRun": { "type": "boolean", "default": false },
                "any": { "type": "object", "additionalProperties": true, "default": {} },
                "mode": { "type": ["string", "null"], "enum": ["a", null], "description": "How." },
                "all": { "type": "boolean", "default": true, "description": "Whether." },
            },
            "additionalProperties": false,
        });
        let short = Value::Object(short(schema.as_object().unwrap()));
        assert_eq!(
            short,
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string" },
                    "count": { "type": "integer", "maximum": 9, "description": "Default 5." },
                    "dryRun": { "type": "boolean" },
                    "any": { "type": "object", "additionalProperties": true },
                    "mode": { "type": "string", "enum": ["a"], "description": "How." },
                    "all": { "type": "boolean", "description": "Whether. Default true." },
                },
            })
        );
    }

    #[test]
    fn a_bare_schema_has_its_names_types_and_what_must_be_given() {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "maxLength": 9, "description": "The file." },
                "count": { "type": "integer", "maximum": 9, "description": "Some. Default 5." },
                "steps": { "type": "array", "maxItems": 3, "items": {
                    "type": "object",
                    "properties": { "deep": { "type": "boolean", "description": "Whether." } },
                    "required": ["deep"],
                } },
            },
            "required": ["path"],
        });
        let mut bare_schema = schema.as_object().unwrap().clone();
        bare(&mut bare_schema);
        assert_eq!(
            Value::Object(bare_schema),
            json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "The file." },
                    "count": { "type": "integer" },
                    "steps": { "type": "array", "items": {
                        "type": "object",
                        "properties": { "deep": { "type": "boolean", "description": "Whether." } },
                        "required": ["deep"],
                    } },
                },
                "required": ["path"],
            })
        );
    }
}
