//! Structures of the engine and of its mathematics package, in the form that files have them.

use super::initial::Initial;
use crate::ClassId;
use crate::edit::{New, fresh};
use crate::types::{self, Node, Version};

/// The names of the parts of structures that stand on one line.
const FLOWS: [(&str, &[&str]); 7] = [
    ("Vector2", &["x", "y"]),
    ("Vector3", &["x", "y", "z"]),
    ("Vector4", &["x", "y", "z", "w"]),
    ("Quaternion", &["x", "y", "z", "w"]),
    ("Color", &["r", "g", "b", "a"]),
    ("Vector2Int", &["x", "y"]),
    ("Vector3Int", &["x", "y", "z"]),
];
/// The names of the parts of others.
const LINES: [(&str, &[&str]); 16] = [
    ("RectOffset", &["m_Left", "m_Right", "m_Top", "m_Bottom"]),
    ("float2", &["x", "y"]),
    ("float3", &["x", "y", "z"]),
    ("float4", &["x", "y", "z", "w"]),
    ("int2", &["x", "y"]),
    ("int3", &["x", "y", "z"]),
    ("int4", &["x", "y", "z", "w"]),
    ("uint2", &["x", "y"]),
    ("uint3", &["x", "y", "z"]),
    ("uint4", &["x", "y", "z", "w"]),
    ("bool2", &["x", "y"]),
    ("bool3", &["x", "y", "z"]),
    ("bool4", &["x", "y", "z", "w"]),
    ("double2", &["x", "y"]),
    ("double3", &["x", "y", "z"]),
    ("double4", &["x", "y", "z", "w"]),
];

/// The names of the numbers inside a structure, when it is made of nothing else.
pub(super) fn parts(name: &str) -> Option<&'static [&'static str]> {
    let all = FLOWS.iter().chain(&LINES);
    all.into_iter().find(|(known, _)| *known == name).map(|(_, parts)| *parts)
}

/// The layout of a structure that native classes have, too.
pub(super) fn layout(name: &str, version: Version) -> Option<Node<'static>> {
    let (class, path) = match name {
        "AnimationCurve" => ("AudioSource", "rolloffCustomCurve"),
        "Gradient" => ("TrailRenderer", "m_Parameters.colorGradient"),
        "Rect" => ("Camera", "m_NormalizedViewPortRect"),
        "LayerMask" => ("Camera", "m_CullingMask"),
        "Bounds" => ("SkinnedMeshRenderer", "m_AABB"),
        "Matrix4x4" => ("Tilemap", "m_TileOrientationMatrix"),
        "Color32" => ("TextMesh", "m_Color"),
        _ => return None,
    };
    types::tree(ClassId::find(class)?, version)?.find(path)
}

/// A structure with what an initializer gives. Nothing when the form of the type is not known; false
/// beside it when the initializer is not understood.
pub(super) fn value(name: &str, initial: &Initial, version: Version) -> Option<(New, bool)> {
    if let Some(names) = parts(name) {
        let is_known = is_parts(initial) || is_plain(initial);
        let numbers = numbers(name, initial);
        let number = |at: usize| New::float(numbers.get(at).copied().unwrap_or_default() as f32);
        let fields = names.iter().enumerate().map(|(at, key)| ((*key).to_owned(), number(at)));
        let is_flow = FLOWS.iter().any(|(known, _)| *known == name);
        let new = match is_flow {
            true => New::Flow(fields.collect()),
            false => New::Map(fields.collect()),
        };
        return Some((new, is_known));
    }
    match name {
        "AnimationCurve" => curve(layout(name, version)?, initial),
        "Gradient" => {
            let is_known = *initial == Initial::Nothing || is_plain(initial);
            Some((fresh::zero(layout(name, version)?), is_known))
        }
        "LayerMask" => layer_mask(layout(name, version)?, initial),
        "Rect" | "Bounds" | "Color32" | "Matrix4x4" => block(name, layout(name, version)?, initial),
        "BoundsInt" => {
            let corner =
                || New::Flow(["x", "y", "z"].map(|key| (key.to_owned(), New::int(0))).into());
            let fields = ["m_Position", "m_Size"].map(|key| (key.to_owned(), corner()));
            Some((New::Map(fields.into()), *initial == Initial::Nothing || is_plain(initial)))
        }
        "Hash128" => {
            let hash = New::Number("0".repeat(32));
            let fields = [("serializedVersion", New::int(2)), ("Hash", hash)];
            let fields = fields.map(|(key, value)| (key.to_owned(), value));
            Some((New::Map(fields.into()), *initial == Initial::Nothing))
        }
        "UnityEvent" => Some((event(), *initial == Initial::Nothing || is_plain(initial))),
        _ => None,
    }
}

