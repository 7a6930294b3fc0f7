//! The token grammar that all of Godot's text files share.
//!
//! White space and `;` comments may stand between any two tokens, so nothing here cares for lines.
//! Everything works on bytes: only ASCII has a meaning, and other bytes stand in strings and keys.

mod text;
mod value;

pub(crate) use text::{decode_string, escape_all, escape_string, is_hex_run};
pub(crate) use value::{Event, Group, Sink, Word, value};

use std::ops::Range;

const NO_CLOSING_QUOTE: &str = "the text has no closing `\"`";

/// A place in a file, stored small because a big scene has a million of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Files are smaller than 4 GiB, which the document checks before it reads.
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What is wrong with the text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) message: String,
    /// It is about a limit of ours and not about the text.
    pub(crate) is_limit: bool,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into(), is_limit: false }
    }

    /// More than is read here.
    pub(crate) fn limit(at: usize, message: impl Into<String>) -> Fault {
        Fault { is_limit: true, ..Fault::new(at, message) }
    }
}

/// A piece of text with a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// One of `{}[]():,.=`.
    Mark(u8),
    Identifier,
    Number,
    String,
    StringName,
    Color,
    End,
}

/// Reads tokens one after the other.
pub(crate) struct Scanner<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    /// Where the last token starts.
    pub(crate) start: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Scanner<'a> {
        Scanner { bytes, at, start: at }
    }

    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        // The engine takes a zero for the end as well.
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// The text of the last token.
    pub(crate) fn token_text(&self) -> &'a [u8] {
        &self.bytes[self.start..self.at]
    }

    /// Skips white space and comments.
    #[inline]
    pub(crate) fn skip_blank(&mut self) {
        loop {
            match self.peek() {
                b';' => self.skip_line(),
                1..=b' ' => self.at += 1,
                _ => return,
            }
        }
    }

    /// Goes behind the next line break.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |end| self.at + end + 1);
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token, Fault> {
        self.skip_blank();
        self.start = self.at;
        let byte = self.peek();
        match byte {
            0 => Ok(Token::End),
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b',' | b'.' | b'=' => {
                self.at += 1;
                Ok(Token::Mark(byte))
            }
            b'"' => self.string().map(|()| Token::String),
            b'&' | b'@' => self.string_name(),
            b'#' => {
                self.at += 1;
                while self.peek().is_ascii_hexdigit() {
                    self.at += 1;
                }
                Ok(Token::Color)
            }
            b'-' | b'0'..=b'9' => self.number_or_word(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.word();
                Ok(Token::Identifier)
            }
            _ => Err(Fault::new(self.at, format!("`{}` has no meaning here", self.character()))),
        }
    }

    /// The next token must be this mark.
    pub(crate) fn expect(&mut self, mark: u8) -> Result<(), Fault> {
        match self.next()? {
            Token::Mark(found) if found == mark => Ok(()),
            _ => Err(self.unexpected(&format!("`{}`", char::from(mark)))),
        }
    }

    /// A fault about the last token.
    pub(crate) fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.token_text() {
            b"" => "the end of the file".into(),
            text => format!("`{}`", shorten(&String::from_utf8_lossy(text))),
        };
        Fault::new(self.start, format!("{wanted} is expected, not {found}"))
    }

    /// A fault about the last token, which is an identifier.
    fn fault_of_name(&self) -> Fault {
        let name = shorten(&String::from_utf8_lossy(self.token_text()));
        Fault::new(self.start, format!("`{name}` is not the name of a value"))
    }

    /// Reads a number if one is next and a comma right behind it, where the place is then. If not,
    /// the place stays.
    #[inline]
    fn plain_number(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let mut len = usize::from(rest.first() == Some(&b' '));
        let start = len;
        len += usize::from(rest.get(len) == Some(&b'-'));
        let digits = len;
        while rest.get(len).is_some_and(u8::is_ascii_digit) {
            len += 1;
        }
        if len == digits {
            return false;
        }
        if rest.get(len) == Some(&b'.') {
            len += 1;
            while rest.get(len).is_some_and(u8::is_ascii_digit) {
                len += 1;
            }
        }
        if rest.get(len) != Some(&b',') {
            return false;
        }
        self.start = self.at + start;
        self.at += len;
        true
    }

    /// A quoted text with its quotes; the place is at the first one.
    pub(crate) fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let mut is_lead = false;
        loop {
            let rest = &self.bytes[self.at.min(self.bytes.len())..];
            let found = memchr::memchr3(b'"', b'\\', 0, rest).filter(|at| rest[*at] != 0);
            let Some(found) = found else {
                return Err(Fault::new(start, NO_CLOSING_QUOTE));
            };
            let is_escape = rest[found] == b'\\';
            if is_lead && (found > 0 || !is_escape) {
                return Err(Fault::new(self.at, "half of a surrogate pair is missing"));
            }
            self.at += found + 1;
            if !is_escape {
                return Ok(());
            }
            // A NUL ends the engine's stream, after a backslash as well.
            if self.peek() == 0 {
                return Err(Fault::new(start, NO_CLOSING_QUOTE));
            }
            is_lead = self.escape(is_lead)?;
        }
    }

    /// What follows a backslash. True for the first half of a surrogate pair.
    fn escape(&mut self, after_lead: bool) -> Result<bool, Fault> {
        let digits = match self.peek() {
            b'u' => 4,
            b'U' => 6,
            _ => 0,
        };
        let start = self.at;
        self.at += 1;
        let code = match self.bytes.get(self.at..self.at + digits) {
            _ if digits == 0 => 0,
            Some(hex) if is_hex_run(hex) => text::hex(hex),
            _ => return Err(Fault::new(start, "hexadecimal digits are missing")),
        };
        self.at += digits;
        let (is_lead, is_trail) = (code & !0x3ff == 0xd800, code & !0x3ff == 0xdc00);
        if is_trail != after_lead {
            return Err(Fault::new(start, "half of a surrogate pair is missing"));
        }
        Ok(is_lead)
    }

    fn string_name(&mut self) -> Result<Token, Fault> {
        self.at += 1;
        if self.peek() != b'"' {
            let mark = char::from(self.bytes[self.start]);
            return Err(Fault::new(self.start, format!("`{mark}` has no text after it")));
        }
        self.string()?;
        Ok(Token::StringName)
    }

    #[inline]
    fn number_or_word(&mut self) -> Result<Token, Fault> {
        if self.peek() == b'-' {
            self.at += 1;
        }
        match self.peek() {
            b'0'..=b'9' => self.number(),
            // `-inf` is one word.
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.word();
                return Ok(Token::Identifier);
            }
            _ => return Err(Fault::new(self.start, "`-` has no number after it")),
        }
        Ok(Token::Number)
    }

    #[inline]
    fn number(&mut self) {
        self.digits();
        if self.peek() == b'.' {
            self.at += 1;
            self.digits();
        }
        if self.peek() | 0x20 == b'e' {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits();
        }
    }

    #[inline]
    fn digits(&mut self) {
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
    }

    fn word(&mut self) {
        while matches!(self.peek(), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9') {
            self.at += 1;
        }
    }

    /// The character at the place, for messages.
    fn character(&self) -> char {
        let rest = &self.bytes[self.at..self.bytes.len().min(self.at + 4)];
        String::from_utf8_lossy(rest).chars().next().unwrap_or(' ')
    }
}

/// At most the first forty characters, for messages.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
