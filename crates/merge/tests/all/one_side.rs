//! What only one side changed is that side's.

use std::path::Path;

use scenewright_merge::{Choices, Inputs, merge};

const BASE: &[u8] = b"[gd_resource type=\"Theme\" load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n[resource]\nscript = ExtResource(\"1\")\na = 1\n";

#[test]
fn what_one_side_changed_stays_byte_for_byte() {
    // The count is wrong, and nobody asked to put it right.
    let changed = String::from_utf8_lossy(BASE).replace("load_steps=2", "load_steps=9");
    let changed = changed.replace("a = 1", "a = 2").into_bytes();
    let merged = |base, ours, theirs| {
        let inputs = Inputs { base, ours, theirs };
        let merged = merge(Path::new("a.tres"), inputs, &Choices::default()).unwrap();
        assert!(merged.is_clean() && merged.notes.is_empty());
        merged.bytes
    };
    assert_eq!(merged(BASE, &changed, BASE), changed);
    assert_eq!(merged(BASE, BASE, &changed), changed);
    assert_eq!(merged(BASE, &changed, &changed), changed);
}
