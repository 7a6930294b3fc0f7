//! What others keep with a world.
//!
//! Hooks are of this world, come and go and are copied with it, but what they are made of is above
//! this crate. A world therefore carries them without knowing what they are.

use std::any::Any;
use std::sync::Arc;

use crate::world::World;

/// One value of each type that was asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attached(Vec<Arc<dyn Any + Send + Sync>>);

impl World {
    /// What is kept with this world; nothing as long as nobody changed it.
    pub fn attached<T: Any>(&self) -> Option<&T> {
        self.attached.0.iter().find_map(|kept| kept.downcast_ref())
    }

    /// What is kept with this world, to change it.
    pub fn attached_mut<T: Any + Clone + Default + Send + Sync>(&mut self) -> &mut T {
        let kept = &mut self.attached.0;
        let at = kept.iter().position(|kept| kept.is::<T>()).unwrap_or(kept.len());
        // A copy of the world may hold the same one, and is not to see the change.
        match kept.get_mut(at).map(|kept| (Arc::get_mut(kept).is_some(), kept)) {
            Some((true, _)) => {}
            Some((false, shared)) => {
                let own: T = shared.downcast_ref().cloned().unwrap_or_default();
                *shared = Arc::new(own);
            }
            None => kept.push(Arc::new(T::default())),
        }
        let own = Arc::get_mut(&mut kept[at]).and_then(|kept| kept.downcast_mut());
        own.expect("it is of that type and nobody else has it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_world_has_its_own() {
        let mut world = World::default();
        assert_eq!(world.attached::<Vec<u8>>(), None);
        world.attached_mut::<Vec<u8>>().push(1);
        world.attached_mut::<String>().push('x');
        let mut copy = world.clone();
        copy.attached_mut::<Vec<u8>>().push(2);
        assert_eq!(world.attached(), Some(&vec![1_u8]));
        assert_eq!(copy.attached(), Some(&vec![1_u8, 2]));
        assert_eq!(copy.attached(), Some(&"x".to_owned()));
    }
}
