//! Which repository a folder is in, and whether its word can be taken for it.
//!
//! Only an entry named `.git` counts. A folder whose files look like those of a git directory came with the files
//! of a clone, and git itself would believe it. A `.git` file leads elsewhere, as work trees and submodules do; it
//! counts where the folder it leads to names this work tree in turn, for whoever wrote the file could not write
//! there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::os;
use crate::plain::{line, refused};
use crate::{program, settings};

/// Where the parts of a repository are.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The root of the work tree.
    pub(crate) top: PathBuf,
    /// What this work tree has for itself: `HEAD` and the index.
    pub(crate) git_dir: PathBuf,
    /// What all work trees share: references, objects, configuration.
    pub(crate) common: PathBuf,
}

/// Work trees that we made ourselves, and the repository that each is one of.
static OURS: Mutex<Vec<(PathBuf, Found)>> = Mutex::new(Vec::new());

/// A work tree that we made ourselves stands for a repository, until this goes.
#[derive(Debug)]
pub struct OwnWorkTree(PathBuf);

impl Drop for OwnWorkTree {
    fn drop(&mut self) {
        let mut ours = OURS.lock().unwrap_or_else(PoisonError::into_inner);
        ours.retain(|(top, _)| *top != self.0);
    }
}

impl Found {
    pub(crate) fn around(folder: &Path) -> io::Result<Option<Found>> {
        let folder = os::plain(folder.canonicalize()?);
        for top in folder.ancestors() {
            let ours = OURS.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, found)) = ours.iter().find(|(own, _)| own == top) {
                return Ok(Some(Found { top: top.to_owned(), ..found.clone() }));
            }
            drop(ours);
            if let Some(found) = Found::at(top)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn at(top: &Path) -> io::Result<Option<Found>> {
        let entry = top.join(".git");
        let kind = match fs::symlink_metadata(&entry) {
            Ok(found) => found.file_type(),
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(why),
        };
        if kind.is_dir() {
            if !["HEAD", "objects", "refs"].iter().all(|part| entry.join(part).exists()) {
                // As for git, an empty `.git` is none.
                return Ok(None);
            }
            if entry.join("commondir").exists() {
                return Err(refused(&entry, "says that it belongs to another one (commondir)"));
            }
            let (top, common) = (top.to_owned(), entry.clone());
            return Ok(Some(Found { top, git_dir: entry, common }));
        }
        if !kind.is_file() {
            let what = "is neither a folder nor a file; a repository elsewhere is not followed through a link";
            return Err(refused(&entry, what));
        }
        Found::led_to(top, &entry).map(Some)
    }

    /// The repository that a `.git` file leads to.
    fn led_to(top: &Path, entry: &Path) -> io::Result<Found> {
        let text = line(entry)?.unwrap_or_default();
        let target =
            text.strip_prefix("gitdir:").map(str::trim).filter(|target| !target.is_empty());
        let Some(target) = target else { return Err(refused(entry, "does not say `gitdir: …`")) };
        let whole = top.join(target).canonicalize();
        let git_dir =
            os::plain(whole.map_err(|why| refused(entry, &format!("leads to {target}: {why}")))?);
        let common = Found::agrees(top, entry, &git_dir)?.ok_or_else(|| {
            let what = format!(
                "leads to {target}, which does not name this work tree in turn, so its content is not shown. \
                 Try: `git worktree repair` for a work tree that was moved; \
                 `git config core.worktree` there for one that is yours"
            );
            refused(entry, &what)
        })?;
        Ok(Found { top: top.to_owned(), git_dir, common })
    }

    /// The shared git directory, where the one that a `.git` file leads to says that this is its work tree.
    fn agrees(top: &Path, entry: &Path, git_dir: &Path) -> io::Result<Option<PathBuf>> {
        let is_same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        };
        let Some(common) = line(&git_dir.join("commondir"))? else {
            let named = settings::of_file(&git_dir.join("config"), &program::outside(&[top])?)?;
            let named = named.into_iter().find(|(key, _)| key == "core.worktree");
            let agrees = named.is_some_and(|(_, tree)| is_same(&git_dir.join(tree), top));
            return Ok(agrees.then(|| git_dir.to_owned()));
        };
        let common = os::plain(git_dir.join(common).canonicalize()?);
        let is_below =
            git_dir.parent().is_some_and(|held| is_same(held, &common.join("worktrees")));
        let back = line(&git_dir.join("gitdir"))?;
        let agrees = is_below && back.is_some_and(|back| is_same(&git_dir.join(back), entry));
        Ok(agrees.then_some(common))
    }
}

impl crate::Repository {
    /// Makes a folder that we made ourselves a work tree of this repository, for as long as what comes back lives.
    ///
    /// # Errors
    ///
    /// When the folder is not there.
    pub fn own_work_tree(&self, folder: &Path) -> io::Result<OwnWorkTree> {
        let folder = os::plain(folder.canonicalize()?);
        let mut ours = OURS.lock().unwrap_or_else(PoisonError::into_inner);
        ours.push((folder.clone(), self.found.clone()));
        Ok(OwnWorkTree(folder))
    }
}
