//! Why a document was not changed.

/// Why a document was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The text cannot be read, so nothing is known about what a change would do.
    #[error("line {line}: {message}; repair the file first")]
    Broken {
        /// Where.
        line: usize,
        /// What cannot be read.
        message: String,
    },
    /// The file is of a newer format than this program knows.
    #[error("format {format} is newer than this program can write")]
    Newer {
        /// The format of the header.
        format: u32,
    },
    /// There is no such thing.
    #[error("there is no {what} `{name}`")]
    NotFound {
        /// What was asked for: a node, a resource, a connection.
        what: &'static str,
        /// Its path, id or name.
        name: String,
    },
    /// The place is taken.
    #[error("there is already a {what} `{name}`")]
    Exists {
        /// What was to be made.
        what: &'static str,
        /// Its path, id or name.
        name: String,
    },
    /// Godot would change the name or refuse it.
    #[error("`{name}` cannot be a name: {why}")]
    BadName {
        /// The name.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// The change makes no sense here.
    #[error("{0}")]
    Refused(String),
    /// The edits contradict each other.
    #[error(transparent)]
    Text(#[from] scenewright_text::EditError),
}

impl ChangeError {
    pub(crate) fn not_found(what: &'static str, name: impl Into<String>) -> ChangeError {
        ChangeError::NotFound { what, name: name.into() }
    }

    pub(crate) fn exists(what: &'static str, name: impl Into<String>) -> ChangeError {
        ChangeError::Exists { what, name: name.into() }
    }
}
