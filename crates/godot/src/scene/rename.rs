//! A node with another name; what points to it in this file follows.

use scenewright_text::Edits;

use super::repoint::Relocation;
use super::{Node, Repointed, Scene, check_node_name, path};
use crate::{ChangeError, Variant};

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
        if from != "." && self.number(&to).is_some() {
            return Err(ChangeError::exists("node", to));
        }
        if node.is_override() {
            let message = format!("`{from}` comes from another scene and is named there");
            return Err(ChangeError::Refused(message));
        }
        let mut edits = Edits::default();
        let text = self.document.value_text(&Variant::String(name.into()));
        self.document.edit_attribute(node.section(), "name", Some(&text), &mut edits)?;
        let unique = node.has_unique_name().then_some(".");
        let relocation = Relocation { from: &from, to: &to, unique };
        let done = self.repoint(&relocation, &mut edits)?;
        self.edit(&edits)?;
        Ok(done)
    }

    /// Follows a node that an instance or the base scene brings, and that has another path there
    /// now. `unique` is the path of that scene's root, for a node with a unique name.
    pub fn follow(
        &mut self,
        from: &str,
        to: &str,
        unique: Option<&str>,
    ) -> Result<Repointed, ChangeError> {
        self.document.check_writable()?;
        let mut edits = Edits::default();
        let mut done = self.repoint(&Relocation { from, to, unique }, &mut edits)?;
        if let Some(index) = self.number(from) {
            let section = Node { scene: self, index }.section();
            let mut set = |key: &str, value: Option<&str>| {
                let text = value.map(path::quoted);
                self.document.edit_attribute(section, key, text.as_deref(), &mut edits)
            };
            let (old, new) = (path::split(from), path::split(to));
            if let (Some((old_parent, old_name)), Some((parent, name))) = (old, new) {
                if old_name != name {
                    set("name", Some(name))?;
                }
                if old_parent != parent {
                    set("parent", Some(parent))?;
                    // Both tell of the place before.
                    set("parent_id_path", None)?;
                    set("index", None)?;
                }
                done.nodes += 1;
            }
        }
        self.edit(&edits)?;
        Ok(done)
    }
}
