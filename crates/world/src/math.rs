//! Unity's vectors, rotations and colours: left-handed, y up, rotations applied z, then x, then y.

use std::ops::{Add, Mul, Neg, Sub};

/// Two numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

/// Three numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Vec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// Four numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Vec4 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

/// A rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quat {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

/// A colour; 1 is full.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Color {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

impl Vec2 {
    /// Both numbers.
    pub const fn new(x: f32, y: f32) -> Vec2 {
        Vec2 { x, y }
    }

    /// Number by number.
    pub fn scale(self, by: Vec2) -> Vec2 {
        Vec2::new(self.x * by.x, self.y * by.y)
    }
}

impl Vec3 {
    /// Nothing.
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    /// The scale that changes nothing.
    pub const ONE: Vec3 = Vec3::new(1.0, 1.0, 1.0);
    /// The way a camera looks.
    pub const FORWARD: Vec3 = Vec3::new(0.0, 0.0, 1.0);
    /// Away from the ground.
    pub const UP: Vec3 = Vec3::new(0.0, 1.0, 0.0);
    /// To the right of the way a camera looks.
    pub const RIGHT: Vec3 = Vec3::new(1.0, 0.0, 0.0);

    /// All three numbers.
    pub const fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// Number by number.
    pub fn scale(self, by: Vec3) -> Vec3 {
        Vec3::new(self.x * by.x, self.y * by.y, self.z * by.z)
    }

    /// Number by number; what is divided by zero becomes zero, as Unity has it for flat scales.
    pub fn unscale(self, by: Vec3) -> Vec3 {
        let over = |a: f32, b: f32| if b == 0.0 { 0.0 } else { a / b };
        Vec3::new(over(self.x, by.x), over(self.y, by.y), over(self.z, by.z))
    }

    /// The dot product.
    pub fn dot(self, other: Vec3) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The cross product.
    pub fn cross(self, other: Vec3) -> Vec3 {
        Vec3::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// How long it is.
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Whether all three are numbers.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The same way, of length 1; zero for what is too short to have a way.
    pub fn normalized(self) -> Vec3 {
        let length = self.length();
        if length > 1e-5 { self * (1.0 / length) } else { Vec3::ZERO }
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, by: f32) -> Vec3 {
        Vec3::new(self.x * by, self.y * by, self.z * by)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        self * -1.0
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, by: f32) -> Vec2 {
        Vec2::new(self.x * by, self.y * by)
    }
}

impl Default for Quat {
    fn default() -> Quat {
        Quat::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Quat = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };

    /// A rotation about an axis of length 1.
    pub fn about(axis: Vec3, degrees: f32) -> Quat {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        Quat { x: axis.x * sin, y: axis.y * sin, z: axis.z * sin, w: cos }
    }

    /// The shortest turn from one way to another.
    pub fn between(from: Vec3, to: Vec3) -> Quat {
        let (from, to) = (from.normalized(), to.normalized());
        let axis = from.cross(to);
        let cos = from.dot(to);
        if cos < -0.999_999 {
            // Any axis across will do for half a turn.
            let across = if from.x.abs() < 0.9 { Vec3::RIGHT } else { Vec3::UP };
            return Quat::about(from.cross(across).normalized(), 180.0);
        }
        Quat { x: axis.x, y: axis.y, z: axis.z, w: 1.0 + cos }.normalized()
    }

    /// The rotation that looks along a direction, its top towards `up`.
    pub fn looking(forward: Vec3, up: Vec3) -> Quat {
        let forward = forward.normalized();
        if forward == Vec3::ZERO {
            return Quat::IDENTITY;
        }
        let right = up.cross(forward).normalized();
        if right == Vec3::ZERO {
            return Quat::between(Vec3::FORWARD, forward);
        }
        // First along the ground, then up or down about the new right, then level with `up`.
        let first = Quat::between(Vec3::FORWARD, forward);
        let level = Quat::between(first.rotate(Vec3::RIGHT), right);
        (level * first).normalized()
    }

    /// From degrees about the axes, z first, then x, then y.
    pub fn from_euler(degrees: Vec3) -> Quat {
        let x = Quat::about(Vec3::RIGHT, degrees.x);
        let y = Quat::about(Vec3::UP, degrees.y);
        let z = Quat::about(Vec3::FORWARD, degrees.z);
        y * x * z
    }

    /// Degrees about the axes, each from 0 up to 360, as the inspector shows them.
    pub fn to_euler(self) -> Vec3 {
        let q = self.normalized();
        let sin_x = 2.0 * (q.w * q.x - q.y * q.z);
        let (x, y, z);
        if sin_x.abs() > 0.999_999 {
            // Looking straight up or down, y and z turn about the same axis; Unity gives it to y.
            x = 90_f32.copysign(sin_x);
            y = 2.0 * q.y.atan2(q.w).to_degrees();
            z = 0.0;
        } else {
            x = sin_x.asin().to_degrees();
            y = (2.0 * (q.w * q.y + q.x * q.z))
                .atan2(1.0 - 2.0 * (q.x * q.x + q.y * q.y))
                .to_degrees();
            z = (2.0 * (q.w * q.z + q.x * q.y))
                .atan2(1.0 - 2.0 * (q.x * q.x + q.z * q.z))
                .to_degrees();
        }
        let turn = |angle: f32| {
            let angle = angle.rem_euclid(360.0);
            // A hair under a full turn is no turn.
            if angle > 359.999_9 { 0.0 } else { angle }
        };
        Vec3::new(turn(x), turn(y), turn(z))
    }

