//! A tool in the JSON form of spec 003: what EditorMCP clients list and describe.

pub mod validate;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{JsonMap, Safety, Tier, ToolInfo, bounds};

/// One line of a tool list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The tool's id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its dotted category.
    pub category: String,
    /// What it may change.
    pub safety_level: Safety,
    /// Its tier label.
    pub tier: Tier,
}

/// The whole definition of one tool.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The tool's id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its dotted category.
    pub category: String,
    /// What it may change.
    pub safety_level: Safety,
    /// Its tier label.
    pub tier: Tier,
    /// Its parameters by name.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub inputs: JsonMap,
    /// Its output properties by name.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub outputs: JsonMap,
    /// Limits and caveats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Example calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
}

/// One example call of a definition.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Example {
    /// What it shows.
    pub description: String,
    /// The arguments.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub input: Value,
    /// The output.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub output: Value,
}

impl Summary {
    /// The list line of `tool`.
    pub fn of(tool: &ToolInfo) -> Self {
        Self {
            id: tool.id.to_owned(),
            name: tool.title.to_owned(),
            description: tool.words.description.clone(),
            category: tool.category.to_owned(),
            safety_level: tool.safety,
            tier: tool.tier,
        }
    }
}

impl Definition {
    /// The spec 003 form of `tool`.
    pub fn of(tool: &ToolInfo) -> Self {
        let Summary { id, name, description, category, safety_level, tier } = Summary::of(tool);
        let examples = tool
            .words
            .examples
            .iter()
            .map(|example| Example {
                description: example.description.to_owned(),
                input: example.input.clone(),
                output: typed(without_nulls(example.output.clone()), &tool.words.output),
            })
            .collect();
        Self {
            id,
            name,
            description,
            category,
            safety_level,
            tier,
            inputs: properties(&bounds::unsaid(&tool.words.input), input_parameter),
            outputs: properties(&tool.words.output, |property, _required| {
                output_property(property)
            })
            .into_iter()
            .filter(|(name, _)| is_typed(&tool.words.output, name))
            .collect(),
            notes: tool.notes.map(str::to_owned),
            examples,
        }
    }
}

/// Spec 003 knows no null: what is null is left out there.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key, without_nulls(value)))
                .collect(),
        ),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Spec 003 has no word for a value of any type either; such properties are left out there.
fn typed(output: Value, schema: &JsonMap) -> Value {
    match output {
        Value::Object(map) => {
            map.into_iter().filter(|(name, _)| is_typed(schema, name)).collect::<JsonMap>().into()
        }
        other => other,
    }
}

fn is_typed(schema: &JsonMap, name: &str) -> bool {
    let property = schema.get("properties").and_then(|properties| properties.get(name));
    property.is_none_or(|property| {
        ["type", "enum", "const", "anyOf", "oneOf"].iter().any(|key| property.get(key).is_some())
    })
}

/// The properties of an object schema, sorted by name, each put into spec 003's words.
fn properties(schema: &JsonMap, put: impl Fn(&JsonMap, bool) -> Value) -> JsonMap {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return JsonMap::new();
    };
    let mut named: Vec<(&String, Value)> = properties
        .iter()
        .filter_map(|(name, property)| {
            Some((name, put(property.as_object()?, required.contains(&name.as_str()))))
        })
        .collect();
    named.sort_by(|a, b| a.0.cmp(b.0));
    named.into_iter().map(|(name, property)| (name.clone(), property)).collect()
}

fn input_parameter(property: &JsonMap, required: bool) -> Value {
    let mut parameter = described(property);
    parameter.insert("required".to_owned(), json!(required));
    for key in ["enum", "minimum", "maximum", "items", "properties"] {
        if let Some(value) = property.get(key) {
            parameter.insert(key.to_owned(), plain(value));
        }
    }
    // A required parameter must not have a default, and a null default says nothing.
    if !required && let Some(default) = property.get("default").filter(|value| !value.is_null()) {
        parameter.insert("default".to_owned(), default.clone());
    }
    Value::Object(parameter)
}

fn output_property(property: &JsonMap) -> Value {
    let mut output = described(property);
    for key in ["items", "properties"] {
        if let Some(value) = property.get(key) {
            output.insert(key.to_owned(), plain(value));
        }
    }
    Value::Object(output)
}

fn described(property: &JsonMap) -> JsonMap {
    let description = property.get("description").and_then(Value::as_str).unwrap_or("");
    let mut map = JsonMap::new();
    map.insert("type".to_owned(), json!(one_type(property)));
    map.insert("description".to_owned(), json!(description));
    map
}

/// Spec 003 knows one type for a parameter; an optional one is simply left out, so `null` goes.
fn one_type(property: &JsonMap) -> &str {
    match property.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("object")
        }
        _ => "object",
    }
}

/// A nested schema, or a list of choices, in spec 003's words: one type each, and no `null`.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(values) => {
            values.iter().filter(|value| !value.is_null()).map(plain).collect::<Vec<_>>().into()
        }
        Value::Object(map) => {
            let mut map: JsonMap =
                map.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
            if let Some(Value::Array(_)) = map.get("type") {
                map["type"] = json!(one_type(&map));
            }
            map.into()
        }
        other => other.clone(),
    }
}
