//! Types that are a name and numbers: vectors, colours, packed arrays.

/// A type that is written as its name and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are Godot's")]
pub enum TupleKind {
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Vector4,
    Vector4i,
    Transform2D,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Projection,
    Color,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedVector2Array,
    PackedVector3Array,
    PackedVector4Array,
    PackedColorArray,
}

use TupleKind::*;

/// What is to be known of a kind: its name, its name in Godot 3, other names that are read, and
/// how many numbers it takes.
type Row = (TupleKind, &'static str, &'static str, &'static [&'static str], Option<usize>);

const ROWS: [Row; 24] = [
    (Vector2, "Vector2", "Vector2", &[], Some(2)),
    (Vector2i, "Vector2i", "Vector2i", &[], Some(2)),
    (Rect2, "Rect2", "Rect2", &[], Some(4)),
    (Rect2i, "Rect2i", "Rect2i", &[], Some(4)),
    (Vector3, "Vector3", "Vector3", &[], Some(3)),
    (Vector3i, "Vector3i", "Vector3i", &[], Some(3)),
    (Vector4, "Vector4", "Vector4", &[], Some(4)),
    (Vector4i, "Vector4i", "Vector4i", &[], Some(4)),
    (Transform2D, "Transform2D", "Transform2D", &["Matrix32"], Some(6)),
    (Plane, "Plane", "Plane", &[], Some(4)),
    (Quaternion, "Quaternion", "Quat", &[], Some(4)),
    (Aabb, "AABB", "AABB", &["Rect3"], Some(6)),
    (Basis, "Basis", "Basis", &["Matrix3"], Some(9)),
    (Transform3D, "Transform3D", "Transform", &[], Some(12)),
    (Projection, "Projection", "Projection", &[], Some(16)),
    (Color, "Color", "Color", &[], Some(4)),
    (PackedInt32Array, "PackedInt32Array", "PoolIntArray", &["PackedIntArray", "IntArray"], None),
    (PackedInt64Array, "PackedInt64Array", "PackedInt64Array", &[], None),
    (
        PackedFloat32Array,
        "PackedFloat32Array",
        "PoolRealArray",
        &["PackedRealArray", "FloatArray"],
        None,
    ),
    (PackedFloat64Array, "PackedFloat64Array", "PackedFloat64Array", &[], None),
    (PackedVector2Array, "PackedVector2Array", "PoolVector2Array", &["Vector2Array"], None),
    (PackedVector3Array, "PackedVector3Array", "PoolVector3Array", &["Vector3Array"], None),
    (
        PackedVector4Array,
        "PackedVector4Array",
        "PackedVector4Array",
        &["PoolVector4Array", "Vector4Array"],
        None,
    ),
    (PackedColorArray, "PackedColorArray", "PoolColorArray", &["ColorArray"], None),
];

impl TupleKind {
    /// The kind of this name, names of Godot 3 included.
    pub fn of_name(name: &[u8]) -> Option<TupleKind> {
        // Most names are those of Godot 4, so the others are tried only then.
        let is = |other: &str| other.as_bytes() == name;
        let row = ROWS.iter().find(|row| is(row.1));
        let row = row
            .or_else(|| ROWS.iter().find(|row| is(row.2) || row.3.iter().any(|other| is(other))));
        row.map(|row| row.0)
    }

    /// The name in Godot 4.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The name in Godot 3.
    pub(super) fn old_name(self) -> &'static str {
        self.row().2
    }

    /// How many numbers it takes; any count for a packed array.
    pub fn arity(self) -> Option<usize> {
        self.row().4
    }

    /// True when the numbers are whole ones.
    pub fn is_whole(self) -> bool {
        matches!(
            self,
            Vector2i | Rect2i | Vector3i | Vector4i | PackedInt32Array | PackedInt64Array
        )
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_kinds() {
        for row in ROWS {
            assert_eq!(row.0.row().0, row.0);
            assert_eq!(TupleKind::of_name(row.2.as_bytes()), Some(row.0));
        }
    }
}
