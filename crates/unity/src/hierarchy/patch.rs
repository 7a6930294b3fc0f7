//! Small changes of the top file, made to its tree in place: to make the tree of a large scene anew for
//! each of thousands would take minutes.
//!
//! Only what hangs in the file itself is changed so. Where instances are involved, what is in them and
//! what was added to them would change too, and the answer is false: the tree is to be made anew.

use std::collections::HashSet;
use std::sync::Arc;

use super::Hierarchy;
use super::frame::Content;
use super::template::{Child, Parent, Slot, Template};
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

    /// Take an object away, with all in it.
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

    /// Put an object into another parent, at a place among what hangs there then; without a parent
    /// among the roots.
    pub(crate) fn reparent(&mut self, id: FileId, parent: Option<FileId>, place: usize) -> bool {
        self.own().and_then(|template| template.reparent(id, parent, place)).is_some()
    }

    /// What the tree was made of, unless somebody else looks at it.
    fn own(&mut self) -> Option<&mut Template> {
        match &mut Arc::get_mut(&mut self.top)?.content {
            Content::Template(template) => Arc::get_mut(template),
            Content::Opaque(_) => None,
        }
    }
}

impl Template {
    fn object(&self, id: FileId) -> Option<usize> {
        match self.slot(id.0)? {
            Slot::Object(index) => Some(index as usize),
            _ => None,
        }
    }

    /// What hangs beside an object.
    fn siblings(&mut self, parent: Parent) -> Option<&mut Vec<Child>> {
        match parent {
            Parent::Root => Some(&mut self.roots),
            Parent::Object(parent) => Some(&mut self.objects[parent as usize].children),
            Parent::Inside { .. } => None,
        }
    }

    fn remove(&mut self, id: FileId) -> Option<()> {
        let index = self.object(id)?;
        let mut gone = vec![index as u32];
        let mut at = 0;
        while let Some(next) = gone.get(at) {
            let children = &self.objects[*next as usize].children;
            let inside = children.iter().map(|child| match child {
                Child::Object(child) => Some(*child),
                Child::Instance(_) => None,
            });
            let inside: Option<Vec<u32>> = inside.collect();
            gone.extend(inside?);
            at += 1;
        }
        self.unhang(index)?;
        let gone: HashSet<u32> = gone.into_iter().collect();
        self.slots.retain(|(_, slot)| match slot {
            Slot::Object(index) | Slot::Transform(index) => !gone.contains(index),
            _ => true,
        });
        Some(())
    }

    fn unhang(&mut self, index: usize) -> Option<()> {
        let siblings = self.siblings(self.objects[index].parent)?;
        let place = siblings.iter().position(|child| *child == Child::Object(index as u32))?;
        siblings.remove(place);
        Some(())
    }

    fn reparent(&mut self, id: FileId, parent: Option<FileId>, place: usize) -> Option<()> {
        let index = self.object(id)?;
        let parent = match parent {
            Some(parent) => Parent::Object(self.object(parent)? as u32),
            None => Parent::Root,
        };
        // Nothing is changed by halves.
        self.siblings(self.objects[index].parent)?;
        self.unhang(index)?;
        self.objects[index].parent = parent;
        let siblings = self.siblings(parent)?;
        siblings.insert(place.min(siblings.len()), Child::Object(index as u32));
        Some(())
    }
}
