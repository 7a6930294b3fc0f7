//! Values against schemas: defaults, and what examples send and receive.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::Rule;
use super::cx::{Cx, MAX_DEPTH, MAX_NODES, join};
use super::schema::{Level, Side};
use super::words::{choices, did_you_mean, found, quoted};
use crate::JsonMap;

/// The six types of the spec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
}

impl Type {
    pub(super) const ALL: [Self; 6] =
        [Self::String, Self::Integer, Self::Number, Self::Boolean, Self::Array, Self::Object];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    pub(super) fn with_article(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The type that a word of C#, Python or TypeScript stands for.
    pub(super) fn from_other_language(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "str" | "text" => Self::String,
            "int" | "int32" | "int64" | "long" | "uint" => Self::Integer,
            "float" | "double" | "decimal" | "single" => Self::Number,
            "bool" => Self::Boolean,
            "list" | "vector" => Self::Array,
            "dict" | "dictionary" | "map" => Self::Object,
            _ => return None,
        })
    }

    /// The type that `schema` declares, if it is one of the six.
    pub(super) fn declared(schema: &JsonMap) -> Option<Self> {
        Self::parse(schema.get("type")?.as_str()?)
    }

    pub(super) fn accepts(self, value: &Value) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Integer => value.as_number().is_some_and(is_whole),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

/// `2.0` is a whole number too, as in JSON Schema.
fn is_whole(number: &Number) -> bool {
    number.as_i128().is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Integers by their exact value, everything else as floats.
pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// A text that equal values share; nothing for values too deep to write down.
pub(super) fn fingerprint(value: &Value) -> Option<String> {
    match value {
        // `1.0` is the same number as `1`.
        Value::Number(number) if number.is_f64() && is_whole(number) => {
            number.as_f64().map(|float| format!("{float:.0}"))
        }
        _ => is_shallow(value, MAX_DEPTH).then(|| value.to_string()),
    }
}

fn is_shallow(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(values) => {
            depth > 0 && values.iter().all(|value| is_shallow(value, depth - 1))
        }
        Value::Object(members) => {
            depth > 0 && members.values().all(|value| is_shallow(value, depth - 1))
        }
        _ => true,
    }
}

/// Check `value` against `schema`. What is wrong with the schema itself is reported elsewhere.
pub(super) fn check_value(
    cx: &mut Cx<'_>,
    at: &str,
    value: &Value,
    schema: &JsonMap,
    level: Level,
) {
    if level.depth > MAX_DEPTH || !cx.visit(at) {
        return;
    }
    let Some(declared) = Type::declared(schema) else { return };
    if value.is_null() && null_means_not_given(schema) {
        return;
    }
    if !declared.accepts(value) {
        return report_type(cx, at, value, declared);
    }
    check_choice(cx, at, value, schema);
    check_range(cx, at, value, schema);
    match value {
        Value::Array(values) => check_items(cx, at, values, schema, level.below()),
        Value::Object(members) => check_object(cx, at, members, schema, level.below()),
        _ => {}
    }
}

fn null_means_not_given(schema: &JsonMap) -> bool {
    schema.get("default").is_some_and(Value::is_null)
        && schema.get("required") != Some(&Value::Bool(true))
}

fn report_type(cx: &mut Cx<'_>, at: &str, value: &Value, declared: Type) {
    let wanted = declared.with_article();
    match unquoted(value).filter(|inner| declared.accepts(inner)) {
        Some(inner) => {
            let message =
                format!("must be {wanted}; found {}; write {inner} without quotes", found(value));
            cx.error(at, Rule::TypeConsistency, message);
        }
        None => cx.wrong_type(at, wanted, value),
    }
}

/// The number or boolean inside a string, a frequent slip.
fn unquoted(value: &Value) -> Option<Value> {
    let inner: Value = serde_json::from_str(value.as_str()?).ok()?;
    (inner.is_number() || inner.is_boolean()).then_some(inner)
}

fn check_choice(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap) {
    let Some(Value::Array(allowed)) = schema.get("enum") else { return };
    // An empty list is reported with the schema, and so is one that is too long to search.
    if allowed.is_empty()
        || allowed.len() > MAX_NODES
        || allowed.iter().any(|choice| same(choice, value))
    {
        return;
    }
    let texts = allowed.iter().filter_map(Value::as_str);
    let hint = match value.as_str() {
        Some(text) => choices(text, texts),
        None => "write one of them".to_owned(),
    };
    let message = format!("{} is not in \"enum\"; {hint}", found(value));
    cx.error(at, Rule::Constraint, message);
}

