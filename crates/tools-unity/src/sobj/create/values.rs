//! Values of script fields, from what callers write.

use scenewright_unity::edit::New;
use scenewright_unity::edit::script_fields::{FieldType, Primitive};
use scenewright_unity::index::{Asset, AssetKind};
use scenewright_unity::{Document, FileId, Reference, meta, types};
use serde_json::Value as Json;

use crate::base::Unity;

/// Structures of numbers, by their parts.
const VECTORS: [(&str, &str); 6] = [
    ("Vector2", "xy"),
    ("Vector3", "xyz"),
    ("Vector4", "xyzw"),
    ("Quaternion", "xyzw"),
    ("Color", "rgba"),
    ("Vector2Int", "xy"),
];

/// Whether a value has fields of its own.
pub(super) fn is_nested(ty: &FieldType<'_>) -> bool {
    matches!(ty, FieldType::Nested(_))
}

/// A value as a field of this type takes it, or why it is none.
pub(super) fn read(unity: &Unity<'_>, ty: &FieldType<'_>, value: &Json) -> Result<New, String> {
    match ty {
        FieldType::Primitive(primitive) => number(*primitive, value),
        FieldType::String => match value {
            Json::String(text) => Ok(New::Text(text.clone())),
            Json::Null => Ok(New::Text(String::new())),
            other => Err(format!("{other} is no text")),
        },
        FieldType::Enum { name, members, .. } => member(name, members, value).map(New::int),
        FieldType::Engine(name) => vector(name, value),
        FieldType::Object(class) => reference(unity, class, value),
        FieldType::List(element) => list(unity, element, value),
        FieldType::Nested(ty) => {
            Err(format!("{value} is no object with the fields of {}", ty.decl.name))
        }
        FieldType::Managed(name) => {
            Err(format!("a reference to a {name} that is saved in place is not set here"))
        }
        FieldType::Native(_) | FieldType::Unknown(_) => {
            Err("its form is not known here".to_owned())
        }
    }
}

fn number(primitive: Primitive, value: &Json) -> Result<New, String> {
    let whole = || value.as_i64().or_else(|| value.as_bool().map(i64::from));
    match primitive {
        Primitive::Bool => match (value.as_bool(), value.as_i64()) {
            (Some(is), _) => Ok(New::bool(is)),
            (None, Some(is @ 0..=1)) => Ok(New::int(is)),
            _ => Err(format!("{value} is neither true nor false")),
        },
        Primitive::Float => value
            .as_f64()
            .map(|value| New::float(value as f32))
            .ok_or_else(|| format!("{value} is no number")),
        Primitive::Double => {
            value.as_f64().map(New::double).ok_or_else(|| format!("{value} is no number"))
        }
        Primitive::Char | Primitive::Int { .. } => {
            let whole = whole()
                .filter(|_| !value.is_boolean())
                .ok_or_else(|| format!("{value} is no whole number"))?;
            let (bytes, is_signed) = match primitive {
                Primitive::Int { bytes, is_signed } => (bytes, is_signed),
                _ => (2, false),
            };
            let bits = u32::from(bytes) * 8;
            let fits = match (bits, is_signed) {
                (64, true) => true,
                (64, false) => whole >= 0,
                (bits, true) => (-(1_i64 << (bits - 1))..1_i64 << (bits - 1)).contains(&whole),
                (bits, false) => (0..1_i64 << bits).contains(&whole),
            };
            fits.then(|| New::int(whole))
                .ok_or_else(|| format!("{value} does not fit into {bytes} bytes"))
        }
    }
}

fn member(name: &str, members: &[(String, i64)], value: &Json) -> Result<i64, String> {
    if let Some(number) = value.as_i64() {
        return Ok(number);
    }
    let Some(text) = value.as_str() else { return Err(format!("{value} is none of {name}")) };
    let mut joined = 0;
    for part in text.split([',', '|']).map(str::trim) {
        let found = members
            .iter()
            .find(|(known, _)| known == part || part.rsplit('.').next() == Some(known));
        let known = || members.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        joined |= found.ok_or_else(|| format!("{part} is none of {name}: {}", known()))?.1;
    }
    Ok(joined)
}

