//! One field of a class, with the fields inside of it.

use std::collections::HashMap;
use std::fmt;

/// A field, or a class with all its fields.
///
/// Lists have a shape of their own: a field of type `vector` (or `map`, `string` and others) has one
/// child `Array`, and that has two, `size` and `data`, the second for every element.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    nodes: &'a Nodes,
    at: u16,
}

impl<'a> Node<'a> {
    /// The name of the field; `Base` for a whole class.
    pub fn name(self) -> &'a str {
        self.nodes.texts.get(self.row().name)
    }

    /// The type of the field as Unity calls it: `int`, `PPtr<Material>`, `vector`. For a whole class
    /// the name of the class, but of its base class where the class adds nothing.
    pub fn type_name(self) -> &'a str {
        self.nodes.texts.get(self.row().type_name)
    }

    /// Which shape of its type this is, in text files `serializedVersion`; 1 is not written there.
    pub fn version(self) -> u32 {
        self.row().version.into()
    }

    /// True for the list itself: `Array` with `size` and `data`, or `TypelessData`.
    pub fn is_array(self) -> bool {
        self.has(Row::ARRAY)
    }

    /// True when, in binary files, the next value starts at a multiple of four bytes.
    pub fn is_align(self) -> bool {
        self.has(Row::ALIGN)
    }

    /// True when the editor does not show the field.
    pub fn is_hidden(self) -> bool {
        self.has(Row::HIDDEN)
    }

    /// The fields inside, in the order in which they are written.
    pub fn children(self) -> impl ExactSizeIterator<Item = Node<'a>> {
        let Row { first, count, .. } = self.row();
        let children = self.nodes.children.get(*first as usize..).unwrap_or_default();
        let nodes = self.nodes;
        children.iter().take((*count).into()).map(move |at| Node { nodes, at: *at })
    }

    /// The field at a place among those inside.
    pub(crate) fn nth_child(self, at: usize) -> Option<Node<'a>> {
        let Row { first, count, .. } = self.row();
        let at = (at < usize::from(*count)).then(|| *first as usize + at)?;
        Some(Node { nodes: self.nodes, at: *self.nodes.children.get(at)? })
    }

    /// The field of this name right inside.
    pub fn child(self, name: &str) -> Option<Node<'a>> {
        self.children().find(|child| child.name() == name)
    }

    /// What every element of a list is, asked of the list or of the field that has it.
    pub fn element(self) -> Option<Node<'a>> {
        let list = match self.is_array() {
            true => self,
            false => self.children().find(|child| child.is_array())?,
        };
        list.nth_child(1)
    }

    /// The class that a reference must lead to: `Material` for `PPtr<Material>`. A class that is a
    /// script has a `$` in front, as Unity writes it.
    pub fn reference_class(self) -> Option<&'a str> {
        self.type_name().strip_prefix("PPtr<")?.strip_suffix('>')
    }

    /// How many bytes the value takes in binary files, when nothing is inside of it.
    pub(crate) fn size(self) -> usize {
        self.row().size.into()
    }

    /// True when it is a reference, or one can be inside.
    pub(crate) fn may_refer(self) -> bool {
        self.has(Row::REFERS)
    }

    fn has(self, flag: u8) -> bool {
        self.row().flags & flag != 0
    }

    fn row(self) -> &'a Row {
        &self.nodes.rows[usize::from(self.at)]
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.type_name(), self.name())
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.nodes, other.nodes) && self.at == other.at
    }
}

/// Many nodes, which share what is equal.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) rows: Vec<Row>,
    /// Of all rows, one after the other.
    pub(crate) children: Vec<u16>,
    pub(crate) texts: Texts,
}

impl Nodes {
    /// The node of a row. There must be one.
    pub(crate) fn node(&self, at: u16) -> Node<'_> {
        debug_assert!(usize::from(at) < self.rows.len(), "a node that is not there");
        Node { nodes: self, at }
    }
}

/// What [`Nodes`] keep of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) type_name: u16,
    pub(crate) name: u16,
    pub(crate) version: u16,
    pub(crate) size: u16,
    pub(crate) flags: u8,
    pub(crate) count: u16,
    pub(crate) first: u32,
}

impl Row {
    pub(crate) const ARRAY: u8 = 1;
    pub(crate) const ALIGN: u8 = 2;
    pub(crate) const HIDDEN: u8 = 4;
    pub(crate) const REFERS: u8 = 8;

    /// The flag of references for a type alone. What an object inside of another has, its own
    /// layout says.
    pub(crate) fn refers(type_name: &str) -> u8 {
        match type_name.starts_with("PPtr<") || type_name == "ReferencedObject" {
            true => Row::REFERS,
            false => 0,
        }
    }
}

/// Names, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(crate) fn get(&self, at: u16) -> &str {
        let end = |at: usize| self.ends[at] as usize;
        let start = usize::from(at).checked_sub(1).map_or(0, end);
        &self.text[start..end(at.into())]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Its place; none when there are too many.
    pub(crate) fn push(&mut self, text: &str) -> Option<u16> {
        let at = u16::try_from(self.ends.len()).ok()?;
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).ok()?);
        Some(at)
    }

    /// Its place among those in `seen`, where it is added when it is new.
    pub(crate) fn push_once<'t>(
        &mut self,
        text: &'t str,
        seen: &mut HashMap<&'t str, u16>,
    ) -> Option<u16> {
        if let Some(at) = seen.get(text) {
            return Some(*at);
        }
        let at = self.push(text)?;
        seen.insert(text, at);
        Some(at)
    }
}
