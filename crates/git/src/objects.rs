//! Whether the objects of a repository are its own, so that reading them shows nothing from elsewhere.

use std::fs;
use std::io;
use std::path::Path;

use crate::plain::{self, refused};

/// More entries than git itself would leave unpacked.
const MOST_ENTRIES: usize = 2_000_000;

/// Refuses objects that lie elsewhere: through a list of alternates, or through links.
pub(crate) fn are_own(common: &Path) -> io::Result<()> {
    let objects = common.join("objects");
    if !fs::symlink_metadata(&objects)?.is_dir() {
        return Err(refused(&objects, "is no folder; objects elsewhere are not followed"));
    }
    for name in ["alternates", "http-alternates"] {
        let list = objects.join("info").join(name);
        let listed = plain::read(&list, 64 << 10)?.unwrap_or_default();
        if listed
            .split(|byte| *byte == b'\n')
            .any(|line| !line.is_empty() && !line.starts_with(b"#"))
        {
            let what = "takes objects from another repository, which is not followed. \
                        Try: `git repack -a -d`, then delete that file";
            return Err(refused(&list, what));
        }
    }
    let mut left = MOST_ENTRIES;
    for folder in fs::read_dir(&objects)? {
        let folder = folder?;
        let kind = folder.file_type()?;
        if kind.is_dir() {
            are_files(&folder.path(), &mut left)?;
        } else if !kind.is_file() {
            return Err(refused(
                &folder.path(),
                "is no plain file or folder, as git's objects are",
            ));
        }
    }
    Ok(())
}

/// Entries of one folder: no link, and nothing that would make git wait.
fn are_files(folder: &Path, left: &mut usize) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        // Only `info/commit-graphs` is a folder below.
        if kind.is_dir() {
            for entry in fs::read_dir(entry.path())? {
                let entry = entry?;
                if !entry.file_type()?.is_file() {
                    return Err(refused(&entry.path(), "is no plain file, as git's objects are"));
                }
            }
        } else if !kind.is_file() {
            return Err(refused(&entry.path(), "is no plain file, as git's objects are"));
        }
        *left = left
            .checked_sub(1)
            .ok_or_else(|| refused(folder, "is one of too many. Try: `git gc`"))?;
    }
    Ok(())
}
