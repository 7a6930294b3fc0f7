//! How a layout group arranges its children: in a row, in a column, or in a grid. Arithmetic alone;
//! who the children are and what they ask for is found elsewhere.

use super::axis::Axis;
use super::grid::Grid;
use super::wants::Wants;
use crate::math::Vec2;

/// A layout group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) frame: Frame,
    pub(super) rule: Rule,
}

/// The room that a group leaves around its children, and where in it they are held.
#[derive(Debug)]
pub(super) struct Frame {
    /// The padding at the left and at the top.
    pub(super) before: Vec2,
    /// The padding at the right and at the bottom.
    pub(super) after: Vec2,
    /// 0 is the left or the top, 1 the right or the bottom.
    pub(super) alignment: Vec2,
}

#[derive(Debug)]
pub(super) enum Rule {
    Line(Line),
    Grid(Grid),
}

/// A row or a column.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) along: Axis,
    pub(super) spacing: f32,
    pub(super) is_reversed: bool,
    /// For each axis.
    pub(super) manners: [Manners; 2],
}

/// What a row or a column does along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manners {
    /// It gives the children their sizes.
    pub(super) controls: bool,
    /// Every child gets a share of the room that is left.
    pub(super) expands: bool,
    /// The scale of the children counts.
    pub(super) scales: bool,
}

/// A child of a row or a column, along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    min: f32,
    preferred: f32,
    flexible: f32,
    scale: f32,
    /// The size that it has when the group gives it none.
    own: f32,
}

/// What a group as a whole asks for, along one axis.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) min: f32,
    pub(super) preferred: f32,
    /// Below zero when it has no say.
    pub(super) flexible: f32,
}

/// The place of a child along one axis.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    /// How far its edge is from the left or the top of the group.
    pub(super) start: f32,
    pub(super) size: f32,
    /// How large it looks for its size.
    pub(super) scale: f32,
}

impl Frame {
    pub(super) fn padding(&self, axis: Axis) -> f32 {
        axis.of(self.before) + axis.of(self.after)
    }

    /// Where something of a size starts in a group of a size.
    pub(super) fn start(&self, axis: Axis, group: f32, content: f32) -> f32 {
        let surplus = group - (content + self.padding(axis));
        axis.of(self.before) + surplus * axis.of(self.alignment)
    }
}

impl Slot {
    /// How far the pivot is from the left or the top, upwards counted as less.
    pub(super) fn pivot_at(&self, axis: Axis, pivot: Vec2) -> f32 {
        let size = self.size * self.scale;
        match axis {
            Axis::Horizontal => self.start + size * pivot.x,
            Axis::Vertical => -self.start - size * (1.0 - pivot.y),
        }
    }
}

impl Line {
    pub(super) fn manners(&self, axis: Axis) -> Manners {
        self.manners[axis.index()]
    }

    /// A child that asks for so much, and would be of its own size.
    pub(super) fn item(&self, axis: Axis, wants: &Wants, own: f32, scale: f32) -> Item {
        let manners = self.manners(axis);
        let (min, preferred, mut flexible) = match manners.controls {
            true => (wants.min(), wants.preferred(), wants.flexible()),
            false => (own, own, 0.0),
        };
        if manners.expands {
            flexible = flexible.max(1.0);
        }
        let scale = if manners.scales { scale } else { 1.0 };
        Item { min, preferred, flexible, scale, own }
    }

    pub(super) fn totals(&self, axis: Axis, frame: &Frame, items: &[Item]) -> Totals {
        let padding = frame.padding(axis);
        let mut totals = Totals { min: padding, preferred: padding, flexible: 0.0 };
        for item in items {
            let (min, preferred) = (item.min * item.scale, item.preferred * item.scale);
            let flexible = item.flexible * item.scale;
            if axis == self.along {
                totals.min += min + self.spacing;
                totals.preferred += preferred + self.spacing;
                totals.flexible += flexible;
            } else {
                totals.min = totals.min.max(min + padding);
                totals.preferred = totals.preferred.max(preferred + padding);
                totals.flexible = totals.flexible.max(flexible);
            }
        }
        if axis == self.along && !items.is_empty() {
            totals.min -= self.spacing;
            totals.preferred -= self.spacing;
        }
        totals.preferred = totals.preferred.max(totals.min);
        totals
    }

    /// The places of the children in a group of a size.
    pub(super) fn arrange(
        &self,
        axis: Axis,
        frame: &Frame,
        size: f32,
        totals: &Totals,
        items: &[Item],
    ) -> Vec<Slot> {
        match axis == self.along {
            true => self.one_after_another(axis, frame, size, totals, items),
            false => items.iter().map(|item| self.across(axis, frame, size, item)).collect(),
        }
    }

    fn one_after_another(
        &self,
        axis: Axis,
        frame: &Frame,
        size: f32,
        totals: &Totals,
        items: &[Item],
    ) -> Vec<Slot> {
        let surplus = size - totals.preferred;
        let mut start = axis.of(frame.before);
        let mut share = 0.0;
        if surplus > 0.0 && totals.flexible > 0.0 {
            share = surplus / totals.flexible;
        } else if surplus > 0.0 && totals.flexible == 0.0 {
            start = frame.start(axis, size, totals.preferred - frame.padding(axis));
        }
        // Where there is too little room, all give up the same part of what they would like.
        let between = totals.preferred - totals.min;
        let part =
            if between == 0.0 { 0.0 } else { limit((size - totals.min) / between, 0.0, 1.0) };
        let mut slots = vec![Slot::default(); items.len()];
        for number in 0..items.len() {
            let at = if self.is_reversed { items.len() - 1 - number } else { number };
            let item = &items[at];
            let wide = item.min + (item.preferred - item.min) * part + item.flexible * share;
            slots[at] = self.slot(axis, frame, start, wide, item);
            start += wide * item.scale + self.spacing;
        }
        slots
    }

    fn across(&self, axis: Axis, frame: &Frame, size: f32, item: &Item) -> Slot {
        let inner = size - frame.padding(axis);
        let most = if item.flexible > 0.0 { size } else { item.preferred };
        let wide = limit(inner, item.min, most);
        let start = frame.start(axis, size, wide * item.scale);
        self.slot(axis, frame, start, wide, item)
    }

    /// A child that fills its part of the group, or is held in it.
    fn slot(&self, axis: Axis, frame: &Frame, start: f32, wide: f32, item: &Item) -> Slot {
        if self.manners(axis).controls {
            return Slot { start, size: wide, scale: item.scale };
        }
        let inside = (wide - item.own) * axis.of(frame.alignment);
        Slot { start: start + inside, size: item.own, scale: item.scale }
    }
}

impl Item {
    /// Whether it takes room that nobody asked for.
    pub(super) fn is_flexible(&self) -> bool {
        self.flexible > 0.0
    }
}

/// As `Mathf.Clamp`: the lower bound is looked at first, and alone when the bounds are crossed.
fn limit(value: f32, min: f32, max: f32) -> f32 {
    if value < min {
        min
    } else if value > max {
        max
    } else {
        value
    }
}
