//! The tables behind a snapshot: a few hundred assets each, shared by all snapshots that have them
//! unchanged.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::RandomState;

use super::asset::Flags;
use super::kind::AssetKind;
use crate::{DocumentKind, Guid};

/// A few hundred assets in flat tables. A snapshot is a list of shared segments, so that a new
/// snapshot after a small change copies no more than what changed.
#[derive(Default)]
pub(super) struct Segment {
    pub(super) records: Box<[Record]>,
    pub(super) names: Box<str>,
    /// Importers, class names and messages; the first one is empty.
    pub(super) strings: Box<[Box<str>]>,
    /// The targets of the links, sorted.
    pub(super) guids: Box<[Guid]>,
    pub(super) objects: Box<[ObjectRow]>,
    pub(super) links: Box<[LinkRow]>,
    /// The slots with flags, once somebody asked.
    pub(super) flagged: OnceLock<Box<[u32]>>,
}

/// One asset. Where its objects and links start is where those of the record before end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) guid: Guid,
    pub(super) file: Stat,
    pub(super) meta: Stat,
    pub(super) folder: u32,
    pub(super) name_at: u32,
    pub(super) name_len: u16,
    pub(super) importer: u16,
    /// The key of the main object, when the class table has no name for it.
    pub(super) class_name: u16,
    /// Why something could not be read.
    pub(super) note: u16,
    pub(super) flags: Flags,
    pub(super) traits: Traits,
    pub(super) kind: AssetKind,
    pub(super) content: Option<DocumentKind>,
    pub(super) main_class: u32,
    /// The place of the main object among the objects, [`NONE`] without one.
    pub(super) main: u32,
    pub(super) objects_end: u32,
    pub(super) links_end: u32,
    /// The line of the first conflict marker, 0 without one.
    pub(super) line: u32,
}

/// What tells whether a file changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
}

impl Stat {
    /// Not known yet; who opens the file asks it. No file is that large.
    pub(super) const UNASKED: Stat = Stat { size: u64::MAX, modified: i64::MIN };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectRow {
    pub(super) file_id: i64,
    pub(super) class: u32,
    /// The place among the asset's links of what makes the object what it is, or [`NO_SCRIPT`]: the
    /// script of a MonoBehaviour, the prefab of an instance, what a stripped object stands for. The
    /// top bit says stripped.
    pub(super) script: u32,
}

/// What a check wants to know of a file without opening it again; any combination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits(pub(super) u8);

impl Traits {
    /// A scene or prefab whose objects agree with each other and have no reference to nothing.
    pub(super) const SOUND: Traits = Traits(1);
    /// It removes objects or components from an instance.
    pub(super) const REMOVES: Traits = Traits(1 << 1);
    /// Its stripped objects have other ids than the rule of nested prefabs gives.
    pub(super) const FREE_IDS: Traits = Traits(1 << 2);
    /// A script without a class of its name.
    pub(super) const NO_CLASS: Traits = Traits(1 << 3);
    /// An asset without a hierarchy that refers to an object of its own which it does not have.
    pub(super) const DANGLES: Traits = Traits(1 << 4);
    /// It may refer to an object of a class that the field does not take.
    pub(super) const MISFIT: Traits = Traits(1 << 5);
    /// It overrides fields that no native class has.
    pub(super) const FOREIGN: Traits = Traits(1 << 6);

