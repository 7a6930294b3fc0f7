//! By descriptor: each step from the folder that the one before opened.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::Links;
use crate::beneath::{Entry, Kind, follow, leaves};
use crate::regular;

/// Opens whatever is there to read it; never waits for the other end of a pipe.
pub(in crate::beneath) fn open(root: &Path, below: &Path, links: Links) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(beneath(root, below, flags, links)?.into())
}

pub(in crate::beneath) fn list(root: &Path, below: &Path, links: Links) -> io::Result<Vec<Entry>> {
    let folder = open_folder(root, below, links)?;
    let mut entries = Vec::new();
    for entry in fs::Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b"..") {
            let name = OsStr::from_bytes(name).to_owned();
            // Some disks do not tell it with the name.
            let kind = match entry.file_type() {
                FileType::Unknown => status(&folder, &name).unwrap_or(FileType::Unknown),
                kind => kind,
            };
            entries.push(Entry { name, kind: kind.into() });
        }
    }
    Ok(entries)
}

/// A folder below `root`, open for calls that take one.
///
/// # Errors
///
/// When there is no such folder, or when a link leads out of `root`.
pub fn folder(root: &Path, path: &Path) -> io::Result<OwnedFd> {
    follow(root, path, open_folder)
}

fn open_folder(root: &Path, below: &Path, links: Links) -> io::Result<OwnedFd> {
    beneath(root, below, OFlags::RDONLY | OFlags::DIRECTORY, links)
}

fn status(folder: &OwnedFd, name: &OsStr) -> io::Result<FileType> {
    let found = fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(found.st_mode))
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Kind {
        match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        }
    }
}

/// Whether a step failed because of a link, or because the system cannot judge one.
pub(in crate::beneath) fn is_about_links(error: &io::Error) -> bool {
    let errors = [Errno::XDEV, Errno::LOOP, Errno::MLINK];
    errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// A name in an open folder below a root.
#[derive(Debug)]
pub struct Spot {
    folder: OwnedFd,
    name: OsString,
}

impl Spot {
    /// The place of a path below `root`, on which there is no link.
    ///
    /// # Errors
    ///
    /// When its folder is not there, or no longer without links.
    pub fn find(root: &Path, path: &Path) -> io::Result<Spot> {
        let below = path.strip_prefix(root).map_err(|_| leaves())?;
        let name = below.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let folder = below.parent().unwrap_or(Path::new(""));
        let folder = beneath(root, folder, OFlags::RDONLY | OFlags::DIRECTORY, Links::None);
        let folder = folder.map_err(|error| match is_about_links(&error) {
            true => leaves(),
            false => error,
        })?;
        Ok(Spot { folder, name })
    }

    /// Open the regular file that is there; a link is none.
    ///
    /// # Errors
    ///
    /// When there is no such file.
    pub fn open(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        match self.open_with(flags, Mode::empty()) {
            Err(error) if is_about_links(&error) => Err(regular::is_a("a link")),
            file => regular::checked(file?),
        }
    }

    /// Make a file where nothing is.
    ///
    /// # Errors
    ///
    /// When something is there.
    pub fn create_new(&self) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        self.open_with(flags, Mode::from_raw_mode(0o666))
    }

    /// Whether something is there, be it a link that leads nowhere.
    #[must_use]
    pub fn is_there(&self) -> bool {
        fs::statat(&self.folder, &*self.name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Move what is here to another place, and let go what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn rename(&self, to: &Spot) -> io::Result<()> {
        Ok(fs::renameat(&self.folder, &*self.name, &to.folder, &*to.name)?)
    }

    /// The same where nothing is there.
    ///
    /// # Errors
    ///
    /// When something is.
    pub fn rename_new(&self, to: &Spot) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        if self.rename_with(to, fs::RenameFlags::NOREPLACE)? {
            return Ok(());
        }
        // A second name is refused where one is, on every system; some disks know only one name a file.
        match fs::linkat(&self.folder, &*self.name, &to.folder, &*to.name, AtFlags::empty()) {
            Ok(()) => self.remove(),
            Err(Errno::EXIST) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) if to.is_there() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => self.rename(to),
        }
    }

    /// Let what is here and what is there change places in one step. False where that cannot be done.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn exchange(&self, other: &Spot) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        return self.rename_with(other, fs::RenameFlags::EXCHANGE);
        #[cfg(not(any(target_os = "linux", target_os = "macos")))]
        return Ok(false);
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn rename_with(&self, to: &Spot, flags: fs::RenameFlags) -> io::Result<bool> {
        match fs::renameat_with(&self.folder, &*self.name, &to.folder, &*to.name, flags) {
            Ok(()) => Ok(true),
            // Of the two names for it this is what macOS says; Linux has one number for both.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Remove the file.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn remove(&self) -> io::Result<()> {
        Ok(fs::unlinkat(&self.folder, &*self.name, AtFlags::empty())?)
    }

    /// Make a folder.
    ///
    /// # Errors
    ///
    /// When something is there.
    pub fn make_folder(&self) -> io::Result<()> {
        Ok(fs::mkdirat(&self.folder, &*self.name, Mode::from_raw_mode(0o777))?)
    }

    /// Remove an empty folder.
    ///
    /// # Errors
    ///
    /// When something is in it.
    pub fn remove_folder(&self) -> io::Result<()> {
        Ok(fs::unlinkat(&self.folder, &*self.name, AtFlags::REMOVEDIR)?)
    }

    /// Make what was done in the folder of this place outlast a power cut.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn sync(&self) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::fsync(&self.folder))?)
    }

    fn open_with(&self, flags: OFlags, mode: Mode) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(&self.folder, &*self.name, flags, mode))?.into())
    }
}

