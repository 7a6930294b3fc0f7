//! A copy of a node and all below it, beside itself.

use scenewright_text::Edits;

use super::{Scene, check_node_name, path};
use crate::{ChangeError, Document, Form, Variant};

impl Scene {
    /// Copies a node with all below it, beside itself. Connections from the nodes are copied too;
    /// inner resources are shared. Returns the path of the copy.
    pub fn duplicate_node(&mut self, node: &str, name: &str) -> Result<String, ChangeError> {
        check_node_name(name)?;
        let node = self.expect_node(node)?;
        let from = node.path().to_owned();
        let Some((parent, _)) = path::split(&from) else {
            return Err(ChangeError::Refused("the root cannot be copied beside itself".into()));
        };
        if node.is_override() {
            return Err(ChangeError::Refused(format!("`{from}` comes from another scene")));
        }
        let to = path::join(parent, name);
        if self.number(&to).is_some() {
            return Err(ChangeError::exists("node", to));
        }
        let nodes = self.copied_nodes(&from, &to, name)?;
        let connections = self.copied_connections(&from, &to);
        let shown: Vec<String> =
            self.editables().filter_map(|path| map(&path, &from, &to)).collect();
        let last = self.subtree(&from).last().map_or(0, |node| node.section().index());
        self.change(|document| document.insert_after(last, &nodes))?;
        for text in connections {
            self.insert_connection(&text)?;
        }
        for path in shown {
            self.set_editable(&path, true)?;
        }
        Ok(to)
    }

    /// The sections of a subtree with the paths of the copy.
    fn copied_nodes(&self, from: &str, to: &str, name: &str) -> Result<String, ChangeError> {
        let mut texts = Vec::new();
        for node in self.subtree(from) {
            let path = format!("{to}{}", &node.path()[from.len()..]);
            let mut copy = self.copy_of(node.section().span())?;
            let mut edits = Edits::default();
            let section = copy.expect_section(0)?;
            let mut set = |key: &str, value: Option<Variant>| {
                let text = value.map(|value| self.document.value_text(&value));
                copy.edit_attribute(section, key, text.as_deref(), &mut edits)
            };
            if node.path() == from {
                set("name", Some(Variant::String(name.into())))?;
                set("index", None)?;
            } else if let Some((parent, _)) = path::split(&path) {
                set("parent", Some(Variant::String(parent.into())))?;
            }
            if node.unique_id().is_some() && !node.is_override() {
                set("unique_id", self.new_unique_id(&path).map(Variant::int))?;
            }
            set("parent_id_path", None)?;
            copy.edit(&edits)?;
            // Two nodes of one scene cannot both be found by the name.
            copy.remove_property(0, "unique_name_in_owner")?;
            texts.push(utf8(copy.as_bytes())?.trim_end_matches(['\r', '\n']).to_owned());
        }
        Ok(texts.join(&self.document.newline().repeat(2)))
    }

    /// A section as a document of its own.
    fn copy_of(&self, span: std::ops::Range<usize>) -> Result<Document, ChangeError> {
        let copy = Document::parse(&self.document.as_bytes()[span], Form::Resource);
        copy.check_writable()?;
        Ok(copy)
    }

    fn copied_connections(&self, from: &str, to: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for connection in self.connections() {
            let Some(source) = map(&connection.from(), from, to) else { continue };
            let mut new = connection.to_new();
            new.from = source;
            new.to = map(&new.to, from, to).unwrap_or(new.to);
            texts.push(self.connection_text(&new));
        }
        texts
    }
}

/// The path in the copy of what is in the original.
fn map(path: &str, from: &str, to: &str) -> Option<String> {
    let path = path::clean(path);
    path::is_within(&path, from).then(|| format!("{to}{}", &path[from.len()..]))
}

/// Text that is written somewhere else. Bytes that are none could not be kept there.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ChangeError> {
    let refused = |_| ChangeError::Refused("the text of the node is not valid UTF-8".into());
    std::str::from_utf8(bytes).map_err(refused)
}