fn vector(name: &str, value: &Json) -> Result<New, String> {
    let Some((_, keys)) = VECTORS.iter().find(|(known, _)| *known == name) else {
        return Err(format!("a {name} is not set here"));
    };
    let is_whole = name.ends_with("Int");
    let part = |value: &Json| match is_whole {
        true => value.as_i64().map(New::int),
        false => value.as_f64().map(|part| New::float(part as f32)),
    };
    let parts: Option<Vec<(String, New)>> = match value {
        Json::Array(parts) if parts.len() == keys.len() => keys
            .chars()
            .zip(parts)
            .map(|(key, value)| Some((key.to_string(), part(value)?)))
            .collect(),
        Json::Object(parts)
            if parts.keys().all(|key| keys.contains(key.as_str()) && key.len() == 1) =>
        {
            let zero = if name == "Color" { 1.0 } else { 0.0 };
            let value = |key: char| match parts.get(&key.to_string()) {
                Some(given) => part(given),
                None if key == 'a' => Some(New::float(zero)),
                None => Some(New::int(0)),
            };
            keys.chars().map(|key| Some((key.to_string(), value(key)?))).collect()
        }
        _ => None,
    };
    parts
        .map(New::Flow)
        .ok_or_else(|| format!("{value} is no {name}: it has {} numbers", keys.len()))
}

/// Whole numbers are packed into digits; everything else has lines.
fn list(unity: &Unity<'_>, element: &FieldType<'_>, value: &Json) -> Result<New, String> {
    let Some(items) = value.as_array() else { return Err(format!("{value} is no list")) };
    let items =
        items.iter().map(|item| read(unity, element, item)).collect::<Result<Vec<_>, _>>()?;
    let size = match element {
        FieldType::Primitive(Primitive::Bool) => 1,
        FieldType::Primitive(Primitive::Char) => 2,
        FieldType::Primitive(Primitive::Int { bytes, .. }) => usize::from(*bytes),
        FieldType::Enum { .. } => 4,
        FieldType::List(_) | FieldType::Nested(_) => {
            return Err("a list of lists or objects is not set here".to_owned());
        }
        _ => return Ok(New::List(items)),
    };
    let digits = items.iter().map(|item| {
        let number =
            if let New::Number(text) = item { text.parse::<i64>().unwrap_or_default() } else { 0 };
        number.to_le_bytes()[..size].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    });
    Ok(New::Text(digits.collect()))
}

/// The main object of an asset, which must be of the class that the field takes.
fn reference(unity: &Unity<'_>, class: &str, value: &Json) -> Result<New, String> {
    let path = match value {
        Json::Null => return Ok(New::local(FileId::NULL)),
        Json::String(path) => path.as_str(),
        Json::Object(parts) => match parts.get("asset").and_then(Json::as_str) {
            Some(path) => path,
            None => return Err(format!("{value} is no asset: give its path")),
        },
        other => return Err(format!("{other} is no asset: give its path")),
    };
    let asset = unity.asset(Some(path), None).map_err(|error| error.text())?;
    let (reference, found) =
        main_object(asset).ok_or_else(|| format!("what {path} holds is not known here"))?;
    let short = class.rsplit('.').next().unwrap_or(class);
    let is_native = types::class_named(short).is_some();
    // Classes of scripts are not followed here; those of the engine are.
    let fits = !is_native || found == "MonoBehaviour" || types::is_a(&found, short);
    match fits {
        true => Ok(New::Reference(reference)),
        false => Err(format!("{path} is a {found}, and the field takes a {class}")),
    }
}

fn main_object(asset: Asset<'_>) -> Option<(Reference, String)> {
    let guid = Some(asset.guid()?);
    let imported =
        |id: i64, class: &str| (Reference { file_id: FileId(id), guid, kind: 3 }, class.to_owned());
    match asset.kind() {
        AssetKind::Texture => Some(imported(2_800_000, "Texture2D")),
        AssetKind::Audio => Some(imported(8_300_000, "AudioClip")),
        AssetKind::Script => Some(imported(11_500_000, "MonoScript")),
        AssetKind::Text => Some(imported(4_900_000, "TextAsset")),
        AssetKind::Prefab => {
            let document = asset.document().ok()?;
            let is_root = |object: &scenewright_unity::Object<'_>| {
                let father = object.get("m_Father").and_then(|father| father.as_reference());
                father.is_some_and(|father| father.file_id.is_null()) && !object.is_stripped()
            };
            let root = document.objects().find(is_root)?;
            let object = root.get("m_GameObject")?.as_reference()?.file_id;
            Some((Reference { file_id: object, guid, kind: 3 }, "GameObject".to_owned()))
        }
        _ => {
            let document: Document = asset.document().ok()?;
            let known =
                asset.meta_path().ok().and_then(|path| scenewright_unity::read_file(&path).ok());
            let known = known.and_then(|meta| meta::main_object_id(&meta));
            let main = meta::main_object(&document, &asset.path(), known)?;
            let class = main.class_name().into_owned();
            Some((Reference { file_id: main.file_id(), guid, kind: 2 }, class))
        }
    }
}
