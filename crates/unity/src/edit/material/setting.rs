//! What a property is to be, read from what callers write.

use serde_json::Value as Json;

use super::PropertyKind;
use crate::edit::{New, json_inside};
use crate::{FileId, Reference};

/// A value for a property. Parts that are not given stay as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// A number.
    Float(f32),
    /// A whole number.
    Int(i32),
    /// Red, green, blue and alpha; or the parts of a vector.
    Color([Option<f32>; 4]),
    /// A texture, how often it repeats, and where it begins.
    Texture {
        /// The texture; `{fileID: 0}` for none.
        texture: Option<Reference>,
        /// How often it repeats.
        scale: [Option<f32>; 2],
        /// Where it begins.
        offset: [Option<f32>; 2],
    },
}

/// No texture.
const NOTHING: Reference = Reference { file_id: FileId(0), guid: None, kind: 0 };

impl Setting {
    /// Reads a value as callers write it: numbers, `[r, g, b, a]`, `{"r": 1}`, `#rrggbb`, a texture in
    /// any form that `texture` knows, or `{"texture": …, "scale": [1, 1], "offset": [0, 0]}`. Without
    /// a kind the value tells it.
    pub fn read(
        kind: Option<PropertyKind>,
        value: &Json,
        texture: impl FnOnce(&Json) -> Result<Reference, String>,
    ) -> Result<Setting, String> {
        // Of strings only colours and the paths of textures are values.
        let inside = json_inside(value);
        let value = inside.as_ref().unwrap_or(value);
        match kind.unwrap_or_else(|| kind_of(value)) {
            PropertyKind::Float => number(value).map(Setting::Float),
            PropertyKind::Int => {
                let found = number(value)?;
                if found.fract() != 0.0 || found.abs() > 16_777_216.0 && value.as_i64().is_none() {
                    return Err(format!("{value} is no whole number"));
                }
                let whole = value.as_i64().unwrap_or(found as i64);
                let whole = i32::try_from(whole).map_err(|_| format!("{value} is too large"))?;
                Ok(Setting::Int(whole))
            }
            PropertyKind::Color => color(value).map(Setting::Color),
            PropertyKind::Texture => read_texture(value, texture),
        }
    }

    /// The number that it is, whole or not.
    pub fn number(&self) -> Option<f32> {
        match self {
            Setting::Float(number) => Some(*number),
            Setting::Int(number) => Some(*number as f32),
            Setting::Color(_) | Setting::Texture { .. } => None,
        }
    }

    /// The kind of property that it is for.
    pub fn kind(&self) -> PropertyKind {
        match self {
            Setting::Float(_) => PropertyKind::Float,
            Setting::Int(_) => PropertyKind::Int,
            Setting::Color(_) => PropertyKind::Color,
            Setting::Texture { .. } => PropertyKind::Texture,
        }
    }

    /// The same with the parts of another where it has none.
    pub fn or(self, other: Setting) -> Setting {
        let pair = |own: [Option<f32>; 2], other: [Option<f32>; 2]| {
            [own[0].or(other[0]), own[1].or(other[1])]
        };
        match (self, other) {
            (Setting::Color(own), Setting::Color(other)) => {
                Setting::Color([0, 1, 2, 3].map(|at| own[at].or(other[at])))
            }
            (
                Setting::Texture { texture, scale, offset },
                Setting::Texture { texture: other, scale: other_scale, offset: other_offset },
            ) => Setting::Texture {
                texture: texture.or(other),
                scale: pair(scale, other_scale),
                offset: pair(offset, other_offset),
            },
            (own, _) => own,
        }
    }

    /// The same as a value of another kind, where it can be one.
    pub(super) fn of_kind(self, kind: PropertyKind) -> Option<Setting> {
        match (self, kind) {
            (Setting::Int(value), PropertyKind::Float) => Some(Setting::Float(value as f32)),
            (Setting::Float(value), PropertyKind::Int) if value.fract() == 0.0 => {
                Some(Setting::Int(value as i32))
            }
            (setting, kind) => (setting.kind() == kind).then_some(setting),
        }
    }

    /// What is to be changed.
    pub(super) fn change(self) -> New {
        let flow = |keys: &[&str], values: &[Option<f32>]| {
            let given = keys.iter().zip(values).filter_map(|(key, value)| Some((key, (*value)?)));
            New::Flow(given.map(|(key, value)| ((*key).to_owned(), New::float(value))).collect())
        };
        match self {
            Setting::Float(value) => New::float(value),
            Setting::Int(value) => New::int(value.into()),
            Setting::Color(parts) => flow(&["r", "g", "b", "a"], &parts),
            Setting::Texture { texture, scale, offset } => {
                let mut fields = Vec::new();
                if let Some(texture) = texture {
                    fields.push(("m_Texture".to_owned(), New::Reference(texture)));
                }
                for (key, pair) in [("m_Scale", scale), ("m_Offset", offset)] {
                    if pair != [None, None] {
                        fields.push((key.to_owned(), flow(&["x", "y"], &pair)));
                    }
                }
                New::Map(fields)
            }
        }
    }

