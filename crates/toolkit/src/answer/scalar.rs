//! Single values, and collections short enough for a line. A text stands without quotes unless it could be read as
//! something else; then it is a JSON string.

use serde_json::Value;

/// What surrounds a value, which decides the characters that need quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind `key: `, up to the end of the line.
    Line,
    /// Between the bars of a table.
    Cell,
    /// Between the commas of a collection in one line.
    Flow,
}

/// A scalar behind a key.
pub fn plain(value: &Value) -> String {
    write(value, Place::Line)
}

/// A scalar in a table.
pub fn cell(value: &Value) -> String {
    write(value, Place::Cell)
}

/// A list or an object in one line, if it takes no more than `most` bytes.
pub fn inline<'v>(
    parts: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
    most: usize,
) -> Option<String> {
    let (mut text, mut is_object) = (String::new(), false);
    for (name, value) in parts {
        if !text.is_empty() {
            text.push_str(", ");
        }
        if let Some(name) = name {
            is_object = true;
            text.push_str(&key(name));
            text.push_str(": ");
        }
        text.push_str(&match value {
            Value::Array(_) | Value::Object(_) => collection(value, most.checked_sub(text.len())?)?,
            Value::String(lines) if most < usize::MAX && is_block(lines) => return None,
            scalar => write(scalar, Place::Flow),
        });
        if text.len() > most {
            return None;
        }
    }
    Some(if is_object { format!("{{{text}}}") } else { format!("[{text}]") })
}

/// The same for a value.
pub(super) fn collection(value: &Value, most: usize) -> Option<String> {
    match value {
        Value::Array(items) => inline(items.iter().map(|item| (None, item)), most),
        Value::Object(members) if members.is_empty() => Some("{}".to_owned()),
        Value::Object(members) => {
            let told = members.iter().filter(|(_, value)| !value.is_null());
            inline(told.map(|(key, value)| (Some(key.as_str()), value)), most)
        }
        _ => None,
    }
}

/// Whether a text is written below its key, line by line.
pub(super) fn is_block(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
}

/// The name of a member.
pub(super) fn key(name: &str) -> String {
    let is_clear = !name.is_empty()
        && !name.starts_with(['-', ' ', '"', '#'])
        && !name.ends_with(' ')
        && !name.contains(": ")
        && !name.chars().any(|c| c.is_control() || matches!(c, ',' | '{' | '}' | '[' | ']'));
    if is_clear { name.to_owned() } else { quoted(name) }
}

pub(super) fn write(value: &Value, place: Place) -> String {
    match value {
        Value::String(text) if needs_quotes(text, place) => quoted(text),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn needs_quotes(text: &str, place: Place) -> bool {
    let is_odd = text.is_empty()
        || text.trim() != text
        || text.starts_with('"')
        || text.chars().any(char::is_control)
        || matches!(text, "|" | "|-")
        || reads_as_json(text);
    is_odd
        || match place {
            Place::Line => false,
            Place::Cell => text.contains(" | ") || text.starts_with("| ") || text.ends_with(" |"),
            Place::Flow => {
                text.contains([',', '[', ']', '{', '}'])
                    || text.contains(": ")
                    || text.ends_with(':')
            }
        }
}

/// Whether a text without quotes would be taken for a number, a truth value, a list or an object.
fn reads_as_json(text: &str) -> bool {
    let may_be = text.starts_with(|c: char| c.is_ascii_digit() || "-[{tfn".contains(c));
    may_be && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
