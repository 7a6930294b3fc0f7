//! Prefab instances and what stands for their objects, as Unity writes them. Scenes have thousands,
//! with tens of thousands of overrides.

use memchr::memchr;
use scenewright_text::Shared;

use super::super::instance::Modification;
use super::super::read::{RawAdded, RawInstance, RawStandIn, RawUnsorted};
use super::plain;
use crate::document::parse_reference;
use crate::{Guid, Reference};

/// A stripped object; nothing when it is written in an unusual way. `text` starts with its header.
pub(in super::super) fn stand_in(text: &[u8], id: i64, offset: usize) -> Option<RawStandIn> {
    let (mut source, mut instance) = ([None; 2], [None; 2]);
    let mut lines = Lines { text, at: 0 };
    lines.next()?;
    lines.next()?;
    while let Some(line) = lines.peek() {
        let (key, _) = super::split(line.strip_prefix(b"  ")?)?;
        let place = match key {
            b"m_CorrespondingSourceObject" => &mut source[0],
            b"m_PrefabParentObject" => &mut source[1],
            b"m_PrefabInstance" => &mut instance[0],
            b"m_PrefabInternal" => &mut instance[1],
            _ => {
                lines.skip_short()?;
                continue;
            }
        };
        // A long one is cut behind a comma, and goes on with its type.
        let reference = lines.reference(&line[..2 + key.len() + 2])?;
        super::set(place, reference.file_id.0)?;
    }
    let [source, instance] = [source, instance].map(|[new, old]| new.or(old).unwrap_or(0));
    Some(RawStandIn { id, offset, instance, source })
}

/// A prefab instance; nothing when it is written in an unusual way.
pub(in super::super) fn instance(
    text: &[u8],
    id: i64,
    offset: usize,
    texts: &mut Shared,
) -> Option<RawInstance> {
    let mut lines = Lines { text, at: 0 };
    lines.next()?;
    (lines.next()? == b"PrefabInstance:").then_some(())?;
    let mut read = RawUnsorted::default();
    let (mut has_changes, mut source) = (false, [None; 2]);
    while let Some(line) = lines.peek() {
        if line == b"  m_Modification:" {
            lines.next();
            (!std::mem::replace(&mut has_changes, true)).then_some(())?;
            changes(&mut lines, offset, texts, &mut read)?;
        } else if line.starts_with(b"  m_SourcePrefab: ") {
            super::set(&mut source[0], lines.reference(b"  m_SourcePrefab: ")?)?;
        } else if line.starts_with(b"  m_ParentPrefab: ") {
            super::set(&mut source[1], lines.reference(b"  m_ParentPrefab: ")?)?;
        } else {
            lines.skip_short()?;
        }
    }
    let [new, old] = source;
    let source = new.or(old)?.guid.filter(|guid| !guid.is_zero())?;
    Some(read.into_instance(id, offset, source))
}

/// All below `m_Modification`.
fn changes(
    lines: &mut Lines<'_>,
    offset: usize,
    texts: &mut Shared,
    read: &mut RawUnsorted,
) -> Option<()> {
    while let Some(line) = lines.peek().filter(|line| line.starts_with(b"    ")) {
        match &line[4..] {
            rest if rest.starts_with(b"serializedVersion: ") => drop(lines.next()),
            rest if rest.starts_with(b"m_TransformParent: ") => {
                read.transform_parent = lines.reference(b"    m_TransformParent: ")?.file_id.0;
            }
            b"m_Modifications:" => {
                lines.next();
                read.all.reserve(USUAL);
                while lines.peek().is_some_and(|line| line.starts_with(b"    - ")) {
                    read.all.push(modification(lines, offset, texts)?);
                }
            }
            b"m_RemovedComponents:" => read.removed_components = references(lines)?,
            b"m_RemovedGameObjects:" => read.removed_objects = references(lines)?,
            b"m_AddedGameObjects:" => read.added_objects = Some(added(lines)?),
            b"m_AddedComponents:" => read.added_components = Some(added(lines)?),
            b"m_AddedGameObjects: []" => {
                lines.next();
                read.added_objects = Some(Vec::new());
            }
            b"m_AddedComponents: []" => {
                lines.next();
                read.added_components = Some(Vec::new());
            }
            b"m_Modifications: []" | b"m_RemovedComponents: []" | b"m_RemovedGameObjects: []" => {
                lines.next();
            }
            _ => return None,
        }
    }
    Some(())
}

