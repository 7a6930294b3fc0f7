//! The values of a file as a plain list of keys, for settings that are asked key by key. Whoever
//! needs the shape asks [`Document`](crate::Document).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memrchr;

use super::scalar::{self, Scalar};
use super::tree::{Node, Shape};
use super::{block, header};

/// A value as one line of a list, for those who ask a file for keys and not for its shape.
pub(crate) struct FlatValue<'a> {
    /// The column of the key, or of an item that has none.
    pub(crate) column: usize,
    /// True for the first key of a list item, and for items without keys.
    pub(crate) starts_item: bool,
    /// The bytes of the key; empty for an item that has none.
    pub(crate) key: Range<usize>,
    /// What a scalar says; empty above other values. A flow map stays as written, on one line.
    pub(crate) text: Cow<'a, str>,
}

/// The values of all objects of a file in order, and those before the first object.
pub(crate) fn flat_values(text: &[u8]) -> Vec<FlatValue<'_>> {
    let mut values = Vec::new();
    let mut start = 0;
    for line in header::boundaries(text) {
        flatten(text, start..line.start, &mut values);
        start = line.end;
    }
    flatten(text, start..text.len(), &mut values);
    values
}

fn flatten<'a>(text: &'a [u8], body: Range<usize>, values: &mut Vec<FlatValue<'a>>) {
    let nodes = block::read(&text[body.clone()]).nodes;
    let mut starts_item = false;
    let mut next = 1;
    while let Some(node) = nodes.get(next) {
        let in_file = |(start, end)| body.start + start as usize..body.start + end as usize;
        let is_block = matches!(node.shape, Shape::BlockMap | Shape::BlockSequence);
        next = if is_block { next + 1 } else { node.end as usize };
        let (key, value) = (in_file(node.key), in_file(node.span));
        starts_item |= key.is_empty();
        if is_block && key.is_empty() {
            continue;
        }
        let at = if key.is_empty() { value.start } else { key.start };
        let column = at - memrchr(b'\n', &text[..at]).map_or(0, |line_break| line_break + 1);
        let text = decode(node, &text[value]);
        values.push(FlatValue { column, starts_item, key, text });
        starts_item = false;
    }
}

fn decode<'a>(node: &Node, raw: &'a [u8]) -> Cow<'a, str> {
    match node.shape {
        Shape::BlockMap | Shape::BlockSequence => "".into(),
        Shape::Scalar(scalar) => scalar::decode(raw, scalar),
        _ => scalar::decode(raw, Scalar::Plain),
    }
}
