//! Objects inside an instance made twice. The second one is added to the instance, as plain objects
//! with the values that the first one has; what is an instance of another prefab inside stays one.
//!
//! A copy of the whole instance is unpacked as far as the object is inside of it, what is wanted is
//! taken out, and the rest is thrown away: so all that unpacking knows holds here, too.

use std::collections::{HashMap, HashSet};

use super::attach::Child;
use super::{Done, Editor, Refusal, Seen, own_instance};
use crate::edit::New;
use crate::edit::address::{parts, path_of};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{FileId, Object};

/// An object inside an instance that is made twice.
pub(super) struct Inside<'s> {
    pub(super) seen: &'s Seen,
    pub(super) parent: &'s Seen,
    pub(super) instance: FileId,
    /// Its place in its parent.
    pub(super) place: usize,
    pub(super) name: String,
}

impl Editor<'_> {
    /// Make an object inside an instance a second time, right behind it.
    pub(super) fn duplicate_inside(&mut self, inside: &Inside<'_>) -> Result<Done, Refusal> {
        self.refuse_if_old()?;
        let lost = || Refusal::new(format!("{} cannot be followed", inside.seen.path));
        let steps = self.steps_to(inside).ok_or_else(lost)?;
        let parent = self.id_of(inside.parent.at);
        let before = self.children_of(parent);
        self.hang_copy(inside)?;
        let mut remarks = Vec::new();
        let (copy, rest, originals) = loop {
            let tree = self.tree().clone();
            let top = copy_in(&tree, parent, &before).ok_or_else(lost)?;
            let node = follow(top.clone(), &steps).ok_or_else(lost)?;
            let is_free = matches!(node.stated(), Some(Stated::Here(_)));
            if is_free || own_instance(&node).is_some() {
                let originals = self.originals(&tree, inside, &before, top.clone());
                let rest = top.file_id().ok_or_else(lost)?;
                break (Seen::of(&node, self.project.classes)?, rest, originals);
            }
            let instance = node.outer_instance().ok_or_else(lost)?;
            self.unpack_one(instance, &path_of(&node), &mut remarks)?;
        };
        let id = self.id_of(copy.at);
        let (named, above) = (format!("#{id}"), format!("#{parent}"));
        self.reparent(&named, Some(&above), Some(inside.place + 1), false)?;
        let copy = self.find_id(id)?;
        self.redirect(&copy, &originals)?;
        self.delete(&format!("#{rest}"), false)?;
        self.put(copy.at, &parts("m_Name"), &New::Text(inside.name.clone()))?;
        self.forget_tree();
        let seen = self.find_id(id)?;
        Ok(Done { path: seen.path, id: Some(id), changed: true, remarks, ..Done::default() })
    }

    fn children_of(&mut self, parent: FileId) -> HashSet<Option<FileId>> {
        let Some(parent) = self.tree().find_by_id(parent) else { return HashSet::new() };
        parent.children().iter().map(Node::file_id).collect()
    }

    /// The way to it from the root of the instance, by places among siblings.
    fn steps_to(&mut self, inside: &Inside<'_>) -> Option<Vec<usize>> {
        let id = self.id_of(inside.seen.at);
        let mut node = self.tree().find_by_id(id)?;
        let mut steps = Vec::new();
        while own_instance(&node) != Some(inside.instance) {
            let parent = node.parent()?;
            steps.push(parent.children().iter().position(|child| *child == node)?);
            node = parent;
        }
        steps.reverse();
        Some(steps)
    }

    /// A copy of the whole instance beside the object.
    fn hang_copy(&mut self, inside: &Inside<'_>) -> Result<(), Refusal> {
        let unknown = || Refusal::new("the prefab of this instance is not here");
        let (target, transform) = self.root_ids(inside.instance).ok_or_else(unknown)?;
        let instance = inside.instance;
        let root = self.find_id(self.id_of(Stated::Override { instance, target }))?;
        let ids = self.copy_subtree(&root)?;
        let copy = ids[&instance];
        let transform = Stated::Override { instance: copy, target: transform };
        self.forget_tree();
        let child = Child { transform, instance: Some(copy) };
        self.hang(child, Some(inside.parent), Some(inside.place + 1))?;
        self.forget_tree();
        Ok(())
    }

    /// What each object and component of the copy is a copy of.
    fn originals(
        &self,
        tree: &Hierarchy,
        inside: &Inside<'_>,
        before: &HashSet<Option<FileId>>,
        copy: Node<'_>,
    ) -> HashMap<FileId, Stated> {
        let mut originals = HashMap::new();
        let is_root = |node: &Node<'_>| own_instance(node) == Some(inside.instance);
        let Some(original) = tree.objects().find(is_root) else { return originals };
        let parent = self.id_of(inside.parent.at);
        let mut open = vec![(original, copy)];
        while let Some((original, copy)) = open.pop() {
            if let (Some(at), Some(id)) = (original.stated(), copy.file_id()) {
                originals.insert(id, at);
            }
            let components = original.components().into_iter().zip(copy.components());
            originals.extend(components.map(|(was, is)| (is.file_id(), was.stated())));
            let mut children = original.children();
            if original.file_id() == Some(parent) {
                // The copy itself hangs there.
                children.retain(|child| before.contains(&child.file_id()));
            }
            open.extend(children.into_iter().zip(copy.children()));
        }
        originals
    }

    /// Let references to what does not stay of the copy lead to what that is a copy of.
    fn redirect(
        &mut self,
        copy: &Seen,
        originals: &HashMap<FileId, Stated>,
    ) -> Result<(), Refusal> {
        let own = self.subtree(copy).own;
        for id in &own {
            let Some(object) = self.sheet.object(*id) else { continue };
            let outward = |(_, to): (usize, crate::Reference)| {
                let is_out = to.guid.is_none() && !own.contains(&to.file_id);
                is_out.then(|| originals.get(&to.file_id).map(|at| (to.file_id, *at)))?
            };
            let wanted: Vec<(FileId, Stated)> = object.references().filter_map(outward).collect();
            let mut now = HashMap::new();
            for (to, at) in wanted {
                now.insert(to, self.handle(at)?);
            }
            self.edit(*id, |object: Object<'_>, _, edits| {
                let bytes = object.document().as_bytes();
                for (offset, to) in object.references().filter(|(_, to)| to.guid.is_none()) {
                    let end = memchr::memchr(b'}', &bytes[offset..]);
                    if let (Some(now), Some(end)) = (now.get(&to.file_id), end) {
                        edits.replace(offset..offset + end + 1, format!("{{fileID: {now}}}"));
                    }
                }
                Ok(())
            })?;
        }
        self.forget_tree();
        Ok(())
    }
}

/// The copy among the children of an object: the one that was not there before. It need not hang where it
/// was hung, for what is in a model comes first.
fn copy_in<'h>(
    tree: &'h Hierarchy,
    parent: FileId,
    before: &HashSet<Option<FileId>>,
) -> Option<Node<'h>> {
    let children = tree.find_by_id(parent)?.children();
    children.into_iter().find(|child| !before.contains(&child.file_id()))
}

fn follow<'h>(mut node: Node<'h>, steps: &[usize]) -> Option<Node<'h>> {
    for step in steps {
        node = node.children().into_iter().nth(*step)?;
    }
    Some(node)
}