/// Equality of scalars; `1` and `1.0` are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b).is_eq(),
        (Value::Array(_) | Value::Object(_), _) => {
            fingerprint(a).zip(fingerprint(b)).is_none_or(|(a, b)| a == b)
        }
        _ => a == b,
    }
}

pub(super) fn check_range(cx: &mut Cx<'_>, at: &str, value: &Value, schema: &JsonMap) {
    let Some(number) = value.as_number() else { return };
    let bound = |key| schema.get(key).and_then(Value::as_number);
    if let Some(minimum) = bound("minimum").filter(|minimum| compare(number, minimum).is_lt()) {
        let message = format!("{number} is below the minimum; write {minimum} or more");
        cx.error(at, Rule::Constraint, message);
    }
    if let Some(maximum) = bound("maximum").filter(|maximum| compare(number, maximum).is_gt()) {
        let message = format!("{number} is above the maximum; write {maximum} or less");
        cx.error(at, Rule::Constraint, message);
    }
}

fn check_items(cx: &mut Cx<'_>, at: &str, values: &[Value], schema: &JsonMap, level: Level) {
    let Some(Value::Object(items)) = schema.get("items") else { return };
    for (index, value) in values.iter().enumerate() {
        check_value(cx, &format!("{at}/{index}"), value, items, level);
    }
}

fn check_object(cx: &mut Cx<'_>, at: &str, members: &JsonMap, schema: &JsonMap, level: Level) {
    let rest = match (schema.get("properties"), schema.get("additionalProperties")) {
        (_, Some(Value::Object(rest))) => Rest::Schema(rest),
        (_, Some(Value::Bool(true))) | (None, None) => Rest::Anything,
        _ => Rest::Nothing,
    };
    let none = JsonMap::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let listed = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for name in listed.iter().filter_map(Value::as_str).take(MAX_NODES) {
        check_required_member(cx, at, members, name);
    }
    check_members(cx, at, members, properties, rest, level);
}

/// What an object may hold besides its declared properties.
#[derive(Clone, Copy)]
pub(super) enum Rest<'a> {
    Nothing,
    Anything,
    Schema(&'a JsonMap),
}

/// Check the members of an object, or of a whole input or output, against their schemas.
pub(super) fn check_members(
    cx: &mut Cx<'_>,
    at: &str,
    members: &JsonMap,
    properties: &JsonMap,
    rest: Rest<'_>,
    level: Level,
) {
    let is_required = |schema: &Value| schema.get("required") == Some(&Value::Bool(true));
    for (name, schema) in properties.iter().take(MAX_NODES) {
        if level.side == Side::Inputs && is_required(schema) {
            check_required_member(cx, at, members, name);
        }
    }
    for (name, value) in members {
        let at = &join(at, name);
        match (properties.get(name), rest) {
            (Some(Value::Object(schema)), _) => check_value(cx, at, value, schema, level),
            (None, Rest::Schema(schema)) => check_value(cx, at, value, schema, level),
            (None, Rest::Nothing) => report_undeclared(cx, at, name, properties, level.side),
            (Some(_), _) | (None, Rest::Anything) => {}
        }
    }
}

fn check_required_member(cx: &mut Cx<'_>, at: &str, members: &JsonMap, name: &str) {
    if !members.contains_key(name) && cx.visit(at) {
        let message = format!("{} is required and missing; add it", quoted(name));
        cx.error(at, Rule::RequiredFields, message);
    }
}

/// An input with an unknown name would be refused; an extra output only surprises.
fn report_undeclared(cx: &mut Cx<'_>, at: &str, name: &str, properties: &JsonMap, side: Side) {
    if !cx.visit(at) {
        return;
    }
    let hint = did_you_mean(name, properties.keys().map(String::as_str))
        .unwrap_or_else(|| "declare it or remove it".to_owned());
    let message = format!("{} is not declared; {hint}", quoted(name));
    match side {
        Side::Inputs => cx.error(at, Rule::TypeConsistency, message),
        Side::Outputs => cx.warn(at, Rule::TypeConsistency, message),
    }
}