    /// The rotation that undoes this one.
    pub fn inverse(self) -> Quat {
        Quat { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// Of length 1; no rotation for one of length zero, as old files have it.
    pub fn normalized(self) -> Quat {
        let length = (self.x * self.x + self.y * self.y + self.z * self.z + self.w * self.w).sqrt();
        if length < 1e-6 || !length.is_finite() {
            return Quat::IDENTITY;
        }
        let by = 1.0 / length;
        Quat { x: self.x * by, y: self.y * by, z: self.z * by, w: self.w * by }
    }

    /// The vector, turned.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        let axis = Vec3::new(self.x, self.y, self.z);
        let twice = axis.cross(v) * 2.0;
        v + twice * self.w + axis.cross(twice)
    }
}

impl Mul for Quat {
    type Output = Quat;
    fn mul(self, r: Quat) -> Quat {
        let l = self;
        Quat {
            x: l.w * r.x + l.x * r.w + l.y * r.z - l.z * r.y,
            y: l.w * r.y + l.y * r.w + l.z * r.x - l.x * r.z,
            z: l.w * r.z + l.z * r.w + l.x * r.y - l.y * r.x,
            w: l.w * r.w - l.x * r.x - l.y * r.y - l.z * r.z,
        }
    }
}

/// Position, rotation and scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Where.
    pub position: Vec3,
    /// Turned how.
    pub rotation: Quat,
    /// How large.
    pub scale: Vec3,
}

impl Default for Pose {
    fn default() -> Pose {
        Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Pose {
    /// Whether all of its parts are numbers.
    pub fn is_finite(&self) -> bool {
        let Pose { position, rotation, scale } = self;
        let parts = [position.x, position.y, position.z, scale.x, scale.y, scale.z];
        let turn = [rotation.x, rotation.y, rotation.z, rotation.w];
        parts.iter().chain(&turn).all(|part| part.is_finite())
    }

    /// A child's pose, seen from where this one is seen. Scales multiply, so a turned child of an
    /// unevenly scaled parent has Unity's `lossyScale`, not a skew.
    pub fn of_child(&self, child: &Pose) -> Pose {
        Pose {
            position: self.point(child.position),
            rotation: self.rotation * child.rotation,
            scale: self.scale.scale(child.scale),
        }
    }

    /// The pose that as a child of this one gives `world`.
    pub fn to_child(&self, world: &Pose) -> Pose {
        Pose {
            position: self.inverse_point(world.position),
            rotation: (self.rotation.inverse() * world.rotation).normalized(),
            scale: world.scale.unscale(self.scale),
        }
    }

    /// A point from inside, seen from outside.
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.position + self.rotation.rotate(self.scale.scale(point))
    }

    /// A point from outside, seen from inside.
    pub fn inverse_point(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse().rotate(point - self.position).unscale(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec3, b: Vec3) {
        assert!((a - b).length() < 1e-3, "{a:?} is not {b:?}");
    }

    #[test]
    fn euler_angles_go_both_ways() {
        for angles in
            [(0.0, 0.0, 0.0), (50.0, 330.0, 0.0), (10.0, 20.0, 30.0), (350.0, 200.0, 90.0)]
        {
            let angles = Vec3::new(angles.0, angles.1, angles.2);
            near(Quat::from_euler(angles).to_euler(), angles);
        }
        near(Quat::from_euler(Vec3::new(90.0, 45.0, 0.0)).to_euler(), Vec3::new(90.0, 45.0, 0.0));
    }

    #[test]
    fn a_quarter_turn_about_up_looks_right() {
        near(Quat::from_euler(Vec3::new(0.0, 90.0, 0.0)).rotate(Vec3::FORWARD), Vec3::RIGHT);
        near(Quat::from_euler(Vec3::new(90.0, 0.0, 0.0)).rotate(Vec3::FORWARD), -Vec3::UP);
    }

    #[test]
    fn a_child_keeps_its_place_in_the_world() {
        let parent = Pose {
            position: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_euler(Vec3::new(0.0, 90.0, 0.0)),
            scale: Vec3::new(2.0, 2.0, 2.0),
        };
        let world = Pose { position: Vec3::new(5.0, 5.0, 5.0), ..Pose::default() };
        let back = parent.of_child(&parent.to_child(&world));
        near(back.position, world.position);
        near(back.scale, world.scale);
        near(parent.point(Vec3::FORWARD), Vec3::new(3.0, 2.0, 3.0));
    }
}
