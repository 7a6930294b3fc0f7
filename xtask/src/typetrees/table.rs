//! One table for all versions, in which nothing is said twice: equal nodes are one node, whichever
//! classes and versions have it, and the children of a node are told by what differs from those of
//! the node of that type before it. `crates/unity/src/types/table.rs` reads it.
//!
//! Numbers are written in groups of seven bits, low ones first; the top bit says that more follow.
//!
//! ```text
//! counts     strings, nodes, versions, classes, common names
//! strings    each with a line end
//! versions   of Unity, ascending, 8 bytes each: u16 × 3 of 2022.3.20, u8 letter, u8 number, from the top
//! classes    difference to the id before, count, then for each change of the class:
//!              version, name + 1 or 0 without the class, root node + 1 or 0 without a layout
//! common     version, offset, string; from this version on
//! types      of every node: string
//! names      of every node: string
//! numbers    of every node: its version
//! flags      of every node: a byte; 1 array, 2 align, 4 hidden, from 8 on log2 of its size + 1
//! counts     of every node: its children
//! children   of every node, until all are there: how many to take from the node of that type
//!              before, how many to leave out there, how many others; for those the distance back
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, ensure};

use super::dump::{Common, Dump};

const ALIGN: u32 = 0x4000;
const HIDDEN: u32 = 1;

/// The table, not yet packed.
pub(super) fn write(dump: &Dump<'_>) -> Result<Vec<u8>> {
    let mut nodes = Nodes { dump, kept: Vec::new(), places: HashMap::new(), seen: HashMap::new() };
    // Placed class by class, so that what belongs together is near each other and packs well.
    for class in &dump.classes {
        for root in class.from.iter().filter_map(|since| since.root) {
            nodes.place(root)?;
        }
    }
    let common = changes(&dump.common);
    let strings = Strings::of(dump, &nodes.kept, &common)?;
    let versions: BTreeSet<u64> = dump
        .classes
        .iter()
        .flat_map(|c| &c.from)
        .map(|s| s.version)
        .chain(common.iter().map(|row| row.version))
        .collect();
    let versions: Vec<u64> = versions.into_iter().collect();

    let mut out = Vec::new();
    let counts =
        [strings.texts.len(), nodes.kept.len(), versions.len(), dump.classes.len(), common.len()];
    counts.into_iter().for_each(|count| number(&mut out, count));
    strings.texts.iter().for_each(|text| out.extend(text.bytes().chain([b'\n'])));
    versions.iter().for_each(|version| out.extend(version.to_le_bytes()));
    write_classes(&mut out, dump, &nodes, &strings, &versions)?;
    for row in common {
        number(&mut out, place_of(&versions, row.version)?);
        number(&mut out, row.offset.into());
        number(&mut out, strings.place(row.string)?);
    }
    write_nodes(&mut out, &nodes.kept, &strings)?;
    Ok(out)
}

/// The rows that tell something new; each version repeats nearly all of those before.
fn changes(rows: &[Common]) -> Vec<&Common> {
    let mut last = BTreeMap::new();
    rows.iter().filter(|row| last.insert(row.offset, row.string) != Some(row.string)).collect()
}

fn write_classes(
    out: &mut Vec<u8>,
    dump: &Dump<'_>,
    nodes: &Nodes<'_>,
    strings: &Strings<'_>,
    versions: &[u64],
) -> Result<()> {
    let mut before = 0;
    for class in &dump.classes {
        let mut rows = Vec::new();
        for since in &class.from {
            let name = since.name.map(|name| strings.place(name)).transpose()?;
            let root = since.root.map(|root| nodes.places[&root]);
            let version = place_of(versions, since.version)?;
            rows.push((version, name.map_or(0, |name| name + 1), root.map_or(0, |root| root + 1)));
        }
        // Where only the layout of players changed, or what we do not keep.
        rows.dedup_by_key(|(_, name, root)| (*name, *root));
        number(out, (class.id - before) as usize);
        number(out, rows.len());
        rows.into_iter().flat_map(|row| [row.0, row.1, row.2]).for_each(|n| number(out, n));
        before = class.id;
    }
    Ok(())
}

fn write_nodes(out: &mut Vec<u8>, nodes: &[Kept], strings: &Strings<'_>) -> Result<()> {
    for node in nodes {
        number(out, strings.place(node.type_name)?);
    }
    for node in nodes {
        number(out, strings.place(node.name)?);
    }
    nodes.iter().for_each(|node| number(out, node.version.into()));
    out.extend(nodes.iter().map(|node| node.flags));
    nodes.iter().for_each(|node| number(out, node.children.len()));
    let mut before: HashMap<usize, &[usize]> = HashMap::new();
    for (at, node) in nodes.iter().enumerate() {
        write_children(out, at, &node.children, before.get(&node.type_name).unwrap_or(&&[][..]));
        if !node.children.is_empty() {
            before.insert(node.type_name, &node.children);
        }
    }
    Ok(())
}

