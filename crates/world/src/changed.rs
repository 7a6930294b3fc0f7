//! What is no longer as someone may have read it.

use std::collections::BTreeSet;

use crate::ids::ObjectId;
use crate::world::World;

/// More objects are not told one by one.
const MANY: usize = 64;

/// What has changed since the last time someone asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    objects: BTreeSet<ObjectId>,
    /// The free camera.
    pub freecam: bool,
    /// The clipboard.
    pub clipboard: bool,
    /// Which methods are watched.
    pub hooks: bool,
}

impl Changed {
    pub(crate) fn note(&mut self, id: ObjectId) {
        if self.objects.len() <= MANY {
            self.objects.insert(id);
        }
    }

    /// Whether any object was made, changed or destroyed.
    pub fn any_object(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Those objects; nothing when there are too many to name.
    pub fn objects(&self) -> Option<&BTreeSet<ObjectId>> {
        Some(&self.objects).filter(|objects| objects.len() <= MANY)
    }
}

impl World {
    /// What has changed since the last time someone asked.
    pub fn take_changed(&mut self) -> Changed {
        std::mem::take(&mut self.changed)
    }

    /// Say that other methods are watched than before, or not as before.
    pub fn hooks_changed(&mut self) {
        self.changed.hooks = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_named_until_there_are_too_many() {
        let mut world = World::default();
        let parent = world.create("Parent", None).unwrap();
        let child = world.create("Child", Some(parent)).unwrap();
        world.take_changed();
        world.set_active(child, false).unwrap();
        let changed = world.take_changed();
        assert_eq!(changed.objects(), Some(&BTreeSet::from([child])));
        world.destroy(child).unwrap();
        assert_eq!(world.take_changed().objects(), Some(&BTreeSet::from([child, parent])));
        assert!(!world.take_changed().any_object());
        for _ in 0..100 {
            world.create("Other", None).unwrap();
        }
        let changed = world.take_changed();
        assert!(changed.any_object() && changed.objects().is_none());
    }
}