/// About so many overrides an instance has: its name, and where it stands.
const USUAL: usize = 16;

fn modification(
    lines: &mut Lines<'_>,
    offset: usize,
    texts: &mut Shared,
) -> Option<(Option<Guid>, Modification)> {
    const ITEM: &[u8] = b"    - ";
    let start = offset + lines.at + ITEM.len();
    let target = lines.reference(b"    - target: ")?;
    let path = plain(lines.next()?.strip_prefix(b"      propertyPath: ")?)?;
    let value = match lines.next()?.strip_prefix(b"      value:")? {
        b"" | b" " => "",
        value => text(value.strip_prefix(b" ")?)?,
    };
    let reference = lines.reference(b"      objectReference: ")?;
    let (path, value) = (texts.share(path), texts.share(value));
    let change = Modification { target: target.file_id.0, path, value, reference, offset: start };
    Some((target.guid, change))
}

/// A list of references; its key is the line at hand.
fn references(lines: &mut Lines<'_>) -> Option<Vec<i64>> {
    lines.next()?;
    let mut all = Vec::new();
    while lines.peek().is_some_and(|line| line.starts_with(b"    - ")) {
        all.push(lines.reference(b"    - ")?.file_id.0);
    }
    Some(all)
}

fn added(lines: &mut Lines<'_>) -> Option<Vec<RawAdded>> {
    lines.next()?;
    let mut all = Vec::new();
    while lines.peek().is_some_and(|line| line.starts_with(b"    - ")) {
        let to = lines.reference(b"    - targetCorrespondingSourceObject: ")?.file_id.0;
        let at = lines.next()?.strip_prefix(b"      insertIndex: ")?;
        let at: i64 = std::str::from_utf8(at).ok()?.parse().ok()?;
        let what = lines.reference(b"      addedObject: ")?.file_id.0;
        // -1 stands for the end.
        all.push(RawAdded { to, what, at: u32::try_from(at).ok() });
    }
    Some(all)
}

/// A value that means itself: a number or a word.
fn text(value: &[u8]) -> Option<&str> {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    let starts_number = digits.first().is_some_and(u8::is_ascii_digit);
    match starts_number && digits.len() < value.len() {
        true => plain(digits).and_then(|_| std::str::from_utf8(value).ok()),
        false => plain(value),
    }
}