fn write_children(out: &mut Vec<u8>, at: usize, children: &[usize], before: &[usize]) {
    let (mut done, mut old) = (0, 0);
    while done < children.len() {
        let same = children[done..].iter().zip(&before[old..]).take_while(|(a, b)| a == b).count();
        done += same;
        old += same;
        let is_old = |child: &usize| before[old..].contains(child);
        let others = children[done..].iter().take_while(|child| !is_old(child)).count();
        let next = children.get(done + others);
        let skip = next.and_then(|next| before[old..].iter().position(|child| child == next));
        number(out, same);
        number(out, skip.unwrap_or(0));
        number(out, others);
        children[done..done + others].iter().for_each(|child| number(out, at - child));
        done += others;
        old += skip.unwrap_or(0);
    }
}

/// A node as the table has it; the children are places in the table.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Kept {
    type_name: usize,
    name: usize,
    version: u16,
    flags: u8,
    children: Vec<usize>,
}

/// The nodes that are used, each once and after its children.
struct Nodes<'a> {
    dump: &'a Dump<'a>,
    kept: Vec<Kept>,
    places: HashMap<usize, usize>,
    seen: HashMap<Kept, usize>,
}

impl Nodes<'_> {
    fn place(&mut self, node: usize) -> Result<usize> {
        if let Some(place) = self.places.get(&node) {
            return Ok(*place);
        }
        let from = self.dump.nodes.get(node).context("a child that is not there")?;
        let children = from.children.iter().map(|child| self.place(*child));
        let children: Vec<usize> = children.collect::<Result<_>>()?;
        let size = if children.is_empty() { size_flag(from.size)? } else { 0 };
        let bits = [from.is_array, from.meta & ALIGN != 0, from.meta & HIDDEN != 0];
        let flags = bits.iter().rev().fold(size, |flags, bit| flags << 1 | u8::from(*bit));
        let (type_name, name, version) = (from.type_name, from.name, from.version);
        let kept = Kept { type_name, name, version, flags, children };
        let place = *self.seen.entry(kept.clone()).or_insert(self.kept.len());
        if place == self.kept.len() {
            self.kept.push(kept);
        }
        self.places.insert(node, place);
        Ok(place)
    }
}

fn size_flag(size: i32) -> Result<u8> {
    let sizes = [0, 1, 2, 4, 8];
    let at = sizes.iter().position(|known| *known == size);
    Ok(at.with_context(|| format!("a value of {size} bytes"))? as u8)
}

/// The strings that are used, in order.
struct Strings<'a> {
    texts: Vec<&'a str>,
    places: HashMap<usize, usize>,
}

impl<'a> Strings<'a> {
    fn of(dump: &Dump<'a>, nodes: &[Kept], common: &[&Common]) -> Result<Strings<'a>> {
        let of_nodes = nodes.iter().flat_map(|node| [node.type_name, node.name]);
        let of_classes = dump.classes.iter().flat_map(|class| &class.from).filter_map(|s| s.name);
        let used = of_nodes.chain(of_classes).chain(common.iter().map(|row| row.string));
        let mut texts = BTreeMap::new();
        for string in used {
            let text = *dump.strings.get(string).context("a string that is not there")?;
            ensure!(!text.contains('\n'), "a name of two lines");
            texts.insert(text, string);
        }
        let places = texts.values().enumerate().map(|(place, string)| (*string, place)).collect();
        Ok(Strings { texts: texts.into_keys().collect(), places })
    }

    fn place(&self, string: usize) -> Result<usize> {
        self.places.get(&string).copied().context("the package has a string twice")
    }
}

fn place_of(versions: &[u64], version: u64) -> Result<usize> {
    versions.binary_search(&version).ok().context("a version that was not gathered")
}

fn number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_told_by_what_differs() {
        let check = |before: &[usize], children: &[usize], expected: &[u8]| {
            let mut out = Vec::new();
            write_children(&mut out, 100, children, before);
            assert_eq!(out, expected);
        };
        check(&[], &[], &[]);
        check(&[], &[90, 91], &[0, 0, 2, 10, 9]);
        check(&[1, 2, 3], &[1, 2, 3], &[3, 0, 0]);
        check(&[1, 2, 3], &[1, 3], &[1, 1, 0, 1, 0, 0]);
        check(&[1, 2, 3], &[1, 99, 3], &[1, 1, 1, 1, 1, 0, 0]);
        check(&[1, 2], &[1, 2, 98], &[2, 0, 1, 2]);
    }

    #[test]
    fn numbers_are_written_in_groups_of_seven_bits() {
        let mut out = Vec::new();
        [0, 127, 128, 300].into_iter().for_each(|n| number(&mut out, n));
        assert_eq!(out, [0, 127, 128, 1, 172, 2]);
    }
}
