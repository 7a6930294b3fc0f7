//! Rectangles that layout groups and content size fitters drive: the values that Unity's layout
//! comes to rest at, whatever a file has for them. Unity saves most of them as zero.
//!
//! All objects with rectangles are put in a row, parents before children. Along each axis one walk
//! from the end gathers what everyone asks for, and one from the start gives it out. Widths come
//! first, for heights may depend on them; where a width depends on a height, all is done again with
//! the heights that are known then. Nothing here asks where an object is in the world: places
//! are made from these rectangles.

use std::collections::HashMap;
use std::sync::Arc;

use super::axis::Axis;
use super::canvas::{self, CANVAS};
use super::fields::{self, Fit};
use super::group::{Group, Item, Rule, Slot, Totals};
use super::scroll::{Scroll, Trim};
use super::sprite::Sprites;
use super::text::{self, Text};
use super::wants::{Guess, Voice, Wants};
use crate::ids::ObjectId;
use crate::math::Vec2;
use crate::object::{Object, RectData};
use crate::world::World;

/// So many objects inside each other may have widths that depend on heights.
const MAX_ROUNDS: usize = 4;
/// So many scroll bars may come up one after the other, because one leaves too little room.
const MAX_BARS: usize = 8;

/// What is driven in a world.
#[derive(Debug)]
pub(crate) struct Driven {
    rects: HashMap<ObjectId, DrivenRect>,
    estimated: Estimated,
    /// What the world had when it was gathered; anyone may set these.
    screen: (u32, u32),
    sprites: Arc<dyn Sprites>,
}

/// A rectangle that is not as its file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DrivenRect {
    pub(super) rect: RectData,
    /// Its place is given, by a group or its parent's shape; otherwise only its size is.
    is_placed: bool,
}

/// How many objects of a layout have a size that cannot be known from files, and was estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Estimated {
    /// Texts: the letters of their fonts are not measured here.
    pub texts: usize,
    /// Images whose sprites cannot be read.
    pub sprites: usize,
}

/// An object with a rectangle, while sizes are found.
struct Node<'w> {
    object: &'w Object,
    rect: &'w RectData,
    /// The parent's place in the row.
    parent: Option<usize>,
    /// Width and height of a canvas that follows the screen.
    screen: Option<Vec2>,
    fit: [Fit; 2],
    group: Option<Group>,
    /// The children that the group lays out.
    members: Vec<usize>,
    /// What components say whose say depends on no other size.
    said: [Wants; 2],
    texts: Vec<Text>,
    wants: [Wants; 2],
    totals: [Totals; 2],
    /// Where the parent's group puts it.
    slots: Option<[Slot; 2]>,
    /// What a scroll view leaves free beside it, where it fills the parent.
    trim: Trim,
    size: Vec2,
    /// Whether what it prefers has an effect.
    is_heard: [bool; 2],
}

/// What is known of an object for the sake of its children.
#[derive(Clone, Copy)]
struct Outer {
    at: Option<usize>,
    in_canvas: bool,
    /// How many units of the canvas are one of the world.
    units: f32,
}

impl World {
    /// The rectangle of an object as it is laid out: by its parent's group, its own content, or as
    /// its file has it. Nothing for objects that are not of a user interface.
    pub fn laid_rect(&self, object: &Object) -> Option<RectData> {
        let own = object.rect()?;
        Some(self.driven_rect(object).map_or(*own, |driven| driven.rect))
    }

    /// Whether a group says where an object is, so that nobody else can.
    pub(crate) fn is_placed_by_group(&self, object: &Object) -> bool {
        self.driven_rect(object).is_some_and(|driven| driven.is_placed)
    }

    /// The rectangle that a group gave an object.
    pub(crate) fn place_in_group(&self, id: ObjectId) -> Option<RectData> {
        let driven = self.driven_rect(self.object(id)?)?;
        driven.is_placed.then_some(driven.rect)
    }

    /// An object has another parent. Where no group places it any more, it stays as the last one
    /// left it, as in Unity: what its file had was never seen.
    pub(crate) fn leave_group(&mut self, id: ObjectId, last: Option<RectData>) {
        if let Some(last) = last
            && self.object(id).is_some_and(|object| !self.is_placed_by_group(object))
            && let Some(object) = self.object_mut(id)
        {
            object.rect = Some(Box::new(last));
        }
    }

