//! The current snapshot of a project, replaced when files change; readers never wait for that.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use scenewright_snapshot::{Change, ChangeKind, Changes, Follow, Next, Snapshots};

use super::recent::Recent;
use super::refresh::Refreshed;
use super::{Cancelled, Index, Progress, order};
use crate::check::Checked;

/// The current snapshot of a project and what changed lately.
///
/// Readers take the snapshot and keep it as long as they like; they never wait for a build.
pub struct Store {
    root: PathBuf,
    cache: Option<PathBuf>,
    snapshots: Snapshots<Index>,
    /// What the last check found.
    checked: Mutex<Option<Checked>>,
    /// The generation that the cache holds, if it holds one of these.
    saved: Option<u64>,
    /// The large file that changed last.
    recent: Recent,
}

impl Store {
    /// Opens a project, from the cache as far as that still holds. The cache is a file outside of
    /// the project; it is written when much of it was out of date.
    pub fn open(root: &Path, cache: Option<&Path>) -> Store {
        match Store::open_with(root, cache, &()) {
            Ok(store) => store,
            Err(Cancelled) => unreachable!("nobody cancels"),
        }
    }

    /// The same, with progress.
    pub fn open_with(
        root: &Path,
        cache: Option<&Path>,
        events: &dyn Progress,
    ) -> Result<Store, Cancelled> {
        let cached = cache.and_then(|path| Index::load(path, root));
        let index = Index::build(root, cached.as_ref(), events)?;
        let differs = cached.as_ref().map(|cached| difference(cached, &index).len());
        let is_same = differs == Some(0)
            && cached.as_ref().is_some_and(|cached| cached.layout == index.layout);
        let mut store = Store {
            root: root.into(),
            cache: cache.map(Path::to_owned),
            snapshots: Snapshots::new(index),
            checked: Mutex::new(None),
            saved: None,
            recent: Recent::default(),
        };
        let (index, generation) = (store.index(), store.generation());
        let is_old = differs.is_none_or(|count| count > index.len() / 50);
        // Without a cache the next start is slower, nothing else.
        if is_same || (is_old && store.save().is_ok()) {
            store.saved = Some(generation);
        }
        if let Some(cache) = cache.filter(|_| is_same) {
            store.checked = Mutex::new(Checked::load(cache, &index, generation));
        }
        Ok(store)
    }

    /// The current snapshot.
    pub fn index(&self) -> Arc<Index> {
        self.snapshots.current()
    }

    /// Counts the snapshots that differed from the one before.
    pub fn generation(&self) -> u64 {
        self.snapshots.generation()
    }

    /// The generation of a snapshot; nothing when it is no longer the current one.
    pub(crate) fn generation_of(&self, index: &Arc<Index>) -> Option<u64> {
        self.snapshots.generation_of(index)
    }

    /// What the last check found. A check holds it to its end, so that a second one waits for the
    /// first instead of doing the same.
    pub(crate) fn checked(&self) -> MutexGuard<'_, Option<Checked>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what a check found for the next start, if the cache holds the index that it is about.
    pub(crate) fn keep(&self, checked: &Checked, generation: Option<u64>) {
        if let Some(cache) = self.cache.as_ref().filter(|_| generation == self.saved) {
            // Without it the next start is slower, nothing else.
            let _ = checked.save(cache);
        }
    }

    /// The large file that changed last.
    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Reads these files and folders again, whether they came, changed or went.
    pub fn refresh(&self, changed: &[PathBuf]) -> Arc<Index> {
        self.snapshots.update(|old| match old.refreshed(changed, &self.recent) {
            Refreshed::Same => Next::Same,
            Refreshed::New(index, changes) => Next::New(*index, changes),
            Refreshed::Whole => self.build(old),
        })
    }

    /// Walks the project again and reads what changed.
    pub fn rebuild(&self) -> Arc<Index> {
        self.snapshots.update(|old| self.build(old))
    }

    /// What changed since a generation.
    pub fn changes_since(&self, generation: u64) -> Changes {
        let mut found = self.snapshots.changes_since(generation);
        found.changes.sort_by(|one, two| order::compare(&one.path, &two.path));
        found
    }

    /// Writes the cache, if there is to be one.
    pub fn save(&self) -> std::io::Result<()> {
        match &self.cache {
            Some(path) => self.index().save(path),
            None => Ok(()),
        }
    }

    fn build(&self, old: &Index) -> Next<Index> {
        let Ok(index) = Index::build(&self.root, Some(old), &()) else { return Next::Same };
        let changes = difference(old, &index);
        let is_same = changes.is_empty() && old.layout == index.layout;
        if is_same { Next::Same } else { Next::New(index, changes) }
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

/// What differs between two snapshots of one project, by path.
fn difference(old: &Index, new: &Index) -> Vec<Change> {
    let mut changes = Vec::new();
    if old.is_kept_in(new) {
        return changes;
    }
    let (mut olds, mut news) = (old.assets().peekable(), new.assets().peekable());
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(two)) => {
                order::compare_parts((one.folder(), one.name()), (two.folder(), two.name()))
            }
        };
        let one = if order.is_le() { olds.next() } else { None };
        let two = if order.is_ge() { news.next() } else { None };
        let kind = match (one, two) {
            (Some(one), Some(two)) => {
                if one.segment.same(one.slot, two.segment, two.slot) {
                    continue;
                }
                ChangeKind::Modified
            }
            (Some(_), None) => ChangeKind::Removed,
            _ => ChangeKind::Added,
        };
        changes.extend(one.or(two).map(|asset| Change { path: asset.path(), kind }));
    }
}
