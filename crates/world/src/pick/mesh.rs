//! Meshes: from whoever holds the world, and those that Unity itself brings.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::details::{
    local_ray_intersection_with_support_map_with_params, local_ray_intersection_with_triangle,
};
use parry3d::query::gjk::VoronoiSimplex;
use parry3d::query::{Ray, RayIntersection};
use parry3d::shape::{Ball, Capsule, Cuboid, Cylinder, SupportMap};

use super::collider::vector;
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
    points: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    /// Finds triangles; made when first needed.
    tree: OnceLock<Bvh>,
    /// Every point is within `reach` of it.
    pub(super) middle: Vec3,
    pub(super) reach: f32,
}

impl MeshData {
    /// A mesh of these triangles. Those with points that are missing or no numbers are left out.
    pub fn new(points: &[Vec3], triangles: Vec<[u32; 3]>) -> MeshData {
        MeshData::from_parts(points.iter().map(|point| vector(*point)).collect(), triangles)
    }

    fn from_parts(points: Vec<Vector>, mut triangles: Vec<[u32; 3]>) -> MeshData {
        let point = |index: u32| points.get(index as usize).filter(|point| point.is_finite());
        triangles.retain(|corners| corners.iter().all(|corner| point(*corner).is_some()));
        let finite = || points.iter().filter(|point| point.is_finite());
        let min = finite().copied().reduce(Vector::min).unwrap_or(Vector::ZERO);
        let max = finite().copied().reduce(Vector::max).unwrap_or(Vector::ZERO);
        let middle = (min + max) / 2.0;
        let reach = finite().map(|point| point.distance(middle)).fold(0.0, f32::max);
        let middle = Vec3::new(middle.x, middle.y, middle.z);
        MeshData { points, triangles, tree: OnceLock::new(), middle, reach }
    }

    /// Where a ray meets the front of a triangle.
    pub(super) fn cast(&self, ray: &Ray, max: f32) -> Option<(f32, Vector)> {
        let tree = self.tree.get_or_init(|| self.build());
        let (triangle, distance) = tree.cast_ray(ray, max, |triangle, _| {
            let [a, b, c] = self.corners(triangle)?;
            let is_front = (b - a).cross(c - a).dot(ray.dir) < 0.0;
            let met = local_ray_intersection_with_triangle(a, b, c, ray).filter(|_| is_front)?;
            Some(met.0.time_of_impact)
        })?;
        let [a, b, c] = self.corners(triangle)?;
        Some((distance, (b - a).cross(c - a)))
    }

    /// Where a ray meets what a cloth around all points would enclose.
    pub(super) fn cast_hull(&self, ray: &Ray, max: f32) -> Option<RayIntersection> {
        let mut simplex = VoronoiSimplex::new();
        let cloud = Cloud(&self.points);
        local_ray_intersection_with_support_map_with_params(&cloud, &mut simplex, ray, max, true)
    }

    fn corners(&self, triangle: u32) -> Option<[Vector; 3]> {
        let corners = self.triangles.get(triangle as usize)?;
        Some(corners.map(|corner| self.points[corner as usize]))
    }

    fn build(&self) -> Bvh {
        // A little air around each: a ray along the side of a flat box is neither in nor out.
        let air = self.reach * 1e-4;
        let boxes: Vec<Aabb> = (0_u32..)
            .map_while(|triangle| self.corners(triangle))
            .map(|corners| Aabb::from_points(corners).loosened(air))
            .collect();
        Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
    }
}

/// Points, as the shape that they span.
struct Cloud<'m>(&'m [Vector]);

impl SupportMap for Cloud<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let finite = self.0.iter().copied().filter(|point| point.is_finite());
        let farthest = finite.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
        farthest.unwrap_or(Vector::ZERO)
    }
}

/// The mesh of a reference.
pub(super) fn find(world: &World, asset: &AssetRef) -> Option<Arc<MeshData>> {
    let is_built_in = asset.path.is_empty();
    let given = world.meshes.triangles(asset);
    given.or_else(|| BUILT_IN.get(&*asset.name).filter(|_| is_built_in).cloned())
}

/// Unity's own meshes, by name.
static BUILT_IN: LazyLock<HashMap<&str, Arc<MeshData>>> = LazyLock::new(|| {
    // A quad looks back, at a camera that looks forward; a plane is seen from above.
    let quad = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let quad = quad.map(|(x, y)| Vector::new(x, y, 0.0));
    let plane = quad.map(|point| Vector::new(point.x, 0.0, point.y) * 10.0);
    let two = vec![[0, 2, 1], [2, 3, 1]];
    let meshes = [
        ("Cube", Cuboid::new(Vector::splat(0.5)).to_trimesh()),
        ("Sphere", Ball::new(0.5).to_trimesh(24, 16)),
        ("Capsule", Capsule::new_y(0.5, 0.5).to_trimesh(24, 16)),
        ("Cylinder", Cylinder::new(1.0, 0.5).to_trimesh(20)),
        ("Plane", (plane.to_vec(), two.clone())),
        ("Quad", (quad.to_vec(), two)),
    ];
    meshes
        .into_iter()
        .map(|(name, (points, triangles))| {
            (name, Arc::new(MeshData::from_parts(points, triangles)))
        })
        .collect()
});
