//! A store that is opened when it is first asked for, and then keeps up with its files.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Something that is read from files and can read them again.
pub trait Follow {
    /// Read these files and folders again, whether they came, changed or went.
    fn refresh(&self, changed: &[PathBuf]);

    /// Look at all files again and read those that changed.
    fn rebuild(&self);
}

/// The same, when somebody may watch the files for it.
pub trait Watched: Follow {
    /// From now on somebody calls [`Follow::refresh`] when files change.
    fn set_watched(&self);
}

/// A store, opened on first use. Until somebody watches its files, it looks for itself whenever it is
/// asked for.
pub struct Lazy<S> {
    store: OnceLock<S>,
    watched: AtomicBool,
}

impl<S> Default for Lazy<S> {
    fn default() -> Self {
        Self { store: OnceLock::new(), watched: AtomicBool::new(false) }
    }
}

impl<S: Follow> Lazy<S> {
    /// The store as the files are now.
    pub fn get(&self, open: impl FnOnce() -> S) -> &S {
        let mut fresh = false;
        let store = self.store.get_or_init(|| {
            fresh = true;
            open()
        });
        if !fresh && !self.watched.load(Ordering::Relaxed) {
            store.rebuild();
        }
        store
    }

    /// The store as it is, if it has been asked for already.
    pub fn opened(&self) -> Option<&S> {
        self.store.get()
    }
}

/// What nobody asked for yet will be read from what is there then.
impl<S: Follow> Follow for Lazy<S> {
    fn refresh(&self, changed: &[PathBuf]) {
        if let Some(store) = self.opened() {
            store.refresh(changed);
        }
    }

    fn rebuild(&self) {
        if let Some(store) = self.opened() {
            store.rebuild();
        }
    }
}

impl<S: Follow> Watched for Lazy<S> {
    fn set_watched(&self) {
        self.watched.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[derive(Default)]
    struct Counts {
        refreshed: AtomicUsize,
        rebuilt: AtomicUsize,
    }

    impl Follow for Counts {
        fn refresh(&self, changed: &[PathBuf]) {
            self.refreshed.fetch_add(changed.len(), Ordering::Relaxed);
        }

        fn rebuild(&self) {
            self.rebuilt.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn it_looks_for_itself_until_somebody_watches() {
        let lazy = Lazy::default();
        lazy.refresh(&["a".into()]);
        assert!(lazy.opened().is_none());
        let told = |lazy: &Lazy<Counts>| {
            let counts = lazy.get(Counts::default);
            (counts.refreshed.load(Ordering::Relaxed), counts.rebuilt.load(Ordering::Relaxed))
        };
        assert_eq!(told(&lazy), (0, 0));
        assert_eq!(told(&lazy), (0, 1));
        lazy.set_watched();
        lazy.refresh(&["a".into(), "b".into()]);
        assert_eq!(told(&lazy), (2, 1));
    }
}
