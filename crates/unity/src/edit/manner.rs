//! How one file is written: its line breaks, whether it folds long references, whether it quotes
//! paths. What is added follows.

use memchr::memmem;

use crate::{Document, Reference};

/// How a file is written, as far as editors of different versions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The line break.
    pub(super) line_break: &'static str,
    /// Long references go on in the next line.
    folds: bool,
    /// Property paths with brackets are quoted.
    quotes_paths: bool,
}

/// Where lines are cut, in files that cut them.
const WIDTH: usize = 80;

impl Manner {
    /// Every value on its line, as far as it can be.
    pub(crate) const PLAIN: Manner = Manner { line_break: "\n", folds: false, quotes_paths: true };

    /// The manner of a file.
    pub fn of(document: &Document) -> Manner {
        let bytes = document.as_bytes();
        let line_break = match memchr::memchr(b'\n', bytes) {
            Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
            _ => "\n",
        };
        let folds = memmem::find_iter(bytes, b"type: ").any(|at| {
            let before = bytes[..at].trim_ascii_end();
            before.len() + 1 < at && before.ends_with(b",")
        });
        let quoted = memmem::find(bytes, b"propertyPath: '").is_some();
        let plain = || {
            memmem::find_iter(bytes, b"propertyPath: ").any(|at| {
                let line = &bytes[at..];
                line[..memchr::memchr(b'\n', line).unwrap_or(line.len())].contains(&b'[')
            })
        };
        Manner { line_break, folds, quotes_paths: quoted || !plain() }
    }

    /// A reference that begins at a column, its continuation two deeper than `indent`.
    pub(super) fn reference(self, to: Reference, column: usize, indent: usize) -> String {
        let Reference { file_id, guid, kind } = to;
        let Some(guid) = guid else { return format!("{{fileID: {file_id}}}") };
        let start = format!("{{fileID: {file_id}, guid: {guid},");
        // Only what comes before the last part counts: that may stand beyond the width.
        if !self.folds || column + start.len() <= WIDTH {
            return format!("{start} type: {kind}}}");
        }
        let (line_break, pad) = (self.line_break, " ".repeat(indent + 2));
        format!("{start}{line_break}{pad}type: {kind}}}")
    }

    /// The path of a property.
    pub(super) fn path(self, path: &str) -> String {
        match super::new::spell(path, false) {
            plain if plain == path && path.contains('[') && self.quotes_paths => {
                format!("'{path}'")
            }
            spelled => spelled,
        }
    }
}