    /// The whole value, with Unity's defaults for what is not given.
    pub fn whole(self) -> New {
        match self {
            Setting::Color([r, g, b, a]) => {
                let [r, g, b] = [r, g, b].map(|part| Some(part.unwrap_or(0.0)));
                Setting::Color([r, g, b, Some(a.unwrap_or(1.0))]).change()
            }
            Setting::Texture { texture, scale, offset } => Setting::Texture {
                texture: Some(texture.unwrap_or(NOTHING)),
                scale: scale.map(|part| Some(part.unwrap_or(1.0))),
                offset: offset.map(|part| Some(part.unwrap_or(0.0))),
            }
            .change(),
            setting => setting.change(),
        }
    }
}

/// What a value can only be meant as.
fn kind_of(value: &Json) -> PropertyKind {
    match value {
        Json::Number(_) | Json::Bool(_) => PropertyKind::Float,
        Json::Array(_) => PropertyKind::Color,
        Json::String(text) if text.starts_with('#') => PropertyKind::Color,
        Json::Object(parts)
            if parts.keys().any(|key| PARTS.iter().flatten().any(|part| key == part)) =>
        {
            PropertyKind::Color
        }
        _ => PropertyKind::Texture,
    }
}

fn number(value: &Json) -> Result<f32, String> {
    match value {
        Json::Bool(value) => Ok(f32::from(u8::from(*value))),
        Json::Number(number) => {
            let number = number.as_f64().map(|number| number as f32);
            number
                .filter(|number| number.is_finite())
                .ok_or_else(|| format!("{value} is too large"))
        }
        other => Err(format!("{other} is no number")),
    }
}

/// The names of the parts of colours and vectors.
const PARTS: [[&str; 2]; 4] = [["r", "x"], ["g", "y"], ["b", "z"], ["a", "w"]];

fn color(value: &Json) -> Result<[Option<f32>; 4], String> {
    let expected =
        "a colour is [r, g, b, a] with numbers from 0 to 1, {\"r\": 1, …} or \"#rrggbb\"";
    match value {
        Json::Array(parts) if (1..=4).contains(&parts.len()) => {
            let mut found = [None; 4];
            for (place, part) in found.iter_mut().zip(parts) {
                *place = Some(number(part).map_err(|why| format!("{why}; {expected}"))?);
            }
            Ok(found)
        }
        Json::Object(parts) if !parts.is_empty() => {
            let mut found = [None; 4];
            for (key, part) in parts {
                let at = PARTS.iter().position(|names| names.contains(&key.as_str()));
                let at = at.ok_or_else(|| format!("a colour has no part {key}; {expected}"))?;
                found[at] = Some(number(part).map_err(|why| format!("{why}; {expected}"))?);
            }
            Ok(found)
        }
        Json::String(text) => hex(text).ok_or_else(|| format!("{value} is no colour; {expected}")),
        other => Err(format!("{other} is no colour; {expected}")),
    }
}

/// `#rgb`, `#rrggbb` or `#rrggbbaa`.
fn hex(text: &str) -> Option<[Option<f32>; 4]> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let size = match digits.len() {
        3 | 4 => 1,
        6 | 8 => 2,
        _ => return None,
    };
    let mut found = [None, None, None, Some(1.0)];
    for (at, place) in found.iter_mut().enumerate() {
        let Some(part) = digits.get(at * size..(at + 1) * size) else { break };
        let byte = u8::from_str_radix(&part.repeat(3 - size), 16).ok()?;
        *place = Some(f32::from(byte) / 255.0);
    }
    Some(found)
}

fn read_texture(
    value: &Json,
    texture: impl FnOnce(&Json) -> Result<Reference, String>,
) -> Result<Setting, String> {
    const KEYS: [&str; 3] = ["texture", "scale", "offset"];
    let nothing = Json::Null;
    let is_parts =
        |parts: &serde_json::Map<String, Json>| KEYS.iter().any(|key| parts.contains_key(*key));
    let Some(parts) = value.as_object().filter(|parts| is_parts(parts)) else {
        let texture = if value.is_null() { NOTHING } else { texture(value)? };
        return Ok(Setting::Texture {
            texture: Some(texture),
            scale: [None; 2],
            offset: [None; 2],
        });
    };
    if let Some(key) = parts.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("a texture has no part {key}; it has texture, scale and offset"));
    }
    let pair = |key: &str| match parts.get(key) {
        None => Ok([None; 2]),
        Some(Json::Number(both)) => {
            let both = number(&Json::Number(both.clone()))?;
            Ok([Some(both); 2])
        }
        Some(given) => {
            let [x, y, z, w] = color(given).map_err(|_| format!("{key} is [x, y], not {given}"))?;
            if z.is_some() || w.is_some() {
                return Err(format!("{key} is [x, y], not {given}"));
            }
            Ok([x, y])
        }
    };
    let (scale, offset) = (pair("scale")?, pair("offset")?);
    let found = match parts.get("texture") {
        None => None,
        Some(given) if *given == nothing => Some(NOTHING),
        Some(given) => Some(texture(given)?),
    };
    Ok(Setting::Texture { texture: found, scale, offset })
}
