//! The lines of a script without texts and comments, and the texts that were in them.

use super::NodePathUse;

/// A text in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The text itself.
    pub text: String,
    /// The name before the bracket that it is in: `load` for `load("a")`; empty when there is none.
    pub call: String,
    /// True when it is all that `load` or `preload` is given: nothing is added to it, and no other
    /// object has a method of that name.
    pub is_loaded: bool,
    /// Where the text starts, its quote included.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
}

/// The lines of a script with texts and comments blanked out, and what was found there.
pub(super) struct Scan {
    pub(super) lines: Vec<String>,
    pub(super) literals: Vec<Literal>,
    pub(super) node_paths: Vec<NodePathUse>,
}

/// Brackets that are open at once; more are not told apart.
const MAX_OPEN: usize = 256;

pub(super) fn scan(text: &str) -> Scan {
    let mut scanner = Scanner {
        text,
        at: 0,
        line: 1,
        code: String::new(),
        word: String::new(),
        open: Vec::new(),
        scan: Scan { lines: Vec::new(), literals: Vec::new(), node_paths: Vec::new() },
    };
    while scanner.step() {}
    scanner.end_line();
    scanner.scan
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// The code of this line so far.
    code: String,
    /// The last word, to be the name of a call.
    word: String,
    /// The names before the brackets that are open, and whether each is a method of something.
    open: Vec<(String, bool)>,
    scan: Scan,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn step(&mut self) -> bool {
        let Some(char) = self.rest().chars().next() else { return false };
        match char {
            '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            '"' | '\'' => self.literal(false),
            'r' if self.word.is_empty() && self.rest()[1..].starts_with(['"', '\'']) => {
                self.at += 1;
                self.code.push(' ');
                self.literal(true);
            }
            '$' => self.node_path(),
            '%' if self.is_unique_name() => self.node_path(),
            _ => self.code_char(char),
        }
        true
    }

    fn code_char(&mut self, char: char) {
        self.at += char.len_utf8();
        match char {
            '\n' => self.end_line(),
            '(' | '[' | '{' if self.open.len() < MAX_OPEN => {
                let word = std::mem::take(&mut self.word);
                let before = self.code.strip_suffix(&*word).unwrap_or(&self.code).trim_end();
                let is_method = before.ends_with('.') && !before.ends_with("ResourceLoader.");
                self.open.push((word, is_method));
            }
            ')' | ']' | '}' => {
                self.open.pop();
                self.word.clear();
            }
            _ if char.is_alphanumeric() || char == '_' => {
                self.word.push(char);
                self.code.push(char);
                return;
            }
            ' ' | '\t' => {}
            _ => self.word.clear(),
        }
        if matches!(char, ' ' | '\t') && !self.word.is_empty() {
            // A name and its bracket stand together.
            self.word.clear();
        }
        if char != '\n' && char != '\r' {
            self.code.push(char);
        }
    }

    fn end_line(&mut self) {
        self.scan.lines.push(std::mem::take(&mut self.code));
        self.word.clear();
        self.line += 1;
    }

    /// A text from its quote on. Long ones have three quotes.
    fn literal(&mut self, is_raw: bool) {
        let (start, line) = (self.at, self.line);
        let quote = self.rest()[..1].to_owned();
        let long = quote.repeat(3);
        let is_long = self.rest().starts_with(&long);
        let end = if is_long { long } else { quote };
        self.at += end.len();
        let mut text = String::new();
        while let Some(char) = self.rest().chars().next() {
            if self.rest().starts_with(&*end) {
                self.at += end.len();
                break;
            }
            if char == '\n' && !is_long {
                // The text was not closed; the next line may be good again.
                break;
            }
            self.at += char.len_utf8();
            if char == '\\' && !is_raw {
                let next = self.rest().chars().next().unwrap_or(' ');
                if next != '\n' {
                    self.at += next.len_utf8().min(self.rest().len());
                    text.push(escaped(next));
                }
                continue;
            }
            text.push(char);
        }
        let is_first = self.code.trim_end().ends_with(['(', '&', '^']);
        // A quote stands for the text, and blanks keep the columns.
        let mut lines = self.text[start..self.at].split('\n').map(str::len);
        let first = lines.next().unwrap_or(1);
        self.code.push('"');
        self.code.extend(std::iter::repeat_n(' ', first.saturating_sub(1)));
        let breaks = lines.count();
        for _ in 0..breaks {
            // What follows a long text is not the start of anything.
            self.end_line();
            self.code.push('\t');
        }
        let (call, is_method) = self.open.last().cloned().unwrap_or_default();
        let is_last = !self.rest().trim_start().starts_with(['+', '%', '.']);
        let is_loaded = matches!(&*call, "load" | "preload") && !is_method && is_first && is_last;
        self.scan.literals.push(Literal { text, call, is_loaded, offset: start, line });
        self.word.clear();
    }

    /// `%Name`, where a remainder would have something to its left.
    fn is_unique_name(&self) -> bool {
        let next = self.rest()[1..].chars().next();
        let before = self.code.trim_end().chars().next_back();
        next.is_some_and(|char| char.is_alphabetic() || char == '_' || char == '"')
            && before.is_none_or(|char| "=(,[{:!&|<>+-".contains(char))
            || before.is_some() && self.code.trim_end().ends_with("return")
    }

    /// `$A/B`, `$"A B"`, `$%Name` or `%Name`.
    fn node_path(&mut self) {
        let (start, line) = (self.at, self.line);
        let sign = &self.rest()[..1];
        let mut name = if sign == "%" { "%".to_owned() } else { String::new() };
        self.at += 1;
        if self.rest().starts_with(['"', '\'']) {
            self.code.push('_');
            self.literal(false);
            name += &self.scan.literals.pop().map(|literal| literal.text).unwrap_or_default();
        } else {
            let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '/' | '%');
            let is_up = |rest: &str| rest.starts_with("..");
            while let Some(char) = self.rest().chars().next() {
                if is_up(self.rest()) {
                    name += "..";
                    self.at += 2;
                } else if is_part(char) {
                    name.push(char);
                    self.at += char.len_utf8();
                } else {
                    break;
                }
            }
            self.code.extend(std::iter::repeat_n('_', self.at - start));
        }
        self.word.clear();
        if !name.trim_matches('%').is_empty() {
            self.scan.node_paths.push(NodePathUse { name, offset: start, line });
        }
    }
}

fn escaped(char: char) -> char {
    match char {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}
