//! By paths, while the folder is held open. Windows moves no folder that somebody holds, nor one above it, so a path
//! that was without links when it was asked stays so.

#![expect(clippy::disallowed_methods, reason = "whoever writes through a spot is the door")]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::Links;
use crate::beneath::{Entry, Kind, leaves};
use crate::links::LEAVES;
use crate::regular;

/// Opens a regular file to read it.
pub(in crate::beneath) fn open(root: &Path, below: &Path, links: Links) -> io::Result<File> {
    // The plain way where the real path is this one already; else the caller finds that first.
    let spot = Spot::find(root, &root.join(below))?;
    match spot.open() {
        Err(error)
            if links == Links::Inside
                && fs::symlink_metadata(&spot.path).is_ok_and(|found| found.is_symlink()) =>
        {
            drop(error);
            Err(leaves())
        }
        result => result,
    }
}

pub(in crate::beneath) fn list(root: &Path, below: &Path, _: Links) -> io::Result<Vec<Entry>> {
    let root = real(root)?;
    let folder = root.join(below);
    let _held = hold(&root, &folder)?;
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let kind = entry.file_type()?;
        let kind = match () {
            () if kind.is_symlink() => Kind::Link,
            () if kind.is_dir() => Kind::Folder,
            () if kind.is_file() => Kind::File,
            () => Kind::Other,
        };
        Ok(Entry { name: entry.file_name(), kind })
    };
    fs::read_dir(folder)?.map(entry).collect()
}

/// Whether a step failed because of a link.
pub(in crate::beneath) fn is_about_links(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.to_string() == LEAVES
}

/// A name in a folder below a root that stays where it is.
#[derive(Debug)]
pub struct Spot {
    path: PathBuf,
    _folder: File,
}

impl Spot {
    /// The place of a path below `root`, on which there is no link.
    ///
    /// # Errors
    ///
    /// When its folder is not there, or no longer without links.
    pub fn find(root: &Path, path: &Path) -> io::Result<Spot> {
        let below = path.strip_prefix(root).map_err(|_| leaves())?;
        let name = below.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let root = real(root)?;
        let folder = match below.parent() {
            Some(parent) => root.join(parent),
            None => root.clone(),
        };
        let held = hold(&root, &folder)?;
        Ok(Spot { path: folder.join(name), _folder: held })
    }

    /// Open the regular file that is there; a link is none.
    ///
    /// # Errors
    ///
    /// When there is no such file.
    pub fn open(&self) -> io::Result<File> {
        // Were it exchanged for a link now, the link itself would be opened, and that is no file.
        regular::open(&self.path)
    }

    /// Make a file where nothing is.
    ///
    /// # Errors
    ///
    /// When something is there.
    pub fn create_new(&self) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(&self.path)
    }

    /// Whether something is there, be it a link that leads nowhere.
    #[must_use]
    pub fn is_there(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok()
    }

    /// Move what is here to another place, and let go what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn rename(&self, to: &Spot) -> io::Result<()> {
        fs::rename(&self.path, &to.path)
    }

    /// The same where nothing is there.
    ///
    /// # Errors
    ///
    /// When something is.
    pub fn rename_new(&self, to: &Spot) -> io::Result<()> {
        // A second name is refused where one is; some disks know only one name a file.
        match fs::hard_link(&self.path, &to.path) {
            Ok(()) => fs::remove_file(&self.path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if to.is_there() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(&self.path, &to.path),
        }
    }

    /// Two files cannot change places in one step here.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn exchange(&self, _: &Spot) -> io::Result<bool> {
        Ok(false)
    }

    /// Remove the file.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    /// Make a folder.
    ///
    /// # Errors
    ///
    /// When something is there.
    pub fn make_folder(&self) -> io::Result<()> {
        fs::create_dir(&self.path)
    }

    /// Remove an empty folder.
    ///
    /// # Errors
    ///
    /// When something is in it.
    pub fn remove_folder(&self) -> io::Result<()> {
        fs::remove_dir(&self.path)
    }

    /// There is no such call here.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn real(root: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(root)
}

/// Holds a folder, so that it stays where it is, and then looks whether that is a place without links. The root is
/// without links already.
fn hold(root: &Path, folder: &Path) -> io::Result<File> {
    let held = stays(OpenOptions::new().read(true)).open(folder)?;
    let found = fs::canonicalize(folder)?;
    // Letters of another case are the same folder on these disks, and so is a name with a separator behind it.
    let names = |path: &Path| -> Vec<String> {
        path.components().map(|name| name.as_os_str().to_string_lossy().to_lowercase()).collect()
    };
    let is_same = |one: &Path, other: &Path| names(one) == names(other);
    match found.starts_with(root) && is_same(&found, folder) && held.metadata()?.is_dir() {
        true => Ok(held),
        false => Err(leaves()),
    }
}

#[cfg(windows)]
fn stays(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// Needed to open a folder at all.
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    const FILE_SHARE_READ_AND_WRITE: u32 = 0x3;
    // Without the right to share its removal nobody can move it.
    options.share_mode(FILE_SHARE_READ_AND_WRITE).custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
}

#[cfg(not(windows))]
fn stays(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
