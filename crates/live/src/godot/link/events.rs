//! What the other side told by itself, kept as text until somebody asks, and within bounds: of what is
//! too large, and of what nobody asked for in time, only the number stays.

use std::collections::VecDeque;

use serde_json::Value;
use serde_json::value::RawValue;

use super::message::values;

/// So many are kept.
const MAX_EVENTS: usize = 500;
/// So many bytes of all together.
const MAX_KEPT: usize = 8 << 20;
/// A larger one is dropped; the addon's are some kilobytes.
const MAX_EVENT: usize = 1 << 20;
/// So is one of more values, which take many times their text once they are read.
const MAX_VALUES: usize = 20_000;

#[derive(Default)]
pub(super) struct Events {
    kept: VecDeque<(u64, Box<str>)>,
    bytes: usize,
    last: u64,
    dropped: usize,
}

impl Events {
    /// Keep one, and let go of the oldest where that is too much.
    pub(super) fn keep(&mut self, event: &RawValue) {
        let text = event.get();
        self.last += 1;
        if text.len() > MAX_EVENT || values(text.as_bytes()) > MAX_VALUES {
            self.dropped += 1;
            return;
        }
        self.bytes += text.len();
        self.kept.push_back((self.last, text.into()));
        while self.kept.len() > MAX_EVENTS || self.bytes > MAX_KEPT {
            self.bytes -= self.kept.pop_front().map_or(0, |(_, oldest)| oldest.len());
        }
    }

    /// Those after one of this number, and the number of the last one.
    pub(super) fn since(&self, since: u64) -> (Vec<Value>, u64) {
        let newer = self.kept.iter().filter(|(number, _)| *number > since);
        (newer.filter_map(|(_, text)| serde_json::from_str(text).ok()).collect(), self.last)
    }

    /// How many were too large to be kept.
    pub(super) fn dropped(&self) -> usize {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(events: &mut Events, text: &str) {
        events.keep(&RawValue::from_string(text.to_owned()).unwrap());
    }

    #[test]
    fn bytes_and_values_are_bounded_and_what_is_dropped_is_counted() {
        let mut events = Events::default();
        keep(&mut events, &format!("\"{}\"", "x".repeat(MAX_EVENT)));
        keep(&mut events, &format!("[0{}]", ",0".repeat(MAX_VALUES)));
        assert_eq!((events.since(0), events.dropped()), ((vec![], 2), 2));
        let large = format!("\"{}\"", "x".repeat(MAX_EVENT - 2));
        for _ in 0..20 {
            keep(&mut events, &large);
        }
        assert_eq!((events.kept.len(), events.bytes), (8, MAX_KEPT));
        for number in 0..1000 {
            keep(&mut events, &number.to_string());
        }
        let (newest, last) = events.since(0);
        assert_eq!((newest.len(), newest.last(), last), (500, Some(&999.into()), 1022));
        assert!(events.bytes < 5000);
        assert_eq!((events.since(last).0.len(), events.dropped()), (0, 2));
    }
}
