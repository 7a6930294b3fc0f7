//! Godot's text files, lossless: the bytes as they were given, and spans into them.
//!
//! Reading never fails. What the engine would refuse is a [`Problem`], and all around it is still
//! there to be asked for.

mod check;
mod code;
mod edit;
mod error;
mod problem;
mod read;
mod reread;
mod resources;
mod section;
mod texts;

#[cfg(test)]
mod tests;

pub use code::InnerCode;
pub use error::ChangeError;
pub use problem::{Problem, ProblemKind};
pub use resources::{ExtResource, SubResource, Unused};
pub use section::{Field, Section, Value};
pub use texts::Text;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use scenewright_text::LineIndex;

use crate::syntax::{Fault, Span, decode_string};

/// A `.tscn`, `.tres`, `project.godot`, `.import`, `.cfg` or `.gdextension` file. What was read is
/// shared by all clones; an edit makes new text and leaves the clones with the old one.
#[derive(Clone)]
pub struct Document {
    bytes: Arc<Vec<u8>>,
    form: Form,
    /// So many bytes text and tables may take.
    most: usize,
    tables: Arc<Tables>,
    /// What could not be read.
    faults: Arc<Faults>,
    /// That, and what the engine refuses of what was read; found out when somebody asks.
    problems: Arc<OnceLock<Vec<Problem>>>,
    lines: Arc<OnceLock<LineIndex>>,
}

/// Where everything stands in the bytes, in file order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tables {
    sections: Vec<Record>,
    attributes: Vec<Pair>,
    properties: Vec<Pair>,
    mentions: Vec<Found>,
}

/// What is wrong with a text, in any order.
type Faults = Vec<(ProblemKind, Fault)>;

/// Which of the two ways a file writes its sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Scenes and resources: `[node name="A"]` and `key = value`.
    Resource,
    /// Settings: `[any text]` and `key=value`, keys before the first section allowed.
    Config,
}

impl Form {
    /// The form of a file by its name; nothing when Godot would not read it as such a text.
    pub fn of_path(path: &Path) -> Option<Form> {
        let name = path.file_name()?.to_str()?;
        let extension = name.rsplit_once('.')?.1;
        match extension.to_ascii_lowercase().as_str() {
            "tscn" | "tres" | "escn" => Some(Form::Resource),
            "godot" | "import" | "cfg" | "gdextension" | "gdnlib" | "remap" => Some(Form::Config),
            _ => None,
        }
    }
}

/// A section: its tag, and where its attributes and properties stand in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Record {
    tag: Span,
    name: Span,
    attributes: u32,
    properties: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    key: Span,
    value: Span,
}

/// A value that points to something by a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MentionKind {
    /// `ExtResource("id")`.
    ExtResource,
    /// `SubResource("id")`.
    SubResource,
    /// `Resource("path")`; a second text is a mention of its own.
    Resource,
    /// `NodePath("path")`.
    NodePath,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    kind: MentionKind,
    token: Span,
}

/// A text inside a value that points to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// What it points to.
    pub kind: MentionKind,
    /// The id or path.
    pub text: Cow<'a, str>,
    /// Where the text stands, its quotes included.
    pub span: Range<usize>,
}

impl Document {
    /// Reads what it can; the rest becomes problems.
    pub fn parse(bytes: impl Into<Vec<u8>>, form: Form) -> Document {
        Document::parse_within(bytes, form, read::MAX_WEIGHT)
    }

    /// The same with another limit of how many bytes the text and what is known of it take. What is made
    /// from it by edits has the same one.
    pub fn parse_within(bytes: impl Into<Vec<u8>>, form: Form, most: usize) -> Document {
        let bytes = bytes.into();
        let (tables, faults) = read::read(&bytes, form, most);
        Document::of(bytes, form, most, tables, faults)
    }

    /// Another text of the same form, read up to the same limit.
    pub fn parse_like(&self, bytes: impl Into<Vec<u8>>) -> Document {
        Document::parse_within(bytes, self.form, self.most)
    }

