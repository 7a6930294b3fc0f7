//! Pieces of source as text for readers: on one line, cut, decoded, summarised.

/// Text of a source on one line: runs of white space become one space.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The text, cut to a length that a reader can take in.
pub(super) fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.push('…');
    }
    text
}

/// The value of a string literal or of a `nameof`, when the text is one and nothing else.
pub(crate) fn string_literal(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(name) = text.strip_prefix("nameof(").and_then(|t| t.strip_suffix(')')) {
        return Some(name.rsplit('.').next().unwrap_or(name).trim().to_owned());
    }
    if let Some(raw) = text.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")) {
        return Some(raw.trim_matches(['\r', '\n', '"']).trim_end_matches([' ', '\t']).to_owned());
    }
    if let Some(verbatim) = text.strip_prefix("@\"").and_then(|t| t.strip_suffix('"')) {
        // One quote that is not doubled ends the literal, so more than a literal stands here.
        let doubled = !verbatim.replace("\"\"", "").contains('"');
        return doubled.then(|| verbatim.replace("\"\"", "\""));
    }
    unescape(text.strip_prefix('"')?.strip_suffix('"')?)
}

fn unescape(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        value.push(match c {
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'v' => '\u{b}',
                'u' => hex(chars.by_ref().take(4))?,
                'U' => hex(chars.by_ref().take(8))?,
                other => other,
            },
            other => other,
        });
    }
    Some(value)
}

fn hex(mut digits: impl Iterator<Item = char>) -> Option<char> {
    let code = digits
        .try_fold(0u32, |code, digit| code.checked_mul(16)?.checked_add(digit.to_digit(16)?))?;
    // Half of a surrogate pair has no `char` of its own.
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The summary of documentation comments, or the whole text when it has no tags.
pub(super) fn summary(comment: &str) -> Option<String> {
    let mut text = String::new();
    for line in comment.lines() {
        let line = line.trim();
        let line = line.strip_prefix("///").or_else(|| line.strip_prefix("/**")).unwrap_or(line);
        text.push_str(line.trim_end_matches("*/").trim_start_matches("* "));
        text.push('\n');
    }
    let text = match text.split_once("<summary>") {
        Some((_, rest)) => rest.split_once("</summary>").map_or(rest, |(inner, _)| inner),
        None if text.trim_start().starts_with('<') => return None,
        None => &text,
    };
    let line = one_line(&without_tags(text));
    (!line.is_empty()).then(|| cut(line, 1000))
}

fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let Some((tag, next)) = after.split_once('>') else {
            rest = after;
            break;
        };
        // `<see cref="Door"/>` and `<paramref name="x"/>` stand for the name they quote.
        if tag.ends_with('/')
            && let Some((_, quoted)) = tag.split_once('"')
        {
            plain.push_str(quoted.split('"').next().unwrap_or_default());
        }
        rest = next;
    }
    plain.push_str(rest);
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
