//! Stripped objects that stand in a file for parts of its instances, when those go or nothing needs them.

use std::collections::{BTreeSet, HashSet};

use super::{Editor, Refusal, Seen};
use crate::hierarchy::{Node, Stated};
use crate::{FileId, Object};

impl Editor<'_> {
    /// What stands in the file for single parts of an instance that are in an object.
    pub(super) fn stand_ins_in(&mut self, seen: &Seen) -> Vec<FileId> {
        let id = self.id_of(seen.at);
        let tree = self.tree().clone();
        let mut open: Vec<Node<'_>> = tree.find_by_id(id).into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(node) = open.pop() {
            let parts = node.components().into_iter().map(|part| part.stated());
            for at in parts.chain(node.stated()) {
                found.extend(self.stands_for(at));
            }
            open.extend(node.children());
        }
        found.into_iter().collect()
    }

    /// What stands in the file for a part of an instance.
    pub(super) fn stands_for(&self, at: Stated) -> Option<FileId> {
        let Stated::Override { instance, target } = at else { return None };
        self.stand_ins.get(&(instance, target)).copied()
    }

    /// Take away what stands for a part of an instance that is taken out of it, and tell who referred to it.
    pub(super) fn take_stand_in(&mut self, at: Stated) -> Result<Vec<String>, Refusal> {
        let Some(id) = self.stands_for(at) else { return Ok(Vec::new()) };
        self.remove_stand_in(id);
        self.clear_references(&[id])
    }

    fn remove_stand_in(&mut self, id: FileId) {
        // That of a script has that of its object.
        self.note_left(&[id]);
        self.sheet.remove(id);
        self.stand_ins.retain(|_, stands| *stands != id);
    }

    /// Note the stand-ins that objects which go refer to.
    pub(super) fn note_left(&mut self, gone: &[FileId]) {
        let objects = gone.iter().filter_map(|id| self.sheet.object(*id));
        let held: Vec<FileId> = objects.flat_map(local).collect();
        self.left.extend(held);
    }

    /// Take away the stand-ins that nothing refers to since what did went, as Unity does when it saves.
    pub fn sweep(&mut self) {
        while let Some(id) = self.left.pop_first() {
            let is_stripped = self.sheet.object(id).is_some_and(Object::is_stripped);
            if !is_stripped || !self.sheet.holders_of(&HashSet::from([id])).is_empty() {
                continue;
            }
            self.remove_stand_in(id);
            self.forget_tree();
        }
    }
}

/// What an object refers to in its own file.
fn local(object: Object<'_>) -> Vec<FileId> {
    let own = object.references().filter(|(_, to)| to.guid.is_none());
    own.map(|(_, to)| to.file_id).collect()
}
