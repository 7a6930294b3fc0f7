//! Meshes with fewer vertices, for things that are far away.
//!
//! One vertex after the other is moved onto a neighbour and goes, the one first that changes the
//! surface least (the sum of squared distances to the planes that met there: Garland and Heckbert's
//! quadrics). Vertices are only ever left out: those that stay keep every byte that they have, so that
//! textures, colours and bones fit as before. A place where several vertices are, because textures or
//! parts end there, moves along that seam or not at all; borders stay borders.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::shape::{Part, Shape};
use super::vector::{cross, dot, length, minus, scaled};

/// How much more a border weighs than the surface beside it.
const BORDER: f64 = 10.0;
/// How far a triangle may turn: the cosine.
const TURN: f64 = 0.2;

/// A mesh with at most `keep` vertices, or as few as its borders and seams allow.
pub fn simplify(shape: &Shape, keep: usize) -> Shape {
    let mut work = Work::new(shape);
    // What could not move may do so after its neighbours did.
    while work.vertices > keep.max(3) && work.pass(keep.max(3)) > 0 {}
    shape.with_parts(work.parts(shape))
}

/// A triangle: its part, and its vertices; none when it is gone.
struct Triangle {
    part: usize,
    corners: [u32; 3],
    is_gone: bool,
}

struct Work {
    triangles: Vec<Triangle>,
    /// Triangles of each part that are left.
    left: Vec<usize>,
    /// Where each vertex is: a number for all that are at one point.
    place: Vec<u32>,
    points: Vec<[f64; 3]>,
    /// The triangles around each place.
    around: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// Places that stay.
    is_fixed: Vec<bool>,
    /// How often the surface around a place changed.
    turns: Vec<u32>,
    /// Vertices that are left.
    vertices: usize,
}

type Edge = (u32, u32);

impl Work {
    fn new(shape: &Shape) -> Work {
        let (place, points) = places(shape);
        let mut work = Work {
            triangles: Vec::new(),
            left: vec![0; shape.parts.len()],
            around: vec![Vec::new(); points.len()],
            quadrics: vec![Quadric::default(); points.len()],
            is_fixed: vec![false; points.len()],
            turns: vec![0; points.len()],
            place,
            points,
            vertices: 0,
        };
        let mut used: HashSet<u32> = HashSet::new();
        for (number, part) in shape.parts.iter().enumerate() {
            used.extend(&part.corners);
            if part.topology != 0 {
                // Lines and points keep what they have.
                part.corners
                    .iter()
                    .for_each(|at| work.is_fixed[work.place[*at as usize] as usize] = true);
                continue;
            }
            for corners in part.corners.as_chunks::<3>().0 {
                work.add(number, *corners);
            }
        }
        work.vertices = used.len();
        work.weigh();
        work
    }

    fn add(&mut self, part: usize, corners: [u32; 3]) {
        let places = corners.map(|corner| self.place[corner as usize]);
        let is_flat = places[0] == places[1] || places[1] == places[2] || places[2] == places[0];
        if is_flat {
            return;
        }
        let number = self.triangles.len() as u32;
        places.iter().for_each(|place| self.around[*place as usize].push(number));
        self.triangles.push(Triangle { part, corners, is_gone: false });
        self.left[part] += 1;
    }

