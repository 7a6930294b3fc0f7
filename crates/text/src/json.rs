//! Changes of JSON files such as assembly definitions and settings of editors: one member or item comes
//! or goes, and everything else keeps its bytes, order, comments and indentation.

use std::ops::Range;

use serde_json::Value;

use crate::Edits;

/// A value of a JSON text, by where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonNode {
    /// Its bytes.
    pub span: Range<usize>,
    /// What is in it.
    pub parts: JsonParts,
}

/// What is in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonParts {
    /// Key, the bytes of the key, and the value of each member.
    Object(Vec<(String, Range<usize>, JsonNode)>),
    /// The items.
    Array(Vec<JsonNode>),
    /// Anything else.
    Plain,
}

/// Where the values of a JSON text stand; the reader's words when it is none. A byte order mark is
/// passed over.
pub fn read_json(bytes: &[u8]) -> Result<JsonNode, String> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let _: Value = serde_json::from_slice(&bytes[start..]).map_err(|error| error.to_string())?;
    let mut reader = Reader { bytes, at: start };
    reader.value().ok_or_else(|| "it cannot be read".to_owned())
}

/// The same of a JSON text with comments and commas behind the last, as editors keep their settings;
/// with the value, in which they do not count.
pub fn read_commented_json(bytes: &[u8]) -> Result<(JsonNode, Value), String> {
    let plain = without_comments(bytes);
    let value = serde_json::from_slice(&plain).map_err(|error| error.to_string())?;
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let node = Reader { bytes, at: start }.value();
    Ok((node.ok_or_else(|| "it cannot be read".to_owned())?, value))
}

/// A text of the same length and lines with blanks for comments and for commas behind the last.
fn without_comments(bytes: &[u8]) -> Vec<u8> {
    let mut plain = bytes.to_vec();
    if bytes.starts_with(b"\xef\xbb\xbf") {
        plain[..3].fill(b' ');
    }
    let mut reader = Reader { bytes, at: 0 };
    let mut comma = None;
    // Behind a bracket or another comma there is no value that a comma could be behind.
    let mut has_value = false;
    while reader.at < bytes.len() {
        let start = reader.at;
        match bytes[start] {
            b'"' => {
                // A text without an end is told by who reads the value.
                if reader.string().is_none() {
                    return plain;
                }
                (comma, has_value) = (None, true);
            }
            b'/' if reader.comment() => {
                let keeps_lines = |byte: &u8| matches!(byte, b'\n' | b'\r');
                let blank = |byte: &mut u8| *byte = if keeps_lines(byte) { *byte } else { b' ' };
                plain[start..reader.at].iter_mut().for_each(blank);
            }
            byte => {
                match (byte, comma) {
                    (b'}' | b']', Some(comma)) => plain[comma] = b' ',
                    _ if is_blank(&byte) => {}
                    _ => comma = (byte == b',' && has_value).then_some(start),
                }
                if !is_blank(&byte) {
                    has_value = !matches!(byte, b'[' | b'{' | b',' | b':');
                }
                reader.at += 1;
            }
        }
    }
    plain
}

