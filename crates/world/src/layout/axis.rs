//! Left to right, or top to bottom.

use crate::math::Vec2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Horizontal,
    Vertical,
}

impl Axis {
    /// In the order in which they are settled: heights may depend on widths, never the reverse.
    pub(super) const BOTH: [Axis; 2] = [Axis::Horizontal, Axis::Vertical];

    /// The number of a pair that is meant.
    pub(super) fn of(self, pair: Vec2) -> f32 {
        match self {
            Axis::Horizontal => pair.x,
            Axis::Vertical => pair.y,
        }
    }

    pub(super) fn of_mut(self, pair: &mut Vec2) -> &mut f32 {
        match self {
            Axis::Horizontal => &mut pair.x,
            Axis::Vertical => &mut pair.y,
        }
    }

    pub(super) fn other(self) -> Axis {
        match self {
            Axis::Horizontal => Axis::Vertical,
            Axis::Vertical => Axis::Horizontal,
        }
    }

    /// Its place in a pair of things.
    pub(super) fn index(self) -> usize {
        self as usize
    }
}
