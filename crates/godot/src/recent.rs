//! Large scenes that were read lately. Whoever changes one reads it, writes it and looks at it again,
//! and each time most of it is the same.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Scene;

/// Smaller ones are read as soon as found again.
const LEAST: usize = 64 << 10;
/// Bytes of all that are kept; the oldest go first.
const MAX_BYTES: usize = 32 << 20;

/// The scenes that were read last, known by their bytes.
#[derive(Debug, Default)]
pub struct Recent(Mutex<Vec<Scene>>);

impl Recent {
    /// The scene that these bytes are.
    pub fn scene(&self, bytes: Cow<'_, [u8]>) -> Scene {
        if let Some(known) = self.find(&bytes) {
            return known;
        }
        let scene = Scene::parse(bytes);
        self.put_first(scene.clone());
        scene
    }

    /// Remember a scene that somebody may ask for soon.
    pub fn keep(&self, scene: &Scene) {
        if self.find(scene.as_bytes()).is_none() {
            self.put_first(scene.clone());
        }
    }

    fn find(&self, bytes: &[u8]) -> Option<Scene> {
        // Compared without the lock: it may take a millisecond.
        let kept = self.kept().clone();
        let is_it =
            |scene: &Scene| std::ptr::eq(scene.as_bytes(), bytes) || scene.as_bytes() == bytes;
        let found = kept.into_iter().find(is_it)?;
        self.put_first(found.clone());
        Some(found)
    }

    fn put_first(&self, scene: Scene) {
        if scene.as_bytes().len() < LEAST {
            return;
        }
        let mut kept = self.kept();
        kept.retain(|known| !known.is_same(&scene));
        kept.insert(0, scene);
        let mut bytes = 0;
        kept.retain(|scene| {
            bytes += scene.as_bytes().len();
            bytes <= MAX_BYTES
        });
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Scene>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(size: usize, name: &str) -> Vec<u8> {
        let mut text = format!("[gd_scene format=3]\n\n[node name=\"{name}\" type=\"Node\"]\n");
        text.extend(std::iter::repeat_n(' ', size));
        text.into_bytes()
    }

    #[test]
    fn what_was_read_is_found_by_its_bytes() {
        let recent = Recent::default();
        let first = recent.scene(scene(LEAST, "A").into());
        assert!(recent.scene(scene(LEAST, "A").into()).is_same(&first));
        let other = recent.scene(scene(LEAST, "B").into());
        assert_eq!(other.root().map(|root| root.name().into_owned()).as_deref(), Some("B"));
        assert!(recent.scene(scene(LEAST, "A").into()).is_same(&first));
        let small = scene(0, "A");
        assert!(!recent.scene((&*small).into()).is_same(&recent.scene((&*small).into())));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let recent = Recent::default();
        let first = recent.scene(scene(MAX_BYTES / 2, "A").into());
        let second = recent.scene(scene(MAX_BYTES / 2, "B").into());
        recent.keep(&second);
        assert!(!recent.scene(scene(MAX_BYTES / 2, "A").into()).is_same(&first));
    }
}
