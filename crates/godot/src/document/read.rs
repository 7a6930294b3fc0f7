//! From bytes to the tables of a document: where each section and property stands. Values are only
//! passed over here and decoded when someone asks.

use super::{Faults, Form, Found, MentionKind, Pair, ProblemKind, Record, Tables};
use crate::syntax::{Event, Fault, Group, Scanner, Sink, Span, Token, shorten, value};

/// Each problem makes the reader begin again on the next line, and what it looks for may be as far
/// as the end of the file; a file full of them would take very long.
const MAX_PROBLEMS: usize = 20;

/// A text is read up to so many bytes, its own and those of the tables together, so that a change of
/// it, which holds it twice, and the tree of its nodes find room beside each other.
pub(super) const MAX_WEIGHT: usize = 80 << 20;
/// Bytes that one section, attribute, property or mention takes in the tables.
const ENTRY_WEIGHT: usize = 40;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where everything stands in a text, and what cannot be read of it.
pub(super) fn read(bytes: &[u8], form: Form, most: usize) -> (Tables, Faults) {
    let mut reader = Reader::new(bytes, form, Tables::default(), 0);
    if u32::try_from(bytes.len()).is_err() {
        let fault = Fault::new(0, "files of 4 GiB and more are not read");
        reader.faults.push((ProblemKind::Syntax, fault));
    } else {
        reader.read(most);
    }
    (reader.tables, reader.faults)
}

pub(super) struct Reader<'r> {
    pub(super) tables: Tables,
    pub(super) faults: Faults,
    pub(super) scanner: Scanner<'r>,
    form: Form,
}

