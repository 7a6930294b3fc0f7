//! The name and the properties in a shader's source; the rest of it is left alone.

use super::{Declared, NO_TEXTURE, Shader, Switch};
use crate::edit::material::{PropertyKind, Setting};

/// Reads a shader's source; nothing when it names no shader. A declaration that is not understood is
/// passed over.
pub fn parse_source(text: &str) -> Option<Shader> {
    let mut words = Words { rest: text };
    while !words.next()?.is("Shader") {}
    let Word::Text(name) = words.next()? else { return None };
    let mut properties = Vec::new();
    // `Properties` comes first where there is one.
    if words.next() == Some(Word::Mark('{'))
        && words.next().is_some_and(|word| word.is("Properties"))
    {
        words.next();
        while let Some(declared) = declaration(&mut words) {
            properties.extend(declared);
        }
    }
    Some(Shader { name: name.to_owned(), properties })
}

/// One declaration: `[Attribute] _Name ("Shown", Kind) = default`. Nothing at the end of the block.
fn declaration(words: &mut Words<'_>) -> Option<Option<Declared>> {
    let mut attributes: Vec<&str> = Vec::new();
    loop {
        match words.next()? {
            Word::Mark('}') => return None,
            Word::Mark('[') => {
                let text = words.rest;
                while words.next()? != Word::Mark(']') {}
                attributes.push(&text[..text.len() - words.rest.len() - 1]);
            }
            Word::Plain(name) => {
                let start = *words;
                let mut found = declared(name, words);
                if let Some(found) = &mut found {
                    found.switch = attributes.iter().find_map(|text| switch(name, text));
                }
                if found.is_none() {
                    // What is not understood ends with its line.
                    *words = start;
                    words.rest = words.rest.find('\n').map_or("", |at| &words.rest[at..]);
                }
                return Some(found);
            }
            _ => {}
        }
    }
}

/// The keywords of an attribute such as `Toggle(_RIM_LIGHT)`; names of properties are part of those
/// that it does not say itself.
fn switch(name: &str, attribute: &str) -> Option<Switch> {
    let (kind, arguments) = attribute.split_once('(').unwrap_or((attribute, ""));
    let arguments = arguments.trim_end().trim_end_matches(')');
    let arguments: Vec<&str> =
        arguments.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
    let own = |end: &str| {
        let name = name.to_uppercase();
        arguments.first().map_or_else(|| format!("{name}_{end}"), |word| (*word).to_owned())
    };
    match kind.trim() {
        "Toggle" | "MaterialToggle" => Some(Switch::On(own("ON"))),
        "ToggleOff" | "MaterialToggleOff" => Some(Switch::Off(own("OFF"))),
        "KeywordEnum" => {
            let word = |one: &&str| format!("{name}_{one}").replace(' ', "_").to_uppercase();
            Some(Switch::OneOf(arguments.iter().map(word).collect()))
        }
        _ => None,
    }
}

fn declared(name: &str, words: &mut Words<'_>) -> Option<Declared> {
    words.expect('(')?;
    let Word::Text(_) = words.next()? else { return None };
    words.expect(',')?;
    let Word::Plain(kind) = words.next()? else { return None };
    let mut depth = 1;
    while depth > 0 {
        match words.next()? {
            Word::Mark('(') => depth += 1,
            Word::Mark(')') => depth -= 1,
            _ => {}
        }
    }
    words.expect('=')?;
    let is_vector = kind.eq_ignore_ascii_case("vector");
    let (kind, default) = match kind.to_ascii_lowercase().as_str() {
        "color" | "vector" => {
            let parts = words.numbers()?;
            let part = |at: usize| parts.get(at).copied();
            let last = part(3).unwrap_or(if is_vector { 0.0 } else { 1.0 });
            let [r, g, b] = [0, 1, 2].map(|at| Some(part(at).unwrap_or(0.0)));
            (PropertyKind::Color, Setting::Color([r, g, b, Some(last)]))
        }
        // `Int` is a number like any other; whole numbers are `Integer`, since 2021.1.
        "float" | "range" | "int" => (PropertyKind::Float, Setting::Float(words.number()?)),
        "integer" => (PropertyKind::Int, Setting::Int(words.number()? as i32)),
        "2d" | "3d" | "cube" | "2darray" | "cubearray" | "any" | "rect" => {
            words.next()?;
            words.block();
            (PropertyKind::Texture, NO_TEXTURE)
        }
        _ => return None,
    };
    Some(Declared { name: name.to_owned(), kind, default, is_vector, switch: None })
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Word<'a> {
    /// A name or a number.
    Plain(&'a str),
    /// Text in quotes, without them.
    Text(&'a str),
    /// Any other character.
    Mark(char),
}

impl Word<'_> {
    fn is(&self, name: &str) -> bool {
        matches!(self, Word::Plain(text) if text.eq_ignore_ascii_case(name))
    }
}

#[derive(Clone, Copy)]
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<Word<'a>> {
        self.skip_blank();
        let first = self.rest.chars().next()?;
        if first == '"' {
            let inner = &self.rest[1..];
            let end = inner.find('"').unwrap_or(inner.len());
            self.rest = inner.get(end + 1..).unwrap_or_default();
            return Some(Word::Text(&inner[..end]));
        }
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+');
        let length = self.rest.find(|c: char| !is_plain(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length.max(first.len_utf8()));
        self.rest = rest;
        Some(if length > 0 { Word::Plain(word) } else { Word::Mark(first) })
    }

    /// Blanks and comments.
    fn skip_blank(&mut self) {
        loop {
            self.rest =
                self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            let end = match self.rest.get(..2) {
                Some("//") => self.rest.find('\n'),
                Some("/*") => self.rest.find("*/").map(|at| at + 2),
                _ => return,
            };
            self.rest = end.map_or("", |end| &self.rest[end..]);
        }
    }

    fn expect(&mut self, mark: char) -> Option<()> {
        (self.next()? == Word::Mark(mark)).then_some(())
    }

    fn number(&mut self) -> Option<f32> {
        match self.next()? {
            Word::Plain(text) => text.trim_end_matches(['f', 'F']).parse().ok(),
            _ => None,
        }
    }

    /// `(1, 0.5, 0)`.
    fn numbers(&mut self) -> Option<Vec<f32>> {
        self.expect('(')?;
        let mut found = Vec::new();
        loop {
            found.push(self.number()?);
            match self.next()? {
                Word::Mark(',') => {}
                Word::Mark(')') => return Some(found),
                _ => return None,
            }
        }
    }

    /// `{ … }`, if one is next.
    fn block(&mut self) {
        let mut ahead = *self;
        if ahead.next() != Some(Word::Mark('{')) {
            return;
        }
        while let Some(word) = ahead.next() {
            if word == Word::Mark('}') {
                *self = ahead;
                return;
            }
        }
    }
}
