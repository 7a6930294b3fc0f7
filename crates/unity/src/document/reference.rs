//! References (`{fileID: 1, guid: …, type: 3}`), one by one or all of a file at once. Whether what
//! they point to is there is not asked here.

use std::sync::LazyLock;

use memchr::{memchr_iter, memchr2, memmem};

use super::header::leading_number;
use super::scalar;
use crate::{FileId, Guid};

/// What `{fileID: 1234, guid: …, type: 3}` points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The object in its file.
    pub file_id: FileId,
    /// The asset; nothing when the object is in the same file.
    pub guid: Option<Guid>,
    /// The `type`: 2 for assets read as they are, 3 for import results, 0 for built-in or none.
    pub kind: i32,
}

impl Reference {
    /// True for `{fileID: 0}`, the reference to nothing.
    pub fn is_null(&self) -> bool {
        self.file_id.is_null()
    }
}

/// The references in a text with the offset of their `{`, without reading any other value.
///
/// For scans of many files into one buffer; [`Document::references`](crate::Document::references)
/// says in which object they are.
pub fn scan_references(text: &[u8]) -> impl Iterator<Item = (usize, Reference)> {
    let mut quotes = Quotes { text, at: 0, next: 0 };
    // Most brackets of a scene open a reference, and one byte is found sooner than a word.
    let mut brackets = memchr_iter(b'{', text);
    std::iter::from_fn(move || {
        loop {
            let open = brackets.next()?;
            // What is in it may start on the next line.
            let inside = &text[open + 1..];
            if !inside.trim_ascii_start().starts_with(b"fileID:") || quotes.cover(open) {
                continue;
            }
            if let Some(reference) = parse(&text[open..]) {
                return Some((open, reference));
            }
        }
    })
}

/// Reads a flow map that starts with `{fileID:`, on one line or cut over several.
pub(crate) fn parse(text: &[u8]) -> Option<Reference> {
    parse_usual(text).or_else(|| parse_any(text))
}

/// The form that nearly all references have: `{fileID: 1}`, or with guid and type, on one line or with
/// the type on the next, where Unity cuts them.
fn parse_usual(text: &[u8]) -> Option<Reference> {
    let (file_id, rest) = leading_number(text.strip_prefix(b"{fileID: ")?)?;
    let file_id = FileId(file_id);
    if rest.first() == Some(&b'}') {
        return Some(Reference { file_id, guid: None, kind: 0 });
    }
    let (guid, rest) = rest.strip_prefix(b", guid: ")?.split_at_checked(32)?;
    let guid = Some(Guid::parse(guid)?);
    let rest = rest.strip_prefix(b",")?;
    match rest.trim_ascii_start().strip_prefix(b"type: ")? {
        [kind @ b'0'..=b'9', b'}', ..] => {
            Some(Reference { file_id, guid, kind: i32::from(kind - b'0') })
        }
        _ => None,
    }
}

fn parse_any(text: &[u8]) -> Option<Reference> {
    let mut rest = Words { text: text.strip_prefix(b"{")? };
    let mut reference = Reference { file_id: FileId::NULL, guid: None, kind: 0 };
    let mut is_first = true;
    loop {
        let key = rest.word();
        rest.mark(b':')?;
        let value = rest.word();
        match key {
            b"fileID" if is_first => reference.file_id = FileId(parse_number(value)?),
            _ if is_first => return None,
            b"guid" => reference.guid = Some(Guid::parse(value)?),
            b"type" => reference.kind = parse_number(value)?,
            _ => {}
        }
        is_first = false;
        if rest.mark(b'}').is_some() {
            return Some(reference);
        }
        rest.mark(b',')?;
    }
}

fn parse_number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

struct Words<'a> {
    text: &'a [u8],
}

impl<'a> Words<'a> {
    fn word(&mut self) -> &'a [u8] {
        let text = self.text.trim_ascii_start();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let (word, rest) = text.split_at(text.iter().take_while(is_part).count());
        self.text = rest;
        word
    }

    fn mark(&mut self, mark: u8) -> Option<()> {
        let (first, rest) = self.text.trim_ascii_start().split_first()?;
        (*first == mark).then_some(())?;
        self.text = rest;
        Some(())
    }
}

/// Follows quoted text along a file, so that references inside it are not taken for real.
struct Quotes<'a> {
    text: &'a [u8],
    /// All before is judged.
    at: usize,
    /// No quote stands between `at` and here.
    next: usize,
}

