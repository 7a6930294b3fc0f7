//! How many large files are read at once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets files in as long as they fit together. One that never fits waits until it is alone.
#[derive(Debug)]
pub struct Room {
    capacity: usize,
    taken: Mutex<usize>,
    left: Condvar,
}

/// A file that is inside.
#[derive(Debug)]
pub struct Place<'a> {
    room: &'a Room,
    weight: usize,
}

impl Room {
    /// A room for files that weigh so much together.
    pub fn new(capacity: usize) -> Room {
        Room { capacity, taken: Mutex::default(), left: Condvar::new() }
    }

    /// Waits for a place; what weighs nothing does not wait. Whoever has one must not ask for a second.
    pub fn enter(&self, weight: usize) -> Place<'_> {
        let is_full = |taken: &mut usize| {
            weight > 0 && *taken > 0 && taken.saturating_add(weight) > self.capacity
        };
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
    fn large_files_are_read_one_after_the_other_and_small_ones_together() {
        let (room, inside, most) = (Room::new(64), AtomicUsize::new(0), AtomicUsize::new(0));
        let visit = |weight: usize| {
            let _place = room.enter(weight);
            let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            std::thread::yield_now();
            inside.fetch_sub(1, Ordering::SeqCst);
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|_| visit(128)));
            }
        });
        assert_eq!((most.load(Ordering::SeqCst), *room.taken()), (1, 0));
        let (first, second) = (room.enter(1), room.enter(1));
        drop((first, second));
    }
}
