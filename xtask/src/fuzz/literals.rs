//! The texts in a Rust source. Tests hold hundreds of small inputs that way, and nobody keeps a
//! second copy of them up to date.

/// Every string of a source, decoded; doc comments and code do not count.
pub(crate) fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some((text, behind)) = raw(rest) {
            found.push(text.to_owned());
            rest = behind;
        } else if let Some(inside) = rest.strip_prefix('"') {
            let (text, behind) = quoted(inside);
            found.push(text);
            rest = behind;
        } else if let Some(behind) = character(rest) {
            rest = behind;
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// `r"…"` or `r#"…"#`, and what is behind it.
fn raw(text: &str) -> Option<(&str, &str)> {
    let hashes = text.strip_prefix('r')?;
    let count = hashes.bytes().take_while(|byte| *byte == b'#').count();
    let inside = hashes[count..].strip_prefix('"')?;
    let end = format!("\"{}", &hashes[..count]);
    inside.split_once(&*end)
}

/// The text up to the quote that ends it, and what is behind that.
fn quoted(inside: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = inside.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('0') => text.push('\0'),
                Some('\n') => chars = chars.as_str().trim_start().chars(),
                Some('u') => {
                    let (digits, behind) = chars.as_str().split_once('}').unwrap_or_default();
                    let code = u32::from_str_radix(digits.trim_start_matches('{'), 16);
                    text.extend(code.ok().and_then(char::from_u32));
                    chars = behind.chars();
                }
                other => text.extend(other),
            },
            char => text.push(char),
        }
    }
    (text, chars.as_str())
}

/// What is behind a character such as `'"'`; a lifetime is none.
fn character(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('\'').or_else(|| text.strip_prefix("b'"))?;
    let mut chars = inside.chars();
    if chars.next()? == '\\' {
        chars.next()?;
    }
    chars.as_str().strip_prefix('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_texts_of_every_form() {
        let source = r##"
            // "a comment"
            check('"', b'"', &'a str, "one \"two\"\n", r#"raw "text""#, "long \
                line", "\u{feff}x", r"c:\");
        "##;
        let wanted = ["one \"two\"\n", "raw \"text\"", "long line", "\u{feff}x", "c:\\"];
        assert_eq!(literals(source), wanted);
    }
}
