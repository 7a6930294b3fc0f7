//! The text of an answer, which is what a model reads.
//!
//! Tools return JSON, and a model pays for every token of it. The text says the same in about a third: one `key: value`
//! per line, lists of objects as tables, trees as indented names. Every value is written the way an argument takes it.
//! `docs/answers.md` describes the form for people who write clients; it is stable.

mod changes;
mod scalar;
mod table;
mod tree;

use std::fmt::Write;

use serde_json::{Map, Value};

use self::scalar::Place;
pub use self::scalar::{cell, inline, plain};
pub use self::tree::{Label, leads_to, with_tree};

/// Collections that are written in one line take no more bytes.
const INLINE: usize = 100;
/// Deeper values are written in one line, whatever their length.
const MAX_DEPTH: usize = 40;

/// The text of an output without a form of its own.
pub fn text(output: &Value) -> String {
    let mut writer = Writer::default();
    match output {
        Value::Object(members) => {
            writer.members(members, 0);
            // Every tool that changes something returns `success: true`; alone it still is an answer.
            if writer.out.is_empty() {
                writer.out.push_str("done\n");
            }
        }
        Value::Array(items) => writer.items(items, 0),
        other => writer.out.push_str(&plain(other)),
    }
    writer.out.truncate(writer.out.trim_end().len());
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
}

impl Writer {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn members(&mut self, members: &Map<String, Value>, indent: usize) {
        let has_changes = changes::are_in(members);
        for (key, value) in members {
            let is_said = is_implied(key, value, indent) || (has_changes && changes::says(key));
            if !is_said {
                self.member(key, value, indent);
            }
        }
        if has_changes {
            changes::lines(members).iter().for_each(|line| self.line(indent, line));
        }
    }

    fn member(&mut self, key: &str, value: &Value, indent: usize) {
        let key = scalar::key(key);
        match value {
            Value::String(text) if scalar::is_block(text) => self.block(&key, text, indent),
            Value::Array(items) => self.list(&key, items, indent),
            Value::Object(members) => {
                if let Some(short) = self.short(value, indent) {
                    return self.line(indent, &format!("{key}: {short}"));
                }
                self.line(indent, &format!("{key}:"));
                match tree::is_node(value) {
                    true => {
                        self.out.push_str(&tree::generic(std::slice::from_ref(value), indent + 2))
                    }
                    false => self.members(members, indent + 2),
                }
            }
            other => self.line(indent, &format!("{key}: {}", plain(other))),
        }
    }

    /// A text of several lines, indented; `|-` says that its last line has no end.
    fn block(&mut self, key: &str, text: &str, indent: usize) {
        let mark = if text.ends_with('\n') { "|" } else { "|-" };
        self.line(indent, &format!("{key}: {mark}"));
        for line in text.lines() {
            self.line(if line.is_empty() { 0 } else { indent + 2 }, line);
        }
    }

    fn list(&mut self, key: &str, items: &[Value], indent: usize) {
        if let Some(table) = table::of(items) {
            self.line(indent, &format!("{key} ({}{}): {}", items.len(), table.same, table.head));
            for row in table.rows {
                self.line(indent + 2, &row.line);
                row.below.iter().for_each(|(key, value)| self.member(key, value, indent + 4));
            }
            return;
        }
        if items.iter().any(tree::is_node) {
            self.line(indent, &format!("{key}:"));
            return self.out.push_str(&tree::generic(items, indent + 2));
        }
        let value_in_line = inline(items.iter().map(|item| (None, item)), INLINE);
        if let Some(short) = value_in_line {
            return self.line(indent, &format!("{key}: {short}"));
        }
        self.line(indent, &format!("{key} ({}):", items.len()));
        self.items(items, indent);
    }

    fn items(&mut self, items: &[Value], indent: usize) {
        for item in items {
            match item {
                Value::Object(members) if self.short(item, indent).is_none() => {
                    // The first member stands behind the dash, the others below it.
                    let start = self.out.len();
                    self.members(members, indent + 2);
                    if self.out.len() > start {
                        self.out.replace_range(start + indent..start + indent + 2, "- ");
                    }
                }
                Value::Array(inner) if self.short(item, indent).is_none() => {
                    self.line(indent, "-");
                    self.items(inner, indent + 2);
                }
                Value::String(text) if scalar::is_block(text) => self.block("-", text, indent),
                Value::Object(_) | Value::Array(_) => {
                    let short = self.short(item, indent).unwrap_or_default();
                    self.line(indent, &format!("- {short}"));
                }
                other => self.line(indent, &format!("- {}", plain(other))),
            }
        }
    }

    /// A collection in one line, if it fits there.
    fn short(&self, value: &Value, indent: usize) -> Option<String> {
        let most = if indent > 2 * MAX_DEPTH { usize::MAX } else { INLINE };
        scalar::collection(value, most)
    }
}

/// The output without members of these names, at any depth.
pub fn without(output: &Value, names: &[&str]) -> Value {
    match output {
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !names.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), without(value, names))).collect()
        }
        Value::Array(items) => items.iter().map(|item| without(item, names)).collect(),
        other => other.clone(),
    }
}

/// Whether a member says nothing: it is null, the `success: true` of every tool that changes something, the
/// `truncated: false` of a list that is all there, or an empty list of one of many things.
fn is_implied(key: &str, value: &Value, indent: usize) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is_true) => (key == "success" && *is_true) || (key == "truncated" && !is_true),
        Value::Array(items) => items.is_empty() && indent > 0,
        _ => false,
    }
}

/// A value inside of a line, such as a cell.
fn in_line(value: &Value, place: Place, most: usize) -> Option<String> {
    match value {
        Value::Array(_) | Value::Object(_) => scalar::collection(value, most),
        Value::String(text) if scalar::is_block(text) => None,
        scalar => Some(scalar::write(scalar, place)),
    }
}

#[cfg(test)]
#[path = "answer/tests.rs"]
mod tests;
