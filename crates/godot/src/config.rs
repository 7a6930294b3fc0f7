//! Settings: `project.godot`, `.import`, `export_presets.cfg`, `.gdextension`, `override.cfg`.

use std::borrow::Cow;
use std::ops::Deref;

use scenewright_text::Edits;

use crate::{ChangeError, Document, Field, Form, Section, Value, Variant};

/// A settings file: sections of `key=value`. It is a document that can be asked by name.
#[derive(Debug)]
pub struct Config(Document);

impl Config {
    /// Reads what it can; the rest becomes problems.
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Config {
        Config(Document::parse(bytes, Form::Config))
    }

    /// The value of a key; of several the last one, as in the engine. Keys before the first
    /// section have the section ``.
    pub fn find(&self, section: &str, key: &str) -> Option<Value<'_>> {
        let mut sections = self.named(section).rev();
        sections.find_map(|section| section.property(key))
    }

    /// The keys of a section in file order, also when it stands several times.
    pub fn keys(&self, section: &str) -> impl Iterator<Item = Field<'_>> {
        self.named(section).flat_map(Section::properties)
    }

    /// All keys with the name of their section, in file order.
    pub fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, Field<'_>)> {
        self.sections()
            .flat_map(|section| section.properties().map(move |field| (section.name(), field)))
    }

    /// The sections of this name, of which there should be one at most.
    pub fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = Section<'_>> {
        self.sections().filter(move |section| section.name() == name)
    }

    /// Sets a key, in a new section if need be.
    pub fn set(&mut self, section: &str, key: &str, value: &Variant) -> Result<(), ChangeError> {
        let place = self.named(section).rev().find(|found| found.property(key).is_some());
        if let Some(place) = place.or_else(|| self.named(section).next()).map(Section::index) {
            return self.0.set_property(place, key, value);
        }
        if section.contains(['[', ']', '\\', '\n', '\r']) || section.trim() != section {
            let why = "a section's name has no brackets, line breaks or outer blanks";
            return Err(ChangeError::BadName { name: section.into(), why });
        }
        let newline = self.newline();
        let line = self.0.property_line(key, &self.value_text(value));
        let text = format!("[{section}]{newline}{newline}{line}");
        match self.place_for(section) {
            Some(after) => self.0.insert_after(after, &text),
            None => {
                // Only the part without a section is there, maybe with nothing in it.
                let mut edits = Edits::default();
                let at = self.as_bytes().len();
                let head = std::str::from_utf8(self.as_bytes()).map_or("", str::trim_end);
                let before = if head.is_empty() { String::new() } else { newline.repeat(2) };
                edits.remove(head.len()..at);
                edits.insert(head.len(), format!("{before}{text}{newline}"));
                self.0.edit(&edits)
            }
        }
    }

    /// Removes a key, and its section when nothing is left of it; false when there is none.
    pub fn remove(&mut self, section: &str, key: &str) -> Result<bool, ChangeError> {
        let mut was_there = false;
        let places: Vec<usize> = self.named(section).map(Section::index).collect();
        for place in places.into_iter().rev() {
            was_there |= self.0.remove_property(place, key)?;
            let is_empty = self.section(place).is_some_and(|left| left.properties().len() == 0);
            if place > 0 && was_there && is_empty {
                self.0.remove_section(place)?;
            }
        }
        Ok(was_there)
    }

    /// The section behind which a new one belongs: Godot sorts them by name.
    fn place_for(&self, name: &str) -> Option<usize> {
        let tagged = || self.sections().skip(1);
        let is_sorted = tagged().is_sorted_by_key(|section| section.name());
        let mut before = tagged().filter(|section| !is_sorted || *section.name() < *name);
        let last = before.next_back().map(Section::index);
        last.or_else(|| self.section(1).and(Some(0)).filter(|_| self.keys("").next().is_some()))
    }

    /// The document without the lookups.
    pub fn into_document(self) -> Document {
        self.0
    }
}

