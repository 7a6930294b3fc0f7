//! Unity's text files, read without loss.
//!
//! A [`Document`] owns the bytes of a file and knows where its objects are; values are decoded when
//! asked. No YAML library reads these files: the tag directive counts for the first document only,
//! ` stripped` behind an anchor is not YAML, and keys may occur twice.

mod block;
mod field;
mod flat;
mod flow;
mod header;
mod object;
mod path;
mod problem;
mod reference;
mod scalar;
mod sniff;
mod tree;
mod value;

#[cfg(test)]
mod robustness;
#[cfg(test)]
mod tests;

pub(crate) use field::{STRUCTURE, field_key};
pub(crate) use flat::flat_values;
pub(crate) use header::scan_boundaries;
pub use header::{Header, scan_headers};
pub use object::Object;
pub use problem::Problem;
pub(crate) use reference::parse as parse_reference;
pub use reference::{Reference, scan_guid, scan_references};
pub use sniff::DocumentKind;
pub use value::{Value, ValueKind, ValueStyle};

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use scenewright_text::LineIndex;
use scenewright_text::diff::{common_prefix, common_suffix};

use crate::binary::{BinaryFile, Detail};
use crate::{FileId, Guid};
use tree::Tree;

/// A text file of Unity: a scene, prefab, asset, settings or `.meta` file.
///
/// ```
/// use scenewright_unity::{Document, FileId};
///
/// let document = Document::parse("--- !u!1 &42\nGameObject:\n  m_Name: 'Door: left'\n");
/// let door = document.object(FileId(42)).unwrap();
/// assert_eq!(door.class_name(), "GameObject");
/// assert_eq!(door.get("m_Name").unwrap().text(), "Door: left");
/// ```
pub struct Document {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Document starts that have no readable header.
    unread: Vec<Range<usize>>,
    /// The text before the first object, without byte order mark.
    preamble: Range<usize>,
    root: OnceLock<Box<Tree>>,
    lines: OnceLock<LineIndex>,
    conflicts: OnceLock<Vec<usize>>,
    /// Objects by file id and position.
    by_id: OnceLock<Vec<(FileId, usize)>>,
}

struct Entry {
    header: Header,
    body: Range<usize>,
    tree: OnceLock<Box<Tree>>,
}

/// The longest list of problems. A file with more is broken as a whole.
const MAX_PROBLEMS: usize = 1000;
/// The most text that a binary file may become.
const MAX_TEXT: usize = 64 << 20;

/// A reference and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The position of the object it is in; nothing before the first object, and in metas.
    pub object: Option<usize>,
    /// The offset of its `{`.
    pub offset: usize,
    /// What it points to.
    pub reference: Reference,
}

impl Document {
    /// Takes any bytes. What cannot be read is in [`problems`](Document::problems).
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Document {
        let bytes = bytes.into();
        let start = if bytes.starts_with(header::BOM) { header::BOM.len() } else { 0 };
        let mut document = Document {
            preamble: start..bytes.len(),
            bytes,
            entries: Vec::new(),
            unread: Vec::new(),
            root: OnceLock::new(),
            lines: OnceLock::new(),
            conflicts: OnceLock::new(),
            by_id: OnceLock::new(),
        };
        if !sniff::is_binary(&document.bytes) {
            document.find_objects();
        }
        document
    }

    /// Takes the bytes of a file that is only read: a binary one becomes the text that Unity would
    /// write of it, so that its bytes are no longer those of the file.
    pub fn of_file(bytes: impl Into<Vec<u8>>) -> Document {
        let document = Document::parse(bytes);
        if document.kind_by_start() != DocumentKind::SerializedFile {
            return document;
        }
        let text = BinaryFile::open(&document.bytes)
            .ok()
            .and_then(|file| file.to_text(Detail::All, MAX_TEXT));
        text.map_or(document, Document::parse)
    }

    fn find_objects(&mut self) {
        let Document { bytes, entries, unread, preamble, .. } = self;
        let mut is_open = false;
        for (number, line) in header::boundaries(bytes).enumerate() {
            if number == 0 {
                preamble.end = line.start;
            }
            if let Some(last) = entries.last_mut().filter(|_| is_open) {
                last.body.end = line.start;
            }
            let line_break = (line.end..bytes.len()).find(|at| bytes[*at] == b'\n');
            let body = line_break.map_or(bytes.len(), |at| at + 1)..bytes.len();
            let header = header::parse(bytes, line.clone());
            is_open = header.is_some();
            match header {
                Some(header) => entries.push(Entry { header, body, tree: OnceLock::new() }),
                None => unread.push(line),
            }
        }
    }

