//! What differs between operating systems, but for how the index opens files: that is its own `os`.

use std::fs::File;
use std::io;
use std::path::Path;

/// Fills `part` from a place in a file that others may read, too.
#[cfg(unix)]
pub(crate) fn read_part(file: &File, start: u64, part: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, part, start)
}

/// Fills `part` from a place in a file that others may read, too.
#[cfg(windows)]
pub(crate) fn read_part(file: &File, mut start: u64, mut part: &mut [u8]) -> io::Result<()> {
    while !part.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, part, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                start += read as u64;
                part = &mut part[read..];
            }
        }
    }
    Ok(())
}

/// Nothing is known of such a system; the file is read in one piece.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_part(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Unity takes a lock of POSIX's on the whole file, which can be asked about without taking it.
#[cfg(unix)]
pub(crate) fn is_held(path: &Path) -> bool {
    use rustix::process::{Flock, FlockType, fcntl_getlk};
    match std::fs::File::open(path) {
        Ok(file) => {
            fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)).is_ok_and(|by| by.is_some())
        }
        // A Windows editor lets nobody open it, from inside of WSL neither.
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Unity shares the file with nobody, so it cannot be opened.
#[cfg(windows)]
pub(crate) fn is_held(path: &Path) -> bool {
    use std::os::windows::fs::OpenOptionsExt as _;
    let opened = std::fs::File::options().read(true).share_mode(0).open(path);
    opened.is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound)
}

/// Nothing is known of such a system.
#[cfg(not(any(unix, windows)))]
pub(crate) fn is_held(_: &Path) -> bool {
    false
}
