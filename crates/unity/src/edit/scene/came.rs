//! Objects that came or got a component since the tree was made.
//!
//! A call may make thousands of objects, and to count and name what is beside each would take as long as
//! all of them. What hangs last in its parent changes nothing of what the tree knows, so it is noted here;
//! for whoever needs more than to find objects and children, the tree takes in what was noted.

use std::collections::HashMap;

use super::attach::Child;
use super::{Editor, Seen};
use crate::FileId;
use crate::edit::address;
use crate::edit::sheet::text_of;
use crate::hierarchy::{Hung, Node, Order};

/// More than these the tree takes in one by one later than a new one is made.
const MANY: usize = 100;

/// What the tree does not have yet.
#[derive(Debug, Default)]
pub(super) struct Came {
    seen: HashMap<FileId, Seen>,
    /// What hangs last in its parent, with the parent's id, in the order in which it came.
    hung: Vec<(FileId, Option<FileId>)>,
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
        seen.path = self.path_of_last(&seen.name, parent);
        self.came.children.entry(id).or_default().push(seen.id);
        self.came.hung.push((seen.id, id));
        self.note(seen.clone());
        seen
    }

    /// Count something new that hangs last in its parent. Returns the path that it has there.
    fn path_of_last(&mut self, name: &str, parent: Option<&Seen>) -> String {
        let id = parent.map(|parent| self.id_of(parent.at));
        if !self.came.named.contains_key(&id) {
            let mut named: HashMap<String, usize> = HashMap::new();
            for node in self.nodes_in(id) {
                *named.entry(node.name().into_owned()).or_default() += 1;
            }
            self.came.named.insert(id, named);
        }
        let named = self.came.named.entry(id).or_default();
        let count = named.entry(name.to_owned()).or_default();
        let before = std::mem::replace(count, *count + 1);
        let name = address::escape(name);
        let label = if before == 0 { name.into_owned() } else { format!("{name}[{before}]") };
        match parent {
            Some(parent) => format!("{}/{label}", parent.path),
            None => label,
        }
    }

    /// Let the tree have an instance that hangs last in its parent. What was counted there stays known,
    /// so that thousands in one parent are not counted for each. Returns its path.
    pub(super) fn take_in_last(
        &mut self,
        ids: &[FileId],
        child: Child,
        parent: Option<&Seen>,
        name: &str,
    ) -> String {
        let place = self.count_in(parent);
        let path = self.path_of_last(name, parent);
        let id = parent.map(|parent| self.id_of(parent.at));
        let named = std::mem::take(&mut self.came.named);
        let mut counts = std::mem::take(&mut self.came.counts);
        counts.insert(id, place + 1);
        self.take_in(ids, child, parent, place);
        (self.came.named, self.came.counts) = (named, counts);
        path
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

    /// Let the tree have what is only noted beside it.
    pub(super) fn settle(&mut self) {
        if self.came.is_empty() && self.stale.is_empty() {
            return;
        }
        let is_settled = (self.came.is_empty() || self.take_in_came()) && self.settle_overrides();
        match is_settled {
            // What was counted in it may be other now.
            true => self.came.clear(),
            false => self.forget_tree(),
        }
        debug_assert!(self.is_tree_true(), "the tree is not that of the file");
    }

    fn take_in_came(&mut self) -> bool {
        let came = std::mem::take(&mut self.came);
        let has_root = came.hung.iter().any(|(_, parent)| parent.is_none());
        if came.seen.len() > MANY || (has_root && self.hides_roots) {
            return false;
        }
        let hung = came.hung.iter().all(|(id, parent)| {
            let own = came.seen.get(id).into_iter().flat_map(Seen::own_ids);
            let text = self.text_of_all(own);
            let hung = Hung { parent: *parent, place: usize::MAX, handle: FileId::NULL };
            self.tree.as_mut().is_some_and(|tree| tree.take_in(&text, hung))
        });
        let is_new = |seen: &&Seen| came.hung.iter().any(|(id, _)| *id == seen.id);
        let mut changed = came.seen.values().filter(|seen| !is_new(seen));
        hung && changed.all(|seen| self.take_in_components(seen))
    }

    fn take_in_components(&mut self, seen: &Seen) -> bool {
        let now: Vec<FileId> = seen.components.iter().map(|held| held.id).collect();
        let node = self.tree.as_ref().and_then(|tree| tree.find_by_id(seen.id));
        let Some(before) = node.map(|node| node.components()) else { return false };
        let is_known = |id: &FileId| before.iter().any(|held| held.file_id() == *id);
        let new: Vec<FileId> = now.iter().copied().filter(|id| !is_known(id)).collect();
        drop(before);
        let text = self.text_of_all(new);
        self.tree.as_mut().is_some_and(|tree| tree.take_components(seen.id, &text, &now))
    }

    /// Let the tree have the overrides that changed. False where it is to be made anew.
    pub(super) fn settle_overrides(&mut self) -> bool {
        let stale = std::mem::take(&mut self.stale);
        stale.len() <= MANY && stale.iter().all(|id| self.take_in_overrides(*id, Order::Unknown))
    }

    fn take_in_overrides(&mut self, instance: FileId, order: Order) -> bool {
        let Some(tree) = self.tree.as_mut() else { return false };
        let object = self.sheet.object(instance);
        object.is_some_and(|object| tree.take_overrides(instance, text_of(object), order))
    }

    /// An instance has the number that its place in the tree has, or is to have.
    pub(super) fn note_number(&mut self, instance: FileId) {
        let is_there = self.tree.as_ref().is_some_and(|tree| tree.has_instance(instance));
        if is_there && !self.take_in_overrides(instance, Order::Done) {
            self.forget_tree();
        }
    }

    /// A stripped object came. That of an instance which the tree has not yet comes with the instance.
    pub(super) fn note_stand_in(&mut self, id: FileId, instance: FileId, target: FileId) {
        let text = self.text_of_all([id]);
        let tree = self.tree.as_mut().filter(|tree| tree.has_instance(instance));
        if tree.is_some_and(|tree| !tree.take_stand_in(id, instance, target, &text)) {
            self.forget_tree();
        }
    }

    /// Let the tree have what came with these ids: an object, or an instance, with all in it.
    pub(super) fn take_in(
        &mut self,
        ids: &[FileId],
        child: Child,
        parent: Option<&Seen>,
        place: usize,
    ) {
        self.stale.retain(|instance| !ids.contains(instance));
        if parent.is_none() && self.hides_roots {
            return self.forget_tree();
        }
        let text = self.text_of_all(ids.iter().copied());
        let hung = self.hung(child, parent, place);
        self.change_tree(|tree| tree.take_in(&text, hung));
    }

    /// Where something hangs now.
    pub(super) fn hung(&self, child: Child, parent: Option<&Seen>, place: usize) -> Hung {
        let parent = parent.map(|parent| self.id_of(parent.at));
        Hung { parent, place, handle: self.id_of(child.transform) }
    }

    fn text_of_all(&self, ids: impl IntoIterator<Item = FileId>) -> Vec<u8> {
        let mut text = Vec::new();
        for object in ids.into_iter().filter_map(|id| self.sheet.object(id)) {
            text.extend_from_slice(text_of(object));
            if !text.ends_with(b"\n") {
                text.push(b'\n');
            }
        }
        text
    }
}
