//! JSON with comments: a member that comes, changes and goes again leaves everything else as it was.

use scenewright_text::{Edits, JsonNode, JsonParts, read_commented_json};
use serde_json::{Value, json};

const KEY: &str = "fresh key";

pub(crate) fn run(bytes: &[u8]) {
    let Ok((node, value)) = read_commented_json(bytes) else { return };
    inside(&node, bytes.len());
    let JsonParts::Object(members) = &node.parts else { return };
    // Of a key that is there twice only one counts, and readers differ in which.
    let mut keys: Vec<&str> = members.iter().map(|(key, ..)| key.as_str()).collect();
    keys.sort_unstable();
    if keys.windows(2).any(|pair| pair[0] == pair[1]) || keys.contains(&KEY) {
        return;
    }
    let mut expected = value.clone();
    expected[KEY] = json!({ "a": [1, "b"] });
    let put = |bytes: &[u8], node: &JsonNode, to: &Value| {
        let mut edits = Edits::default();
        node.put(bytes, KEY, to, |_| false, &mut edits).expect("it is an object");
        edits.apply(bytes).expect("edits are in the text")
    };
    let with = put(bytes, &node, &expected[KEY]);
    let (node, read) = read_commented_json(&with).expect("what is written can be read");
    assert_eq!(read, expected);
    let again = put(&with, &node, &json!(2));
    let (node, read) = read_commented_json(&again).expect("what is written can be read");
    assert_eq!(read[KEY], 2);
    let mut edits = Edits::default();
    node.remove(&again, KEY, &mut edits).expect("it is there");
    let gone = edits.apply(&again).expect("edits are in the text");
    let (_, read) = read_commented_json(&gone).expect("what is written can be read");
    assert_eq!(read, value);
}

fn inside(node: &JsonNode, end: usize) {
    assert!(node.span.start < node.span.end && node.span.end <= end);
    let members = node.members().iter().map(|(_, _, value)| value);
    for value in members.chain(node.items()) {
        assert!(node.span.start < value.span.start && value.span.end < node.span.end);
        inside(value, end);
    }
}