    pub(super) fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn with(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    pub(super) fn without(self, other: Traits) -> Traits {
        Traits(self.0 & !other.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinkRow {
    pub(super) file_id: i64,
    /// The place in the segment's guids.
    pub(super) target: u32,
    /// How often the asset has this reference.
    pub(super) count: u32,
}

pub(super) const NONE: u32 = u32::MAX;
pub(super) const STRIPPED: u32 = 1 << 31;
pub(super) const NO_SCRIPT: u32 = STRIPPED - 1;

impl Segment {
    /// The slots of records that have flags. Hardly any has, and after each change all snapshots that
    /// share the segment ask again.
    pub(super) fn flagged(&self) -> &[u32] {
        self.flagged.get_or_init(|| {
            let is_flagged = |record: &Record| !record.flags.without(Flags::RACY).is_empty();
            let slots = self.records.iter().zip(0..).filter(|(record, _)| is_flagged(record));
            slots.map(|(_, slot)| slot).collect()
        })
    }

    pub(super) fn name(&self, record: &Record) -> &str {
        let start = record.name_at as usize;
        self.names.get(start..start + usize::from(record.name_len)).unwrap_or("")
    }

    pub(super) fn string(&self, at: u16) -> &str {
        self.strings.get(usize::from(at)).map_or("", |text| text)
    }

    pub(super) fn objects(&self, slot: usize) -> &[ObjectRow] {
        let start = slot.checked_sub(1).map_or(0, |before| self.records[before].objects_end);
        self.objects.get(start as usize..self.records[slot].objects_end as usize).unwrap_or(&[])
    }

    pub(super) fn links(&self, slot: usize) -> &[LinkRow] {
        let start = slot.checked_sub(1).map_or(0, |before| self.records[before].links_end);
        self.links.get(start as usize..self.records[slot].links_end as usize).unwrap_or(&[])
    }

    pub(super) fn target(&self, link: &LinkRow) -> Guid {
        self.guids.get(link.target as usize).copied().unwrap_or_default()
    }

    /// True when two records say the same, wherever they are kept.
    pub(super) fn same(&self, slot: usize, other: &Segment, other_slot: usize) -> bool {
        // A snapshot shares what did not change with the one before.
        if std::ptr::eq(self, other) && slot == other_slot {
            return true;
        }
        let (one, two) = (&self.records[slot], &other.records[other_slot]);
        let key = |record: &Record| {
            let flags = record.flags.without(Flags::RACY);
            let content = (record.kind, record.content, record.traits, record.line);
            (record.guid, record.file, record.meta, flags, content)
        };
        let links = |segment: &Segment, slot| -> Vec<(Guid, i64, u32)> {
            let rows = segment.links(slot).iter();
            rows.map(|link| (segment.target(link), link.file_id, link.count)).collect()
        };
        key(one) == key(two)
            && self.string(one.importer) == other.string(two.importer)
            && self.objects(slot) == other.objects(other_slot)
            && links(self, slot) == links(other, other_slot)
    }

    /// The bytes this segment takes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.records)
            + self.names.len()
            + self.strings.iter().map(|text| text.len() + 16).sum::<usize>()
            + size_of_val(&*self.guids)
            + size_of_val(&*self.objects)
            + size_of_val(&*self.links)
    }
}

/// What was read of one asset, on its way into a segment. Names and counts are filled in there.
#[derive(Clone, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) record: Record,
    pub(super) importer: String,
    pub(super) class_name: String,
    pub(super) note: String,
    /// Sorted by file id.
    pub(super) objects: Vec<ObjectRow>,
    /// Sorted, without repetition: target, file id, count.
    pub(super) links: Vec<(Guid, i64, u32)>,
}

impl Draft {
    /// Starts with another asset, in the memory of the one before.
    pub(super) fn start(&mut self, name: &str) {
        self.record = Record::default();
        for text in [&mut self.name, &mut self.importer, &mut self.class_name, &mut self.note] {
            text.clear();
        }
        self.name.push_str(name);
        self.objects.clear();
        self.links.clear();
    }
}

/// A segment being filled.
pub(super) struct Builder {
    records: Vec<Record>,
    names: String,
    strings: Vec<Box<str>>,
    guids: HashMap<Guid, u32, RandomState>,
    objects: Vec<ObjectRow>,
    links: Vec<LinkRow>,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            records: Vec::new(),
            names: String::new(),
            strings: vec!["".into()],
            guids: HashMap::default(),
            objects: Vec::new(),
            links: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, draft: &Draft) {
        let mut record = draft.record.clone();
        record.importer = self.string(&draft.importer);
        record.class_name = self.string(&draft.class_name);
        record.note = self.string(&draft.note);
        self.objects.extend_from_slice(&draft.objects);
        for (guid, file_id, count) in &draft.links {
            let target = self.guid(*guid);
            self.links.push(LinkRow { file_id: *file_id, target, count: *count });
        }
        self.end(record, &draft.name);
    }

    /// Takes over a record of another segment; its folder may have another number now.
    pub(super) fn copy(&mut self, from: &Segment, slot: usize, folder: u32) {
        let old = &from.records[slot];
        let mut record = old.clone();
        record.folder = folder;
        record.importer = self.string(from.string(old.importer));
        record.class_name = self.string(from.string(old.class_name));
        record.note = self.string(from.string(old.note));
        self.objects.extend_from_slice(from.objects(slot));
        for link in from.links(slot) {
            let target = self.guid(from.target(link));
            self.links.push(LinkRow { target, ..*link });
        }
        self.end(record, from.name(old));
    }

    fn end(&mut self, mut record: Record, name: &str) {
        record.name_at = index(self.names.len());
        record.name_len = u16::try_from(name.len()).unwrap_or(0);
        self.names.push_str(name);
        record.objects_end = index(self.objects.len());
        record.links_end = index(self.links.len());
        self.records.push(record);
    }

    fn guid(&mut self, guid: Guid) -> u32 {
        let next = index(self.guids.len());
        *self.guids.entry(guid).or_insert(next)
    }

    /// Segments have a handful of different texts. One with thousands is not Unity's, and its rest
    /// stays unnamed.
    fn string(&mut self, text: &str) -> u16 {
        if let Some(at) = self.strings.iter().position(|known| **known == *text) {
            return at as u16;
        }
        if self.strings.len() >= 4096 {
            return 0;
        }
        self.strings.push(text.into());
        (self.strings.len() - 1) as u16
    }

    pub(super) fn finish(self) -> Segment {
        let mut guids: Vec<(Guid, u32)> = self.guids.into_iter().collect();
        guids.sort_unstable();
        let mut ranks = vec![0; guids.len()];
        for (rank, (_, at)) in guids.iter().enumerate() {
            ranks[*at as usize] = index(rank);
        }
        let mut links = self.links;
        for link in &mut links {
            link.target = ranks[link.target as usize];
        }
        Segment {
            records: self.records.into(),
            names: self.names.into(),
            strings: self.strings.into(),
            guids: guids.into_iter().map(|(guid, _)| guid).collect(),
            objects: self.objects.into(),
            links: links.into(),
            flagged: OnceLock::new(),
        }
    }
}

/// Positions fit: memory ends long before four billion rows.
pub(super) fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}
