use super::{Cancelled, Index, Progress, order, refresh::Refreshed};
use crate::check::Checked;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

/// The current snapshot of a project and what changed lately.
///
/// Readers take the snapshot and keep it as long as they like; they never wait for a build.
pub struct Store {
    root: PathBuf,
    cache: Option<PathBuf>,
    state: RwLock<State>,
    /// Held while a new snapshot is made.
    writer: Mutex<()>,
    /// What the last check found.
    checked: Mutex<Option<Checked>>,
}

struct State {
    index: Arc<Index>,
    generation: u64,
    log: VecDeque<(u64, Change)>,
    /// What happened up to this generation is not in the log.
    log_starts: u64,
}

/// A file that came, changed or went. A change of its meta counts as one of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The path from the project root.
    pub path: String,
    /// What happened.
    pub kind: ChangeKind,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ChangeKind {
    Added,
    Modified,
    Removed,
}

/// What changed since a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// By path, each path once.
    pub changes: Vec<Change>,
    /// The generation to ask with the next time.
    pub now: u64,
    /// False when the log does not reach back far enough, so that anything may have changed.
    pub complete: bool,
}

/// The length of the log. A checkout of another branch may exceed it; then nothing but a new look
/// at everything helps anyway.
const MAX_LOG: usize = 10_000;

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
        let store = Store {
            root: root.into(),
            cache: cache.map(Path::to_owned),
            state: RwLock::new(State {
                index: Arc::new(index),
                generation: 1,
                log: VecDeque::new(),
                log_starts: 1,
            }),
            writer: Mutex::new(()),
            checked: Mutex::new(None),
        };
        if differs.is_none_or(|count| count > store.index().len() / 50) {
            // Without a cache the next start is slower, nothing else.
            let _ = store.save();
        }
        Ok(store)
    }

    /// The current snapshot.
    pub fn index(&self) -> Arc<Index> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).index.clone()
    }

    /// Counts the snapshots that differed from the one before.
    pub fn generation(&self) -> u64 {
        self.state.read().unwrap_or_else(PoisonError::into_inner).generation
    }

    /// The generation of a snapshot; nothing when it is no longer the current one.
    pub(crate) fn generation_of(&self, index: &Arc<Index>) -> Option<u64> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Arc::ptr_eq(&state.index, index).then_some(state.generation)
    }

    /// What the last check found. A check holds it to its end, so that a second one waits for the
    /// first instead of doing the same.
    pub(crate) fn checked(&self) -> MutexGuard<'_, Option<Checked>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads these files and folders again, whether they came, changed or went.
    pub fn refresh(&self, changed: &[PathBuf]) -> Arc<Index> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.index();
        match old.refreshed(changed) {
            Refreshed::Same => old,
            Refreshed::New(index, changes) => self.swap(*index, changes),
            Refreshed::Whole => self.build(&()).unwrap_or(old),
        }
    }

    /// Walks the project again and reads what changed.
    pub fn rebuild(&self) -> Arc<Index> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.build(&()).unwrap_or_else(|_| self.index())
    }

    /// What changed since a generation.
    pub fn changes_since(&self, generation: u64) -> Changes {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let mut net: BTreeMap<&str, ChangeKind> = BTreeMap::new();
        for (_, change) in state.log.iter().filter(|(at, _)| *at > generation) {
            match (net.get(&*change.path), change.kind) {
                (Some(ChangeKind::Added), ChangeKind::Removed) => {
                    net.remove(&*change.path);
                }
                (Some(ChangeKind::Added), _) => {}
                (Some(ChangeKind::Removed), ChangeKind::Added) => {
                    net.insert(&change.path, ChangeKind::Modified);
                }
                (_, kind) => {
                    net.insert(&change.path, kind);
                }
            }
        }
        let mut changes: Vec<_> =
            net.into_iter().map(|(path, kind)| Change { path: path.into(), kind }).collect();
        changes.sort_by(|one, two| order::compare(&one.path, &two.path));
        let complete = generation >= state.log_starts && generation <= state.generation;
        Changes { changes, now: state.generation, complete }
    }

    /// Writes the cache, if there is to be one.
    pub fn save(&self) -> std::io::Result<()> {
        match &self.cache {
            Some(path) => self.index().save(path),
            None => Ok(()),
        }
    }

    fn build(&self, events: &dyn Progress) -> Result<Arc<Index>, Cancelled> {
        let old = self.index();
        let index = Index::build(&self.root, Some(&old), events)?;
        let changes = difference(&old, &index);
        let is_same = changes.is_empty() && old.layout == index.layout;
        Ok(if is_same { old } else { self.swap(index, changes) })
    }

    fn swap(&self, index: Index, changes: Vec<Change>) -> Arc<Index> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.generation += 1;
        let generation = state.generation;
        state.log.extend(changes.into_iter().map(|change| (generation, change)));
        while state.log.len() > MAX_LOG {
            // A generation is in the log as a whole or not at all.
            let dropped = state.log.pop_front().map_or(generation, |(at, _)| at);
            state.log_starts = dropped;
            while state.log.front().is_some_and(|(at, _)| *at == dropped) {
                state.log.pop_front();
            }
        }
        state.index = Arc::new(index);
        state.index.clone()
    }
}

/// What differs between two snapshots of one project, by path.
fn difference(old: &Index, new: &Index) -> Vec<Change> {
    let mut changes = Vec::new();
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
