//! Our casts against those of a library that many use, by thousands of lines at random.
//!
//! Two ways to compute never agree on a line that grazes, so ours has to be between the library's
//! answers for a shape that is a little larger and one that is a little smaller.

use parry3d::math::Vector;
use parry3d::query::details::{
    local_ray_intersection_with_support_map_with_params, local_ray_intersection_with_triangle,
};
use parry3d::query::gjk::VoronoiSimplex;
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{Ball, Capsule, Cuboid, SupportMap};

use super::cast::{self, Line, Met};
use super::tree::{Bounds, Tree};
use super::{hull, primitives};
use crate::math::Vec3;

const FAR: f32 = 1e6;
const GROWN: f32 = 1.002;
const SHRUNK: f32 = 0.998;

/// Numbers at random, the same ones in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    fn point(&mut self, reach: f32) -> Vec3 {
        let mut one = || (self.share() * 2.0 - 1.0) * reach;
        Vec3::new(one(), one(), one())
    }

    /// Towards something of this size about the origin, from near or far, some along an axis.
    fn line(&mut self, size: f32) -> Line {
        let distance = size * [0.5, 2.0, 6.0][(self.next() % 3) as usize];
        let from = self.point(distance);
        let axes = [Vec3::RIGHT, Vec3::UP, Vec3::FORWARD];
        let way = match self.next() % 8 {
            0 => axes[(self.next() % 3) as usize] * if from.x > 0.0 { -1.0 } else { 1.0 },
            _ => self.point(size) - from,
        };
        let speed = [1.0, 0.01, 30.0][(self.next() % 3) as usize];
        Line { from, way: way.normalized() * speed }
    }
}

fn theirs(line: &Line) -> Ray {
    Ray::new(vector(line.from), vector(line.way))
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// How the answers of many lines compare.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    misses: usize,
    /// Hits of both at the same place, with the same normal.
    same: usize,
}

impl Tally {
    /// `judge` tells where a shape is met that is larger by a factor; zero is inside.
    #[track_caller]
    fn add(
        &mut self,
        line: &Line,
        ours: Option<Met>,
        judge: impl Fn(f32) -> Option<(f32, Vector)>,
    ) {
        let (least, exact, most) = (judge(GROWN), judge(1.0), judge(SHRUNK));
        let slack = 1e-3 / line.way.length();
        let Some((at, normal)) = ours else {
            self.misses += 1;
            let is_inside = least.is_some_and(|(least, _)| least == 0.0);
            assert!(most.is_none() || is_inside, "{line:?} is missed, not met at {most:?}");
            return;
        };
        self.hits += 1;
        let least = least.unwrap_or_else(|| panic!("{line:?} is met at {at}")).0;
        assert!(at >= least - slack, "{line:?} is met at {at}, before {least}");
        assert!(most.is_none_or(|(most, _)| at <= most + slack), "{line:?}: {at}, after {most:?}");
        let is_same = exact.is_some_and(|(exact, their_normal)| {
            (at - exact).abs() <= slack && vector(normal).dot(their_normal) > 0.999
        });
        self.same += usize::from(is_same);
    }

    #[track_caller]
    fn check(&self, least: usize) {
        let is_enough = self.hits >= least && self.misses >= least;
        assert!(is_enough && self.same * 100 >= self.hits * 97, "{self:?}");
    }
}

#[test]
fn boxes_balls_and_capsules() {
    let mut dice = Dice(1);
    let [mut boxes, mut balls, mut capsules] = [(); 3].map(|()| Tally::default());
    for _ in 0..20_000 {
        let size = [0.1, 1.0, 50.0][(dice.next() % 3) as usize];
        let line = dice.line(size);
        let half = Vec3::new(dice.share(), dice.share(), dice.share()) * size;
        boxes.add(&line, cast::cuboid(half, &line, FAR), |by| {
            let cuboid = Cuboid::new(vector(half * by));
            let met = cuboid.cast_local_ray_and_get_normal(&theirs(&line), FAR, true)?;
            Some((met.time_of_impact, met.normal))
        });
        let radius = half.x.max(1e-3 * size);
        balls.add(&line, cast::ball(radius, &line, FAR), |by| {
            let ball = Ball::new(radius * by);
            let met = ball.cast_local_ray_and_get_normal(&theirs(&line), FAR, true)?;
            Some((met.time_of_impact, met.normal))
        });
        let up = [Vec3::RIGHT, Vec3::UP, Vec3::FORWARD][(dice.next() % 3) as usize];
        let half = half.y * (dice.next() % 4) as f32 / 3.0;
        capsules.add(&line, cast::capsule(up, half, radius, &line, FAR), |by| {
            let end = vector(up * half);
            let capsule = Capsule::new(-end, end, radius * by);
            let met = capsule.cast_local_ray_and_get_normal(&theirs(&line), FAR, true)?;
            Some((met.time_of_impact, met.normal))
        });
    }
    [boxes, balls, capsules].iter().for_each(|tally| tally.check(4_000));
}

#[test]
fn triangles() {
    let mut dice = Dice(2);
    let mut tally = Tally::default();
    for _ in 0..20_000 {
        let mut corners = [(); 3].map(|()| dice.point(1.0));
        let line = dice.line(1.0);
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
        if normal(corners).dot(line.way) > 0.0 {
            assert_eq!(cast::triangle(corners, &line), None);
            corners.swap(0, 1);
        }
        let ours = cast::triangle(corners, &line).map(|at| (at, normal(corners).normalized()));
        tally.add(&line, ours, |by| {
            let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
            let [a, b, c] = corners.map(|corner| vector(middle + (corner - middle) * by));
            let (met, _) = local_ray_intersection_with_triangle(a, b, c, &theirs(&line))?;
            Some((met.time_of_impact, met.normal))
        });
    }
    tally.check(1_500);
}

