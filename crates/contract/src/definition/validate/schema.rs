//! The schemas of inputs and outputs.

use std::collections::HashMap;

use serde_json::Value;

use super::Rule;
use super::cx::{Cx, MAX_DEPTH, join};
use super::value::{Type, check_range, check_value, compare, fingerprint};
use super::words::{choices, found, quoted};
use crate::JsonMap;

/// A longer name is reported and not looked into: every pointer below it would repeat it.
const MAX_NAME: usize = 128;

/// Which half of a definition a schema belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Inputs,
    Outputs,
}

/// Where a schema stands: directly in `inputs` or `outputs` (depth 0), or below.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) side: Side,
    pub(super) depth: usize,
}

impl Level {
    pub(super) fn top(side: Side) -> Self {
        Self { side, depth: 0 }
    }

    pub(super) fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn is_top(self) -> bool {
        self.depth == 0
    }

    /// The keys a schema has here. `items` and `properties` in inputs and `additionalProperties`
    /// are a superset of the spec that old readers skip; its own output example uses `properties`.
    fn keys(self) -> &'static [&'static str] {
        match (self.is_top(), self.side) {
            (true, Side::Inputs) => &[
                "type",
                "required",
                "description",
                "default",
                "enum",
                "minimum",
                "maximum",
                "items",
                "properties",
                "additionalProperties",
            ],
            (true, Side::Outputs) => {
                &["type", "description", "items", "properties", "additionalProperties"]
            }
            // Nested schemas are JSON Schema in the spec's examples, so its plain words are known.
            (false, _) => &[
                "type",
                "description",
                "required",
                "default",
                "enum",
                "minimum",
                "maximum",
                "items",
                "properties",
                "additionalProperties",
                "title",
                "format",
            ],
        }
    }

    fn required_keys(self) -> &'static [(&'static str, &'static str)] {
        const TYPE: (&str, &str) = ("type", "one of the six types, such as \"string\"");
        const REQUIRED: (&str, &str) = ("required", "true or false");
        const DESCRIPTION: (&str, &str) = ("description", "what it is, in a sentence");
        match (self.is_top(), self.side) {
            (true, Side::Inputs) => &[TYPE, REQUIRED, DESCRIPTION],
            (true, Side::Outputs) => &[TYPE, DESCRIPTION],
            (false, _) => &[],
        }
    }
}

pub(super) fn check_inputs(cx: &mut Cx<'_>, at: &str, value: &Value) {
    check_properties(cx, at, value, Level::top(Side::Inputs));
}

pub(super) fn check_outputs(cx: &mut Cx<'_>, at: &str, value: &Value) {
    if value.as_object().is_some_and(JsonMap::is_empty) {
        let message = "no output is declared; name each property that the tool returns";
        cx.warn(at, Rule::SchemaCompleteness, message);
    }
    check_properties(cx, at, value, Level::top(Side::Outputs));
}

fn check_properties(cx: &mut Cx<'_>, at: &str, value: &Value, level: Level) {
    let wanted = "an object of named schemas, such as {\"path\": {\"type\": \"string\"}}";
    let Some(properties) = cx.object(at, wanted, value) else { return };
    for (name, schema) in properties {
        let at = &join(at, name);
        if check_property_name(cx, at, name, level.side) {
            check_schema(cx, at, schema, level);
        }
    }
}

