//! Whether a script declares the class that its file is named after, without parsing it.

use memchr::memmem;

/// False when the text certainly has no class of this name. Unity finds the class of a component by
/// the name of the file; a comment that only speaks of it is taken for the class, so that nobody is
/// told of a mistake that is none.
pub(crate) fn may_declare_class(text: &[u8], name: &str) -> bool {
    // Text with zeros is UTF-16, of which nothing is known here.
    if name.is_empty() || memchr::memchr(0, &text[..text.len().min(4096)]).is_some() {
        return true;
    }
    memmem::find_iter(text, name).any(|at| {
        let is_word = text.get(at + name.len()).is_none_or(|byte| !is_part(byte));
        let before = text[..at].strip_suffix(b"@").unwrap_or(&text[..at]);
        let word = before.trim_ascii_end();
        let is_apart = word.len() < before.len();
        let rest = word.strip_suffix(b"class");
        is_word
            && is_apart
            && rest.is_some_and(|rest| rest.last().is_none_or(|byte| !is_part(byte)))
    })
}

/// Bytes of names; those of other alphabets all count as such.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::may_declare_class;

    #[test]
    fn finds_the_class_of_the_file() {
        for text in [
            "public class Door : MonoBehaviour {}",
            "namespace A { sealed partial class\n  Door<T>\n{ }",
            "class @Door{}",
            "// class Door comes later",
            "class Door",
        ] {
            assert!(may_declare_class(text.as_bytes(), "Door"), "{text}");
        }
        for text in [
            "",
            "class Doors {}",
            "class ADoor {}",
            "struct Door {}",
            "subclass Door",
            "class Wall { Door door; }",
            "classDoor",
        ] {
            assert!(!may_declare_class(text.as_bytes(), "Door"), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_judged() {
        let utf16: Vec<u8> = "class Door".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(may_declare_class(&utf16, "Door"));
    }
}