#[test]
fn a_tree_finds_what_looking_at_every_triangle_does() {
    let mut dice = Dice(3);
    for count in [0, 1, 4, 5, 300, 3_000] {
        let triangles: Vec<[Vec3; 3]> = (0..count)
            .map(|index| {
                let at = dice.point(10.0);
                // Some are flat, and some lie at one place.
                let flat = if index % 3 == 0 { Vec3::new(1.0, 0.0, 1.0) } else { Vec3::ONE };
                let at = if index % 7 == 0 { Vec3::ZERO } else { at };
                [(); 3].map(|()| at + dice.point(2.0).scale(flat))
            })
            .collect();
        let boxes: Vec<Bounds> =
            triangles.iter().map(|corners| Bounds::of(*corners, 1e-3)).collect();
        let tree = Tree::new(&boxes);
        let mut hits = 0;
        for _ in 0..1_000 {
            let line = dice.line(10.0);
            let max = if dice.next().is_multiple_of(4) { 2.0 } else { FAR };
            let met = triangles.iter().filter_map(|corners| cast::triangle(*corners, &line));
            let nearest = met.filter(|at| *at <= max).reduce(f32::min);
            let found =
                tree.nearest(&line, max, |index| cast::triangle(triangles[index as usize], &line));
            assert_eq!(found.map(|(_, at)| at), nearest, "{line:?} among {count}");
            hits += usize::from(found.is_some());
        }
        assert!(count < 300 || hits > 100, "{hits} among {count}");
    }
}

#[test]
fn no_line_slips_between_triangles() {
    let mut dice = Dice(4);
    for name in ["Cube", "Sphere", "Capsule", "Cylinder"] {
        let mesh = primitives::find(name).unwrap();
        for _ in 0..2_000 {
            // At a corner, or at a point between two: edges are there.
            let (a, b) = (dice.next(), dice.next());
            let [a, b] = [a, b].map(|at| mesh.points()[at as usize % mesh.points().len()]);
            let inside = (a + b) * 0.499_9;
            let from = dice.point(1.0).normalized() * 5.0;
            let line = Line { from, way: inside - from };
            assert!(mesh.cast(&line, FAR).is_some(), "{name} by {line:?}");
        }
    }
}

/// Points as the shape that they span.
struct Cloud(Vec<Vector>);

impl SupportMap for Cloud {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let farthest = |a: &&Vector, b: &&Vector| a.dot(direction).total_cmp(&b.dot(direction));
        *self.0.iter().max_by(farthest).unwrap()
    }
}

#[test]
fn hulls() {
    let mut dice = Dice(5);
    let mut tally = Tally::default();
    for round in 0..600 {
        let count = [4, 8, 30, 200][round % 4];
        let mut points: Vec<Vec3> = (0..count).map(|_| dice.point(1.0)).collect();
        if round % 5 == 0 {
            // On a lattice many lie on one face or one edge.
            let snap = |at: f32| (at * 2.0).round() / 2.0;
            points.iter_mut().for_each(|p| *p = Vec3::new(snap(p.x), snap(p.y), snap(p.z)));
        }
        points.push(Vec3::new(f32::NAN, 0.0, 0.0));
        let finite: Vec<Vec3> = points.iter().copied().filter(|point| point.is_finite()).collect();
        let sum = finite.iter().copied().fold(Vec3::ZERO, |a, b| a + b);
        let middle = sum * (1.0 / finite.len() as f32);
        for _ in 0..20 {
            let line = dice.line(1.0);
            tally.add(&line, hull::cast(&points, &line, FAR), |by| {
                let grown = finite.iter().map(|p| vector(middle + (*p - middle) * by)).collect();
                let met = local_ray_intersection_with_support_map_with_params(
                    &Cloud(grown),
                    &mut VoronoiSimplex::new(),
                    &theirs(&line),
                    FAR,
                    true,
                )?;
                Some((met.time_of_impact, met.normal))
            });
        }
    }
    tally.check(2_000);
}

#[test]
fn hulls_of_little() {
    let ahead = Line { from: Vec3::new(0.2, 0.1, -5.0), way: Vec3::FORWARD };
    let flat = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
    let flat = flat.map(|(x, y)| Vec3::new(x, y, 0.0));
    let (at, normal) = hull::cast(&flat, &ahead, FAR).unwrap();
    assert_eq!((at, normal), (5.0, -Vec3::FORWARD));
    assert_eq!(hull::cast(&flat, &ahead, 4.9), None);
    for few in [&flat[..0], &flat[..1], &flat[..2], &[Vec3::ZERO; 9]] {
        assert_eq!(hull::cast(few, &ahead, FAR), None);
    }
    // Seen from its edge, something flat is nothing.
    let along = Line { from: Vec3::new(-5.0, 0.1, 0.0), way: Vec3::RIGHT };
    assert_eq!(hull::cast(&flat, &along, FAR), None);
    let still = Line { from: Vec3::ZERO, way: Vec3::ZERO };
    assert_eq!(hull::cast(&flat, &still, FAR), None);
}
