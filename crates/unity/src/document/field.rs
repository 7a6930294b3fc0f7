//! The field that a value belongs to, told from the lines above it.

use std::ops::Range;

use memchr::memrchr;

/// Fields that make the hierarchy; what they mean is told with that.
pub(crate) const STRUCTURE: [&[u8]; 7] = [
    b"m_CorrespondingSourceObject",
    b"m_PrefabInstance",
    b"m_PrefabAsset",
    b"m_PrefabParentObject",
    b"m_PrefabInternal",
    b"m_GameObject",
    b"m_Father",
];

/// How far above its items the key of a list is looked for.
const MOST_ITEMS: usize = 64;

/// Where the key stands whose value, or plain item of a list, begins at the end of `body`. Nothing
/// when the value is deeper inside of an object, or the list is long.
pub(crate) fn field_key(text: &[u8], body: Range<usize>) -> Option<Range<usize>> {
    let start_of =
        |end: usize| memrchr(b'\n', &text[body.start..end]).map(|at| body.start + at + 1);
    let mut start = start_of(body.end)?;
    let line = &text[start..body.end];
    if line.trim_ascii_end() != b"  -" {
        return key(line).map(|key| start + key.start..start + key.end);
    }
    for _ in 0..MOST_ITEMS {
        let end = start - 1;
        start = start_of(end)?;
        let line = text[start..end].trim_ascii_end();
        if !line.starts_with(b"  - ") {
            return key(line).map(|key| start + key.start..start + key.end);
        }
    }
    None
}

/// The key of a line of an object's own fields that has nothing behind it.
fn key(line: &[u8]) -> Option<Range<usize>> {
    let key = line.trim_ascii_end().strip_prefix(b"  ")?.strip_suffix(b":")?;
    let is_plain = key.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (is_plain && !key.is_empty()).then(|| 2..2 + key.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        field_key(text.as_bytes(), 0..text.len()).map(|key| &text[key])
    }

    #[test]
    fn the_key_of_a_value_or_of_its_list_is_found() {
        assert_eq!(found("A:\n  m_Mesh: "), Some("m_Mesh"));
        assert_eq!(found("A:\n  m_List:\n  - {fileID: 1}\n  - "), Some("m_List"));
        assert_eq!(found("A:\n  m_List:\n    m_Mesh: "), None);
        assert_eq!(found("A:\n  m_List:\n  - a: "), None);
        assert_eq!(found("A:\n  m_List:\n  - a: {fileID: 1}\n    b: "), None);
        assert_eq!(found("A: "), None);
        let long = format!("A:\n  m_List:\n{}  - ", "  - {fileID: 1}\n".repeat(100));
        assert_eq!(found(&long), None);
    }
}
