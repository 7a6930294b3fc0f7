//! Objects that came or got a component since the tree was made.
//!
//! A call may make thousands of objects, and the tree of a large scene takes milliseconds. What hangs
//! last in its parent changes nothing of what the tree knows, so it is noted here; whoever needs more
//! than to find objects and children gets a tree that is made anew.

use std::collections::HashMap;

use super::{Editor, Seen};
use crate::FileId;
use crate::edit::address;
use crate::hierarchy::Node;

/// What the tree does not have yet.
#[derive(Debug, Default)]
pub(super) struct Came {
    seen: HashMap<FileId, Seen>,
    by_path: HashMap<String, FileId>,
    /// What hangs last in a parent, by the parent's id; without one in the scene.
    children: HashMap<Option<FileId>, Vec<FileId>>,
    /// How many the tree has in a parent.
    counts: HashMap<Option<FileId>, usize>,
    /// How many in a parent have each name, so that their paths are told apart.
    named: HashMap<Option<FileId>, HashMap<String, usize>>,
}

impl Came {
    pub(super) fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    pub(super) fn clear(&mut self) {
        *self = Came::default();
    }

    /// The object of a path or `#id`.
    pub(super) fn find(&self, path: &str) -> Option<&Seen> {
        let id = address::id(path).or_else(|| self.by_path.get(path.trim_matches('/')).copied())?;
        self.seen.get(&id)
    }

    /// What hangs last in a parent.
    pub(super) fn children(&self, parent: Option<FileId>) -> impl Iterator<Item = &Seen> {
        let ids = self.children.get(&parent).map_or(&[][..], Vec::as_slice);
        ids.iter().filter_map(|id| self.seen.get(id))
    }

    /// How many hang last in a parent.
    pub(super) fn count_of(&self, parent: Option<FileId>) -> usize {
        self.children.get(&parent).map_or(0, Vec::len)
    }

    /// How many the tree has in a parent, where they were counted.
    pub(super) fn counted(&self, parent: Option<FileId>) -> Option<usize> {
        self.counts.get(&parent).copied()
    }

    /// Note how many the tree has in a parent.
    pub(super) fn count(&mut self, parent: Option<FileId>, count: usize) {
        self.counts.insert(parent, count);
    }

    /// An object as it is now, where that is other than in the tree.
    pub(super) fn now(&self, id: FileId) -> Option<&Seen> {
        self.seen.get(&id)
    }
}

impl Editor<'_> {
    /// Note a new object that hangs last in its parent. Gives it the path that it has there.
    pub(super) fn note_child(&mut self, mut seen: Seen, parent: Option<&Seen>) -> Seen {
        let id = parent.map(|parent| self.id_of(parent.at));
        if !self.came.named.contains_key(&id) {
            let mut named: HashMap<String, usize> = HashMap::new();
            for node in self.nodes_in(id) {
                *named.entry(node.name().into_owned()).or_default() += 1;
            }
            self.came.named.insert(id, named);
        }
        let named = self.came.named.entry(id).or_default();
        let count = named.entry(seen.name.clone()).or_default();
        let before = std::mem::replace(count, *count + 1);
        let name = address::escape(&seen.name);
        let label = if before == 0 { name.into_owned() } else { format!("{name}[{before}]") };
        seen.path = match parent {
            Some(parent) => format!("{}/{label}", parent.path),
            None => label,
        };
        self.came.children.entry(id).or_default().push(seen.id);
        self.note(seen.clone());
        seen
    }

    /// What the tree has in a parent; its roots without one.
    pub(super) fn nodes_in(&mut self, parent: Option<FileId>) -> Vec<Node<'_>> {
        let tree = self.tree_and_came();
        match parent {
            None => tree.roots(),
            Some(id) => tree.find_by_id(id).map(|node| node.children()).unwrap_or_default(),
        }
    }

    /// Note how an object is now.
    pub(super) fn note(&mut self, seen: Seen) {
        self.came.by_path.insert(seen.path.clone(), seen.id);
        self.came.seen.insert(seen.id, seen);
    }
}
