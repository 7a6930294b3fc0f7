//! How much of a project's files is held in memory at once.
//!
//! Files are kept for the next look as long as there is room. Those that an expansion holds are in
//! memory whether they are kept or not, so it is these that are counted: what would not fit beside
//! them is not opened, and its instance says so.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::Opaque;
use super::frame::Content;
use super::template::Template;
use crate::{Document, Guid};

/// What all open files may take together, as [`weight`] has it.
pub const MAX_WEIGHT: usize = 160 << 20;

/// What files may take that are only kept for the next look: enough for the prefabs of a large scene.
const MAX_KEPT: usize = 16 << 20;

/// Bytes that one object of a file takes beside its text: 380 were measured.
const OBJECT_WEIGHT: usize = 400;

/// About how many bytes a file takes once it is open.
pub fn weight(bytes: u64, objects: usize) -> usize {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    bytes.saturating_add(objects.saturating_mul(OBJECT_WEIGHT))
}

/// The files that were read, by their guid.
#[derive(Default)]
pub(super) struct Shelf {
    kept: RwLock<HashMap<Guid, Content>>,
    alive: Arc<AtomicUsize>,
}

/// A file's share of what is in memory, for as long as it is there.
pub(super) struct Share {
    weight: usize,
    alive: Arc<AtomicUsize>,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.alive.fetch_sub(self.weight, Ordering::Relaxed);
    }
}

impl Content {
    /// Whether an expansion holds it, so that forgetting it would free nothing.
    fn is_in_use(&self) -> bool {
        match self {
            Content::Template(template) => Arc::strong_count(template) > 1,
            Content::Opaque(_) => true,
        }
    }
}

impl Shelf {
    pub(super) fn get(&self, guid: Guid) -> Option<Content> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).get(&guid).cloned()
    }

    /// The first that was kept stays.
    pub(super) fn keep(&self, guid: Guid, content: Content) -> Content {
        // What does not fit now may fit later.
        if matches!(content, Content::Opaque(Opaque::NoRoom)) {
            return content;
        }
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if self.alive.load(Ordering::Relaxed) > MAX_KEPT {
            kept.retain(|_, content| content.is_in_use());
        }
        kept.entry(guid).or_insert(content).clone()
    }

    pub(super) fn forget(&self, guid: Guid) {
        self.kept.write().unwrap_or_else(PoisonError::into_inner).remove(&guid);
    }

    pub(super) fn len(&self) -> usize {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// A file as a tree, if there is room for it.
    pub(super) fn open(&self, document: Arc<Document>, guid: Guid) -> Content {
        let weight = weight(document.as_bytes().len() as u64, document.objects().len());
        let Some(share) = self.share(weight).or_else(|| {
            // Whoever looks into these holds them; the others are read again when asked for.
            self.kept.write().unwrap_or_else(PoisonError::into_inner).clear();
            self.share(weight)
        }) else {
            return Content::Opaque(Opaque::NoRoom);
        };
        Content::Template(Arc::new(Template::build(document, guid).sharing(share)))
    }

    /// One that is opened by itself finds room beside whatever is open.
    fn share(&self, weight: usize) -> Option<Share> {
        let room =
            |alive: usize| (alive == 0 || alive + weight <= MAX_WEIGHT).then_some(alive + weight);
        let taken = self.alive.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room);
        taken.ok().map(|_| Share { weight, alive: self.alive.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_beside_the_open_files_waits_until_they_are_closed() {
        let shelf = Shelf::default();
        let first = shelf.share(MAX_WEIGHT - 1000);
        assert!(first.is_some() && shelf.share(2000).is_none());
        let document = || Arc::new(Document::parse("--- !u!1 &1\nGameObject:\n  m_Name: A\n"));
        let is_open =
            |guid| matches!(shelf.open(document(), Guid([guid; 16])), Content::Template(_));
        assert!(is_open(1) && is_open(2));
        let (heavy, full) = (shelf.share(900), shelf.open(document(), Guid([3; 16])));
        assert!(matches!(full, Content::Opaque(Opaque::NoRoom)));
        assert!(matches!(shelf.keep(Guid([3; 16]), full), Content::Opaque(_)) && shelf.len() == 0);
        drop((first, heavy));
        assert!(is_open(3) && shelf.alive.load(Ordering::Relaxed) == 0);
    }

    #[test]
    fn what_nobody_uses_is_kept_up_to_a_bound() {
        let shelf = Shelf::default();
        let large = || Arc::new(Document::parse(" ".repeat(MAX_KEPT / 2 + 1)));
        let open = |guid| shelf.keep(Guid([guid; 16]), shelf.open(large(), Guid([guid; 16])));
        let used = open(1);
        drop(open(2));
        assert_eq!(shelf.len(), 2);
        drop(open(3));
        assert!(shelf.get(Guid([2; 16])).is_none() && shelf.get(Guid([3; 16])).is_some());
        assert!(shelf.get(Guid([1; 16])).is_some());
        drop(used);
    }

    #[test]
    fn kept_files_make_room_for_others() {
        let shelf = Shelf::default();
        let document = Document::parse("--- !u!1 &1\nGameObject:\n  m_Name: A\n");
        let kept = shelf.open(Arc::new(document), Guid([1; 16]));
        shelf.keep(Guid([1; 16]), kept);
        let rest = MAX_WEIGHT - 100;
        assert!(shelf.len() == 1 && shelf.share(rest).is_none());
        let large = Document::parse(" ".repeat(1 << 20));
        let taken = shelf.share(MAX_WEIGHT - (1 << 20));
        assert!(taken.is_some());
        assert!(matches!(shelf.open(Arc::new(large), Guid([2; 16])), Content::Template(_)));
        assert_eq!(shelf.len(), 0);
    }
}
