//! A file while many changes are made to it: objects change one by one, and what was done to one is
//! there for the next change. Objects that nobody touched keep their bytes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use scenewright_text::Edits;

use super::list::{append, line_end, regions};
use super::{Manner, New, NewObject, Refused, fresh_ids};
use crate::{ClassId, Document, FileId, Object, scan_references};

/// A file that is being edited.
pub struct Sheet {
    source: Arc<Document>,
    manner: Manner,
    /// Objects of the file that are other now, or gone, by their place in it.
    changed: HashMap<usize, Option<Document>>,
    /// Objects that came, by the order in which they did.
    added: BTreeMap<usize, Document>,
    by_id: HashMap<FileId, usize>,
    taken: HashSet<i64>,
    is_sorted: bool,
    /// Ids have 64 bits, as they do in prefabs.
    is_wide: bool,
    /// Where lists end that items were put behind.
    ends: HashMap<FileId, End>,
    /// Who refers to what in the file, once somebody asked. Some may do so no more.
    holders: Option<HashMap<FileId, HashSet<FileId>>>,
}

/// The end of a list of an object: the next item goes there, and those before it need not be read.
struct End {
    path: String,
    /// In the text of the object.
    at: usize,
    column: usize,
}

impl Sheet {
    /// A file as it is.
    pub fn new(source: Arc<Document>, manner: Manner, is_wide: bool) -> Sheet {
        let is_sorted = source.objects().is_sorted_by_key(Object::file_id);
        Sheet {
            source,
            manner,
            changed: HashMap::new(),
            added: BTreeMap::new(),
            by_id: HashMap::new(),
            taken: HashSet::new(),
            is_sorted,
            is_wide,
            ends: HashMap::new(),
            holders: None,
        }
    }

    /// How the file is written.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// The file as it was.
    pub fn source(&self) -> &Document {
        &self.source
    }

    /// The same, to be kept while something is changed.
    pub(super) fn file(&self) -> Arc<Document> {
        self.source.clone()
    }

    /// Whether nothing was done to it.
    pub fn is_untouched(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty()
    }

