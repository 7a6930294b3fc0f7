//! The rights of files and a look at who still writes, as far as the system has them.

use std::fs;
use std::io;

/// True when a program has a file open to write into it. A read lease is given only when none has.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no kept crate asks for leases")]
pub(super) fn has_writer(file: &fs::File) -> io::Result<bool> {
    use std::os::fd::AsRawFd;
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
pub(super) fn has_writer(_: &fs::File) -> io::Result<bool> {
    Ok(false)
}

/// Who may do what with a file, to be given to the one that takes its place.
#[derive(Debug, Clone)]
pub(super) struct Access {
    permissions: fs::Permissions,
    #[cfg(unix)]
    owner: Option<(u32, u32)>,
}

impl Access {
    pub(super) fn of(meta: &fs::Metadata) -> Self {
        Self {
            permissions: meta.permissions(),
            #[cfg(unix)]
            owner: Some({
                use std::os::unix::fs::MetadataExt;
                (meta.uid(), meta.gid())
            }),
        }
    }

    /// From the bits that a record kept; nothing where there are no such bits.
    #[cfg(unix)]
    pub(super) fn from_mode(mode: u32) -> Option<Self> {
        use std::os::unix::fs::PermissionsExt;
        Some(Self { permissions: fs::Permissions::from_mode(mode & 0o777), owner: None })
    }

    /// From the bits that a record kept; nothing where there are no such bits.
    #[cfg(not(unix))]
    pub(super) fn from_mode(_: u32) -> Option<Self> {
        None
    }

    /// The bits to keep in a record.
    #[cfg(unix)]
    pub(super) fn mode(&self) -> Option<u32> {
        use std::os::unix::fs::PermissionsExt;
        Some(self.permissions.mode() & 0o777)
    }

    /// The bits to keep in a record.
    #[cfg(not(unix))]
    pub(super) fn mode(&self) -> Option<u32> {
        None
    }

    pub(super) fn give_to(&self, file: &fs::File) -> io::Result<()> {
        // Only an administrator may give files away; for everybody else it is their own already.
        #[cfg(unix)]
        if let Some((user, group)) = self.owner
            && Self::of(&file.metadata()?).owner != self.owner
        {
            let _ = std::os::unix::fs::fchown(file, Some(user), Some(group));
        }
        // Some file systems have no permissions and refuse to be told any.
        if file.metadata()?.permissions() == self.permissions {
            return Ok(());
        }
        file.set_permissions(self.permissions.clone())
    }
}
