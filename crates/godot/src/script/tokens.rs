//! The words of a script, as Godot's own reader divides them. A line break carries how far the next
//! line with code is indented; whether that means anything is for the grammar to say.

use crate::CodeProblem;

/// A word, and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A name or a word of the language.
    Word(&'a str),
    Number,
    Text,
    /// An operator or a bracket.
    Sign(&'a str),
    /// The end of a line, and how far the next one with code is indented.
    Line(usize),
    End,
}

/// Longer ones first, so that the first that fits is the right one.
const SIGNS: &[&str] = &[
    "**=", "<<=", ">>=", "...", "**", "<<", ">>", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "->", "..", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "<", ">", "=", ".", ",", ":", ";", "$", "@", "(", ")", "[", "]", "{", "}",
];

/// All words of a text, the end at its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, CodeProblem> {
    let mut lexer = Lexer { text, at: 0, found: Vec::new() };
    // An editor may have put a mark before the text.
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.line_start(lexer.at)?;
    while lexer.at < text.len() {
        lexer.next()?;
    }
    lexer.push(Kind::End, text.len());
    Ok(lexer.found)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn push(&mut self, kind: Kind<'a>, offset: usize) {
        self.found.push(Token { kind, offset });
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, CodeProblem> {
        Err(CodeProblem::at(self.text, offset, message.into()))
    }

    /// Pass empty lines and comments, and tell how the next line with code starts.
    fn line_start(&mut self, offset: usize) -> Result<(), CodeProblem> {
        loop {
            let rest = self.rest();
            let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let code = &rest[indent..];
            let is_empty = code.is_empty() || code.starts_with(['#', '\n', '\r']);
            if !is_empty {
                self.at += indent;
                // Tabs and spaces together are judged where the line starts a statement.
                self.push(Kind::Line(indent), offset);
                return Ok(());
            }
            match code.find('\n') {
                Some(end) => self.at += indent + end + 1,
                None => {
                    self.at = self.text.len();
                    self.push(Kind::Line(0), offset);
                    return Ok(());
                }
            }
        }
    }

    fn next(&mut self) -> Result<(), CodeProblem> {
        let (start, rest) = (self.at, self.rest());
        let first = rest.chars().next().unwrap_or_default();
        match first {
            ' ' | '\t' | '\r' => self.at += 1,
            '\n' => {
                self.at += 1;
                return self.line_start(start);
            }
            '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
            '\\' => return self.continued(),
            '"' | '\'' => return self.string(start, false),
            'r' if rest[1..].starts_with(['"', '\'']) => {
                self.at += 1;
                return self.string(start, true);
            }
            '&' | '^' if rest[1..].starts_with(['"', '\'']) => {
                self.at += 1;
                return self.string(start, false);
            }
            '0'..='9' => self.number(),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            _ if first == '_' || first.is_alphabetic() => {
                let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
                let word = &rest[..end.unwrap_or(rest.len())];
                self.at += word.len();
                self.push(Kind::Word(word), start);
            }
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => {
                    self.at += sign.len();
                    self.push(Kind::Sign(sign), start);
                }
                None => return self.error(start, format!("`{first}` has no meaning in code")),
            },
        }
        Ok(())
    }

    /// A `\` at the end of a line: the next one belongs to it.
    fn continued(&mut self) -> Result<(), CodeProblem> {
        let rest = &self.rest()[1..];
        let end = rest.strip_prefix('\r').unwrap_or(rest);
        if !end.starts_with('\n') {
            return self.error(self.at, "a `\\` is followed by more than the end of its line");
        }
        self.at = self.text.len() - end.len() + 1;
        Ok(())
    }

    fn number(&mut self) {
        let start = self.at;
        let bytes = self.rest().as_bytes();
        let is_based = bytes.len() > 1 && bytes[0] == b'0' && matches!(bytes[1] | 32, b'x' | b'b');
        let mut length = if is_based { 2 } else { 0 };
        let mut has_point = is_based;
        while let Some(byte) = bytes.get(length) {
            let after = bytes.get(length + 1);
            length += match byte {
                b'_' => 1,
                _ if byte.is_ascii_digit() => 1,
                _ if is_based && byte.is_ascii_hexdigit() => 1,
                // `1..2` is a number and two points.
                b'.' if !has_point && after != Some(&b'.') => {
                    has_point = true;
                    1
                }
                b'e' | b'E' if !is_based && matches!(after, Some(b'+' | b'-')) => 2,
                b'e' | b'E' if !is_based => 1,
                _ => break,
            };
        }
        self.at += length;
        self.push(Kind::Number, start);
    }

    /// A text, whose quote is next. It may go over lines, with one quote or three.
    fn string(&mut self, start: usize, is_raw: bool) -> Result<(), CodeProblem> {
        let rest = self.rest();
        let quote = &rest[..1];
        let triple = quote.repeat(3);
        let close = if rest.starts_with(&triple) { triple.as_str() } else { quote };
        let mut at = close.len();
        loop {
            let tail = &rest[at..];
            if tail.is_empty() {
                return self.error(start, format!("a text is not closed: {close} is missing"));
            }
            if tail.starts_with(close) {
                self.at += at + close.len();
                self.push(Kind::Text, start);
                return Ok(());
            }
            let mut chars = tail.chars();
            let first = chars.next().unwrap_or_default();
            at += first.len_utf8();
            if first != '\\' {
                continue;
            }
            let escaped = chars.next().unwrap_or_default();
            let is_known = "abfnrtv'\"\\uU\r\n".contains(escaped);
            if !is_raw && !is_known {
                let place = start + (self.at - start) + at - 1;
                return self.error(place, format!("`\\{escaped}` means nothing in a text"));
            }
            at += escaped.len_utf8().min(rest.len() - at);
        }
    }
}
