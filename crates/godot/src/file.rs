//! One file from disk, of bounded size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use scenewright_text::links;

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

/// Reads one file of a project, unless a link on the way to it leaves the project.
pub(crate) fn read_inside(
    root: &Path,
    name: &str,
    limit: u64,
) -> Result<Option<Vec<u8>>, ProjectError> {
    let path = root.join(name);
    match links::check_inside(root, &path) {
        Ok(()) => read(&path, limit),
        Err(source) => Err(ProjectError::Read { path, source }),
    }
}

/// Reads one file of bounded size; nothing when there is none. Links are followed: whoever walks a
/// project has asked where they lead.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ProjectError> {
    let fail = |source| ProjectError::Read { path: path.into(), source };
    // Asked before opening: opening a pipe would wait for its writer.
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    if !meta.is_file() {
        return Err(fail(io::Error::other("not a regular file")));
    }
    if meta.len() > limit {
        return Err(ProjectError::TooLarge { path: path.into(), size: meta.len(), limit });
    }
    let room = usize::try_from(meta.len().min(limit)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room.saturating_add(1));
    let file = File::open(path).map_err(fail)?;
    // The file may have grown since its size was asked.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    let size = meta.len().max(bytes.len() as u64);
    if size > limit {
        return Err(ProjectError::TooLarge { path: path.into(), size, limit });
    }
    Ok(Some(bytes))
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
