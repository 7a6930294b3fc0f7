//! Text to tokens.

use super::EvalError;

/// A token, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub at: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A name or a word of the language.
    Word(String),
    Int(i64, IntSuffix),
    Float(f32),
    Double(f64),
    Text(String),
    Char(u16),
    /// `$"..."`.
    Interpolated(Vec<Piece>),
    Sign(&'static str),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IntSuffix {
    None,
    Unsigned,
    Long,
}

/// A part of an interpolated string.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// The tokens of an expression, and what follows it: `,5:F2`.
    Hole {
        tokens: Vec<Token>,
        width: i32,
        format: String,
    },
}

/// Longest first, so that the first that fits is the one that is meant. `>>` is not among them: it
/// also ends `List<List<int>>`, so the parser joins two `>` itself.
const SIGNS: [&str; 46] = [
    "<<=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "<<", "::", "->", "..", "+", "-", "*", "/", "%", "=", "<", ">",
    "!", "~", "&", "|", "^", "?", ":", ";", ",", ".", "(", ")", "[", "]",
];
const BRACES: [&str; 2] = ["{", "}"];

/// Holes in holes beyond this are refused.
const MAX_HOLES: usize = 8;

pub(super) fn tokens(source: &str) -> Result<Vec<Token>, EvalError> {
    Lexer { source, at: 0, holes: 0 }.run(false)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    holes: usize,
}

