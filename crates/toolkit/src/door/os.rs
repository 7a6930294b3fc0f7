//! Renames that lose nothing and a look at who still writes, as far as the system has them.

#![expect(clippy::disallowed_methods, reason = "this is the door")]

use std::fs;
use std::io;
use std::path::Path;

/// Let two files change places in one step. False where the system or the disk cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    rename_with(one, other, rustix::fs::RenameFlags::EXCHANGE)
}

/// Let two files change places in one step. False where the system or the disk cannot.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Move a file to a place where nothing is.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    if rename_with(from, to, rustix::fs::RenameFlags::NOREPLACE)? {
        return Ok(());
    }
    // A second name is refused where one is, on every system; some disks know only one name a file.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_with(from: &Path, to: &Path, flags: rustix::fs::RenameFlags) -> io::Result<bool> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(rustix::fs::CWD, from, rustix::fs::CWD, to, flags) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// True when a program has a file open to write into it. A read lease is given only when none has.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no kept crate asks for leases")]
pub(super) fn has_writer(path: &Path) -> io::Result<bool> {
    use std::os::fd::AsRawFd;
    let file = fs::File::open(path)?;
    /// Linux' own, which the crate does not name.
    const F_SETSIG: libc::c_int = 10;
    let ask = |what: libc::c_int, value: libc::c_int| {
        // SAFETY: the descriptor is open as long as `file`, and both requests take a plain number.
        unsafe { libc::fcntl(file.as_raw_fd(), what, value) }
    };
    // Who opens the file while the lease lasts makes it send a signal; this one is ignored.
    ask(F_SETSIG, libc::SIGURG);
    let is_given = ask(libc::F_SETLEASE, libc::F_RDLCK) == 0;
    // Another reason than writers, such as another owner or a disk without leases, tells nothing.
    Ok(!is_given && io::Error::last_os_error().kind() == io::ErrorKind::WouldBlock)
}

/// True when a program has a file open to write into it; other systems do not tell.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
pub(super) fn has_writer(_: &Path) -> io::Result<bool> {
    Ok(false)
}
