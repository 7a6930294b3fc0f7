use super::{Repointed, Scene, check_node_name, path, repoint::Relocation};
use crate::{ChangeError, Variant};
use scenewright_text::Edits;

impl Scene {
    /// Renames a node, and everything in this file that points to it follows.
    pub fn rename_node(&mut self, node: &str, name: &str) -> Result<Repointed, ChangeError> {
        check_node_name(name)?;
        let node = self.expect_node(node)?;
        let from = node.path().to_owned();
        let to = match path::split(&from) {
            Some((parent, _)) => path::join(parent, name),
            None => ".".into(),
        };
        if from != "." && from == to {
            return Ok(Repointed::default());
        }
        if from != "." && self.by_path.contains_key(&to) {
            return Err(ChangeError::exists("node", to));
        }
        if node.is_override() {
            let message = format!("`{from}` comes from another scene and is named there");
            return Err(ChangeError::Refused(message));
        }
        let mut edits = Edits::default();
        let text = self.document.value_text(&Variant::String(name.into()));
        self.document.edit_attribute(node.section(), "name", Some(&text), &mut edits)?;
        let relocation = Relocation { from: &from, to: &to, unique: node.has_unique_name() };
        let done = self.repoint(&relocation, &mut edits)?;
        self.edit(&edits)?;
        Ok(done)
    }
}