    pub(super) fn driven_rect(&self, object: &Object) -> Option<DrivenRect> {
        if object.rect().is_none() || !fields::may_be_driven(self, object) {
            return None;
        }
        self.layouts().rects.get(&object.id()).copied()
    }

    /// How many sizes of layouts had to be estimated.
    pub fn sizes_estimated(&self) -> Estimated {
        self.layouts().estimated
    }

    fn layouts(&self) -> Arc<Driven> {
        self.layouts.get(
            |known| known.screen == self.screen && Arc::ptr_eq(&known.sprites, &self.sprites),
            || gather(self),
        )
    }
}

fn gather(world: &World) -> Driven {
    let (mut row, mut scrolls) = collect(world);
    let rounds = if row.iter().any(Node::needs_height) { MAX_ROUNDS } else { 1 };
    trim(&mut row, &scrolls);
    for _ in 0..=MAX_BARS {
        for _ in 0..rounds {
            for axis in Axis::BOTH {
                ask(&mut row, axis);
                give(&mut row, axis);
            }
        }
        // All are asked: those beside each other show their bars at once.
        let shown = scrolls.iter_mut().map(|scroll| show_bar(&row, scroll));
        if shown.filter(|is_shown| *is_shown).count() == 0 {
            break;
        }
        trim(&mut row, &scrolls);
    }
    let mut driven = Driven {
        rects: HashMap::new(),
        estimated: Estimated::default(),
        screen: world.screen,
        sprites: world.sprites.clone(),
    };
    for node in &row {
        driven.estimated.count(node);
        let outer = node.parent.map_or(Vec2::default(), |parent| row[parent].size);
        driven.rects.extend(node.driven(outer).map(|rect| (node.object.id(), rect)));
    }
    driven
}

/// All active objects with a rectangle, parents before children.
fn collect(world: &World) -> (Vec<Node<'_>>, Vec<Scroll>) {
    let mut row: Vec<Node<'_>> = Vec::new();
    let mut scrolls: Vec<Scroll> = Vec::new();
    let outside = Outer { at: None, in_canvas: false, units: canvas::USUAL_UNITS };
    let roots: Vec<_> = world.all_roots().iter().map(|id| (*id, outside)).collect();
    world.visit_active(&roots, |outer, object| {
        let Some(rect) = object.rect() else { return Outer { at: None, ..*outer } };
        let at = row.len();
        let canvas = object.component(CANVAS);
        let outermost = canvas.filter(|_| !outer.in_canvas);
        let screen = outermost.and_then(|canvas| canvas::drive(world, object, canvas));
        let units = outermost.map_or(outer.units, |_| canvas::units(world, object));
        let group = outer.at.filter(|parent| row[*parent].group.is_some());
        let group = group.filter(|_| !fields::is_ignored(world, object));
        if let Some(parent) = group {
            row[parent].members.push(at);
        }
        scrolls.extend(Scroll::of(world, object, at));
        scrolls.iter_mut().for_each(|scroll| scroll.meet(object.id(), at));
        row.push(Node {
            parent: outer.at,
            screen: screen.map(|(_, rect)| rect.size),
            ..Node::new(world, object, rect, group.is_some(), units)
        });
        Outer { at: Some(at), in_canvas: outer.in_canvas || canvas.is_some(), units }
    });
    (row, scrolls)
}