    /// The bytes as they were given.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// The bytes as they were given.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as they were given.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What the file is.
    pub fn kind(&self) -> DocumentKind {
        match self.kind_by_start() {
            kind @ (DocumentKind::Binary | DocumentKind::SerializedFile) => kind,
            _ if !self.conflicts().is_empty() => DocumentKind::MergeConflict,
            kind => kind,
        }
    }

    /// The same without a look for conflicts, which takes all of the text.
    pub fn kind_by_start(&self) -> DocumentKind {
        sniff::sniff(&self.bytes, !self.entries.is_empty())
    }

    /// The offsets of the lines with a conflict marker.
    pub fn conflicts(&self) -> &[usize] {
        let is_unity =
            || matches!(self.kind_by_start(), DocumentKind::UnityYaml | DocumentKind::Meta);
        self.conflicts.get_or_init(|| sniff::conflict_markers(&self.bytes, is_unity()))
    }

    /// Have more objects behind all others, as they are in a text.
    pub(crate) fn push_objects(&mut self, text: &[u8]) {
        let (start, first) = (self.bytes.len(), self.entries.len());
        self.bytes.extend_from_slice(text);
        self.lines = OnceLock::new();
        self.conflicts = OnceLock::new();
        let shift = |span: &mut Range<usize>| *span = span.start + start..span.end + start;
        for mut entry in Document::parse(text).entries {
            shift(&mut entry.header.span);
            shift(&mut entry.body);
            self.entries.push(entry);
        }
        let Some(by_id) = self.by_id.get_mut() else { return };
        for (index, entry) in self.entries.iter().enumerate().skip(first) {
            let one = (entry.header.file_id, index);
            by_id.insert(by_id.partition_point(|other| *other < one), one);
        }
    }

