//! What can be seen of a source without its grammar: that texts and comments have an end, that
//! brackets have partners, where statements may begin. The parser gets only what passes here,
//! because it takes its time, or all of it, over what is nested without end.

use crate::limits::{MAX_DEPTH, MAX_PATTERN_WORDS};

/// `a<b<c<`: more of them in a row are no types.
const MAX_ANGLES: usize = 32;

/// A syntax error.
pub(super) struct Problem {
    pub at: usize,
    pub message: String,
}

/// A source that was looked through.
pub(super) struct Scan {
    /// The source as the grammar can read it, byte for byte in the same place: it knows no `$""`,
    /// no `{{{x}}}` in an interpolated string, and not all of its quotes. Nobody reads texts here.
    pub readable: Vec<u8>,
    /// Where statements may begin, in order.
    pub starts: Vec<usize>,
    /// The same, outside of all brackets.
    pub top: Vec<usize>,
    /// Where the last sign or word is that is no `;`.
    pub last: usize,
    /// What the source lacks at its end.
    pub unclosed: Option<Problem>,
}

/// Look through a source.
pub(super) fn scan(source: &str) -> Result<Scan, Problem> {
    let scan = Scan {
        readable: source.as_bytes().to_vec(),
        starts: vec![0],
        top: vec![0],
        last: 0,
        unclosed: None,
    };
    let mut scanner =
        Scanner { source: source.as_bytes(), at: 0, scan, open: Vec::new(), angles: 0, words: 0 };
    while let Some(byte) = scanner.peek(0) {
        scanner.step(byte)?;
    }
    let Scanner { open, mut scan, .. } = scanner;
    scan.unclosed = open.last().map(|last| match last {
        Open::Bracket(wanted) => {
            problem(source.len(), format!("'{}' is expected, found the end", char::from(*wanted)))
        }
        Open::Hole(text) => problem(text.start, NO_END.to_owned()),
    });
    match scan.unclosed {
        Some(unclosed) if matches!(open.last(), Some(Open::Hole(_))) => Err(unclosed),
        _ => Ok(scan),
    }
}

const NO_END: &str = "the string has no end";
const NO_CHARACTER: &str = "a character is one letter or escape in single quotes";

/// What waits for its end.
enum Open {
    /// A bracket, and what closes it.
    Bracket(u8),
    /// A hole in a text.
    Hole(Text),
}

/// A string that is being read.
#[derive(Clone, Copy)]
struct Text {
    start: usize,
    verbatim: bool,
    holes: bool,
}

