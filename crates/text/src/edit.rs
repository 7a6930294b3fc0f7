//! Edits by byte range.

use std::ops::Range;

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go; empty for an insertion.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

/// Replacements in one source, in any order, all by the offsets of the untouched source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

/// Why edits do not fit a source. Nothing is applied then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A range ends after the source, or before its own start.
    #[error("the edit of bytes {}..{} does not fit a source of {length} bytes", range.start, range.end)]
    Outside {
        /// The range.
        range: Range<usize>,
        /// How long the source is.
        length: usize,
    },
    /// Two edits want the same bytes, or one is inside the other.
    #[error(
        "the edits of bytes {}..{} and {}..{} overlap",
        first.start, first.end, second.start, second.end
    )]
    Overlap {
        /// The range that starts first.
        first: Range<usize>,
        /// The other one.
        second: Range<usize>,
    },
}

impl Edits {
    /// Put `text` in the place of `range`.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push(Edit { range, text: text.into() });
    }

    /// Put `text` before the byte `at`. Insertions at one place come in the order of the calls, and
    /// before what replaces the bytes from there on.
    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Take `range` away.
    pub fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Do these as well.
    pub fn append(&mut self, other: Edits) {
        self.0.extend(other.0);
    }

    /// How many replacements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From the first byte that is touched to the end of the last; nothing without edits.
    pub fn range(&self) -> Option<Range<usize>> {
        let start = self.0.iter().map(|edit| edit.range.start).min()?;
        let end = self.0.iter().map(|edit| edit.range.end).max()?;
        Some(start..end)
    }

    /// A part of the source, edited. No edit may be outside of it.
    pub fn apply_within(&self, source: &[u8], part: Range<usize>) -> Result<Vec<u8>, EditError> {
        let moved = self.0.iter().map(|edit| {
            let range = &edit.range;
            let outside = || EditError::Outside { range: range.clone(), length: source.len() };
            let start = range.start.checked_sub(part.start).ok_or_else(outside)?;
            let end = range.end.checked_sub(part.start).ok_or_else(outside)?;
            Ok(Edit { range: start..end, text: edit.text.clone() })
        });
        let moved: Vec<Edit> = moved.collect::<Result<_, _>>()?;
        let length = source.len();
        let part = source.get(part.clone()).ok_or(EditError::Outside { range: part, length })?;
        Edits(moved).apply(part)
    }

    /// The edited source.
    pub fn apply(&self, source: &[u8]) -> Result<Vec<u8>, EditError> {
        let mut sorted: Vec<&Edit> = self.0.iter().collect();
        // The sort is stable, so insertions at one place keep their order.
        sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let more: usize = sorted.iter().map(|edit| edit.text.len()).sum();
        let mut edited = Vec::with_capacity(source.len() + more);
        let mut last = 0..0;
        for edit in sorted {
            let Range { start, end } = edit.range;
            if start > end || end > source.len() {
                let range = edit.range.clone();
                return Err(EditError::Outside { range, length: source.len() });
            }
            if start < last.end {
                return Err(EditError::Overlap { first: last, second: edit.range.clone() });
            }
            edited.extend_from_slice(&source[last.end..start]);
            edited.extend_from_slice(edit.text.as_bytes());
            last = start..end;
        }
        edited.extend_from_slice(&source[last.end..]);
        Ok(edited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(list: &[(Range<usize>, &str)]) -> Edits {
        let mut edits = Edits::default();
        list.iter().for_each(|(range, text)| edits.replace(range.clone(), *text));
        edits
    }

    fn check(list: &[(Range<usize>, &str)], expected: &str) {
        let edited = edits(list).apply(b"0123456789").unwrap();
        assert_eq!(String::from_utf8(edited).unwrap(), expected);
    }

    #[test]
    fn edits_come_in_any_order() {
        check(&[], "0123456789");
        check(&[(7..8, "seven"), (1..2, "one"), (4..6, "")], "0one236seven89");
        check(&[(10..10, "end"), (0..0, "start")], "start0123456789end");
        check(&[(0..10, "")], "");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order_and_touch_replacements() {
        check(&[(3..3, "a"), (3..3, "b"), (3..3, "c")], "012abc3456789");
        check(&[(3..5, "X"), (3..3, "a"), (5..5, "b")], "012aXb56789");
        check(&[(3..5, "X"), (5..6, "Y")], "012XY6789");
    }

    #[test]
    fn what_is_touched_has_a_range() {
        assert_eq!(Edits::default().range(), None);
        assert_eq!(edits(&[(7..8, "x"), (1..2, ""), (4..4, "")]).range(), Some(1..8));
    }

    #[test]
    fn overlaps_and_wild_ranges_are_refused() {
        for list in
            [&[(2..5, ""), (4..6, "")], &[(2..5, ""), (2..3, "")], &[(2..5, ""), (3..3, "")]]
        {
            assert!(matches!(edits(list).apply(b"0123456789"), Err(EditError::Overlap { .. })));
        }
        #[allow(clippy::reversed_empty_ranges, reason = "that is the point")]
        for range in [5..4, 9..11, 11..11, usize::MAX..usize::MAX] {
            let error = edits(&[(range.clone(), "")]).apply(b"0123456789").unwrap_err();
            assert_eq!(error, EditError::Outside { range, length: 10 });
        }
        let error = edits(&[(2..5, ""), (4..6, "")]).apply(b"0123456789").unwrap_err();
        assert_eq!(error.to_string(), "the edits of bytes 2..5 and 4..6 overlap");
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let mut edits = Edits::default();
        edits.insert(2, "x");
        assert_eq!(edits.apply(b"\xff\xfe\0\r").unwrap(), b"\xff\xfex\0\r");
        assert!(!edits.is_empty() && Edits::default().is_empty());
        edits.remove(0..1);
        assert_eq!(edits.apply(b"\xff\xfe").unwrap(), b"\xfex");
    }
}
