use super::{Document, Value, value::ValueKind};
use crate::{ClassId, FileId, Reference};
use memchr::memchr;
use std::{borrow::Cow, fmt, ops::Range};

/// One object of a document: a header such as `--- !u!1 &1234` and the values under it.
#[derive(Clone, Copy)]
pub struct Object<'d> {
    pub(super) document: &'d Document,
    pub(super) index: usize,
}

impl<'d> Object<'d> {
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
            let colon = memchr::memmem::find(line, b": ")?;
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
