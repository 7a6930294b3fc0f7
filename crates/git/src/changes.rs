//! Files that differ between two states of a repository.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use sha2::{Digest, Sha256};

use crate::{Blobs, Repository, os, output, plain, program};

/// Which states of a repository are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Range {
    /// The revision before; HEAD when nothing is said.
    pub from: Option<String>,
    /// The revision after; the work tree when nothing is said.
    pub to: Option<String>,
    /// What is staged, instead of the work tree.
    pub staged: bool,
}

/// Where content is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There is no file; a link or a submodule is none.
    Nothing,
    /// In git, under this id.
    Blob(String),
    /// On the disk.
    File(PathBuf),
}

impl State {
    /// The id in git.
    pub fn blob(&self) -> Option<&str> {
        match self {
            State::Blob(id) => Some(id),
            _ => None,
        }
    }
}

/// A file that differs.
#[derive(Debug, Clone)]
pub struct Changed {
    /// Its path now, from the folder that was asked about.
    pub path: String,
    /// Its path before, when it was another.
    pub old_path: Option<String>,
    /// Git's letter for what became of it: `A` for added, `D` for deleted, …
    pub status: char,
    /// Where the content before is.
    pub old: State,
    /// Where the content now is.
    pub new: State,
}

/// A pointer of Git LFS is no longer than this.
const MOST_POINTER: usize = 1024;
/// So much of the disk is read to tell whether it is what pointers name.
const MOST_HASHED: u64 = 8 << 30;

impl Repository {
    /// The files below a folder that differ between two states, but those that git does not know. With `renames` a
    /// file that was moved is one that changed. Only below `paths`, when there are any; they are from the folder,
    /// as is what comes back.
    ///
    /// # Errors
    ///
    /// When a revision is none, or git fails.
    pub fn changes(
        &self,
        folder: &Path,
        range: &Range,
        paths: &[String],
        renames: bool,
    ) -> io::Result<Vec<Changed>> {
        let mut command = self.git(folder);
        command.args(["diff", "--raw", "-z", "--no-ext-diff", "--abbrev=64", "--relative"]);
        command.arg(if renames { "-M" } else { "--no-renames" });
        if range.staged {
            command.arg("--cached");
        }
        let from = range.from.as_deref().or(Some("HEAD"));
        for revision in [from, range.to.as_deref()].into_iter().flatten() {
            command.arg(revision_of(revision)?);
        }
        let listed = program::answer(command.arg("--").args(paths))?;
        let in_work_tree = range.to.is_none() && !range.staged;
        let changes = output::raw_changes(&listed).into_iter();
        let mut changes: Vec<Changed> = changes
            .filter(|change| change.status != 'U')
            .map(|change| changed(folder, &change, in_work_tree))
            .collect();
        if in_work_tree {
            let same = self.whole_pointers(folder, &changes)?;
            changes.retain(|change| !same.contains(&change.path));
        }
        Ok(changes)
    }

