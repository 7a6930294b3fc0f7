//! Files of other people and programs, changed with care: read, shown, written whole and read back.

#![expect(
    clippy::disallowed_methods,
    reason = "settings of clients and recipes are no assets of a project"
)]

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use scenewright_text::{diff, private, write_whole};

use crate::term::{Paint, line};

/// The file as it was before the first change, beside it.
const BACKUP: &str = ".before-scenewright";

/// Who may read a file that is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Some keep secrets in such files.
    Owner,
    /// Whoever may read what its folder has.
    Others,
}

/// The file, if there is one.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Keeps what was there before the first change, once.
pub(crate) fn keep(path: &Path, before: Option<&[u8]>) -> Result<()> {
    let backup = backup_of(path);
    match before {
        Some(before) if !backup.exists() => write(&backup, before, Readers::Owner),
        _ => Ok(()),
    }
}

/// Where the file as it was is kept.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

/// Writes through links, which those have who keep their settings elsewhere, and leaves who may read it
/// as it was.
pub(crate) fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<()> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let rights = std::fs::metadata(&real).ok().map(|meta| meta.permissions());
    let told = || real.display().to_string();
    // Until it has the rights that it had, nobody else may read it: some keep secrets there.
    match (readers, &rights) {
        (Readers::Others, None) => write_whole(&real, bytes).with_context(told)?,
        _ => private::write_whole(&real, bytes).with_context(told)?,
    }
    if let Some(rights) = rights {
        std::fs::set_permissions(&real, rights).with_context(told)?;
    }
    let is_there = std::fs::read(&real).is_ok_and(|now| now == bytes);
    if !is_there {
        bail!("{} is not what was written; somebody else changed it", real.display());
    }
    Ok(())
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> Result<()> {
    std::fs::remove_file(path).with_context(|| path.display().to_string())
}

/// Shows what changes, without the lines that name the file.
pub(crate) fn show(path: &Path, before: &[u8], after: &[u8], paint: Paint) {
    let name = path.display().to_string();
    let text = diff::unified(before, after, &name, &name, 3).text;
    text.lines().skip(2).for_each(|one| line(&paint.diff_line(one)));
}
