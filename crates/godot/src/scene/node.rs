//! A node as it is written in this file. What instances bring is in [`tree`](crate::Tree).

use std::borrow::Cow;

use super::Scene;
use crate::{Field, MentionKind, ResourceId, Section, Value};

/// A `[node]` of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub(super) scene: &'a Scene,
    pub(super) index: usize,
}

impl<'a> Node<'a> {
    /// The section it is written in.
    pub fn section(self) -> Section<'a> {
        let section = self.scene.document.section(self.scene.table().entries[self.index].section);
        section.expect("nodes are read from the sections")
    }

    /// The path from the root, which itself is `.`.
    pub fn path(self) -> &'a str {
        &self.scene.table().entries[self.index].path
    }

    /// The name.
    pub fn name(self) -> Cow<'a, str> {
        self.text("name").unwrap_or_default()
    }

    /// The class; nothing for an instance or an override.
    pub fn class(self) -> Option<Cow<'a, str>> {
        self.text("type")
    }

    /// The parent, when it is written in this file.
    pub fn parent(self) -> Option<Node<'a>> {
        let parent = self.scene.table().entries[self.index].parent?;
        Some(Node { scene: self.scene, index: parent })
    }

    /// The path of the parent as written; nothing for the root.
    pub fn parent_path(self) -> Option<Cow<'a, str>> {
        self.text("parent")
    }

    /// The children that are written in this file, in file order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let nodes = self.scene.nodes().skip(self.index + 1);
        nodes.filter(move |node| self.scene.table().entries[node.index].parent == Some(self.index))
    }

    /// The scene it is an instance of; for the root the scene that is inherited.
    pub fn instance(self) -> Option<ResourceId> {
        self.reference(self.section().attribute("instance")?)
    }

    /// The path of a scene that is loaded only on demand.
    pub fn placeholder(self) -> Option<Cow<'a, str>> {
        self.text("instance_placeholder")
    }

    /// True when it changes a node that comes from an instance or the base scene.
    pub fn is_override(self) -> bool {
        self.class().is_none() && self.instance().is_none() && self.placeholder().is_none()
    }

    /// The place among its siblings, where that is written.
    pub fn position(self) -> Option<usize> {
        self.text("index")?.parse().ok()
    }

    /// The number that tells it from all other nodes, since Godot 4.6.
    pub fn unique_id(self) -> Option<i64> {
        self.section().attribute("unique_id")?.as_int()
    }

    /// The groups that are written here.
    pub fn groups(self) -> Vec<String> {
        self.section().attribute("groups").map_or_else(Vec::new, |groups| groups.decode().strings())
    }

    /// The properties that hold paths of nodes which the engine resolves.
    pub fn node_path_properties(self) -> Vec<String> {
        let names = self.section().attribute("node_paths");
        names.map_or_else(Vec::new, |names| names.decode().strings())
    }

    /// The script, when it is an external or inner resource.
    pub fn script(self) -> Option<Value<'a>> {
        self.section().property("script")
    }

    /// True when scripts can find it as `%Name`.
    pub fn has_unique_name(self) -> bool {
        let value = self.section().property("unique_name_in_owner");
        value.is_some_and(|value| value.raw_bytes() == b"true")
    }

    /// The properties that are written here, in file order.
    pub fn properties(self) -> impl DoubleEndedIterator<Item = Field<'a>> + ExactSizeIterator {
        self.section().properties()
    }

    /// The value of a property that is written here.
    pub fn property(self, key: &str) -> Option<Value<'a>> {
        self.section().property(key)
    }

    /// The id of the external resource that a value is.
    fn reference(self, value: Value<'a>) -> Option<ResourceId> {
        let mut mentions = self.scene.document.mentions_in(value.span());
        let found = mentions.find(|mention| mention.kind == MentionKind::ExtResource)?;
        Some(ResourceId(found.text.into_owned()))
    }

    fn text(self, attribute: &str) -> Option<Cow<'a, str>> {
        self.section().attribute_text(attribute)
    }
}