    /// What the surface is around each place, and which places cannot move.
    fn weigh(&mut self) {
        let mut edges: HashMap<Edge, Vec<(usize, [u32; 2])>> = HashMap::new();
        for (number, triangle) in self.triangles.iter().enumerate() {
            let places = triangle.corners.map(|corner| self.place[corner as usize]);
            let [a, b, c] = places.map(|place| self.points[place as usize]);
            let normal = cross(minus(b, a), minus(c, a));
            let area = length(normal);
            let plane =
                Quadric::of_plane(scaled(normal, 1.0 / area.max(f64::MIN_POSITIVE)), a, area);
            places.iter().for_each(|place| self.quadrics[*place as usize].add(&plane));
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                let ends = [triangle.corners[from], triangle.corners[to]];
                let (is_up, edge) = sorted((places[from], places[to]));
                let ends = if is_up { ends } else { [ends[1], ends[0]] };
                edges.entry(edge).or_default().push((number, ends));
            }
        }
        for (edge, sides) in edges {
            if sides.len() > 2 {
                self.is_fixed[edge.0 as usize] = true;
                self.is_fixed[edge.1 as usize] = true;
            }
            let part = |side: &(usize, [u32; 2])| self.triangles[side.0].part;
            let is_seam = sides.len() == 2
                && (sides[0].1 != sides[1].1 || part(&sides[0]) != part(&sides[1]));
            if sides.len() == 1 || is_seam {
                sides.iter().for_each(|(number, _)| self.hold(edge, *number, is_seam));
            }
        }
    }

    /// Lets a border or seam stay a line: a plane through it, upright on its triangle.
    fn hold(&mut self, (one, other): Edge, triangle: usize, is_seam: bool) {
        let corners = self.triangles[triangle].corners;
        let [a, b, c] = corners.map(|corner| self.points[self.place[corner as usize] as usize]);
        let normal = cross(minus(b, a), minus(c, a));
        let (from, to) = (self.points[one as usize], self.points[other as usize]);
        let along = minus(to, from);
        let upright = cross(along, normal);
        let size = length(upright);
        if size == 0.0 {
            return;
        }
        let weight = dot(along, along) * if is_seam { 1.0 } else { BORDER };
        let plane = Quadric::of_plane(scaled(upright, 1.0 / size), from, weight);
        self.quadrics[one as usize].add(&plane);
        self.quadrics[other as usize].add(&plane);
    }

    /// Moves as many places as it can, the cheapest first; how many.
    fn pass(&mut self, keep: usize) -> usize {
        let mut queue = BinaryHeap::new();
        for place in 0..self.points.len() as u32 {
            self.queue_from(place, &mut queue);
        }
        let mut moved = 0;
        while let Some(Reverse((_, from, to, turn))) = queue.pop() {
            if self.vertices <= keep {
                break;
            }
            if self.turns[from as usize] != turn {
                continue;
            }
            let Some(mates) = self.mates(from, to) else { continue };
            self.collapse(from, to, &mates);
            moved += 1;
            self.queue_from(to, &mut queue);
            for near in self.near(to) {
                self.queue_edge(near, to, &mut queue);
            }
        }
        moved
    }

    fn queue_from(&self, from: u32, queue: &mut Queue) {
        for to in self.near(from) {
            self.queue_edge(from, to, queue);
        }
    }

    fn queue_edge(&self, from: u32, to: u32, queue: &mut Queue) {
        if !self.is_fixed[from as usize] {
            let cost = self.quadrics[from as usize].at(self.points[to as usize]);
            // Numbers from zero on are in order as their bits are.
            queue.push(Reverse((cost.max(0.0).to_bits(), from, to, self.turns[from as usize])));
        }
    }

    fn places_of(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize].corners.map(|corner| self.place[corner as usize])
    }

    /// The places that share an edge with one, in order.
    fn near(&self, place: u32) -> Vec<u32> {
        let triangles = self.around[place as usize].iter();
        let mut near: Vec<u32> = triangles.flat_map(|triangle| self.places_of(*triangle)).collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|other| *other != place);
        near
    }

    /// Which vertex each one of a place becomes when that moves; nothing where it must not.
    fn mates(&self, from: u32, to: u32) -> Option<HashMap<(usize, u32), u32>> {
        let around = &self.around[from as usize];
        let (mut mates, mut sides, mut is_border) = (HashMap::new(), 0, false);
        for triangle in around {
            let Triangle { part, corners, .. } = &self.triangles[*triangle as usize];
            let places = self.places_of(*triangle);
            let at = |place: u32| places.iter().position(|own| *own == place);
            let (Some(own), Some(next)) = (at(from), at(to)) else { continue };
            sides += 1;
            let known = *mates.entry((*part, corners[own])).or_insert(corners[next]);
            if known != corners[next] || self.left[*part] <= 2 {
                return None;
            }
        }
        for near in self.near(from) {
            is_border |= self.sides(from, near) == 1;
        }
        let is_along = sides == 1 || !is_border;
        let shared = self.near(from).iter().filter(|near| self.near(to).contains(near)).count();
        if sides == 0 || sides > 2 || !is_along || shared != sides {
            return None;
        }
        let moves = |triangle: &u32| {
            let Triangle { part, corners, .. } = &self.triangles[*triangle as usize];
            let places = self.places_of(*triangle);
            let own = places.iter().position(|own| *own == from);
            own.is_some_and(|own| mates.contains_key(&(*part, corners[own])))
                && (places.contains(&to) || self.keeps_side(places, from, to))
        };
        around.iter().all(moves).then_some(mates)
    }

    /// How many triangles have an edge.
    fn sides(&self, one: u32, other: u32) -> usize {
        let has = |triangle: &&u32| self.places_of(**triangle).contains(&other);
        self.around[one as usize].iter().filter(has).count()
    }

    /// Whether a triangle still looks where it did when one of its places moves.
    fn keeps_side(&self, places: [u32; 3], from: u32, to: u32) -> bool {
        let normal = |places: [u32; 3]| {
            let [a, b, c] = places.map(|place| self.points[place as usize]);
            cross(minus(b, a), minus(c, a))
        };
        let before = normal(places);
        let after = normal(places.map(|place| if place == from { to } else { place }));
        let size = length(before) * length(after);
        size > 0.0 && dot(before, after) > TURN * size
    }

    fn collapse(&mut self, from: u32, to: u32, mates: &HashMap<(usize, u32), u32>) {
        let gone: HashSet<u32> = mates.keys().map(|(_, vertex)| *vertex).collect();
        self.vertices = self.vertices.saturating_sub(gone.len());
        for number in std::mem::take(&mut self.around[from as usize]) {
            let places = self.places_of(number);
            if places.contains(&to) {
                self.triangles[number as usize].is_gone = true;
                self.left[self.triangles[number as usize].part] -= 1;
                for place in places {
                    self.around[place as usize].retain(|other| *other != number);
                }
                continue;
            }
            let triangle = &mut self.triangles[number as usize];
            for corner in &mut triangle.corners {
                if let Some(mate) = mates.get(&(triangle.part, *corner)) {
                    *corner = *mate;
                }
            }
            self.around[to as usize].push(number);
        }
        let moved = self.quadrics[from as usize];
        self.quadrics[to as usize].add(&moved);
        self.turns[from as usize] += 1;
        self.turns[to as usize] += 1;
    }

    fn parts(&self, shape: &Shape) -> Vec<Part> {
        let one = |(number, part): (usize, &Part)| {
            if part.topology != 0 {
                return part.clone();
            }
            let own = self.triangles.iter().filter(|own| own.part == number && !own.is_gone);
            Part::new(0, own.flat_map(|triangle| triangle.corners).collect())
        };
        shape.parts.iter().enumerate().map(one).collect()
    }
}

