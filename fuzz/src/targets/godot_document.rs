//! Any bytes come back as they were, no question to any part panics, and what a change leaves
//! behind can be read.

use scenewright_godot::{Document, Form, NewNode, NodeSource, Scene, Script, Variant};

pub(crate) fn run(bytes: &[u8]) {
    for form in [Form::Resource, Form::Config] {
        visit(&Document::parse(bytes, form), bytes);
    }
    change(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        Script::parse(text);
        if let Ok(value) = Variant::parse(text) {
            let again = Variant::parse(&value.to_text(4)).expect("what is written can be read");
            assert_eq!(format!("{again:?}"), format!("{value:?}"));
        }
    }
}

fn visit(document: &Document, bytes: &[u8]) {
    assert_eq!(document.to_bytes(), bytes);
    for problem in document.problems() {
        assert!(problem.offset <= bytes.len() && problem.line > 0);
    }
    for section in document.sections() {
        for field in section.attributes().chain(section.properties()) {
            // Fields stand inside their section, in order; edits rely on it.
            let (inner, outer) = (field.span(), section.span());
            assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} in {outer:?}");
            let value = field.value();
            let _ = (field.key(), value.as_text(), value.as_int(), value.decode().type_name());
        }
    }
    for mention in document.mentions() {
        assert!(document.section_at(mention.span.start).is_some());
    }
}

fn change(bytes: &[u8]) {
    let mut scene = Scene::parse(bytes);
    let Some(path) = scene.nodes().last().map(|node| node.path().to_owned()) else { return };
    let source = NodeSource::Class("Node");
    let properties = [("a b", Variant::Strings(vec!["\"\\\n".into()]))];
    let new = NewNode {
        name: "New",
        parent: &path,
        source,
        position: Some(0),
        groups: &["g"],
        properties: &properties,
    };
    let _ = (
        scene.add_node(&new).is_ok(),
        scene.rename_node(&path, "Renamed").is_ok(),
        scene.duplicate_node(&path, "Copy").is_ok(),
        scene.move_node(&path, ".", None).is_ok(),
        scene.remove_node(&path).is_ok(),
        scene.change(Document::remove_unused_resources).is_ok(),
    );
    // What cannot be read is left as it is, and what is changed can be read.
    assert!(scene.is_sound() || scene.as_bytes() == bytes);
}
