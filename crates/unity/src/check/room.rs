//! How many large files are judged at once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What files that are judged at the same time may weigh together.
const CAPACITY: usize = 64 << 20;

/// Lets files in as long as they fit together. One that never fits waits until it is alone.
#[derive(Default)]
pub(super) struct Room {
    taken: Mutex<usize>,
    left: Condvar,
}

/// A file that is inside.
pub(super) struct Place<'a> {
    room: &'a Room,
    weight: usize,
}

impl Room {
    /// Waits for a place. Whoever has one must not ask for a second.
    pub(super) fn enter(&self, weight: usize) -> Place<'_> {
        let is_full = |taken: &mut usize| *taken > 0 && *taken + weight > CAPACITY;
        let taken = self.left.wait_while(self.taken(), is_full);
        *taken.unwrap_or_else(PoisonError::into_inner) += weight;
        Place { room: self, weight }
    }

    fn taken(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.room.taken() -= self.weight;
        self.room.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn large_files_are_judged_one_after_the_other_and_small_ones_together() {
        let (room, inside, most) = (Room::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        let visit = |weight: usize| {
            let _place = room.enter(weight);
            let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            std::thread::yield_now();
            inside.fetch_sub(1, Ordering::SeqCst);
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|_| visit(2 * CAPACITY)));
            }
        });
        assert_eq!((most.load(Ordering::SeqCst), *room.taken()), (1, 0));
        let (first, second) = (room.enter(1), room.enter(1));
        drop((first, second));
    }
}
