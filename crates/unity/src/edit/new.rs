//! Values that are to be written, spelled as Unity spells them.

use std::fmt::Write;

use super::Manner;
use crate::{FileId, Reference, Value, ValueKind, ValueStyle};

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub enum New {
    /// Text, quoted where Unity quotes.
    Text(String),
    /// A number, as it is.
    Number(String),
    /// `{fileID: 1}`, or with guid and type.
    Reference(Reference),
    /// A list.
    List(Vec<New>),
    /// Keys with values on lines of their own.
    Map(Vec<(String, New)>),
    /// `{x: 0, y: 1}`.
    Flow(Vec<(String, New)>),
}

/// From here on down numbers have an exponent.
const TINY: f64 = 1e-9;
/// From here on up numbers have an exponent.
const HUGE: f64 = 1e10;

impl New {
    /// A number of single precision: the shortest text that reads back as the same.
    pub fn float(value: f32) -> New {
        New::Number(number(f64::from(value), &value.to_string(), &format!("{value:e}")))
    }

    /// A number of double precision.
    pub fn double(value: f64) -> New {
        New::Number(number(value, &value.to_string(), &format!("{value:e}")))
    }

    /// A whole number.
    pub fn int(value: i64) -> New {
        New::Number(value.to_string())
    }

    /// `1` or `0`.
    pub fn bool(value: bool) -> New {
        New::int(value.into())
    }

    /// A reference to an object of the same file.
    pub fn local(id: FileId) -> New {
        New::Reference(Reference { file_id: id, guid: None, kind: 0 })
    }

    /// `{x: 0, y: 1, z: 0}` and its like.
    pub fn flow<const N: usize>(parts: [(&str, f32); N]) -> New {
        New::Flow(parts.map(|(key, value)| (key.to_owned(), New::float(value))).to_vec())
    }

    /// A value of a file, to be written again.
    pub fn copy_of(value: Value<'_>) -> New {
        let fields = || value.fields().map(|(key, value)| (key.into_owned(), New::copy_of(value)));
        match (value.kind(), value.style()) {
            (ValueKind::Map, ValueStyle::Flow) => New::Flow(fields().collect()),
            (ValueKind::Map, _) => New::Map(fields().collect()),
            (ValueKind::Sequence, _) => New::List(value.items().map(New::copy_of).collect()),
            (ValueKind::Scalar, _) if value.as_f64().is_some() => {
                New::Number(value.text().into_owned())
            }
            (ValueKind::Scalar, _) => New::Text(value.text().into_owned()),
        }
    }

    /// The text of it in a column of a line that is indented so far.
    pub fn spelled(&self, column: usize, indent: usize, manner: Manner) -> String {
        self.inline(column, indent, manner)
    }

    /// Adds what stands behind `key:`, whose column is `indent`; `column` is where the text is now.
    pub(super) fn push(&self, out: &mut String, column: usize, indent: usize, manner: Manner) {
        match self {
            New::List(items) if !items.is_empty() => {
                for item in items {
                    out.push_str(manner.line_break);
                    item.push_item(out, indent, manner);
                }
            }
            New::Map(fields) if !fields.is_empty() => {
                for (key, value) in fields {
                    out.push_str(manner.line_break);
                    push_field(out, key, value, indent + 2, manner);
                }
            }
            other => {
                out.push(' ');
                out.push_str(&other.inline(column + 1, indent, manner));
            }
        }
    }

    /// Adds a line `- item`, and more where it needs them.
    pub(super) fn push_item(&self, out: &mut String, indent: usize, manner: Manner) {
        out.push_str(&" ".repeat(indent));
        out.push('-');
        match self {
            New::Map(fields) if !fields.is_empty() => {
                for (place, (key, value)) in fields.iter().enumerate() {
                    let mut line = String::new();
                    push_field(&mut line, key, value, indent + 2, manner);
                    match place {
                        // The first field stands behind the dash.
                        0 => out.push_str(&line[indent + 1..]),
                        _ => {
                            out.push_str(manner.line_break);
                            out.push_str(&line);
                        }
                    }
                }
            }
            New::List(items) if !items.is_empty() => {
                for (place, item) in items.iter().enumerate() {
                    let mut line = String::new();
                    item.push_item(&mut line, indent + 2, manner);
                    match place {
                        0 => out.push_str(&line[indent + 1..]),
                        _ => {
                            out.push_str(manner.line_break);
                            out.push_str(&line);
                        }
                    }
                }
            }
            other => {
                out.push(' ');
                out.push_str(&other.inline(indent + 2, indent, manner));
            }
        }
    }

