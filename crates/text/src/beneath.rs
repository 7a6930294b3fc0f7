//! Files below a folder, opened so that nothing can lead out of it at that moment.
//!
//! Asking first where a path leads and opening it after leaves a moment in which a folder can be exchanged for a
//! link. Here the system opens step by step from the open folder at the top, and what it opens is judged, not the
//! path: only a regular file or a folder that is below. Pipes and devices are refused and never waited for.
//!
//! [`open`], [`read`] and [`list`] follow links that stay inside. A [`Spot`] is where something is made, renamed or
//! removed: there is no link on the way to it, because whoever wants to write has found the real path already.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::links::LEAVES;
use crate::regular;

mod os;

pub use os::Spot;
#[cfg(unix)]
pub use os::folder;

/// Open a regular file below `root` to read it.
///
/// # Errors
///
/// When there is none, when a link leads out of `root`, and of the kind [`io::ErrorKind::InvalidInput`] when it
/// is something else.
pub fn open(root: &Path, path: &Path) -> io::Result<File> {
    regular::checked(follow(root, path, os::open)?)
}

/// The bytes of a regular file below `root`.
///
/// # Errors
///
/// As [`open`], and when it cannot be read.
pub fn read(root: &Path, path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(root, path)?;
    let mut bytes = Vec::with_capacity(room(&file));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a regular file below `root`, of `most` or fewer.
///
/// # Errors
///
/// As [`read`], and of the kind [`io::ErrorKind::FileTooLarge`] when there are more.
pub fn read_up_to(root: &Path, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bytes_up_to(open(root, path)?, most)
}

/// The bytes of an open file, of `most` or fewer.
///
/// # Errors
///
/// When it cannot be read, and of the kind [`io::ErrorKind::FileTooLarge`] when there are more.
pub fn bytes_up_to(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file.metadata()?.len() <= most {
        bytes.reserve_exact(room(&file));
        // It may have grown since its size was asked.
        (&file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")))
}

/// The text of a regular file below `root`.
///
/// # Errors
///
/// As [`read`], and when it is not UTF-8.
pub fn read_to_string(root: &Path, path: &Path) -> io::Result<String> {
    String::from_utf8(read(root, path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// What is in a folder below `root`, in no order.
///
/// # Errors
///
/// When there is no such folder, or when a link leads out of `root`.
pub fn list(root: &Path, path: &Path) -> io::Result<Vec<Entry>> {
    follow(root, path, os::list)
}

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// What it is called.
    pub name: OsString,
    /// What it is.
    pub kind: Kind,
}

/// What something in a folder is, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, wherever it leads.
    Link,
    /// A pipe, a device, or what the system does not tell.
    Other,
}

/// One more byte than the file has, so that its end is seen without another growth.
fn room(file: &File) -> usize {
    let size = file.metadata().map_or(0, |meta| meta.len());
    usize::try_from(size).unwrap_or(0).saturating_add(1)
}

/// Opens what a path below `root` names. The system follows links that it can judge itself; of others the real path
/// is found first, and then nothing on it may be a link any more.
fn follow<T>(
    root: &Path,
    path: &Path,
    open: impl Fn(&Path, &Path, os::Links) -> io::Result<T>,
) -> io::Result<T> {
    if let Ok(below) = path.strip_prefix(root) {
        match open(root, below, os::Links::Inside) {
            Err(error) if os::is_about_links(&error) => {}
            result => return result,
        }
    }
    let (root, below) = real(root, path)?;
    open(&root, &below, os::Links::None).map_err(|error| match os::is_about_links(&error) {
        true => leaves(),
        false => error,
    })
}

/// The root and the way below it, both without links.
fn real(root: &Path, path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let root = fs::canonicalize(root)?;
    let path = fs::canonicalize(path)?;
    let below = path.strip_prefix(&root).map_err(|_| leaves())?.to_owned();
    Ok((root, below))
}

fn leaves() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, LEAVES)
}

#[cfg(test)]
mod tests;
