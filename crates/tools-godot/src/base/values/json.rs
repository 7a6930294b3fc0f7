//! Values of files for readers of JSON.

use scenewright_godot::{Document, Number, TupleKind, Variant};
use serde_json::{Map, Value};

use super::tuples::member_names;

/// A value for a reader of JSON. What JSON cannot say stays as Godot writes it, so that it can be
/// given back.
pub fn to_json(document: &Document, value: &Variant) -> Value {
    match value {
        Variant::Nil => Value::Null,
        Variant::Bool(truth) => Value::Bool(*truth),
        Variant::Number(number) => number_json(number).unwrap_or_else(|| number.text().into()),
        Variant::String(text) | Variant::StringName(text) | Variant::NodePath(text) => {
            text.as_str().into()
        }
        Variant::Tuple(kind, numbers) => members_json(*kind, numbers)
            .unwrap_or_else(|| value.to_text(document.value_format()).into()),
        Variant::Strings(texts) => texts.clone().into(),
        Variant::Array(_, items) => items.iter().map(|item| to_json(document, item)).collect(),
        Variant::Dictionary(_, pairs) if pairs.iter().all(|(key, _)| key.as_str().is_some()) => {
            let named = pairs.iter().map(|(key, value)| {
                (key.as_str().unwrap_or_default().to_owned(), to_json(document, value))
            });
            Value::Object(named.collect())
        }
        Variant::ExtResource(id) => match document.ext_resource(id) {
            Some(found) => found.path().into(),
            None => value.to_text(document.value_format()).into(),
        },
        other => other.to_text(document.value_format()).into(),
    }
}

fn number_json(number: &Number) -> Option<Value> {
    match number.as_int() {
        Some(whole) => Some(whole.into()),
        None => serde_json::Number::from_f64(number.as_float()).map(Value::Number),
    }
}

fn members_json(kind: TupleKind, numbers: &[Number]) -> Option<Value> {
    let names = member_names(kind)?;
    let members = names
        .iter()
        .zip(numbers)
        .map(|(name, number)| Some(((*name).to_owned(), number_json(number)?)));
    members.collect::<Option<Map<String, Value>>>().map(Value::Object)
}
