//! What differs between operating systems, but for how the index opens files: that is its own `os`.

use std::path::Path;

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
