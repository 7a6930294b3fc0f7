//! Values from JSON, in the shapes that the Explorer interface takes.

use serde_json::Value as Json;

use super::convert;
use crate::ids::{ComponentId, ObjectId};
use crate::math::{Color, Quat, Vec2, Vec3, Vec4};
use crate::types::short_name;
use crate::value::Value;
use crate::world::World;

/// A JSON value does not fit a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {type_name} is expected, as {shape}; found {found}")]
pub struct BadValue {
    /// The type, without its namespace.
    pub type_name: String,
    /// How it is written.
    pub shape: &'static str,
    /// What was given.
    pub found: String,
}

pub(super) fn read(world: &World, json: &Json, type_name: &str) -> Result<Value, BadValue> {
    let shape = shape_of(world, type_name);
    let bad =
        || BadValue { type_name: short_name(type_name).to_owned(), shape, found: shorten(json) };
    let value = match type_name {
        "UnityEngine.Vector2" => numbers(json, ["x", "y"]).map(|[x, y]| Value::Vec2(Vec2 { x, y })),
        "UnityEngine.Vector3" => {
            numbers(json, ["x", "y", "z"]).map(|[x, y, z]| Value::Vec3(Vec3 { x, y, z }))
        }
        "UnityEngine.Vector4" => {
            numbers(json, ["x", "y", "z", "w"]).map(|[x, y, z, w]| Value::Vec4(Vec4 { x, y, z, w }))
        }
        "UnityEngine.Quaternion" => {
            numbers(json, ["x", "y", "z", "w"]).map(|[x, y, z, w]| Value::Quat(Quat { x, y, z, w }))
        }
        "UnityEngine.Color" => color(json),
        "System.String" => match json {
            Json::String(text) => Some(Value::text(text.as_str())),
            Json::Null => Some(Value::Null),
            _ => None,
        },
        _ if world.types().get_enum(type_name).is_some() => enum_member(world, json, type_name),
        _ => match convert::item_type(type_name) {
            Some(item) => return list(world, json, item).ok_or_else(bad)?,
            None => {
                plain(world, json).and_then(|value| convert::cast(value, type_name, world.types()))
            }
        },
    };
    value.filter(is_finite).ok_or_else(bad)
}

/// JSON has no infinite numbers, but numbers that are too large for a `float`.
fn is_finite(value: &Value) -> bool {
    let all = |parts: &[f32]| parts.iter().all(|part| part.is_finite());
    match value {
        Value::Float(number) => number.is_finite(),
        Value::Vec2(v) => all(&[v.x, v.y]),
        Value::Vec3(v) => all(&[v.x, v.y, v.z]),
        Value::Vec4(v) => all(&[v.x, v.y, v.z, v.w]),
        Value::Quat(q) => all(&[q.x, q.y, q.z, q.w]),
        Value::Color(c) => all(&[c.r, c.g, c.b, c.a]),
        _ => true,
    }
}

fn shape_of(world: &World, type_name: &str) -> &'static str {
    match type_name {
        "UnityEngine.Vector2" => r#"{"x":1,"y":2} or [1,2]"#,
        "UnityEngine.Vector3" => r#"{"x":1,"y":2,"z":3} or [1,2,3]"#,
        "UnityEngine.Vector4" | "UnityEngine.Quaternion" => {
            r#"{"x":0,"y":0,"z":0,"w":1} or [0,0,0,1]"#
        }
        "UnityEngine.Color" => r#"{"r":1,"g":0.5,"b":0,"a":1}"#,
        "System.String" => "text in quotes",
        "System.Boolean" => "true or false",
        "System.Single" | "System.Double" => "a number",
        _ if world.types().get_enum(type_name).is_some() => "a member's name or its number",
        _ if convert::item_type(type_name).is_some() => "a list",
        _ => "plain JSON or an object's id such as \"obj:12\"",
    }
}

/// A list whose items all fit.
fn list(world: &World, json: &Json, item: &str) -> Option<Result<Value, BadValue>> {
    let items: Result<Vec<Value>, BadValue> =
        json.as_array()?.iter().map(|json| read(world, json, item)).collect();
    Some(items.map(Value::list))
}

fn plain(world: &World, json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Double(number.as_f64()?),
        },
        Json::String(text) => match ObjectId::parse(text) {
            Ok(id) if world.object(id).is_some() => Value::Object(id),
            Ok(ObjectId(id)) if world.component(ComponentId(id)).is_some() => {
                Value::Component(ComponentId(id))
            }
            _ => Value::text(text.as_str()),
        },
        Json::Array(_) | Json::Object(_) => return None,
    })
}

/// Numbers under these names, in any case, or in this order.
fn numbers<const N: usize>(json: &Json, names: [&str; N]) -> Option<[f32; N]> {
    let mut found = [0.0; N];
    match json {
        Json::Array(items) if items.len() == N => {
            for (place, item) in found.iter_mut().zip(items) {
                *place = item.as_f64()? as f32;
            }
        }
        Json::Object(_) => {
            for (place, name) in found.iter_mut().zip(names) {
                *place = part(json, name)?;
            }
        }
        _ => return None,
    }
    Some(found)
}

fn color(json: &Json) -> Option<Value> {
    json.as_object()?;
    let a = match json.as_object()?.keys().any(|key| key.eq_ignore_ascii_case("a")) {
        true => part(json, "a")?,
        false => 1.0,
    };
    Some(Value::Color(Color { r: part(json, "r")?, g: part(json, "g")?, b: part(json, "b")?, a }))
}

fn part(json: &Json, name: &str) -> Option<f32> {
    let mut parts = json.as_object()?.iter();
    let (_, value) = parts.find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    Some(value.as_f64()? as f32)
}

fn enum_member(world: &World, json: &Json, type_name: &str) -> Option<Value> {
    let known = world.types().get_enum(type_name)?;
    let number = match json {
        Json::String(text) => {
            let mut members = known.members.iter();
            members.find(|(name, _)| name.eq_ignore_ascii_case(text))?.1
        }
        _ => json.as_i64()?,
    };
    Some(convert::enum_value(type_name, number, world.types()))
}

fn shorten(json: &Json) -> String {
    let text = json.to_string();
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
