//! Quoted texts of a document, wherever they stand.

use std::borrow::Cow;
use std::ops::Range;

use super::Document;
use crate::syntax::{Event, Scanner, Sink, decode_string, value};

/// A quoted text in a tag or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text itself.
    pub text: Cow<'a, str>,
    /// Where it stands, its quotes included.
    pub span: Range<usize>,
}

impl Document {
    /// The quoted texts of all attributes and values that hold these bytes, in file order.
    pub fn texts_with<'a>(&'a self, part: &str) -> Vec<Text<'a>> {
        let finder = memchr::memmem::Finder::new(part);
        let pairs = self.tables.attributes.iter().chain(&self.tables.properties);
        let mut found = Spans(Vec::new());
        for span in pairs.map(|pair| pair.value.range()) {
            if finder.find(&self.bytes[span.clone()]).is_some() {
                let mut scanner = Scanner::new(&self.bytes[..span.end], span.start);
                // A value with a fault is told up to there.
                let _ = value(&mut scanner, &mut found);
            }
        }
        found.0.sort_unstable_by_key(|span| span.start);
        let texts = found
            .0
            .into_iter()
            .map(|span| Text { text: decode_string(&self.bytes[span.clone()]), span });
        texts.filter(|text| text.text.contains(part)).collect()
    }
}

struct Spans(Vec<Range<usize>>);

impl Sink for Spans {
    fn event(&mut self, event: Event) {
        match event {
            Event::String(span) => self.0.push(span),
            // Its sign is not part of the quoted text.
            Event::StringName(span) => self.0.push(span.start + 1..span.end),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Form};

    #[test]
    fn finds_texts_wherever_they_stand() {
        let text = r#"[gd_scene format=3]

[ext_resource type="Script" path="res://a.gd" id="1"]

[node name="res" type="Node"]
list = [{ "res://b": &"res://c" }, Resource("res://d"), "no"]
code = "load(\"res://e\")"
"#;
        let document = Document::parse(text, Form::Resource);
        let found: Vec<_> = document
            .texts_with("res://")
            .into_iter()
            .map(|found| (found.text.into_owned(), &text[found.span]))
            .collect();
        let expected = [
            ("res://a.gd", r#""res://a.gd""#),
            ("res://b", r#""res://b""#),
            ("res://c", r#""res://c""#),
            ("res://d", r#""res://d""#),
            (r#"load("res://e")"#, r#""load(\"res://e\")""#),
        ];
        assert_eq!(found, expected.map(|(text, raw)| (text.to_owned(), raw)));
    }
}
