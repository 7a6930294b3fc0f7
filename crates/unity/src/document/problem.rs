//! What is wrong with the text of a file. What is wrong with what it says is for `check` to tell.

use std::ops::Range;

/// Something in a file that Unity would not have written, or that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// The bytes it is about.
    pub span: Range<usize>,
    /// The line where they start, from 1.
    pub line: usize,
}