/// An event that calls nothing.
pub(super) fn event() -> New {
    let calls = New::Map(vec![("m_Calls".to_owned(), New::List(Vec::new()))]);
    New::Map(vec![("m_PersistentCalls".to_owned(), calls)])
}

/// `new T()`.
fn is_plain(initial: &Initial) -> bool {
    matches!(initial, Initial::Members(members) if members.is_empty())
}

fn is_parts(initial: &Initial) -> bool {
    matches!(initial, Initial::Nothing | Initial::Parts(_) | Initial::Bytes(_))
}

fn numbers(name: &str, initial: &Initial) -> Vec<f64> {
    let mut parts = match initial {
        Initial::Parts(parts) => parts.clone(),
        Initial::Bytes(bytes) => bytes.iter().map(|byte| f64::from(*byte as f32 / 255.0)).collect(),
        _ => return Vec::new(),
    };
    // A colour without a fourth part covers.
    if name == "Color" && parts.len() == 3 {
        parts.push(1.0);
    }
    parts
}

fn block(name: &str, node: Node<'_>, initial: &Initial) -> Option<(New, bool)> {
    let mut new = fresh::zero(node);
    let New::Map(fields) = &mut new else { return None };
    let parts = match initial {
        Initial::Parts(parts) => parts.as_slice(),
        // What a native class makes a matrix with, a script does not.
        _ => &[],
    };
    let part = |at: usize| New::float(parts.get(at).copied().unwrap_or_default() as f32);
    match name {
        "Rect" => ["x", "y", "width", "height"].into_iter().enumerate().for_each(|(at, key)| {
            fresh::put(fields, key, part(at));
        }),
        "Bounds" => {
            let axes = ["x", "y", "z"];
            for (at, axis) in axes.into_iter().enumerate() {
                fresh::put(fields, &format!("m_Center.{axis}"), part(at));
                fresh::put(fields, &format!("m_Extent.{axis}"), part(at + 3));
            }
        }
        "Color32" => {
            let bytes = bytes(initial);
            let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
            let rgba = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            fresh::put(fields, "rgba", New::int(rgba.into()));
        }
        _ => fields.iter_mut().for_each(|(_, value)| *value = New::int(0)),
    }
    Some((new, is_parts(initial) || is_plain(initial)))
}

/// A colour of bytes, which a colour of numbers becomes by itself.
fn bytes(initial: &Initial) -> Vec<u8> {
    let of_number = |part: &f64| (part.clamp(0.0, 1.0) as f32 * 255.0).round_ties_even() as u8;
    match initial {
        Initial::Bytes(bytes) => bytes.iter().map(|byte| *byte as u8).collect(),
        // `new(255, 0, 0, 255)` does not say of which sort it is.
        Initial::Parts(parts) if parts.iter().any(|part| *part > 1.0) => {
            parts.iter().map(|byte| *byte as u8).collect()
        }
        Initial::Parts(_) => numbers("Color", initial).iter().map(of_number).collect(),
        _ => Vec::new(),
    }
}

fn layer_mask(node: Node<'_>, initial: &Initial) -> Option<(New, bool)> {
    let mut new = fresh::zero(node);
    let New::Map(fields) = &mut new else { return None };
    let bits = match initial {
        Initial::Int(bits) => Some(*bits),
        Initial::Members(members) => match members.as_slice() {
            [] => Some(0),
            [(name, Initial::Int(bits))] if name == "value" => Some(*bits),
            _ => None,
        },
        Initial::Nothing => Some(0),
        _ => None,
    };
    fresh::put(fields, "m_Bits", New::int((bits.unwrap_or_default() as u32).into()));
    Some((new, bits.is_some()))
}

fn curve(node: Node<'_>, initial: &Initial) -> Option<(New, bool)> {
    let mut new = fresh::zero(node);
    let New::Map(fields) = &mut new else { return None };
    let key = node.find("m_Curve")?.element()?;
    let (keys, is_known) = match initial {
        Initial::Keys(keys) => (keys.as_slice(), true),
        Initial::Nothing => (&[][..], true),
        other => (&[][..], is_plain(other)),
    };
    let keys = keys.iter().map(|[time, value, before, behind]| {
        let mut new = fresh::zero(key);
        if let New::Map(fields) = &mut new {
            // Keys that scripts make have no weights.
            let parts =
                [("time", time), ("value", value), ("inSlope", before), ("outSlope", behind)];
            let parts = parts.into_iter().chain([("inWeight", &0.0), ("outWeight", &0.0)]);
            parts.into_iter().for_each(|(name, part)| {
                fresh::put(fields, name, New::float(*part as f32));
            });
        }
        new
    });
    let keys = keys.collect();
    fresh::put(fields, "m_Curve", New::List(keys));
    Some((new, is_known))
}
