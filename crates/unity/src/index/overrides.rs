//! Overrides of prefab instances as the text of a file has them, and which are of no native class.

use std::collections::HashSet;
use std::sync::LazyLock;

use memchr::{memchr, memmem};

use crate::{ClassId, Reference, scan_references, types};

/// An override in a text.
pub(crate) struct OverrideText<'t> {
    /// The object of the prefab.
    pub(crate) target: Reference,
    /// The path of the property.
    pub(crate) path: &'t str,
    /// Where the path stands.
    pub(crate) offset: usize,
    /// Where the override starts.
    pub(crate) start: usize,
}

/// How far before its path the object of an override stands: one reference, cut into two lines.
const TARGET: usize = 200;

/// The overrides of fields that no native component ever had: those of scripts, and of nothing.
pub(crate) fn foreign_overrides(text: &[u8]) -> impl Iterator<Item = OverrideText<'_>> {
    static KEY: LazyLock<memmem::Finder<'_>> =
        LazyLock::new(|| memmem::Finder::new(b"propertyPath: "));
    // The last native field: those of one come one behind the other, such as `x`, `y` and `z`.
    let mut last: &[u8] = b"";
    KEY.find_iter(text).filter_map(move |at| {
        let offset = at + KEY.needle().len();
        let rest = &text[offset..];
        let line = rest[..memchr(b'\n', rest).unwrap_or(rest.len())].trim_ascii();
        // Nearly all are native, and bytes tell that.
        let behind = line.strip_prefix(last).and_then(|rest| rest.first());
        if !last.is_empty() && matches!(behind, Some(b'.' | b'[')) {
            return None;
        }
        if is_native(line) {
            last = top_bytes(line);
            return None;
        }
        let path = str::from_utf8(line).ok()?.trim_matches(['\'', '"']);
        if top(path).is_empty() || is_native(path.as_bytes()) {
            return None;
        }
        let near = at.saturating_sub(TARGET);
        let start = near + memmem::rfind(&text[near..at], b"target:")?;
        let (_, target) = scan_references(&text[start..at]).next()?;
        Some(OverrideText { target, path, offset, start })
    })
}

/// The field of the object itself that a path starts with.
pub(crate) fn top(path: &str) -> &str {
    let end = path.find(['.', '[']).unwrap_or(path.len());
    &path[..end]
}

/// Whether a path starts with a field that a native component has or had.
fn is_native(path: &[u8]) -> bool {
    static NATIVE: LazyLock<HashSet<&[u8], foldhash::fast::RandomState>> = LazyLock::new(|| {
        let component = ClassId::find("Component").unwrap_or(ClassId::MONO_BEHAVIOUR);
        let is_part = |class: &ClassId| *class == ClassId::GAME_OBJECT || class.is_a(component);
        let fields = ClassId::all().filter(is_part).flat_map(types::all_fields);
        fields.map(top).chain(["managedReferences"]).map(str::as_bytes).collect()
    });
    NATIVE.contains(top_bytes(path))
}

fn top_bytes(path: &[u8]) -> &[u8] {
    let end = path.iter().position(|byte| matches!(byte, b'.' | b'['));
    &path[..end.unwrap_or(path.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_native_classes_have_is_passed_over() {
        let item = |path: &str| {
            format!(
                "    - target: {{fileID: 7, guid: 0000000000000000000000000000000a,\n        type: 3}}\n      propertyPath: {path}\n      value: 1\n"
            )
        };
        let text = [
            "m_LocalPosition.x",
            "doorSpeed",
            "m_Materials.Array.data[3]",
            "'<Door>k__BackingField'",
            "managedReferences[5].x",
            "doors.Array.size",
            "m_Shadows.m_Strength",
        ];
        let text: String = text.map(item).concat();
        let found: Vec<_> = foreign_overrides(text.as_bytes()).collect();
        let paths: Vec<&str> = found.iter().map(|found| found.path).collect();
        assert_eq!(paths, ["doorSpeed", "<Door>k__BackingField", "doors.Array.size"]);
        assert!(found.iter().all(|found| found.target.file_id.0 == 7));
    }
}
