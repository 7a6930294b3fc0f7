//! UXML and USS are read or refused, every part stands where it is said to, and an edit changes what it should and
//! leaves a document that can be read.

use scenewright_text::Edits;
use scenewright_unity::uss::{Selector, Uss};
use scenewright_unity::uxml::Uxml;

const VALUE: &str = "a<b>&\"'c";

pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(document) = Uxml::parse(text) {
        elements(text, &document);
    }
    if let Ok(sheet) = Uss::parse(text) {
        rules(text, &sheet);
    }
}

fn elements(text: &str, document: &Uxml<'_>) {
    for (number, element) in document.elements.iter().enumerate() {
        assert!(text[element.tag.clone()].starts_with('<'));
        assert!(element.parent.is_none_or(|parent| parent < number));
        for own in &element.attributes {
            assert_eq!(&text[own.value.clone()], own.raw);
        }
    }
    let Some((number, element)) = document.elements.iter().enumerate().next_back() else { return };
    for name in [Some("fresh"), element.attributes.first().map(|own| own.name)] {
        let Some(name) = name else { continue };
        let mut edits = Edits::default();
        document.set(element, name, VALUE, &mut edits);
        let changed = edits.apply(text.as_bytes()).expect("edits are in the text");
        let changed = String::from_utf8(changed).expect("text stays text");
        let read = Uxml::parse(&changed).expect("what is written can be read");
        assert_eq!(read.elements[number].get(name).as_deref(), Some(VALUE));
        assert_eq!(read.elements.len(), document.elements.len());
    }
}

fn rules(text: &str, sheet: &Uss<'_>) {
    for own in sheet.rules.iter().flat_map(|rule| &rule.declarations) {
        assert!(text.contains(own.name) && text.contains(own.value));
    }
    let fresh = Selector::parse(".fresh-one").expect("it is one");
    let is_there = |sheet: &Uss<'_>| {
        let found = sheet.rules.iter().rev().find(|rule| rule.selector == ".fresh-one");
        found.is_some_and(|rule| rule.declarations.iter().any(|own| own.value == "7px"))
    };
    let mut edits = Edits::default();
    sheet.set(&fresh, "width", "7px", &mut edits);
    let changed = edits.apply(text.as_bytes()).expect("edits are in the text");
    let changed = String::from_utf8(changed).expect("text stays text");
    let read = Uss::parse(&changed).expect("what is written can be read");
    assert!(is_there(&read), "{changed:?}");
}
