//! Changes by spans. New text copies the manners of the file: its line breaks, the blanks around
//! `=`, and the empty lines between sections.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use scenewright_text::Edits;

use super::{ChangeError, Document, Form, Problem, Section};
use crate::Variant;
use crate::syntax::{Scanner, escape_string};

/// The newest format that can be written.
const NEWEST_FORMAT: u32 = 4;

impl Document {
    /// Makes edits and reads the result. When that is broken, nothing changes.
    pub fn edit(&mut self, edits: &Edits) -> Result<(), ChangeError> {
        self.check_writable()?;
        if edits.is_empty() {
            return Ok(());
        }
        let changed = self.reread(edits)?;
        changed.check_writable()?;
        *self = changed;
        Ok(())
    }

    /// An error when the text cannot be changed safely.
    pub fn check_writable(&self) -> Result<(), ChangeError> {
        if let Some(Problem { line, message, .. }) = self.first_unread() {
            return Err(ChangeError::Broken { line: *line, message: message.clone() });
        }
        match self.format() {
            Some(format) if format > NEWEST_FORMAT => Err(ChangeError::Newer { format }),
            _ => Ok(()),
        }
    }

    /// Sets a property of the section at a position, in place or behind its last one.
    pub fn set_property(
        &mut self,
        section: usize,
        key: &str,
        value: &Variant,
    ) -> Result<(), ChangeError> {
        let text = self.value_text(value);
        self.set_property_text(section, key, &text)?;
        self.raise_format(value.needed_format())
    }

    /// The same with a value that is written already. It must be one value and nothing else.
    pub fn set_property_text(
        &mut self,
        section: usize,
        key: &str,
        text: &str,
    ) -> Result<(), ChangeError> {
        if let Err(error) = Variant::parse(text) {
            return Err(ChangeError::Refused(error.to_string()));
        }
        let section = self.expect_section(section)?;
        let mut edits = Edits::default();
        match section.find_property(key) {
            Some(field) => edits.replace(field.value().span(), text),
            None => self.append_property(section, key, text, &mut edits),
        }
        self.edit(&edits)
    }

    /// Sets a property as [`Document::set_property`] does; a new one stands before another, if there
    /// is one.
    pub fn set_property_before(
        &mut self,
        section: usize,
        key: &str,
        value: &Variant,
        next: Option<&str>,
    ) -> Result<(), ChangeError> {
        let found = self.expect_section(section)?;
        let next = next.and_then(|next| found.find_property(next));
        let Some(next) = next.filter(|_| found.property(key).is_none()) else {
            return self.set_property(section, key, value);
        };
        let mut edits = Edits::default();
        let line = self.property_line(key, &self.value_text(value));
        edits.insert(next.key_span().start, [&line, self.newline()].concat());
        self.edit(&edits)?;
        self.raise_format(value.needed_format())
    }

    /// Removes a property with its line; false when there is none.
    pub fn remove_property(&mut self, section: usize, key: &str) -> Result<bool, ChangeError> {
        let section = self.expect_section(section)?;
        let mut edits = Edits::default();
        for field in section.properties().filter(|field| field.key() == key) {
            edits.remove(self.whole_lines(field.span()));
        }
        let is_there = !edits.is_empty();
        self.edit(&edits)?;
        Ok(is_there)
    }

    /// Sets an attribute of a tag, in place or where Godot would write it.
    pub fn set_attribute(
        &mut self,
        section: usize,
        key: &str,
        value: &Variant,
    ) -> Result<(), ChangeError> {
        let mut edits = Edits::default();
        let section = self.expect_section(section)?;
        self.edit_attribute(section, key, Some(&self.value_text(value)), &mut edits)?;
        self.edit(&edits)
    }

    /// Removes an attribute of a tag; false when there is none.
    pub fn remove_attribute(&mut self, section: usize, key: &str) -> Result<bool, ChangeError> {
        let mut edits = Edits::default();
        self.edit_attribute(self.expect_section(section)?, key, None, &mut edits)?;
        let is_there = !edits.is_empty();
        self.edit(&edits)?;
        Ok(is_there)
    }

    /// Removes a section with all its properties.
    pub fn remove_section(&mut self, section: usize) -> Result<(), ChangeError> {
        self.expect_section(section)?;
        self.remove_sections(&[section])
    }

