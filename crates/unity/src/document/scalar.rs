//! Text of scalars: where quoted text ends, and what the spelling in the file means.

use std::borrow::Cow;
use std::str::Chars;

use memchr::{memchr, memchr2};

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// `|`: line breaks stay.
    Literal,
    /// `>`: line breaks become spaces.
    Folded,
}

impl Scalar {
    /// The manner of a scalar that starts with this byte.
    pub(crate) fn quoted_by(quote: u8) -> Option<Scalar> {
        match quote {
            b'\'' => Some(Scalar::SingleQuoted),
            b'"' => Some(Scalar::DoubleQuoted),
            _ => None,
        }
    }
}

/// The offset behind the closing quote of the text that opens at `open`.
pub(crate) fn quoted_end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    if text[open] == b'\'' {
        loop {
            at += memchr(b'\'', &text[at..])? + 1;
            if text.get(at) != Some(&b'\'') {
                return Some(at);
            }
            at += 1;
        }
    }
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// What a scalar says, given its whole spelling with quotes.
pub(crate) fn decode(raw: &[u8], scalar: Scalar) -> Cow<'_, str> {
    let inner = match scalar {
        Scalar::Plain => raw,
        Scalar::SingleQuoted | Scalar::DoubleQuoted => {
            raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
        }
        Scalar::Literal | Scalar::Folded => return decode_block(raw, scalar).into(),
    };
    let special = match scalar {
        Scalar::SingleQuoted => memchr2(b'\n', b'\'', inner),
        Scalar::DoubleQuoted => memchr2(b'\n', b'\\', inner),
        _ => memchr(b'\n', inner),
    };
    let text = String::from_utf8_lossy(inner);
    if special.is_none() {
        return text;
    }
    Cow::Owned(unfold(&text, scalar))
}

/// Joins the lines of flow text: a break is a space, and each blank line more is a line break.
fn unfold(text: &str, scalar: Scalar) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let joins_next = push_line(trim_end(line, scalar), scalar, &mut out);
        let mut blanks = 0;
        rest = after.trim_start_matches(BLANKS);
        while let Some(after) = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) {
            blanks += 1;
            rest = after.trim_start_matches(BLANKS);
        }
        match blanks {
            0 if joins_next => {}
            0 => out.push(' '),
            _ => out.extend(std::iter::repeat_n('\n', blanks)),
        }
    }
    push_line(rest, scalar, &mut out);
    out
}

const BLANKS: [char; 2] = [' ', '\t'];

/// White space before a break is not part of the text, unless the first of it is escaped.
fn trim_end(line: &str, scalar: Scalar) -> &str {
    let trimmed = line.trim_end_matches(BLANKS);
    let slashes = trimmed.len() - trimmed.trim_end_matches('\\').len();
    match scalar == Scalar::DoubleQuoted && slashes % 2 == 1 && trimmed.len() < line.len() {
        true => &line[..trimmed.len() + 1],
        false => trimmed,
    }
}

/// Adds one line; true when its end is escaped, so that the break is not part of the text.
fn push_line(line: &str, scalar: Scalar, out: &mut String) -> bool {
    match scalar {
        Scalar::DoubleQuoted => return push_escaped(line, out),
        // A doubled quote is the only escape, and a lone one cannot be inside.
        Scalar::SingleQuoted => out.push_str(&line.replace("''", "'")),
        _ => out.push_str(line),
    }
    false
}

fn push_escaped(mut line: &str, out: &mut String) -> bool {
    while let Some(at) = memchr(b'\\', line.as_bytes()) {
        out.push_str(&line[..at]);
        let mut rest = line[at + 1..].chars();
        let Some(escape) = rest.next() else { return true };
        out.push(unescape(escape, &mut rest));
        line = rest.as_str();
    }
    out.push_str(line);
    false
}