    /// The object of an id, as it is now.
    pub fn object(&self, id: FileId) -> Option<Object<'_>> {
        if let Some(at) = self.by_id.get(&id) {
            return self.added.get(at)?.object_at(0);
        }
        let old = self.source.object(id)?;
        match self.changed.get(&old.index()) {
            Some(now) => now.as_ref()?.object_at(0),
            None => Some(old),
        }
    }

    /// All objects, as they are now; those that came are last.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        let old = self.source.objects().filter_map(|old| match self.changed.get(&old.index()) {
            Some(now) => now.as_ref()?.object_at(0),
            None => Some(old),
        });
        old.chain(self.added.values().filter_map(|added| added.object_at(0)))
    }

    /// Edit one object. Nothing is changed when that is refused.
    pub fn edit<T>(
        &mut self,
        id: FileId,
        change: impl FnOnce(Object<'_>, &Manner, &mut Edits) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let gone = || Refused::NoPlace(format!("the object {id}"));
        let object = self.object(id).ok_or_else(gone)?;
        let mut edits = Edits::default();
        // Offsets are those of the file that the object is in; its own text starts at its header.
        let done = change(object, &self.manner, &mut edits)?;
        if edits.is_empty() {
            return Ok(done);
        }
        let span = object.span();
        let document = object.document();
        let text = edits
            .apply_within(document.as_bytes(), span)
            .map_err(|_| Refused::Shape(format!("the object {id}")))?;
        note_references(&mut self.holders, id, &text);
        let now = Document::parse(text);
        match self.by_id.get(&id) {
            Some(at) => drop(self.added.insert(*at, now)),
            None => {
                let index = self.source.object(id).ok_or_else(gone)?.index();
                self.changed.insert(index, Some(now));
            }
        }
        self.ends.remove(&id);
        Ok(done)
    }

    /// Put an item behind all others of the list at a path. Thousands of them take as long as they
    /// are long.
    pub fn push_item(&mut self, id: FileId, path: &str, item: New) -> Result<(), Refused> {
        if self.ends.get(&id).is_none_or(|end| end.path != path) {
            self.edit(id, |object, manner, edits| append(object, path, item, manner, edits))?;
            self.note_end(id, path);
            return Ok(());
        }
        let manner = self.manner;
        let now = match self.by_id.get(&id) {
            Some(at) => self.added.get_mut(at),
            None => {
                let index = self.source.object(id).map(|object| object.index());
                index.and_then(|index| self.changed.get_mut(&index)?.as_mut())
            }
        };
        let (Some(end), Some(now)) = (self.ends.get_mut(&id), now) else {
            return Err(Refused::NoPlace(format!("the object {id}")));
        };
        let mut text = manner.line_break.to_owned();
        item.push_item(&mut text, end.column, manner);
        note_references(&mut self.holders, id, text.as_bytes());
        let at = end.at;
        end.at += text.len();
        let mut bytes = std::mem::replace(now, Document::parse("")).into_bytes();
        bytes.splice(at..at, text.into_bytes());
        *now = Document::parse(bytes);
        Ok(())
    }

    fn note_end(&mut self, id: FileId, path: &str) {
        let Some(object) = self.object(id) else { return };
        let bytes = object.document().as_bytes();
        let Some(list) = object.get(path) else { return };
        let Some(first) = regions(bytes, list).and_then(|all| all.into_iter().next()) else {
            return;
        };
        let column = first.len() - bytes[first].trim_ascii_start().len();
        let at = line_end(bytes, list.span().end);
        self.ends.insert(id, End { path: path.to_owned(), at, column });
    }

    /// Add an object.
    pub fn add(&mut self, object: &NewObject) {
        self.add_text(object.id, object.text(self.manner));
    }

    /// Add an object by its lines, header first.
    pub fn add_text(&mut self, id: FileId, text: String) {
        let at = self.added.keys().next_back().map_or(0, |last| last + 1);
        note_references(&mut self.holders, id, text.as_bytes());
        self.added.insert(at, Document::parse(text));
        self.by_id.insert(id, at);
        self.taken.insert(id.0);
    }

    /// The objects that refer to some of the file, in the order of [`Sheet::objects`].
    pub(super) fn holders_of(&mut self, ids: &HashSet<FileId>) -> Vec<FileId> {
        if self.holders.is_none() {
            let mut holders = Some(HashMap::new());
            for object in self.objects() {
                note_references(&mut holders, object.file_id(), text_of(object));
            }
            self.holders = holders;
        }
        let all = self.holders.iter().flat_map(|all| ids.iter().filter_map(|id| all.get(id)));
        let all: HashSet<FileId> = all.flatten().copied().collect();
        let refers = |object: &Object<'_>| {
            object.references().any(|(_, to)| to.guid.is_none() && ids.contains(&to.file_id))
        };
        let mut found: Vec<_> = all
            .into_iter()
            .filter(|id| self.object(*id).as_ref().is_some_and(refers))
            .map(|id| (self.place_of(id), id))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// Where an object stands among all: those that came are last.
    fn place_of(&self, id: FileId) -> (bool, usize) {
        match self.by_id.get(&id) {
            Some(at) => (true, *at),
            None => (false, self.source.object(id).map_or(usize::MAX, |old| old.index())),
        }
    }

    /// Take an object away; false when it is not there.
    pub fn remove(&mut self, id: FileId) -> bool {
        self.ends.remove(&id);
        if let Some(at) = self.by_id.remove(&id) {
            return self.added.remove(&at).is_some();
        }
        let Some(old) = self.source.object(id) else { return false };
        self.changed.insert(old.index(), None).is_none_or(|before| before.is_some())
    }

    /// The first of `count` ids in a row that the file never had; the same for the same file, the
    /// same changes before, and the same seed.
    pub fn fresh_ids(&mut self, seed: &str, count: usize) -> FileId {
        let seed = format!("{seed}/{}", self.taken.len());
        let first = match self.is_wide {
            true => self.wide_id(&seed, count),
            false => fresh_ids(&self.source, &self.taken, &seed, count),
        };
        self.taken.extend((0..count as i64).map(|more| first.0 + more));
        first
    }

    /// A number for an object in a table of its owner.
    pub(super) fn reference_id(&mut self, seed: &str) -> i64 {
        let seed = format!("rid/{seed}/{}", self.taken.len());
        let id = self.wide_id(&seed, 1);
        self.taken.insert(id.0);
        id.0
    }

    /// Ids of prefabs are any number of 63 bits.
    fn wide_id(&self, seed: &str, count: usize) -> FileId {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in seed.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        loop {
            // One more round, since short seeds differ in few bits.
            hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            hash ^= hash >> 32;
            let first = (hash >> 1) as i64;
            let fits = (1 << 40) < first && first < i64::MAX - count as i64;
            let mut all = first..first.saturating_add(count as i64);
            if fits && all.all(|id| !self.is_taken(FileId(id))) {
                return FileId(first);
            }
        }
    }

    /// Keep an id for an object that comes; false when one has it, or had it in the file.
    pub fn take_id(&mut self, id: FileId) -> bool {
        !self.is_taken(id) && self.taken.insert(id.0)
    }

    fn is_taken(&self, id: FileId) -> bool {
        self.taken.contains(&id.0) || self.source.object(id).is_some()
    }

    /// The file as it is now, read; as it was read, when nothing was done to it.
    pub(super) fn document(&self) -> Arc<Document> {
        match self.is_untouched() {
            true => self.source.clone(),
            false => Arc::new(Document::parse(self.to_bytes())),
        }
    }

    /// The file as it is now.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.source.as_bytes();
        let mut out = Vec::with_capacity(bytes.len() + 256 * self.added.len());
        let mut added: Vec<Object<'_>> =
            self.added.values().filter_map(|added| added.object_at(0)).collect();
        if self.is_sorted {
            added.sort_by_key(|object| object.file_id());
        }
        let mut added = added.into_iter().peekable();
        let mut end = 0;
        for old in self.source.objects() {
            let is_before = |new: &Object<'_>| match self.is_sorted {
                true => new.file_id() < old.file_id(),
                // The order of the roots stays last.
                false => old.class_id() == ClassId::SCENE_ROOTS,
            };
            let span = old.span();
            out.extend_from_slice(&bytes[end..span.start]);
            while let Some(new) = added.next_if(is_before) {
                self.push(&mut out, text_of(new));
            }
            match self.changed.get(&old.index()) {
                Some(Some(now)) => self.push(&mut out, now.as_bytes()),
                Some(None) => {}
                None => self.push(&mut out, &bytes[span.clone()]),
            }
            end = span.end;
        }
        out.extend_from_slice(&bytes[end..]);
        for new in added {
            self.push(&mut out, text_of(new));
        }
        // A file whose last line had no break keeps that.
        if !bytes.ends_with(b"\n") && !self.added.is_empty() {
            out.truncate(out.trim_ascii_end().len());
        }
        out
    }

    /// An object begins on a line of its own.
    fn push(&self, out: &mut Vec<u8>, text: &[u8]) {
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.extend_from_slice(self.manner.line_break.as_bytes());
        }
        out.extend_from_slice(text);
    }
}

