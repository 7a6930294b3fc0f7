//! Two versions of a file, of which only the objects that differ are read.

use std::ops::Range;

use memchr::memmem;
use scenewright_text::diff::{common_prefix, common_suffix};

use super::seen::Seen;
use crate::{ClassId, Document};

/// Where an object starts, behind the break. No quoted text goes beyond it.
const MARK: &[u8] = b"\n--- ";
/// More that differs is better read with the whole.
const MOST: usize = 1 << 20;
/// What a file begins with.
const START: &[u8] = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

/// The objects between the first and the last difference of two texts: where they are in the old one
/// and where in the new. `start` bytes are the same before it and `end` behind it. Nothing when what
/// differs begins before the first object.
pub(super) fn objects_between(
    old: &[u8],
    new_len: usize,
    start: usize,
    end: usize,
) -> Option<(Range<usize>, Range<usize>)> {
    let first = memmem::rfind(&old[..start], MARK)? + 1;
    let behind = old.len() - end;
    let last = memmem::find(&old[behind..], MARK).map_or(old.len(), |at| behind + at + 1);
    let new_last = new_len - (old.len() - last);
    (new_last - first <= MOST).then_some((first..last, first..new_last))
}

/// Whether a file is as good as it was: only values of objects differ that hang together as before,
/// and these can be read. False says nothing, the whole is to be looked at then.
///
/// Of a scene of 5 MB that takes a tenth of the time that its tree takes.
pub fn only_values_differ(before: &[u8], after: &[u8]) -> bool {
    let start = common_prefix(before, after);
    let end = common_suffix(&before[start..], &after[start..]);
    let Some((old, new)) = objects_between(before, after.len(), start, end) else {
        return false;
    };
    let (old_text, new_text) = (&before[old], &after[new]);
    let (mut old, mut new) = (Seen::new(), Seen::new());
    old.read(old_text, true);
    new.read(new_text, true);
    // What an instance changes in its prefab makes objects come and go.
    let has_instance = new.headers.iter().any(|header| header.class_id == ClassId::PREFAB_INSTANCE);
    let known = old.wiring.locals();
    // With a zero in it the file would be taken for a binary one, of which nothing is said to be wrong.
    let is_text = memchr::memchr(0, new_text).is_none();
    // Lists of references have a line for each, by which they are known; these may be children.
    let has_flow_list = [old_text, new_text].iter().any(|text| memmem::find(text, b"[{").is_some());
    !has_instance
        && is_text
        && !has_flow_list
        && new.wiring.is_plain()
        && new.is_like(&old, |id| known.contains(&id) || has_object(before, id))
        && Document::parse([START, new_text].concat()).problems().is_empty()
}

/// Whether a file has an object of this id.
fn has_object(text: &[u8], id: i64) -> bool {
    let name = format!(" &{id}");
    memmem::find_iter(text, &name).any(|at| {
        let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |at| at + 1);
        let ends = text.get(at + name.len()).is_none_or(u8::is_ascii_whitespace);
        ends && text[line..].starts_with(b"--- !u!")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {fileID: 2}\n  m_Name: One\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_Children: []\n  m_Father: {fileID: 0}\n--- !u!114 &3\nMonoBehaviour:\n  other: {fileID: 2}\n  text: a\n--- !u!1001 &4\nPrefabInstance:\n  value: 1\n";

    fn is_good(from: &str, to: &str) -> bool {
        assert_eq!(BEFORE.matches(from).count(), 1, "{from}");
        only_values_differ(BEFORE.as_bytes(), BEFORE.replace(from, to).as_bytes())
    }

    #[test]
    fn values_may_differ() {
        assert!(is_good("{x: 0, y", "{x: 5.25, y"));
        assert!(is_good("Name: One", "Name: Two and more"));
        assert!(is_good("text: a", "text: ' a'"));
        assert!(is_good("other: {fileID: 2}", "other: {fileID: 0}"));
        assert!(is_good("other: {fileID: 2}", "other: {fileID: 4}"));
    }

    #[test]
    fn whatever_may_be_wrong_is_left_to_a_look_at_the_whole() {
        for (from, to) in [
            // What hangs where.
            ("Father: {fileID: 0}", "Father: {fileID: 2}"),
            ("m_GameObject: {fileID: 1}", "m_GameObject: {fileID: 3}"),
            ("Children: []", "Children:\n  - {fileID: 2}"),
            ("component: {fileID: 2}", "component: {fileID: 3}"),
            ("Children: []", "Children: [{fileID: 2}]"),
            ("  m_Father: {fileID: 0}", "  \"m_Father\": {fileID: 2}"),
            // Objects that came, went, or are others.
            ("--- !u!114 &3", "--- !u!114 &1"),
            ("--- !u!114 &3", "--- !u!1 &3"),
            ("--- !u!114 &3", "--- !u!114 &3 stripped"),
            ("  text: a\n", "  text: a\n--- !u!114 &9\nMonoBehaviour:\n  a: 1\n"),
            ("--- !u!114 &3\nMonoBehaviour:\n  other: {fileID: 2}\n  text: a\n", ""),
            // Text that cannot be read.
            ("text: a", "text: 'a"),
            ("text: a", "text: a\n<<<<<<< ours"),
            ("text: a", "text: \u{0}"),
            ("--- !u!114 &3", "--- !u!114 3"),
            // What the file does not have, also where another text has its number.
            ("other: {fileID: 2}", "other: {fileID: 7}"),
            ("other: {fileID: 2}", "other: {fileID: 11}"),
            // Instances, and what is before the first object.
            ("value: 1", "value: 2"),
            ("%YAML 1.1", "%YAML 1.2"),
        ] {
            assert!(!is_good(from, to), "{from} -> {to}");
        }
    }

    #[test]
    fn what_is_not_written_as_unity_does_is_left_to_it_too() {
        let quoted = BEFORE.replace("  m_Father: {", "  \"m_Father\": {");
        let moved = quoted.replace("\"m_Father\": {fileID: 0}", "\"m_Father\": {fileID: 2}");
        assert!(!only_values_differ(quoted.as_bytes(), moved.as_bytes()));
        let listed = BEFORE.replace("Children: []", "Children: [{fileID: 2}]");
        assert!(!only_values_differ(listed.as_bytes(), BEFORE.as_bytes()));
    }

    #[test]
    fn an_object_is_found_by_its_header_alone() {
        let text = b"--- !u!1 &12\nA:\n  b: x &3\n--- !u!4 &4 stripped\n";
        assert!(has_object(text, 12) && has_object(text, 4));
        assert!(!has_object(text, 1) && !has_object(text, 3) && !has_object(text, 2));
    }
}
