//! The embedded table of layouts, written by `cargo xtask typetrees`. The format is described where
//! it is written, in `xtask/src/typetrees/table.rs`.

use std::sync::LazyLock;

use super::{Node, Nodes, Row, Texts, Version};
use crate::ClassId;
use crate::packed::unpacked;

/// The length of the table, then the table, deflated.
static DATA: &[u8] = include_bytes!("../../data/typetrees.bin");
const MADE: &str = "the embedded table is made by `cargo xtask typetrees`, and a test reads it";

/// All layouts, about a megabyte; unpacked at the first call.
pub(super) fn get() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| read(&unpacked(DATA, MADE)));
    &TABLE
}

pub(super) struct Table {
    nodes: Nodes,
    oldest: Version,
    /// Sorted by id, with where their changes start; those of the next one are the end.
    classes: Vec<(ClassId, u32)>,
    changes: Vec<Change>,
    /// Sorted by version.
    common: Vec<(Version, u32, u16)>,
}

/// What a class is from a version on.
pub(super) struct Change {
    pub(super) version: Version,
    name: Option<u16>,
    root: Option<u16>,
}

impl Change {
    /// The fields; none when the version lacks the class or never writes it.
    pub(super) fn tree(&self) -> Option<Node<'static>> {
        self.root.map(|root| get().nodes.node(root))
    }
}

impl Table {
    pub(super) fn oldest(&self) -> Version {
        self.oldest
    }

    /// The changes of a class, the oldest first.
    pub(super) fn changes(&self, class: ClassId) -> &[Change] {
        match self.classes.binary_search_by_key(&class, |(class, _)| *class) {
            Ok(at) => self.changes_at(at),
            Err(_) => &[],
        }
    }

    pub(super) fn classes(&self) -> impl Iterator<Item = (ClassId, &[Change])> {
        (0..self.classes.len()).map(|at| (self.classes[at].0, self.changes_at(at)))
    }

    pub(super) fn name(&self, change: &Change) -> Option<&str> {
        change.name.map(|name| self.nodes.texts.get(name))
    }

    pub(super) fn class_once_named(&self, name: &str) -> Option<ClassId> {
        let mut classes = self.classes();
        let had = |changes: &[Change]| changes.iter().any(|change| self.name(change) == Some(name));
        classes.find(|(_, changes)| had(changes)).map(|(class, _)| class)
    }

    pub(super) fn common_name(&self, offset: u32, version: Version) -> Option<&str> {
        let mut rows = self.common.iter().filter(|row| row.1 == offset);
        let first = rows.next()?;
        let last = rows.take_while(|row| row.0 <= version).last();
        Some(self.nodes.texts.get(last.unwrap_or(first).2))
    }

    fn changes_at(&self, at: usize) -> &[Change] {
        let end = self.classes.get(at + 1).map_or(self.changes.len(), |next| next.1 as usize);
        &self.changes[self.classes[at].1 as usize..end]
    }
}

fn read(bytes: &[u8]) -> Table {
    let mut bytes = Bytes(bytes);
    let [strings, nodes, versions, classes, common] = [(); 5].map(|()| bytes.number());
    let texts = bytes.texts(strings);
    let versions: Vec<Version> = bytes
        .take(versions * 8)
        .as_chunks()
        .0
        .iter()
        .map(|bytes| Version(u64::from_le_bytes(*bytes)))
        .collect();
    let (classes, changes) = read_classes(&mut bytes, classes, &versions);
    let common = (0..common)
        .map(|_| (versions[bytes.number()], bytes.number() as u32, bytes.short()))
        .collect();
    let nodes = read_nodes(&mut bytes, nodes, texts);
    let oldest = *versions.first().expect(MADE);
    Table { nodes, oldest, classes, changes, common }
}

fn read_classes(
    bytes: &mut Bytes<'_>,
    count: usize,
    versions: &[Version],
) -> (Vec<(ClassId, u32)>, Vec<Change>) {
    let (mut classes, mut changes) = (Vec::with_capacity(count), Vec::new());
    let mut id = 0;
    for _ in 0..count {
        id += bytes.number() as u32;
        classes.push((ClassId(id), changes.len() as u32));
        for _ in 0..bytes.number() {
            let version = versions[bytes.number()];
            let [name, root] = [(); 2].map(|()| bytes.short().checked_sub(1));
            changes.push(Change { version, name, root });
        }
    }
    (classes, changes)
}

fn read_nodes(bytes: &mut Bytes<'_>, count: usize, texts: Texts) -> Nodes {
    let [types, names, versions] = [(); 3].map(|()| bytes.shorts(count));
    let flags = bytes.take(count);
    let counts = bytes.shorts(count);
    let mut rows: Vec<Row> = Vec::with_capacity(count);
    let mut children: Vec<u16> = Vec::new();
    // The last node of each type that had children, where they start.
    let mut before = vec![0; texts.len()];
    for at in 0..count {
        let first = children.len();
        let end = first + usize::from(counts[at]);
        let old = &mut before[usize::from(types[at])];
        let mut next_old = *old;
        while children.len() < end {
            let [same, skip, others] = [(); 3].map(|()| bytes.number());
            children.extend_from_within(next_old..next_old + same);
            next_old += same + skip;
            children.extend((0..others).map(|_| (at - bytes.number()) as u16));
        }
        if end > first {
            *old = first;
        }
        let inside = children[first..].iter().map(|child| rows[usize::from(*child)].flags);
        let refers = inside.fold(Row::refers(texts.get(types[at])), |all, flags| all | flags);
        rows.push(Row {
            type_name: types[at],
            name: names[at],
            version: versions[at],
            size: (1 << (flags[at] >> 3)) >> 1,
            flags: flags[at] & 7 | refers & Row::REFERS,
            count: counts[at],
            first: first as u32,
        });
    }
    children.shrink_to_fit();
    Nodes { rows, children, texts }
}

/// What is left to read. It is data of our own, so what is not as expected cannot be.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at_checked(count).expect(MADE);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> usize {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.take(1)[0];
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    fn short(&mut self) -> u16 {
        self.number().try_into().expect(MADE)
    }

    fn shorts(&mut self, count: usize) -> Vec<u16> {
        (0..count).map(|_| self.short()).collect()
    }

    fn texts(&mut self, count: usize) -> Texts {
        let mut texts = Texts::default();
        for _ in 0..count {
            let end = memchr::memchr(b'\n', self.0).expect(MADE);
            let text = self.take(end + 1);
            texts.push(str::from_utf8(&text[..end]).expect(MADE)).expect(MADE);
        }
        texts
    }
}