struct Scanner<'s> {
    source: &'s [u8],
    at: usize,
    scan: Scan,
    open: Vec<Open>,
    /// `<` in a row, with nothing but names between them.
    angles: usize,
    words: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &[u8] {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, byte: u8) -> Result<(), Problem> {
        if byte.is_ascii_whitespace() {
            self.at += 1;
            return Ok(());
        }
        if self.rest().starts_with(b"//") {
            let end = self.rest().iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.at += end.unwrap_or(self.rest().len());
            return Ok(());
        }
        if self.rest().starts_with(b"/*") {
            let inner = self.rest().get(2..).unwrap_or_default();
            let end = inner.windows(2).position(|pair| pair == b"*/");
            self.at += end.ok_or_else(|| self.problem("the comment has no end"))? + 4;
            return Ok(());
        }
        if byte != b';' {
            self.scan.last = self.at;
        }
        if is_letter(byte) {
            return self.word();
        }
        match byte {
            b'#' => return Err(self.problem("preprocessor lines are not supported")),
            b'\'' => return self.character(),
            b'"' | b'@' | b'$' => return self.quotes(),
            b':' if matches!(self.open.last(), Some(Open::Hole(_))) => return self.format(),
            b'(' => self.open(b')')?,
            b'[' => self.open(b']')?,
            b'{' => self.open(b'}')?,
            b')' | b']' | b'}' => return self.close(byte),
            _ => {}
        }
        self.angles = match byte {
            b'<' => self.angles + 1,
            b'.' | b'?' => self.angles,
            _ => 0,
        };
        if self.angles > MAX_ANGLES {
            return Err(self.problem("the type is nested too deep"));
        }
        self.at += 1;
        if matches!(byte, b';' | b'{') {
            self.statement_may_begin();
        }
        Ok(())
    }

    fn statement_may_begin(&mut self) {
        self.scan.starts.push(self.at);
        if self.open.is_empty() {
            self.scan.top.push(self.at);
        }
    }

    fn open(&mut self, end: u8) -> Result<(), Problem> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.problem("the code is nested too deep; split it into statements"));
        }
        self.open.push(Open::Bracket(end));
        Ok(())
    }

    fn close(&mut self, byte: u8) -> Result<(), Problem> {
        let found = char::from(byte);
        match self.open.pop() {
            Some(Open::Bracket(wanted)) if wanted == byte => {}
            Some(Open::Bracket(wanted)) => {
                let wanted = char::from(wanted);
                return Err(self.problem(&format!("'{wanted}' is expected, found '{found}'")));
            }
            Some(Open::Hole(text)) if byte == b'}' => {
                self.at += 1;
                return self.text(text);
            }
            Some(Open::Hole(_)) => {
                return Err(self.problem(&format!("'}}' is expected, found '{found}'")));
            }
            None => return Err(self.problem(&format!("'{found}' closes nothing"))),
        }
        self.angles = 0;
        self.at += 1;
        if byte == b'}' {
            self.statement_may_begin();
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), Problem> {
        let length = self.rest().iter().take_while(|byte| is_letter(**byte)).count();
        if matches!(&self.rest()[..length], b"and" | b"or" | b"not") {
            self.words += 1;
            if self.words > MAX_PATTERN_WORDS {
                return Err(self.problem(
                    "there are too many 'and', 'or' and 'not'; use && and ||, or a list and Contains",
                ));
            }
        }
        let is_word = matches!(
            &self.rest()[..length],
            b"async" | b"await" | b"record" | b"partial" | b"required" | b"nint" | b"nuint"
        );
        if is_word && self.is_name(length) {
            self.scan.readable[self.at..self.at + length].fill(b'_');
        }
        self.at += length;
        Ok(())
    }

    /// Whether a word that the grammar keeps for itself is a name here, by what follows it.
    fn is_name(&self, length: usize) -> bool {
        let mut behind = self.rest()[length..].iter().filter(|byte| !byte.is_ascii_whitespace());
        behind.next().is_none_or(|byte| b"=.;,)]}+-*/%<>!&|^?:[".contains(byte))
    }

    fn character(&mut self) -> Result<(), Problem> {
        let content = match self.peek(1) {
            Some(b'\\') => self.escape(1)?,
            Some(b'\'' | b'\n') | None => return Err(self.problem(NO_CHARACTER)),
            Some(first) => letter_length(first),
        };
        if self.peek(1 + content) != Some(b'\'') {
            return Err(self.problem(NO_CHARACTER));
        }
        self.angles = 0;
        self.at += 2 + content;
        Ok(())
    }

    /// How long an escape is that begins so far ahead.
    fn escape(&self, ahead: usize) -> Result<usize, Problem> {
        let digits = |most: usize| {
            let rest = self.rest().get(ahead + 2..).unwrap_or_default();
            rest.iter().take(most).take_while(|byte| byte.is_ascii_hexdigit()).count()
        };
        let length = match self.peek(ahead + 1) {
            Some(b'u') if digits(4) == 4 => 6,
            Some(b'U') if digits(8) == 8 => 10,
            Some(b'x') if digits(1) == 1 => 2 + digits(4),
            Some(b'n' | b't' | b'r' | b'0' | b'a' | b'b' | b'f' | b'v' | b'\\' | b'"' | b'\'') => 2,
            _ => {
                let message = "CS1009: unrecognized escape sequence".to_owned();
                return Err(problem(self.at + ahead, message));
            }
        };
        Ok(length)
    }

    /// The start of a string, or the `@` of a name.
    fn quotes(&mut self) -> Result<(), Problem> {
        let is_prefix = |byte: &&u8| matches!(byte, b'@' | b'$');
        let prefix = self.rest().iter().take_while(is_prefix).count();
        let dollars = self.rest()[..prefix].iter().filter(|byte| **byte == b'$').count();
        let start = self.at;
        let quotes = self.rest()[prefix..].iter().take_while(|byte| **byte == b'"').count();
        let verbatim = dollars < prefix;
        self.angles = 0;
        if quotes == 0 {
            self.at += prefix;
            return Ok(());
        }
        if dollars > 1 || (quotes > 2 && !verbatim) {
            let message = "raw strings are not supported; use a verbatim string @\"…\"";
            return Err(self.problem(message));
        }
        self.at += prefix + 1;
        if quotes == 2 && !verbatim && dollars == 1 {
            self.scan.readable[start] = b' ';
        }
        self.text(Text { start, verbatim, holes: dollars == 1 })
    }

    /// The text of a string up to its end or its next hole.
    fn text(&mut self, text: Text) -> Result<(), Problem> {
        let Text { start, verbatim, holes } = text;
        while let Some(byte) = self.peek(0) {
            let twice = self.peek(1) == Some(byte);
            match byte {
                b'\\' if !verbatim => self.at += self.escape(0)?,
                b'\n' if !verbatim => return Err(problem(start, NO_END.to_owned())),
                b'"' if verbatim && twice => self.hide_two(),
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'{' | b'}' if holes && twice => self.hide_two(),
                b'{' if holes => {
                    self.open(b'}')?;
                    self.open.pop();
                    self.open.push(Open::Hole(text));
                    self.at += 1;
                    return Ok(());
                }
                b'}' if holes => {
                    let message = "a single '}' in an interpolated string; write '}}'";
                    return Err(self.problem(message));
                }
                _ => self.at += 1,
            }
        }
        Err(problem(start, NO_END.to_owned()))
    }

    /// Two signs that mean one, which the grammar need not know.
    fn hide_two(&mut self) {
        self.scan.readable[self.at..self.at + 2].fill(b'_');
        self.at += 2;
    }

    /// `:F2` up to the end of a hole.
    fn format(&mut self) -> Result<(), Problem> {
        let end = self.rest().iter().position(|byte| matches!(byte, b'}' | b'"' | b'\n'));
        self.at += end.unwrap_or(self.rest().len());
        match self.peek(0) {
            Some(b'}') => Ok(()),
            _ => Err(self.problem("'}' is expected")),
        }
    }

    fn problem(&self, message: &str) -> Problem {
        problem(self.at, message.to_owned())
    }
}

fn problem(at: usize, message: String) -> Problem {
    Problem { at, message }
}

/// Whether a byte may be of a name; letters beyond ASCII are, and it does not matter if more are.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// How many bytes a letter has, by its first.
fn letter_length(first: u8) -> usize {
    match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}
