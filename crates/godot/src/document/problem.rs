//! What is wrong with the text of a file. What is wrong with what it says is for `check` to tell.

/// Something in a file that the engine refuses or misreads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub kind: ProblemKind,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// The byte it is about.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text cannot be read here, and the engine refuses the file.
    Syntax,
    /// More than is read here; the engine may well take it.
    TooLarge,
    /// The text can be read, but the engine refuses what it says.
    Rule,
    /// The engine takes it, but hardly as it was meant.
    Doubt,
}

impl Problem {
    /// True when a part of the text is not in the document.
    pub fn is_unread(&self) -> bool {
        matches!(self.kind, ProblemKind::Syntax | ProblemKind::TooLarge)
    }
}