    /// Removes several sections.
    pub fn remove_sections(&mut self, indexes: &[usize]) -> Result<(), ChangeError> {
        let mut edits = Edits::default();
        self.edit_remove_sections(indexes, &mut edits);
        self.edit(&edits)
    }

    /// A value as this file would write it.
    pub fn value_text(&self, value: &Variant) -> String {
        let format = value.needed_format().max(self.value_format());
        // What needs the newest format cannot be said in the oldest.
        let format = if self.value_format() == 2 { 2 } else { format };
        value.to_text_with(format, self.newline()).trim_end_matches(['\r', '\n']).to_owned()
    }

    /// The format of values: that of the header, or of the version of the settings.
    pub fn value_format(&self) -> u32 {
        match self.form {
            Form::Resource => self.format().unwrap_or(3),
            Form::Config => {
                let version =
                    self.sections().next().and_then(|head| head.property("config_version"));
                match version.and_then(|version| version.as_int()) {
                    Some(..=4) => 2,
                    _ => 3,
                }
            }
        }
    }

    /// The line break of the file.
    pub fn newline(&self) -> &'static str {
        match memchr::memchr(b'\n', &self.bytes) {
            Some(at) if at > 0 && self.bytes[at - 1] == b'\r' => "\r\n",
            _ => "\n",
        }
    }

    /// Raises the format of the header when a value needs it.
    pub(crate) fn raise_format(&mut self, needed: u32) -> Result<(), ChangeError> {
        match self.format() {
            Some(format @ 3..) if format < needed => {
                self.set_attribute(0, "format", &Variant::int(needed.into()))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn expect_section(&self, index: usize) -> Result<Section<'_>, ChangeError> {
        self.section(index).ok_or_else(|| ChangeError::not_found("section", index.to_string()))
    }

    fn append_property(&self, section: Section<'_>, key: &str, text: &str, edits: &mut Edits) {
        let line = self.property_line(key, text);
        let newline = self.newline();
        if section.properties().len() > 0 || self.form == Form::Resource {
            return edits.insert(self.line_end(section.span().end), [newline, &line].concat());
        }
        if section.index() > 0 {
            // Settings have an empty line below the tag.
            let text = [newline, newline, &line].concat();
            return edits.insert(self.line_end(section.span().end), text);
        }
        match self.section(1) {
            Some(next) => {
                edits.insert(next.tag_span().start, [&line, newline, newline].concat());
            }
            None => {
                let ends_line = self.bytes.last().is_none_or(|byte| *byte == b'\n');
                let before = if ends_line { "" } else { newline };
                edits.insert(self.bytes.len(), [before, &line, newline].concat());
            }
        }
    }

    pub(crate) fn property_line(&self, key: &str, text: &str) -> String {
        let equals = if self.form == Form::Resource { " = " } else { "=" };
        [&*quoted_key(key), equals, text].concat()
    }

    /// Sets or removes an attribute.
    pub(crate) fn edit_attribute(
        &self,
        section: Section<'_>,
        key: &str,
        text: Option<&str>,
        edits: &mut Edits,
    ) -> Result<(), ChangeError> {
        if self.form == Form::Config {
            return Err(ChangeError::Refused("sections of settings have no attributes".into()));
        }
        check_identifier(key)?;
        match (section.find_attribute(key), text) {
            (Some(field), Some(text)) => edits.replace(field.value().span(), text),
            (Some(field), None) => {
                let start = self.blank_start(field.span().start);
                edits.remove(start..field.span().end);
            }
            (None, Some(text)) => {
                let mut before =
                    section.attributes().filter(|field| rank(&field.key()) <= rank(key));
                let place = before.next_back().map_or_else(
                    || section.tag_span().start + 1 + section.name().len(),
                    |field| field.span().end,
                );
                edits.insert(place, format!(" {key}={text}"));
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Where the blanks before an offset start.
    fn blank_start(&self, offset: usize) -> usize {
        let before = &self.bytes[..offset];
        before.len() - before.iter().rev().take_while(|byte| **byte <= b' ').count()
    }

    /// The end of the line of an offset, before its line break; the offset itself when more than a
    /// comment stands behind it.
    pub(crate) fn line_end(&self, offset: usize) -> usize {
        let mut scanner = Scanner::new(&self.bytes, offset);
        while matches!(scanner.peek(), b' ' | b'\t') {
            scanner.at += 1;
        }
        if scanner.peek() == b';' {
            scanner.skip_line();
            let line = &self.bytes[offset..scanner.at];
            let text =
                line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            return offset + text.unwrap_or(line).len();
        }
        match &self.bytes[scanner.at..] {
            [] | [b'\n', ..] | [b'\r', b'\n', ..] => scanner.at,
            _ => offset,
        }
    }

    /// The offset behind the line break at an offset, if there is one.
    fn behind_break(&self, offset: usize) -> usize {
        match &self.bytes[offset..] {
            [b'\r', b'\n', ..] => offset + 2,
            [b'\n', ..] => offset + 1,
            _ => offset,
        }
    }

    fn is_line_start(&self, offset: usize) -> bool {
        offset == 0 || self.bytes[offset - 1] == b'\n'
    }

    /// A span with the rest of its lines, when nothing else stands on them.
    pub(crate) fn whole_lines(&self, span: Range<usize>) -> Range<usize> {
        let end = self.line_end(span.end);
        let is_alone = self.is_line_start(span.start)
            && (end == self.bytes.len() || self.behind_break(end) > end);
        match is_alone {
            true => span.start..self.behind_break(end),
            false => span,
        }
    }

    /// Removes sections with their lines and the empty lines that would be left over.
    pub(crate) fn edit_remove_sections(&self, indexes: &[usize], edits: &mut Edits) {
        let indexes: BTreeSet<_> = indexes.iter().copied().collect();
        let is_removed = |section: &Section<'_>| indexes.contains(&section.index());
        let kept = self.sections().rev().find(|section| !is_removed(section));
        let tail = kept.map_or(0, |kept| kept.index() + 1);
        // The end of a run of lines that stood apart as a whole.
        let mut run_end = None;
        for section in self.sections().filter(is_removed) {
            let mut lines = self.whole_lines(section.span());
            let is_apart = self.is_apart(lines.start) || run_end == Some(lines.start);
            run_end = is_apart.then_some(lines.end);
            if section.index() >= tail || is_apart {
                while self.behind_break(lines.end) > lines.end {
                    lines.end = self.behind_break(lines.end);
                }
            }
            // The last section that stays ends the file without an empty line.
            let is_first_of_tail = section.index() == tail && tail > 0;
            while is_first_of_tail && lines.start > 0 && self.is_apart(lines.start) {
                lines.start -= if self.bytes[..lines.start].ends_with(b"\r\n") { 2 } else { 1 };
            }
            edits.remove(lines);
        }
    }

    /// True when an empty line or nothing is above an offset.
    fn is_apart(&self, offset: usize) -> bool {
        let above = &self.bytes[..offset];
        above.is_empty() || above.ends_with(b"\n\n") || above.ends_with(b"\n\r\n")
    }
}

/// An error unless a name can stand in the text without quotes.
pub(super) fn check_identifier(name: &str) -> Result<(), ChangeError> {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !name.is_empty() && name.bytes().all(is_good) && !name.as_bytes()[0].is_ascii_digit() {
        return Ok(());
    }
    let why = "letters, digits and `_` are allowed, and no digit first";
    Err(ChangeError::BadName { name: name.into(), why })
}

/// The place of an attribute among those that Godot writes; unknown ones come last.
fn rank(key: &str) -> usize {
    const ORDER: [&str; 24] = [
        "name",
        "type",
        "script_class",
        "load_steps",
        "format",
        "uid",
        "path",
        "id",
        "signal",
        "from",
        "to",
        "method",
        "flags",
        "unbinds",
        "binds",
        "parent",
        "parent_id_path",
        "owner",
        "owner_uid_path",
        "index",
        "unique_id",
        "node_paths",
        "groups",
        "instance_placeholder",
    ];
    let place = ORDER.iter().position(|known| *known == key);
    place.unwrap_or(ORDER.len() + usize::from(key != "instance"))
}

/// A key as Godot writes it: quoted when it holds anything unusual.
fn quoted_key(key: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"=\";[]".contains(&byte);
    match !key.is_empty() && key.bytes().all(is_plain) {
        true => Cow::Borrowed(key),
        false => Cow::Owned(format!("\"{}\"", escape_string(key))),
    }
}
