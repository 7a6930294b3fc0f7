//! A binary file as the text that Unity would write of it, so that what reads text reads it too.

use super::{BinaryFile, Kind, Object, Value};
use crate::edit::{Manner, New, NewObject};
use crate::types::Node;

/// What Unity writes on one line.
const FLOWS: [&str; 8] =
    ["Vector2f", "Vector3f", "Vector4f", "Quaternionf", "ColorRGBA", "float3", "int2", "int3"];
const START: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

/// How much of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// All of it.
    All,
    /// Long lists without a reference in them are left out: images, meshes, heights.
    Outline,
}

impl BinaryFile<'_> {
    /// The file as text. An object that cannot be read has a header and no fields; nothing at all
    /// when the text would have more bytes than `most`.
    pub fn to_text(&self, detail: Detail, most: usize) -> Option<String> {
        let mut text = String::from(START);
        for object in self.objects() {
            // Hexadecimal takes two characters for a byte, and numbers are not much longer.
            if detail == Detail::All && text.len() + 2 * object.size() > most {
                return None;
            }
            text.push_str(&new_object(object, detail).text(Manner::PLAIN));
            if text.len() > most {
                return None;
            }
        }
        Some(text)
    }
}

fn new_object(object: Object<'_>, detail: Detail) -> NewObject {
    let fields = object.value().map(|value| fields(value, detail)).unwrap_or_default();
    NewObject {
        class: object.class(),
        id: object.file_id(),
        key: object.class_name().to_owned(),
        stripped: object.is_stripped(),
        fields,
    }
}

fn fields(value: Value<'_>, detail: Detail) -> Vec<(String, New)> {
    let version = value.node().version();
    let version = (version > 1).then(|| ("serializedVersion".to_owned(), New::int(version.into())));
    let fields = value.fields().filter(|(_, field)| is_written(*field, detail));
    version
        .into_iter()
        .chain(fields.map(|(name, field)| (name.to_owned(), new(field, detail))))
        .collect()
}

fn is_written(field: Value<'_>, detail: Detail) -> bool {
    let is_long = || matches!(field.kind(), Kind::List(_) | Kind::Map(_) | Kind::Bytes(_));
    detail == Detail::All || field.node().may_refer() || !is_long()
}

fn new(value: Value<'_>, detail: Detail) -> New {
    match value.kind() {
        Kind::Bool(is) => New::bool(is),
        Kind::Int(number) => New::int(number),
        Kind::Unsigned(number) => New::Number(number.to_string()),
        Kind::Float(number) => New::float(number),
        Kind::Double(number) => New::double(number),
        Kind::Text(text) => New::Text(text.into_owned()),
        Kind::Bytes(bytes) => New::Number(hex(bytes)),
        Kind::Reference(to) => New::Reference(to),
        Kind::List(_) => list(value, detail),
        Kind::Map(_) => map(value, detail),
        Kind::Struct => structure(value, detail),
    }
}

/// Whole numbers are written as their bytes, one behind the other.
fn list(value: Value<'_>, detail: Detail) -> New {
    let is_whole =
        |of: Node<'_>| of.children().len() == 0 && !matches!(of.type_name(), "float" | "double");
    match value.node().element() {
        Some(of) if is_whole(of) && value.items().next().is_some() => {
            let bytes = value.items().flat_map(|item| little_endian(item.kind(), of.size()));
            New::Number(hex(&bytes.collect::<Vec<_>>()))
        }
        _ => New::List(value.items().map(|item| new(item, detail)).collect()),
    }
}

fn little_endian(number: Kind<'_>, size: usize) -> impl Iterator<Item = u8> {
    let bits = match number {
        Kind::Bool(is) => is.into(),
        Kind::Int(number) => number as u64,
        Kind::Unsigned(number) => number,
        _ => 0,
    };
    bits.to_le_bytes().into_iter().take(size)
}

/// Pairs whose first is a name or a number are keys with values, all others two fields.
fn map(value: Value<'_>, detail: Detail) -> New {
    let pair = |item: Value<'_>| {
        let [first, second] = ["first", "second"].map(|name| item.get(name));
        let key = match first.map(Value::kind) {
            Some(Kind::Text(text)) => text.into_owned(),
            Some(Kind::Int(number)) => number.to_string(),
            Some(Kind::Unsigned(number)) => number.to_string(),
            _ => return Err(New::Map(fields(item, detail))),
        };
        Ok((key, second.map_or(New::Text(String::new()), |second| new(second, detail))))
    };
    let is_map = value.node().type_name() == "map";
    let has_numbers = || {
        let first = value.items().next().and_then(|item| item.get("first"));
        matches!(first.map(Value::kind), Some(Kind::Int(_) | Kind::Unsigned(_)))
    };
    if is_map && has_numbers() {
        return New::Map(value.items().filter_map(|item| pair(item).ok()).collect());
    }
    let items = value
        .items()
        .map(|item| pair(item).map_or_else(|map| map, |(key, value)| New::Map(vec![(key, value)])));
    New::List(items.collect())
}

fn structure(value: Value<'_>, detail: Detail) -> New {
    let name = value.node().type_name();
    if matches!(name, "GUID" | "Hash128") {
        return New::Number(identity(value, name == "GUID"));
    }
    let fields = fields(value, detail);
    match FLOWS.contains(&name) {
        true => New::Flow(fields),
        false => New::Map(fields),
    }
}

/// Sixteen bytes, or four numbers of four, as one number.
fn identity(value: Value<'_>, is_guid: bool) -> String {
    let bytes: Vec<u8> = value
        .fields()
        .flat_map(|(_, part)| little_endian(part.kind(), part.node().size()))
        // The digits of a guid are written from right to left in each byte.
        .map(|byte| if is_guid { byte.rotate_left(4) } else { byte })
        .collect();
    hex(&bytes)
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |at: u8| char::from(DIGITS[usize::from(at)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
