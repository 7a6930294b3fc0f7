//! Twice as many calls at once as the interface takes, each of which lasts.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::{PLACES, none, payload};
use crate::bench::table::{Row, goal, number};
use crate::explorer::{Caller, call};

pub(super) const REQUESTS: u64 = 64;
/// The document's words.
const REFUSAL: &str = "Cannot have more than 32 parallel requests. Please slow down.";

/// How the burst was taken.
#[derive(Debug, Default)]
pub(super) struct Burst {
    pub(super) answered: u64,
    refused: u64,
    /// Anything else, and an example of it.
    odd: u64,
    example: Option<String>,
    /// How long the last refusal took.
    slowest_refusal: Duration,
}

enum Said {
    Done,
    Refused(Duration),
    Odd(String),
}

pub(super) fn run(host: &str) -> Result<Burst> {
    let callers: Vec<Caller> = (0..REQUESTS).map(|_| Caller::open(host)).collect::<Result<_>>()?;
    let start = Barrier::new(callers.len());
    let all = thread::scope(|scope| {
        let threads: Vec<_> = callers
            .into_iter()
            .enumerate()
            .map(|(number, caller)| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    ask(caller, number).unwrap_or_else(|error| Said::Odd(format!("{error:#}")))
                })
            })
            .collect();
        let said = threads.into_iter().map(|thread| thread.join().expect("it does not panic"));
        said.collect::<Vec<_>>()
    });
    let mut burst = Burst::default();
    for said in all {
        match said {
            Said::Done => burst.answered += 1,
            Said::Refused(after) => {
                burst.refused += 1;
                burst.slowest_refusal = burst.slowest_refusal.max(after);
            }
            Said::Odd(text) => {
                burst.odd += 1;
                burst.example.get_or_insert(text);
            }
        }
    }
    Ok(burst)
}

/// A loop that takes about a hundredth of a second; the world runs one at a time.
fn ask(mut caller: Caller, number: usize) -> Result<Said> {
    let code = "int sum = 0; for (int i = 0; i < 20000; i++) { sum = i; }\nreturn sum;";
    let message = call(&format!("\"b0-{number}\""), "ConsoleEval", &json!({ "code": code }));
    let started = Instant::now();
    let (status, body) = caller.ask(&message)?;
    let answer: Value = serde_json::from_slice(body)?;
    let error = &answer["error"];
    let is_refusal = error["message"] == REFUSAL
        && error["code"] == -32005
        && error["data"]["kind"] == "RateLimited";
    Ok(match status {
        200 if payload(&answer)["result"] == "19999" => Said::Done,
        429 if is_refusal => Said::Refused(started.elapsed()),
        _ => Said::Odd(format!("HTTP {status}: {answer}")),
    })
}

impl Burst {
    pub(super) fn rows(&self) -> Vec<Row> {
        let count = |count: u64| number(Some(count as f64), 0);
        let label = format!("{REQUESTS} calls at once: answered");
        let slowest = number(Some(self.slowest_refusal.as_secs_f64() * 1e3), 1);
        let is_enough = self.answered >= PLACES as u64;
        vec![
            goal(&label, count(self.answered), "≥ 32", Some(is_enough)),
            goal("… refused with 429", count(self.refused), "> 0", Some(self.refused > 0)),
            none("… anything else", self.odd, self.example.clone()),
            ["… the slowest refusal, ms", &slowest, "", "", ""].map(str::to_owned),
        ]
    }
}
