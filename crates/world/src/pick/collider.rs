//! Colliders: their shapes, how these grow with their objects, and where rays meet them.

use std::sync::Arc;

use super::cast::{self, Line, Met};
use super::mesh::{self, MeshData};
use crate::lens::Ray;
use crate::math::{Pose, Quat, Vec3};
use crate::object::Component;
use crate::value::{AssetRef, Value};
use crate::world::World;

/// Flatter than this is nothing that a mesh can be cast in.
const MIN_SCALE: f32 = 1e-6;

/// The shape of a collider, as its fields say.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Cuboid {
        center: Vec3,
        size: Vec3,
    },
    Ball {
        center: Vec3,
        radius: f32,
    },
    Capsule {
        center: Vec3,
        radius: f32,
        height: f32,
        axis: Axis,
    },
    /// A capsule that stays upright.
    Controller {
        center: Vec3,
        radius: f32,
        height: f32,
    },
    Mesh {
        asset: Arc<AssetRef>,
        convex: bool,
    },
    /// A mesh collider without a mesh.
    Nothing,
    /// Terrain and wheels.
    Unknown,
}

/// The way a capsule stands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// A shape in the world.
#[derive(Debug)]
pub(super) struct Solid {
    form: Form,
    /// From the form's own space to the world; only meshes have a scale left.
    at: Pose,
    /// Everything is within `reach` of `middle`.
    middle: Vec3,
    reach: f32,
}

#[derive(Debug)]
enum Form {
    Cuboid { half: Vec3 },
    Ball { radius: f32 },
    Capsule { up: Vec3, half: f32, radius: f32 },
    Surface(Arc<MeshData>),
    Hull(Arc<MeshData>),
}

impl Shape {
    /// The shape of a component that is a collider.
    pub(super) fn of<'w>(world: &World, component: &'w Component) -> Option<&'w Shape> {
        let class = component.type_name()?.strip_prefix("UnityEngine.")?;
        if !class.ends_with("Collider") && class != "CharacterController" {
            return None;
        }
        Some(component.shape.get_or_init(|| Box::new(Shape::read(world, component, class))))
    }

    fn read(world: &World, component: &Component, class: &str) -> Shape {
        let id = component.id();
        let center = || world.vector(id, "center");
        let number = |name: &str| world.number(id, name);
        match class {
            "BoxCollider" => Shape::Cuboid { center: center(), size: world.vector(id, "size") },
            "SphereCollider" => Shape::Ball { center: center(), radius: number("radius") },
            "CapsuleCollider" => Shape::Capsule {
                center: center(),
                radius: number("radius"),
                height: number("height"),
                axis: match number("direction") {
                    0.0 => Axis::X,
                    2.0 => Axis::Z,
                    _ => Axis::Y,
                },
            },
            "CharacterController" => Shape::Controller {
                center: center(),
                radius: number("radius"),
                height: number("height"),
            },
            "MeshCollider" => match world.member(id, "sharedMesh") {
                Some(Value::Asset(asset)) => {
                    Shape::Mesh { asset, convex: world.flag(id, "convex") }
                }
                _ => Shape::Nothing,
            },
            _ => Shape::Unknown,
        }
    }

    /// Whether rays can be cast on it.
    pub(super) fn is_known(&self, world: &World) -> bool {
        match self {
            Shape::Mesh { asset, .. } => mesh::find(world, asset).is_some(),
            Shape::Unknown => false,
            _ => true,
        }
    }

    /// The shape on an object at this place. Only boxes and meshes can be uneven, so the others
    /// take the largest scale of the axes that they cannot tell apart.
    pub(super) fn solid(&self, world: &World, pose: &Pose) -> Option<Solid> {
        let scale = Vec3::new(pose.scale.x.abs(), pose.scale.y.abs(), pose.scale.z.abs());
        let solid = match self {
            Shape::Cuboid { center, size } => {
                let half = size.scale(scale) * 0.5;
                let half = Vec3::new(half.x.abs(), half.y.abs(), half.z.abs());
                Solid::new(Form::Cuboid { half }, pose, *center, half.length())
            }
            Shape::Ball { center, radius } => {
                let radius = radius.abs() * scale.x.max(scale.y).max(scale.z);
                Solid::new(Form::Ball { radius }, pose, *center, radius)
            }
            Shape::Capsule { center, radius, height, axis } => {
                let (along, across, up) = match axis {
                    Axis::X => (scale.x, scale.y.max(scale.z), Vec3::RIGHT),
                    Axis::Y => (scale.y, scale.x.max(scale.z), Vec3::UP),
                    Axis::Z => (scale.z, scale.x.max(scale.y), Vec3::FORWARD),
                };
                Solid::capsule(pose, *center, radius.abs() * across, height.abs() * along, up)
            }
            Shape::Controller { center, radius, height } => {
                let (radius, height) =
                    (radius.abs() * scale.x.max(scale.z), height.abs() * scale.y);
                let mut solid = Solid::capsule(pose, *center, radius, height, Vec3::UP);
                solid.at.rotation = Quat::IDENTITY;
                solid
            }
            Shape::Mesh { asset, convex } => {
                let mesh = mesh::find(world, asset)?;
                if scale.x.min(scale.y).min(scale.z) < MIN_SCALE {
                    return None;
                }
                Solid {
                    at: *pose,
                    middle: pose.point(mesh.middle),
                    reach: mesh.reach * scale.x.max(scale.y).max(scale.z),
                    form: if *convex { Form::Hull(mesh) } else { Form::Surface(mesh) },
                }
            }
            Shape::Nothing | Shape::Unknown => return None,
        };
        let is_finite = solid.middle.dot(solid.middle).is_finite() && solid.reach.is_finite();
        (is_finite && solid.reach > 0.0).then_some(solid)
    }
}

