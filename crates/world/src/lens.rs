//! What a camera does with pixels: rays out of them, and points into them.

use crate::ids::ComponentId;
use crate::math::{Pose, Vec2, Vec3};
use crate::value::Value;
use crate::world::World;

/// A camera's place and what it sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lens {
    /// Where the camera is; cameras have no scale.
    pub(crate) pose: Pose,
    /// Half the height of what is seen.
    half_height: HalfHeight,
    /// Nothing nearer is seen.
    pub(crate) near: f32,
    /// Nothing farther is seen.
    pub(crate) far: f32,
    /// The lower left corner of its part of the screen, in pixels.
    corner: Vec2,
    /// Width and height of that part.
    pub(crate) size: Vec2,
    /// Cameras with more of it are drawn later.
    pub(crate) depth: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum HalfHeight {
    /// At a distance of 1.
    Perspective(f32),
    /// At any distance.
    Orthographic(f32),
}

/// A straight line from a point on, up to a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3,
    /// Of length 1.
    pub(crate) direction: Vec3,
    pub(crate) max: f32,
}

impl Ray {
    pub(crate) fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

impl Lens {
    /// The lens of a camera; nothing when it shows no pixel.
    pub(crate) fn of(world: &World, camera: ComponentId) -> Option<Lens> {
        let (object, _) = world.component(camera)?;
        let number = |name: &str| world.number(camera, name);
        let half_height = match world.flag(camera, "orthographic") {
            true => HalfHeight::Orthographic(number("orthographicSize")),
            false => {
                let half_angle = number("fieldOfView").clamp(1e-3, 179.0) / 2.0;
                HalfHeight::Perspective(half_angle.to_radians().tan())
            }
        };
        let (corner, size) = viewport(world, camera)?;
        Some(Lens {
            pose: Pose { scale: Vec3::ONE, ..world.bare_pose(object.id()) },
            half_height,
            near: number("nearClipPlane"),
            far: number("farClipPlane"),
            corner,
            size,
            depth: number("depth"),
        })
    }

    /// The ray through a pixel: from the near plane to the far one.
    pub(crate) fn ray(&self, pixel: Vec2) -> Ray {
        let across = (pixel.x - self.corner.x) / self.size.x * 2.0 - 1.0;
        let up = (pixel.y - self.corner.y) / self.size.y * 2.0 - 1.0;
        let half = self.half_size_at(1.0);
        let side = Vec3::new(half.x * across, half.y * up, 0.0);
        let (from, towards) = match self.half_height {
            HalfHeight::Perspective(_) => (Vec3::ZERO, side + Vec3::FORWARD),
            HalfHeight::Orthographic(_) => (side, Vec3::FORWARD),
        };
        Ray {
            origin: self.pose.point(from + towards * self.near),
            direction: self.pose.rotation.rotate(towards).normalized(),
            max: ((self.far - self.near) * towards.length()).max(0.0),
        }
    }

    /// Where a point of the world is on the screen; nothing for what is behind the camera.
    pub(crate) fn project(&self, point: Vec3) -> Option<Vec2> {
        let seen = self.pose.inverse_point(point);
        if matches!(self.half_height, HalfHeight::Perspective(_)) && seen.z <= 0.0 {
            return None;
        }
        let half = self.half_size_at(seen.z);
        let across = (seen.x / half.x + 1.0) / 2.0;
        let up = (seen.y / half.y + 1.0) / 2.0;
        Some(self.corner + Vec2::new(across * self.size.x, up * self.size.y))
    }

    /// Whether a pixel is in its part of the screen.
    pub(crate) fn shows(&self, pixel: Vec2) -> bool {
        let from_corner = pixel - self.corner;
        (0.0..=self.size.x).contains(&from_corner.x) && (0.0..=self.size.y).contains(&from_corner.y)
    }

    /// Half the width and height of what is seen at a distance.
    pub(crate) fn half_size_at(&self, distance: f32) -> Vec2 {
        let half_height = match self.half_height {
            HalfHeight::Perspective(half) => half * distance,
            HalfHeight::Orthographic(half) => half,
        };
        Vec2::new(half_height * self.size.x / self.size.y, half_height)
    }
}

/// Corner and size of a camera's part of the screen, in pixels.
fn viewport(world: &World, camera: ComponentId) -> Option<(Vec2, Vec2)> {
    let rect = world.member(camera, "rect");
    let part = |name: &str, otherwise: f32| {
        let Some(Value::Struct(rect)) = &rect else { return otherwise };
        let field = rect.fields.iter().find(|(field, _)| &**field == name);
        field.and_then(|(_, value)| value.as_f64()).map_or(otherwise, |number| number as f32)
    };
    // Unity cuts off what sticks out of the screen.
    let span = |from: f32, length: f32| (from.clamp(0.0, 1.0), (from + length).clamp(0.0, 1.0));
    let (left, right) = span(part("x", 0.0), part("width", 1.0));
    let (bottom, top) = span(part("y", 0.0), part("height", 1.0));
    let (width, height) = (world.screen.0 as f32, world.screen.1 as f32);
    let size = Vec2::new((right - left) * width, (top - bottom) * height);
    (size.x > 0.0 && size.y > 0.0).then_some((Vec2::new(left * width, bottom * height), size))
}
