//! What a file is, by its first bytes: Unity's YAML, a meta, a Git LFS pointer, something binary.

use memchr::{memchr, memmem};

use super::header::BOM;

/// What a file is, judged by its content and never by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// Objects in Unity's YAML: scenes, prefabs, assets, settings.
    UnityYaml,
    /// A `.meta` file: a mapping without document headers.
    Meta,
    /// Unresolved conflict markers of a version control system; what is around them may still read.
    MergeConflict,
    /// Git LFS keeps the content and it was not fetched.
    LfsPointer,
    /// Unity's binary form of objects.
    SerializedFile,
    /// Other bytes: images, bundles, text in UTF-16.
    Binary,
    /// JSON, such as assembly definitions.
    Json,
    /// Nothing, or white space only.
    Empty,
    /// Text of another kind.
    OtherText,
}

/// The kind by the first bytes, for files without conflict markers.
pub(super) fn sniff(bytes: &[u8], has_objects: bool) -> DocumentKind {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    if is_binary(bytes) {
        return match is_serialized(bytes) {
            true => DocumentKind::SerializedFile,
            false => DocumentKind::Binary,
        };
    }
    if text.starts_with(b"version https://git-lfs") {
        return DocumentKind::LfsPointer;
    }
    if has_objects || text.starts_with(b"%YAML") {
        return DocumentKind::UnityYaml;
    }
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => DocumentKind::Empty,
        Some(b'{' | b'[') => DocumentKind::Json,
        Some(_) if is_meta(text) => DocumentKind::Meta,
        Some(_) => DocumentKind::OtherText,
    }
}

/// Text has no zero bytes. Only the start is asked: a stray one later does not make text binary.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    memchr(0, &bytes[..bytes.len().min(4096)]).is_some()
}

/// The header states the size of the file, in one of two places that depend on the version.
fn is_serialized(bytes: &[u8]) -> bool {
    let number = |at: usize, size: usize| {
        let field = bytes.get(at..at + size)?;
        Some(field.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    let size = match number(8, 4) {
        Some(5..22) => number(4, 4),
        Some(22..100) => number(24, 8),
        _ => None,
    };
    size == Some(bytes.len() as u64)
}

fn is_meta(text: &[u8]) -> bool {
    let start = &text[..text.len().min(4096)];
    start
        .split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"fileFormatVersion:") || line.starts_with(b"guid: "))
}

/// The offsets of all lines with a conflict marker. In text that may hold a row of `=======` there are
/// none unless a conflict opens and closes; in Unity's own no line can start so, and one alone is what
/// is left of a conflict that was half resolved.
pub(super) fn conflict_markers(text: &[u8], is_unity: bool) -> Vec<usize> {
    let has = |marker| find_lines(text, marker).next().is_some();
    let is_conflict = is_unity || (has(b"<<<<<<<") && has(b">>>>>>>"));
    if !is_conflict {
        return Vec::new();
    }
    let markers = [b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"];
    let mut lines: Vec<_> = markers.iter().flat_map(|marker| find_lines(text, marker)).collect();
    lines.sort_unstable();
    lines
}

/// Lines that start with the marker. Markers of more than seven characters occur too.
fn find_lines<'a>(text: &'a [u8], marker: &'a [u8; 7]) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(text, marker).filter(move |&at| {
        let starts_line = at == 0 || text[at - 1] == b'\n' || &text[..at] == BOM;
        let mut after = text[at..].iter().skip_while(|byte| **byte == marker[0]);
        starts_line && matches!(after.next(), None | Some(b' ' | b'\r' | b'\n'))
    })
}

#[cfg(test)]
mod tests {
    use DocumentKind::*;

    use super::*;

    #[test]
    fn tells_text_by_its_start() {
        for (text, kind) in [
            ("", Empty),
            ("\u{feff}\r\n ", Empty),
            ("%YAML 1.1\n", UnityYaml),
            ("\u{feff}fileFormatVersion: 2\nguid: 0\n", Meta),
            ("guid: c57a184794a05b349955e5023bbf7e99\n", Meta),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", LfsPointer),
            ("\n {\"name\": 1}", Json),
            ("m_EditorVersion: 2022.3.1f1\n", OtherText),
        ] {
            assert_eq!(sniff(text.as_bytes(), false), kind, "{text:?}");
        }
    }

    #[test]
    fn tells_serialized_files_by_their_stated_size() {
        let old = b"\0\0\0\x01\0\0\0\x14\0\0\0\x11\0\0\0\0abcd";
        assert_eq!(sniff(old, false), SerializedFile);
        let mut new = [0; 48];
        (new[11], new[31]) = (22, 48);
        assert_eq!(sniff(&new, false), SerializedFile);
        assert_eq!(sniff(&new[..40], false), Binary);
        assert_eq!(sniff(b"UnityFS\0", false), Binary);
    }

    #[test]
    fn conflicts_open_and_close() {
        let text = b"a\n<<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n";
        assert_eq!(conflict_markers(text, false), [2, 18, 28]);
        assert!(conflict_markers(b"=======\n  <<<<<<< HEAD\n>>>>>>> x\n", false).is_empty());
        assert!(conflict_markers(b"<<<<<<<HEAD\n>>>>>>> x\n", false).is_empty());
    }

    #[test]
    fn one_marker_alone_is_a_conflict_in_text_of_unity() {
        for marker in ["<<<<<<< HEAD", "=======", ">>>>>>> x", "||||||| base"] {
            let text = format!("a: 1\n{marker}\n");
            assert_eq!(conflict_markers(text.as_bytes(), true), [5], "{marker}");
            assert!(conflict_markers(text.as_bytes(), false).is_empty(), "{marker}");
        }
        assert!(
            conflict_markers(b"m_Text: '\n\n    =======\n    <<<<<<< HEAD'\n", true).is_empty()
        );
    }
}