impl JsonNode {
    /// The value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&JsonNode> {
        self.members().iter().find(|(name, ..)| name == key).map(|(_, _, value)| value)
    }

    /// The members of an object.
    pub fn members(&self) -> &[(String, Range<usize>, JsonNode)] {
        match &self.parts {
            JsonParts::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array.
    pub fn items(&self) -> &[JsonNode] {
        match &self.parts {
            JsonParts::Array(items) => items,
            _ => &[],
        }
    }

    /// Put an item at the end of an array.
    pub fn push(&self, bytes: &[u8], item: &Value, edits: &mut Edits) -> Option<()> {
        self.insert(bytes, self.items().len(), std::slice::from_ref(item), edits)
    }

    /// Put items into an array, before the one at a place.
    pub fn insert(&self, bytes: &[u8], at: usize, new: &[Value], edits: &mut Edits) -> Option<()> {
        let JsonParts::Array(items) = &self.parts else { return None };
        let place = at.min(items.len());
        let Some(near) = items.get(place.saturating_sub(1)).map(|item| &item.span) else {
            let depth = indent(bytes, self.span.start) + &step(bytes);
            let gap = match has_lines(bytes) {
                true => format!(",{}{depth}", line_break(bytes)),
                false => ", ".to_owned(),
            };
            let new: Vec<String> = new.iter().map(|item| written(bytes, item, &depth)).collect();
            self.fill(bytes, new.join(&gap), edits);
            return Some(());
        };
        let (before, depth) = (gap(bytes, near.start), indent(bytes, near.start));
        let new = new.iter().map(|item| written(bytes, item, &depth));
        if place > 0 {
            let new: String = new.map(|text| format!(",{before}{text}")).collect();
            edits.insert(near.end, new);
        } else {
            let new: String = new.map(|text| format!("{text},{before}")).collect();
            edits.insert(near.start, new);
        }
        Some(())
    }

    /// Take the items out of an array that are not to stay, each with its comma.
    pub fn retain(&self, stays: impl Fn(usize) -> bool, edits: &mut Edits) -> Option<()> {
        let JsonParts::Array(items) = &self.parts else { return None };
        let mut at = 0;
        while at < items.len() {
            let run = (at..items.len()).take_while(|at| !stays(*at)).count();
            let next = items.get(at + run);
            match (run, next, at.checked_sub(1)) {
                (0, ..) => {}
                (_, Some(next), _) => edits.remove(items[at].span.start..next.span.start),
                (_, None, Some(before)) => {
                    edits.remove(items[before].span.end..items[at + run - 1].span.end);
                }
                (_, None, None) => edits.remove(self.span.start + 1..self.span.end - 1),
            }
            at += run.max(1);
        }
        Some(())
    }

    /// Put a member into an object, before the first key that `is_behind` holds for; a member of that
    /// key gets another value.
    pub fn put(
        &self,
        bytes: &[u8],
        key: &str,
        value: &Value,
        is_behind: impl Fn(&str) -> bool,
        edits: &mut Edits,
    ) -> Option<()> {
        let JsonParts::Object(members) = &self.parts else { return None };
        if let Some(old) = self.get(key) {
            let depth = indent(bytes, old.span.start);
            edits.replace(old.span.clone(), written(bytes, value, &depth));
            return Some(());
        }
        let depth = match members.first() {
            Some((_, span, _)) => indent(bytes, span.start),
            None => indent(bytes, self.span.start) + &step(bytes),
        };
        let text = format!("{}: {}", Value::from(key), written(bytes, value, &depth));
        let next = members.iter().find(|(name, ..)| is_behind(name));
        match (next, members.last()) {
            (Some((_, span, _)), _) => {
                edits.insert(span.start, format!("{text},{}", gap(bytes, span.start)));
            }
            (None, Some((_, span, last))) => {
                self.add_last(bytes, last, &format!("{}{text}", gap(bytes, span.start)), edits);
            }
            (None, None) => self.fill(bytes, text, edits),
        }
        Some(())
    }

    /// Put a text behind the last member and whatever is said of it.
    fn add_last(&self, bytes: &[u8], last: &JsonNode, text: &str, edits: &mut Edits) {
        let close = self.span.end - 1;
        let end = close - blank_before(bytes, close);
        let comma = comma_behind(bytes, last.span.end).filter(|comma| *comma < close);
        // A text on the same line would become a part of a comment there.
        let is_below = text[..text.len() - text.trim_start().len()].contains('\n');
        match comma {
            // One behind the last stays behind the last.
            Some(comma) if !is_below => edits.insert(comma + 1, format!("{text},")),
            Some(_) => edits.insert(end, format!("{text},")),
            None if end <= last.span.end || !is_below => {
                edits.insert(last.span.end, format!(",{text}"));
            }
            None => {
                edits.insert(last.span.end, ",");
                edits.insert(end, text);
            }
        }
    }

    /// Take a member out of an object. Comments around it stay.
    pub fn remove(&self, bytes: &[u8], key: &str, edits: &mut Edits) -> Option<()> {
        let members = self.members();
        let at = members.iter().position(|(name, ..)| name == key)?;
        let (_, span, value) = &members[at];
        let start = span.start - blank_before(bytes, span.start);
        let comma = comma_behind(bytes, value.span.end).filter(|comma| *comma < self.span.end);
        match (comma, at.checked_sub(1).map(|at| &members[at])) {
            (Some(comma), _) if comma == value.span.end => edits.remove(start..comma + 1),
            (Some(comma), _) => {
                edits.remove(start..value.span.end);
                edits.remove(comma..comma + 1);
            }
            (None, Some((.., before))) => {
                let comma = comma_behind(bytes, before.span.end)?;
                if comma + 1 == start {
                    edits.remove(comma..value.span.end);
                } else {
                    edits.remove(comma..comma + 1);
                    edits.remove(start..value.span.end);
                }
            }
            (None, None) => {
                let inner = self.span.start + 1..self.span.end - 1;
                let is_alone = start == inner.start
                    && value.span.end + blank_before(bytes, inner.end) == inner.end;
                edits.remove(if is_alone { inner } else { start..value.span.end });
            }
        }
        Some(())
    }

    /// The first thing in something empty, on a line of its own where the file has lines.
    fn fill(&self, bytes: &[u8], text: String, edits: &mut Edits) {
        let inner = self.span.start + 1..self.span.end - 1;
        if !has_lines(bytes) {
            return edits.replace(inner, text);
        }
        let line_break = line_break(bytes);
        let depth = indent(bytes, self.span.start);
        let step = step(bytes);
        edits.replace(inner, format!("{line_break}{depth}{step}{text}{line_break}{depth}"));
    }
}

/// A value as text, on lines of its own where the file has lines.
fn written(bytes: &[u8], value: &Value, depth: &str) -> String {
    if !has_lines(bytes) || !(value.is_object() || value.is_array()) {
        return value.to_string();
    }
    let step = step(bytes);
    let formatter = serde_json::ser::PrettyFormatter::with_indent(step.as_bytes());
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    if serde::Serialize::serialize(value, &mut serializer).is_err() {
        return value.to_string();
    }
    let line_break = line_break(bytes);
    String::from_utf8_lossy(&out).replace('\n', &format!("{line_break}{depth}"))
}

/// Whether the file has more than one line, whatever stands behind the last.
fn has_lines(bytes: &[u8]) -> bool {
    bytes.trim_ascii().contains(&b'\n')
}

fn line_break(bytes: &[u8]) -> &'static str {
    if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" }
}