fn unescape(escape: char, rest: &mut Chars<'_>) -> char {
    let digits = match escape {
        '0' => return '\0',
        'a' => return '\u{7}',
        'b' => return '\u{8}',
        't' => return '\t',
        'n' => return '\n',
        'v' => return '\u{b}',
        'f' => return '\u{c}',
        'r' => return '\r',
        'e' => return '\u{1b}',
        'N' => return '\u{85}',
        '_' => return '\u{a0}',
        'L' => return '\u{2028}',
        'P' => return '\u{2029}',
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return other,
    };
    let code = hex_digits(rest, digits);
    // Text from tools that write UTF-16 has the two halves of a character as two escapes.
    if (0xd800..0xdc00).contains(&code) {
        let mut ahead = rest.clone();
        if ahead.next() == Some('\\') && ahead.next() == Some('u') {
            let low = hex_digits(&mut ahead, 4);
            if (0xdc00..0xe000).contains(&low) {
                *rest = ahead;
                let whole = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(whole).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
        }
    }
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Up to so many digits; fewer are taken as they are.
fn hex_digits(rest: &mut Chars<'_>, most: usize) -> u32 {
    let mut code = 0;
    for _ in 0..most {
        let mut ahead = rest.clone();
        let Some(digit) = ahead.next().and_then(|c| c.to_digit(16)) else { break };
        code = code << 4 | digit;
        *rest = ahead;
    }
    code
}

/// Text behind `|` or `>`. Unity does not write it; hands and tools do, in metas.
fn decode_block(raw: &[u8], scalar: Scalar) -> String {
    let text = String::from_utf8_lossy(raw);
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let lines: Vec<&str> = lines.collect();
    let first = lines.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
    let indent = first.len() - first.trim_start_matches(' ').len();
    let mut out = String::new();
    let mut breaks = 0;
    for line in lines {
        let line = line.get(indent..).unwrap_or_default();
        match breaks {
            _ if out.is_empty() => {}
            1 if scalar == Scalar::Folded && !line.is_empty() => out.push(' '),
            _ if line.is_empty() => {}
            _ => {
                let folded = usize::from(scalar == Scalar::Folded);
                out.extend(std::iter::repeat_n('\n', breaks - folded));
            }
        }
        breaks = if line.is_empty() { breaks + 1 } else { 1 };
        out.push_str(line);
    }
    if !head.contains('-') && !out.is_empty() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Decodes a scalar, which starts with its quote or is plain.
    fn check(raw: &str, expected: Expect) {
        let scalar = Scalar::quoted_by(raw.as_bytes()[0]).unwrap_or(Scalar::Plain);
        if scalar != Scalar::Plain {
            assert_eq!(quoted_end(raw.as_bytes(), 0), Some(raw.len()), "{raw}");
        }
        expected.assert_eq(&format!("{:?}", decode(raw.as_bytes(), scalar)));
    }

    #[test]
    fn plain_text_folds() {
        check("one   two", expect![[r#""one   two""#]]);
        check(
            "one \r\n    two\n\n  three\n \t\n\n  four",
            expect![[r#""one two\nthree\n\nfour""#]],
        );
    }

    #[test]
    fn single_quotes_double() {
        check("'it''s: one'", expect![[r#""it's: one""#]]);
        check("''''", expect![[r#""'""#]]);
        check("'  a \n\n\n   b\n '", expect![[r#""  a\n\nb ""#]]);
    }

    #[test]
    fn double_quotes_escape() {
        check(
            r#""\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\xA1\u2019\U0001F600\ud83d\ude00""#,
            expect![[
                r#""\0\u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b} \"/\\\u{85}\u{a0}\u{2028}\u{2029}¡’😀😀""#
            ]],
        );
        check(r#""\uD800\u12 \x \U00110000""#, expect![[r#""�\u{12} \0 �""#]]);
    }

    #[test]
    fn double_quotes_fold() {
        check(
            "\"one \\\n   two \n   three\\ \n four\\\\ \n five\"",
            expect![[r#""one two three  four\\ five""#]],
        );
        check("\"one \\\r\n\r\n   \\ two\"", expect![[r#""one \n two""#]]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(decode(b"'a\xff'", Scalar::SingleQuoted), "a\u{fffd}");
    }

    #[test]
    fn block_text() {
        let decoded = |raw: &'static str, scalar| decode(raw.as_bytes(), scalar);
        assert_eq!(decoded("|\n   a\n    b\n\n   c", Scalar::Literal), "a\n b\n\nc\n");
        assert_eq!(decoded(">-\n  a\n  b\n\n  c", Scalar::Folded), "a b\nc");
    }
}
