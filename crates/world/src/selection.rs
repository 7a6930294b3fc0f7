//! What is selected, and what lies in the clipboard.

use crate::event::Event;
use crate::ids::ObjectId;
use crate::value::Value;
use crate::world::{Refused, World};

/// More is not remembered.
const MAX_SELECTED: usize = 256;

impl World {
    /// The selected objects, the active one first.
    pub fn selection(&self) -> &[ObjectId] {
        &self.selection
    }

    /// Make an object the active one; those selected before stay behind it.
    pub fn select(&mut self, id: ObjectId) -> Result<(), Refused> {
        self.object(id).ok_or(Refused::NotFound)?;
        self.selection.retain(|selected| *selected != id);
        self.selection.insert(0, id);
        self.selection.truncate(MAX_SELECTED);
        self.tell(Event::Selection);
        Ok(())
    }

    /// What lies in the clipboard.
    pub fn clipboard(&self) -> Option<&Value> {
        self.clipboard.as_ref()
    }

    /// Put something into the clipboard, or take it out.
    pub fn set_clipboard(&mut self, value: Option<Value>) {
        self.changed.clipboard = true;
        self.clipboard = value;
    }
}
