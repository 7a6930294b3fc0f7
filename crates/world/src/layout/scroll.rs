//! Scroll views that show a bar only where one is needed, and give the room of the others to what they
//! show.

use super::axis::Axis;
use super::fields::{Fields, SCROLL, enabled};
use crate::ids::ObjectId;
use crate::math::Vec2;
use crate::object::{Object, RectData};
use crate::value::Value;
use crate::world::World;

/// What is left free beside a rectangle along each axis, where it fills its parent otherwise.
pub(super) type Trim = [Option<f32>; 2];

/// Bars hide when all is seen, and the view takes their room.
const EXPANDS: i64 = 2;
/// So much may be unseen without a bar.
const SLACK: f32 = 0.01;

/// A scroll view whose viewport is driven.
pub(super) struct Scroll {
    /// Its place in the row.
    pub(super) at: usize,
    pub(super) view: Part,
    pub(super) content: Part,
    /// The one that scrolls from left to right, and the one from top to bottom.
    bars: [Option<Bar>; 2],
}

/// An object of a scroll view, and its place in the row once it is known.
#[derive(Clone, Copy)]
pub(super) struct Part {
    object: Option<ObjectId>,
    pub(super) at: Option<usize>,
}

struct Bar {
    part: Part,
    rect: RectData,
    spacing: f32,
    expands: bool,
    is_shown: bool,
}

impl Scroll {
    /// The scroll view of an object, if it drives its viewport. As in Unity it does so only for what
    /// is directly inside it.
    pub(super) fn of(world: &World, object: &Object, at: usize) -> Option<Scroll> {
        let component = enabled(object).find(|component| world.is(component, SCROLL))?;
        let fields = Fields { world, component };
        let part = |path: &str| {
            let object = match fields.value(path) {
                Some(Value::Component(id)) => world.component(id).map(|(object, _)| object.id()),
                _ => None,
            };
            Part { object, at: None }
        };
        let bar = |name: &str| {
            let part = part(&format!("m_{name}Scrollbar"));
            let rect = *world.object(part.object?)?.rect()?;
            let spacing = fields.number(&format!("m_{name}ScrollbarSpacing"));
            let expands = fields.whole(&format!("m_{name}ScrollbarVisibility")) == EXPANDS;
            Some(Bar { part, rect, spacing, expands, is_shown: false })
        };
        let (view, content) = (part("m_Viewport"), part("m_Content"));
        let bars = [bar("Horizontal"), bar("Vertical")];
        let is_inside = |part: &Part| {
            let inner = part.object.and_then(|id| world.object(id));
            inner.is_some_and(|inner| inner.parent() == Some(object.id()))
        };
        let are_inside = is_inside(&view) && bars.iter().flatten().all(|bar| is_inside(&bar.part));
        let expands = bars.iter().flatten().any(|bar| bar.expands);
        (are_inside && expands).then_some(Scroll { at, view, content, bars })
    }

    /// An object is at a place in the row.
    pub(super) fn meet(&mut self, object: ObjectId, at: usize) {
        let bars = self.bars.iter_mut().flatten().map(|bar| &mut bar.part);
        for part in bars.chain([&mut self.view, &mut self.content]) {
            if part.object == Some(object) {
                part.at = Some(at);
            }
        }
    }

    /// Show one more bar, if that is needed for a content in a view: first the one at the side.
    pub(super) fn show_bar(&mut self, view: Vec2, content: Vec2) -> bool {
        for axis in [Axis::Vertical, Axis::Horizontal] {
            let is_seen = axis.of(content) <= axis.of(view) + SLACK;
            let bar = self.bars[axis.index()].as_mut();
            if let Some(bar) = bar.filter(|bar| bar.expands && !bar.is_shown && !is_seen) {
                bar.is_shown = true;
                return true;
            }
        }
        false
    }

    /// What is left free beside the view and its bars, in a scroll view of a size.
    pub(super) fn trims(&self, size: Vec2) -> Vec<(usize, Trim)> {
        // A bar takes room across the way that it scrolls.
        let taken = |of: Axis| {
            let across = of.other();
            let bar = self.bars[of.index()].as_ref().filter(|bar| bar.expands);
            bar.map(|bar| match bar.is_shown {
                true => bar.across(across, size) + bar.spacing,
                false => 0.0,
            })
        };
        let (beside, below) = (taken(Axis::Vertical), taken(Axis::Horizontal));
        let whole = [Some(beside.unwrap_or(0.0)), Some(below.unwrap_or(0.0))];
        let bar = |axis: Axis| self.bars[axis.index()].as_ref().and_then(|bar| bar.part.at);
        let all = [
            (self.view.at, whole),
            (bar(Axis::Horizontal), [beside, None]),
            (bar(Axis::Vertical), [None, below]),
        ];
        all.into_iter().filter_map(|(at, trim)| Some((at?, trim))).collect()
    }
}

impl Bar {
    /// How much room it takes along an axis.
    fn across(&self, axis: Axis, outer: Vec2) -> f32 {
        let span = axis.of(self.rect.anchor_max) - axis.of(self.rect.anchor_min);
        axis.of(outer) * span + axis.of(self.rect.size_delta)
    }
}
