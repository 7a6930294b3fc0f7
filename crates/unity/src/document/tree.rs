//! The values of one object as a flat list. A container is followed by all that is inside it, so
//! that a value needs no pointers, deep nesting needs no stack, and dropping it is one free.

use super::scalar::Scalar;

/// The values in a piece of text; offsets count from the start of that text.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The first is the root, and there always is one.
    pub(crate) nodes: Vec<Node>,
    pub(crate) troubles: Vec<(u32, Trouble)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) shape: Shape,
    /// The key in its spelling with quotes; empty for list items and the root.
    pub(crate) key: (u32, u32),
    /// The value in its spelling.
    pub(crate) span: (u32, u32),
    /// The index behind the last node inside this one.
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nothing stands there, which is how Unity writes empty text.
    Nothing,
    Scalar(Scalar),
    BlockMap,
    BlockSequence,
    FlowMap,
    FlowSequence,
    /// Nested deeper than [`MAX_DEPTH`]: the span says where it is, and nothing more is known.
    TooDeep,
}

/// How deep containers may nest. Unity stops at ten levels of its own; the bound lets those who
/// walk values recurse without fear for their stack.
pub(crate) const MAX_DEPTH: usize = 256;

/// How many values one object may have, lest a hostile file fill the memory.
pub(crate) const MAX_NODES: usize = 1 << 23;

/// What the reader did not understand. It skips the line, or takes the value as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Misplaced,
    NoKey,
    OpenQuote,
    OpenFlow,
    WrongBracket,
    Trailing,
    Tab,
    TooDeep,
    TooMany,
    TooLong,
}

impl Trouble {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Trouble::Misplaced => "the indentation of this line fits no line above; it is not read",
            Trouble::NoKey => "this line is neither `key: value` nor a list item; it is not read",
            Trouble::OpenQuote => "the quote is never closed; the line is taken as plain text",
            Trouble::OpenFlow => "the bracket is not closed before the indentation ends",
            Trouble::WrongBracket => "the closing bracket does not match the open one",
            Trouble::Trailing => "there is text behind the end of the value; it is not read",
            Trouble::Tab => "a tab is in the indentation, where YAML allows only spaces",
            Trouble::TooDeep => "values are nested more than 256 deep; what is deeper is not read",
            Trouble::TooMany => "the object has more than 8388608 values; the rest is not read",
            Trouble::TooLong => "the object has more than 4 GiB; the rest is not read",
        }
    }
}

impl Tree {
    /// The children of a node, in order.
    pub(crate) fn children(&self, parent: u32) -> impl Iterator<Item = u32> {
        let end = self.nodes[parent as usize].end;
        let mut next = parent + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child as usize].end;
            Some(child)
        })
    }
}
