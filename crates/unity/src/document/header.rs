//! The lines between objects (`--- !u!1 &1234`), found without reading what is between them.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memmem};

use crate::{ClassId, FileId};

/// The line that starts an object: `--- !u!1 &1234`, perhaps with ` stripped`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The line without its break.
    pub span: Range<usize>,
    /// The native class.
    pub class_id: ClassId,
    /// The identity in the file.
    pub file_id: FileId,
    /// True when the object stands for one inside a prefab instance and has hardly any fields.
    pub stripped: bool,
}

/// The headers of a file, in order, without reading what is between them.
///
/// For scans of many files into one buffer; otherwise [`Document::objects`](crate::Document) has
/// the same with the values.
pub fn scan_headers(text: &[u8]) -> impl Iterator<Item = Header> {
    scan_boundaries(text).flatten()
}

/// The same with nothing in the place of each header that cannot be read.
pub(crate) fn scan_boundaries(text: &[u8]) -> impl Iterator<Item = Option<Header>> {
    boundaries(text).map(|line| parse(text, line))
}

/// The spans of all lines that start a YAML document, without their breaks.
///
/// Such a line counts wherever it stands at column 0. Inside quoted text YAML forbids it, and
/// Unity's own reader stops there, so that no quotes need to be followed.
pub(super) fn boundaries(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let first = text[start..].starts_with(b"---").then_some(start);
    static MARK: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"\n---"));
    let others = MARK.find_iter(text).map(|at| at + 1);
    first.into_iter().chain(others).filter_map(move |start| {
        let after = text.get(start + 3);
        if after.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            return None;
        }
        let rest = &text[start..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(start..start + line.len())
    })
}

pub(super) const BOM: &[u8] = "\u{feff}".as_bytes();

/// Reads one line of [`boundaries`]. Words behind the id are ignored, but for `stripped`.
pub(super) fn parse(text: &[u8], span: Range<usize>) -> Option<Header> {
    parse_usual(text, span.clone()).or_else(|| parse_any(text, span))
}

/// The form that nearly all headers have. An index reads millions of them.
fn parse_usual(text: &[u8], span: Range<usize>) -> Option<Header> {
    let class = text[span.clone()].strip_prefix(b"--- !u!")?;
    let (class, rest) = leading_number(class).filter(|_| !class.starts_with(b"-"))?;
    let (id, rest) = leading_number(rest.strip_prefix(b" &")?)?;
    let stripped = match rest {
        b"" => false,
        b" stripped" => true,
        _ => return None,
    };
    let class_id = ClassId(u32::try_from(class).ok()?);
    Some(Header { span, class_id, file_id: FileId(id), stripped })
}

/// A number that fits, and what is behind it.
pub(super) fn leading_number(text: &[u8]) -> Option<(i64, &[u8])> {
    let (is_negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (mut number, mut count) = (0_u64, 0);
    for byte in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        // Nineteen digits may be too many, and often are just enough: ids fill their 64 bits.
        if count == 19 {
            return None;
        }
        number = number * 10 + u64::from(byte - b'0');
        count += 1;
    }
    let number = i64::try_from(number).ok().filter(|_| count > 0)?;
    Some((if is_negative { -number } else { number }, &digits[count..]))
}

fn parse_any(text: &[u8], span: Range<usize>) -> Option<Header> {
    let line = text[span.clone()].strip_prefix(b"---")?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let class_id = ClassId(parse_number(words.next()?.strip_prefix(b"!u!")?)?);
    let file_id = FileId(parse_number(words.next()?.strip_prefix(b"&")?)?);
    Some(Header { span, class_id, file_id, stripped: words.next() == Some(b"stripped") })
}

/// True when nothing stands in the header but what Unity writes.
pub(super) fn is_usual(line: &[u8]) -> bool {
    let mut words = line.trim_ascii_end().split(|byte| *byte == b' ').skip(3);
    matches!((words.next(), words.next()), (None, _) | (Some(b"stripped"), None))
}

/// Rust reads `+1` as a number; Unity does not write it.
fn parse_number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    if text.starts_with(b"+") {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut shown = String::new();
        for line in boundaries(text.as_bytes()) {
            shown += &match parse(text.as_bytes(), line.clone()) {
                Some(Header { span, class_id, file_id, stripped }) => {
                    format!("{span:?} {class_id} {file_id} {stripped}\n")
                }
                None => format!("{line:?} not a header\n"),
            };
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn reads_every_form() {
        check(
            "--- !u!1 &1\n--- !u!114 &-9223372036854775808 stripped  \r\n--- !u!1660057539 &9223372036854775807",
            expect![[r#"
                0..11 1 1 false
                12..55 114 -9223372036854775808 true
                57..95 1660057539 9223372036854775807 false
            "#]],
        );
    }

    #[test]
    fn counts_at_line_start_only() {
        check(
            "\u{feff}--- !u!1 &1\n  --- !u!1 &2\n---- !u!1 &3\nx --- !u!1 &4\n",
            expect![[r#"
                3..14 1 1 false
            "#]],
        );
    }

    #[test]
    fn broken_headers_are_boundaries() {
        check(
            "---\n--- !u!1\n--- !u!x &1\n--- !u!1 &+1\n--- !u!1 &9223372036854775808\n--- !u!-1 &1\n",
            expect![[r#"
                0..3 not a header
                4..12 not a header
                13..24 not a header
                25..37 not a header
                38..67 not a header
                68..80 not a header
            "#]],
        );
    }
}
