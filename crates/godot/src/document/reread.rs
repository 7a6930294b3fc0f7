//! Reading a text again after an edit: only the sections around it. All others stand in the tables
//! already, and those behind it a little further on.

use std::ops::Range;

use scenewright_text::Edits;

use super::{ChangeError, Document, Form, Found, Pair, Record, Tables, read};
use crate::syntax::Span;

impl Document {
    /// The document with edits made. It is as if all of its text had been read.
    pub(super) fn reread(&self, edits: &Edits) -> Result<Document, ChangeError> {
        let bytes = edits.apply(&self.bytes)?;
        let around = edits.range().and_then(|range| self.reread_around(&bytes, range));
        Ok(match around {
            Some(tables) => Document::of(bytes, self.form, self.most, tables, Vec::new()),
            None => self.parse_like(bytes),
        })
    }

    /// The tables of a text that differs from this one in a range; nothing when it takes a look at
    /// the whole text to tell.
    fn reread_around(&self, bytes: &[u8], range: Range<usize>) -> Option<Tables> {
        // How a fault is told depends on those before it, and how far it reaches on all behind it.
        if !self.faults.is_empty() || u32::try_from(bytes.len()).is_err() {
            return None;
        }
        let old = &*self.tables;
        let first = old.sections.partition_point(|record| record.tag.range().start < range.start);
        // What stands before the first tag of settings is a section without one.
        let first = first.checked_sub(1).filter(|at| *at > 0 || self.form == Form::Resource)?;
        let start = old.sections[first].tag.range().start;
        let shift = bytes.len() as i64 - self.bytes.len() as i64;
        let mut reader = read::Reader::new(bytes, self.form, old.before(first), start);
        while reader.skip_to_item() {
            // From a tag behind the edit on, the same bytes follow and are read the same way.
            let known = reader.scanner.at as i64 - shift;
            if known >= range.end as i64
                && let Some(next) = old.section_from(known as usize)
            {
                reader.tables.append(old, next, shift);
                return Some(reader.tables);
            }
            reader.item().ok().filter(|()| reader.faults.is_empty())?;
        }
        reader.faults.is_empty().then_some(reader.tables)
    }
}

impl Tables {
    /// All that stands before a section.
    fn before(&self, section: usize) -> Tables {
        let record = &self.sections[section];
        Tables {
            sections: start_of(&self.sections, section),
            attributes: start_of(&self.attributes, record.attributes as usize),
            properties: start_of(&self.properties, record.properties as usize),
            mentions: start_of(&self.mentions, self.mentions_before(section)),
        }
    }

    /// Adds what another table has from a section on, with all places moved.
    fn append(&mut self, other: &Tables, section: usize, shift: i64) {
        let record = other.sections[section];
        let mentions = other.mentions_before(section);
        let (attributes, properties) = (self.attributes.len(), self.properties.len());
        let renumber =
            |at: u32, first: u32, now: usize| (i64::from(at - first) + now as i64) as u32;
        self.sections.extend(other.sections[section..].iter().map(|old| Record {
            tag: moved(old.tag, shift),
            name: moved(old.name, shift),
            attributes: renumber(old.attributes, record.attributes, attributes),
            properties: renumber(old.properties, record.properties, properties),
        }));
        let pair = |old: &Pair| Pair { key: moved(old.key, shift), value: moved(old.value, shift) };
        self.attributes.extend(other.attributes[record.attributes as usize..].iter().map(pair));
        self.properties.extend(other.properties[record.properties as usize..].iter().map(pair));
        let found = |old: &Found| Found { token: moved(old.token, shift), ..*old };
        self.mentions.extend(other.mentions[mentions..].iter().map(found));
    }

    /// The section whose tag starts at an offset.
    fn section_from(&self, offset: usize) -> Option<usize> {
        self.sections.binary_search_by_key(&offset, |record| record.tag.range().start).ok()
    }

    /// How many mentions stand before a section.
    fn mentions_before(&self, section: usize) -> usize {
        let start = self.sections[section].tag.range().start;
        self.mentions.partition_point(|found| found.token.range().start < start)
    }
}

/// The start of a table, with room for all of it and the little that most edits add.
fn start_of<T: Copy>(table: &[T], length: usize) -> Vec<T> {
    let mut start = Vec::with_capacity(table.len() + 16);
    start.extend_from_slice(&table[..length]);
    start
}

fn moved(span: Span, shift: i64) -> Span {
    let Range { start, end } = span.range();
    Span::new((start as i64 + shift) as usize, (end as i64 + shift) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"[gd_scene load_steps=3 format=3 uid="uid://a"]

[ext_resource type="Script" path="res://a.gd" id="1"] ; a note
[sub_resource type="Shape2D" id="2"]
size = Vector2(1, 2)
list = [[2], {"a": "]"}]

[node name="A" type="Node" groups=["x"]]
script = ExtResource("1")
text = "[node name=\"no\"]
; no"

[node name="B" type="Node" parent="."]
shape = SubResource("2")
other = NodePath("../A")
[connection signal="s" from="." to="B" method="m"]
"#;

    const SETTINGS: &str = "\u{feff}; top\nconfig_version=5\n\n[application]\n\nconfig/name=\"A [b]\"\n\n[input]\n\njump={\n\"events\": [Object(InputEventKey,\"x\":1)]\n}\n[empty]\n";

    /// What comes in with an edit: sound parts, and such as break or swallow what follows.
    const PARTS: [&str; 14] = [
        "",
        "\n",
        "x = 1\n",
        "[node name=\"C\" parent=\".\"]\n",
        "[connection",
        "]",
        "\"",
        "; ",
        "= ",
        "SubResource(\"2\")",
        "{\"a\": [1, 2]}",
        "(",
        "\0",
        "[input]\n",
    ];

    /// Numbers that look random and are the same each time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % end as u64) as usize
        }
    }

    fn check(before: &Document, edits: &Edits) -> bool {
        let after = edits.apply(&before.bytes).unwrap();
        let (edited, read) = (before.reread(edits).unwrap(), Document::parse(after, before.form));
        let text = String::from_utf8_lossy(&read.bytes).into_owned();
        assert_eq!(edited.bytes, read.bytes);
        assert_eq!(edited.tables, read.tables, "{text}");
        assert_eq!(edited.problems(), read.problems(), "{text}");
        edits.range().is_some_and(|range| before.reread_around(&read.bytes, range).is_some())
    }

    #[test]
    fn an_edited_text_is_read_as_a_new_one() {
        let mut dice = Dice(42);
        for (text, form) in [(SCENE, Form::Resource), (SETTINGS, Form::Config)] {
            let before = Document::parse(text, form);
            let mut around = 0;
            for _ in 0..2000 {
                let mut edits = Edits::default();
                for _ in 0..=dice.below(2) {
                    let start = dice.below(text.len() + 1);
                    let length = [0, 0, 1, dice.below(40)][dice.below(4)];
                    let end = (start + length).min(text.len());
                    edits.replace(start..end, PARTS[dice.below(PARTS.len())]);
                }
                if edits.apply(text.as_bytes()).is_ok() {
                    around += usize::from(check(&before, &edits));
                }
            }
            assert!(around > 200, "{around} of {form:?} were read in part");
        }
    }

    #[test]
    fn every_tag_and_property_can_be_edited_in_place() {
        for (text, form) in [(SCENE, Form::Resource), (SETTINGS, Form::Config)] {
            let before = Document::parse(text, form);
            for at in 0..=text.len() {
                for part in PARTS {
                    let mut edits = Edits::default();
                    edits.insert(at, part);
                    check(&before, &edits);
                }
            }
        }
    }
}
