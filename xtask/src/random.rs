//! Random numbers that are the same for the same seed, on every machine.

use std::time::Duration;

use crate::synth::mix;

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Those of one step of a kind.
    pub fn new(seed: u64, kind: &str, step: usize) -> Random {
        let name = kind.bytes().fold(seed, |state, byte| mix(state ^ u64::from(byte)));
        Random { state: mix(name ^ step as u64) }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A number below `most`; 0 when there is none.
    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    /// One of what is there.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A time up to `most`.
    pub(crate) fn time(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.below(1 << 20) as f64 / f64::from(1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn is_the_same_for_the_same_step() {
        let first = |seed, step| Random::new(seed, "kills", step).next();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(1, 3));
        assert_ne!(first(1, 2), first(2, 2));
    }
}