impl Solid {
    fn new(form: Form, pose: &Pose, center: Vec3, reach: f32) -> Solid {
        let middle = pose.point(center);
        let at = Pose { position: middle, rotation: pose.rotation, scale: Vec3::ONE };
        Solid { form, at, middle, reach }
    }

    fn capsule(pose: &Pose, center: Vec3, radius: f32, height: f32, up: Vec3) -> Solid {
        // One that is not higher than wide is a ball.
        let half = (height / 2.0 - radius).max(0.0);
        Solid::new(Form::Capsule { up, half, radius }, pose, center, half + radius)
    }

    /// How far along the ray it is met, and the normal there.
    pub(super) fn cast(&self, ray: &Ray) -> Option<(f32, Vec3)> {
        let to_middle = self.middle - ray.origin;
        let nearest = to_middle.dot(ray.direction);
        // Most shapes are far from the ray. The distance is of a difference and not a difference of
        // squares, which would be rounded to nothing for what is small and far away.
        let slack = 1e-4 * (self.reach + nearest.abs());
        let reach = self.reach + slack;
        let aside = to_middle - ray.direction * nearest;
        if aside.dot(aside) > reach * reach || nearest < -reach || nearest - reach > ray.max {
            return None;
        }
        // For the same reason the cast starts just before the shape.
        let skipped = (nearest - 2.0 * reach).max(0.0);
        let turn_back = self.at.rotation.inverse();
        let line = Line {
            from: self.at.inverse_point(ray.at(skipped)),
            way: turn_back.rotate(ray.direction).unscale(self.at.scale),
        };
        let (distance, normal) = self.form.cast(&line, ray.max - skipped)?;
        let normal = normal.unscale(self.at.scale);
        Some((skipped + distance, self.at.rotation.rotate(normal).normalized()))
    }
}

impl Form {
    fn cast(&self, line: &Line, max: f32) -> Option<Met> {
        match self {
            Form::Cuboid { half } => cast::cuboid(*half, line, max),
            Form::Ball { radius } => cast::ball(*radius, line, max),
            Form::Capsule { up, half, radius } => cast::capsule(*up, *half, *radius, line, max),
            Form::Surface(mesh) => mesh.cast(line, max),
            Form::Hull(mesh) => mesh.cast_hull(line, max),
        }
    }
}
