//! One file in the place where an expansion uses it, and who its children are there.
//!
//! Ids mean something only inside one file. An object of a prefab in a prefab has another id in
//! each file around it, and each of those files states its overrides, additions and removals by the
//! id that the object has in the source of *its* instance. [`Frame::levels`] is the one place that
//! carries an id outwards; everything that asks what the files around say walks along it, the
//! nearest file first, so that the last word is the outermost file's. The flags `reshaped` and
//! `reordered` spare that walk for the many instances that only change values; they must be true
//! whenever any file around adds, removes or moves objects, however deep inside, or that change is
//! not seen.

use std::sync::Arc;

use super::instance::Instance;
use super::template::{Child, Template};
use super::{Hierarchy, MAX_OBJECTS, Node, Opaque};
use crate::{Guid, Object};

/// A file in the place where an expansion uses it: the way in from the top file.
///
/// All objects of an instance share one, which is what keeps big expansions small.
pub(super) struct Frame {
    /// The file around it, and the instance there.
    pub(super) outer: Option<(Arc<Frame>, u32)>,
    pub(super) guid: Guid,
    pub(super) content: Content,
    /// How many files are around it.
    pub(super) depth: u32,
    /// True when a file around it adds or removes objects somewhere inside.
    pub(super) reshaped: bool,
    /// True when a file around it moves objects among their siblings somewhere inside.
    pub(super) reordered: bool,
}

#[derive(Clone)]
pub(super) enum Content {
    Template(Arc<Template>),
    Opaque(Opaque),
}

/// What a node is in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Object(u32),
    /// The frame as a whole, whose content is opaque.
    Opaque,
}

/// A file around an object, and what the object is called inside its instance.
pub(super) struct Level<'f> {
    pub(super) frame: &'f Arc<Frame>,
    pub(super) index: u32,
    pub(super) instance: &'f Instance,
    /// The id in the source of the instance.
    pub(super) id: i64,
}

/// An object or instance that is not entered yet.
pub(super) type Unopened = (Arc<Frame>, Child);

impl Frame {
    pub(super) fn top(template: Arc<Template>) -> Frame {
        let guid = template.guid;
        Frame {
            outer: None,
            guid,
            content: Content::Template(template),
            depth: 0,
            reshaped: false,
            reordered: false,
        }
    }

    pub(super) fn template(&self) -> Option<&Arc<Template>> {
        match &self.content {
            Content::Template(template) => Some(template),
            Content::Opaque(_) => None,
        }
    }

    pub(super) fn instance(&self, index: u32) -> &Instance {
        let template = self.template().expect("only files that were read have instances");
        &template.instances[index as usize]
    }

