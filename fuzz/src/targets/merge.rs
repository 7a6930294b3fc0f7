//! Three versions of a file are merged or refused; what only one side changed is that side's, byte for byte, and what
//! both have alike stays.

use std::path::Path;

use scenewright_merge::{Choices, Inputs, Merged, merge};

/// One of each sort of file.
const NAMES: [&str; 8] = [
    "a.unity",
    "a.prefab.meta",
    "a.asset",
    "a.tscn",
    "a.tres",
    "project.godot",
    "a.asmdef",
    "packages-lock.json",
];
/// Between two versions; nothing that a file of these sorts has.
const NEXT: &[u8] = b"\n\x01\n";

pub(crate) fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let path = Path::new(NAMES[usize::from(*which) % NAMES.len()]);
    let [base, ours, theirs] = versions(bytes);
    let merged =
        |base, ours, theirs| merge(path, Inputs { base, ours, theirs }, &Choices::default()).ok();
    if let Some(both) = merged(base, ours, theirs) {
        assert!(both.conflicts.len() <= bytes.len() + 1);
    }
    let is = |found: Option<Merged>, expected: &[u8]| {
        let Some(found) = found else { return };
        assert!(found.is_clean(), "{:?}", found.conflicts);
        assert_eq!(found.bytes, expected);
    };
    is(merged(base, ours, base), ours);
    is(merged(base, base, theirs), theirs);
    is(merged(base, ours, ours), ours);
}

/// What is not there is as the one before.
fn versions(bytes: &[u8]) -> [&[u8]; 3] {
    let next = |bytes: &[u8]| bytes.windows(NEXT.len()).position(|part| part == NEXT);
    let Some(end) = next(bytes) else { return [bytes; 3] };
    let (base, rest) = (&bytes[..end], &bytes[end + NEXT.len()..]);
    match next(rest) {
        None => [base, rest, rest],
        Some(end) => [base, &rest[..end], &rest[end + NEXT.len()..]],
    }
}
