//! Where things are: positions, turns and sizes, one inside another, as Unity reckons them.

/// A place in something else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Where it is: x, y, z.
    pub position: [f64; 3],
    /// How it is turned, as a quaternion: x, y, z, w.
    pub rotation: [f64; 4],
    /// How large it is: x, y, z.
    pub scale: [f64; 3],
}

impl Default for Pose {
    fn default() -> Pose {
        Pose { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

impl Pose {
    /// What is at `inner` in this, seen from outside.
    pub fn outward(&self, inner: &Pose) -> Pose {
        let scaled = std::array::from_fn(|at| self.scale[at] * inner.position[at]);
        let turned = turn(self.rotation, scaled);
        Pose {
            position: std::array::from_fn(|at| self.position[at] + turned[at]),
            rotation: multiply(self.rotation, inner.rotation),
            scale: std::array::from_fn(|at| self.scale[at] * inner.scale[at]),
        }
    }

    /// What is at `outer`, seen from inside of this. A size of zero leaves nothing to divide by.
    pub fn inward(&self, outer: &Pose) -> Pose {
        let back = conjugate(self.rotation);
        let apart = std::array::from_fn(|at| outer.position[at] - self.position[at]);
        let turned = turn(back, apart);
        let part = |whole: f64, by: f64| if by == 0.0 { 0.0 } else { whole / by };
        Pose {
            position: std::array::from_fn(|at| part(turned[at], self.scale[at])),
            rotation: multiply(back, outer.rotation),
            scale: std::array::from_fn(|at| part(outer.scale[at], self.scale[at])),
        }
    }
}

/// A place as numbers that turn, stretch and move; also of what is turned in something that is
/// stretched unevenly, which no [`Pose`] can tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matrix {
    /// Where the three axes lead.
    axes: [[f64; 3]; 3],
    origin: [f64; 3],
}

impl Default for Matrix {
    fn default() -> Matrix {
        Matrix::of(&Pose::default())
    }
}

impl Matrix {
    /// That of a pose.
    pub fn of(pose: &Pose) -> Matrix {
        let axis = |at: usize| {
            let mut axis = [0.0; 3];
            axis[at] = pose.scale[at];
            turn(pose.rotation, axis)
        };
        Matrix { axes: std::array::from_fn(axis), origin: pose.position }
    }

    /// What is at `inner` in this, seen from outside.
    pub fn outward(&self, inner: &Matrix) -> Matrix {
        Matrix {
            axes: inner.axes.map(|axis| self.direction(axis)),
            origin: self.point(inner.origin),
        }
    }

    /// Where a point comes to be.
    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        let moved = self.direction(point);
        std::array::from_fn(|at| self.origin[at] + moved[at])
    }

    /// Where a direction leads.
    pub fn direction(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.axes;
        std::array::from_fn(|at| a[at] * x + b[at] * y + c[at] * z)
    }

    /// Where a surface looks that looked there; not one long.
    pub fn normal(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.axes;
        let [a, b, c] = [cross(b, c), cross(c, a), cross(a, b)];
        let side = self.determinant().signum();
        std::array::from_fn(|at| (a[at] * x + b[at] * y + c[at] * z) * side)
    }

    /// How much larger things become; less than zero where they are mirrored.
    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.axes;
        let upright = cross(b, c);
        a[0] * upright[0] + a[1] * upright[1] + a[2] * upright[2]
    }
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// One turn after another: the right one first.
pub fn multiply([x, y, z, w]: [f64; 4], [a, b, c, d]: [f64; 4]) -> [f64; 4] {
    [
        w * a + x * d + y * c - z * b,
        w * b - x * c + y * d + z * a,
        w * c + x * b - y * a + z * d,
        w * d - x * a - y * b - z * c,
    ]
}

fn conjugate([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

fn turn(rotation: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let turned = multiply(multiply(rotation, [x, y, z, 0.0]), conjugate(rotation));
    [turned[0], turned[1], turned[2]]
}

/// The turn of angles in degrees: about z first, then x, then y.
pub fn from_euler(angles: [f64; 3]) -> [f64; 4] {
    let [x, y, z] = angles.map(|angle| (angle.to_radians() / 2.0).sin_cos());
    let about = |axis: usize, (sin, cos): (f64, f64)| {
        let mut turn = [0.0, 0.0, 0.0, cos];
        turn[axis] = sin;
        turn
    };
    multiply(multiply(about(1, y), about(0, x)), about(2, z))
}

/// The angles of a turn in degrees, each from 0 to 360.
pub fn to_euler([x, y, z, w]: [f64; 4]) -> [f64; 3] {
    let pitch = 2.0 * (w * x - y * z);
    let angles = if pitch.abs() > 0.999_999 {
        let yaw = 2.0 * y.atan2(w);
        [std::f64::consts::FRAC_PI_2.copysign(pitch), yaw, 0.0]
    } else {
        [
            pitch.asin(),
            (2.0 * (w * y + x * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
            (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (x * x + z * z)),
        ]
    };
    angles.map(|angle| {
        let degrees = angle.to_degrees().rem_euclid(360.0);
        let short = (degrees * 1000.0).round() / 1000.0;
        let near = if (short - degrees).abs() < 1e-4 { short } else { degrees };
        if near >= 360.0 { near - 360.0 } else { near }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near<const N: usize>(one: [f64; N], other: [f64; N]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
    }

    #[test]
    fn what_goes_in_comes_out() {
        let outer = Pose {
            position: [10.0, 0.0, -3.0],
            rotation: from_euler([20.0, 90.0, 5.0]),
            scale: [2.0, 2.0, 2.0],
        };
        let world = Pose {
            position: [1.0, 2.0, 3.0],
            rotation: from_euler([0.0, 45.0, 0.0]),
            scale: [1.0; 3],
        };
        let inner = outer.inward(&world);
        let back = outer.outward(&inner);
        assert!(near(back.position, world.position) && near(back.scale, world.scale));
        assert!(near(back.rotation, world.rotation) && near(inner.scale, [0.5; 3]));
    }

    #[test]
    fn what_is_turned_in_something_uneven_is_not_square() {
        let outer = Pose { scale: [2.0, 1.0, 1.0], ..Pose::default() };
        let inner = Pose { rotation: from_euler([0.0, 0.0, 45.0]), ..Pose::default() };
        let whole = Matrix::of(&outer).outward(&Matrix::of(&inner));
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(near(whole.point([1.0, 0.0, 0.0]), [2.0 * half, half, 0.0]));
        assert!(near(whole.point([0.0, 1.0, 0.0]), [-2.0 * half, half, 0.0]));
        assert!((whole.determinant() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn angles_are_those_of_the_editor() {
        for angles in [[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [10.0, 200.0, 350.0], [90.0, 40.0, 0.0]] {
            assert!(near(to_euler(from_euler(angles)), angles), "{angles:?}");
        }
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(near(from_euler([0.0, 90.0, 0.0]), [0.0, half, 0.0, half]));
    }
}
