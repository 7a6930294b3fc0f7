//! A value of a file: a place in its bytes, decoded only when someone asks, as what they ask for.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::scalar::{self, Scalar};
use super::tree::{Node, Shape, Tree};
use super::{path, reference};
use crate::{FileId, Guid, Reference};

/// A value in a document: a place in its bytes, decoded when asked.
///
/// Scalars have no type of their own. Unity writes texts such as `On` or `1` without quotes, so
/// only who asks knows whether a number is meant.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    text: &'d [u8],
    /// Where the text starts in the file.
    base: usize,
    tree: &'d Tree,
    node: u32,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Text, a number, or nothing.
    Scalar,
    /// Keys with values.
    Map,
    /// A list.
    Sequence,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueStyle {
    /// A scalar without quotes, or nothing.
    Plain,
    /// `'text'`
    SingleQuoted,
    /// `"text"`
    DoubleQuoted,
    /// Lines behind `|` or `>`.
    BlockText,
    /// A map or list on lines of its own.
    Block,
    /// A map or list in brackets.
    Flow,
}

impl<'d> Value<'d> {
    pub(super) fn root(text: &'d [u8], base: usize, tree: &'d Tree) -> Value<'d> {
        Value { text, base, tree, node: 0 }
    }

    /// The value at a path from here: `m_LocalPosition.x`, `m_Materials.Array.data[2]` or
    /// `m_Materials[2]`. Of keys that occur twice the first counts; [`fields`](Value::fields) has
    /// all. To visit a whole list use [`items`](Value::items), for an index counts from the start.
    pub fn get(self, path: &str) -> Option<Value<'d>> {
        path::find(self, path)
    }

    /// What the value is made of.
    pub fn kind(self) -> ValueKind {
        match self.entry().shape {
            Shape::BlockMap | Shape::FlowMap => ValueKind::Map,
            Shape::BlockSequence | Shape::FlowSequence => ValueKind::Sequence,
            Shape::Nothing | Shape::Scalar(_) | Shape::TooDeep => ValueKind::Scalar,
        }
    }

    /// How the value is written.
    pub fn style(self) -> ValueStyle {
        match self.entry().shape {
            Shape::Nothing | Shape::TooDeep | Shape::Scalar(Scalar::Plain) => ValueStyle::Plain,
            Shape::Scalar(Scalar::SingleQuoted) => ValueStyle::SingleQuoted,
            Shape::Scalar(Scalar::DoubleQuoted) => ValueStyle::DoubleQuoted,
            Shape::Scalar(Scalar::Literal | Scalar::Folded) => ValueStyle::BlockText,
            Shape::BlockMap | Shape::BlockSequence => ValueStyle::Block,
            Shape::FlowMap | Shape::FlowSequence => ValueStyle::Flow,
        }
    }

    /// The bytes of the value in the file. Empty for an empty value: then it is the place where a
    /// new value goes.
    pub fn span(self) -> Range<usize> {
        self.in_file(self.entry().span)
    }

    /// The bytes of the key in the file, with its quotes; nothing for list items.
    pub fn key_span(self) -> Option<Range<usize>> {
        let key = self.entry().key;
        (key.1 > key.0).then(|| self.in_file(key))
    }

    /// The key, decoded; nothing for list items.
    pub fn key(self) -> Option<Cow<'d, str>> {
        let key = self.slice(self.entry().key);
        let scalar = Scalar::quoted_by(*key.first()?).unwrap_or(Scalar::Plain);
        Some(scalar::decode(key, scalar))
    }

    /// The spelling in the file.
    pub fn raw(self) -> Cow<'d, str> {
        String::from_utf8_lossy(self.raw_bytes())
    }

    /// The spelling in the file, where that may be other than UTF-8.
    pub fn raw_bytes(self) -> &'d [u8] {
        self.slice(self.entry().span)
    }

    /// What a scalar says: folded lines joined, quotes and escapes resolved. Maps and lists give
    /// their spelling.
    pub fn text(self) -> Cow<'d, str> {
        match self.entry().shape {
            Shape::Scalar(scalar) => scalar::decode(self.raw_bytes(), scalar),
            _ => self.raw(),
        }
    }

    /// A whole number.
    pub fn as_i64(self) -> Option<i64> {
        self.scalar()?.parse().ok()
    }

    /// A whole number that is not negative.
    pub fn as_u64(self) -> Option<u64> {
        self.scalar()?.parse().ok()
    }

    /// A number; also `inf`, `-Infinity`, `nan` and YAML's `.inf` and `.nan`.
    pub fn as_f64(self) -> Option<f64> {
        let text = self.scalar()?;
        match text.as_ref() {
            ".inf" | "+.inf" => Some(f64::INFINITY),
            "-.inf" => Some(f64::NEG_INFINITY),
            ".nan" | ".NaN" => Some(f64::NAN),
            text => text.parse().ok(),
        }
    }

    /// `1`, `0`, `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        match self.scalar()?.as_ref() {
            "1" | "true" => Some(true),
            "0" | "false" => Some(false),
            _ => None,
        }
    }

    /// A guid that stands alone, without a file id.
    pub fn as_guid(self) -> Option<Guid> {
        Guid::parse(self.scalar()?.as_bytes())
    }

    /// `{fileID: …}` or `{fileID: …, guid: …, type: …}`, also in block style.
    pub fn as_reference(self) -> Option<Reference> {
        match self.entry().shape {
            Shape::FlowMap => reference::parse(self.raw_bytes()),
            Shape::BlockMap => self.block_reference(),
            _ => None,
        }
    }

    /// The keys and values of a map in order, keys that occur twice included. Nothing for others.
    pub fn fields(self) -> impl Iterator<Item = (Cow<'d, str>, Value<'d>)> {
        self.children(ValueKind::Map).map(|value| (value.key().unwrap_or_default(), value))
    }

    /// The items of a list in order. Nothing for others.
    pub fn items(self) -> impl Iterator<Item = Value<'d>> {
        self.children(ValueKind::Sequence)
    }

    /// True when nothing stands behind the key, which is how Unity writes empty text.
    pub fn is_null(self) -> bool {
        self.entry().shape == Shape::Nothing
    }

    /// True for nothing, empty text in quotes, `{}` and `[]`.
    pub fn is_empty(self) -> bool {
        match self.entry().shape {
            Shape::Nothing => true,
            Shape::Scalar(_) => self.text().is_empty(),
            Shape::TooDeep => false,
            _ => self.entry().end == self.node + 1,
        }
    }

    /// True when the value is nested so deep that only its place is known.
    pub fn is_too_deep(self) -> bool {
        self.entry().shape == Shape::TooDeep
    }

    fn scalar(self) -> Option<Cow<'d, str>> {
        matches!(self.entry().shape, Shape::Scalar(_)).then(|| self.text())
    }

    fn block_reference(self) -> Option<Reference> {
        let mut fields = self.fields();
        let (_, first) = fields.next().filter(|(key, _)| key == "fileID")?;
        let file_id = FileId(first.as_i64()?);
        let mut reference = Reference { file_id, guid: None, kind: 0 };
        for (key, value) in fields {
            match key.as_ref() {
                "guid" => reference.guid = Some(value.as_guid()?),
                "type" => reference.kind = value.as_i64()?.try_into().ok()?,
                _ => {}
            }
        }
        Some(reference)
    }

    fn children(self, kind: ValueKind) -> impl Iterator<Item = Value<'d>> {
        let children = (self.kind() == kind).then(|| self.tree.children(self.node));
        children.into_iter().flatten().map(move |node| Value { node, ..self })
    }

    pub(super) fn entry(self) -> &'d Node {
        &self.tree.nodes[self.node as usize]
    }

    fn slice(self, span: (u32, u32)) -> &'d [u8] {
        &self.text[span.0 as usize..span.1 as usize]
    }

    fn in_file(self, span: (u32, u32)) -> Range<usize> {
        self.base + span.0 as usize..self.base + span.1 as usize
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind(), self.span(), self.raw())
    }
}
