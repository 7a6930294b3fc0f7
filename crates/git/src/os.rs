//! What systems do differently: paths as git writes and takes them.

pub(crate) use system::{path_of, plain};

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::PathBuf;

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
    use std::path::PathBuf;

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
