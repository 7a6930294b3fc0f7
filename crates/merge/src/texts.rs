//! Texts of several lines, merged by line as git does it; what both sides changed is not.

use crate::order::chunks;

/// The text with both sides' changes; nothing when they touch each other.
pub(crate) fn merge_lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    if base.len() < 2 {
        return None;
    }
    let mut merged = String::new();
    for chunk in chunks(&base, &ours, &theirs) {
        let (b, o, t) = (&base[chunk.base], &ours[chunk.ours], &theirs[chunk.theirs]);
        let part = match () {
            () if chunk.is_stable || o == t || b == t => o,
            () if b == o => t,
            () => return None,
        };
        part.iter().for_each(|line| merged.push_str(line));
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::merge_lines;

    #[test]
    fn changes_of_different_lines_go_together() {
        let merged = merge_lines("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n");
        assert_eq!(merged.as_deref(), Some("A\nb\nC\n"));
        assert_eq!(merge_lines("a\nb\nc\n", "A\nb\nc\n", "x\nb\nc\n"), None);
        // Lines beside each other may belong together.
        assert_eq!(merge_lines("a\nb\n", "A\nb\n", "a\nB\n"), None);
        assert_eq!(merge_lines("one line", "one", "line"), None);
    }
}
