//! Changes by the ids of a file, for callers that looked up what they mean in the hierarchy.

use super::{Editor, Refusal};
use crate::edit::address::parts;
use crate::edit::{New, NewObject};
use crate::hierarchy::{Hierarchy, Stated};
use crate::{ClassId, FileId};

impl Editor<'_> {
    /// The objects as they are now.
    pub fn hierarchy(&mut self) -> Hierarchy {
        self.tree().clone()
    }

    /// Set values of an object or component: in itself, or as overrides of the instance that it is
    /// inside of. True when that changed anything.
    pub fn put_values(&mut self, id: FileId, values: &[(String, New)]) -> Result<bool, Refusal> {
        let at = self.stated_at(id)?;
        let mut changed = false;
        for (path, new) in values {
            changed |= self.put(at, &parts(path), new)?;
            self.forget_values(at);
        }
        self.forget_tree();
        Ok(changed)
    }

    /// By what the file refers to an object or component, also to one inside an instance.
    pub fn refer_to(&mut self, id: FileId) -> Result<FileId, Refusal> {
        let at = self.stated_at(id)?;
        self.handle(at)
    }

    /// Add a component with these fields behind those that every component begins with.
    pub fn add_component_with(
        &mut self,
        object: FileId,
        class: ClassId,
        key: &str,
        fields: Vec<(String, New)>,
    ) -> Result<FileId, Refusal> {
        let seen = self.find_id(object)?;
        let owner = self.handle(seen.at)?;
        let id = self.sheet.fresh_ids(&format!("{}/{key}", seen.path), 1);
        let mut all = self.links(class);
        all.push(("m_GameObject".to_owned(), New::local(owner)));
        all.extend(fields);
        let key = key.to_owned();
        self.sheet.add(&NewObject { class, id, key, stripped: false, fields: all });
        self.list_component(&seen, class, id)?;
        self.forget_tree();
        Ok(id)
    }

    fn stated_at(&mut self, id: FileId) -> Result<Stated, Refusal> {
        let tree = self.tree();
        let found = tree.stated(id).filter(|_| tree.leads_somewhere(id));
        found.ok_or_else(|| Refusal::new(format!("the file has no object {id}")))
    }
}
