//! One file from disk, of bounded size.

use std::io;
use std::path::Path;

use scenewright_text::beneath;

use crate::{FileKind, ProjectError};

/// The largest settings file read; real ones stay under 1 MiB.
pub(crate) const MAX_SETTINGS: u64 = 16 << 20;
/// The largest scene, resource or script read: some are in memory twice while they are changed.
pub(crate) const MAX_BYTES: u64 = 64 << 20;
/// What files that are read at once may weigh together.
pub(crate) const TOGETHER: usize = 64 << 20;

/// What a file takes while it is judged: its text and all the parts of it. Pictures and sounds are
/// not opened.
pub(crate) fn weight(kind: FileKind, size: u64) -> usize {
    match kind {
        FileKind::Other => 0,
        _ => usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(24),
    }
}

/// Reads one file of a project of bounded size, unless a link on the way to it leaves the project; nothing when there
/// is none.
pub(crate) fn read_inside(
    root: &Path,
    name: &str,
    limit: u64,
) -> Result<Option<Vec<u8>>, ProjectError> {
    let path = root.join(name);
    match beneath::read_up_to(root, &path, limit) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            let size = beneath::open(root, &path).and_then(|file| file.metadata());
            let size = size.map_or(limit + 1, |meta| meta.len());
            Err(ProjectError::TooLarge { path, size, limit })
        }
        Err(source) => Err(ProjectError::Read { path, source }),
    }
}

/// Why bytes are no text that Godot reads; nothing when they may be.
pub fn not_text(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("it is UTF-16, which Godot does not read"),
        _ if memchr::memchr(0, &bytes[..bytes.len().min(4096)]).is_some() => {
            Some("it is binary, or in an encoding that Godot does not read")
        }
        _ => None,
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
