//! What is at a pixel: rays against colliders, and graphics of user interfaces.

mod cast;
mod collider;
mod hull;
#[cfg(test)]
mod judged;
mod mesh;
mod primitives;
mod scenery;
mod tree;
mod ui;

use crate::ids::{ComponentId, ObjectId};
use crate::lens::{Lens, Ray};
use crate::math::{Vec2, Vec3};
use crate::world::World;
use collider::Solid;

pub(crate) use collider::Shape;
pub use mesh::{MeshData, Meshes, NoMeshes};
pub(crate) use scenery::Scenery;

/// Where a ray meets a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The object.
    pub object: ObjectId,
    /// Its collider.
    pub collider: ComponentId,
    /// The point in the world.
    pub point: Vec3,
    /// Away from the surface, of length 1.
    pub normal: Vec3,
    /// How far from the start of the ray.
    pub distance: f32,
}

impl World {
    /// The nearest collider at a pixel, counted from the lower left corner of the screen: as
    /// `Physics.Raycast` with the ray of the game's camera, between its clip planes. Nothing
    /// without a camera.
    pub fn pick_world(&self, x: f32, y: f32) -> Option<Hit> {
        let lens = Lens::of(self, self.scenery().camera?)?;
        let ray = lens.ray(Vec2::new(x, y));
        self.ray(ray.origin, ray.direction, ray.max).into_iter().next()
    }

    /// Every collider that a ray meets, the nearest first. As in Unity, triggers count, and the
    /// layer "Ignore Raycast", colliders around the start of the ray and the backs of meshes do not.
    pub fn ray(&self, origin: Vec3, direction: Vec3, max: f32) -> Vec<Hit> {
        let ray = Ray { origin, direction: direction.normalized(), max };
        if ray.direction == Vec3::ZERO || !origin.dot(origin).is_finite() || max.is_nan() {
            return Vec::new();
        }
        let scenery = self.scenery();
        let hit = |(object, collider, solid): &(ObjectId, ComponentId, Solid)| {
            let (distance, normal) = solid.cast(&ray)?;
            let point = ray.at(distance);
            Some(Hit { object: *object, collider: *collider, point, normal, distance })
        };
        let mut hits: Vec<Hit> = scenery.colliders.iter().filter_map(hit).collect();
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        hits
    }

    /// How many active colliders no ray can meet, because their shape is not known: terrain, and
    /// meshes that [`World::meshes`] does not have.
    pub fn colliders_passed_over(&self) -> usize {
        self.scenery().unknown
    }
}

#[cfg(test)]
mod tests;