impl<'r> Reader<'r> {
    /// A reader that goes on at an item, behind what stands in the tables.
    pub(super) fn new(bytes: &'r [u8], form: Form, tables: Tables, at: usize) -> Reader<'r> {
        Reader { tables, faults: Vec::new(), scanner: Scanner::new(bytes, at), form }
    }

    fn read(&mut self, most: usize) {
        self.skip_mark();
        if self.form == Form::Config {
            self.open_section(Span::new(self.scanner.at, self.scanner.at), Span::default());
        }
        while self.skip_to_item() {
            let start = self.scanner.at;
            if self.weight() > most {
                let count = self.tables.sections.len();
                let message = format!("the file is too large; {count} sections of it are read");
                self.faults.push((ProblemKind::TooLarge, Fault::new(start, message)));
                return;
            }
            let Err(fault) = self.item() else { continue };
            let kind = if fault.is_limit { ProblemKind::TooLarge } else { ProblemKind::Syntax };
            self.faults.push((kind, fault));
            if self.faults.len() >= MAX_PROBLEMS {
                let message = format!("{MAX_PROBLEMS} problems found, the rest is not read");
                self.faults.push((ProblemKind::Syntax, Fault::new(start, message)));
                return;
            }
            self.scanner.at = start;
            self.scanner.skip_line();
        }
    }

    fn weight(&self) -> usize {
        let Tables { sections, attributes, properties, mentions } = &self.tables;
        let entries = sections.len() + attributes.len() + properties.len() + mentions.len();
        self.scanner.bytes.len() + entries * ENTRY_WEIGHT
    }

    /// A tag or a property.
    pub(super) fn item(&mut self) -> Result<(), Fault> {
        match (self.scanner.peek(), self.form) {
            (b'[', Form::Resource) => self.tag(),
            (b'[', Form::Config) => self.simple_tag(),
            _ => self.property(),
        }
    }

    fn skip_mark(&mut self) {
        if !self.scanner.bytes.starts_with(BYTE_ORDER_MARK) {
            return;
        }
        self.scanner.at = BYTE_ORDER_MARK.len();
        if self.form == Form::Resource {
            let message = "the file starts with a byte order mark, which Godot refuses";
            self.faults.push((ProblemKind::Syntax, Fault::new(0, message)));
        }
    }

    /// Skips blanks and comments. Between items the engine skips zeros too.
    pub(super) fn skip_to_item(&mut self) -> bool {
        loop {
            self.scanner.skip_blank();
            if self.scanner.at >= self.scanner.bytes.len() {
                return false;
            }
            if self.scanner.peek() != 0 {
                return true;
            }
            self.scanner.at += 1;
        }
    }

    fn open_section(&mut self, tag: Span, name: Span) {
        self.tables.sections.push(Record {
            tag,
            name,
            attributes: self.tables.attributes.len() as u32,
            properties: self.tables.properties.len() as u32,
        });
    }

    /// `[name attribute=value …]`.
    fn tag(&mut self) -> Result<(), Fault> {
        let start = self.scanner.at;
        self.scanner.expect(b'[')?;
        let Token::Identifier = self.scanner.next()? else {
            return Err(self.scanner.unexpected("the name of a section"));
        };
        let name = Span::new(self.scanner.start, self.scanner.at);
        let (attributes, mentions) = (self.tables.attributes.len(), self.tables.mentions.len());
        match self.attributes() {
            Ok(()) => {
                let tag = Span::new(start, self.scanner.at);
                self.open_section(tag, name);
                if let Some(record) = self.tables.sections.last_mut() {
                    record.attributes = attributes as u32;
                }
                Ok(())
            }
            Err(fault) => {
                self.tables.attributes.truncate(attributes);
                self.tables.mentions.truncate(mentions);
                Err(fault)
            }
        }
    }

    fn attributes(&mut self) -> Result<(), Fault> {
        loop {
            match self.scanner.next()? {
                Token::Mark(b']') => return Ok(()),
                Token::Identifier => {}
                _ => return Err(self.scanner.unexpected("an attribute or `]`")),
            }
            let key = Span::new(self.scanner.start, self.scanner.at);
            self.scanner.expect(b'=')?;
            let value = self.value()?;
            self.tables.attributes.push(Pair { key, value });
        }
    }

    /// `[any text]`; `\]` does not end it.
    fn simple_tag(&mut self) -> Result<(), Fault> {
        let start = self.scanner.at;
        let rest = &self.scanner.bytes[start + 1..];
        let ends = memchr::memchr2_iter(b']', b'\n', rest);
        let mut ends =
            ends.filter(|end| *end == 0 || rest[*end - 1] != b'\\' || rest[*end] == b'\n');
        // The engine would go on in the next line and take all of it for the name.
        let Some(end) = ends.next().filter(|end| rest[*end] == b']') else {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let name = shorten(String::from_utf8_lossy(line).trim());
            return Err(Fault::new(start, format!("the section `[{name}` has no `]`")));
        };
        let name = &rest[..end];
        let left = name.len() - name.trim_ascii_start().len();
        let name = Span::new(start + 1 + left, start + 1 + left + name.trim_ascii().len());
        self.scanner.at = start + 1 + end + 1;
        self.open_section(Span::new(start, self.scanner.at), name);
        Ok(())
    }

    fn property(&mut self) -> Result<(), Fault> {
        let mentions = self.tables.mentions.len();
        let read = self.key_and_value();
        // What a dropped value points to is nobody's.
        if !matches!(read, Ok(Some(_))) {
            self.tables.mentions.truncate(mentions);
        }
        self.tables.properties.extend(read?);
        Ok(())
    }

    fn key_and_value(&mut self) -> Result<Option<Pair>, Fault> {
        let Some(key) = self.key()? else { return Ok(None) };
        let value = self.value().map_err(|fault| {
            let key = String::from_utf8_lossy(&self.scanner.bytes[key.range()]);
            let message = format!("the value of `{}`: {}", shorten(&key), fault.message);
            Fault { message, ..fault }
        })?;
        if self.tables.sections.is_empty() {
            return Err(Fault::new(key.range().start, "a property stands before any section"));
        }
        Ok(Some(Pair { key, value }))
    }

    /// All up to `=`, which is skipped; nothing when there is none on the line.
    fn key(&mut self) -> Result<Option<Span>, Fault> {
        let start = self.scanner.at;
        let mut end = start;
        loop {
            match self.scanner.peek() {
                b'=' => break,
                b'"' => self.scanner.string()?,
                b';' | b'\n' => {
                    self.scanner.skip_blank();
                    if self.scanner.peek() == b'=' {
                        break;
                    }
                    return self.without_equals(start, end);
                }
                0 if self.scanner.at >= self.scanner.bytes.len() => {
                    return self.without_equals(start, end);
                }
                0..=b' ' => {
                    self.scanner.at += 1;
                    continue;
                }
                _ => self.scanner.at += 1,
            }
            end = self.scanner.at;
        }
        self.scanner.at += 1;
        if start == end {
            self.faults.push((ProblemKind::Doubt, Fault::new(start, "a value has no key")));
            self.value()?;
            return Ok(None);
        }
        Ok(Some(Span::new(start, end)))
    }

    /// The engine joins such a text with what follows: with the next key, or with the next tag,
    /// which it does not see then.
    fn without_equals(&mut self, start: usize, end: usize) -> Result<Option<Span>, Fault> {
        let text = String::from_utf8_lossy(&self.scanner.bytes[start..end]);
        let message = format!("`{}` is neither a section nor `key=value`", shorten(text.trim()));
        let fault = Fault::new(start, message);
        // Many of them are as bad as many faults, and reported as such.
        let count = self.faults.iter().filter(|(kind, _)| *kind == ProblemKind::Doubt).count();
        if count >= MAX_PROBLEMS / 2 || self.form == Form::Resource && self.hides_a_tag() {
            return Err(fault);
        }
        self.faults.push((ProblemKind::Doubt, fault));
        Ok(None)
    }

    fn hides_a_tag(&self) -> bool {
        let last = self.tables.sections.last().map(|record| record.name.range());
        let name = last.map_or(&b""[..], |range| &self.scanner.bytes[range]);
        self.scanner.peek() == b'[' || !matches!(name, b"node" | b"resource" | b"sub_resource")
    }

    /// Checks a value and notes what it points to.
    #[inline]
    fn value(&mut self) -> Result<Span, Fault> {
        self.scanner.skip_blank();
        let start = self.scanner.at;
        let mut mentions = Mentions { found: &mut self.tables.mentions, open: None };
        value(&mut self.scanner, &mut mentions)?;
        Ok(Span::new(start, self.scanner.at))
    }
}

/// Notes the texts in values that point to something.
struct Mentions<'r> {
    found: &'r mut Vec<Found>,
    open: Option<MentionKind>,
}

impl Sink for Mentions<'_> {
    #[inline]
    fn event(&mut self, event: Event) {
        match event {
            Event::Open(group) => {
                self.open = match group {
                    Group::ExtResource => Some(MentionKind::ExtResource),
                    Group::SubResource => Some(MentionKind::SubResource),
                    Group::Resource => Some(MentionKind::Resource),
                    Group::NodePath => Some(MentionKind::NodePath),
                    _ => None,
                }
            }
            Event::Close => self.open = None,
            Event::String(range) | Event::Number(range) => {
                if let Some(kind) = self.open {
                    let token = Span::new(range.start, range.end);
                    self.found.push(Found { kind, token });
                }
            }
            _ => {}
        }
    }
}
