//! Quoted strings, decoded and written.

use std::borrow::Cow;

/// The text of a quoted string, which may have a `&` or `@` before it. Invalid UTF-8 becomes `�`.
pub(crate) fn decode_string(token: &[u8]) -> Cow<'_, str> {
    let start = token.iter().position(|byte| *byte == b'"').map_or(0, |quote| quote + 1);
    let body = token.get(start..token.len().saturating_sub(1)).unwrap_or_default();
    match memchr::memchr(b'\\', body) {
        None => String::from_utf8_lossy(body),
        Some(_) => Cow::Owned(unescape(&String::from_utf8_lossy(body))),
    }
}

fn unescape(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some('b') => text.push('\u{8}'),
            Some('t') => text.push('\t'),
            Some('n') => text.push('\n'),
            Some('f') => text.push('\u{c}'),
            Some('r') => text.push('\r'),
            Some('u') => text.push(code_point(&mut chars, 4)),
            Some('U') => text.push(code_point(&mut chars, 6)),
            // Any other character stands for itself.
            other => text.extend(other),
        }
        rest = chars.as_str();
    }
    text + rest
}

/// Hexadecimal digits after `\u` or `\U`, with the second half of a surrogate pair if one follows.
fn code_point(chars: &mut std::str::Chars<'_>, digits: usize) -> char {
    let Some(first) = take_hex(chars, digits) else { return char::REPLACEMENT_CHARACTER };
    if first & !0x3ff != 0xd800 {
        // The engine's texts hold no NUL either: it puts the same mark in its place.
        return char::from_u32(first)
            .filter(|char| *char != '\0')
            .unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = chars.clone();
    let digits = match (ahead.next(), ahead.next()) {
        (Some('\\'), Some('u')) => 4,
        (Some('\\'), Some('U')) => 6,
        _ => return char::REPLACEMENT_CHARACTER,
    };
    match take_hex(&mut ahead, digits) {
        Some(low @ 0xdc00..=0xdfff) => {
            *chars = ahead;
            let code = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => char::REPLACEMENT_CHARACTER,
    }
}

fn take_hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let text = chars.as_str().get(..digits).filter(|text| is_hex_run(text.as_bytes()))?;
    *chars = chars.as_str()[digits..].chars();
    Some(hex(text.as_bytes()))
}

/// True when all bytes are hexadecimal digits.
pub(crate) fn is_hex_run(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_hexdigit)
}

/// The number that hexadecimal digits stand for.
pub(super) fn hex(digits: &[u8]) -> u32 {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or(0);
    digits.iter().fold(0, |number, byte| (number << 4) | digit(byte))
}

/// Text as it stands in a string: Godot keeps line breaks and tabs as they are.
pub(crate) fn escape_string(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Text as it stands in a string name or node path, which Godot writes on one line.
pub(crate) fn escape_all(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\u{8}' => escaped.push_str("\\b"),
            '\u{c}' => escaped.push_str("\\f"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\\' | '\'' | '"' => escaped.extend(['\\', char]),
            _ => escaped.push(char),
        }
    }
    escaped
}