    /// A text of which this was read.
    fn of(bytes: Vec<u8>, form: Form, most: usize, tables: Tables, faults: Faults) -> Document {
        Document {
            bytes: Arc::new(bytes),
            form,
            most,
            tables: Arc::new(tables),
            faults: Arc::new(faults),
            problems: Arc::default(),
            lines: Arc::default(),
        }
    }

    /// The bytes as they were given.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// The bytes as they were given.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as they were given, without a copy of them.
    pub fn shared_bytes(&self) -> Arc<Vec<u8>> {
        self.bytes.clone()
    }

    /// Whether another one is a clone of this.
    pub(crate) fn is_same(&self, other: &Document) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// How the file writes its sections.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The sections in file order. The first one of a settings file has no tag and holds the keys
    /// before any.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = Section<'_>> + DoubleEndedIterator {
        (0..self.tables.sections.len()).map(|index| Section { document: self, index })
    }

    /// The section at a position.
    pub fn section(&self, index: usize) -> Option<Section<'_>> {
        (index < self.tables.sections.len()).then_some(Section { document: self, index })
    }

    /// The first section of this name.
    pub fn find_section(&self, name: &str) -> Option<Section<'_>> {
        self.sections().find(|section| section.name() == name)
    }

    /// The section that an offset is in.
    pub fn section_at(&self, offset: usize) -> Option<Section<'_>> {
        let after =
            self.tables.sections.partition_point(|record| record.tag.range().start <= offset);
        self.section(after.checked_sub(1)?)
    }

    /// All texts in values that point to something, in file order.
    pub fn mentions(&self) -> impl DoubleEndedIterator<Item = Mention<'_>> {
        self.tables.mentions.iter().map(|found| self.mention(found))
    }

    /// The mentions in a span.
    pub fn mentions_in(&self, span: Range<usize>) -> impl Iterator<Item = Mention<'_>> {
        let first =
            self.tables.mentions.partition_point(|found| found.token.range().start < span.start);
        let rest = self.tables.mentions[first..].iter();
        let inside = rest.take_while(move |found| found.token.range().end <= span.end);
        inside.map(|found| self.mention(found))
    }

    /// What the engine would refuse or misread, in file order.
    pub fn problems(&self) -> &[Problem] {
        self.problems.get_or_init(|| self.find_problems())
    }

    fn find_problems(&self) -> Vec<Problem> {
        let mut faults = (*self.faults).clone();
        if self.form == Form::Resource {
            check::check(self, &mut faults);
        }
        faults.sort_by_key(|(_, fault)| fault.at);
        let problems = faults.into_iter().map(|(kind, Fault { at, message, .. })| {
            let (line, column) = self.position(at);
            Problem { kind, message, offset: at, line, column }
        });
        problems.collect()
    }

    /// The first part of the text that could not be read.
    pub fn first_unread(&self) -> Option<&Problem> {
        match self.faults.is_empty() {
            true => None,
            false => self.problems().iter().find(|problem| problem.is_unread()),
        }
    }

    /// True when all of the text could be read, whether or not the engine would accept it.
    pub fn is_sound(&self) -> bool {
        self.first_unread().is_none()
    }

    /// The line and the column of an offset, both from 1; the column counts characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        let lines = self.lines.get_or_init(|| LineIndex::new(&self.bytes));
        let line = lines.line(&self.bytes, offset);
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
    }

    /// The format that the header tells: 2 for Godot 3, then 3 and 4. Settings have none.
    pub fn format(&self) -> Option<u32> {
        let header = self.sections().next().filter(Section::is_header)?;
        header.attribute("format")?.as_int()?.try_into().ok()
    }

    /// The uid that the header tells, with its `uid://`.
    pub fn uid(&self) -> Option<Cow<'_, str>> {
        let header = self.sections().next().filter(Section::is_header)?;
        header.attribute("uid")?.as_str()
    }

    fn mention(&self, found: &Found) -> Mention<'_> {
        let span = found.token.range();
        let token = &self.bytes[span.clone()];
        let text = match token.first() {
            Some(b'"') => decode_string(token),
            _ => String::from_utf8_lossy(token),
        };
        Mention { kind: found.kind, text, span }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({} bytes, {} sections)", self.bytes.len(), self.tables.sections.len())
    }
}
