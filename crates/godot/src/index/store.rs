use super::Index;
use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

/// The current snapshot of a project and what changed lately.
///
/// Readers take the snapshot and keep it as long as they like; they never wait for a build.
pub struct Store {
    root: PathBuf,
    state: RwLock<State>,
    /// Held while a new snapshot is made.
    writer: Mutex<()>,
}

struct State {
    index: Arc<Index>,
    generation: u64,
    log: VecDeque<(u64, Change)>,
    /// What happened up to this generation is not in the log.
    log_starts: u64,
}

/// A file that came, changed or went.
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

/// The length of the log.
const MAX_LOG: usize = 10_000;

impl Store {
    /// Reads a project.
    pub fn open(root: &Path) -> Store {
        let index = Arc::new(Index::build(root, None));
        let state = State { index, generation: 1, log: VecDeque::new(), log_starts: 1 };
        Store { root: root.into(), state: RwLock::new(state), writer: Mutex::new(()) }
    }

    /// The current snapshot.
    pub fn index(&self) -> Arc<Index> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).index.clone()
    }

    /// Counts the snapshots that differed from the one before.
    pub fn generation(&self) -> u64 {
        self.state.read().unwrap_or_else(PoisonError::into_inner).generation
    }

    /// Lists the project again and reads what changed.
    pub fn rebuild(&self) -> Arc<Index> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.index();
        let new = Index::build(&self.root, Some(&old));
        let changes = difference(&old, &new);
        if changes.is_empty() && old.problems == new.problems {
            // Some may have been read again only to be sure; they need not be the next time.
            let is_same = old.files.iter().zip(&new.files).all(|(one, two)| Arc::ptr_eq(one, two));
            return if is_same { old } else { self.replace(new) };
        }
        self.swap(new, changes)
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
        let changes = net.into_iter().map(|(path, kind)| Change { path: path.into(), kind });
        let complete = generation >= state.log_starts && generation <= state.generation;
        Changes { changes: changes.collect(), now: state.generation, complete }
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

    /// Takes a snapshot that says the same.
    fn replace(&self, index: Index) -> Arc<Index> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.index = Arc::new(index);
        state.index.clone()
    }
}

/// What differs between two snapshots, by path.
fn difference(old: &Index, new: &Index) -> Vec<Change> {
    let mut changes = BTreeMap::new();
    for file in &old.files {
        changes.insert(&*file.path, ChangeKind::Removed);
    }
    for file in &new.files {
        let known = old.position(&file.path).map(|at| &old.files[at]);
        match known {
            Some(known) if Arc::ptr_eq(known, file) || known.says_the_same(file) => {
                changes.remove(&*file.path);
            }
            Some(_) => drop(changes.insert(&file.path, ChangeKind::Modified)),
            None => drop(changes.insert(&file.path, ChangeKind::Added)),
        }
    }
    changes.into_iter().map(|(path, kind)| Change { path: path.into(), kind }).collect()
}
