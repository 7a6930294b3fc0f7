//! Every file of a project in one snapshot: paths, uids, classes and who uses what.
//!
//! An [`Index`] never changes, so that any number of readers can share it; [`Store`] holds the
//! current one and replaces it when files change.

mod addon;
mod file;
mod read;
mod refresh;
mod store;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use addon::Addon;
pub use file::{FileEntry, FileKind, Use, UseKind};
pub use scenewright_snapshot::{Change, ChangeKind, Changes};
pub use store::Store;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use scenewright_text::Room;

use crate::{Sources, file as disk};

/// A snapshot of all files of a project.
#[derive(Debug)]
pub struct Index {
    root: PathBuf,
    /// By path.
    files: Vec<Arc<FileEntry>>,
    by_uid: HashMap<String, usize>,
    by_class: BTreeMap<String, usize>,
    /// What was found while the files were listed.
    unlisted: Vec<IndexProblem>,
    /// That and all else.
    problems: Vec<IndexProblem>,
    /// Users of each file, as (file, use).
    users: OnceLock<Vec<Vec<(u32, u32)>>>,
    /// Nothing for a project.
    addon: Option<Addon>,
}

/// Something about the files of a project that Godot would stumble over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexProblem {
    /// The file, as a path from the project root.
    pub path: String,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// Whether it may use other files, and nobody knows which.
    pub may_use: bool,
}

/// A use of something that is not there.
#[derive(Clone, Copy, Debug)]
pub struct MissingUse<'a> {
    /// The file that uses it.
    pub file: &'a FileEntry,
    /// What it asks for.
    pub wanted: &'a Use,
}

impl Index {
    /// Reads a project. Files that did not change since `previous` are not opened.
    pub fn build(root: &Path, previous: Option<&Index>) -> Index {
        let walk::Found { files, problems } = walk::walk(root);
        let room = Room::new(disk::TOGETHER);
        let read = |found: &walk::FoundFile| match previous.and_then(|index| index.unchanged(found))
        {
            Some(known) => known,
            None => {
                let _place = room.enter(disk::weight(FileKind::of_path(&found.path), found.size));
                Arc::new(read::read(root, found, None))
            }
        };
        Index::of(root, files.par_iter().map(read).collect(), problems)
    }

    /// A snapshot of these files, which are sorted by path.
    fn of(root: &Path, files: Vec<Arc<FileEntry>>, unlisted: Vec<IndexProblem>) -> Index {
        let mut problems = unlisted.clone();
        problems.extend(files.iter().filter_map(|file| {
            let message = file.problem.clone()?;
            Some(IndexProblem { path: file.path.clone(), message, may_use: file.is_unread })
        }));
        let mut index = Index {
            root: root.into(),
            files,
            by_uid: HashMap::new(),
            by_class: BTreeMap::new(),
            unlisted,
            problems,
            users: OnceLock::new(),
            addon: None,
        };
        index.addon = Addon::find(&index);
        index.fill_tables();
        index
    }

    fn unchanged(&self, found: &walk::FoundFile) -> Option<Arc<FileEntry>> {
        let known = &self.files[self.position(&found.path)?];
        let is_same = known.size == found.size && known.modified == found.modified;
        (is_same && !known.is_racy).then(|| known.clone())
    }

    fn fill_tables(&mut self) {
        for number in 0..self.files.len() {
            let file = self.files[number].clone();
            // The uid of an imported file or a script stands in a file beside it, and goes with it.
            let owner = match file.companion_of() {
                Some(path) => self.position(path),
                None => Some(number),
            };
            if let (Some(uid), Some(owner)) = (&file.uid, owner)
                && let Some(other) = self.by_uid.insert(uid.clone(), owner)
                && other != owner
            {
                let message = format!("`{}` has the same uid, {uid}", self.files[other].path);
                let path = self.files[owner].path.clone();
                self.problems.push(IndexProblem { path, message, may_use: false });
            }
            let Some(name) = file.script.as_ref().and_then(|script| script.class_name.clone())
            else {
                continue;
            };
            if let Some(other) = self.by_class.insert(name.clone(), number) {
                let message = format!("`{}` declares the class {name} too", self.files[other].path);
                let path = file.path.clone();
                self.problems.push(IndexProblem { path, message, may_use: false });
            }
        }
        self.problems.sort();
    }

    /// The folder of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What it is an index of, where that is no project.
    pub(crate) fn addon(&self) -> Option<&Addon> {
        self.addon.as_ref()
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All files by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &FileEntry> + DoubleEndedIterator + Clone {
        self.files.iter().map(|file| &**file)
    }

    /// The same as they are shared between snapshots: one that was not read again is the same.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<FileEntry>> {
        self.files.iter()
    }

    /// Whether the same folders and links were left out.
    pub(crate) fn lists_like(&self, other: &Index) -> bool {
        self.unlisted == other.unlisted
    }

    /// The files of a kind by path.
    pub fn of_kind(&self, kind: FileKind) -> impl Iterator<Item = &FileEntry> {
        self.files().filter(move |file| file.kind == kind)
    }

    /// The file at a `res://` path or a path from the project root.
    pub fn by_path(&self, path: &str) -> Option<&FileEntry> {
        self.position(path).map(|at| &*self.files[at])
    }