/// Whether the schema under this name is worth a look.
fn check_property_name(cx: &mut Cx<'_>, at: &str, name: &str, side: Side) -> bool {
    if name.len() > MAX_NAME {
        let message = format!(
            "the name {} is longer than {MAX_NAME} bytes; its schema was not checked",
            quoted(name)
        );
        cx.error(at, Rule::Constraint, message);
        return false;
    }
    if side == Side::Inputs && !is_identifier(name) {
        let message = format!(
            "{} is not an identifier; use letters, digits and _, and no digit first",
            quoted(name)
        );
        cx.error(at, Rule::Constraint, message);
    }
    true
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

fn check_schema(cx: &mut Cx<'_>, at: &str, value: &Value, level: Level) {
    if !cx.visit(at) {
        return;
    }
    if level.depth > MAX_DEPTH {
        let message = format!("nested deeper than {MAX_DEPTH} levels and not checked; flatten it");
        return cx.error(at, Rule::SchemaCompleteness, message);
    }
    let wanted = "a schema object, such as {\"type\": \"string\"}";
    let Some(schema) = cx.object(at, wanted, value) else { return };
    cx.check_present(at, schema, level.required_keys());
    check_complete(cx, at, schema, level);
    for (key, value) in schema {
        let at = &join(at, key);
        if level.keys().contains(&key.as_str()) {
            check_keyword(cx, at, key, value, schema, level);
        } else {
            cx.unknown_key(at, key, level.keys());
        }
    }
}

fn check_keyword(
    cx: &mut Cx<'_>,
    at: &str,
    key: &str,
    value: &Value,
    schema: &JsonMap,
    level: Level,
) {
    match key {
        "type" => check_type(cx, at, value),
        "description" => check_description(cx, at, value, level),
        "required" => check_required(cx, at, value, schema, level),
        "default" => check_default(cx, at, value, schema, level),
        "enum" => check_enum(cx, at, value, schema),
        "minimum" | "maximum" => check_bound(cx, at, key, value, schema),
        "items" => {
            check_belongs(cx, at, key, schema, &[Type::Array]);
            check_schema(cx, at, value, level.below());
        }
        "properties" => {
            check_belongs(cx, at, key, schema, &[Type::Object]);
            check_properties(cx, at, value, level.below());
        }
        "additionalProperties" => {
            check_belongs(cx, at, key, schema, &[Type::Object]);
            if !value.is_boolean() {
                check_schema(cx, at, value, level.below());
            }
        }
        _ => {}
    }
}

/// Outputs have nothing but the schema to validate with; inputs may say it in the description.
fn check_complete(cx: &mut Cx<'_>, at: &str, schema: &JsonMap, level: Level) {
    if !level.is_top() && !schema.contains_key("type") {
        let message = "a nested schema without \"type\" accepts anything; add one of the six types";
        cx.warn(at, Rule::SchemaCompleteness, message);
    }
    if level.side == Side::Inputs {
        return;
    }
    let has = |key| schema.contains_key(key);
    match Type::declared(schema) {
        // A nested array may be of the kind around it (the spec's `children`), which no schema here
        // can say.
        Some(Type::Array) if level.is_top() && !has("items") => {
            let message = "an array should say what it holds; add \"items\": {\"type\": ...}";
            cx.warn(at, Rule::SchemaCompleteness, message);
        }
        Some(Type::Object) if !has("properties") && !has("additionalProperties") => {
            let message = "an object should define its properties; add \"properties\": {...}";
            cx.warn(at, Rule::SchemaCompleteness, message);
        }
        _ => {}
    }
}

fn check_type(cx: &mut Cx<'_>, at: &str, value: &Value) {
    let Some(name) = value.as_str() else {
        return cx.wrong_type(at, "the name of one of the six types", value);
    };
    if Type::parse(name).is_none() {
        let hint = match Type::from_other_language(name) {
            Some(meant) => format!("did you mean {:?}?", meant.as_str()),
            None => choices(name, Type::ALL.map(Type::as_str)),
        };
        let message = format!("{} is not a type; {hint}", quoted(name));
        cx.error(at, Rule::TypeConsistency, message);
    }
}

fn check_description(cx: &mut Cx<'_>, at: &str, value: &Value, level: Level) {
    if level.is_top() {
        cx.text(at, value);
    } else if !value.is_string() {
        cx.wrong_type(at, "a string", value);
    }
}

/// A boolean; in a nested object also JSON Schema's list of the required properties.
fn check_required(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap, level: Level) {
    match value {
        Value::Bool(_) => {}
        Value::Array(names) if !level.is_top() => {
            for (index, name) in names.iter().enumerate() {
                check_required_name(cx, &format!("{at}/{index}"), name, schema);
            }
        }
        other => cx.wrong_type(at, "true or false", other),
    }
}

fn check_required_name(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap) {
    if !cx.visit(at) {
        return;
    }
    let Some(name) = cx.text(at, value) else { return };
    let Some(Value::Object(properties)) = schema.get("properties") else { return };
    if !properties.contains_key(name) {
        let hint = choices(name, properties.keys().map(String::as_str));
        let message = format!("{} is required but not declared; {hint}", quoted(name));
        cx.error(at, Rule::Constraint, message);
    }
}

fn check_default(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap, level: Level) {
    if schema.get("required") == Some(&Value::Bool(true)) {
        let message =
            "a required parameter has no default; remove this or write \"required\": false";
        return cx.error(at, Rule::Constraint, message);
    }
    // The spec's own example has a null default of a boolean: it stands for "not given".
    if !value.is_null() {
        check_value(cx, at, value, schema, level);
    }
}

fn check_enum(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap) {
    let Some(choices) = value.as_array() else {
        return cx.wrong_type(at, "an array of the allowed values", value);
    };
    if choices.is_empty() {
        let message = "allows no value; list the allowed ones or remove it";
        cx.error(at, Rule::Constraint, message);
    }
    let mut seen = HashMap::new();
    for (index, choice) in choices.iter().enumerate() {
        let at = &format!("{at}/{index}");
        if !cx.visit(at) {
            return;
        }
        check_enum_choice(cx, at, choice, schema);
        let Some(print) = fingerprint(choice) else { continue };
        if let Some(first) = seen.insert(print, index) {
            let message = format!("{} repeats choice {first}; remove one", found(choice));
            cx.error(at, Rule::Constraint, message);
        }
    }
}

fn check_enum_choice(cx: &mut Cx<'_>, at: &str, choice: &Value, schema: &JsonMap) {
    let Some(declared) = Type::declared(schema) else { return };
    if !declared.accepts(choice) {
        return cx.wrong_type(at, declared.with_article(), choice);
    }
    check_range(cx, at, choice, schema);
}

fn check_bound(cx: &mut Cx<'_>, at: &str, key: &str, value: &Value, schema: &JsonMap) {
    check_belongs(cx, at, key, schema, &[Type::Integer, Type::Number]);
    let Some(bound) = value.as_number() else {
        return cx.wrong_type(at, "a number", value);
    };
    let minimum = schema.get("minimum").and_then(Value::as_number);
    let Some(minimum) = minimum.filter(|_| key == "maximum") else { return };
    if compare(minimum, bound).is_gt() {
        let message = format!("{bound} is below the minimum {minimum}; swap or widen them");
        cx.error(at, Rule::Constraint, message);
    }
}

/// Whether a keyword stands on a type it says something about; an unknown type is its own problem.
fn check_belongs(cx: &mut Cx<'_>, at: &str, key: &str, schema: &JsonMap, types: &[Type]) {
    let Some(declared) = Type::declared(schema) else { return };
    if !types.contains(&declared) {
        let on: Vec<&str> = types.iter().map(|kind| kind.as_str()).collect();
        let message = format!(
            "{key:?} goes with {}; this is {}, so remove it or change the type",
            on.join(" and "),
            declared.with_article()
        );
        cx.error(at, Rule::Constraint, message);
    }
}
