//! A folder whose files are opened one after the other, where the system allows without their whole
//! paths.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
#[cfg(unix)]
use rustix::io::{Errno, retry_on_intr};

use scenewright_text::beneath;

use super::segment::Stat;
use super::walk;

/// A folder whose files are opened, one after the other.
///
/// Where the system can open a name inside an open folder, that spares it the way along the whole
/// path, which is a good part of what opening costs. Links are opened the long way, by their path.
pub(super) struct Dir {
    /// What no link leads out of.
    home: PathBuf,
    path: PathBuf,
    #[cfg(unix)]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Dir {
    /// Opens a file and tells its size and time, unless they are known already.
    pub(super) fn open(&self, name: &str, known: Stat) -> io::Result<(File, Stat)> {
        let file = self.open_file(name)?;
        let stat = if known == Stat::UNASKED { stat_of(&file)? } else { known };
        Ok((file, stat))
    }
}

#[cfg(unix)]
impl Dir {
    pub(super) fn new(home: &Path, path: PathBuf) -> Dir {
        let handle = beneath::folder(home, &path).ok();
        Dir { home: home.into(), path, handle }
    }

    /// The size and time of a file that is not opened.
    pub(super) fn stat(&self, name: &str) -> io::Result<Stat> {
        let Some(handle) = &self.handle else { return walk::stat_file(&self.path.join(name)) };
        of_status(&retry_on_intr(|| fs::statat(handle, name, AtFlags::empty()))?)
    }

    fn open_file(&self, name: &str) -> io::Result<File> {
        // Without a handle the system is to say why the file cannot be opened.
        let the_long_way = || beneath::open(&self.home, &self.path.join(name));
        let Some(handle) = &self.handle else { return the_long_way() };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match retry_on_intr(|| fs::openat(handle, name, flags, Mode::empty())) {
            Err(Errno::LOOP | Errno::MLINK) => the_long_way(),
            file => Ok(file?.into()),
        }
    }
}

#[cfg(unix)]
pub(super) fn stat_of(file: &File) -> io::Result<Stat> {
    of_status(&fs::fstat(file)?)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
fn of_status(status: &fs::Stat) -> io::Result<Stat> {
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile {
        return Err(io::Error::other(walk::NOT_REGULAR));
    }
    let seconds = (status.st_mtime as i64).saturating_mul(1_000_000_000);
    let modified = seconds.saturating_add(status.st_mtime_nsec as i64);
    Ok(Stat { size: status.st_size as u64, modified })
}

#[cfg(not(unix))]
impl Dir {
    pub(super) fn new(home: &Path, path: PathBuf) -> Dir {
        Dir { home: home.into(), path }
    }

    /// The size and time of a file that is not opened.
    pub(super) fn stat(&self, name: &str) -> io::Result<Stat> {
        walk::stat_file(&self.path.join(name))
    }

    fn open_file(&self, name: &str) -> io::Result<File> {
        beneath::open(&self.home, &self.path.join(name))
    }
}

#[cfg(not(unix))]
pub(super) fn stat_of(file: &File) -> io::Result<Stat> {
    walk::of_file(&file.metadata()?)
}