impl Deref for Config {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let config = Config::parse(text);
        assert_eq!(config.to_bytes(), text.as_bytes());
        let mut shown = String::new();
        for (section, field) in config.entries() {
            let value = field.value().raw().replace('\n', "⏎");
            shown += &format!("{} [{section}] {} = {value}\n", field.line(), field.key());
        }
        for problem in config.problems() {
            let (line, column, message) = (problem.line, problem.column, &problem.message);
            shown += &format!("{line}:{column} {:?} {message}\n", problem.kind);
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn reads_sections_keys_and_comments() {
        check(
            "; a comment\nconfig_version=5\n\n[application] ; another\n\n\"quoted key\" = 1 ; third\na / b=true c=-2.5e-3\n",
            expect![[r#"
                2 [] config_version = 5
                6 [application] quoted key = 1
                7 [application] a/b = true
                7 [application] c = -2.5e-3
            "#]],
        );
    }

    #[test]
    fn values_span_lines() {
        check(
            "text=\"one\ntwo \\\" [x] ; not a comment\"\njump={\n\"events\": [Object(InputEventKey,\"a\":null) ; here\n, 1]\n}\nlast=Array[int]([\n1])\r\nname=&\"n\"\ncolor=#ff00aa\n",
            expect![[r#"
                1 [] text = "one⏎two \" [x] ; not a comment"
                3 [] jump = {⏎"events": [Object(InputEventKey,"a":null) ; here⏎, 1]⏎}
                7 [] last = Array[int]([⏎1])
                9 [] name = &"n"
                10 [] color = #ff00aa
            "#]],
        );
    }

    #[test]
    fn what_is_not_understood_is_a_problem_with_its_place() {
        check(
            "a=1\nnonsense\nb=2\n[open\nc=True\nd=3\n",
            expect![[r#"
            1 [] a = 1
            3 [] b = 2
            6 [] d = 3
            2:1 Doubt `nonsense` is neither a section nor `key=value`
            4:1 Syntax the section `[open` has no `]`
            5:3 Syntax the value of `c`: `True` is not the name of a value
        "#]],
        );
        check(
            "a={\nb=2\nc=[1)\nd=\"x\n",
            expect![[r#"
            2 [] b = 2
            2:1 Syntax the value of `a`: `b` is not the name of a value
            3:5 Syntax the value of `c`: `,` or `]` is expected, not `)`
            4:3 Syntax the value of `d`: the text has no closing `"`
        "#]],
        );
        check(
            "a=\n[next]\nb= ; nothing\n",
            expect![[r#"
            2:2 Syntax the value of `a`: `next` is not the name of a value
            4:1 Syntax the value of `b`: a value is expected, not the end of the file
        "#]],
        );
        check(
            "a=1_000\nb=?\nc=&x\n\"k\" 1\n",
            expect![[r#"
            1 [] a = 1
            1:4 Doubt `_000` is neither a section nor `key=value`
            2:3 Syntax the value of `b`: `?` has no meaning here
            3:3 Syntax the value of `c`: `&` has no text after it
            4:1 Doubt `"k" 1` is neither a section nor `key=value`
        "#]],
        );
    }

    #[test]
    fn odd_keys_are_those_of_the_engine() {
        check(
            "x\"k\"y=1\n\"a\\\"b\"\n=2\na;c\n=3\n=4\n",
            expect![[r#"
                1 [] ky = 1
                2 [] a"b = 2
                4 [] a = 3
                6:1 Doubt a value has no key
            "#]],
        );
    }

    #[test]
    fn names_of_sections_are_any_text() {
        check(
            "[ a b.c:d ]\nk=1\n[x\\]y]\nk=2\n[é]\nk=3",
            expect![[r#"
            2 [a b.c:d] k = 1
            4 [x\]y] k = 2
            6 [é] k = 3
        "#]],
        );
    }

    #[test]
    fn the_last_of_two_keys_wins() {
        let config = Config::parse("[a]\nk=1\n[b]\nk=2\n[a]\nk=3\n");
        assert_eq!(config.find("a", "k").and_then(Value::as_int), Some(3));
        assert!(config.find("c", "k").is_none());
        assert_eq!(config.keys("a").count(), 2);
    }
}
