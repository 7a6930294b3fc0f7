//! The edited file.

use std::collections::BTreeSet;

use scenewright_contract::ToolError;
use scenewright_text::Edits;
use scenewright_toolkit::Cx;
use scenewright_unity::edit::{self, Refused, insert_object, remove_object};
use scenewright_unity::hierarchy::Node;
use scenewright_unity::{Document, FileId};
use scenewright_world::{Object as WorldObject, Written};

use super::super::load;
use super::NotSaved;
use super::claim::Claims;
use super::components::component_at;
use super::draft::Draft;

/// How often the caller is asked whether anybody waits.
const LOOK_EVERY: usize = 1024;

/// What becomes of a scene's file.
pub(super) struct Finished {
    pub(super) after: Vec<u8>,
    pub(super) lines: Vec<String>,
    pub(super) not_saved: Vec<NotSaved>,
    pub(super) claims: Claims,
    pub(super) names: Written,
}

impl Draft<'_> {
    /// Compare everything, and edit the file.
    pub(super) fn finish(mut self, cx: &Cx) -> Result<Finished, ToolError> {
        self.survey();
        self.number_new();
        self.move_objects();
        for place in 0..self.alive.len() {
            if place.is_multiple_of(LOOK_EVERY) {
                cx.check_cancelled()?;
            }
            let id = self.alive[place].filter(|id| !self.nowhere.contains_key(id));
            let object =
                id.and_then(|id| self.world.object(id)).filter(|object| object.is_touched());
            let (Some(object), Some(node)) = (object, self.origin.node(place)) else { continue };
            self.object_values(object, &node);
            // Its place counts from a parent that the file does not give it.
            if !self.stuck.contains(&object.id()) {
                self.place_values(object, &node);
            }
            self.component_values(object, &node);
            if let Ok(home) = self.home(object.id()) {
                self.component_lists(object, &node, home);
            }
        }
        self.remove_objects();
        self.make_objects();
        self.hang_new();
        self.list_children();
        let after = self.edit().map_err(|refused| {
            ToolError::failed(format!("{} cannot be edited: {refused}", self.scene.path()))
        })?;
        let names = self.names();
        self.claims.before = (0..self.alive.len())
            .filter_map(|place| Some(load::file_id(&self.origin.node(place)?)))
            .collect();
        let Draft { lines, not_saved, claims, .. } = self;
        Ok(Finished { after, lines, not_saved, claims, names })
    }

    /// New objects inside of prefab instances are in the lists of those.
    fn hang_new(&mut self) {
        for id in self.made.clone() {
            let Some(object) = self.world.object(id) else { continue };
            if let Some(new) = self.new_ids.get(&id).filter(|new| self.claims.made.contains(&new.0))
            {
                self.add_inside(object, FileId(new.0 + 1));
            }
        }
    }

    fn edit(&mut self) -> Result<Vec<u8>, Refused> {
        let mut edits = std::mem::take(&mut self.edits);
        for (instance, overrides) in &self.overrides {
            let object =
                self.document.object(*instance).filter(|_| !self.removed.contains(instance));
            if let Some(object) = object {
                let file = object.document();
                edit::set_overrides(object, overrides, file, &self.manner, &mut edits)?;
            }
        }
        for (instance, lists) in &self.lists {
            let object =
                self.document.object(*instance).filter(|_| !self.removed.contains(instance));
            if let (Some(object), Some(source)) = (object, self.source(*instance)) {
                edit::change_lists(object, source, lists, &self.manner, &mut edits)?;
            }
        }
        self.new_objects.sort_by_key(|object| object.id);
        for object in &self.new_objects {
            insert_object(self.document, object, &self.manner, &mut edits);
        }
        for object in self.removed.iter().filter_map(|id| self.document.object(*id)) {
            remove_object(object, &mut edits);
        }
        let broken = |error: scenewright_text::EditError| Refused::Shape(error.to_string());
        let after = edits.apply(self.document.as_bytes()).map_err(broken)?;
        match self.removed.is_empty() {
            true => Ok(after),
            false => forget(&after, &self.removed).map_err(broken),
        }
    }

    /// What the file calls everything that is in it then.
    fn names(&self) -> Written {
        let mut names = Written { values: self.settled.clone(), ..Written::default() };
        for (place, id) in self.alive.iter().enumerate() {
            let (Some(id), Some(node)) = (id, self.origin.node(place)) else { continue };
            let Some(object) = self.world.object(*id) else { continue };
            note_names(&mut names, object, &node);
        }
        names.objects.extend(self.new_ids.iter().map(|(id, new)| (new.0, *id)));
        names.components.extend(self.new_components.iter().map(|(id, new)| (new.0, *id)));
        names
    }
}

/// Note what the file calls an object and its components.
pub(super) fn note_names(names: &mut Written, object: &WorldObject, node: &Node<'_>) {
    names.objects.insert(load::file_id(node), object.id());
    for component in object.components() {
        let found = component.origin().and_then(|place| component_at(node, place));
        if let Some(found) = found {
            names.components.insert(found.file_id().0, component.id());
        }
    }
}

/// Lets references to objects that are gone point to nothing.
fn forget(bytes: &[u8], gone: &BTreeSet<FileId>) -> Result<Vec<u8>, scenewright_text::EditError> {
    let document = Document::parse(bytes);
    let mut edits = Edits::default();
    for found in document.references() {
        if found.reference.guid.is_none() && gone.contains(&found.reference.file_id) {
            let end = bytes[found.offset..].iter().position(|byte| *byte == b'}');
            let end = end.map_or(bytes.len(), |length| found.offset + length + 1);
            edits.replace(found.offset..end, "{fileID: 0}");
        }
    }
    edits.apply(bytes)
}
