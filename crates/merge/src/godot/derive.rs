//! A document from another that is nearly the same: only what differs is read, which for versions of
//! one large scene is hardly anything.

use std::collections::HashMap;
use std::ops::Range;

use scenewright_godot::Document;
use scenewright_text::Edits;

/// The text as a document of the same form as `near`.
pub(crate) fn derive(near: &Document, text: &[u8]) -> Document {
    made(near, edits(near.as_bytes(), text), text)
}

/// The text as a document, where it is known what makes it from the text of `near`.
pub(crate) fn made(near: &Document, edits: Option<Edits>, text: &[u8]) -> Document {
    let mut document = near.clone();
    let is_done = edits.is_some_and(|edits| document.edit(&edits).is_ok());
    match is_done && document.as_bytes() == text {
        true => document,
        false => near.parse_like(text),
    }
}

/// What makes one text from the other; nothing when that is most of it.
pub(crate) fn edits(old: &[u8], new: &[u8]) -> Option<Edits> {
    let (a, b) = (pieces(old), pieces(new));
    let new_text = std::str::from_utf8(new).ok()?;
    let same = |(a, b): &(&Range<usize>, &Range<usize>)| old[(*a).clone()] == new[(*b).clone()];
    let start = a.iter().zip(&b).take_while(same).count();
    let most = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(most).take_while(same).count();
    let (a_end, b_end) = (a.len() - end, b.len() - end);
    let places: HashMap<&[u8], usize> =
        (start..a_end).map(|place| (&old[a[place].clone()], place)).collect();
    let mut edits = Edits::default();
    let (mut from, mut since, mut changed) = (start, start, 0);
    let offset = |pieces: &[Range<usize>], place: usize, whole: usize| {
        pieces.get(place).map_or(whole, |piece| piece.start)
    };
    let mut replace = |from: usize, to: usize, since: usize, until: usize| {
        let gone = offset(&a, from, old.len())..offset(&a, to, old.len());
        let came = offset(&b, since, new.len())..offset(&b, until, new.len());
        if !gone.is_empty() || !came.is_empty() {
            changed += gone.len() + came.len();
            edits.replace(gone, &new_text[came]);
        }
    };
    for at in start..b_end {
        if let Some(place) = places.get(&new[b[at].clone()]).filter(|place| **place >= from) {
            replace(from, *place, since, at);
            (from, since) = (place + 1, at + 1);
        }
    }
    replace(from, a_end, since, b_end);
    (changed < old.len()).then_some(edits)
}

/// The text cut before each line that opens a bracket.
pub(crate) fn pieces(text: &[u8]) -> Vec<Range<usize>> {
    let found = memchr::memmem::find_iter(text, b"\n[").map(|at| at + 1);
    let starts: Vec<usize> = [0].into_iter().chain(found).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests {
    use scenewright_godot::Form;

    use super::*;

    const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = 1\n\n[node name=\"B\" type=\"Node\" parent=\".\"]\ny = [\n[1]]\n\n[node name=\"C\" type=\"Node\" parent=\".\"]\n";

    fn check(new: &str) {
        let old = Document::parse(SCENE, Form::Resource);
        let derived = derive(&old, new.as_bytes());
        let parsed = Document::parse(new, Form::Resource);
        let facts = |document: &Document| {
            let sections = document.sections().map(|section| {
                let fields: Vec<String> = section
                    .properties()
                    .map(|field| format!("{}={}", field.key(), field.value().raw()))
                    .collect();
                (section.name().into_owned(), section.span(), fields)
            });
            (sections.collect::<Vec<_>>(), document.problems().len())
        };
        assert_eq!(derived.as_bytes(), new.as_bytes());
        assert_eq!(facts(&derived), facts(&parsed), "{new}");
    }

    #[test]
    fn it_is_what_reading_all_of_it_gives() {
        check(SCENE);
        check(&SCENE.replace("x = 1", "x = 2"));
        check(&SCENE.replace("x = 1", "x = 2").replace("[1]", "[1, 2]"));
        check(&SCENE.replace("[node name=\"A\" type=\"Node\"]\nx = 1\n\n", ""));
        check(&SCENE.replace("[1]]", "[1]"));
        check(&(SCENE.to_owned() + "\n[node name=\"D\" parent=\".\"]\nz = \"\n[node\"\n"));
        check("");
        check("[gd_resource format=3]\n");
    }
}
