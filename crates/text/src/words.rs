//! Words: of source code, and for what was counted.

/// A number of things: `1 file`, `2 files`. For words whose plural has an `s` and nothing else.
pub fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// How a check ended, in numbers.
pub fn errors_and_warnings(errors: usize, warnings: usize) -> String {
    format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"))
}

/// Whether a name stands in some text, not as a part of a longer one.
pub fn has_word(text: &str, word: &str) -> bool {
    find_word(text, word).is_some()
}

/// Where a name stands in some text for the first time, not as a part of a longer one.
pub fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "file")),
            ["0 files", "1 file", "2 files"]
        );
    }

    #[test]
    fn a_part_of_a_longer_name_is_no_word() {
        assert!(has_word("public int door;", "door"));
        assert!(has_word("door", "door"));
        for other in ["doors", "_door", "door2", "Türdoor", "trapdoor"] {
            assert!(!has_word(other, "door"), "{other}");
        }
        assert!(has_word("doors and door", "door"));
        assert_eq!(find_word("doors and door", "door"), Some(10));
    }
}