    /// On one line, as far as that is not too long; what has lines of its own only when it is empty.
    pub(super) fn inline(&self, column: usize, indent: usize, manner: Manner) -> String {
        match self {
            New::Text(text) => spell_lines(text, column, indent, manner),
            New::Number(text) => text.clone(),
            New::Reference(to) => manner.reference(*to, column, indent),
            New::List(_) => "[]".to_owned(),
            New::Map(_) => "{}".to_owned(),
            New::Flow(fields) => {
                let (mut text, mut start) = (String::from("{"), 0);
                for (place, (key, value)) in fields.iter().enumerate() {
                    let mut comma = if place > 0 { ", " } else { "" };
                    // The comma itself counts, what is behind it does not.
                    if place > 0 && manner.breaks_behind(column + text.len() - start + 1) {
                        text.push(',');
                        text.push_str(manner.line_break);
                        start = text.len() + column;
                        text.push_str(&" ".repeat(indent + 2));
                        comma = "";
                    }
                    let value = match value {
                        New::Text(text) => spell(text, true),
                        other => other.inline(0, 0, manner),
                    };
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{comma}{key}: {value}");
                }
                text + "}"
            }
        }
    }
}

/// Adds a line `key: value`, and more where the value needs them.
pub(super) fn push_field(out: &mut String, key: &str, value: &New, indent: usize, manner: Manner) {
    let key = match key.is_empty() || spell(key, true) != key {
        // Of a fixed list, such as `m_MeshMetrics[0]`.
        true if key.contains('[') && spell(key, false) == key => manner.path(key),
        true => format!("'{}'", key.replace('\'', "''")),
        false => key.to_owned(),
    };
    out.push_str(&" ".repeat(indent));
    out.push_str(&key);
    out.push(':');
    value.push(out, indent + key.len() + 1, indent, manner);
}

/// A number as Unity writes it: with an exponent, and its sign, where it would get long.
fn number(value: f64, plain: &str, exponent: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    match size == 0.0 || (TINY..HUGE).contains(&size) {
        true => plain.to_owned(),
        false if exponent.contains("e-") => exponent.to_owned(),
        false => exponent.replace('e', "e+"),
    }
}

/// Text as Unity spells it: plain, in single quotes, or with escapes in double quotes.
pub(super) fn spell(text: &str, in_flow: bool) -> String {
    const STARTS: &[char] = &[
        '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@',
        '`', ' ',
    ];
    if text.chars().any(|c| c.is_control() || !c.is_ascii()) {
        return escaped(text);
    }
    // A dash begins a list before a blank only, and otherwise Unity leaves it plain.
    let is_word =
        text.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(' '));
    let is_quoted = (text.starts_with(STARTS) && !is_word)
        || text.ends_with([' ', ':'])
        || text.contains(": ")
        || text.contains(" #")
        || (in_flow && text.contains([',', '[', ']', '{', '}']));
    match is_quoted {
        true => format!("'{}'", text.replace('\'', "''")),
        false => text.to_owned(),
    }
}

/// The same where it may take several lines: text with line breaks and nothing else that is special
/// stands in single quotes, with an empty line for each break.
fn spell_lines(text: &str, column: usize, indent: usize, manner: Manner) -> String {
    let is_plain = |c: char| c == '\n' || (c.is_ascii() && !c.is_control());
    let has_space_beside = text.contains(" \n") || text.contains("\n ");
    if !text.contains('\n') || has_space_beside || !text.chars().all(is_plain) {
        return manner.text(&spell(text, false), column, indent);
    }
    let quoted = text.replace('\'', "''");
    let (mut out, mut rest, mut column) = (String::from("'"), &*quoted, column + 1);
    while let Some((line, behind)) = rest.split_once('\n') {
        rest = behind.trim_start_matches('\n');
        // The line ends, and each break is an empty line.
        let breaks = 2 + behind.len() - rest.len();
        out.push_str(&manner.cut(line, false, column, indent));
        column = indent + 2;
        out.push_str(&manner.line_break.repeat(breaks));
        // Behind the last break only the quote follows, at the start of its line.
        out.push_str(&" ".repeat(if rest.is_empty() { 0 } else { indent + 2 }));
    }
    out + &manner.cut(rest, false, column, indent) + "'"
}

fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            '\n' => write!(out, "\\n"),
            '\t' => write!(out, "\\t"),
            '\r' => write!(out, "\\r"),
            '"' => write!(out, "\\\""),
            '\\' => write!(out, "\\\\"),
            '\u{a0}' => write!(out, "\\_"),
            ' '..='~' => write!(out, "{c}"),
            c if (c as u32) < 0x100 => write!(out, "\\x{:02X}", c as u32),
            c if (c as u32) < 0x1_0000 => write!(out, "\\u{:04X}", c as u32),
            c => write!(out, "\\U{:08X}", c as u32),
        };
    }
    out + "\""
}
