//! All objects in display order, one at a time. The way is a list and not the stack, because a
//! chain of children may be as long as a file.

use std::iter::FusedIterator;
use std::vec::IntoIter;

use super::frame::Unopened;
use super::{Hierarchy, MAX_OBJECTS, Node, path};

/// Places that are opened in search of objects: more than there are only where files remove them.
const MAX_PLACES: usize = 2 * MAX_OBJECTS;

/// The objects of a [`Hierarchy`] in display order; see [`Hierarchy::objects`].
pub struct Objects<'h> {
    hierarchy: &'h Hierarchy,
    /// The siblings at each depth that are still to come.
    levels: Vec<Siblings<'h>>,
    last: Option<Node<'h>>,
    /// Whether the children of the last one are still to be shown.
    descends: bool,
    count: usize,
    /// Places that were opened, with an object or without.
    places: usize,
}

struct Siblings<'h> {
    parent: Option<Node<'h>>,
    slots: IntoIter<Unopened>,
    ready: IntoIter<Node<'h>>,
    /// How many were given.
    given: usize,
    /// Made when a path is asked for.
    labels: Option<Vec<String>>,
}

impl<'h> Objects<'h> {
    pub(super) fn new(hierarchy: &'h Hierarchy) -> Objects<'h> {
        let roots = Siblings::new(None, hierarchy.top.root_slots());
        Objects { hierarchy, levels: vec![roots], last: None, descends: false, count: 0, places: 0 }
    }

    /// How many ancestors the last object has.
    pub fn depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    /// The path of the last object, as [`Node::path`] has it but cheaper.
    pub fn path(&mut self) -> String {
        let hierarchy = self.hierarchy;
        let names = self.levels.iter_mut().filter_map(|level| {
            let labels = level.labels.get_or_insert_with(|| {
                let parent = level.parent.as_ref();
                path::labels(&parent.map_or_else(|| hierarchy.roots(), Node::children))
            });
            labels.get(level.given.checked_sub(1)?).map(String::as_str)
        });
        names.collect::<Vec<_>>().join("/")
    }

    /// True when it ended at [`MAX_OBJECTS`] and not with the last object.
    pub fn is_cut(&self) -> bool {
        self.count >= MAX_OBJECTS || self.places >= MAX_PLACES
    }

    /// Goes on behind the children of the last object.
    pub fn skip_children(&mut self) {
        self.descends = false;
    }
}

impl<'h> Iterator for Objects<'h> {
    type Item = Node<'h>;

    fn next(&mut self) -> Option<Node<'h>> {
        if self.is_cut() {
            return None;
        }
        if let Some(last) = self.last.take().filter(|_| self.descends) {
            let slots = self.hierarchy.child_slots(&last.frame, last.at);
            if !slots.is_empty() {
                self.levels.push(Siblings::new(Some(last), slots));
            }
        }
        loop {
            let level = self.levels.last_mut()?;
            if let Some(node) = level.ready.next() {
                level.given += 1;
                self.count += 1;
                self.descends = true;
                self.last = Some(node.clone());
                return Some(node);
            }
            match level.slots.next() {
                Some(_) if self.places >= MAX_PLACES => return None,
                Some(slot) => {
                    self.places += 1;
                    level.ready = self.hierarchy.expand_slot(slot).into_iter();
                }
                None => {
                    self.levels.pop();
                }
            }
        }
    }
}

impl FusedIterator for Objects<'_> {}

impl<'h> Siblings<'h> {
    fn new(parent: Option<Node<'h>>, slots: Vec<Unopened>) -> Siblings<'h> {
        let ready = Vec::new().into_iter();
        Siblings { parent, slots: slots.into_iter(), ready, given: 0, labels: None }
    }
}
