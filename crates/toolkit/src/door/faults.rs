//! Failures on demand, for tests.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::disk::Op;

/// Something that somebody else does before a step.
type Meanwhile = Box<dyn Fn() + Send + Sync>;

/// Lets steps of the disk fail, and others come between them.
pub(crate) struct Fault {
    /// Steps so far.
    taken: AtomicUsize,
    /// The first step that fails.
    first: AtomicUsize,
    /// How many fail.
    count: AtomicUsize,
    /// What happens before which step.
    meanwhile: Mutex<Option<(usize, Meanwhile)>>,
    /// What was done, if anybody asked for it.
    log: Mutex<Option<Vec<Op>>>,
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fault")
    }
}

impl Default for Fault {
    fn default() -> Self {
        Self {
            taken: 0.into(),
            first: usize::MAX.into(),
            count: 0.into(),
            meanwhile: Mutex::default(),
            log: Mutex::default(),
        }
    }
}

impl Fault {
    /// From now on count anew; `count` steps fail, the first after `first` good ones.
    pub(crate) fn set(&self, first: usize, count: usize) {
        self.taken.store(0, Ordering::Relaxed);
        self.first.store(first, Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
    }

    /// From now on count anew; let something happen after so many steps.
    pub(crate) fn at(&self, steps: usize, happens: impl Fn() + Send + Sync + 'static) {
        self.clear();
        *self.meanwhile.lock().unwrap() = Some((steps, Box::new(happens)));
    }

    /// Note what is done from now on.
    pub(super) fn watch(&self) {
        *self.log.lock().unwrap() = Some(Vec::new());
    }

    /// What was done since.
    pub(super) fn watched(&self) -> Vec<Op> {
        self.log.lock().unwrap().take().unwrap_or_default()
    }

    pub(super) fn done(&self, op: impl FnOnce() -> Op) {
        if let Some(log) = &mut *self.log.lock().unwrap() {
            log.push(op());
        }
    }

    pub(crate) fn clear(&self) {
        self.set(usize::MAX, 0);
    }

    pub(crate) fn step(&self) -> io::Result<()> {
        let step = self.taken.fetch_add(1, Ordering::Relaxed);
        if let Some((_, happens)) = self.meanwhile.lock().unwrap().take_if(|(at, _)| *at == step) {
            happens();
        }
        let first = self.first.load(Ordering::Relaxed);
        if step >= first && step - first < self.count.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
