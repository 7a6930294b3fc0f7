//! A node under another parent, or in another place under its own; what points to it follows.

use scenewright_text::Edits;

use super::duplicate::utf8;
use super::remove::set_places;
use super::repoint::Relocation;
use super::{Repointed, Scene, path};
use crate::{ChangeError, Variant};

impl Scene {
    /// Moves a node with all below it to another parent, or to another place under its own. The
    /// place counts the other children written in this file; nothing is behind them. What points
    /// to the nodes follows. Returns the new path too.
    pub fn move_node(
        &mut self,
        node: &str,
        parent: &str,
        position: Option<usize>,
    ) -> Result<(String, Repointed), ChangeError> {
        let node = self.expect_node(node)?;
        let from = node.path().to_owned();
        let Some((old_parent, name)) = path::split(&from) else {
            return Err(ChangeError::Refused("the root cannot be moved".into()));
        };
        let new_parent = self.parent_path(parent)?;
        if path::is_within(&new_parent, &from) {
            let message = format!("`{from}` cannot be moved below itself");
            return Err(ChangeError::Refused(message));
        }
        if node.is_override() {
            let message = format!("`{from}` comes from another scene and stands where that has it");
            return Err(ChangeError::Refused(message));
        }
        let to = path::join(&new_parent, name);
        let is_new = new_parent != old_parent;
        if is_new && self.number(&to).is_some() {
            return Err(ChangeError::exists("node", to));
        }
        let before = self.clone();
        let behind = if is_new { self.places_behind(&from) } else { Vec::new() };
        let done = match is_new {
            true => self.reparent(&from, &to, &new_parent)?,
            false => Repointed::default(),
        };
        let closed = self.change(|document| set_places(document, &behind));
        if let Err(error) = closed.and_then(|()| self.relocate(&to, &new_parent, position)) {
            *self = before;
            return Err(error);
        }
        Ok((to, done))
    }

    /// Writes the new paths; the sections stay where they are.
    fn reparent(&mut self, from: &str, to: &str, parent: &str) -> Result<Repointed, ChangeError> {
        let mut edits = Edits::default();
        let relocation = Relocation { from, to, unique: None };
        let done = self.repoint(&relocation, &mut edits)?;
        for node in self.subtree(from) {
            // It leads through the parents of before.
            self.document.edit_attribute(node.section(), "parent_id_path", None, &mut edits)?;
            if node.path() == from {
                let text = self.document.value_text(&Variant::String(parent.into()));
                self.document.edit_attribute(node.section(), "parent", Some(&text), &mut edits)?;
            }
        }
        self.edit(&edits)?;
        Ok(done)
    }

    /// Moves the sections of a subtree to their place.
    fn relocate(
        &mut self,
        path: &str,
        parent: &str,
        position: Option<usize>,
    ) -> Result<(), ChangeError> {
        let (mut indexes, mut texts) = (Vec::new(), Vec::new());
        for node in self.subtree(path) {
            let section = node.section();
            let bytes = &self.document.as_bytes()[section.span()];
            texts.push(utf8(bytes)?.to_owned());
            indexes.push(section.index());
        }
        let text = texts.join(&self.document.newline().repeat(2));
        let foreign = self.has_foreign_children(parent);
        // Both steps or none.
        let mut changed = self.clone();
        changed.change(|document| document.remove_sections(&indexes))?;
        let after = changed.place_of_child(parent, position);
        changed.change(|document| document.insert_after(after, &text))?;
        let section = changed.expect_node(path)?.section().index();
        changed.change(|document| match position.filter(|_| foreign) {
            Some(position) => {
                document.set_attribute(section, "index", &Variant::String(position.to_string()))
            }
            None => document.remove_attribute(section, "index").map(|_| ()),
        })?;
        *self = changed;
        Ok(())
    }
}
