//! The class that an object names beside its script, and a look whether a source declares it.

use super::scan;

/// The class that `m_EditorClassIdentifier` of a script's object names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassIdentifier<'t> {
    /// The assembly, without `.dll`.
    pub assembly: &'t str,
    /// The namespace; empty for the global one.
    pub namespace: &'t str,
    /// The class.
    pub name: &'t str,
}

impl<'t> ClassIdentifier<'t> {
    /// Reads `Assembly::Namespace.Class`, or `Assembly:Namespace:Class` of older versions; nothing
    /// when the text is empty, as most versions leave it.
    ///
    /// ```
    /// use scenewright_unity::script::ClassIdentifier;
    /// let image = ClassIdentifier::parse("UnityEngine.UI::UnityEngine.UI.Image").expect("a class");
    /// assert_eq!((image.namespace, image.name), ("UnityEngine.UI", "Image"));
    /// ```
    pub fn parse(text: &'t str) -> Option<ClassIdentifier<'t>> {
        let (assembly, rest) = text.trim().split_once(':')?;
        let (namespace, name) = match rest.split_once(':')? {
            ("", full) => full.rsplit_once('.').unwrap_or(("", full)),
            older => older,
        };
        let is_name = |text: &str| !text.is_empty() && text.chars().all(is_part_of_name);
        let is_path = |text: &str| text.is_empty() || text.split('.').all(is_name);
        let fits = is_name(name) && is_path(namespace);
        fits.then_some(ClassIdentifier { assembly, namespace, name })
    }
}

/// A class inside another is written `Outer/Inner` or `Outer+Inner`.
fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '/' | '+' | '`')
}

/// Whether a managed library may have a class of this name: all its names are in one list, with a
/// zero behind each.
pub fn library_names(library: &[u8], name: &str) -> bool {
    let entry = [b"\0", name.as_bytes(), b"\0"].concat();
    memchr::memmem::find(library, &entry).is_some()
}

/// Whether a source seems to declare a class of this name that is not generic, by its words alone
/// and so without parsing it. Comments and strings do not count.
pub fn declares_class(source: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let code = scan::code(source);
    let mut rest = &*code;
    while let Some(at) = rest.find(name) {
        let (before, behind) = (&rest[..at], &rest[at + name.len()..]);
        let is_declared = before.ends_with(char::is_whitespace)
            && ["class", "record"].iter().any(|keyword| ends_with_word(before, keyword));
        let next = behind.trim_start().chars().next();
        let is_whole = !behind.starts_with(is_part_of_name) && next != Some('<');
        if is_declared && is_whole {
            return true;
        }
        rest = behind;
    }
    false
}

/// The names behind `class`, `struct`, `enum`, `interface` and `record` in a source, each once. Words
/// of comments may be among them: the names are to find a source by, and not to believe.
pub fn type_names(source: &str) -> Vec<&str> {
    let words =
        source.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let mut names = Vec::new();
    let mut is_next = false;
    for word in words {
        let is_keyword = matches!(word, "class" | "struct" | "enum" | "interface" | "record");
        if is_next && !is_keyword {
            names.push(word);
        }
        is_next = is_keyword;
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let before = text.trim_end().strip_suffix(word);
    before.is_some_and(|before| !before.ends_with(is_part_of_name))
}

#[cfg(test)]
mod tests {
    use super::{ClassIdentifier, declares_class};

    #[test]
    fn both_forms_are_read() {
        let parse = |text| {
            ClassIdentifier::parse(text).map(|class| (class.assembly, class.namespace, class.name))
        };
        assert_eq!(parse("Game::Keep.Gates.Gate"), Some(("Game", "Keep.Gates", "Gate")));
        assert_eq!(parse("Game:Keep.Gates:Gate"), Some(("Game", "Keep.Gates", "Gate")));
        assert_eq!(parse("Assembly-CSharp::Door "), Some(("Assembly-CSharp", "", "Door")));
        assert_eq!(parse("Game::Keep.Gate+Hinge"), Some(("Game", "Keep", "Gate+Hinge")));
        for text in ["", "Door", "Game:Door", "Game::", "Game::Keep.", "Game::a b"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn classes_are_seen_by_their_words() {
        let declares = |source| declares_class(source, "Door");
        assert!(declares("public sealed partial class Door: X {}"));
        assert!(declares("class OtherDoor {}\nrecord\n  Door;"));
        for source in [
            "class Doors {}",
            "subclass Door",
            "// class Door",
            "/* class Door */ var s = \"class Door\";",
            "class Door<T> {}",
            "struct Door {}",
            "",
        ] {
            assert!(!declares(source), "{source}");
        }
        assert!(!declares_class("class {}", ""));
    }
}
