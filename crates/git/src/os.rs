//! What systems do differently: opening what must be a file, and paths as git writes and takes them.

pub(crate) use system::{open, path_of, plain};

#[cfg(unix)]
mod system {
    #![expect(clippy::disallowed_methods, reason = "opened to be read")]

    use std::ffi::OsStr;
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};

    use rustix::fs::OFlags;

    /// Opens without following a link, and without waiting for somebody at the other end of a pipe.
    pub(crate) fn open(path: &Path) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
    }

    /// Git's bytes as a path.
    pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
        PathBuf::from(OsStr::from_bytes(bytes))
    }

    /// A path in the form that git takes.
    pub(crate) fn plain(path: PathBuf) -> PathBuf {
        path
    }
}

#[cfg(not(unix))]
mod system {
    #![expect(clippy::disallowed_methods, reason = "opened to be read")]

    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};

    /// Opens a link itself, which then is no file.
    pub(crate) fn open(path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
            options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
        }
        options.read(true).open(path)
    }

    /// Git's bytes as a path; it writes UTF-8 here.
    pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
    }

    /// `C:\game` for `\\?\C:\game`, which git does not take.
    pub(crate) fn plain(path: PathBuf) -> PathBuf {
        let text = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
        match text {
            Some(text) if text.as_bytes().get(1) == Some(&b':') => PathBuf::from(text),
            _ => path,
        }
    }
}