    /// The objects in the order of the file.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = Object<'_>> + DoubleEndedIterator {
        (0..self.entries.len()).map(|index| Object { document: self, index })
    }

    /// The object at a position.
    pub fn object_at(&self, index: usize) -> Option<Object<'_>> {
        (index < self.entries.len()).then_some(Object { document: self, index })
    }

    /// The object of this id; the first one, should a broken file have several.
    pub fn object(&self, id: FileId) -> Option<Object<'_>> {
        let by_id = self.by_id();
        let at = by_id.partition_point(|(other, _)| *other < id);
        let (found, index) = *by_id.get(at)?;
        (found == id).then_some(Object { document: self, index })
    }

    /// The text before the first object: `%YAML`, `%TAG`, or all of a meta.
    pub fn preamble(&self) -> Range<usize> {
        self.preamble.clone()
    }

    /// The values of a file without objects, such as a meta.
    pub fn root(&self) -> Value<'_> {
        let text = &self.bytes[self.preamble()];
        let tree = self.root.get_or_init(|| Box::new(block::read(text)));
        Value::root(text, self.preamble.start, tree)
    }

    /// The guid of a meta: its first line that starts with `guid:`.
    pub fn guid(&self) -> Option<Guid> {
        scan_guid(&self.bytes[self.preamble()])
    }

    /// All references in the order of the file, found without decoding other values.
    pub fn references(&self) -> impl Iterator<Item = Found> {
        let mut next = 0;
        scan_references(&self.bytes).map(move |(offset, reference)| {
            while self.entries.get(next).is_some_and(|entry| entry.body.start <= offset) {
                next += 1;
            }
            let object = next.checked_sub(1).filter(|last| offset < self.entries[*last].body.end);
            Found { object, offset, reference }
        })
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.lines.get_or_init(|| LineIndex::new(&self.bytes)).line(&self.bytes, offset)
    }

    /// All that Unity would not have written or that could not be read, in the order of the file.
    /// This reads every value.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if sniff::is_binary(&self.bytes) {
            return problems;
        }
        self.file_problems(&mut problems);
        self.object_problems(&mut problems);
        self.value_problems(0..self.bytes.len(), &mut problems);
        problems.sort_by_key(|problem| problem.span.start);
        if let Some(rest) = problems.len().checked_sub(MAX_PROBLEMS).filter(|rest| *rest > 0) {
            problems.truncate(MAX_PROBLEMS);
            let end = self.bytes.len();
            problems.push(self.problem(&format!("{rest} more problems are not listed"), end..end));
        }
        problems
    }

    /// Those that another version of the file need not have: of the file as a whole, of the headers, and
    /// of values in objects that are not the same there. Most of a large scene is.
    pub fn problems_beside(&self, other: &[u8]) -> Vec<Problem> {
        if sniff::is_binary(&self.bytes) {
            return Vec::new();
        }
        let mut problems = self.outline_problems();
        let start = common_prefix(&self.bytes, other);
        let end = self.bytes.len() - common_suffix(&self.bytes[start..], &other[start..]);
        self.value_problems(start..end, &mut problems);
        problems
    }

    /// Those of the file as a whole and of the headers, without a look at the values.
    pub fn outline_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.file_problems(&mut problems);
        self.object_problems(&mut problems);
        problems
    }

    fn file_problems(&self, problems: &mut Vec<Problem>) {
        if let Err(error) = std::str::from_utf8(&self.bytes) {
            let at = error.valid_up_to();
            let end = at + error.error_len().unwrap_or(self.bytes.len() - at);
            problems.push(self.problem("the text is not valid UTF-8 from here on", at..end));
        }
        for at in self.conflicts() {
            let message = "a conflict marker is left from a merge; resolve the conflict";
            problems.push(self.problem(message, *at..*at + 7));
        }
        for line in &self.unread {
            let message = "the header is not `--- !u!<class> &<id>`; the object is not read";
            problems.push(self.problem(message, line.clone()));
        }
    }

    fn object_problems(&self, problems: &mut Vec<Problem>) {
        for object in self.objects() {
            let header = &self.bytes[object.header_span()];
            if !header::is_usual(header) {
                let message = "the header has unknown words behind the id";
                problems.push(self.problem(message, object.header_span()));
            }
        }
        for pair in self.by_id().windows(2) {
            let [(first, _), (second, index)] = [pair[0], pair[1]];
            if first == second {
                let message = format!("the id {second} occurs a second time in this file");
                let object = Object { document: self, index };
                problems.push(self.problem(&message, object.header_span()));
            }
        }
    }

    /// What is wrong with the values of objects that are in a part of the file, or touch it.
    fn value_problems(&self, part: Range<usize>, problems: &mut Vec<Problem>) {
        if !matches!(self.kind(), DocumentKind::UnityYaml | DocumentKind::Meta) {
            return;
        }
        let bodies = self.entries.iter().map(|entry| (&entry.body, &entry.tree));
        let bodies = bodies.chain([(&self.preamble, &self.root)]);
        for (span, tree) in bodies.filter(|(at, _)| at.start <= part.end && part.start <= at.end) {
            // Trees that nobody asked for are not kept: those of a big scene outweigh it.
            let read;
            let tree = match tree.get() {
                Some(tree) => tree,
                None => {
                    read = block::read(&self.bytes[span.clone()]);
                    &read
                }
            };
            problems.extend(tree.troubles.iter().map(|(at, trouble)| {
                let at = span.start + *at as usize;
                self.problem(trouble.message(), at..at)
            }));
        }
    }

    fn problem(&self, message: &str, span: Range<usize>) -> Problem {
        Problem { message: message.into(), line: self.line(span.start), span }
    }

    /// The positions of objects whose id another one has before them, sorted.
    pub(crate) fn repeated(&self) -> Vec<usize> {
        let pairs = self.by_id().windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let mut repeated: Vec<usize> = pairs.map(|pair| pair[1].1).collect();
        repeated.sort_unstable();
        repeated
    }

    fn by_id(&self) -> &[(FileId, usize)] {
        self.by_id.get_or_init(|| {
            let ids = self.entries.iter().map(|entry| entry.header.file_id);
            let mut by_id: Vec<_> = ids.enumerate().map(|(index, id)| (id, index)).collect();
            by_id.sort_unstable();
            by_id
        })
    }

    fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    fn tree_value(&self, index: usize) -> Value<'_> {
        let Entry { body, tree, .. } = self.entry(index);
        let text = &self.bytes[body.clone()];
        Value::root(text, body.start, tree.get_or_init(|| Box::new(block::read(text))))
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({} bytes, {} objects)", self.bytes.len(), self.entries.len())
    }
}
