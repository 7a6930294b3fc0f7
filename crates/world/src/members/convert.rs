//! From what files say, and from other values, to values of a type.

use std::sync::Arc;

use super::EnumValue;
use crate::math::{Color, Quat, Vec2, Vec3, Vec4};
use crate::object::Data;
use crate::types::Types;
use crate::value::{StructValue, Value};

/// How deep a value may be nested; files bound it too.
const MAX_DEPTH: usize = 64;

/// What a file says, as a value of the type; by its looks when the type is unknown.
pub(crate) fn from_data(data: &Data, type_name: &str, types: &Types) -> Value {
    read(data, type_name, types, 0)
}

fn read(data: &Data, type_name: &str, types: &Types, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    match data {
        Data::Reference(value) => value.clone(),
        Data::Text(text) => from_text(text, type_name, types),
        Data::List(items) => {
            let item = item_type(type_name).unwrap_or("");
            Value::list(items.iter().map(|data| read(data, item, types, depth + 1)).collect())
        }
        Data::Map(fields) => from_map(fields, type_name, types, depth),
    }
}

fn from_text(text: &str, type_name: &str, types: &Types) -> Value {
    match type_name {
        "System.String" => Value::text(text),
        "System.Boolean" => Value::Bool(matches!(text, "1" | "true" | "True")),
        "System.Single" => Value::Float(text.parse().unwrap_or(0.0)),
        "System.Double" => Value::Double(text.parse().unwrap_or(0.0)),
        "" => by_looks(text),
        // Files have masks of layers without a sign.
        "System.Int32" => Value::Int(match u32::try_from(whole(text)) {
            Ok(number) => i64::from(number.cast_signed()),
            Err(_) => whole(text),
        }),
        _ if is_whole(type_name) => Value::Int(whole(text)),
        _ if types.get_enum(type_name).is_some() => enum_value(type_name, whole(text), types),
        // An empty list or an empty struct is written as nothing.
        _ if text.is_empty() || text == "[]" || text == "{}" => default_of(type_name, types),
        _ => by_looks(text),
    }
}

fn by_looks(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>() {
        return Value::Int(number);
    }
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    match text.parse::<f32>() {
        Ok(number) if is_number => Value::Float(number),
        _ => Value::text(text),
    }
}

fn from_map(fields: &[(String, Data)], type_name: &str, types: &Types, depth: usize) -> Value {
    let number = |key: &str| -> Option<f32> {
        let (_, data) = fields.iter().find(|(name, _)| name == key)?;
        match data {
            Data::Text(text) => text.parse().ok(),
            _ => None,
        }
    };
    let has =
        |keys: &[&str]| fields.len() == keys.len() && keys.iter().all(|key| number(key).is_some());
    let of = |key: &str| number(key).unwrap_or(0.0);
    let looks_like =
        |wanted: &str, keys: &[&str]| type_name == wanted || (type_name.is_empty() && has(keys));
    match () {
        () if type_name == "UnityEngine.Quaternion" => {
            Value::Quat(Quat { x: of("x"), y: of("y"), z: of("z"), w: of("w") })
        }
        () if looks_like("UnityEngine.Vector2", &["x", "y"]) => {
            Value::Vec2(Vec2::new(of("x"), of("y")))
        }
        () if looks_like("UnityEngine.Vector3", &["x", "y", "z"]) => {
            Value::Vec3(Vec3::new(of("x"), of("y"), of("z")))
        }
        () if looks_like("UnityEngine.Vector4", &["x", "y", "z", "w"]) => {
            Value::Vec4(Vec4 { x: of("x"), y: of("y"), z: of("z"), w: of("w") })
        }
        () if looks_like("UnityEngine.Color", &["r", "g", "b", "a"]) => {
            Value::Color(Color { r: of("r"), g: of("g"), b: of("b"), a: of("a") })
        }
        () => {
            let known = types.members(type_name);
            let field = |(name, data): &(String, Data)| {
                let member = known.iter().find(|member| *member.name == **name);
                let type_name = member.map_or("", |member| &*member.type_name);
                (Arc::from(name.as_str()), read(data, type_name, types, depth + 1))
            };
            let fields = fields.iter().filter(|(name, _)| name != "serializedVersion").map(field);
            Value::Struct(Arc::new(StructValue {
                type_name: type_name.into(),
                fields: fields.collect(),
            }))
        }
    }
}

