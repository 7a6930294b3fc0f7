//! What an object asks of whoever lays it out. Several of its components may have a say.

/// What an object asks for along one axis.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wants {
    min: Ask,
    preferred: Ask,
    flexible: Ask,
}

/// What one component of an object asks for along one axis; it has no say where it is below zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    pub(super) priority: i64,
    pub(super) min: f32,
    pub(super) preferred: f32,
    pub(super) flexible: f32,
    /// Why the preferred size is a guess, when it is one.
    pub(super) guess: Option<Guess>,
}

/// Why a size cannot be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    /// Nobody measured the letters.
    Font,
    /// Nobody read the image.
    Sprite,
}

#[derive(Debug, Clone, Copy)]
struct Ask {
    value: f32,
    priority: i64,
    guess: Option<Guess>,
}

impl Wants {
    /// One of the components speaks.
    pub(super) fn hear(&mut self, voice: &Voice) {
        self.min.hear(voice.min, voice.priority, None);
        self.preferred.hear(voice.preferred, voice.priority, voice.guess);
        self.flexible.hear(voice.flexible, voice.priority, None);
    }

    pub(super) fn min(&self) -> f32 {
        self.min.value
    }

    pub(super) fn preferred(&self) -> f32 {
        self.preferred.value.max(self.min.value)
    }

    pub(super) fn flexible(&self) -> f32 {
        self.flexible.value
    }

    /// Why the preferred size is a guess, when it is one.
    pub(super) fn guess(&self) -> Option<Guess> {
        self.preferred.guess
    }
}

impl Ask {
    /// The highest priority counts, and among equals the most. What is no number has no say.
    fn hear(&mut self, value: f32, priority: i64, guess: Option<Guess>) {
        let is_higher = priority > self.priority;
        let is_more = priority == self.priority && value > self.value;
        if value >= 0.0 && (is_higher || is_more) {
            *self = Ask { value, priority, guess };
        }
    }
}

impl Default for Ask {
    fn default() -> Ask {
        Ask { value: 0.0, priority: i64::MIN, guess: None }
    }
}

impl Voice {
    /// No say in anything.
    pub(super) const SILENT: Voice =
        Voice { priority: 0, min: -1.0, preferred: -1.0, flexible: -1.0, guess: None };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voice(priority: i64, min: f32, preferred: f32) -> Voice {
        Voice { priority, min, preferred, ..Voice::SILENT }
    }

    #[test]
    fn the_highest_priority_counts_for_each_number_by_itself() {
        let mut wants = Wants::default();
        for voice in [voice(0, 7.0, 30.0), voice(1, -1.0, 20.0), voice(0, 9.0, 90.0)] {
            wants.hear(&voice);
        }
        assert_eq!((wants.min(), wants.preferred(), wants.flexible()), (9.0, 20.0, 0.0));
    }

    #[test]
    fn the_preferred_size_is_at_least_the_smallest() {
        let mut wants = Wants::default();
        wants.hear(&voice(0, 50.0, 20.0));
        assert_eq!(wants.preferred(), 50.0);
    }

    #[test]
    fn what_is_no_number_has_no_say() {
        let mut wants = Wants::default();
        wants.hear(&voice(0, f32::NAN, f32::NAN));
        assert_eq!((wants.min(), wants.preferred()), (0.0, 0.0));
    }
}
