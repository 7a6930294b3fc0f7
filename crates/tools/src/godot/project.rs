use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use scenewright_godot::{Index, Store};

use crate::godot::engine::{Games, Streams};

/// A Godot project and, once a tool asks for it, its index.
pub struct GodotProject {
    /// What its settings say.
    pub settings: scenewright_godot::Project,
    store: OnceLock<Store>,
    /// Somebody tells the store of changes; otherwise it looks for itself.
    watched: AtomicBool,
    /// The game that this server runs.
    pub(crate) games: Arc<Games>,
    /// The stream of what that game says.
    pub(crate) streams: Streams,
}

impl std::fmt::Debug for GodotProject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(f)
    }
}

impl GodotProject {
    pub(crate) fn new(settings: scenewright_godot::Project) -> Self {
        Self {
            settings,
            store: OnceLock::new(),
            watched: false.into(),
            games: Arc::default(),
            streams: Streams::default(),
        }
    }

    /// The index, built on first use.
    pub fn store(&self) -> &Store {
        let mut fresh = false;
        let store = self.store.get_or_init(|| {
            fresh = true;
            Store::open(&self.settings.root)
        });
        if !fresh && !self.watched.load(Ordering::Relaxed) {
            store.rebuild();
        }
        store
    }

    /// The index, if a tool has asked for it already.
    pub fn open_store(&self) -> Option<&Store> {
        self.store.get()
    }

    /// From now on somebody tells the store when files change.
    pub fn set_watched(&self) {
        self.watched.store(true, Ordering::Relaxed);
    }

    /// The current snapshot.
    pub(crate) fn index(&self) -> Arc<Index> {
        self.store().index()
    }
}