fn note_references(
    holders: &mut Option<HashMap<FileId, HashSet<FileId>>>,
    id: FileId,
    text: &[u8],
) {
    let Some(holders) = holders else { return };
    for (_, to) in scan_references(text).filter(|(_, to)| to.guid.is_none() && !to.is_null()) {
        holders.entry(to.file_id).or_default().insert(id);
    }
}

/// The bytes of an object, header first.
pub(super) fn text_of(object: Object<'_>) -> &[u8] {
    &object.document().as_bytes()[object.span()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::set;

    /// Items put behind a list one by one are where they are when each is put there anew.
    #[test]
    fn items_that_come_last_are_as_if_the_list_were_read_for_each() {
        let scene =
            "--- !u!4 &4\nTransform:\n  m_Children:\n  - {fileID: 7}\n  m_Father: {fileID: 0}\n";
        let empty = scene.replace("\n  - {fileID: 7}", " []");
        for file in [scene.to_owned(), scene.replace('\n', "\r\n"), empty] {
            let id = FileId(4);
            let sheet = || {
                let document = Document::parse(file.as_str());
                let manner = Manner::of(&document);
                Sheet::new(Arc::new(document), manner, false)
            };
            let (mut quick, mut slow) = (sheet(), sheet());
            for number in 10..20 {
                let item = || New::local(FileId(number));
                quick.push_item(id, "m_Children", item()).unwrap();
                let add = |object: Object<'_>, manner: &Manner, edits: &mut Edits| {
                    append(object, "m_Children", item(), manner, edits)
                };
                slow.edit(id, add).unwrap();
                // Something else changes the text before the list ends.
                for sheet in [&mut quick, &mut slow].into_iter().filter(|_| number == 15) {
                    let father = New::local(FileId(123_456));
                    let first = New::local(FileId(1));
                    sheet
                        .edit(id, |object, manner, edits| {
                            set(object, "m_Father", &father, manner, edits)?;
                            set(object, "m_Children.Array.data[0]", &first, manner, edits)
                        })
                        .unwrap();
                }
            }
            assert_eq!(quick.to_bytes(), slow.to_bytes());
            let text = String::from_utf8(quick.to_bytes()).unwrap();
            assert!(
                text.contains("  - {fileID: 18}") && text.contains("  - {fileID: 19}"),
                "{text}"
            );
        }
    }
}
