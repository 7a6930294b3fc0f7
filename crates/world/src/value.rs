//! Values of members, as C# code of the game would see them.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::ids::{ComponentId, ObjectId};
use crate::math::{Color, Quat, Vec2, Vec3, Vec4};
use crate::real::{double_text, float_text};

/// A value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number of any size.
    Int(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// Text.
    Text(Arc<str>),
    /// A `Vector2`.
    Vec2(Vec2),
    /// A `Vector3`.
    Vec3(Vec3),
    /// A `Vector4`.
    Vec4(Vec4),
    /// A `Quaternion`.
    Quat(Quat),
    /// A `Color`.
    Color(Color),
    /// A member of an enum.
    Enum(Arc<EnumValue>),
    /// A GameObject, perhaps destroyed.
    Object(ObjectId),
    /// A component, perhaps destroyed.
    Component(ComponentId),
    /// An asset of the project.
    Asset(Arc<AssetRef>),
    /// An array or a list.
    List(Arc<Vec<Value>>),
    /// A value of a serialized class or struct.
    Struct(Arc<StructValue>),
}

/// A member of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue {
    /// Full name of the enum.
    pub type_name: Arc<str>,
    /// Name of the member; the number as text when none has it.
    pub name: Arc<str>,
    /// Its number.
    pub number: i64,
}

/// An asset that a field points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetRef {
    /// Full name of its class, such as `UnityEngine.Material`.
    pub type_name: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its path in the project; empty for what Unity itself brings.
    pub path: Arc<str>,
    /// Its instance id.
    pub id: i32,
    /// How a file refers to it.
    pub source: AssetSource,
}

/// How a file refers to an asset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssetSource {
    /// The guid of the asset's file.
    pub guid: [u8; 16],
    /// The object in that file.
    pub file_id: i64,
    /// The number that Unity notes for how the file is read.
    pub kind: i32,
}

/// A value of a serialized class or struct.
#[derive(Debug, Clone, PartialEq)]
pub struct StructValue {
    /// Full name of its type; empty when nothing tells it.
    pub type_name: Arc<str>,
    /// Its fields in order.
    pub fields: Vec<(Arc<str>, Value)>,
}

impl Value {
    /// Text.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(items))
    }

    /// As a number, when it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(f64::from(*number)),
            Value::Double(number) => Some(*number),
            Value::Enum(value) => Some(value.number as f64),
            _ => None,
        }
    }

    /// As the Explorer interface gives it: plain JSON for plain things, an id for objects.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Null => Json::Null,
            Value::Bool(value) => json!(value),
            Value::Int(value) => json!(value),
            Value::Float(value) => number(f64::from(*value), &short(*value)),
            Value::Double(value) => number(*value, &value.to_string()),
            Value::Text(text) => json!(&**text),
            Value::Vec2(v) => numbers(&[("x", v.x), ("y", v.y)]),
            Value::Vec3(v) => numbers(&[("x", v.x), ("y", v.y), ("z", v.z)]),
            Value::Vec4(v) => numbers(&[("x", v.x), ("y", v.y), ("z", v.z), ("w", v.w)]),
            Value::Quat(q) => numbers(&[("x", q.x), ("y", q.y), ("z", q.z), ("w", q.w)]),
            Value::Color(c) => numbers(&[("r", c.r), ("g", c.g), ("b", c.b), ("a", c.a)]),
            Value::Enum(value) => json!(&*value.name),
            Value::Object(ObjectId(id)) | Value::Component(ComponentId(id)) => {
                json!(format!("obj:{id}"))
            }
            Value::Asset(asset) => json!(format!("obj:{}", asset.id)),
            Value::List(items) => items.iter().map(Value::to_json).collect(),
            Value::Struct(value) => {
                let fields = value.fields.iter();
                Json::Object(
                    fields.map(|(name, value)| (name.to_string(), value.to_json())).collect(),
                )
            }
        }
    }

    /// What `ToString()` gives for values that hold everything they need for it. Objects need the
    /// world: [`World::describe`](crate::World::describe).
    pub fn plain_text(&self) -> String {
        match self {
            Value::Null => String::new(),
            Value::Bool(true) => "True".into(),
            Value::Bool(false) => "False".into(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => float_text(*value),
            Value::Double(value) => double_text(*value),
            Value::Text(text) => text.to_string(),
            Value::Vec2(v) => fixed(2, &[v.x, v.y]),
            Value::Vec3(v) => fixed(2, &[v.x, v.y, v.z]),
            Value::Vec4(v) => fixed(2, &[v.x, v.y, v.z, v.w]),
            Value::Quat(q) => fixed(5, &[q.x, q.y, q.z, q.w]),
            Value::Color(c) => format!("RGBA{}", fixed(3, &[c.r, c.g, c.b, c.a])),
            Value::Enum(value) => value.name.to_string(),
            Value::Object(ObjectId(id)) | Value::Component(ComponentId(id)) => format!("obj:{id}"),
            Value::Asset(asset) => format!("{} ({})", asset.name, asset.type_name),
            Value::List(items) => format!("[{} items]", items.len()),
            Value::Struct(value) => value.type_name.to_string(),
        }
    }
}

/// `(1.00, 2.00)`, as Unity writes vectors.
fn fixed(digits: usize, numbers: &[f32]) -> String {
    let mut text = String::from("(");
    for (index, number) in numbers.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let written = format!("{number:.digits$}");
        // What rounds to zero has no sign.
        let is_zero = !written.contains(|c: char| matches!(c, '1'..='9' | 'N' | 'i'));
        let written = if is_zero { written.trim_start_matches('-') } else { &written };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{written}");
    }
    text + ")"
}

/// The shortest text that reads back as the same `float`.
fn short(value: f32) -> String {
    value.to_string()
}

/// A JSON number with the digits of `text`, so that `0.1f` is not `0.10000000149011612`.
fn number(value: f64, text: &str) -> Json {
    if !value.is_finite() {
        return json!(text);
    }
    text.parse::<f64>().map_or(Json::Null, |value| json!(value))
}

fn numbers(parts: &[(&str, f32)]) -> Json {
    let part =
        |(name, value): &(&str, f32)| (name.to_string(), number(f64::from(*value), &short(*value)));
    Json::Object(parts.iter().map(part).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_unity_writes_it() {
        assert_eq!(Value::Vec3(Vec3::new(1.0, -0.0, 2.345)).plain_text(), "(1.00, 0.00, 2.35)");
        assert_eq!(Value::Bool(true).plain_text(), "True");
        assert_eq!(Value::Float(0.1).plain_text(), "0.1");
        assert_eq!(Value::Float(1e-5).plain_text(), "1E-05");
        assert_eq!(Value::Float(1e-5).to_json(), json!(1e-5));
        assert_eq!(Value::Float(0.1).to_json(), json!(0.1));
        let color = Color { r: 1.0, a: 1.0, ..Color::default() };
        assert_eq!(Value::Color(color).plain_text(), "RGBA(1.000, 0.000, 0.000, 1.000)");
    }
}
