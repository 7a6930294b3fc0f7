//! Triangles by place: boxes within boxes, so that a line is tried on few of them.

use super::cast::Line;
use crate::math::Vec3;

/// A box has no more triangles than this, unless they are all at one place.
const FEW: usize = 4;
/// Into so many slices a box is cut in thought, to find where halves cost the least.
const SLICES: usize = 8;

/// Finds triangles by lines.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    order: Vec<u32>,
}

/// A box. The first half of an inner one comes right after it.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Of a leaf its first place in the order, of others the second half.
    next: u32,
    /// None for inner ones.
    count: u32,
}

/// From the least to the greatest coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Tree {
    /// A tree of these boxes.
    pub(super) fn new(boxes: &[Bounds]) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        if boxes.is_empty() {
            return tree;
        }
        // Ranges still to be made; the second half of `parent` if it has one.
        let mut waiting = vec![(0, boxes.len(), None)];
        while let Some((start, end, parent)) = waiting.pop() {
            let index = tree.nodes.len();
            if let Some(parent) = parent {
                tree.nodes[parent as usize].next = index as u32;
            }
            let part = &mut tree.order[start..end];
            let bounds = Bounds::around(part.iter().map(|one| boxes[*one as usize]));
            let count = end - start;
            let cut = if count > FEW { cut(part, boxes) } else { None };
            match cut {
                Some(cut) => {
                    tree.nodes.push(Node { bounds, next: 0, count: 0 });
                    waiting.push((start + cut, end, Some(index as u32)));
                    waiting.push((start, start + cut, None));
                }
                None => tree.nodes.push(Node { bounds, next: start as u32, count: count as u32 }),
            }
        }
        tree
    }

    /// The nearest triangle along a line that `meet` finds, and how far it is.
    pub(super) fn nearest(
        &self,
        line: &Line,
        max: f32,
        mut meet: impl FnMut(u32) -> Option<f32>,
    ) -> Option<(u32, f32)> {
        let from = [line.from.x, line.from.y, line.from.z];
        let over = [line.way.x, line.way.y, line.way.z].map(|way| 1.0 / way);
        let enter = |node: u32, max: f32| {
            self.nodes.get(node as usize).and_then(|node| node.bounds.enter(from, over, max))
        };
        let mut best: Option<(u32, f32)> = None;
        let mut waiting = vec![(enter(0, max)?, 0_u32)];
        while let Some((near, index)) = waiting.pop() {
            let limit = best.map_or(max, |(_, distance)| distance);
            if near > limit {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.count > 0 {
                let first = node.next as usize;
                for triangle in &self.order[first..first + node.count as usize] {
                    let limit = best.map_or(max, |(_, distance)| distance);
                    if let Some(distance) = meet(*triangle).filter(|distance| *distance <= limit) {
                        best = Some((*triangle, distance));
                    }
                }
                continue;
            }
            let halves = [index + 1, node.next].map(|half| enter(half, limit).map(|at| (at, half)));
            match halves {
                [Some(a), Some(b)] => waiting.extend(if a.0 < b.0 { [b, a] } else { [a, b] }),
                [a, b] => waiting.extend(a.or(b)),
            }
        }
        best
    }
}

/// Put triangles in two parts that lines are likely to meet apart from each other, and tell where
/// the second one starts. None if all are at one place.
fn cut(part: &mut [u32], boxes: &[Bounds]) -> Option<usize> {
    let centre = |one: &u32, axis: usize| boxes[*one as usize].centre(axis);
    let extent = |axis: usize| {
        let centres = part.iter().map(|one| centre(one, axis));
        let (min, max) = centres
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), at| (at.min(min), at.max(max)));
        (max - min, min, axis)
    };
    let (length, min, axis) =
        [0, 1, 2].map(extent).into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let scale = SLICES as f32 / length;
    if !(length > 0.0 && scale.is_finite()) {
        return None;
    }
    let slice = |one: &u32| (((centre(one, axis) - min) * scale) as usize).min(SLICES - 1);
    let mut slices = [(0_usize, Bounds::NOTHING); SLICES];
    for one in part.iter() {
        let (count, bounds) = &mut slices[slice(one)];
        *count += 1;
        *bounds = bounds.with(boxes[*one as usize]);
    }
    let side = |slices: &[(usize, Bounds)]| {
        let count: usize = slices.iter().map(|(count, _)| count).sum();
        let bounds = Bounds::around(slices.iter().map(|(_, bounds)| *bounds));
        if count == 0 { 0.0 } else { count as f32 * bounds.surface() }
    };
    let cost = |at: &usize| side(&slices[..*at]) + side(&slices[*at..]);
    let best = (1..SLICES).min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
    let mut start = 0;
    for index in 0..part.len() {
        if slice(&part[index]) < best {
            part.swap(start, index);
            start += 1;
        }
    }
    (start > 0 && start < part.len()).then_some(start)
}

impl Bounds {
    const NOTHING: Bounds = Bounds { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// Around points, with some air.
    pub(super) fn of(points: [Vec3; 3], air: f32) -> Bounds {
        let points = points.map(|p| [p.x, p.y, p.z]);
        let around = points.map(|p| Bounds { min: p, max: p }).into_iter();
        let bounds = Bounds::around(around);
        Bounds { min: bounds.min.map(|at| at - air), max: bounds.max.map(|at| at + air) }
    }

    fn around(all: impl Iterator<Item = Bounds>) -> Bounds {
        all.fold(Bounds::NOTHING, Bounds::with)
    }

    fn with(self, other: Bounds) -> Bounds {
        Bounds {
            min: [0, 1, 2].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1, 2].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    fn centre(&self, axis: usize) -> f32 {
        self.min[axis] * 0.5 + self.max[axis] * 0.5
    }

    /// Half of it, which serves as well.
    fn surface(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| self.max[axis] - self.min[axis]);
        x * y + y * z + z * x
    }

    /// Where a line comes in; zero from within.
    fn enter(&self, from: [f32; 3], over: [f32; 3], max: f32) -> Option<f32> {
        let (mut enter, mut leave) = (0.0_f32, max);
        for axis in 0..3 {
            let a = (self.min[axis] - from[axis]) * over[axis];
            let b = (self.max[axis] - from[axis]) * over[axis];
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some(enter)
    }
}
