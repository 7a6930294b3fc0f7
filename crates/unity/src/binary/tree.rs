//! The layouts that a file brings along for the classes of its objects.

use std::collections::HashMap;

use super::BinaryError;
use super::bytes::{Bytes, text_at};
use crate::types::{self, Nodes, Row, Version};

/// More nodes than any class has. Names are counted in 16 bits, and there are two for each node.
const MOST_NODES: usize = 1 << 15;
/// Deeper than any class is; values are walked by functions that call themselves.
const DEEPEST: usize = 64;
const COMMON: u32 = 1 << 31;
const ALIGN: u32 = 0x4000;
const HIDDEN: u32 = 1;

/// What a file says of a node, in either form.
struct Said<'a> {
    level: usize,
    type_name: &'a str,
    name: &'a str,
    size: i32,
    version: u16,
    is_array: bool,
    meta: u32,
}

/// A layout written as one block: nodes in the order of the data, then their names.
pub(super) fn read_block(
    bytes: &mut Bytes<'_>,
    format: u32,
    version: Version,
) -> Result<Nodes, BinaryError> {
    bytes.what = "a layout";
    let size = if format >= 19 { 32 } else { 24 };
    let count = bytes.count(size)?;
    let names_size = bytes.count(1)?;
    let mut nodes = *bytes;
    bytes.take(count * size)?;
    let names = bytes.take(names_size)?;
    let mut names = Names { names, version, left: names_size, known: HashMap::new() };
    let mut made = Maker::default();
    for _ in 0..count {
        let start = nodes.at();
        let number = nodes.u16()?;
        let (level, flags) = (nodes.u8()?, nodes.u8()?);
        let [type_at, name_at] = [nodes.u32()?, nodes.u32()?];
        let (byte_size, _index, meta) = (nodes.i32()?, nodes.i32()?, nodes.u32()?);
        nodes.take(size - 24)?;
        let name = |at| names.get(at).ok_or(BinaryError::Layout { at: start });
        let [type_name, name] = [type_at, name_at].map(name);
        let said = Said {
            level: level.into(),
            type_name: type_name?,
            name: name?,
            size: byte_size,
            version: number,
            is_array: flags & 1 != 0,
            meta,
        };
        made.add(&said).ok_or(BinaryError::Layout { at: start })?;
    }
    made.finish().ok_or(BinaryError::Layout { at: bytes.at() })
}

/// A layout as old files have it: every node with its names, followed by its children.
pub(super) fn read_nested(bytes: &mut Bytes<'_>) -> Result<Nodes, BinaryError> {
    bytes.what = "a layout";
    let mut made = Maker::default();
    // How many children each of the nodes above still lacks.
    let mut above: Vec<usize> = Vec::new();
    loop {
        let start = bytes.at();
        let (type_name, name) = (bytes.text()?, bytes.text()?);
        let (size, _index, is_array) = (bytes.i32()?, bytes.i32()?, bytes.i32()?);
        let (version, meta) = (bytes.i32()?, bytes.u32()?);
        // The shortest child: two empty names and six numbers.
        let children = bytes.count(26)?;
        let version = u16::try_from(version).unwrap_or_default();
        let level = above.len();
        let is_array = is_array != 0;
        made.add(&Said { level, type_name, name, size, version, is_array, meta })
            .ok_or(BinaryError::Layout { at: start })?;
        above.push(children);
        while above.last() == Some(&0) {
            above.pop();
        }
        match above.last_mut() {
            Some(left) => *left -= 1,
            None => return made.finish().ok_or(BinaryError::Layout { at: start }),
        }
    }
}

/// The names of a block, by their offsets in it or in the list that all files share.
struct Names<'a> {
    names: &'a [u8],
    version: Version,
    /// How much text may still be new: no byte of the block is in two names, and so a small file
    /// cannot ask for much memory.
    left: usize,
    known: HashMap<u32, &'a str>,
}

impl<'a> Names<'a> {
    fn get(&mut self, at: u32) -> Option<&'a str> {
        if at & COMMON != 0 {
            return types::common_name(at & !COMMON, self.version);
        }
        if let Some(known) = self.known.get(&at) {
            return Some(known);
        }
        let name = text_at(self.names, at as usize)?;
        self.left = self.left.checked_sub(name.len() + 1)?;
        self.known.insert(at, name);
        Some(name)
    }
}

/// Makes nodes of what comes in the order of the data, with how deep each is.
#[derive(Default)]
struct Maker<'a> {
    nodes: Nodes,
    /// The children of each node.
    children: Vec<Vec<u16>>,
    /// The last node on each level.
    path: Vec<u16>,
    seen: HashMap<&'a str, u16>,
}

impl<'a> Maker<'a> {
    fn add(&mut self, said: &Said<'a>) -> Option<()> {
        let is_root = self.nodes.rows.is_empty();
        if self.nodes.rows.len() >= MOST_NODES || said.level >= DEEPEST {
            return None;
        }
        // One root, and no level left out.
        if said.level > self.path.len() || is_root != (said.level == 0) {
            return None;
        }
        let at = self.nodes.rows.len() as u16;
        self.path.truncate(said.level);
        if let Some(parent) = self.path.last() {
            self.children[usize::from(*parent)].push(at);
        }
        self.path.push(at);
        self.children.push(Vec::new());
        let bits = [said.is_array, said.meta & ALIGN != 0, said.meta & HIDDEN != 0];
        let flags = bits.iter().rev().fold(0, |flags, bit| flags << 1 | u8::from(*bit));
        let flags = flags | Row::refers(said.type_name);
        self.nodes.rows.push(Row {
            type_name: self.nodes.texts.push_once(said.type_name, &mut self.seen)?,
            name: self.nodes.texts.push_once(said.name, &mut self.seen)?,
            version: said.version,
            // -1 where it depends on the data, which it does not where nothing is inside.
            size: u16::try_from(said.size).unwrap_or(0),
            flags,
            count: 0,
            first: 0,
        });
        Some(())
    }

    fn finish(mut self) -> Option<Nodes> {
        for (row, children) in self.nodes.rows.iter_mut().zip(&self.children) {
            // A list has its length and what every element is.
            if row.flags & Row::ARRAY != 0 && children.len() != 2 {
                return None;
            }
            row.first = self.nodes.children.len() as u32;
            row.count = children.len() as u16;
            self.nodes.children.extend(children);
        }
        // Children come after what they are in, so the last are settled first.
        for at in (0..self.children.len()).rev() {
            let inside = self.children[at].iter().map(|child| self.nodes.rows[usize::from(*child)]);
            let refers = inside.fold(0, |all, row| all | row.flags & Row::REFERS);
            self.nodes.rows[at].flags |= refers;
        }
        (!self.nodes.rows.is_empty()).then_some(self.nodes)
    }
}
