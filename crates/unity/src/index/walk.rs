//! The files under the roots of a project, listed as Unity does: without what is hidden from it.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use scenewright_text::beneath::{self, Entry, Kind};
use scenewright_text::links::{self, LEAVES};

use super::kind::is_hidden;
use super::problem::{IndexProblem, ProblemKind};
use super::roots::home;
use super::segment::Stat;
use super::{Cancelled, Progress, Root, RootKind, order};

/// The folders under some trees, with their files, in path order.
#[derive(Default)]
pub(super) struct Found {
    pub(super) folders: Vec<FoundFolder>,
    pub(super) problems: Vec<IndexProblem>,
}

pub(super) struct FoundFolder {
    pub(super) path: String,
    pub(super) root: u16,
    /// Sorted by name.
    pub(super) files: Vec<FoundFile>,
}

pub(super) struct FoundFile {
    pub(super) name: String,
    pub(super) presence: Presence,
    pub(super) meta: Option<Stat>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Only the meta is there.
    Absent,
    Folder,
    File(Stat),
    /// Something that is not to be opened, and why.
    Refused(String),
}

/// Deeper trees are not real; systems refuse their paths sooner or later.
const MAX_DEPTH: usize = 64;
/// How many links may lead from one into the other. Unity's own projects have one, if any.
const MAX_LINKS: usize = 4;

/// Why something else than a file is not opened.
pub(super) const NOT_REGULAR: &str = "not a regular file";

/// When files are asked for their size and time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stats {
    /// By the walk: they tell which files need not be opened.
    Now,
    /// By the reader, which opens the files anyway; asking an open file costs the least.
    Later,
}

/// A folder to be listed.
struct Pending {
    path: String,
    root: u16,
    depth: usize,
    /// How many links lead to it.
    links: usize,
}

struct Walk<'a> {
    root: &'a Path,
    roots: &'a [Root],
    stats: Stats,
    events: &'a dyn Progress,
    found: Mutex<Found>,
}

/// Lists the given folders and all below them. Each stands with the tree it is in.
pub(super) fn folders(
    root: &Path,
    roots: &[Root],
    starts: Vec<(String, u16)>,
    stats: Stats,
    events: &dyn Progress,
) -> Result<Found, Cancelled> {
    let walk = Walk { root, roots, stats, events, found: Mutex::default() };
    rayon::scope(|scope| {
        for (path, root) in starts {
            if walk.leaves(root, &walk.root.join(&path)) {
                walk.problem(ProblemKind::LinkOutside, &path, "");
                continue;
            }
            let start = Pending { depth: path.split('/').count(), path, root, links: 0 };
            walk.spawn(scope, start);
        }
    });
    if events.is_cancelled() {
        return Err(Cancelled);
    }
    let mut found = walk.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.folders.sort_by(|one, two| order::compare(&one.path, &two.path));
    found.problems.sort();
    Ok(found)
}

