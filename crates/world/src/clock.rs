//! Time scale, and the lock that keeps it.

/// The largest time scale that the interface sets.
pub const MAX_SCALE: f32 = 4.0;

/// How fast time goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    scale: f32,
    locked: bool,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { scale: 1.0, locked: false }
    }
}

impl Clock {
    /// How fast time goes; 1 is as fast as a clock.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Whether only the one who locked it may change it.
    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// Set from outside: `lock` locks it at the value, or unlocks it and sets it. A locked clock
    /// keeps its value while `lock` is not said. The value is kept between 0 and 4.
    pub fn set(&mut self, value: f32, lock: Option<bool>) {
        if !value.is_finite() || (self.locked && lock.is_none()) {
            return;
        }
        self.scale = value.clamp(0.0, MAX_SCALE);
        self.locked = lock.unwrap_or(self.locked);
    }

    /// Set by the game's own code, which a lock stops.
    pub fn set_from_game(&mut self, value: f32) {
        if !self.locked && value.is_finite() {
            self.scale = value.clamp(0.0, 100.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_keeps_the_value() {
        let mut clock = Clock::default();
        clock.set(9.0, Some(true));
        assert_eq!((clock.scale(), clock.is_locked()), (4.0, true));
        clock.set(1.0, None);
        clock.set_from_game(1.0);
        clock.set(f32::NAN, Some(false));
        assert_eq!((clock.scale(), clock.is_locked()), (4.0, true));
        clock.set(0.5, Some(false));
        assert_eq!((clock.scale(), clock.is_locked()), (0.5, false));
    }
}
