//! Why a file is not merged here, and is left to git's own merge.

/// Why a file is not merged here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// One version cannot be read as what it should be.
    #[error("{0}")]
    NotReadable(String),
    /// Git LFS keeps the content.
    #[error("it is a pointer of Git LFS; merge what it points to")]
    LfsPointer,
    /// A conflict of an earlier merge is in it.
    #[error("conflict markers are in it")]
    ConflictMarkers,
    /// Not text.
    #[error("it is not text")]
    Binary,
    /// Nothing is known of such files.
    #[error("nothing is known of files of this kind")]
    UnknownKind,
    /// The versions are of different formats.
    #[error("the versions are of different formats: {0}")]
    OtherFormat(String),
    /// Larger than is read here.
    #[error("it has {0} MiB, and 256 are read at most")]
    TooLarge(usize),
}

/// Which version it is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{version}: {reason}")]
pub struct Refused {
    /// `base`, `ours` or `theirs`.
    pub version: &'static str,
    /// Why.
    pub reason: Refusal,
}