/// Whether a scroll view shows one more of its bars, now that sizes are known.
fn show_bar(row: &[Node<'_>], scroll: &mut Scroll) -> bool {
    let Some(content) = scroll.content.at else { return false };
    let Some(view) = scroll.view.at else { return false };
    let scale = row[content].object.local().scale;
    let content = row[content].size.scale(Vec2::new(scale.x.abs(), scale.y.abs()));
    scroll.show_bar(row[view].size, content)
}

/// Make room for the bars of scroll views.
fn trim(row: &mut [Node<'_>], scrolls: &[Scroll]) {
    for scroll in scrolls {
        for (at, trim) in scroll.trims(row[scroll.at].size) {
            row[at].trim = trim;
        }
    }
}

/// Gather what everyone asks for along an axis, children before parents.
fn ask(row: &mut [Node<'_>], axis: Axis) {
    for at in (0..row.len()).rev() {
        row[at].listen(axis);
        let Some(group) = &row[at].group else { continue };
        let totals = match &group.rule {
            Rule::Line(line) => line.totals(axis, &group.frame, &items(row, at, axis)),
            Rule::Grid(grid) => {
                grid.totals(axis, &group.frame, row[at].members.len(), row[at].size.x)
            }
        };
        let node = &mut row[at];
        node.totals[axis.index()] = totals;
        let Totals { min, preferred, flexible } = totals;
        node.wants[axis.index()].hear(&Voice { min, preferred, flexible, ..Voice::SILENT });
    }
}

/// Give everyone a size along an axis, and a place in the group, parents before children.
fn give(row: &mut [Node<'_>], axis: Axis) {
    for at in 0..row.len() {
        let outer = row[at].parent.map_or(Vec2::default(), |parent| row[parent].size);
        let size = row[at].size_along(axis, outer);
        *axis.of_mut(&mut row[at].size) = size;
        arrange(row, at, axis);
    }
}

/// Put the children of a group in their places.
fn arrange(row: &mut [Node<'_>], at: usize, axis: Axis) {
    let Some(group) = &row[at].group else { return };
    match &group.rule {
        Rule::Line(line) => {
            let items = items(row, at, axis);
            let (size, totals) = (axis.of(row[at].size), &row[at].totals[axis.index()]);
            let slots = line.arrange(axis, &group.frame, size, totals, &items);
            let (along, controls) = (line.along == axis, line.manners(axis).controls);
            let is_heard = row[at].is_heard[axis.index()];
            for (number, slot) in slots.into_iter().enumerate() {
                let member = row[at].members[number];
                let counts = along || is_heard || !items[number].is_flexible();
                row[member].is_heard[axis.index()] |= controls && counts;
                row[member].put(axis, slot);
            }
        }
        Rule::Grid(grid) => {
            // Which cell comes where is known with both sizes; with the first, only its width counts.
            let cell = grid.cell;
            let slots = grid.arrange(&group.frame, row[at].size, row[at].members.len());
            for (number, slots) in slots.into_iter().enumerate() {
                let member = row[at].members[number];
                row[member].slots = Some(slots);
                // With the heights Unity sets the widths again, also those that content gave.
                row[member].size.x = cell.x;
            }
        }
    }
}

/// The members of a row or a column, along an axis.
fn items(row: &[Node<'_>], at: usize, axis: Axis) -> Vec<Item> {
    let Some(Group { rule: Rule::Line(line), .. }) = &row[at].group else { return Vec::new() };
    let item = |member: &usize| {
        let member = &row[*member];
        let scale = member.object.local().scale;
        let scale = axis.of(Vec2::new(scale.x, scale.y));
        line.item(axis, &member.wants[axis.index()], member.own_size(axis, row[at].size), scale)
    };
    row[at].members.iter().map(item).collect()
}

impl<'w> Node<'w> {
    fn new(
        world: &World,
        object: &'w Object,
        rect: &'w RectData,
        is_member: bool,
        units: f32,
    ) -> Node<'w> {
        let fit = fields::fit_of(world, object);
        let mut said = [Wants::default(); 2];
        let mut texts = Vec::new();
        // Most objects of an interface are asked by nobody.
        if is_member || fit != [Fit::Free; 2] {
            texts = text::texts_of(world, object);
            for axis in Axis::BOTH {
                let voices = fields::voices(world, object, axis, units);
                voices.iter().for_each(|voice| said[axis.index()].hear(voice));
            }
        }
        Node {
            object,
            rect,
            parent: None,
            screen: None,
            fit,
            group: fields::group_of(world, object),
            members: Vec::new(),
            said,
            texts,
            wants: said,
            totals: [Totals::default(); 2],
            slots: is_member.then_some([Slot::default(); 2]),
            trim: Trim::default(),
            size: Vec2::default(),
            is_heard: fit.map(|fit| fit == Fit::Preferred),
        }
    }

    /// Hear the components of the object itself.
    fn listen(&mut self, axis: Axis) {
        self.wants[axis.index()] = self.said[axis.index()];
        for text in &self.texts {
            self.wants[axis.index()].hear(&text.voice(axis, self.size.x));
        }
    }

    /// The size that its content gives it, or its own shape, in a parent of a size.
    fn fitted(&self, axis: Axis, outer: Vec2) -> Option<f32> {
        let wants = &self.wants[axis.index()];
        let in_parent = |is_wide: bool, ratio: f32| match (is_wide, axis) {
            (true, Axis::Horizontal) => outer.x,
            (true, Axis::Vertical) => outer.x / ratio,
            (false, Axis::Horizontal) => outer.y * ratio,
            (false, Axis::Vertical) => outer.y,
        };
        Some(match self.fit[axis.index()] {
            Fit::Free => return None,
            Fit::Min => wants.min(),
            Fit::Preferred => wants.preferred(),
            Fit::Other(times) => axis.other().of(self.size) * times,
            Fit::Inside(ratio) => in_parent(outer.y * ratio >= outer.x, ratio),
            Fit::Around(ratio) => in_parent(outer.y * ratio < outer.x, ratio),
        })
    }

    /// Whether its width depends on a height.
    fn needs_height(&self) -> bool {
        matches!(self.fit[0], Fit::Other(_) | Fit::Inside(_) | Fit::Around(_))
    }

    /// The size that it has in a group that gives it none. Groups hold all anchors at one point, so
    /// nothing of the parent's size is in it.
    fn own_size(&self, axis: Axis, outer: Vec2) -> f32 {
        self.fitted(axis, outer).unwrap_or(axis.of(self.rect.size_delta))
    }

    fn size_along(&self, axis: Axis, outer: Vec2) -> f32 {
        if let Some(screen) = self.screen {
            return axis.of(screen);
        }
        if let Some(trim) = self.trim[axis.index()] {
            return axis.of(outer) - trim;
        }
        let span = axis.of(self.rect.anchor_max) - axis.of(self.rect.anchor_min);
        let given = self.slots.map(|slots| slots[axis.index()].size);
        let size = self.fitted(axis, outer).or(given);
        size.unwrap_or(axis.of(outer) * span + axis.of(self.rect.size_delta))
    }

    /// The parent's group puts it somewhere.
    fn put(&mut self, axis: Axis, slot: Slot) {
        if let Some(slots) = &mut self.slots {
            slots[axis.index()] = slot;
        }
    }

    /// Its rectangle in a parent of a size, when something drives it. What would be no rectangle
    /// stays as the file has it.
    fn driven(&self, outer: Vec2) -> Option<DrivenRect> {
        let is_trimmed = self.trim != Trim::default();
        let is_free = self.slots.is_none() && self.fit == [Fit::Free; 2] && !is_trimmed;
        if self.screen.is_some() || is_free {
            return None;
        }
        let mut rect = *self.rect;
        if let Some([across, down]) = self.slots {
            rect.anchor_min = Vec2::new(0.0, 1.0);
            rect.anchor_max = rect.anchor_min;
            rect.anchored_position = Vec2::new(
                across.pivot_at(Axis::Horizontal, rect.pivot),
                down.pivot_at(Axis::Vertical, rect.pivot),
            );
        }
        let follows_parent = matches!(self.fit[0], Fit::Inside(_) | Fit::Around(_));
        if self.slots.is_none() && follows_parent {
            rect.anchor_min = Vec2::new(0.0, 0.0);
            rect.anchor_max = Vec2::new(1.0, 1.0);
            rect.anchored_position = Vec2::default();
        }
        for axis in Axis::BOTH {
            if self.slots.is_some() || self.fit[axis.index()] != Fit::Free {
                let span = axis.of(rect.anchor_max) - axis.of(rect.anchor_min);
                *axis.of_mut(&mut rect.size_delta) = axis.of(self.size) - axis.of(outer) * span;
            }
        }
        for axis in Axis::BOTH {
            if let Some(trim) = self.trim[axis.index()] {
                *axis.of_mut(&mut rect.anchor_min) = 0.0;
                *axis.of_mut(&mut rect.anchor_max) = 1.0;
                *axis.of_mut(&mut rect.anchored_position) = 0.0;
                *axis.of_mut(&mut rect.size_delta) = -trim;
            }
        }
        let numbers = [rect.anchored_position, rect.size_delta];
        let is_sound = numbers.iter().all(|pair| pair.x.is_finite() && pair.y.is_finite());
        let is_placed = self.slots.is_some() || follows_parent || is_trimmed;
        is_sound.then_some(DrivenRect { rect, is_placed })
    }
}

impl Estimated {
    /// Count an object whose size is a guess, if the guess has an effect.
    fn count(&mut self, node: &Node<'_>) {
        let guess = Axis::BOTH.into_iter().find_map(|axis| {
            let guess = node.wants[axis.index()].guess()?;
            node.is_heard[axis.index()].then_some(guess)
        });
        match guess {
            Some(Guess::Font) => self.texts += 1,
            Some(Guess::Sprite) => self.sprites += 1,
            None => {}
        }
    }
}
