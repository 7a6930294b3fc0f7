//! Where a line meets what a cloth around many points would enclose.
//!
//! Seen along the line, the points lie in a plane and the line is its origin. A triangle of points
//! around the origin is a part of the solid, and the line meets it; as long as some point lies in
//! front of the triangle's plane it takes the place of a corner, until none does. That asks for no
//! surface to be built before, and for a dozen looks at every point.

use super::cast::{Line, Met, Wide};
use crate::math::Vec3;

/// More than any sensible mesh needs; it ends what rounding errors keep going.
const MAX_STEPS: usize = 200;

/// A point: aside of the line in two ways, and along it.
type Seen = Wide;

/// Where a line meets the hull of `points`; nothing from within.
pub(super) fn cast(points: &[Vec3], line: &Line, max: f32) -> Option<Met> {
    let view = View::new(line)?;
    let seen: Vec<Seen> =
        points.iter().filter(|point| point.is_finite()).map(|point| view.see(*point)).collect();
    let mut corners = around(&seen)?;
    let size = seen.iter().map(|p| p.0[2].abs()).fold(0.0, f64::max);
    for _ in 0..MAX_STEPS {
        let plane = Plane::through(corners)?;
        let ahead = |p: &Seen| plane.at(p) - p.0[2];
        let nearest = *seen.iter().max_by(|a, b| ahead(a).total_cmp(&ahead(b)))?;
        if ahead(&nearest) <= size * 1e-9 {
            break;
        }
        corners = replaced(corners, nearest);
    }
    let plane = Plane::through(corners)?;
    let distance = plane.middle as f32;
    (distance > 0.0 && distance <= max).then(|| (distance, view.normal(&plane)))
}

/// A triangle of the solid around the origin: the middle of all points, which is inside, and the
/// ends of the edge that the way from there to the origin crosses. None if the origin is outside.
fn around(seen: &[Seen]) -> Option<[Seen; 3]> {
    let count = seen.len() as f64;
    let sum = |axis: usize| seen.iter().map(|p| p.0[axis]).sum::<f64>();
    let middle = Wide([sum(0) / count, sum(1) / count, sum(2) / count]);
    // Straight through the middle any way will do.
    let is_central = middle.0[0] == 0.0 && middle.0[1] == 0.0;
    let out = if is_central { [1.0, 0.0] } else { [-middle.0[0], -middle.0[1]] };
    let relative = |p: &Seen| [p.0[0] - middle.0[0], p.0[1] - middle.0[1]];
    let side = |p: &Seen| area(out, relative(p));
    let farthest = |way: [f64; 2]| {
        let along = |p: &Seen| relative(p)[0] * way[0] + relative(p)[1] * way[1];
        seen.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b)))
    };
    let mut left = farthest([-out[1], out[0]])?;
    let mut right = farthest([out[1], -out[0]])?;
    for _ in 0..MAX_STEPS {
        let edge = [right.0[0] - left.0[0], right.0[1] - left.0[1]];
        let outward = [-edge[1], edge[0]];
        let beyond =
            |p: &Seen| (p.0[0] - left.0[0]) * outward[0] + (p.0[1] - left.0[1]) * outward[1];
        let next = farthest(outward)?;
        let size = edge[0] * edge[0] + edge[1] * edge[1];
        if beyond(&next) <= size * 1e-12 {
            break;
        }
        if side(&next) > 0.0 { left = next } else { right = next }
    }
    let is_inside = area([right.0[0], right.0[1]], [left.0[0], left.0[1]]) >= 0.0;
    is_inside.then_some([middle, left, right])
}

/// The triangle with a corner replaced, so that the origin is still in it: as deep as can be, for
/// an edge may run through the origin.
fn replaced(corners: [Seen; 3], by: Seen) -> [Seen; 3] {
    let candidates = [0, 1, 2].map(|corner| {
        let mut candidate = corners;
        candidate[corner] = by;
        (depth(&candidate), candidate)
    });
    let [first, second, third] = candidates;
    let better = if second.0 > first.0 { second } else { first };
    if third.0 > better.0 { third.1 } else { better.1 }
}

/// The least share of a corner in the origin, negative outside.
fn depth(corners: &[Seen; 3]) -> f64 {
    let flat = corners.map(|p| [p.0[0], p.0[1]]);
    let parts = [area(flat[1], flat[2]), area(flat[2], flat[0]), area(flat[0], flat[1])];
    let whole: f64 = parts.iter().sum();
    if whole == 0.0 {
        return f64::NEG_INFINITY;
    }
    parts.iter().map(|part| part / whole).fold(f64::INFINITY, f64::min)
}

fn area(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// How points look from a line.
struct View {
    from: Wide,
    across: Wide,
    up: Wide,
    way: Wide,
    speed: f64,
}

impl View {
    fn new(line: &Line) -> Option<View> {
        let way = Wide::of(line.way);
        let speed = way.dot(way);
        if speed == 0.0 || !speed.is_finite() {
            return None;
        }
        let [x, y, z] = way.0.map(f64::abs);
        let least = if x <= y && x <= z {
            [1.0, 0.0, 0.0]
        } else if y <= z {
            [0.0, 1.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let across = normalized(way.cross(Wide(least)));
        let up = normalized(way.cross(across));
        Some(View { from: Wide::of(line.from), across, up, way, speed })
    }

    fn see(&self, point: Vec3) -> Seen {
        let p = Wide::of(point).minus(self.from);
        Wide([p.dot(self.across), p.dot(self.up), p.dot(self.way) / self.speed])
    }

    /// Of a plane that was seen, against the line.
    fn normal(&self, plane: &Plane) -> Vec3 {
        let along = |axis: usize| {
            plane.slope[0] * self.across.0[axis] + plane.slope[1] * self.up.0[axis]
                - self.way.0[axis] / self.speed
        };
        let normal = normalized(Wide([along(0), along(1), along(2)]));
        Vec3::new(normal.0[0] as f32, normal.0[1] as f32, normal.0[2] as f32)
    }
}

fn normalized(v: Wide) -> Wide {
    let length = v.dot(v).sqrt();
    Wide(v.0.map(|part| part / length))
}

/// How far along the line a plane is, by the place aside of it.
struct Plane {
    slope: [f64; 2],
    middle: f64,
}

impl Plane {
    /// None if it is seen from its edge.
    fn through([a, b, c]: [Seen; 3]) -> Option<Plane> {
        let normal = b.minus(a).cross(c.minus(a));
        if normal.0[2] == 0.0 {
            return None;
        }
        let slope = [-normal.0[0] / normal.0[2], -normal.0[1] / normal.0[2]];
        Some(Plane { slope, middle: a.0[2] - slope[0] * a.0[0] - slope[1] * a.0[1] })
    }

    fn at(&self, place: &Seen) -> f64 {
        self.middle + self.slope[0] * place.0[0] + self.slope[1] * place.0[1]
    }
}
