#[cfg(unix)]
use rustix::{
    fs::{self, Mode, OFlags},
    io::retry_on_intr,
};
use std::{fs::File, io, path::PathBuf};

/// A folder whose files are opened, one after the other.
///
/// Where the system can open a name inside an open folder, that spares it the way along the whole
/// path, which is a good part of what opening costs.
pub(super) struct Dir {
    path: PathBuf,
    #[cfg(unix)]
    handle: Option<std::os::fd::OwnedFd>,
}

#[cfg(unix)]
impl Dir {
    pub(super) fn new(path: PathBuf) -> Dir {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = retry_on_intr(|| fs::open(&path, flags, Mode::empty())).ok();
        Dir { path, handle }
    }

    pub(super) fn open(&self, name: &str) -> io::Result<File> {
        // Without a handle the system is to say why the file cannot be opened.
        let Some(handle) = &self.handle else { return File::open(self.path.join(name)) };
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = retry_on_intr(|| fs::openat(handle, name, flags, Mode::empty()))?;
        Ok(file.into())
    }
}

#[cfg(not(unix))]
impl Dir {
    pub(super) fn new(path: PathBuf) -> Dir {
        Dir { path }
    }

    pub(super) fn open(&self, name: &str) -> io::Result<File> {
        File::open(self.path.join(name))
    }
}