/// The value that a field of the type has before anyone sets it.
pub(crate) fn default_of(type_name: &str, types: &Types) -> Value {
    match type_name {
        "System.Boolean" => Value::Bool(false),
        "System.Single" => Value::Float(0.0),
        "System.Double" => Value::Double(0.0),
        "UnityEngine.Vector2" => Value::Vec2(Vec2::default()),
        "UnityEngine.Vector3" => Value::Vec3(Vec3::ZERO),
        "UnityEngine.Vector4" => Value::Vec4(Vec4::default()),
        "UnityEngine.Quaternion" => Value::Quat(Quat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 }),
        "UnityEngine.Color" => Value::Color(Color::default()),
        _ if is_whole(type_name) => Value::Int(0),
        _ if types.get_enum(type_name).is_some() => enum_value(type_name, 0, types),
        _ if item_type(type_name).is_some() => Value::list(Vec::new()),
        _ => Value::Null,
    }
}

/// The value as one of the type, as C# would assign it; nothing when it does not fit.
pub(crate) fn cast(value: Value, type_name: &str, types: &Types) -> Option<Value> {
    let number = value.as_f64();
    match (type_name, &value) {
        ("" | "System.Object", _) => Some(value),
        ("System.Boolean", Value::Bool(_))
        | ("System.String", Value::Text(_) | Value::Null)
        | ("UnityEngine.Vector2", Value::Vec2(_))
        | ("UnityEngine.Vector3", Value::Vec3(_))
        | ("UnityEngine.Vector4", Value::Vec4(_))
        | ("UnityEngine.Quaternion", Value::Quat(_))
        | ("UnityEngine.Color", Value::Color(_)) => Some(value),
        ("UnityEngine.Vector2", Value::Vec3(v)) => Some(Value::Vec2(Vec2::new(v.x, v.y))),
        ("UnityEngine.Vector3", Value::Vec2(v)) => Some(Value::Vec3(Vec3::new(v.x, v.y, 0.0))),
        ("System.Single", _) => number.map(|number| Value::Float(number as f32)),
        ("System.Double", _) => number.map(Value::Double),
        (_, Value::Int(_)) if is_whole(type_name) => Some(value),
        (_, Value::Enum(given)) if &*given.type_name == type_name => Some(value),
        (_, Value::Int(number)) if types.get_enum(type_name).is_some() => {
            Some(enum_value(type_name, *number, types))
        }
        (_, Value::List(_)) if item_type(type_name).is_some() => Some(value),
        (_, Value::Struct(given)) if &*given.type_name == type_name => Some(value),
        (_, Value::Null) if !is_plain(type_name, types) => Some(value),
        (_, Value::Object(_) | Value::Component(_) | Value::Asset(_))
            if !is_plain(type_name, types) =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// Whether a type holds values and not references.
fn is_plain(type_name: &str, types: &Types) -> bool {
    is_whole(type_name)
        || types.get_enum(type_name).is_some()
        || matches!(
            type_name,
            "System.Boolean"
                | "System.Single"
                | "System.Double"
                | "UnityEngine.Vector2"
                | "UnityEngine.Vector3"
                | "UnityEngine.Vector4"
                | "UnityEngine.Quaternion"
                | "UnityEngine.Color"
        )
}

fn is_whole(type_name: &str) -> bool {
    matches!(
        type_name,
        "System.Byte"
            | "System.SByte"
            | "System.Int16"
            | "System.UInt16"
            | "System.Int32"
            | "System.UInt32"
            | "System.Int64"
            | "System.UInt64"
            | "System.Char"
            | "UnityEngine.LayerMask"
    )
}

/// The number; huge unsigned ones, such as `4294967295` for every layer, are taken as they are.
fn whole(text: &str) -> i64 {
    text.parse().or_else(|_| text.parse::<f64>().map(|number| number as i64)).unwrap_or(0)
}

/// `T` of `T[]` and `List<T>`.
pub(super) fn item_type(type_name: &str) -> Option<&str> {
    if let Some(item) = type_name.strip_suffix("[]") {
        return Some(item);
    }
    let (head, rest) = type_name.split_once('<')?;
    let is_list = matches!(head, "List" | "System.Collections.Generic.List");
    rest.strip_suffix('>').filter(|_| is_list)
}

pub(super) fn enum_value(type_name: &str, number: i64, types: &Types) -> Value {
    let known = types.get_enum(type_name);
    let name = known.and_then(|known| known.members.iter().find(|(_, value)| *value == number));
    Value::Enum(Arc::new(EnumValue {
        type_name: type_name.into(),
        name: name.map_or_else(|| number.to_string().into(), |(name, _)| name.clone()),
        number,
    }))
}
