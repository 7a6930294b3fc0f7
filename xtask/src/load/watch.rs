//! What one stream showed.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::explorer::{Event, Events, Message};

/// What was seen on a stream until its last event.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) messages: u64,
    /// Answers to the callers.
    pub(super) answers: Tally,
    /// Answers to the burst.
    pub(super) burst: Tally,
    /// `tool_result` of code, by the id that the code gave.
    pub(super) evals: Tally,
    results: BTreeMap<String, u64>,
    pub(super) selections: u64,
    /// Selections that only say how things are at the start.
    pub(super) at_first: u64,
    pub(super) dropped: u64,
}

/// Read until code gave `last`.
pub(super) fn read(mut stream: Events, last: &str) -> Result<Seen> {
    let mut seen = Seen::default();
    loop {
        let message = stream.next()?.context("it ended early")?;
        if seen.note(message, last)? {
            return Ok(seen);
        }
    }
}

#[derive(Deserialize)]
struct ToolResult<'a> {
    name: String,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Given {
    result: String,
}

impl Seen {
    /// How many `tool_result` events of a tool there were.
    pub(super) fn results_of(&self, tool: &str) -> u64 {
        self.results.get(tool).copied().unwrap_or_default()
    }

    /// Count a message; true when it was the last.
    fn note(&mut self, message: &[u8], last: &str) -> Result<bool> {
        self.messages += 1;
        let message = Message::parse(message)?;
        match (&message.id, &message.params) {
            (Some(id), _) => match (call_of(id, 'c'), call_of(id, 'b')) {
                (Some((caller, number)), _) => self.answers.add(caller, number),
                (_, Some((caller, number))) => self.burst.add(caller, number),
                _ => {}
            },
            (None, Some(event)) => return self.note_event(event, last),
            (None, None) => {}
        }
        Ok(false)
    }

    fn note_event(&mut self, event: &Event<'_>, last: &str) -> Result<bool> {
        match &*event.name {
            // `stream_events` begins with the scenes and the selection.
            "scenes" if self.messages == 1 => self.at_first = 1,
            "selection" => self.selections += 1,
            "log" if event.payload.get().contains("backpressure") => self.dropped += 1,
            "tool_result" => return self.note_result(event.payload.get(), last),
            _ => {}
        }
        Ok(false)
    }

    fn note_result(&mut self, payload: &str, last: &str) -> Result<bool> {
        let told: ToolResult<'_> = serde_json::from_str(payload)?;
        let given = match told.result {
            Some(result) if told.name == "ConsoleEval" => Some(result.get()),
            _ => None,
        };
        *self.results.entry(told.name).or_default() += 1;
        let Some(given) = given else { return Ok(false) };
        let given: Given = serde_json::from_str(given)?;
        if let Some((caller, number)) = call_of(&given.result, 'c') {
            self.evals.add(caller, number);
        }
        Ok(given.result == last)
    }
}

/// The caller and the number in an id such as `c3-17`.
fn call_of(id: &str, first: char) -> Option<(usize, usize)> {
    let (caller, number) = id.strip_prefix(first)?.split_once('-')?;
    Some((caller.parse().ok()?, number.parse().ok()?))
}

/// How often each numbered thing of each caller was seen.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<Vec<u8>>);

impl Tally {
    fn add(&mut self, caller: usize, number: usize) {
        // The server cannot make us keep more than we may have asked for.
        if caller > 1000 || number > 100_000_000 {
            return;
        }
        if self.0.len() <= caller {
            self.0.resize(caller + 1, Vec::new());
        }
        let calls = &mut self.0[caller];
        if calls.len() <= number {
            calls.resize(number + 1, 0);
        }
        calls[number] = calls[number].saturating_add(1);
    }

    /// How many of the first `made[caller]` were not seen once, and how many others were seen.
    pub(super) fn wrong(&self, made: &[u64]) -> u64 {
        let all: Vec<Vec<u64>> = made.iter().map(|made| (0..*made).collect()).collect();
        self.wrong_among(&all)
    }

    /// The same for calls that have these numbers.
    pub(super) fn wrong_among(&self, made: &[Vec<u64>]) -> u64 {
        let seen = |caller: usize, number: u64| -> u8 {
            let calls = self.0.get(caller);
            calls.and_then(|calls| calls.get(number as usize)).copied().unwrap_or_default()
        };
        let mut expected = 0;
        let mut wrong = 0;
        for (caller, numbers) in made.iter().enumerate() {
            for number in numbers {
                let times = u64::from(seen(caller, *number));
                expected += times;
                wrong += times.abs_diff(1);
            }
        }
        let all: u64 = self.0.iter().flatten().map(|times| u64::from(*times)).sum();
        wrong + (all - expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_lost_doubled_or_strange() {
        let mut tally = Tally::default();
        for (caller, number) in [(0, 0), (0, 1), (0, 1), (2, 0), (2, 5)] {
            tally.add(caller, number);
        }
        assert_eq!(tally.wrong(&[2, 0, 1]), 2, "one twice, and one nobody asked for");
        assert_eq!(tally.wrong(&[3, 1, 1]), 4, "two more are missing");
        assert_eq!(tally.wrong_among(&[vec![0], vec![], vec![0, 5]]), 2);
    }

    #[test]
    fn counts_messages() {
        let event = |name: &str, payload: &str| {
            let params = format!(r#"{{"event":"{name}","payload":{payload}}}"#);
            format!(r#"{{"jsonrpc":"2.0","method":"notification","params":{params}}}"#)
        };
        let eval = |id: &str| {
            let payload = r#"{"name":"ConsoleEval","ok":true,"result":{"ok":true,"result":"ID"}}"#;
            event("tool_result", &payload.replace("ID", id))
        };
        let messages = [
            event("scenes", "{}"),
            event("selection", "{}"),
            r#"{"jsonrpc":"2.0","id":"c1-0","result":{}}"#.to_owned(),
            eval("c1-0"),
            event("selection", "{}"),
            event("log", r#"{"message":"[MCP] http stream 1 backpressure: dropped 1"}"#),
            eval("last"),
        ];
        let mut seen = Seen::default();
        let notes = messages.iter().map(|text| seen.note(text.as_bytes(), "last").expect("JSON"));
        assert_eq!(notes.collect::<Vec<_>>(), [false, false, false, false, false, false, true]);
        assert_eq!(seen.answers.wrong(&[0, 1]), 0);
        assert_eq!(seen.evals.wrong(&[0, 1]), 0);
        assert_eq!((seen.selections, seen.at_first, seen.dropped), (2, 1, 1));
        assert_eq!(seen.results_of("ConsoleEval"), 2);
    }
}
