//! Any bytes come back as they were, and no question to any value panics.

use scenewright_unity::{Document, Value};

pub(crate) fn run(bytes: &[u8]) {
    let document = Document::parse(bytes);
    assert_eq!(document.to_bytes(), bytes);
    let _ = (document.kind(), document.guid());
    for problem in document.problems() {
        assert!(problem.span.end <= bytes.len() && problem.line > 0);
    }
    for object in document.objects() {
        assert!(document.object(object.file_id()).is_some());
        let _ = (object.class_name(), object.line(), object.references().count());
        visit(object.value(), bytes);
    }
    visit(document.root(), bytes);
    for found in document.references() {
        assert_eq!(bytes[found.offset], b'{');
        assert!(found.object.is_none_or(|index| index < document.objects().len()));
    }
}

fn visit(value: Value<'_>, bytes: &[u8]) {
    assert_eq!(&bytes[value.span()], value.raw_bytes());
    let _ = (value.kind(), value.style(), value.key(), value.text(), value.is_empty());
    let _ = (value.as_i64(), value.as_u64(), value.as_f64(), value.as_bool(), value.as_guid());
    let _ = (value.as_reference(), value.get("a.b"), value.get("a.Array.data[1]"));
    for child in value.fields().map(|(_, value)| value).chain(value.items()) {
        // Children stand inside their parent, in order; edits rely on it.
        let (inner, outer) = (child.span(), value.span());
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} in {outer:?}");
        visit(child, bytes);
    }
}
