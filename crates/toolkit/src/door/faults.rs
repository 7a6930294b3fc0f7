//! Failures on demand, for tests.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Lets steps of the disk fail.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Steps so far.
    taken: AtomicUsize,
    /// The first step that fails.
    first: AtomicUsize,
    /// How many fail.
    count: AtomicUsize,
}

impl Default for Fault {
    fn default() -> Self {
        Self { taken: 0.into(), first: usize::MAX.into(), count: 0.into() }
    }
}

impl Fault {
    /// From now on count anew; `count` steps fail, the first after `first` good ones.
    pub(crate) fn set(&self, first: usize, count: usize) {
        self.taken.store(0, Ordering::Relaxed);
        self.first.store(first, Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
    }

    pub(crate) fn clear(&self) {
        self.set(usize::MAX, 0);
    }

    pub(crate) fn step(&self) -> io::Result<()> {
        let step = self.taken.fetch_add(1, Ordering::Relaxed);
        let first = self.first.load(Ordering::Relaxed);
        if step >= first && step - first < self.count.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
