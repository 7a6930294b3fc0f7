//! Sections, properties and values, as readers see them.

use std::borrow::Cow;
use std::ops::Range;

use super::{Document, Form, Mention, Pair, Record};
use crate::Variant;
use crate::syntax::{Scanner, decode_string};

/// A section of a document.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    pub(super) document: &'a Document,
    pub(super) index: usize,
}

/// An attribute of a tag or a property below it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    document: &'a Document,
    pair: Pair,
}

/// A value where it stands; decoded when asked for.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Section<'a> {
    /// Where it stands among the sections.
    pub fn index(self) -> usize {
        self.index
    }

    /// The first word of the tag, or all of it in settings; empty for the section without a tag.
    pub fn name(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.raw_name())
    }

    /// Whether the first word of the tag is this.
    pub fn is_named(self, name: &str) -> bool {
        self.raw_name() == name.as_bytes()
    }

    pub(super) fn raw_name(self) -> &'a [u8] {
        &self.document.bytes[self.record().name.range()]
    }

    /// The tag with its brackets; empty for the section without a tag.
    pub fn tag_span(self) -> Range<usize> {
        self.record().tag.range()
    }

    /// From the tag to the end of the last property, or of the tag when there is none.
    pub fn span(self) -> Range<usize> {
        let tag = self.tag_span();
        let last = self.pairs(|record| record.properties, &self.document.tables.properties).last();
        tag.start..last.map_or(tag.end, |pair| pair.value.range().end.max(tag.end))
    }

    /// The line of the tag, from 1.
    pub fn line(self) -> usize {
        self.document.position(self.tag_span().start).0
    }

    /// True for `[gd_scene …]` and `[gd_resource …]`.
    pub fn is_header(&self) -> bool {
        self.document.form == Form::Resource && matches!(&*self.name(), "gd_scene" | "gd_resource")
    }

    /// The attributes of the tag in file order.
    pub fn attributes(self) -> impl DoubleEndedIterator<Item = Field<'a>> {
        let pairs = self.pairs(|record| record.attributes, &self.document.tables.attributes);
        pairs.iter().map(move |pair| Field { document: self.document, pair: *pair })
    }

    /// The value of an attribute; of several the last one, as in the engine.
    pub fn attribute(self, name: &str) -> Option<Value<'a>> {
        self.find_attribute(name).map(Field::value)
    }

    /// An attribute; of several the last one.
    pub fn find_attribute(self, name: &str) -> Option<Field<'a>> {
        self.attributes().rev().find(|field| field.raw_key() == name.as_bytes())
    }

    /// The text of an attribute that is a string or a number.
    pub fn attribute_text(self, name: &str) -> Option<Cow<'a, str>> {
        self.attribute(name)?.as_text()
    }

    /// The properties in file order.
    pub fn properties(self) -> impl DoubleEndedIterator<Item = Field<'a>> + ExactSizeIterator {
        let pairs = self.pairs(|record| record.properties, &self.document.tables.properties);
        pairs.iter().map(move |pair| Field { document: self.document, pair: *pair })
    }

    /// The value of a property; of several the last one, as in the engine.
    pub fn property(self, key: &str) -> Option<Value<'a>> {
        self.find_property(key).map(Field::value)
    }

    /// A property; of several the last one.
    pub fn find_property(self, key: &str) -> Option<Field<'a>> {
        self.properties().rev().find(|field| field.key() == key)
    }

    /// The texts in its tag and properties that point to something.
    pub fn mentions(self) -> impl Iterator<Item = Mention<'a>> {
        self.document.mentions_in(self.span())
    }

    fn record(self) -> &'a Record {
        &self.document.tables.sections[self.index]
    }

    fn pairs(self, at: fn(&Record) -> u32, table: &'a [Pair]) -> &'a [Pair] {
        let next = self.document.tables.sections.get(self.index + 1);
        let end = next.map_or(table.len(), |record| at(record) as usize);
        &table[at(self.record()) as usize..end]
    }
}

impl<'a> Field<'a> {
    /// The key, without quotes.
    pub fn key(self) -> Cow<'a, str> {
        let raw = self.raw_key();
        let is_plain = |byte: &u8| *byte > b' ' && !matches!(byte, b'"' | b';');
        if raw.iter().all(is_plain) {
            return String::from_utf8_lossy(raw);
        }
        Cow::Owned(odd_key(raw))
    }

    /// Where the key stands, quotes included.
    pub fn key_span(self) -> Range<usize> {
        self.pair.key.range()
    }

    /// The value.
    pub fn value(self) -> Value<'a> {
        let span = self.pair.value.range();
        Value { start: span.start, bytes: &self.document.bytes[span] }
    }

    /// From the key to the end of the value.
    pub fn span(self) -> Range<usize> {
        self.key_span().start..self.pair.value.range().end
    }

    /// The line of the key, from 1.
    pub fn line(self) -> usize {
        self.document.position(self.key_span().start).0
    }

    fn raw_key(self) -> &'a [u8] {
        &self.document.bytes[self.pair.key.range()]
    }
}

/// A key with quotes or blanks. As in the engine, blanks and comments do not count, and a quoted
/// part replaces all that stands before it.
fn odd_key(raw: &[u8]) -> String {
    let mut key = Vec::new();
    let mut scanner = Scanner::new(raw, 0);
    while scanner.at < raw.len() {
        match scanner.peek() {
            b';' => scanner.skip_line(),
            b'"' => {
                let start = scanner.at;
                if scanner.string().is_err() {
                    break;
                }
                key = decode_string(&raw[start..scanner.at]).into_owned().into_bytes();
            }
            byte => {
                scanner.at += 1;
                key.extend((byte > b' ').then_some(byte));
            }
        }
    }
    String::from_utf8_lossy(&key).into_owned()
}

impl<'a> Value<'a> {
    /// Where it stands.
    pub fn span(self) -> Range<usize> {
        self.start..self.start + self.bytes.len()
    }

    /// The bytes as written.
    pub fn raw_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The text as written; invalid UTF-8 becomes `�`.
    pub fn raw(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes)
    }

    /// The value itself.
    pub fn decode(self) -> Variant {
        Variant::decode(self.bytes)
    }

    /// The text of a string or string name.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let is_string = matches!(self.bytes.first(), Some(b'"' | b'&' | b'@'));
        is_string.then(|| decode_string(self.bytes))
    }

    /// The text of a string or string name, or a number as written.
    pub fn as_text(self) -> Option<Cow<'a, str>> {
        let is_number = matches!(self.bytes.first(), Some(b'-' | b'0'..=b'9'));
        self.as_str().or_else(|| is_number.then(|| self.raw()))
    }

    /// The value of a whole number.
    pub fn as_int(self) -> Option<i64> {
        matches!(self.bytes.first(), Some(b'-' | b'0'..=b'9')).then(|| self.decode().as_int())?
    }
}
