//! Small changes of the top file, made to its tree in place: to make the tree of a large scene anew for
//! each of thousands would take minutes. What came is taken in by `grow`.
//!
//! What is inside an instance, and what the file adds to that, is not changed so: then the answer is false,
//! and the tree is to be made anew.

use std::collections::HashSet;

use super::template::{Child, Parent, Slot, Template};
use super::{Hierarchy, Hung};
use crate::FileId;

impl Hierarchy {
    /// Give an object another name.
    pub(crate) fn rename(&mut self, id: FileId, name: &str) -> bool {
        let rename = |template: &mut Template| {
            let index = template.object(id)?;
            template.objects[index].name = name.into();
            Some(())
        };
        self.own().and_then(rename).is_some()
    }

    /// Take an object or an instance away, with all in it.
    pub(crate) fn remove(&mut self, id: FileId) -> bool {
        self.own().and_then(|template| template.remove(id)).is_some()
    }

    /// Take a component from an object.
    pub(crate) fn remove_component(&mut self, owner: FileId, id: FileId) -> bool {
        let remove = |template: &mut Template| {
            let index = template.object(owner)?;
            template.objects[index].components.retain(|held| *held != id.0);
            Some(())
        };
        self.own().and_then(remove).is_some()
    }

    /// Put an object or an instance into another parent, or to another place.
    pub(crate) fn reparent(&mut self, id: FileId, hung: Hung) -> bool {
        self.own().and_then(|template| template.reparent(id, hung)).is_some()
    }
}

impl Template {
    pub(super) fn object(&self, id: FileId) -> Option<usize> {
        match self.slot(id.0)? {
            Slot::Object(index) => Some(index as usize),
            _ => None,
        }
    }

    /// What hangs beside an object.
    pub(super) fn siblings(&mut self, parent: Parent) -> Option<&mut Vec<Child>> {
        match parent {
            Parent::Root => Some(&mut self.roots),
            Parent::Object(parent) => Some(&mut self.objects[parent as usize].children),
            Parent::Inside { .. } => None,
        }
    }

    fn remove(&mut self, id: FileId) -> Option<()> {
        let top = self.child(id)?;
        self.unhang(top)?;
        let mut gone = vec![top];
        let mut at = 0;
        while let Some(next) = gone.get(at) {
            match *next {
                Child::Object(index) => gone.extend(&self.objects[index as usize].children),
                Child::Instance(index) => {
                    let added = &self.instances[index as usize].added_children;
                    gone.extend(added.iter().map(|added| added.what));
                }
            }
            at += 1;
        }
        let gone: HashSet<Child> = gone.into_iter().collect();
        self.slots.retain(|(_, slot)| {
            !gone.contains(&match *slot {
                Slot::Object(index) | Slot::Transform(index) => Child::Object(index),
                Slot::Instance(index) | Slot::StandIn { instance: index, .. } => {
                    Child::Instance(index)
                }
            })
        });
        Some(())
    }

    fn child(&self, id: FileId) -> Option<Child> {
        match self.slot(id.0)? {
            Slot::Object(index) => Some(Child::Object(index)),
            Slot::Instance(index) => Some(Child::Instance(index)),
            _ => None,
        }
    }

    fn unhang(&mut self, child: Child) -> Option<()> {
        let siblings = self.siblings(self.parent(child))?;
        let place = siblings.iter().position(|other| *other == child)?;
        siblings.remove(place);
        Some(())
    }

    fn reparent(&mut self, id: FileId, hung: Hung) -> Option<()> {
        let (child, parent) = (self.child(id)?, self.parent_of(hung)?);
        self.unhang(child)?;
        self.hang(child, parent, hung)
    }

    /// What something is to hang in.
    pub(super) fn parent_of(&self, hung: Hung) -> Option<Parent> {
        match hung.parent {
            Some(parent) => Some(Parent::Object(self.object(parent)? as u32)),
            None => Some(Parent::Root),
        }
    }

    pub(super) fn hang(&mut self, child: Child, parent: Parent, hung: Hung) -> Option<()> {
        match child {
            Child::Object(index) => self.objects[index as usize].parent = parent,
            Child::Instance(index) => {
                let instance = &mut self.instances[index as usize];
                instance.parent = parent;
                // Roots are listed by themselves.
                instance.handle = hung.parent.map_or(0, |_| hung.handle.0);
            }
        }
        let siblings = self.siblings(parent)?;
        siblings.insert(hung.place.min(siblings.len()), child);
        Some(())
    }
}