impl Quotes<'_> {
    /// True when the offset is inside quoted text. Offsets must not fall from call to call.
    fn cover(&mut self, offset: usize) -> bool {
        while self.at < offset {
            // One long search costs less than one from reference to reference.
            if self.next <= self.at {
                let rest = &self.text[self.at..];
                self.next = memchr2(b'\'', b'"', rest).map_or(usize::MAX, |next| self.at + next);
            }
            let quote = self.next;
            if quote >= offset {
                self.at = offset;
                return false;
            }
            self.at = match self.end(quote) {
                Some(end) => end,
                None => quote + 1,
            };
        }
        self.at > offset
    }

    /// The end of the text that this quote opens; nothing when it opens none.
    fn end(&self, quote: usize) -> Option<usize> {
        if !self.opens(quote) {
            return None;
        }
        let end = scalar::quoted_end(self.text, quote)?;
        // A quote that runs into the next object was never closed.
        let crosses = memmem::find(&self.text[quote..end], b"\n--- ").is_some();
        (!crosses).then_some(end)
    }

    /// Plain text may hold quotes, even `, '`, but it cannot hold `: '` nor start with `- '`.
    fn opens(&self, quote: usize) -> bool {
        let before = &self.text[..quote];
        let blanks = before.iter().rev().take_while(|byte| **byte == b' ').count();
        let before = &before[..before.len() - blanks];
        match before.last() {
            Some(b':') => blanks > 0,
            Some(b'-') if blanks > 0 => {
                let dashes = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'-'));
                let indent = before.len() - dashes.count();
                indent == 0 || before[indent - 1] == b'\n'
            }
            _ => false,
        }
    }
}

/// The guid of a `.meta` file: its first line that starts with `guid:`.
///
/// For scans of many files into one buffer; the first 256 bytes nearly always suffice.
pub fn scan_guid(text: &[u8]) -> Option<Guid> {
    static KEY: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"guid:"));
    KEY.find_iter(text).find_map(|at| {
        let starts_line = at == 0 || text[at - 1] == b'\n' || &text[..at] == super::header::BOM;
        let mut rest = Words { text: &text[at + b"guid:".len()..] };
        starts_line.then(|| Guid::parse(rest.word()))?
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const GUID: &str = "c57a184794a05b349955e5023bbf7e99";

    fn check(text: &str, expected: Expect) {
        let mut shown = String::new();
        for (at, Reference { file_id, guid, kind }) in scan_references(text.as_bytes()) {
            shown += &format!("{at}: {file_id} {guid:?} {kind}\n");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn reads_whole_and_cut_references() {
        check(
            &format!(
                "a: {{fileID: 0}}\nb: {{fileID: -12, guid: {GUID},\r\n    type: 3}}\n- {{\n  fileID: 7,\n  guid: {GUID}, type: 2}}\n"
            ),
            expect![[r#"
                3: 0 None 0
                18: -12 Some(c57a184794a05b349955e5023bbf7e99) 3
                88: 7 Some(c57a184794a05b349955e5023bbf7e99) 2
            "#]],
        );
    }

    #[test]
    fn other_maps_are_no_references() {
        check(
            "a: {fileID: x}\nb: {fileID: 1, guid: 12, type: 3}\nc: {guid: 1, fileID: 2}\nfileID: 3\nd: {fileID: 4",
            expect![],
        );
    }

    #[test]
    fn quoted_text_has_no_references() {
        check(
            "a: 'x: {fileID: 1} ''\n\n y: {fileID: 2}'\nb: \"\\\"{fileID: 3}\"\n- - '{fileID: 4}'\nc: {fileID: 5}\n",
            expect![[r#"
                80: 5 None 0
            "#]],
        );
    }

    #[test]
    fn apostrophes_and_open_quotes_hide_nothing() {
        check(
            "a: it's, 'tis - 'x\nb: {fileID: 1}\nc: 'open\nd: {fileID: 2}\n--- !u!1 &1\ne: don't\nf: {fileID: 3}\ng: \"open\nh: {fileID: 4}",
            expect![[r#"
                22: 1 None 0
                46: 2 None 0
                82: 3 None 0
                106: 4 None 0
            "#]],
        );
    }

    #[test]
    fn finds_the_guid_of_a_meta() {
        let guid = Guid::parse(GUID);
        for text in [
            format!("fileFormatVersion: 2\nguid: {GUID}\n"),
            format!("\u{feff}guid: {}\r\n", GUID.to_uppercase()),
            format!("  guid: 00000000000000000000000000000000\nguid: 12\nguid: {GUID}"),
        ] {
            assert_eq!(scan_guid(text.as_bytes()), guid, "{text}");
        }
        assert_eq!(scan_guid(b"guid:"), None);
    }
}
