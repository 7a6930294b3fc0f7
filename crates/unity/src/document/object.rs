//! One object of a file: its header, and the way to the values under it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::value::ValueKind;
use super::{Document, Value};
use crate::{ClassId, FileId, Reference};

/// One object of a document: a header such as `--- !u!1 &1234` and the values under it.
#[derive(Clone, Copy)]
pub struct Object<'d> {
    pub(super) document: &'d Document,
    pub(super) index: usize,
}

impl<'d> Object<'d> {
    /// The file it is in.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// The position among the document's objects.
    pub fn index(self) -> usize {
        self.index
    }

    /// The native class.
    pub fn class_id(self) -> ClassId {
        self.document.entry(self.index).header.class_id
    }

    /// The identity in the file.
    pub fn file_id(self) -> FileId {
        self.document.entry(self.index).header.file_id
    }

    /// True when the object stands for one inside a prefab instance and has hardly any fields.
    pub fn is_stripped(self) -> bool {
        self.document.entry(self.index).header.stripped
    }

    /// The key above all values: `GameObject`, or an older name of the class. Nothing is decoded
    /// for it; use [`value`](Object::value) for what is under it.
    pub fn key(self) -> Option<Cow<'d, str>> {
        let body = &self.document.as_bytes()[self.body_span()];
        let line = &body[..memchr(b'\n', body).unwrap_or(body.len())];
        let key = line.trim_ascii_end().strip_suffix(b":").or_else(|| {
            let colon = memmem::find(line, b": ")?;
            Some(&line[..colon])
        })?;
        match key.first()? {
            byte if byte.is_ascii_whitespace() => None,
            b'#' | b'\'' | b'"' | b'-' | b'{' => None,
            _ => Some(String::from_utf8_lossy(key)),
        }
    }

    /// The name of the class as the file has it, otherwise as the table has it, otherwise
    /// `Class 1234`.
    pub fn class_name(self) -> Cow<'d, str> {
        self.key().unwrap_or_else(|| match self.class_id().name() {
            Some(name) => name.into(),
            None => format!("Class {}", self.class_id()).into(),
        })
    }

    /// All behind the header: a map of which the class is the one key.
    pub fn root(self) -> Value<'d> {
        self.document.tree_value(self.index)
    }

    /// The values under the top key.
    pub fn value(self) -> Value<'d> {
        let root = self.document.tree_value(self.index);
        let mut fields = root.fields();
        match fields.next() {
            Some((_, value)) if root.kind() == ValueKind::Map => value,
            _ => root,
        }
    }

    /// The value at a path under the top key; see [`Value::get`].
    pub fn get(self, path: &str) -> Option<Value<'d>> {
        self.value().get(path)
    }

    /// The keys and values under the top key.
    pub fn fields(self) -> impl Iterator<Item = (Cow<'d, str>, Value<'d>)> {
        self.value().fields()
    }

    /// The plain text of a field right under the top key, found without decoding the object.
    /// Nothing when it is not there, or written in another way than Unity writes one short line;
    /// [`get`](Object::get) reads those.
    pub fn glance(self, key: &str) -> Option<&'d str> {
        let rest = self.behind(key)?;
        let (line, next) = rest.split_at(memchr(b'\n', rest).map_or(rest.len(), |at| at + 1));
        let text = str::from_utf8(line).ok()?.trim();
        // Text goes on in a line that is indented more, or behind an empty one.
        let ends = !next.starts_with(b"   ") && !next.starts_with(b"  -");
        let ends = ends && !matches!(next.first(), Some(b'\n' | b'\r'));
        let is_plain = !text.starts_with(['\'', '"', '{', '[', '|', '>', '&', '*', '!', '#']);
        (ends && is_plain && !text.contains(" #")).then_some(text)
    }

    /// The reference in a field right under the top key, found without decoding the object; see
    /// [`glance`](Object::glance).
    pub fn glance_reference(self, key: &str) -> Option<Reference> {
        super::reference::parse(self.behind(key)?.trim_ascii_start())
    }

    /// Whether this text is anywhere in the object.
    pub(crate) fn mentions(self, text: &str) -> bool {
        memmem::find(&self.document.as_bytes()[self.body_span()], text.as_bytes()).is_some()
    }

    /// What is behind a key that is indented as Unity does, up to the end of the object.
    fn behind(self, key: &str) -> Option<&'d [u8]> {
        let body = &self.document.as_bytes()[self.body_span()];
        let at = memmem::find(body, [b"\n  ", key.as_bytes(), b":"].concat().as_slice())?;
        // Quoted text may have lines that look like keys.
        let is_sure = memchr2(b'\'', b'"', &body[..at]).is_none();
        let rest = &body[at + key.len() + 4..];
        (is_sure && rest.first().is_none_or(u8::is_ascii_whitespace)).then_some(rest)
    }

    /// The references in this object with the offset in the file, without decoding other values.
    pub fn references(self) -> impl Iterator<Item = (usize, Reference)> {
        let body = self.body_span();
        let start = body.start;
        super::scan_references(&self.document.as_bytes()[body])
            .map(move |(offset, reference)| (start + offset, reference))
    }

    /// Header and body, up to the next object.
    pub fn span(self) -> Range<usize> {
        self.header_span().start..self.body_span().end
    }

    /// The header line, without its break.
    pub fn header_span(self) -> Range<usize> {
        self.document.entry(self.index).header.span.clone()
    }

    /// The lines behind the header.
    pub fn body_span(self) -> Range<usize> {
        self.document.entry(self.index).body.clone()
    }

    /// The line of the header, from 1.
    pub fn line(self) -> usize {
        self.document.line(self.header_span().start)
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} &{}", self.class_name(), self.file_id())
    }
}
