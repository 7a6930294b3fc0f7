//! What the parameters of methods take that events call.

use serde_json::Value;

use crate::types;

/// Structures of the engine. Events pass none.
const STRUCTURES: [&str; 19] = [
    "AnimationCurve",
    "Bounds",
    "BoundsInt",
    "Color",
    "Color32",
    "Coroutine",
    "Gradient",
    "LayerMask",
    "Matrix4x4",
    "Plane",
    "Quaternion",
    "Ray",
    "Rect",
    "RectInt",
    "RectOffset",
    "Vector2",
    "Vector2Int",
    "Vector3Int",
    "Vector4",
];

/// How events pass a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// In this mode.
    As(i64),
    /// Not at all.
    Never,
    /// Objects of classes in that of objects, and others not; which this is nothing here tells.
    Unknown,
}

/// How events pass a type.
pub(super) fn passed(ty: &str) -> Passed {
    let short = ty.rsplit(['.', '+']).next().unwrap_or(ty);
    match short {
        "int" | "Int32" => Passed::As(3),
        "float" | "Single" => Passed::As(4),
        "string" | "String" => Passed::As(5),
        "bool" | "Boolean" => Passed::As(6),
        "byte" | "sbyte" | "short" | "ushort" | "uint" | "long" | "ulong" | "double"
        | "decimal" | "char" | "object" | "UInt32" | "Vector3" => Passed::Never,
        _ if ty.ends_with([']', '>', '?']) || STRUCTURES.contains(&short) => Passed::Never,
        "Object" | "Component" | "ScriptableObject" => Passed::As(2),
        _ if types::class_named(short).is_some() => Passed::As(2),
        // The engine's other types are enums and structures; those of packages may be classes.
        _ if ty.starts_with("UnityEngine.UI.") && !ty.contains('+') => Passed::As(2),
        _ if ty.starts_with("UnityEngine.") => Passed::Never,
        _ => Passed::Unknown,
    }
}

/// The mode in which an argument goes to a parameter of a type; nothing where it does not.
pub(super) fn mode_for(ty: &str, argument: &Value) -> Option<i64> {
    let fits = match (passed(ty), argument) {
        (Passed::As(3), Value::Number(_)) => super::super::encode::int_of(argument).is_some(),
        (Passed::As(4), Value::Number(_)) => true,
        (Passed::As(5), Value::String(_)) => true,
        (Passed::As(6), value) => truth(value).is_some(),
        (Passed::As(2) | Passed::Unknown, value) => value.is_object() || value.is_string(),
        _ => false,
    };
    match passed(ty) {
        Passed::As(mode) if fits => Some(mode),
        Passed::Unknown if fits => Some(2),
        _ => None,
    }
}

/// Whether a call in this mode reaches a method with these parameters.
pub(super) fn reaches(mode: i64, takes: &[String]) -> bool {
    match (mode, takes) {
        // What the event itself passes is not known.
        (0, _) | (1, []) => true,
        (mode, [ty]) => match passed(ty) {
            Passed::As(known) => known == mode,
            Passed::Never => false,
            Passed::Unknown => mode == 2,
        },
        _ => false,
    }
}

/// A truth value, also as files have it.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match (value, value.as_i64()) {
        (Value::Bool(is), _) => Some(*is),
        (_, Some(0)) => Some(false),
        (_, Some(1)) => Some(true),
        _ => None,
    }
}

/// The mode of an argument by itself.
pub(super) fn mode_of(argument: Option<&Value>) -> i64 {
    match argument {
        None | Some(Value::Null) => 1,
        Some(Value::Bool(_)) => 6,
        Some(Value::Number(number)) if number.is_i64() => 3,
        Some(Value::Number(_)) => 4,
        Some(Value::String(_)) => 5,
        Some(_) => 2,
    }
}
