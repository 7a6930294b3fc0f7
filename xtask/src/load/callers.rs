//! Callers that take one tool after the other and look at every answer.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::payload;
use crate::explorer::{Caller, call};

/// What is called, in turn.
pub(super) const TOOLS: [&str; 6] =
    ["GetStatus", "SearchObjects", "GetObject", "SelectObject", "SetActive", "ConsoleEval"];

/// A caller gives up after so many failures.
const PATIENCE: u64 = 20;

/// The calls that were made; those of a caller are numbered.
#[derive(Debug, Default)]
pub(super) struct Made {
    callers: Vec<Calls>,
}

/// Those of one caller.
#[derive(Debug, Default)]
pub(super) struct Calls {
    made: u64,
    failures: u64,
    first_failure: Option<String>,
}

impl FromIterator<Calls> for Made {
    fn from_iter<I: IntoIterator<Item = Calls>>(callers: I) -> Made {
        Made { callers: callers.into_iter().collect() }
    }
}

impl Made {
    pub(super) fn total(&self) -> u64 {
        self.callers.iter().map(|caller| caller.made - caller.failures).sum()
    }

    pub(super) fn failures(&self) -> u64 {
        self.callers.iter().map(|caller| caller.failures).sum()
    }

    pub(super) fn first_failure(&self) -> Option<String> {
        self.callers.iter().find_map(|caller| caller.first_failure.clone())
    }

    /// How many calls each caller made.
    pub(super) fn per_caller(&self) -> Vec<u64> {
        self.callers.iter().map(|caller| caller.made).collect()
    }

    /// How many calls of a tool there were.
    pub(super) fn of(&self, tool: &str) -> u64 {
        let place = |caller: usize, number: u64| tool_of(caller, number) == tool;
        let callers = self.callers.iter().enumerate();
        // Whole turns have each tool once; the last one may be unfinished.
        let turn = TOOLS.len() as u64;
        callers
            .map(|(caller, calls)| {
                let rest = (calls.made / turn * turn..calls.made).filter(|n| place(caller, *n));
                calls.made / turn + rest.count() as u64
            })
            .sum()
    }

    /// The numbers of the calls that ran code, caller by caller.
    pub(super) fn evals(&self) -> Vec<Vec<u64>> {
        let callers = self.callers.iter().enumerate();
        let evals = |(caller, calls): (usize, &Calls)| {
            (0..calls.made).filter(|number| tool_of(caller, *number) == "ConsoleEval").collect()
        };
        callers.map(evals).collect()
    }
}

/// The callers begin at different places, so that tools meet.
fn tool_of(caller: usize, number: u64) -> &'static str {
    TOOLS[(caller + number as usize) % TOOLS.len()]
}

/// Call until `end`. The id of a call, which also is the result of its code, is unique.
pub(super) fn call_until(
    host: &str,
    number: usize,
    objects: &[String],
    end: Instant,
) -> Result<Calls> {
    let mut caller = Caller::open(host)?;
    let mut calls = Calls::default();
    while Instant::now() < end {
        let id = format!("c{number}-{}", calls.made);
        let tool = tool_of(number, calls.made);
        let object = &objects[(number + calls.made as usize) % objects.len()];
        let asked = ask(&mut caller, &id, tool, object).with_context(|| format!("{tool} {id}"));
        calls.made += 1;
        if let Err(error) = asked {
            calls.failures += 1;
            calls.first_failure.get_or_insert(format!("{error:#}"));
            if calls.failures >= PATIENCE {
                break;
            }
        }
    }
    Ok(calls)
}

fn ask(caller: &mut Caller, id: &str, tool: &str, object: &str) -> Result<()> {
    let arguments = match tool {
        "SearchObjects" => json!({ "name": "lantern", "limit": 3 }),
        "GetObject" => json!({ "id": object }),
        "SelectObject" => json!({ "objectId": object }),
        "SetActive" => json!({ "objectId": object, "active": true }),
        "ConsoleEval" => json!({ "code": format!("{id:?}") }),
        _ => json!({}),
    };
    let (status, body) = caller.ask(&call(&format!("{id:?}"), tool, &arguments))?;
    ensure!(status == 200, "HTTP {status}: {}", String::from_utf8_lossy(body));
    let answer: Value = serde_json::from_slice(body)?;
    ensure!(answer["id"] == id, "the answer to somebody else: {answer}");
    let payload = payload(&answer);
    let is_good = match tool {
        "GetStatus" => payload["Ready"] == true,
        "SearchObjects" => payload["Items"].as_array().is_some_and(|items| items.len() == 3),
        "GetObject" => payload["Id"] == object,
        "ConsoleEval" => payload["ok"] == true && payload["result"] == id,
        _ => payload["ok"] == true,
    };
    if !is_good {
        bail!("a wrong answer: {answer}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_was_called() {
        let calls = |made| Calls { made, ..Calls::default() };
        let made: Made = [calls(7), calls(2)].into_iter().collect();
        // The first begins with GetStatus and comes back to it, the second with SearchObjects.
        let counts: Vec<u64> = TOOLS.iter().map(|tool| made.of(tool)).collect();
        assert_eq!(counts, [2, 2, 2, 1, 1, 1]);
        assert_eq!(made.evals(), [vec![5], vec![]]);
        assert_eq!(made.total(), 9);
    }
}
