//! Git, asked about repositories that nobody has vouched for.
//!
//! A repository can name programs in many places: filters, hooks, monitors, drivers, aliases, in its own
//! configuration, in files that this includes, in submodules and in repositories that are hidden in a folder.
//! Overriding them one by one does not hold. So git never gets to see the repository's own configuration:
//!
//! - [`Repository::around`] finds the repository itself (`found`). Only a `.git` counts; a folder that looks like a
//!   bare repository is a folder. A `.git` file counts where the other side names this work tree, too.
//! - Git is given a *stand-in* (`stand_in`): a git directory of our own outside of every project, with copies of
//!   what only states something (`HEAD`, references, the index, ignore rules) and a configuration of ours. Of the
//!   repository's configuration it takes over values of a fixed list, none of which can be a program (`settings`).
//! - The objects are read where they are, once it is sure that they are the repository's own (`objects`).
//! - The program is looked for outside of the repository, and its environment is made anew (`program`).
//!
//! Attributes of the work tree may still name filters, but nothing tells what they would start, so git takes the
//! bytes as they are. What Git LFS keeps elsewhere is compared by its pointer (`changes`).
//!
//! Why not a library that reads objects: see `ARCHITECTURE.md`.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod blobs;
mod changes;
mod config;
mod found;
mod merge;
mod objects;
mod os;
pub mod output;
mod plain;
mod program;
mod references;
mod settings;
mod stage;
mod stand_in;

pub use blobs::Blobs;
pub use changes::{Changed, Range, State};
pub use config::{Config, merge_lines};
pub use found::OwnWorkTree;
pub use program::answer;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use found::Found;
use scenewright_text::beneath;
use stand_in::StandIn;

/// A repository, of which git sees only what cannot start anything.
#[derive(Debug)]
pub struct Repository {
    found: Found,
    stand_in: StandIn,
    program: PathBuf,
}

impl Repository {
    /// The repository that a folder is in; nothing when there is none.
    ///
    /// # Errors
    ///
    /// When there is a `.git` that cannot be believed, when objects lie elsewhere, or when there is no git.
    pub fn around(folder: &Path) -> io::Result<Option<Repository>> {
        let Some(found) = Found::around(folder)? else { return Ok(None) };
        Repository::open(found).map(Some)
    }

    /// The same for a folder that must be in one.
    ///
    /// # Errors
    ///
    /// As [`Repository::around`], and when there is none.
    pub fn of(folder: &Path) -> io::Result<Repository> {
        Repository::around(folder)?.ok_or_else(|| {
            io::Error::other(format!("{} is in no Git repository", folder.display()))
        })
    }

    fn open(found: Found) -> io::Result<Repository> {
        let program = program::outside(&[&found.top, &found.common])?;
        objects::are_own(&found.common)?;
        let stand_in = StandIn::make(&found, &program)?;
        Ok(Repository { found, stand_in, program })
    }

    /// The root of its work tree.
    pub fn top(&self) -> &Path {
        &self.found.top
    }

    /// The way to a folder from there.
    ///
    /// # Errors
    ///
    /// When it is not in the work tree.
    pub fn below(&self, folder: &Path) -> io::Result<PathBuf> {
        let folder = os::plain(folder.canonicalize()?);
        let below = folder.strip_prefix(&self.found.top);
        below.map(Path::to_owned).map_err(|_| plain::refused(&folder, "is not in the work tree"))
    }

    /// The bytes of a file of the work tree, of `most` or fewer.
    ///
    /// # Errors
    ///
    /// When there is none, when a link leads out of the work tree, and of the kind
    /// [`io::ErrorKind::FileTooLarge`] when there are more.
    pub fn read(&self, file: &Path, most: usize) -> io::Result<Vec<u8>> {
        beneath::read_up_to(self.top(), file, most as u64)
    }

    /// Its git directory. Nothing in there is to be believed.
    pub fn git_dir(&self) -> &Path {
        &self.found.git_dir
    }

    /// The git directory that all of its work trees share.
    pub fn common_dir(&self) -> &Path {
        &self.found.common
    }

    /// Git in a folder of the work tree. It reads, and writes nothing but copies of ours.
    pub fn git(&self, folder: &Path) -> Command {
        let mut command = program::git(&self.program, folder);
        command.env("GIT_DIR", self.stand_in.folder());
        command.env("GIT_WORK_TREE", &self.found.top);
        command.env("GIT_INDEX_FILE", self.stand_in.index());
        command.env("GIT_OBJECT_DIRECTORY", self.found.common.join("objects"));
        command
    }

    /// What git answers in a folder of the work tree.
    ///
    /// # Errors
    ///
    /// When git fails; with the first line that it says.
    pub fn ask(&self, folder: &Path, args: &[&str]) -> io::Result<Vec<u8>> {
        answer(self.git(folder).args(args))
    }
}