/// The lines of an object, one after the other, without their ends.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lines<'t> {
    fn peek(&self) -> Option<&'t [u8]> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn next(&mut self) -> Option<&'t [u8]> {
        let line = self.peek()?;
        self.skip(line.len());
        Some(line)
    }

    /// Goes on behind so many bytes and the end of their line.
    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        let rest = &self.text[self.at..];
        self.at += usize::from(rest.starts_with(b"\r")) + 1;
    }

    /// Goes past a field with a plain number or a reference within the file.
    fn skip_short(&mut self) -> Option<()> {
        let (_, value) = super::split(self.next()?.strip_prefix(b"  ")?)?;
        let is_short = value.iter().all(u8::is_ascii_digit) || super::local(value).is_some();
        (is_short && !value.is_empty()).then_some(())
    }

    /// The reference behind `key`, which may go on in the next line.
    fn reference(&mut self, key: &[u8]) -> Option<Reference> {
        let value = self.text.get(self.at..)?.strip_prefix(key)?;
        let reference = parse_reference(value)?;
        let end = memchr(b'}', value)? + 1;
        let is_all = matches!(&value[end..], [] | [b'\n', ..] | [b'\r', b'\n', ..]);
        is_all.then(|| self.skip(key.len() + end))?;
        Some(reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::hierarchy::read;

    /// The quick way must give what the long way gives, or nothing.
    fn agree(text: &str) -> bool {
        let document = Document::parse(text);
        let object = document.object_at(0).unwrap();
        let (id, bytes) = (object.file_id().0, &text.as_bytes()[object.span()]);
        let texts = &mut Shared::default();
        let slow = read::read_instance(object, 7, texts);
        let quick = instance(bytes, id, 7, texts);
        if let Some(quick) = &quick {
            assert_eq!(format!("{quick:?}"), format!("{:?}", slow.unwrap()), "{text}");
        }
        quick.is_some()
    }

    const INSTANCE: &str = "--- !u!1001 &9000000000000000001
PrefabInstance:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: 12}
    m_Modifications:
    - target: {fileID: -8679921383154817045, guid: 0123456789abcdef0123456789abcdef,
        type: 3}
      propertyPath: m_Name
      value: Old Door (1)
      objectReference: {fileID: 0}
    - target: {fileID: 4, guid: 0123456789abcdef0123456789abcdef, type: 3}
      propertyPath: m_LocalPosition.x
      value: -1.5e-05
      objectReference: {fileID: 0}
    - target: {fileID: 4, guid: ffffffffffffffffffffffffffffffff, type: 3}
      propertyPath: m_Materials.Array.data[0]
      value: 
      objectReference: {fileID: 2100000, guid: 0123456789abcdef0123456789abcdff, type: 2}
    m_RemovedComponents:
    - {fileID: 11, guid: 0123456789abcdef0123456789abcdef, type: 3}
    m_RemovedGameObjects: []
    m_AddedGameObjects:
    - targetCorrespondingSourceObject: {fileID: 4, guid: 0123456789abcdef0123456789abcdef, type: 3}
      insertIndex: -1
      addedObject: {fileID: 77}
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: 0123456789abcdef0123456789abcdef, type: 3}
";

    #[test]
    fn the_usual_instance_is_read_quickly() {
        assert!(agree(INSTANCE));
        assert!(agree(&INSTANCE.replace('\n', "\r\n")));
        assert!(agree(INSTANCE.trim_end()));
        let old = INSTANCE.replace("    m_RemovedGameObjects: []\n", "");
        assert!(agree(&old.replace("m_SourcePrefab", "m_ParentPrefab")));
        assert!(agree(&INSTANCE.replace("    m_AddedComponents: []\n", "")));
    }

    #[test]
    fn the_unusual_instance_is_left_to_others() {
        for (part, other) in [
            ("Old Door (1)", "'Old'' Door'"),
            ("Old Door (1)", "Old\n        Door"),
            ("Old Door (1)", "Old: Door"),
            ("Old Door (1)", "Tür"),
            ("      value: Old Door (1)\n", ""),
            ("    - {fileID: 11,", "    -   {fileID: 11,"),
            ("insertIndex: -1", "insertIndex: x"),
            ("  serializedVersion: 2", "  serializedVersion: {x: 1}"),
            ("m_AddedComponents: []", "m_AddedComponents: {}"),
            ("  m_SourcePrefab", "  m_Source"),
            ("    m_TransformParent", "     m_TransformParent"),
        ] {
            assert!(!agree(&INSTANCE.replace(part, other)), "{other}");
        }
    }

    #[test]
    fn stand_ins_are_read_quickly() {
        let text = "--- !u!4 &-5 stripped\nTransform:\n  m_CorrespondingSourceObject: {fileID: 400000, guid: 0123456789abcdef0123456789abcdef,\n    type: 3}\n  m_PrefabInstance: {fileID: 12}\n  m_PrefabAsset: {fileID: 0}\n";
        let old = text
            .replace("m_CorrespondingSourceObject", "m_PrefabParentObject")
            .replace("m_PrefabInstance", "m_PrefabInternal");
        for text in [text, &old, &text.replace('\n', "\r\n"), &text.replace("{fileID: 12}", "{}")] {
            let document = Document::parse(text);
            let object = document.object_at(0).unwrap();
            let slow = read::read_stand_in(object, 7);
            let quick = stand_in(&text.as_bytes()[object.span()], object.file_id().0, 7);
            assert_eq!(quick.is_none(), text.contains("{}"), "{text}");
            if let Some(quick) = quick {
                assert_eq!(format!("{quick:?}"), format!("{slow:?}"));
            }
        }
    }
}
