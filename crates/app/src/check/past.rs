//! The project as it was at a revision, in a folder of its own, so that the same check can judge it.
//!
//! What has not changed since is linked, not copied, which is why the folder is inside of git's own: on the
//! same disk, and never seen by git. It is a work tree of the repository, because findings tell what became
//! of a guid by the word of git, and are the same only where git says the same.

#![expect(clippy::disallowed_methods, reason = "a folder of our own, outside every project")]

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use scenewright_merge::history::{Blobs, Range, Source, pairs};
use scenewright_text::git::{answer, git};
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
    project: PathBuf,
    /// How many files are only pointers of Git LFS there, though they may be whole here.
    pub(super) pointers: usize,
}

impl Past {
    /// The project of a folder as it was at a revision.
    pub(super) fn of(root: &Path, layout: &Layout, revision: &str) -> Result<Past> {
        let range = Range { from: Some(revision.to_owned()), ..Range::default() };
        let changed = pairs(root, &range, &[], false).with_context(|| unknown(revision))?;
        let mut past = Past::empty(root)?;
        let others = super::git::unknown_files(root)?;
        let mut left_out: HashSet<&str> = changed.iter().map(|pair| pair.path.as_str()).collect();
        left_out.extend(others.iter().map(String::as_str));
        // What the team wants of a check is what it wants now.
        left_out.remove(CONFIG);
        link_all(root, &past.project, layout, &left_out)?;
        let ids = changed.iter().filter_map(|pair| pair.old.blob()).collect();
        let mut blobs = Blobs::open(root, ids)?;
        for pair in changed.iter().filter(|pair| matches!(pair.old, Source::Blob(_))) {
            let content = blobs.content(&pair.old)?;
            if pair.path == CONFIG {
                continue;
            }
            past.pointers += usize::from(content.starts_with(b"version https://git-lfs"));
            let path = past.project.join(&pair.path);
            let folder = path.parent().unwrap_or(&past.project);
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&path, content))
                .with_context(|| format!("{} of {revision} cannot be written", pair.path))?;
        }
        Ok(past)
    }

    /// A folder of this repository's, with nothing but the way to it.
    fn empty(root: &Path) -> Result<Past> {
        let ask = |what: &str| -> Result<String> {
            let said = answer(git(root).args(["rev-parse", what]))?;
            Ok(String::from_utf8_lossy(&said).trim_end().to_owned())
        };
        let held = PathBuf::from(ask("--absolute-git-dir")?);
        let below = ask("--show-prefix")?;
        sweep(&held);
        let name = format!("{NAME}{}", scenewright_text::random_name()?);
        let folder = [held.clone(), std::env::temp_dir()].into_iter().find_map(|place| {
            let folder = place.join(&name);
            scenewright_text::private::make_folder(&folder).ok().map(|()| folder)
        });
        let folder = folder.context("no folder can be made for the files of a revision")?;
        let project = folder.join(below.trim_end_matches('/'));
        let past = Past { folder, project, pointers: 0 };
        fs::create_dir_all(&past.project)?;
        fs::write(past.folder.join(".git"), format!("gitdir: {}\n", held.display()))?;
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
    // Another disk has no links to this one; a file that went meanwhile is none.
    match fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        linked => linked,
    }
}