/// Opens a path below a root with the system's own word for it, or step by step where it has none.
fn beneath(root: &Path, below: &Path, flags: OFlags, links: Links) -> io::Result<OwnedFd> {
    // The root is the user's own word: links on the way to it are followed.
    let top = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top = retry_on_intr(|| fs::open(root, top, Mode::empty()))?;
    let flags = flags | OFlags::CLOEXEC;
    #[cfg(target_os = "linux")]
    match at_once(&top, below, flags, links) {
        // Kernels before 5.6, and boxes that know only older calls.
        Err(Errno::NOSYS | Errno::PERM) => {}
        opened => return Ok(opened?),
    }
    let _ = links;
    step_by_step(top, below, flags)
}

#[cfg(target_os = "linux")]
fn at_once(
    top: &OwnedFd,
    below: &Path,
    flags: OFlags,
    links: Links,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let mut how = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    if links == Links::None {
        how |= ResolveFlags::NO_SYMLINKS;
    }
    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    // A rename elsewhere may disturb a way through `..`; then it is to be tried again.
    for _ in 0..64 {
        match fs::openat2(top, below, flags, Mode::empty(), how) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

/// No step is a link: what one of them leads to is for the caller to find.
fn step_by_step(top: OwnedFd, below: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let parts: Vec<Component<'_>> =
        below.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    let Some((last, way)) = parts.split_last() else {
        return Ok(retry_on_intr(|| fs::openat(&top, ".", flags, Mode::empty()))?);
    };
    let mut at = top;
    for part in way {
        at = open_step(&at, *part, step)?;
    }
    open_step(&at, *last, flags | OFlags::NOFOLLOW)
}

fn open_step(at: &OwnedFd, part: Component<'_>, flags: OFlags) -> io::Result<OwnedFd> {
    let Component::Normal(name) = part else { return Err(Errno::XDEV.into()) };
    match retry_on_intr(|| fs::openat(at.as_fd(), name, flags, Mode::empty())) {
        // With DIRECTORY a link is "no folder" on some systems.
        Err(Errno::NOTDIR) if is_link(at, name) => Err(Errno::LOOP.into()),
        result => Ok(result?),
    }
}

fn is_link(at: &OwnedFd, name: &OsStr) -> bool {
    status(at, name).is_ok_and(|kind| kind == FileType::Symlink)
}

#[cfg(test)]
pub(in crate::beneath) fn without_the_call(root: &Path, below: &Path) -> io::Result<File> {
    let top = fs::open(root, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())?;
    Ok(step_by_step(top, below, OFlags::RDONLY | OFlags::NONBLOCK)?.into())
}
