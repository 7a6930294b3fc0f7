//! Vectors, colours and packed numbers from callers' JSON.

use scenewright_godot::{Number, TupleKind, Variant};
use serde_json::{Map, Value};

use super::number;

/// Numbers by name, in a list, or as a colour's text.
pub(crate) fn tuple(kind: TupleKind, value: &Value) -> Option<Variant> {
    let numbers: Vec<f64> = match value {
        Value::Object(members) => {
            let names = member_names(kind)?;
            let given = names.iter().filter(|name| members.contains_key(**name)).count();
            if given != members.len() {
                return None;
            }
            let read = |name: &&str| match members.get(*name) {
                Some(value) => number(value),
                // A colour without alpha is opaque.
                None if *name == "a" => Some(1.0),
                None => None,
            };
            names.iter().map(read).collect::<Option<_>>()?
        }
        Value::Array(items) => flat(kind, items)?,
        Value::String(text) if kind == TupleKind::Color => html(text)?,
        _ => return None,
    };
    if kind.is_whole() && numbers.iter().any(|number| number.fract() != 0.0) {
        return None;
    }
    Variant::tuple(kind, &numbers)
}

fn flat(kind: TupleKind, items: &[Value]) -> Option<Vec<f64>> {
    let part = match kind {
        TupleKind::PackedVector2Array => Some(TupleKind::Vector2),
        TupleKind::PackedVector3Array => Some(TupleKind::Vector3),
        TupleKind::PackedVector4Array => Some(TupleKind::Vector4),
        TupleKind::PackedColorArray => Some(TupleKind::Color),
        _ => None,
    };
    let mut numbers = Vec::new();
    for item in items {
        match (item, part) {
            (Value::Number(_), _) => numbers.push(number(item)?),
            (_, Some(part)) => match tuple(part, item)? {
                Variant::Tuple(_, inner) => numbers.extend(inner.iter().map(Number::as_float)),
                _ => return None,
            },
            _ => return None,
        }
    }
    if kind == TupleKind::Color && numbers.len() == 3 {
        numbers.push(1.0);
    }
    Some(numbers)
}

pub(super) fn member_names(kind: TupleKind) -> Option<&'static [&'static str]> {
    Some(match kind {
        TupleKind::Vector2 | TupleKind::Vector2i => &["x", "y"],
        TupleKind::Vector3 | TupleKind::Vector3i => &["x", "y", "z"],
        TupleKind::Vector4 | TupleKind::Vector4i | TupleKind::Quaternion => &["x", "y", "z", "w"],
        TupleKind::Rect2 | TupleKind::Rect2i => &["x", "y", "width", "height"],
        TupleKind::Color => &["r", "g", "b", "a"],
        TupleKind::Plane => &["x", "y", "z", "d"],
        _ => return None,
    })
}

/// `#rgb`, `#rrggbb` or `#rrggbbaa`, with or without the `#`.
fn html(text: &str) -> Option<Vec<f64>> {
    let digits = text.trim().trim_start_matches('#');
    let wide: String = match digits.len() {
        3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 | 8 => digits.to_owned(),
        _ => return None,
    };
    if !wide.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(wide.get(at..at + 2)?, 16).ok();
    // Godot keeps colours as 32-bit floats.
    let part = |at: usize| byte(at).map(|byte| f64::from(f32::from(byte) / 255.0));
    let alpha = if wide.len() == 8 { part(6)? } else { 1.0 };
    Some(vec![part(0)?, part(2)?, part(4)?, alpha])
}

/// What `{"x": …}` without a type means.
pub(super) fn vector(members: &Map<String, Value>) -> Option<Variant> {
    let value = Value::Object(members.clone());
    let whole = members.values().all(Value::is_i64);
    let kinds = match members.len() {
        2 => [TupleKind::Vector2, TupleKind::Vector2],
        3 if members.contains_key("x") => [TupleKind::Vector3, TupleKind::Vector3],
        3 => [TupleKind::Color, TupleKind::Color],
        4 if members.contains_key("x") && !members.contains_key("width") => {
            [TupleKind::Vector4, TupleKind::Vector4]
        }
        4 if members.contains_key("width") => [TupleKind::Rect2, TupleKind::Rect2i],
        4 => [TupleKind::Color, TupleKind::Color],
        _ => return None,
    };
    tuple(kinds[usize::from(whole)], &value)
}
