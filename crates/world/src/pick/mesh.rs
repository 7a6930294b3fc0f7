//! Meshes: from whoever holds the world, and those that Unity itself brings.

use std::sync::{Arc, OnceLock};

use super::cast::{self, Line, Met};
use super::tree::{Bounds, Tree};
use super::{hull, primitives};
use crate::math::Vec3;
use crate::value::AssetRef;
use crate::world::World;

/// Where the triangles of meshes come from; the world has only references to them.
pub trait Meshes: Send + Sync + std::fmt::Debug {
    /// The triangles of a mesh. It is asked at every pick, so the same data should be given again.
    fn triangles(&self, asset: &AssetRef) -> Option<Arc<MeshData>>;
}

/// Knows no mesh.
#[derive(Debug, Clone, Copy)]
pub struct NoMeshes;

impl Meshes for NoMeshes {
    fn triangles(&self, _: &AssetRef) -> Option<Arc<MeshData>> {
        None
    }
}

/// Triangles, clockwise when seen from their front as in Unity.
#[derive(Debug)]
pub struct MeshData {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Finds triangles; made when first needed.
    tree: OnceLock<Tree>,
    /// Every point is within `reach` of it.
    pub(super) middle: Vec3,
    pub(super) reach: f32,
}

impl MeshData {
    /// A mesh of these triangles. Those with points that are missing or no numbers are left out.
    pub fn new(points: &[Vec3], mut triangles: Vec<[u32; 3]>) -> MeshData {
        let point = |index: u32| points.get(index as usize).filter(|point| point.is_finite());
        triangles.retain(|corners| corners.iter().all(|corner| point(*corner).is_some()));
        let finite = || points.iter().copied().filter(|point| point.is_finite());
        let min = |a: Vec3, b: Vec3| Vec3::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
        let max = |a: Vec3, b: Vec3| Vec3::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z));
        let least = finite().reduce(min).unwrap_or(Vec3::ZERO);
        let greatest = finite().reduce(max).unwrap_or(Vec3::ZERO);
        let middle = least * 0.5 + greatest * 0.5;
        let reach = finite().map(|point| (point - middle).length()).fold(0.0, f32::max);
        let points = points.to_vec();
        MeshData { points, triangles, tree: OnceLock::new(), middle, reach }
    }

    /// Where a line meets the front of a triangle.
    pub(super) fn cast(&self, line: &Line, max: f32) -> Option<Met> {
        let tree = self.tree.get_or_init(|| self.build());
        let (triangle, distance) =
            tree.nearest(line, max, |triangle| cast::triangle(self.corners(triangle), line))?;
        let [a, b, c] = self.corners(triangle);
        Some((distance, (b - a).cross(c - a)))
    }

    /// Where a line meets what a cloth around all points would enclose.
    pub(super) fn cast_hull(&self, line: &Line, max: f32) -> Option<Met> {
        hull::cast(&self.points, line, max)
    }

    #[cfg(test)]
    pub(super) fn points(&self) -> &[Vec3] {
        &self.points
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|corner| self.points[corner as usize])
    }

    fn build(&self) -> Tree {
        // A little air around each: a line along the side of a flat box is neither in nor out.
        let air = self.reach * 1e-4;
        let triangles = 0..self.triangles.len() as u32;
        let boxes: Vec<Bounds> =
            triangles.map(|triangle| Bounds::of(self.corners(triangle), air)).collect();
        Tree::new(&boxes)
    }
}

/// The mesh of a reference.
pub(super) fn find(world: &World, asset: &AssetRef) -> Option<Arc<MeshData>> {
    let is_built_in = asset.path.is_empty();
    let given = world.meshes.triangles(asset);
    given.or_else(|| primitives::find(&asset.name).filter(|_| is_built_in))
}
