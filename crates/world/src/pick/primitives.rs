//! The meshes that Unity itself brings.

use std::collections::HashMap;
use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::{Arc, LazyLock};

use super::mesh::MeshData;
use crate::math::Vec3;

/// A mesh of Unity's own, by name.
pub(super) fn find(name: &str) -> Option<Arc<MeshData>> {
    ALL.get(name).cloned()
}

static ALL: LazyLock<HashMap<&str, Arc<MeshData>>> = LazyLock::new(|| {
    let meshes = [
        ("Cube", cube()),
        ("Sphere", turned(&round(0.0), 24)),
        ("Capsule", turned(&round(0.5), 24)),
        ("Cylinder", turned(&[(0.0, -1.0), (0.5, -1.0), (0.5, 1.0), (0.0, 1.0)], 20)),
        // A quad looks back, at a camera that looks forward; a plane is seen from above.
        ("Plane", square(|x, y| Vec3::new(x, 0.0, y) * 10.0)),
        ("Quad", square(|x, y| Vec3::new(x, y, 0.0))),
    ];
    meshes.into_iter().map(|(name, mesh)| (name, Arc::new(mesh))).collect()
});

fn square(place: impl Fn(f32, f32) -> Vec3) -> MeshData {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    MeshData::new(&corners.map(|(x, y)| place(x, y)), vec![[0, 2, 1], [2, 3, 1]])
}

fn cube() -> MeshData {
    let side = |is_far: bool| if is_far { 0.5 } else { -0.5 };
    let corner = |n: u8| Vec3::new(side(n & 1 != 0), side(n & 2 != 0), side(n & 4 != 0));
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    MeshData::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner), triangles.collect())
}

/// The outline of a ball that is pulled apart by `half` up and down: how wide it is, and where.
fn round(half: f32) -> Vec<(f32, f32)> {
    const STEPS: i32 = 8;
    let step = |n: i32| {
        let (up, wide) = (n as f32 / STEPS as f32 * FRAC_PI_2).sin_cos();
        (wide * 0.5, up * 0.5 + half * n.signum() as f32)
    };
    let lower = (-STEPS..0).map(step).chain([(0.5, -half)]);
    lower.chain([(0.5, half)]).chain((1..=STEPS).map(step)).collect()
}

/// The surface of an outline, from the lowest point on, that turns about the y axis.
fn turned(outline: &[(f32, f32)], parts: u32) -> MeshData {
    let ring = |(wide, y): &(f32, f32)| {
        let (wide, y) = (*wide, *y);
        (0..parts).map(move |part| {
            let (sin, cos) = (part as f32 / parts as f32 * TAU).sin_cos();
            Vec3::new(wide * cos, y, wide * sin)
        })
    };
    let mut triangles = Vec::new();
    for row in 0..outline.len() as u32 - 1 {
        for part in 0..parts {
            let at = |row: u32, part: u32| row * parts + part % parts;
            let (a, b) = (at(row, part), at(row, part + 1));
            let (c, d) = (at(row + 1, part), at(row + 1, part + 1));
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    let points: Vec<Vec3> = outline.iter().flat_map(ring).collect();
    MeshData::new(&points, triangles)
}
