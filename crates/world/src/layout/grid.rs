//! Cells of one size, row by row or column by column.

use super::axis::Axis;
use super::group::{Frame, Slot, Totals};
use crate::math::Vec2;

/// A little air, so that cells which fit exactly are not lost to rounding.
const AIR: f32 = 0.001;

#[derive(Debug)]
pub(super) struct Grid {
    pub(super) cell: Vec2,
    pub(super) spacing: Vec2,
    pub(super) limit: Limit,
    /// The axis that is filled first.
    pub(super) along: Axis,
    /// The first cell is at the right.
    pub(super) from_right: bool,
    /// The first cell is at the bottom.
    pub(super) from_bottom: bool,
}

/// What bounds the number of cells; the numbers are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// The room there is.
    Room,
    Columns(usize),
    Rows(usize),
}

impl Grid {
    /// What a grid of so many cells asks for; `width` is its own, and counts for its height alone.
    pub(super) fn totals(&self, axis: Axis, frame: &Frame, count: usize, width: f32) -> Totals {
        let room_for = |cells: usize| {
            let step = axis.of(self.cell) + axis.of(self.spacing);
            frame.padding(axis) + step * cells as f32 - axis.of(self.spacing)
        };
        let (min, preferred) = match (self.limit, axis) {
            (Limit::Columns(columns), Axis::Horizontal) => (columns, columns),
            (Limit::Columns(columns), Axis::Vertical) => {
                (count.div_ceil(columns), count.div_ceil(columns))
            }
            (Limit::Rows(rows), Axis::Horizontal) => (count.div_ceil(rows), count.div_ceil(rows)),
            (Limit::Rows(rows), Axis::Vertical) => (rows, rows),
            (Limit::Room, Axis::Horizontal) => (1, (count as f32).sqrt().ceil() as usize),
            (Limit::Room, Axis::Vertical) => {
                (1, count.div_ceil(self.fitting(Axis::Horizontal, frame, width).max(1)))
            }
        };
        Totals { min: room_for(min), preferred: room_for(preferred), flexible: -1.0 }
    }

    /// The places of so many cells in a grid of a size.
    pub(super) fn arrange(&self, frame: &Frame, size: Vec2, count: usize) -> Vec<[Slot; 2]> {
        if count == 0 {
            return Vec::new();
        }
        let (columns, rows) = self.cells(frame, size, count);
        let per_line = if self.along == Axis::Horizontal { columns } else { rows };
        let used = self.used(columns, rows, count);
        let start = |axis: Axis, cells: usize| {
            let content =
                cells as f32 * axis.of(self.cell) + (cells as f32 - 1.0) * axis.of(self.spacing);
            frame.start(axis, axis.of(size), content)
        };
        let starts = [start(Axis::Horizontal, used.0), start(Axis::Vertical, used.1)];
        let moved = self.moved(per_line, count);
        (0..count)
            .map(|number| {
                let (column, row) = self.place(number, per_line, count, moved);
                let column = turned(column, used.0, self.from_right);
                let row = turned(row, used.1, self.from_bottom);
                [
                    self.slot(Axis::Horizontal, starts[0], column),
                    self.slot(Axis::Vertical, starts[1], row),
                ]
            })
            .collect()
    }

    fn slot(&self, axis: Axis, start: f32, cell: f32) -> Slot {
        let step = axis.of(self.cell) + axis.of(self.spacing);
        Slot { start: start + step * cell, size: axis.of(self.cell), scale: 1.0 }
    }

    /// How many columns and rows there may be.
    fn cells(&self, frame: &Frame, size: Vec2, count: usize) -> (usize, usize) {
        match self.limit {
            Limit::Columns(columns) => (columns, count.div_ceil(columns).max(1)),
            Limit::Rows(rows) => (count.div_ceil(rows).max(1), rows),
            Limit::Room => (
                self.fitting(Axis::Horizontal, frame, size.x),
                self.fitting(Axis::Vertical, frame, size.y),
            ),
        }
    }

    /// How many cells fit into so much room; as many as one likes when they take none.
    fn fitting(&self, axis: Axis, frame: &Frame, room: f32) -> usize {
        let step = axis.of(self.cell) + axis.of(self.spacing);
        if step <= 0.0 {
            return usize::MAX;
        }
        let usable = room - frame.padding(axis) + axis.of(self.spacing) + AIR;
        // What is no number, or below zero, becomes zero here.
        ((usable / step).floor() as usize).max(1)
    }

    /// How many columns and rows have a cell; alignment goes by these.
    fn used(&self, columns: usize, rows: usize, count: usize) -> (usize, usize) {
        match self.along {
            Axis::Horizontal => {
                let lines = count.div_ceil(columns).max(1);
                let is_fixed = matches!(self.limit, Limit::Rows(_));
                (columns.min(count), if is_fixed { rows.min(count) } else { rows.min(lines) })
            }
            Axis::Vertical => {
                let lines = count.div_ceil(rows).max(1);
                let is_fixed = matches!(self.limit, Limit::Columns(_));
                (if is_fixed { columns.min(count) } else { columns.min(lines) }, rows.min(count))
            }
        }
    }

    /// How many of the last cells start lines of their own: a fixed number of lines is kept, also
    /// when the cells would fill fewer.
    fn moved(&self, per_line: usize, count: usize) -> usize {
        let wanted = match (self.limit, self.along) {
            (Limit::Rows(rows), Axis::Horizontal) => rows,
            (Limit::Columns(columns), Axis::Vertical) => columns,
            _ => return 0,
        };
        let lines = count.div_ceil(per_line);
        if count <= wanted || lines >= wanted || per_line < 2 {
            return 0;
        }
        let missing = wanted - lines;
        missing + missing / (per_line - 1) + usize::from(count % per_line == 1)
    }

    /// Column and row of a cell, counted from the first.
    fn place(&self, number: usize, per_line: usize, count: usize, moved: usize) -> (usize, usize) {
        let from_end = count - number;
        match (self.along, self.limit) {
            (Axis::Horizontal, Limit::Rows(rows)) if from_end <= moved => {
                (0, rows.saturating_sub(from_end))
            }
            (Axis::Vertical, Limit::Columns(columns)) if from_end <= moved => {
                (columns.saturating_sub(from_end), 0)
            }
            (Axis::Horizontal, _) => (number % per_line, number / per_line),
            (Axis::Vertical, _) => (number / per_line, number % per_line),
        }
    }
}

/// A column or row, counted from the other side when the grid starts there.
fn turned(at: usize, used: usize, from_end: bool) -> f32 {
    if from_end { used as f32 - 1.0 - at as f32 } else { at as f32 }
}
