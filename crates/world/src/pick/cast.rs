//! Where a line meets simple shapes around the origin. Whoever starts inside one meets nothing.

use crate::math::Vec3;

/// A line from a point on. The direction has any length; distances are counted in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) from: Vec3,
    pub(super) way: Vec3,
}

/// How far along a line something is met, and the way that its surface looks there.
pub(super) type Met = (f32, Vec3);

impl Line {
    pub(super) fn at(&self, distance: f32) -> Vec3 {
        self.from + self.way * distance
    }
}

/// A box that reaches `half` to both sides of each axis.
pub(super) fn cuboid(half: Vec3, line: &Line, max: f32) -> Option<Met> {
    let axes = [
        (half.x, line.from.x, line.way.x, Vec3::RIGHT),
        (half.y, line.from.y, line.way.y, Vec3::UP),
        (half.z, line.from.z, line.way.z, Vec3::FORWARD),
    ];
    let (mut enter, mut leave, mut normal) = (0.0, max, Vec3::ZERO);
    for (half, from, way, axis) in axes {
        if way == 0.0 {
            if from.abs() > half {
                return None;
            }
            continue;
        }
        let near = (-half * way.signum() - from) / way;
        let far = (half * way.signum() - from) / way;
        if near > enter {
            (enter, normal) = (near, axis * -way.signum());
        }
        leave = far.min(leave);
    }
    (enter > 0.0 && enter <= leave).then_some((enter, normal))
}

/// A ball.
pub(super) fn ball(radius: f32, line: &Line, max: f32) -> Option<Met> {
    let distance = enter_ball(radius, line)?;
    let normal = line.at(distance) * (1.0 / radius);
    (distance > 0.0 && distance <= max).then_some((distance, normal))
}

/// All points within `radius` of those that are up to `half` away along an axis of length 1.
pub(super) fn capsule(up: Vec3, half: f32, radius: f32, line: &Line, max: f32) -> Option<Met> {
    let on_axis = |point: Vec3| up * point.dot(up).clamp(-half, half);
    let aside = line.from - on_axis(line.from);
    if aside.dot(aside) <= radius * radius {
        return None;
    }
    // The tube is a ball for those who look along it.
    let across = |v: Vec3| v - up * v.dot(up);
    let flat = Line { from: across(line.from), way: across(line.way) };
    let tube = enter_ball(radius, &flat).filter(|at| line.at(*at).dot(up).abs() <= half);
    let ends = [-half, half]
        .map(|end| enter_ball(radius, &Line { from: line.from - up * end, way: line.way }));
    let met = [tube, ends[0], ends[1]].into_iter().flatten().filter(|at| *at > 0.0);
    let distance = met.reduce(f32::min).filter(|at| *at <= max)?;
    let point = line.at(distance);
    Some((distance, (point - on_axis(point)) * (1.0 / radius)))
}

/// Where a line comes into a ball, maybe before its start.
fn enter_ball(radius: f32, line: &Line) -> Option<f32> {
    let speed = line.way.dot(line.way);
    if speed == 0.0 {
        return None;
    }
    // From the point nearest to the middle: a difference of large squares would lose the small one.
    let nearest = -line.from.dot(line.way) / speed;
    let aside = line.at(nearest);
    let depth = radius * radius - aside.dot(aside);
    (depth >= 0.0).then(|| nearest - (depth / speed).sqrt())
}

/// Where a line meets the front of a triangle, from which its corners are seen in the order that
/// makes their cross product look at the viewer.
pub(super) fn triangle(corners: [Vec3; 3], line: &Line) -> Option<f32> {
    let way = Wide::of(line.way);
    let [a, b, c] = corners.map(|corner| Wide::of(corner).minus(Wide::of(line.from)));
    let normal = b.minus(a).cross(c.minus(a));
    let towards = normal.dot(way);
    // The side of an edge is judged by the same numbers for both triangles that share it, so no
    // line slips through between them.
    let is_left_of = |p: Wide, q: Wide| way.dot(p.cross(q)) <= 0.0;
    if !(towards < 0.0 && is_left_of(a, b) && is_left_of(b, c) && is_left_of(c, a)) {
        return None;
    }
    let distance = normal.dot(a) / towards;
    (distance >= 0.0).then_some(distance as f32)
}

/// A vector with digits to spare.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide(pub(super) [f64; 3]);

impl Wide {
    pub(super) fn of(v: Vec3) -> Wide {
        Wide([v.x, v.y, v.z].map(f64::from))
    }

    pub(super) fn minus(self, other: Wide) -> Wide {
        Wide([self.0[0] - other.0[0], self.0[1] - other.0[1], self.0[2] - other.0[2]])
    }

    pub(super) fn dot(self, other: Wide) -> f64 {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    pub(super) fn cross(self, other: Wide) -> Wide {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Wide([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    }
}
