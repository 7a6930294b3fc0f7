//! Scenes as they are written: the nodes, connections and resources of one file. What instances
//! and base scenes add is in [`crate::Tree`].

mod add;
mod bases;
mod connection;
mod duplicate;
mod move_node;
mod node;
mod path;
mod properties;
mod remove;
mod rename;
mod repoint;

#[cfg(test)]
mod tests;

pub use add::{NewNode, NodeSource};
pub use connection::{Connection, NewConnection};
pub use node::Node;
pub use path::{check_node_name, relative_path, resolve_path};
pub(crate) use path::{is_within, join, split};
pub use remove::{Dangling, Removed};
pub use repoint::Repointed;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use scenewright_text::Edits;

use crate::{ChangeError, Document, Form, Section};

/// A `.tscn` file. It is a document that can be asked for nodes; clones share what was read.
#[derive(Clone, Debug)]
pub struct Scene {
    document: Document,
    /// Read from the document when somebody asks for a node.
    nodes: Arc<OnceLock<Nodes>>,
}

/// The nodes of a document.
#[derive(Debug, Default)]
struct Nodes {
    entries: Vec<Entry>,
    by_path: HashMap<String, usize>,
}

/// A `[node]` with what is derived from its place.
#[derive(Debug)]
struct Entry {
    section: usize,
    /// From the root, which is `.`.
    path: String,
    parent: Option<usize>,
}

impl Nodes {
    fn of(document: &Document) -> Nodes {
        let mut nodes = Nodes::default();
        for section in document.sections().filter(|section| section.name() == "node") {
            let name = section.attribute_text("name").unwrap_or_default();
            let parent = section.attribute_text("parent");
            let path = match &parent {
                None => ".".to_owned(),
                Some(parent) => path::join(parent, &name),
            };
            let parent =
                parent.and_then(|parent| nodes.by_path.get(&*path::clean(&parent)).copied());
            let number = nodes.entries.len();
            // A name that stands twice is the first one's.
            nodes.by_path.entry(path.clone()).or_insert(number);
            nodes.entries.push(Entry { section: section.index(), path, parent });
        }
        nodes
    }
}

impl Scene {
    /// Reads what it can; the rest becomes problems.
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Scene {
        Scene::of(Document::parse(bytes, Form::Resource))
    }

    /// The scene that a document is.
    pub fn of(document: Document) -> Scene {
        Scene { document, nodes: Arc::default() }
    }

    fn table(&self) -> &Nodes {
        self.nodes.get_or_init(|| Nodes::of(&self.document))
    }

    /// The document without the lookups.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// The node without a parent.
    pub fn root(&self) -> Option<Node<'_>> {
        self.node(".")
    }

    /// The nodes in file order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        (0..self.table().entries.len()).map(|index| Node { scene: self, index })
    }

    /// The node at a path from the root, which itself is `.`. A path may also start with the name
    /// of the root, or with `/root/` before it.
    pub fn node(&self, path: &str) -> Option<Node<'_>> {
        let clean = path::clean(path);
        let find = |path: &str| self.number(path).map(|index| Node { scene: self, index });
        find(&clean).or_else(|| {
            let root = self.table().entries.first().filter(|entry| entry.path == ".")?;
            let root = self.document.section(root.section)?.attribute_text("name")?;
            let rest = path::clean(path.strip_prefix("/root/").unwrap_or(path));
            let rest = rest.strip_prefix(&*root)?;
            find(if rest.is_empty() { "." } else { rest.strip_prefix('/')? })
        })
    }

    /// The connections in file order.
    pub fn connections(&self) -> impl DoubleEndedIterator<Item = Connection<'_>> {
        let sections = self.document.sections().filter(|section| section.name() == "connection");
        sections.map(Connection)
    }

    /// The paths of instances whose children are shown, in file order.
    pub fn editables(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.sections_named("editable").filter_map(|section| section.attribute_text("path"))
    }

    /// Shows or hides the children of an instance in the editor. Hidden ones that were changed
    /// keep their changes.
    pub fn set_editable(&mut self, path: &str, editable: bool) -> Result<(), ChangeError> {
        self.document.check_writable()?;
        let path = self.parent_path(path)?;
        let is = |section: &Section<'_>| section.attribute_text("path").as_deref() == Some(&*path);
        let found = self.sections_named("editable").find(is).map(Section::index);
        match (found, editable) {
            (None, true) => {
                let text = format!("[editable path={}]", path::quoted(&path));
                let last = self.document.sections().len().saturating_sub(1);
                self.change(|document| document.insert_after(last, &text))
            }
            (Some(found), false) => self.change(|document| document.remove_section(found)),
            _ => Ok(()),
        }
    }

    /// Changes the document, and reads the nodes again.
    pub fn change<T, E>(
        &mut self,
        change: impl FnOnce(&mut Document) -> Result<T, E>,
    ) -> Result<T, E> {
        let before = self.document.clone();
        let result = change(&mut self.document);
        if !self.document.is_same(&before) {
            self.nodes = Arc::default();
        }
        result
    }

    /// Makes edits, and reads the nodes again.
    pub fn edit(&mut self, edits: &Edits) -> Result<(), ChangeError> {
        self.change(|document| document.edit(edits))
    }

    /// Which of the nodes has a path.
    fn number(&self, path: &str) -> Option<usize> {
        self.table().by_path.get(path).copied()
    }

    fn expect_node(&self, path: &str) -> Result<Node<'_>, ChangeError> {
        self.document.check_writable()?;
        self.node(path).ok_or_else(|| ChangeError::not_found("node", path))
    }

    fn sections_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Section<'a>> {
        self.document.sections().filter(move |section| section.name() == name)
    }

    /// The nodes at a path and below it, in file order.
    fn subtree<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Node<'a>> {
        self.nodes().filter(move |node| path::is_within(node.path(), path))
    }
}

impl Deref for Scene {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}