    /// The file of a `uid://`.
    pub fn by_uid(&self, uid: &str) -> Option<&FileEntry> {
        self.by_uid.get(uid).map(|at| &*self.files[*at])
    }

    /// The file that a `res://` path or a `uid://` names.
    pub fn find(&self, text: &str) -> Option<&FileEntry> {
        match text.starts_with("uid://") {
            true => self.by_uid(text),
            false => self.by_path(text),
        }
    }

    /// The uid of a file, wherever it is written.
    pub fn uid_of(&self, path: &str) -> Option<&str> {
        let at = self.position(path)?;
        let beside = [".uid", ".import"].map(|end| format!("{}{end}", self.files[at].path));
        let beside = beside.iter().filter_map(|path| self.by_path(path)?.uid.as_deref());
        self.files[at].uid.as_deref().into_iter().chain(beside).next()
    }

    /// The script that declares a class.
    pub fn class(&self, name: &str) -> Option<&FileEntry> {
        self.by_class.get(name).map(|at| &*self.files[*at])
    }

    /// The classes that scripts declare, by name.
    pub fn classes(&self) -> impl Iterator<Item = (&str, &FileEntry)> {
        self.by_class.iter().map(|(name, at)| (&**name, &*self.files[*at]))
    }

    /// The engine class that a class or script comes down to, as far as the scripts tell.
    pub fn engine_base<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let mut name = name;
        // A script that extends itself would lead round and round.
        for _ in 0..64 {
            let script = self.class(name).or_else(|| self.find(name));
            match script.and_then(|file| file.script.as_ref()) {
                Some(script) => name = script.base.as_deref().unwrap_or("RefCounted"),
                None => return Some(name).filter(|name| !name.contains("://")),
            }
        }
        None
    }

    /// Who uses a file, by path. The first call takes a moment.
    pub fn users(&self, path: &str) -> impl Iterator<Item = (&FileEntry, &Use)> {
        let users = self.users.get_or_init(|| self.find_users());
        let found = self.position(path).map_or(&[][..], |at| &users[at]);
        found.iter().map(|(file, at)| {
            let file = &*self.files[*file as usize];
            (file, &file.uses[*at as usize])
        })
    }

    fn find_users(&self) -> Vec<Vec<(u32, u32)>> {
        let mut users = vec![Vec::new(); self.files.len()];
        for (number, file) in (0..).zip(&self.files) {
            for (at, used) in (0..).zip(&file.uses) {
                if let Some(target) = self.target(used) {
                    users[target].push((number, at));
                }
            }
        }
        users
    }

    /// The file that a use leads to. As in the engine, a known uid wins over the path.
    pub fn target_of(&self, used: &Use) -> Option<&FileEntry> {
        self.target(used).map(|at| &*self.files[at])
    }

    fn target(&self, used: &Use) -> Option<usize> {
        let by_uid = used.uid.as_ref().and_then(|uid| self.by_uid.get(uid).copied());
        by_uid.or_else(|| self.position(used.path.as_deref()?))
    }

    /// Uses of files that are not there. Texts in code count only where something is loaded.
    pub fn missing(&self) -> impl Iterator<Item = MissingUse<'_>> {
        self.files().flat_map(move |file| {
            let missing = file.uses.iter().filter(move |used| {
                used.kind != UseKind::Text && self.target(used).is_none() && !self.is_folder(used)
            });
            missing.map(move |wanted| MissingUse { file, wanted })
        })
    }

    fn is_folder(&self, used: &Use) -> bool {
        let Some(path) = used.path.as_deref() else { return false };
        let folder = format!("{}/", local(path).trim_end_matches('/'));
        folder == "/" || self.files.iter().any(|file| file.path.starts_with(&folder))
    }

    /// What Godot would stumble over, by path.
    pub fn problems(&self) -> &[IndexProblem] {
        &self.problems
    }

    /// Why a path is not among the files although something is there; also for what is below it.
    pub fn why_unlisted(&self, path: &str) -> Option<&str> {
        let path = local(path);
        let is_on_the_way = |problem: &&IndexProblem| {
            let rest = path.strip_prefix(&*problem.path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.unlisted.iter().find(is_on_the_way).map(|problem| &*problem.message)
    }

    /// What may use other files without anybody knowing, by path, each with the reason.
    pub fn unread(&self) -> impl Iterator<Item = (&str, &str)> {
        let unread = self.problems.iter().filter(|problem| problem.may_use);
        unread.map(|problem| (&*problem.path, &*problem.message))
    }

    fn position(&self, path: &str) -> Option<usize> {
        let path = self.local(path);
        self.files.binary_search_by(|file| (*file.path).cmp(path)).ok()
    }

    /// A path from the root; a part behind `::` names something inside of the file.
    pub(crate) fn local<'p>(&self, path: &'p str) -> &'p str {
        let path = local(path);
        self.addon.as_ref().map_or(path, |addon| addon.local(path))
    }
}

impl Sources for Index {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        // Only what belongs to the project is read. A link may have come since it was listed.
        let file = self.by_path(path)?;
        disk::read_inside(&self.root, &file.path, disk::MAX_BYTES).ok()?
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        self.by_uid(uid).map(|file| file.res_path())
    }
}

/// A path from the project root; a part behind `::` names something inside of the file.
fn local(path: &str) -> &str {
    let path = path.strip_prefix("res://").unwrap_or(path);
    path.split("::").next().unwrap_or(path)
}