    pub(super) fn object(&self, index: usize) -> Option<Object<'_>> {
        self.template()?.document.object_at(index)
    }

    /// The files around an object, the nearest first.
    pub(super) fn levels(&self, id: i64) -> impl Iterator<Item = Level<'_>> {
        let mut next = (self, id);
        std::iter::from_fn(move || {
            let (frame, id) = next;
            let (outer, index) = frame.outer.as_ref()?;
            let instance = outer.instance(*index);
            next = (outer, instance.outward(id));
            Some(Level { frame: outer, index: *index, instance, id })
        })
    }

    /// The id of an object as the top file sees it.
    pub(super) fn top_id(&self, id: i64) -> i64 {
        self.levels(id).last().map_or(id, |level| level.instance.outward(level.id))
    }

    /// The frame as many files further out.
    pub(super) fn around(self: &Arc<Frame>, levels: u32) -> &Arc<Frame> {
        let mut frame = self;
        for _ in 0..levels {
            let Some((outer, _)) = &frame.outer else { break };
            frame = outer;
        }
        frame
    }

    pub(super) fn root_slots(self: &Arc<Frame>) -> Vec<Unopened> {
        let roots = self.template().map_or(&[][..], |template| &template.roots);
        roots.iter().map(|child| (self.clone(), *child)).collect()
    }

    /// True when both came the same way.
    pub(super) fn is(&self, other: &Frame) -> bool {
        let (mut a, mut b) = (self, other);
        loop {
            if std::ptr::eq(a, b) {
                return true;
            }
            match (&a.outer, &b.outer) {
                (Some((outer_a, at_a)), Some((outer_b, at_b))) if at_a == at_b => {
                    (a, b) = (outer_a, outer_b);
                }
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    pub(super) fn is_object_removed(&self, object: i64) -> bool {
        self.reshaped
            && self
                .levels(object)
                .any(|level| level.instance.removed_objects.binary_search(&level.id).is_ok())
    }
}

/// Steps into prefabs from one place among siblings. A variant of a variant takes one for each.
const MAX_STEPS: usize = 1000;

impl Hierarchy {
    /// The nodes of a place among siblings: none when a file around removes it, several when a
    /// broken prefab has several roots.
    pub(super) fn expand_slot(&self, slot: Unopened) -> Vec<Node<'_>> {
        let (mut nodes, mut steps) = (Vec::new(), MAX_STEPS);
        self.open_slot(slot, &mut steps, &mut nodes);
        nodes
    }

    /// The nodes of several places, as many as one expansion gives.
    pub(super) fn expand_slots(&self, slots: Vec<Unopened>) -> Vec<Node<'_>> {
        let (mut nodes, mut left) = (Vec::new(), MAX_OBJECTS);
        for slot in slots {
            let mut steps = MAX_STEPS.min(left);
            let given = steps;
            self.open_slot(slot, &mut steps, &mut nodes);
            left -= given - steps;
            if left == 0 {
                break;
            }
        }
        nodes
    }

    /// Adds the nodes of a place. A prefab has one root; where each of several roots is a prefab with
    /// several roots again, a few files would have more than can be counted, so the steps are.
    fn open_slot<'h>(
        &'h self,
        (frame, child): Unopened,
        steps: &mut usize,
        nodes: &mut Vec<Node<'h>>,
    ) {
        if *steps == 0 {
            return;
        }
        *steps -= 1;
        let index = match child {
            Child::Object(index) => {
                let template = frame.template().expect("only files that were read have objects");
                if !frame.is_object_removed(template.objects[index as usize].id) {
                    nodes.push(self.node(&frame, At::Object(index)));
                }
                return;
            }
            Child::Instance(index) => index,
        };
        let inner = self.expander.enter(&frame, index);
        match &inner.content {
            Content::Opaque(_) => nodes.push(self.node(&inner, At::Opaque)),
            // This recurses as deep as prefabs nest, which `enter` bounds.
            Content::Template(template) => {
                for child in template.roots.iter().take(*steps) {
                    self.open_slot((inner.clone(), *child), steps, nodes);
                }
            }
        }
    }

    /// The places of a node's children, those that files around it add among them.
    pub(super) fn child_slots(&self, frame: &Arc<Frame>, at: At) -> Vec<Unopened> {
        let (At::Object(index), Some(template)) = (at, frame.template()) else {
            return self.opaque_children(frame);
        };
        let object = &template.objects[index as usize];
        let mut slots: Vec<Unopened> =
            object.children.iter().map(|child| (frame.clone(), *child)).collect();
        if frame.reordered {
            slots = reorder(slots);
        }
        // Without a transform there is nothing to hang a child on.
        if frame.reshaped && object.transform != 0 {
            for level in frame.levels(object.transform) {
                for added in level.instance.children_added_to(level.id) {
                    let at = added.at.map_or(slots.len(), |at| slots.len().min(at as usize));
                    slots.insert(at, (level.frame.clone(), added.what));
                }
            }
        }
        slots
    }

    /// What is added anywhere inside a source that cannot be read is shown right under it.
    fn opaque_children(&self, frame: &Arc<Frame>) -> Vec<Unopened> {
        let added = self.added_to_opaque(frame, |instance| &instance.added_children);
        added.into_iter().map(|(frame, added)| (frame, added.what)).collect()
    }

    pub(super) fn added_to_opaque<T: Copy>(
        &self,
        frame: &Arc<Frame>,
        list: impl Fn(&Instance) -> &Vec<super::instance::Added<T>>,
    ) -> Vec<(Arc<Frame>, super::instance::Added<T>)> {
        let mut found = Vec::new();
        for level in frame.levels(0) {
            for added in list(level.instance) {
                let is_mine = std::ptr::eq(level.frame, frame.around(1))
                    || self
                        .locate_inside(level.frame, level.index, added.to)
                        .is_some_and(|place| place.at_opaque() && place.frame.is(frame));
                if is_mine {
                    found.push((level.frame.clone(), *added));
                }
            }
        }
        found
    }
}

/// Puts siblings of one file where files around it want them.
fn reorder(slots: Vec<Unopened>) -> Vec<Unopened> {
    let (mut moved, mut stay) = (Vec::new(), Vec::new());
    for slot in slots {
        match moved_to(&slot) {
            Some(position) => moved.push((position, slot)),
            None => stay.push(slot),
        }
    }
    moved.sort_by_key(|(position, _)| *position);
    for (position, slot) in moved {
        stay.insert(position.min(stay.len()), slot);
    }
    stay
}

fn moved_to((frame, child): &Unopened) -> Option<usize> {
    let transform = match *child {
        Child::Object(index) => frame.template()?.objects[index as usize].transform,
        Child::Instance(index) => frame.instance(index).handle,
    };
    let levels = frame.levels(transform).filter(|_| transform != 0);
    levels.filter_map(|level| level.instance.moved(level.id)).last()
}
