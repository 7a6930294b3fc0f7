//! The project as it was at a revision, in a folder of its own, so that the same check can judge it.
//!
//! What has not changed since is linked, not copied, which is why the folder is inside of git's own: on the
//! same disk, and never seen by git. It is a work tree of the repository, because findings tell what became
//! of a guid by the word of git, and are the same only where git says the same.

#![expect(clippy::disallowed_methods, reason = "a folder of our own, outside every project")]

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use scenewright_git::{Blobs, OwnWorkTree, Range, Repository, State};
use scenewright_merge::MAX_BYTES;
use scenewright_toolkit::selection::CONFIG;
use scenewright_toolkit::workspace::{Kept, Layout, Workspace, WorkspaceError};
use scenewright_tools::ENGINES;

/// What the names of such folders begin with.
const NAME: &str = "scenewright-past-";
/// Older ones are of runs that were ended from outside.
const STALE: Duration = Duration::from_secs(60 * 60);
/// More files are not linked.
const MAX_FILES: usize = 1_000_000;
/// What the engine keeps for itself is left out, but for packages, which references lead to.
const PACKAGES: &str = "Library/PackageCache";

/// A project at a revision; the folder is removed in the end.
#[derive(Debug)]
pub(super) struct Past {
    folder: PathBuf,
    /// It is a work tree of the repository for as long.
    _work_tree: OwnWorkTree,
    project: PathBuf,
    /// How many files are only pointers of Git LFS there, though they may be whole here.
    pub(super) pointers: usize,
}

impl Past {
    /// The project of a folder as it was at a revision.
    pub(super) fn of(root: &Path, layout: &Layout, revision: &str) -> Result<Past> {
        let range = Range { from: Some(revision.to_owned()), ..Range::default() };
        let repository = Repository::of(root)?;
        let changed = repository.changes(root, &range, &[], false);
        let changed = changed.with_context(|| unknown(revision))?;
        let mut past = Past::empty(&repository, root)?;
        let others = repository.unknown(root)?;
        let mut left_out: HashSet<&str> = changed.iter().map(|pair| pair.path.as_str()).collect();
        left_out.extend(others.iter().map(String::as_str));
        // What the team wants of a check is what it wants now.
        left_out.remove(CONFIG);
        link_all(root, &past.project, layout, &left_out)?;
        let ids: Vec<&str> = changed.iter().filter_map(|pair| pair.old.blob()).collect();
        let mut blobs = Blobs::open(&repository, root, &ids)?;
        for pair in changed.iter().filter(|pair| matches!(pair.old, State::Blob(_))) {
            let content =
                blobs.next(MAX_BYTES).with_context(|| format!("{} of {revision}", pair.path))?;
            if pair.path == CONFIG {
                continue;
            }
            past.pointers += usize::from(content.starts_with(b"version https://git-lfs"));
            write_below(&past.project, &pair.path, &content)
                .with_context(|| format!("{} of {revision} cannot be written", pair.path))?;
        }
        Ok(past)
    }

    /// A folder of this repository's, with nothing but the way to it.
    fn empty(repository: &Repository, root: &Path) -> Result<Past> {
        let held = repository.git_dir();
        let below = repository.below(root)?;
        sweep(held);
        let name = format!("{NAME}{}", scenewright_text::random_name()?);
        let folder = [held.to_owned(), std::env::temp_dir()].into_iter().find_map(|place| {
            let folder = place.join(&name);
            scenewright_text::private::make_folder(&folder).ok().map(|()| folder)
        });
        let folder = folder.context("no folder can be made for the files of a revision")?;
        let _work_tree = repository.own_work_tree(&folder)?;
        let past = Past { project: folder.join(below), folder, _work_tree, pointers: 0 };
        fs::create_dir_all(&past.project)?;
        // Rules of .gitignore hold in repositories only.
        fs::write(past.folder.join(".git"), "")?;
        Ok(past)
    }

    /// The project, open; nothing when there was none yet.
    pub(super) fn open(&self) -> Result<Option<Workspace>> {
        // An index of it would be of use to nobody else.
        let folders = std::slice::from_ref(&self.project);
        match Workspace::open(ENGINES, folders, Kept::default()) {
            Ok(workspace) => Ok(Some(workspace)),
            Err(WorkspaceError::NoProject(..)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Past {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What is said of a revision that git does not have.
pub(super) fn unknown(revision: &str) -> String {
    format!("what changed since {revision} cannot be told; a shallow clone may lack it")
}

/// Removes what runs left that were ended from outside.
fn sweep(held: &Path) {
    for entry in fs::read_dir(held).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(NAME);
        let changed = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && changed().is_some_and(|age| age > STALE) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Writes a file at a path that git tells, which a repository can have made up. Folders that are links came with the
/// links of the project, and lead nowhere here.
fn write_below(root: &Path, path: &str, content: &[u8]) -> io::Result<()> {
    let mut parts: Vec<&str> = path.split('/').collect();
    let is_name = |part: &&str| {
        !(matches!(*part, "" | "." | ".." | ".git") || cfg!(windows) && part.contains(['\\', ':']))
    };
    if !parts.iter().all(is_name) {
        return Err(io::Error::other("it is no path of a file"));
    }
    let name = parts.pop().unwrap_or_default();
    let mut folder = root.to_owned();
    for part in parts {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => {
                fs::remove_file(&folder)?;
                fs::create_dir(&folder)?;
            }
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    // What is in its place, a link of the project or a name that differs by case, is not written through.
    let file = folder.join(name);
    if fs::symlink_metadata(&file).is_ok() {
        fs::remove_file(&file)?;
    }
    fs::File::create_new(file)?.write_all(content)
}

/// Links all files of a project but those that are left out.
fn link_all(root: &Path, to: &Path, layout: &Layout, left_out: &HashSet<&str>) -> Result<()> {
    let mut waiting = vec![String::new()];
    let mut count = 0;
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        fs::create_dir_all(to.join(&folder))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if left_out.contains(path.as_str()) || !is_read(&path, layout) {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(path);
                continue;
            }
            count += 1;
            if count > MAX_FILES {
                bail!("the project has more than {MAX_FILES} files");
            }
            link(&entry.path(), &to.join(&path)).with_context(|| path)?;
        }
    }
    Ok(())
}

/// Whether a check may read what is there.
fn is_read(path: &str, layout: &Layout) -> bool {
    let top = path.split('/').next().unwrap_or(path);
    if top == ".git" {
        return false;
    }
    let is_package = path.starts_with(PACKAGES) || PACKAGES.starts_with(path);
    !layout.engines.contains(&top) || is_package
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    // Another disk has no links to this one; a file that went meanwhile is none. What is no file is not copied:
    // a link may lead anywhere, and a pipe has no end.
    let copy = |_| match fs::symlink_metadata(from)?.is_file() {
        true => fs::copy(from, to).map(drop),
        false => Ok(()),
    };
    match fs::hard_link(from, to).or_else(copy) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        linked => linked,
    }
}
