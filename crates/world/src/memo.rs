//! What was gathered from a world once and holds until something changes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something gathered; a copy of its world gathers it anew.
#[derive(Debug)]
pub(crate) struct Memo<T>(Mutex<Option<Arc<T>>>);

impl<T> Memo<T> {
    /// What is known, as long as it `holds`; otherwise what `gather` finds.
    pub(crate) fn get(&self, holds: impl FnOnce(&T) -> bool, gather: impl FnOnce() -> T) -> Arc<T> {
        let mut known = self.lock();
        if let Some(known) = known.as_ref().filter(|known| holds(known)) {
            return known.clone();
        }
        known.insert(Arc::new(gather())).clone()
    }

    /// Something has changed.
    pub(crate) fn forget(&mut self) {
        *self.0.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo(Mutex::new(None))
    }
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Memo<T> {
        Memo::default()
    }
}