impl<'a> Walk<'a> {
    fn spawn<'s>(&'s self, scope: &rayon::Scope<'s>, pending: Pending) {
        scope.spawn(move |scope| {
            if self.events.is_cancelled() {
                return;
            }
            for below in self.list(pending) {
                self.spawn(scope, below);
            }
        });
    }

    /// Lists one folder and returns those in it.
    fn list(&self, pending: Pending) -> Vec<Pending> {
        let disk = self.root.join(&pending.path);
        let kind = self.roots[usize::from(pending.root)].kind;
        let entries = match beneath::list(&self.home(pending.root), &disk) {
            Ok(entries) => entries,
            // A tree that the project lacks, or a folder removed just now.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.problem(ProblemKind::Unreadable, &pending.path, &error.to_string());
                return Vec::new();
            }
        };
        let mut files = Vec::new();
        let mut below = Vec::new();
        for entry in entries {
            files.extend(self.find(&pending, &disk, kind, entry, &mut below));
        }
        let files = pair(files);
        let folder = FoundFolder { path: pending.path, root: pending.root, files };
        self.found.lock().unwrap_or_else(PoisonError::into_inner).folders.push(folder);
        below
    }

    /// One entry of a folder: a file, or the meta of one.
    fn find(
        &self,
        pending: &Pending,
        folder: &Path,
        kind: RootKind,
        entry: Entry,
        below: &mut Vec<Pending>,
    ) -> Option<FoundFile> {
        let Entry { name, kind: what } = entry;
        let (name, is_unicode) = match name.into_string() {
            Ok(name) => (name, true),
            Err(name) => (name.to_string_lossy().into_owned(), false),
        };
        let stem = name.strip_suffix(".meta").filter(|stem| !stem.is_empty());
        let (is_meta, length) = (stem.is_some(), stem.map_or(name.len(), str::len));
        if is_hidden(&name[..length]) || !is_listed(kind, is_meta, &name[..length]) {
            return None;
        }
        let path = folder.join(&name);
        let mut file = FoundFile { name, presence: Presence::Absent, meta: None };
        file.name.truncate(length);
        let found = match what == Kind::Link && self.leaves(pending.root, &path) {
            true => Presence::Refused(LEAVES.into()),
            false => presence(&path, what, self.stats),
        };
        match found {
            _ if !is_unicode => {
                file.presence = Presence::Refused("the name is not Unicode".into());
            }
            Presence::Refused(why) if is_meta && why == LEAVES => {
                let path = order::join(&pending.path, &file.name) + ".meta";
                self.problem(ProblemKind::LinkOutside, &path, "");
            }
            Presence::File(stat) if is_meta => file.meta = Some(stat),
            _ if is_meta => {}
            Presence::Folder => {
                below.extend(self.enter(pending, what, &file.name));
                file.presence = Presence::Folder;
            }
            other => file.presence = other,
        }
        Some(file)
    }

    fn enter(&self, pending: &Pending, what: Kind, name: &str) -> Option<Pending> {
        let path = order::join(&pending.path, name);
        let links = match what {
            Kind::Link => self.follow(pending, &path),
            _ => Ok(pending.links),
        };
        let problem = match links {
            Ok(links) if pending.depth < MAX_DEPTH => {
                let depth = pending.depth + 1;
                return Some(Pending { path, root: pending.root, depth, links });
            }
            Ok(_) => ProblemKind::TooDeep,
            Err(problem) => problem,
        };
        self.problem(problem, &path, "");
        None
    }

    /// True when a path of a tree leads out of what the tree is in.
    fn leaves(&self, tree: u16, path: &Path) -> bool {
        !links::stays_inside(&self.home(tree), path)
    }

    /// What a tree is in.
    fn home(&self, tree: u16) -> PathBuf {
        home(self.root, &self.roots[usize::from(tree)].path)
    }

    /// A link may lead anywhere in the project but to a folder on the way to it. Counts the links so
    /// far.
    fn follow(&self, pending: &Pending, path: &str) -> Result<usize, ProblemKind> {
        let real = |path: &str| fs::canonicalize(self.root.join(path));
        let Ok(target) = real(path) else { return Err(ProblemKind::Unreadable) };
        let ends = pending.path.match_indices('/').map(|(at, _)| at).chain([pending.path.len()]);
        let mut way = ends.filter(|end| *end > 0).map(|end| real(&pending.path[..end]));
        let is_loop = way.any(|step| step.is_ok_and(|step| step.starts_with(&target)));
        if is_loop || pending.links >= MAX_LINKS {
            return Err(ProblemKind::LinkLoop);
        }
        Ok(pending.links + 1)
    }

    fn problem(&self, kind: ProblemKind, path: &str, detail: &str) {
        let problem = IndexProblem {
            path: path.into(),
            kind,
            line: None,
            asset: None,
            detail: detail.into(),
        };
        self.found.lock().unwrap_or_else(PoisonError::into_inner).problems.push(problem);
    }
}

/// Files and their metas as one, sorted.
fn pair(mut files: Vec<FoundFile>) -> Vec<FoundFile> {
    files.sort_unstable_by(|one, two| one.name.cmp(&two.name));
    files.dedup_by(|second, first| {
        let is_same = second.name == first.name;
        if is_same && second.meta.is_some() {
            first.meta = second.meta;
        } else if is_same && second.presence != Presence::Absent {
            std::mem::swap(&mut first.presence, &mut second.presence);
        }
        is_same
    });
    // A file removed just now was never there.
    files.retain(|file| file.presence != Presence::Absent || file.meta.is_some());
    files
}

/// Settings have no metas. Beside the embedded packages, which are trees of their own, `Packages`
/// has two files of interest.
fn is_listed(kind: RootKind, is_meta: bool, name: &str) -> bool {
    match kind {
        RootKind::Manifest => !is_meta && matches!(name, "manifest.json" | "packages-lock.json"),
        _ => !is_meta || kind.is_imported(),
    }
}

fn presence(path: &Path, what: Kind, stats: Stats) -> Presence {
    match what {
        Kind::Folder => Presence::Folder,
        Kind::File if stats == Stats::Later => Presence::File(Stat::UNASKED),
        Kind::File => fs::symlink_metadata(path).map_or_else(refused, of_metadata),
        Kind::Link | Kind::Other => stat(path),
    }
}

/// What stands at a path, links followed.
pub(super) fn stat(path: &Path) -> Presence {
    match fs::metadata(path).map_or_else(refused, of_metadata) {
        Presence::Absent if fs::symlink_metadata(path).is_ok() => {
            Presence::Refused("a link that leads nowhere".into())
        }
        presence => presence,
    }
}

fn of_metadata(metadata: Metadata) -> Presence {
    match of_file(&metadata) {
        _ if metadata.is_dir() => Presence::Folder,
        Ok(stat) => Presence::File(stat),
        // Opening a pipe would wait for its writer.
        Err(error) => Presence::Refused(error.to_string()),
    }
}

/// The size and time of the file at a path.
pub(super) fn stat_file(path: &Path) -> io::Result<Stat> {
    of_file(&fs::metadata(path)?)
}

/// The size and time of what must be a file.
pub(super) fn of_file(metadata: &Metadata) -> io::Result<Stat> {
    if !metadata.is_file() {
        return Err(io::Error::other(NOT_REGULAR));
    }
    let modified =
        metadata.modified().ok().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |time| -time)
            }
        });
    Ok(Stat { size: metadata.len(), modified })
}

fn refused(error: io::Error) -> Presence {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Presence::Absent,
        _ => Presence::Refused(error.to_string()),
    }
}