/// The white space before a byte.
fn gap(bytes: &[u8], at: usize) -> String {
    let blank = blank_before(bytes, at);
    String::from_utf8_lossy(&bytes[at - blank..at]).into_owned()
}

/// What JSON takes for white space; a comment may end with other such signs, which are nothing outside of it.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn blank_before(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().rev().take_while(|byte| is_blank(byte)).count()
}

/// The comma behind a value, past blanks and comments.
fn comma_behind(bytes: &[u8], at: usize) -> Option<usize> {
    let mut reader = Reader { bytes, at };
    (reader.skip()? == b',').then_some(reader.at)
}

/// The white space at the start of the line of a byte.
fn indent(bytes: &[u8], at: usize) -> String {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let blank = bytes[start..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    String::from_utf8_lossy(&bytes[start..start + blank]).into_owned()
}

/// How much deeper each level of the file is.
fn step(bytes: &[u8]) -> String {
    let lines = bytes.split(|byte| *byte == b'\n').skip(1);
    let depths =
        lines.map(|line| line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count());
    let first =
        bytes.split(|byte| *byte == b'\n').skip(1).zip(depths).find(|(_, depth)| *depth > 0);
    first.map_or_else(
        || "    ".to_owned(),
        |(line, depth)| String::from_utf8_lossy(&line[..depth]).into(),
    )
}

/// Finds where values stand in a text that is JSON.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is neither blank nor of a comment.
    fn skip(&mut self) -> Option<u8> {
        loop {
            let rest = self.bytes.get(self.at..)?;
            self.at += rest.iter().take_while(|byte| is_blank(byte)).count();
            if !self.comment() {
                return self.bytes.get(self.at).copied();
            }
        }
    }

    /// Past a comment, if one is here.
    fn comment(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let len = match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
            [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map(|end| end + 4),
            _ => return false,
        };
        self.at += len.unwrap_or(rest.len());
        true
    }

    fn value(&mut self) -> Option<JsonNode> {
        let first = self.skip()?;
        let start = self.at;
        let parts = match first {
            b'{' => JsonParts::Object(self.members()?),
            b'[' => JsonParts::Array(self.items()?),
            b'"' => self.string().map(|_| JsonParts::Plain)?,
            _ => {
                let rest = self.bytes[self.at..].iter();
                let is_part =
                    |byte: &&u8| !matches!(byte, b',' | b']' | b'}' | b'/') && !is_blank(byte);
                self.at += rest.take_while(is_part).count();
                JsonParts::Plain
            }
        };
        Some(JsonNode { span: start..self.at, parts })
    }

    fn members(&mut self) -> Option<Vec<(String, Range<usize>, JsonNode)>> {
        let mut members = Vec::new();
        loop {
            // Past the bracket or the comma.
            self.at += 1;
            if self.skip()? == b'}' {
                break;
            }
            let key = self.string()?;
            let name = serde_json::from_slice(&self.bytes[key.clone()]).ok()?;
            self.skip().filter(|byte| *byte == b':')?;
            self.at += 1;
            members.push((name, key, self.value()?));
            if self.skip()? != b',' {
                break;
            }
        }
        self.at += 1;
        Some(members)
    }

    fn items(&mut self) -> Option<Vec<JsonNode>> {
        let mut items = Vec::new();
        loop {
            self.at += 1;
            if self.skip()? == b']' {
                break;
            }
            items.push(self.value()?);
            if self.skip()? != b',' {
                break;
            }
        }
        self.at += 1;
        Some(items)
    }

    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let mut escaped = false;
        // The first quote opens it.
        let end = self.bytes.get(start + 1..)?.iter().position(|byte| {
            let is_end = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            is_end
        })?;
        self.at = start + 1 + end + 1;
        Some(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, change: impl Fn(&JsonNode, &mut Edits) -> Option<()>) -> String {
        let node = read_json(text.as_bytes()).unwrap();
        let mut edits = Edits::default();
        change(&node, &mut edits).unwrap();
        let after = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        read_json(after.as_bytes()).unwrap();
        after
    }

    fn pushed(text: &str) -> String {
        edited(text, |node, edits| node.get("a")?.push(text.as_bytes(), &"x".into(), edits))
    }

    #[test]
    fn an_item_comes_last_in_the_manner_of_the_others() {
        assert_eq!(
            pushed("{\n\t\"a\": [\n\t\t\"b\"\n\t]\n}\n"),
            "{\n\t\"a\": [\n\t\t\"b\",\n\t\t\"x\"\n\t]\n}\n"
        );
        assert_eq!(pushed("{\r\n  \"a\": []\r\n}"), "{\r\n  \"a\": [\r\n    \"x\"\r\n  ]\r\n}");
        assert_eq!(pushed(r#"{"a":["b, ]", 1]}"#), r#"{"a":["b, ]", 1, "x"]}"#);
        assert_eq!(pushed(r#"{ "a": [ ] }"#), r#"{ "a": ["x"] }"#);
        assert_eq!(pushed("{ \"a\": [] }\n"), "{ \"a\": [\"x\"] }\n");
    }

    fn put(text: &str, key: &str) -> String {
        edited(text, |node, edits| {
            node.put(text.as_bytes(), key, &1.into(), |other| other > key, edits)
        })
    }

    #[test]
    fn a_member_comes_where_it_belongs() {
        let two = "{\n  \"a\": 0,\n  \"c\": 0\n}";
        assert_eq!(put(two, "b"), "{\n  \"a\": 0,\n  \"b\": 1,\n  \"c\": 0\n}");
        assert_eq!(put(two, "d"), "{\n  \"a\": 0,\n  \"c\": 0,\n  \"d\": 1\n}");
        assert_eq!(put(two, "c"), "{\n  \"a\": 0,\n  \"c\": 1\n}");
        assert_eq!(put("{}", "a\""), "{\"a\\\"\": 1}");
    }

    #[test]
    fn a_member_goes_with_its_comma() {
        let removed = |text: &str, key: &str| {
            edited(text, |node, edits| node.remove(text.as_bytes(), key, edits))
        };
        let two = "{\n  \"a\": {\"x\": \"}\"},\n  \"c\": 0\n}\n";
        assert_eq!(removed(two, "a"), "{\n  \"c\": 0\n}\n");
        assert_eq!(removed(two, "c"), "{\n  \"a\": {\"x\": \"}\"}\n}\n");
        assert_eq!(removed("{ \"a\": 1 }", "a"), "{}");
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "// mine\n{\n  \"a\": 0, /* one */\n  // two\n  \"b\": {}, // three\n}\n";
        let (node, value) = read_commented_json(text.as_bytes()).unwrap();
        assert_eq!(value, serde_json::json!({ "a": 0, "b": {} }));
        let mut edits = Edits::default();
        let entry = serde_json::json!({ "command": "x" });
        node.put(text.as_bytes(), "c", &entry, |_| false, &mut edits).unwrap();
        let put = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            put,
            "// mine\n{\n  \"a\": 0, /* one */\n  // two\n  \"b\": {}, // three\n  \"c\": {\n    \"command\": \"x\"\n  },\n}\n"
        );
        let (node, _) = read_commented_json(put.as_bytes()).unwrap();
        let mut edits = Edits::default();
        node.remove(put.as_bytes(), "c", &mut edits).unwrap();
        assert_eq!(edits.apply(put.as_bytes()).unwrap(), text.as_bytes());
    }

    #[test]
    fn what_was_put_goes_without_a_trace() {
        for text in [
            "{\n  \"a\": 1 // one\n}\n",
            "{\n\t\"a\": 1 /* one */\n\t// last\n}",
            "{\"a\": [1, 2]}",
            "{ \"a\": 1, // one\n}",
            "{ \"a\": 1 // one\n}",
            "{ \"a\": 1 /* one */ }",
            "{\r\n  \"a\": {}\r\n}\r\n",
            "{\n \"a\": 0// one\x0c\x0c\n}\n",
            "{\n  \"a\": \"/* no */ // comment\"\n}",
        ] {
            let (node, _) = read_commented_json(text.as_bytes()).unwrap();
            let mut edits = Edits::default();
            node.put(text.as_bytes(), "z", &1.into(), |_| false, &mut edits).unwrap();
            let put = edits.apply(text.as_bytes()).unwrap();
            let (node, value) = read_commented_json(&put).unwrap();
            assert_eq!(value["z"], 1, "{text}");
            let mut edits = Edits::default();
            node.remove(&put, "z", &mut edits).unwrap();
            let back = String::from_utf8(edits.apply(&put).unwrap()).unwrap();
            assert_eq!(back, text);
        }
    }

    #[test]
    fn items_come_between_others_and_have_lines_of_their_own() {
        let inserted = |text: &str, at: usize| {
            let new = [serde_json::json!({ "b": [], "c": [1] }), 2.into()];
            edited(text, |node, edits| node.get("a")?.insert(text.as_bytes(), at, &new, edits))
        };
        let text = "{\r\n  \"a\": [\r\n    0\r\n  ]\r\n}";
        let item = "{\r\n      \"b\": [],\r\n      \"c\": [\r\n        1\r\n      ]\r\n    }";
        assert_eq!(
            inserted(text, 0),
            format!("{{\r\n  \"a\": [\r\n    {item},\r\n    2,\r\n    0\r\n  ]\r\n}}")
        );
        assert_eq!(
            inserted(text, 1),
            format!("{{\r\n  \"a\": [\r\n    0,\r\n    {item},\r\n    2\r\n  ]\r\n}}")
        );
        assert_eq!(inserted(r#"{"a":[]}"#, 0), r#"{"a":[{"b":[],"c":[1]}, 2]}"#);
    }

    #[test]
    fn items_go_with_their_commas() {
        let text = r#"{"a": [0, 1, 2, 3, 4]}"#;
        let left = |stays: &[usize]| {
            edited(text, |node, edits| node.get("a")?.retain(|at| stays.contains(&at), edits))
        };
        assert_eq!(left(&[0, 2, 4]), r#"{"a": [0, 2, 4]}"#);
        assert_eq!(left(&[1, 3]), r#"{"a": [1, 3]}"#);
        assert_eq!(left(&[2]), r#"{"a": [2]}"#);
        assert_eq!(left(&[]), r#"{"a": []}"#);
        assert_eq!(left(&[0, 1, 2, 3, 4]), text);
    }

    #[test]
    fn what_is_no_json_is_told() {
        assert!(
            read_json(b"{").is_err()
                && read_json(b"{\"a\": 1,}").is_err()
                && read_json(b"").is_err()
        );
        assert_eq!(read_json("\u{feff}[]".as_bytes()).unwrap().span, 3..5);
    }

    #[test]
    fn a_comma_needs_something_before_it() {
        let read = |text: &str| read_commented_json(text.as_bytes()).map(|(_, value)| value);
        for text in ["[,]", "{,}", "[1,,]", "{\"a\": [ , ]}", "[/**/,]", "{\"a\":,}"] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["[1,]", "[[],]", "[{},]", "[\"a\" /* b */ , // c\n]"] {
            assert!(read(text).is_ok(), "{text}");
        }
    }
}
