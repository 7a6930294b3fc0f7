//! The types that a value itself can have.

/// A builtin type of Godot's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are Godot's own names")]
pub enum Builtin {
    Nil,
    Bool,
    Int,
    Float,
    String,
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Transform2D,
    Vector4,
    Vector4i,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Projection,
    Color,
    StringName,
    NodePath,
    Rid,
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedColorArray,
    PackedVector4Array,
}

/// Each with its name and its first value as text, in the order of the engine's type numbers.
const ALL: [(Builtin, &str, &str); 39] = [
    (Builtin::Nil, "Nil", "null"),
    (Builtin::Bool, "bool", "false"),
    (Builtin::Int, "int", "0"),
    (Builtin::Float, "float", "0.0"),
    (Builtin::String, "String", "\"\""),
    (Builtin::Vector2, "Vector2", "Vector2(0, 0)"),
    (Builtin::Vector2i, "Vector2i", "Vector2i(0, 0)"),
    (Builtin::Rect2, "Rect2", "Rect2(0, 0, 0, 0)"),
    (Builtin::Rect2i, "Rect2i", "Rect2i(0, 0, 0, 0)"),
    (Builtin::Vector3, "Vector3", "Vector3(0, 0, 0)"),
    (Builtin::Vector3i, "Vector3i", "Vector3i(0, 0, 0)"),
    (Builtin::Transform2D, "Transform2D", "Transform2D(1, 0, 0, 1, 0, 0)"),
    (Builtin::Vector4, "Vector4", "Vector4(0, 0, 0, 0)"),
    (Builtin::Vector4i, "Vector4i", "Vector4i(0, 0, 0, 0)"),
    (Builtin::Plane, "Plane", "Plane(0, 0, 0, 0)"),
    (Builtin::Quaternion, "Quaternion", "Quaternion(0, 0, 0, 1)"),
    (Builtin::Aabb, "AABB", "AABB(0, 0, 0, 0, 0, 0)"),
    (Builtin::Basis, "Basis", "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)"),
    (Builtin::Transform3D, "Transform3D", "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)"),
    (
        Builtin::Projection,
        "Projection",
        "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
    ),
    (Builtin::Color, "Color", "Color(0, 0, 0, 1)"),
    (Builtin::StringName, "StringName", "&\"\""),
    (Builtin::NodePath, "NodePath", "NodePath(\"\")"),
    (Builtin::Rid, "RID", "RID()"),
    (Builtin::Object, "Object", "null"),
    (Builtin::Callable, "Callable", "Callable()"),
    (Builtin::Signal, "Signal", "Signal()"),
    (Builtin::Dictionary, "Dictionary", "{}"),
    (Builtin::Array, "Array", "[]"),
    (Builtin::PackedByteArray, "PackedByteArray", "PackedByteArray()"),
    (Builtin::PackedInt32Array, "PackedInt32Array", "PackedInt32Array()"),
    (Builtin::PackedInt64Array, "PackedInt64Array", "PackedInt64Array()"),
    (Builtin::PackedFloat32Array, "PackedFloat32Array", "PackedFloat32Array()"),
    (Builtin::PackedFloat64Array, "PackedFloat64Array", "PackedFloat64Array()"),
    (Builtin::PackedStringArray, "PackedStringArray", "PackedStringArray()"),
    (Builtin::PackedVector2Array, "PackedVector2Array", "PackedVector2Array()"),
    (Builtin::PackedVector3Array, "PackedVector3Array", "PackedVector3Array()"),
    (Builtin::PackedColorArray, "PackedColorArray", "PackedColorArray()"),
    (Builtin::PackedVector4Array, "PackedVector4Array", "PackedVector4Array()"),
];

impl Builtin {
    /// The type of that name, as the engine spells it: `int`, `Vector2`, `AABB`.
    pub fn named(name: &str) -> Option<Builtin> {
        ALL.iter().find(|(_, known, _)| *known == name).map(|(builtin, ..)| *builtin)
    }

    /// The engine's name.
    pub fn name(self) -> &'static str {
        ALL[self as usize].1
    }

    /// The value that such a variable has at first, as text of the file format.
    pub fn default_text(self) -> &'static str {
        ALL[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_at_its_number() {
        for (at, (builtin, name, _)) in ALL.into_iter().enumerate() {
            assert_eq!((builtin as usize, Builtin::named(name)), (at, Some(builtin)));
            assert_eq!(builtin.name(), name);
        }
        assert_eq!(Builtin::named("Node"), None);
    }
}