    /// The files below a folder that git does not know and was not told to leave out.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn unknown(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.names(folder, &["ls-files", "--others", "--exclude-standard", "-z"])
    }

    /// All files below a folder that git knows, and those that it was not told to leave out.
    ///
    /// # Errors
    ///
    /// When git fails.
    pub fn all(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.names(folder, &["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
    }

    fn names(&self, folder: &Path, args: &[&str]) -> io::Result<Vec<String>> {
        let listed = self.ask(folder, args)?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// Files that are whole here and a pointer of Git LFS in the revision, and are what it points to: its filter
    /// would say so, and is not run.
    fn whole_pointers(&self, folder: &Path, changes: &[Changed]) -> io::Result<HashSet<String>> {
        let could_be = |change: &&Changed| {
            change.status == 'M'
                && change.old.blob().is_some()
                && matches!(change.new, State::File(_))
        };
        let changes: Vec<&Changed> = changes.iter().filter(could_be).collect();
        let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
        let filtered = self.filtered(folder, &paths)?;
        let of_lfs = |change: &&&Changed| {
            filtered.iter().any(|(path, filter)| *path == change.path && filter == "lfs")
        };
        let changes: Vec<&Changed> = changes.iter().filter(of_lfs).copied().collect();
        let ids: Vec<&str> = changes.iter().filter_map(|change| change.old.blob()).collect();
        let mut blobs = Blobs::open(self, folder, &ids)?;
        let (mut same, mut left) = (HashSet::new(), MOST_HASHED);
        for change in changes {
            let pointer = match blobs.next(MOST_POINTER) {
                Ok(pointer) => pointer,
                Err(why) if why.kind() == io::ErrorKind::FileTooLarge => continue,
                Err(why) => return Err(why),
            };
            if let State::File(file) = &change.new
                && is_what_it_points_to(file, &pointer, &mut left)?
            {
                same.insert(change.path.clone());
            }
        }
        Ok(same)
    }

    /// The files among these that a filter of the attributes goes over, and its name.
    pub(crate) fn filtered(
        &self,
        folder: &Path,
        paths: &[&str],
    ) -> io::Result<Vec<(String, String)>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = self.git(folder);
        command.args(["check-attr", "-z", "--stdin", "filter"]).stdin(Stdio::piped());
        let input = paths.join("\0") + "\0";
        let said = program::answer_to(&mut command, input.into_bytes())?;
        let mut words = said.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        let mut filtered = Vec::new();
        while let (Some(path), Some(_), Some(filter)) = (words.next(), words.next(), words.next()) {
            if !matches!(&*filter, "unspecified" | "unset" | "") {
                filtered.push((path.into_owned(), filter.into_owned()));
            }
        }
        Ok(filtered)
    }
}

/// A revision as an argument of git; an option is none.
pub(crate) fn revision_of(revision: &str) -> io::Result<&str> {
    match revision.is_empty() || revision.starts_with('-') || revision.contains('\0') {
        true => Err(io::Error::other(format!("{revision:?} is no revision"))),
        false => Ok(revision),
    }
}

fn changed(folder: &Path, change: &output::RawChange<'_>, in_work_tree: bool) -> Changed {
    let state = |(mode, id): (&str, &str), path: &[u8]| match (
        mode.starts_with("100"),
        id.bytes().all(|byte| byte == b'0'),
    ) {
        (false, _) => State::Nothing,
        (true, true) => State::File(folder.join(os::path_of(path))),
        (true, false) => State::Blob(id.to_owned()),
    };
    let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
    Changed {
        old: state(change.old, change.old_path.unwrap_or(change.path)),
        // For files that were moved git tells the id of content that it does not have.
        new: match state(change.new, change.path) {
            State::Blob(_) if in_work_tree => State::File(folder.join(os::path_of(change.path))),
            found => found,
        },
        status: change.status,
        old_path: change.old_path.map(text),
        path: text(change.path),
    }
}

/// Whether a file has the size and the digest that a pointer names.
fn is_what_it_points_to(file: &Path, pointer: &[u8], left: &mut u64) -> io::Result<bool> {
    let Some((digest, size)) = pointed_to(pointer) else { return Ok(false) };
    let Some(open) = plain::open(file)? else { return Ok(false) };
    if open.metadata()?.len() != size || size > *left {
        return Ok(false);
    }
    *left -= size;
    let mut hasher = Hasher(Sha256::new());
    io::copy(&mut open.take(size), &mut hasher)?;
    let found: String = hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(found == digest)
}

struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest and the size in a pointer of Git LFS.
fn pointed_to(pointer: &[u8]) -> Option<(&str, u64)> {
    let text = str::from_utf8(pointer).ok()?;
    let text = text.strip_prefix("version https://git-lfs.github.com/spec/v1\n")?;
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    Some((value("oid sha256:")?, value("size ")?.parse().ok()?))
}
