//! What is wrong with code that the engine would have to read.

/// The first thing in a script or shader that Godot could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeProblem {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

impl CodeProblem {
    pub(crate) fn at(text: &str, offset: usize, message: String) -> CodeProblem {
        let before = text.get(..offset).unwrap_or(text);
        let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        CodeProblem { line, column, message }
    }
}
