//! The current snapshot of a project, and what changed lately.
//!
//! A snapshot never changes. Readers take the current one and keep it as long as they like; they
//! never wait for the next one to be made.
//!
//! ```
//! use scenewright_snapshot::{Change, ChangeKind, Next, Snapshots};
//!
//! let files = Snapshots::new(vec!["a"]);
//! let old = files.current();
//! let came = Change { path: "b".into(), kind: ChangeKind::Added };
//! files.update(|_| Next::New(vec!["a", "b"], vec![came.clone()]));
//! assert_eq!((old.len(), files.current().len()), (1, 2));
//! assert_eq!(files.changes_since(1).changes, [came]);
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod lazy;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

pub use lazy::{Follow, Lazy, Watched};

/// The length of the log. A checkout of another branch may exceed it; then nothing but a new look
/// at everything helps anyway.
const MAX_LOG: usize = 10_000;

/// How far back a change is looked for that the next one makes up for.
const LOOK_BACK: usize = 64;

/// Holds the current snapshot.
pub struct Snapshots<T> {
    state: RwLock<State<T>>,
    /// Held while a new snapshot is made.
    writer: Mutex<()>,
}

struct State<T> {
    current: Arc<T>,
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

/// What comes after a snapshot.
pub enum Next<T> {
    /// The same one.
    Same,
    /// One that says the same but is better known; it counts as no change.
    Alike(T),
    /// Another one, and what differs.
    New(T, Vec<Change>),
}

impl<T> Snapshots<T> {
    /// The first snapshot, of generation 1.
    pub fn new(first: T) -> Self {
        let state =
            State { current: Arc::new(first), generation: 1, log: VecDeque::new(), log_starts: 1 };
        Self { state: RwLock::new(state), writer: Mutex::new(()) }
    }

    /// The current snapshot.
    pub fn current(&self) -> Arc<T> {
        self.state().current.clone()
    }

    /// Counts the snapshots that differed from the one before.
    pub fn generation(&self) -> u64 {
        self.state().generation
    }

    /// The generation of a snapshot; nothing when it is no longer the current one.
    pub fn generation_of(&self, snapshot: &Arc<T>) -> Option<u64> {
        let state = self.state();
        Arc::ptr_eq(&state.current, snapshot).then_some(state.generation)
    }

    /// Makes the next snapshot from the current one. Who comes meanwhile waits, and starts from this
    /// one.
    pub fn update(&self, next: impl FnOnce(&Arc<T>) -> Next<T>) -> Arc<T> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.current();
        let (new, changes) = match next(&old) {
            Next::Same => return old,
            Next::Alike(new) => (new, None),
            Next::New(new, changes) => (new, Some(changes)),
        };
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(changes) = changes {
            state.note(changes);
        }
        state.current = Arc::new(new);
        state.current.clone()
    }

    /// What changed since a generation, by path.
    pub fn changes_since(&self, generation: u64) -> Changes {
        let state = self.state();
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

    fn state(&self) -> RwLockReadGuard<'_, State<T>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// Starts a generation.
    fn note(&mut self, changes: Vec<Change>) {
        self.generation += 1;
        let generation = self.generation;
        for change in changes {
            self.forget_older(&change);
            self.log.push_back((generation, change));
        }
        while self.log.len() > MAX_LOG {
            // A generation is in the log as a whole or not at all.
            let dropped = self.log.pop_front().map_or(generation, |(at, _)| at);
            self.log_starts = dropped;
            while self.log.front().is_some_and(|(at, _)| *at == dropped) {
                self.log.pop_front();
            }
        }
    }

    /// A file that changes again has changed; who saves one file for hours need not fill the log.
    fn forget_older(&mut self, change: &Change) {
        let from = self.log.len().saturating_sub(LOOK_BACK);
        let older = self.log.range(from..).rposition(|(_, older)| older.path == change.path);
        let Some(older) = older.map(|at| from + at) else { return };
        if change.kind == ChangeKind::Modified && self.log[older].1 == *change {
            self.log.remove(older);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(snapshots: &Snapshots<u32>, changes: &[(&str, ChangeKind)]) {
        let changes =
            changes.iter().map(|(path, kind)| Change { path: (*path).into(), kind: *kind });
        snapshots.update(|old| Next::New(**old + 1, changes.collect()));
    }

    fn since(snapshots: &Snapshots<u32>, generation: u64) -> Vec<(String, ChangeKind)> {
        let changes = snapshots.changes_since(generation).changes;
        changes.into_iter().map(|change| (change.path, change.kind)).collect()
    }

    #[test]
    fn changes_of_one_path_add_up() {
        use ChangeKind::{Added, Modified, Removed};
        let snapshots = Snapshots::new(0);
        step(&snapshots, &[("b", Removed), ("a", Added), ("c", Modified)]);
        step(&snapshots, &[("a", Modified), ("b", Added), ("d", Added)]);
        step(&snapshots, &[("c", Removed), ("d", Removed)]);
        let expected =
            [("a", Added), ("b", Modified), ("c", Removed)].map(|(path, kind)| (path.into(), kind));
        assert_eq!(since(&snapshots, 1), expected);
        assert_eq!(since(&snapshots, 3), [("c".into(), Removed), ("d".into(), Removed)]);
        assert_eq!((*snapshots.current(), snapshots.generation()), (3, 4));
    }

    #[test]
    fn what_says_the_same_is_no_new_generation() {
        let snapshots = Snapshots::new(0);
        let old = snapshots.current();
        assert!(Arc::ptr_eq(&old, &snapshots.update(|_| Next::Same)));
        snapshots.update(|_| Next::Alike(7));
        assert_eq!((*snapshots.current(), snapshots.generation()), (7, 1));
        assert_eq!(snapshots.generation_of(&old), None);
        assert_eq!(snapshots.generation_of(&snapshots.current()), Some(1));
    }

    #[test]
    fn a_file_that_changes_again_and_again_does_not_fill_the_log() {
        let snapshots = Snapshots::new(0);
        step(&snapshots, &[("a", ChangeKind::Added)]);
        for _ in 0..MAX_LOG {
            step(&snapshots, &[("a", ChangeKind::Modified)]);
            step(&snapshots, &[("b", ChangeKind::Modified)]);
        }
        assert_eq!(snapshots.state().log.len(), 3);
        assert!(snapshots.changes_since(1).complete);
        let (a, b) = (("a".into(), ChangeKind::Added), ("b".into(), ChangeKind::Modified));
        assert_eq!(since(&snapshots, 1), [a, b.clone()]);
        let now = snapshots.generation();
        assert_eq!(since(&snapshots, now - 1), [b]);
    }

    #[test]
    fn the_log_forgets_whole_generations() {
        let snapshots = Snapshots::new(0);
        let many: Vec<String> = (0..MAX_LOG).map(|number| number.to_string()).collect();
        let many: Vec<(&str, ChangeKind)> =
            many.iter().map(|path| (path.as_str(), ChangeKind::Added)).collect();
        step(&snapshots, &many);
        assert!(snapshots.changes_since(1).complete);
        step(&snapshots, &[("x", ChangeKind::Added)]);
        assert!(!snapshots.changes_since(1).complete && snapshots.changes_since(2).complete);
        assert_eq!(since(&snapshots, 2).len(), 1);
        assert!(!snapshots.changes_since(9).complete);
    }
}
