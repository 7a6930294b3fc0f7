//! The current snapshot of a project, replaced when files change; readers never wait for that.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenewright_snapshot::{Change, ChangeKind, Changes, Follow, Next, Snapshots};

use super::Index;
use crate::Recent;

/// The current snapshot of a project and what changed lately.
///
/// Readers take the snapshot and keep it as long as they like; they never wait for a build.
pub struct Store {
    root: PathBuf,
    snapshots: Snapshots<Index>,
    recent: Recent,
}

impl Store {
    /// Reads a project.
    pub fn open(root: &Path) -> Store {
        let snapshots = Snapshots::new(Index::build(root, None));
        Store { root: root.into(), snapshots, recent: Recent::default() }
    }

    /// The current snapshot.
    pub fn index(&self) -> Arc<Index> {
        self.snapshots.current()
    }

    /// The scenes that were read last.
    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Counts the snapshots that differed from the one before.
    pub fn generation(&self) -> u64 {
        self.snapshots.generation()
    }

    /// Reads these files and folders again, whether they came, changed or went.
    pub fn refresh(&self, changed: &[PathBuf]) -> Arc<Index> {
        self.snapshots.update(|old| match old.refreshed(changed, &self.recent) {
            Some(new) => next(old, new),
            None => next(old, Index::build(&self.root, Some(old))),
        })
    }

    /// Lists the project again and reads what changed.
    pub fn rebuild(&self) -> Arc<Index> {
        self.snapshots.update(|old| next(old, Index::build(&self.root, Some(old))))
    }

    /// What changed since a generation.
    pub fn changes_since(&self, generation: u64) -> Changes {
        self.snapshots.changes_since(generation)
    }
}

impl Follow for Store {
    fn refresh(&self, changed: &[PathBuf]) {
        self.refresh(changed);
    }

    fn rebuild(&self) {
        self.rebuild();
    }
}

fn next(old: &Index, new: Index) -> Next<Index> {
    let changes = difference(old, &new);
    if !changes.is_empty() || old.problems != new.problems {
        return Next::New(new, changes);
    }
    // Some may have been read again only to be sure; they need not be the next time.
    match old.files.iter().zip(&new.files).all(|(one, two)| Arc::ptr_eq(one, two)) {
        true => Next::Same,
        false => Next::Alike(new),
    }
}

/// What differs between two snapshots, by path.
fn difference(old: &Index, new: &Index) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut olds, mut news) = (old.files.iter().peekable(), new.files.iter().peekable());
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(two)) => one.path.cmp(&two.path),
        };
        let one = if order.is_le() { olds.next() } else { None };
        let two = if order.is_ge() { news.next() } else { None };
        let kind = match (one, two) {
            (Some(one), Some(two)) if Arc::ptr_eq(one, two) || one.says_the_same(two) => continue,
            (Some(_), Some(_)) => ChangeKind::Modified,
            (Some(_), None) => ChangeKind::Removed,
            _ => ChangeKind::Added,
        };
        changes.extend(one.or(two).map(|file| Change { path: file.path.clone(), kind }));
    }
}