/// Cost, from, to, and the turn of the first when it was reckoned.
type Queue = BinaryHeap<Reverse<(u64, u32, u32, u32)>>;

fn sorted((one, other): Edge) -> (bool, Edge) {
    if one < other { (true, (one, other)) } else { (false, (other, one)) }
}

/// The place of each vertex, and the points, in a box of size one so that numbers are good ones.
fn places(shape: &Shape) -> (Vec<u32>, Vec<[f64; 3]>) {
    let (center, extent) = shape.bounds();
    let size = f64::from(extent.iter().fold(0.0_f32, |most, part| most.max(*part)));
    let size = if size > 0.0 { size } else { 1.0 };
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut points = Vec::new();
    let place = |point: &[f32; 3]| {
        // Zero has two spellings.
        let key = point.map(|part| (part + 0.0).to_bits());
        *known.entry(key).or_insert_with(|| {
            let local = |at: usize| (f64::from(point[at]) - f64::from(center[at])) / size;
            points.push(std::array::from_fn(local));
            points.len() as u32 - 1
        })
    };
    (shape.points().iter().map(place).collect(), points)
}

/// The sum of squared distances to planes, as a function of a point.
#[derive(Debug, Clone, Copy, Default)]
struct Quadric([f64; 10]);

impl Quadric {
    fn of_plane([a, b, c]: [f64; 3], through: [f64; 3], weight: f64) -> Quadric {
        let d = -dot([a, b, c], through);
        let parts = [a * a, a * b, a * c, a * d, b * b, b * c, b * d, c * c, c * d, d * d];
        Quadric(parts.map(|part| part * weight))
    }

