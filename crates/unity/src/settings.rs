//! Settings files as flat lists of keys.

use std::borrow::Cow;

use crate::{Guid, document};

/// A settings file of Unity: a YAML dialect, read as a flat list of its keys.
///
/// The list is enough for settings, where one asks for a key or for all that stands under a key.
/// Values are decoded text; a flow map such as `{fileID: 0}` stays as written, on one line.
#[derive(Debug, Default)]
pub(crate) struct Settings<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
}

/// One `key: value`, or one list item that has no key.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// Column of the key. In a list item the key stands behind the dash, so that what is under a
    /// key is always deeper than it.
    indent: usize,
    /// True for the first key of a list item.
    pub(crate) starts_item: bool,
    pub(crate) key: &'a str,
    pub(crate) value: Cow<'a, str>,
}

impl<'a> Settings<'a> {
    /// True when the text is Unity's YAML and not a binary file.
    pub(crate) fn is_text(content: &str) -> bool {
        content.starts_with("%YAML") || content.starts_with("--- !u!")
    }

    /// Reads what it can; lines it does not understand are left out.
    pub(crate) fn parse(content: &'a str) -> Settings<'a> {
        let mut entries = Vec::new();
        for value in document::flat_values(content.as_bytes()) {
            let key = &content[value.key];
            entries.push(Entry {
                indent: value.column,
                starts_item: value.starts_item,
                key,
                value: value.text,
            });
        }
        Settings { entries }
    }

    /// The value of the first `key` directly under the object.
    pub(crate) fn find(&self, key: &str) -> Option<&str> {
        self.position(key).map(|at| self.entries[at].value.as_ref())
    }

    /// All entries under the first `key` that stands directly under the object.
    pub(crate) fn under(&self, key: &str) -> &[Entry<'a>] {
        let Some(at) = self.position(key) else { return &[] };
        let below = &self.entries[at + 1..];
        let end = below.iter().position(|entry| entry.indent <= OBJECT_INDENT);
        &below[..end.unwrap_or(below.len())]
    }

    /// Each entry that stands under a key of the object, with that key.
    pub(crate) fn with_parents(&self) -> impl Iterator<Item = (&'a str, &Entry<'a>)> {
        let mut parent = "";
        self.entries.iter().filter_map(move |entry| {
            if entry.indent > OBJECT_INDENT {
                return Some((parent, entry));
            }
            parent = entry.key;
            None
        })
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|entry| {
            entry.indent == OBJECT_INDENT && !entry.starts_item && entry.key == key
        })
    }
}

/// Column of an object's own keys: Unity writes `PlayerSettings:` and its body two deeper.
const OBJECT_INDENT: usize = 2;

/// The guid of `{fileID: 11400000, guid: …, type: 2}`; nothing for `{fileID: 0}`.
pub(crate) fn find_guid(reference: &str) -> Option<&str> {
    let (_, rest) = reference.split_once("guid:")?;
    let guid = rest.trim_start().split(|c: char| !c.is_ascii_hexdigit()).next()?;
    is_guid(guid).then_some(guid)
}

/// True for a guid that names something: 32 hexadecimal digits, not all zero.
pub(crate) fn is_guid(text: &str) -> bool {
    Guid::parse(text).is_some_and(|guid| !guid.is_zero())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(body: &str, expected: Expect) {
        let mut shown = String::new();
        for entry in Settings::parse(body).entries {
            let Entry { indent, starts_item, key, value } = entry;
            let dash = if starts_item { "- " } else { "" };
            shown += &format!("{indent} {dash}{key}={value:?}\n");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn reads_maps_and_lists() {
        check(
            "--- !u!129 &1\nPlayerSettings:\n  empty: \n  map:\n    Windows Store Apps: 2\n  list:\n  - a: 1\n    b: 2\n  - plain\n  - - nested: 3\n",
            expect![[r#"
                0 PlayerSettings=""
                2 empty=""
                2 map=""
                4 Windows Store Apps="2"
                2 list=""
                4 - a="1"
                4 b="2"
                4 - ="plain"
                6 - nested="3"
            "#]],
        );
    }

    #[test]
    fn joins_folded_values() {
        check(
            "  path: Assets/A very\r\n    long/name.unity\r\n  ref: {fileID: 1, guid: ab,\r\n    type: 2}\r\n  next: 1",
            expect![[r#"
                2 path="Assets/A very long/name.unity"
                2 ref="{fileID: 1, guid: ab, type: 2}"
                2 next="1"
            "#]],
        );
    }

    #[test]
    fn decodes_quoted_text() {
        check(
            "  a: 'it''s: one'\n  b: \"caf\\xE9 \\u2019 \\U0001F600 \\\"q\\\"\"\n  c: \"one \\\n    two\n\n    three\"\n  d: 'x\n\n   y'\n  e: 5\n",
            expect![[r#"
                2 a="it's: one"
                2 b="café ’ 😀 \"q\""
                2 c="one two\nthree"
                2 d="x\ny"
                2 e="5"
            "#]],
        );
    }

    #[test]
    fn an_open_quote_spoils_one_value() {
        check(
            "  a: 'open\n  b: \"\\uD800\\u12\"\n  c: 1\n",
            expect![[r#"
                2 a="'open"
                2 b="�\u{12}"
                2 c="1"
            "#]],
        );
    }

    #[test]
    fn finds_the_guid_of_a_reference() {
        let guid = "c57a184794a05b349955e5023bbf7e99";
        assert_eq!(find_guid(&format!("{{fileID: 1, guid: {guid}, type: 2}}")), Some(guid));
        assert_eq!(find_guid("{fileID: 0}"), None);
        assert_eq!(find_guid("{fileID: 1, guid: 12}"), None);
    }

    #[test]
    fn any_cut_reads() {
        let text =
            "%YAML 1.1\n--- !u!1 &1\nA:\n  b: 'é''\n\n  x'\n  - - c: \"\\u00e9\\\n  \"\n  : {\n";
        for (at, _) in text.char_indices() {
            Settings::parse(&text[..at]);
            Settings::parse(&text[at..]);
        }
    }
}