impl<'s> Lexer<'s> {
    /// Tokens up to the end, or in a hole up to what ends it.
    fn run(&mut self, in_hole: bool) -> Result<Vec<Token>, EvalError> {
        let mut tokens = Vec::new();
        let mut depth = 0_usize;
        loop {
            self.skip_blanks()?;
            let at = self.at as u32;
            let Some(next) = self.peek() else { break };
            if in_hole && depth == 0 && matches!(next, '}' | ',' | ':') {
                break;
            }
            match next {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let kind = self.token(next)?;
            tokens.push(Token { at, kind });
        }
        tokens.push(Token { at: self.at as u32, kind: Kind::End });
        Ok(tokens)
    }

    fn token(&mut self, next: char) -> Result<Kind, EvalError> {
        let rest = self.rest();
        if next == '"' {
            if rest.starts_with("\"\"\"") {
                return Err(
                    self.error("raw strings are not supported; use a verbatim string @\"…\"")
                );
            }
            self.at += 1;
            return self.quoted().map(Kind::Text);
        }
        if rest.starts_with("@\"") {
            self.at += 2;
            return self.verbatim().map(Kind::Text);
        }
        for (start, verbatim) in [("$\"", false), ("$@\"", true), ("@$\"", true)] {
            if rest.starts_with(start) {
                self.at += start.len();
                return self.interpolated(verbatim).map(Kind::Interpolated);
            }
        }
        if next == '\'' {
            return self.character();
        }
        let digit_follows = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if next.is_ascii_digit() || (next == '.' && digit_follows) {
            return self.number();
        }
        if next.is_alphabetic() || next == '_' || next == '@' {
            return self.word();
        }
        let sign = SIGNS.iter().chain(&BRACES).find(|sign| rest.starts_with(**sign));
        let sign = sign.ok_or_else(|| self.error(&format!("unexpected character '{next}'")))?;
        self.at += sign.len();
        Ok(Kind::Sign(sign))
    }

    fn skip_blanks(&mut self) -> Result<(), EvalError> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches(char::is_whitespace).len();
            self.at += blanks;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.error("the comment has no end"))?;
                self.at += end + 2;
            } else if rest.starts_with('#') {
                return Err(self.error("preprocessor lines are not supported"));
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<Kind, EvalError> {
        if self.peek() == Some('@') {
            self.at += 1;
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("a name is expected after '@'"));
        }
        self.at += end;
        Ok(Kind::Word(rest[..end].to_owned()))
    }

    fn number(&mut self) -> Result<Kind, EvalError> {
        let start = self.at;
        let rest = self.rest();
        let lower = rest.get(..2).unwrap_or_default().to_ascii_lowercase();
        for (prefix, radix) in [("0x", 16), ("0b", 2)] {
            if lower == prefix {
                let digits: String =
                    rest[2..].chars().take_while(|c| c.is_digit(radix) || *c == '_').collect();
                self.at += 2 + digits.len();
                let value = u64::from_str_radix(&digits.replace('_', ""), radix);
                let value = value.map_err(|_| self.error_at(start, "this is no number"))?;
                return self.integer(start, value);
            }
        }
        self.digits();
        let mut whole = true;
        if self.peek() == Some('.') && self.second().is_some_and(|c| c.is_ascii_digit()) {
            whole = false;
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            self.digits();
        }
        let text = self.source[start..self.at].replace('_', "");
        let bad = |lexer: &Self| lexer.error_at(start, "this is no number");
        match self.peek() {
            Some('f' | 'F') => {
                self.at += 1;
                text.parse().map(Kind::Float).map_err(|_| bad(self))
            }
            Some('d' | 'D') => {
                self.at += 1;
                text.parse().map(Kind::Double).map_err(|_| bad(self))
            }
            Some('m' | 'M') => Err(self.error_at(start, "decimal is not supported; use double")),
            _ if !whole => text.parse().map(Kind::Double).map_err(|_| bad(self)),
            _ => {
                let value = text.parse::<u64>();
                let value = value.map_err(|_| {
                    self.error_at(start, "CS1021: the integral constant is too large")
                })?;
                self.integer(start, value)
            }
        }
    }

    fn integer(&mut self, start: usize, value: u64) -> Result<Kind, EvalError> {
        let suffix: String = self.rest().chars().take_while(char::is_ascii_alphabetic).collect();
        self.at += suffix.len();
        let suffix = match suffix.to_ascii_lowercase().as_str() {
            "" => IntSuffix::None,
            "u" => IntSuffix::Unsigned,
            "l" => IntSuffix::Long,
            "ul" | "lu" => {
                return Err(self.error_at(start, "ulong is not supported; use long"));
            }
            _ => return Err(self.error_at(start, "this is no number")),
        };
        let value = i64::try_from(value).map_err(|_| {
            self.error_at(start, "the number does not fit a long, and ulong is not supported")
        })?;
        Ok(Kind::Int(value, suffix))
    }

    fn digits(&mut self) {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
        self.at += end;
    }

    fn character(&mut self) -> Result<Kind, EvalError> {
        let start = self.at;
        self.at += 1;
        let bad = "a character is one letter or escape in single quotes";
        let found = match self.peek() {
            Some('\\') => self.escape()?,
            Some('\'' | '\n') | None => return Err(self.error_at(start, bad)),
            Some(letter) => {
                self.at += letter.len_utf8();
                letter
            }
        };
        if self.peek() != Some('\'') {
            return Err(self.error_at(start, bad));
        }
        self.at += 1;
        let unit = u16::try_from(u32::from(found)).map_err(|_| self.error_at(start, bad))?;
        Ok(Kind::Char(unit))
    }

    /// After the opening quote.
    fn quoted(&mut self) -> Result<String, EvalError> {
        let start = self.at - 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return Err(self.error_at(start, "the string has no end")),
                Some('"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()?),
                Some(letter) => {
                    self.at += letter.len_utf8();
                    text.push(letter);
                }
            }
        }
    }

    fn verbatim(&mut self) -> Result<String, EvalError> {
        let start = self.at - 2;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end =
                rest.find('"').ok_or_else(|| self.error_at(start, "the string has no end"))?;
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if self.peek() != Some('"') {
                return Ok(text);
            }
            self.at += 1;
            text.push('"');
        }
    }

    fn interpolated(&mut self, verbatim: bool) -> Result<Vec<Piece>, EvalError> {
        let start = self.at - 1;
        self.holes += 1;
        if self.holes > MAX_HOLES {
            return Err(self.error_at(start, "interpolated strings are nested too deep"));
        }
        let mut pieces = Vec::new();
        let mut text = String::new();
        loop {
            let rest = self.rest();
            match self.peek() {
                None => return Err(self.error_at(start, "the string has no end")),
                Some('\n') if !verbatim => {
                    return Err(self.error_at(start, "the string has no end"));
                }
                Some('"') if verbatim && rest.starts_with("\"\"") => {
                    self.at += 2;
                    text.push('"');
                }
                Some('"') => {
                    self.at += 1;
                    pieces.push(Piece::Text(text));
                    self.holes -= 1;
                    return Ok(pieces);
                }
                Some('\\') if !verbatim => text.push(self.escape()?),
                Some(brace @ ('{' | '}')) if self.second() == Some(brace) => {
                    self.at += 2;
                    text.push(brace);
                }
                Some('{') => {
                    self.at += 1;
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(self.hole()?);
                }
                Some('}') => {
                    return Err(self.error("a single '}' in an interpolated string; write '}}'"));
                }
                Some(letter) => {
                    self.at += letter.len_utf8();
                    text.push(letter);
                }
            }
        }
    }

    fn hole(&mut self) -> Result<Piece, EvalError> {
        let tokens = self.run(true)?;
        let mut width = 0;
        if self.peek() == Some(',') {
            self.at += 1;
            let rest = self.rest();
            let end = rest.find([':', '}', '"']).unwrap_or(rest.len());
            width = rest[..end].trim().parse().map_err(|_| self.error("a width is expected"))?;
            self.at += end;
        }
        let mut format = String::new();
        if self.peek() == Some(':') {
            self.at += 1;
            let rest = self.rest();
            let end = rest.find(['}', '"', '\n']).unwrap_or(rest.len());
            format = rest[..end].to_owned();
            self.at += end;
        }
        if self.peek() != Some('}') {
            return Err(self.error("'}' is expected"));
        }
        self.at += 1;
        Ok(Piece::Hole { tokens, width, format })
    }

    fn escape(&mut self) -> Result<char, EvalError> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek().ok_or_else(|| self.error("the string has no end"))?;
        self.at += letter.len_utf8();
        let plain = match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            '\\' | '"' | '\'' => letter,
            'u' | 'x' | 'U' => {
                let most = if letter == 'U' { 8 } else { 4 };
                let digits: String =
                    self.rest().chars().take(most).take_while(char::is_ascii_hexdigit).collect();
                self.at += digits.len();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                let whole = letter == 'x' || digits.len() == most;
                code.filter(|_| whole)
                    .ok_or_else(|| self.error_at(start, "CS1009: unrecognized escape sequence"))?
            }
            _ => return Err(self.error_at(start, "CS1009: unrecognized escape sequence")),
        };
        Ok(plain)
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    fn error(&self, message: &str) -> EvalError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: &str) -> EvalError {
        EvalError::compile(self.source, at as u32, message)
    }
}