    fn add(&mut self, other: &Quadric) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, part)| *sum += part);
    }

    fn at(&self, [x, y, z]: [f64; 3]) -> f64 {
        let [aa, ab, ac, ad, bb, bc, bd, cc, cd, dd] = self.0;
        aa * x * x
            + bb * y * y
            + cc * z * z
            + 2.0 * (ab * x * y + ac * x * z + bc * y * z + ad * x + bd * y + cd * z)
            + dd
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Attribute, Usage};
    use super::*;

    /// A sheet of squares, bent by a function, with coordinates for a texture.
    fn sheet(size: u32, height: impl Fn(f32, f32) -> f32) -> Shape {
        let (mut points, mut textures, mut corners) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..size * size {
            let (x, z) = ((at % size) as f32, (at / size) as f32);
            points.push([x, height(x, z), z]);
            textures.push([x, z]);
            if at % size + 1 < size && at / size + 1 < size {
                corners.extend([at, at + size, at + 1, at + 1, at + size, at + size + 1]);
            }
        }
        let position = Attribute::floats(Usage::POSITION, &points);
        let texture = Attribute::floats(Usage::uv(0), &textures);
        Shape::new(points.len(), vec![position, texture], vec![Part::new(0, corners)])
    }

    fn area(shape: &Shape) -> f64 {
        let points = shape.points();
        let corners = shape.parts.iter().flat_map(|part| part.corners.as_chunks::<3>().0);
        let one = |three: &[u32; 3]| {
            let [a, b, c] = three.map(|at| points[at as usize].map(f64::from));
            cross(minus(b, a), minus(c, a))[1] / 2.0
        };
        corners.map(one).sum()
    }

    #[test]
    fn what_is_flat_needs_its_corners_only() {
        let flat = sheet(9, |_, _| 0.0);
        let simple = simplify(&flat, 4);
        assert_eq!((simple.count, simple.triangles()), (4, 2));
        assert_eq!(area(&simple), area(&flat));
        // Each vertex still has what it had.
        let texture = simple.attribute(Usage::uv(0)).unwrap();
        for (at, point) in simple.points().iter().enumerate() {
            assert_eq!(texture.of_vertex::<2>(at), [f64::from(point[0]), f64::from(point[2])]);
        }
    }

    #[test]
    fn a_ridge_stays_while_what_is_flat_goes() {
        let roof = sheet(9, |x, _| if x == 4.0 { 3.0 } else { 0.0 });
        let simple = simplify(&roof, 20);
        assert!(simple.count <= 20, "{}", simple.count);
        let ridge = simple.points().iter().filter(|point| point[1] == 3.0).count();
        assert!(ridge >= 2, "{:?}", simple.points());
        assert_eq!(area(&simple), 64.0);
    }

    #[test]
    fn a_seam_of_textures_and_of_parts_stays_where_it_is() {
        let mut shape = sheet(9, |_, _| 0.0);
        // The right half is another part, and its vertices of the middle column are others.
        let mut own: Vec<u32> = (0..81).collect();
        let mut rows: Vec<u32> = (0..81).collect();
        for at in (0..81).filter(|at| at % 9 == 4) {
            own[at as usize] = rows.len() as u32;
            rows.push(at);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for three in shape.parts[0].corners.as_chunks::<3>().0 {
            match three.iter().any(|at| at % 9 > 4) {
                true => right.extend(three.map(|at| own[at as usize])),
                false => left.extend(three),
            }
        }
        shape.attributes.iter_mut().for_each(|attribute| *attribute = attribute.rows(&rows));
        let shape = Shape::new(90, shape.attributes, vec![Part::new(0, left), Part::new(0, right)]);
        let simple = simplify(&shape, 8);
        assert_eq!((simple.count, simple.triangles()), (8, 4));
        let points = simple.points();
        for (part, sides) in simple.parts.iter().zip([[0.0, 4.0], [4.0, 8.0]]) {
            let all = part.corners.iter().map(|at| points[*at as usize][0]);
            assert!(all.clone().all(|x| sides.contains(&x)), "{:?}", all.collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_part_and_no_line_is_lost() {
        let triangle = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [5.0, 5.0, 5.0]];
        let parts = vec![Part::new(0, vec![0, 1, 2]), Part::new(3, vec![0, 3])];
        let shape = Shape::new(4, vec![Attribute::floats(Usage::POSITION, &triangle)], parts);
        assert_eq!(simplify(&shape, 1), shape);
    }

    #[test]
    fn a_closed_body_stays_closed() {
        // Eight faces, each cut into smaller ones, and all points drawn onto a ball.
        let mut points: Vec<[f32; 3]> = Vec::new();
        let mut corners = Vec::new();
        let step = 12;
        for signs in 0..8_u32 {
            let sign = |at: u32| if signs >> at & 1 == 1 { -1.0_f32 } else { 1.0 };
            let mut number = |x: u32, y: u32| {
                let raw = [x, y, step - x - y].map(|part| part as f32);
                let size = raw.iter().map(|part| part * part).sum::<f32>().sqrt();
                let point = std::array::from_fn(|at| raw[at] / size * sign(at as u32) + 0.0);
                points.iter().position(|known| *known == point).unwrap_or_else(|| {
                    points.push(point);
                    points.len() - 1
                }) as u32
            };
            for x in 0..step {
                for y in 0..step - x {
                    let mut add = |three: [(u32, u32); 3]| {
                        let three = three.map(|(x, y)| number(x, y));
                        let is_odd = signs.count_ones() % 2 == 1;
                        corners.extend(if is_odd { [three[0], three[2], three[1]] } else { three });
                    };
                    add([(x, y), (x + 1, y), (x, y + 1)]);
                    if x + y + 1 < step {
                        add([(x + 1, y), (x + 1, y + 1), (x, y + 1)]);
                    }
                }
            }
        }
        let count = points.len();
        let position = Attribute::floats(Usage::POSITION, &points);
        let ball = Shape::new(count, vec![position], vec![Part::new(0, corners)]);
        let simple = simplify(&ball, count / 4);
        assert!(simple.count <= count / 4 && simple.count > count / 5, "{}", simple.count);
        // Every edge has two sides, one in each direction.
        let mut edges = HashMap::new();
        for three in simple.parts[0].corners.as_chunks::<3>().0 {
            for (one, other) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((three[one], three[other])).or_insert(0) += 1;
            }
        }
        assert!(edges.iter().all(|((a, b), n)| *n == 1 && edges.contains_key(&(*b, *a))));
        // A quarter of the points is nearly the same ball.
        let points = simple.points();
        let inside = simple.parts[0].corners.as_chunks::<3>().0.iter().map(|three| {
            let [a, b, c] = three.map(|at| points[at as usize].map(f64::from));
            dot(a, cross(b, c)) / 6.0
        });
        let volume = inside.sum::<f64>().abs();
        assert!(volume > 0.93 * 4.19 && volume < 4.19, "{volume}");
    }
}
