//! JSON Schemas from the types of a tool, kept small and plain: every byte of them is read by a
//! model on each conversation.

use scenewright_contract::{JsonMap, bounds};
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of what a tool takes.
pub fn input<T: JsonSchema>() -> JsonMap {
    let mut generator = generator(Contract::Deserialize);
    let schema = T::json_schema(&mut generator);
    closed(whole(generator, schema))
}

/// The schema of what a tool gives back: a property that may be left out is not required.
pub fn output<T: JsonSchema>() -> JsonMap {
    let mut generator = generator(Contract::Serialize);
    let schema = T::json_schema(&mut generator);
    plain(whole(generator, schema))
}

/// For `schema_with`: a value of any kind. Readers that know one type only take the first.
pub fn any_value(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({
        "type": ["string", "number", "boolean", "array", "object", "null"],
        "maxLength": bounds::CONTENT,
    })
}

// There are hundreds of types, so what needs to know none of them is compiled apart, once; schemars'
// own `into_root_schema_for` is compiled for each.

fn generator(contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    settings.into_generator()
}

/// A schema with the definitions it refers to: only types that contain themselves are referred to.
fn whole(mut generator: SchemaGenerator, mut schema: Schema) -> Schema {
    for transform in generator.transforms_mut() {
        transform.transform(&mut schema);
    }
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Nothing is without a bound, and unknown arguments are refused by the schema, so that inputs can be put together from parts,
/// which `deny_unknown_fields` does not allow.
fn closed(schema: Schema) -> JsonMap {
    let mut schema = plain(schema);
    schema.shift_remove("unevaluatedProperties");
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    let mut schema = Value::Object(schema);
    bounds::fill(&mut schema);
    match schema {
        Value::Object(schema) => schema,
        _ => JsonMap::new(),
    }
}

fn plain(schema: Schema) -> JsonMap {
    let mut schema = schema.to_value();
    tidy(&mut schema);
    match schema {
        Value::Object(mut map) => {
            map.shift_remove("title");
            map.entry("properties").or_insert_with(|| Value::Object(JsonMap::new()));
            map
        }
        _ => JsonMap::new(),
    }
}

/// Remove what says nothing to a reader: Rust's integer formats, and `null` defaults.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => {
            flatten_choices(map);
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = unwrapped(text);
            }
            let is_schema = map.contains_key("type") || map.contains_key("anyOf");
            if is_schema {
                if matches!(map.get("format"), Some(Value::String(format)) if is_number(format)) {
                    map.shift_remove("format");
                }
                if map.get("default") == Some(&Value::Null) {
                    map.shift_remove("default");
                }
                flatten_option(map);
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(values) => values.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Doc comments are wrapped for the source; only blank lines mean something.
fn unwrapped(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn is_number(format: &str) -> bool {
    ["int", "uint", "float", "double"].iter().any(|prefix| format.starts_with(prefix))
}

/// An enum whose variants are documented comes as `oneOf` constants; a plain `enum` says the same.
fn flatten_choices(map: &mut JsonMap) {
    let Some(Value::Array(choices)) = map.get("oneOf") else { return };
    let mut values = Vec::new();
    for choice in choices {
        match (choice.get("const"), choice.get("enum")) {
            (Some(value), None) => values.push(value.clone()),
            (None, Some(Value::Array(some))) => values.extend(some.iter().cloned()),
            _ => return,
        }
    }
    map.shift_remove("oneOf");
    map.insert("type".to_owned(), "string".into());
    map.insert("enum".to_owned(), Value::Array(values));
}

/// `anyOf: [X, null]` becomes X with `null` among its types: one level less to read.
fn flatten_option(map: &mut JsonMap) {
    let Some(Value::Array(choices)) = map.get_mut("anyOf") else { return };
    let null = serde_json::json!({ "type": "null" });
    if choices.len() != 2 || !choices.contains(&null) {
        return;
    }
    choices.retain(|choice| *choice != null);
    let Some(Value::Object(mut only)) = choices.pop() else { return };
    flatten_choices(&mut only);
    if let Some(Value::String(name)) = only.get("type") {
        only.insert("type".to_owned(), serde_json::json!([name, "null"]));
    }
    if let Some(Value::Array(values)) = only.get_mut("enum") {
        values.push(Value::Null);
    }
    map.shift_remove("anyOf");
    for (key, value) in only {
        map.entry(key).or_insert(value);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check<T: JsonSchema>(expected: Expect) {
        expected.assert_eq(&serde_json::to_string_pretty(&input::<T>()).unwrap());
    }

    /// What the tool does, told
    /// over two lines.
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Input {
        /// How many.
        count: u32,
        /// Which.
        kind: Option<Kind>,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code)]
    enum Kind {
        /// The first.
        A,
        B,
    }

    #[test]
    fn schemas_are_inline_and_small() {
        check::<Input>(expect![[r#"
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "count": {
                  "type": "integer",
                  "minimum": 0,
                  "description": "How many."
                },
                "kind": {
                  "description": "Which.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "enum": [
                    "B",
                    "A",
                    null
                  ]
                }
              },
              "required": [
                "count"
              ],
              "description": "What the tool does, told over two lines."
            }"#]]);
    }

    #[derive(JsonSchema)]
    struct Nothing {}

    #[test]
    fn a_tool_without_arguments_still_has_properties() {
        check::<Nothing>(expect![[r#"
            {
              "type": "object",
              "properties": {},
              "additionalProperties": false
            }"#]]);
    }
}
