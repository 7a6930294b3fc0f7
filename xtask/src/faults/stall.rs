//! While one client sends the largest messages there are, another one is answered as if nothing were.

use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;

use super::Ground;
use super::client::{Client, Host, Transport};
use super::places;
use super::report::{Report, Tally};
use crate::bench::usage;

/// The largest message that is taken.
const SIZE: usize = (16 << 20) - 256;
/// What every other call should be answered in.
const GOAL: Duration = Duration::from_millis(50);
/// What it must be in the short form, which also runs where others are at work.
const LATEST: Duration = Duration::from_millis(250);
/// A machine that was busy for a moment gets another try; a server that stalls does so each time.
const CHANCES: usize = 3;
const HOPELESS: Duration = Duration::from_secs(1);
/// No message is handled for longer; a connection that breaks counts as much.
const LIMIT: Duration = Duration::from_secs(10);
const ID: u64 = 7;

/// A message that is as long as it may be, by what makes it so.
type Huge = (&'static str, fn() -> String);

const MESSAGES: [Huge; 11] = [
    ("method", || request(&"x".repeat(SIZE), "{}")),
    ("tool name", || tool(&"x".repeat(SIZE), "{}")),
    ("name of an unknown argument", || {
        tool("mcp_health", &format!("{{\"{}\":1}}", "x".repeat(SIZE)))
    }),
    ("value of an argument", || tool("project_info", &member("projectPath", &"x".repeat(SIZE)))),
    ("query of one word", || tool("tools_search", &member("query", &"x".repeat(SIZE)))),
    ("query of many words", || tool("tools_search", &member("query", &"add ".repeat(SIZE / 4)))),
    ("deep nesting", || request("tools/call", &("[".repeat(SIZE / 2) + &"]".repeat(SIZE / 2)))),
    ("array of millions", || {
        let paths = "\"a\",".repeat(SIZE / 4 - 4);
        tool("scene_query", &format!("{{\"paths\":[{paths}\"a\"]}}"))
    }),
    ("batch", || {
        let one = r#"{"jsonrpc":"2.0","id":7,"method":"ping"},"#;
        let many = one.repeat(SIZE / one.len() - 1);
        format!("[{}]", many.trim_end_matches(','))
    }),
    ("resource uri", || {
        request("resources/read", &member("uri", &format!("godot://script/{}", "x".repeat(SIZE))))
    }),
    ("argument of a prompt", || {
        let arguments = member("tool", &"x".repeat(SIZE));
        request("prompts/get", &format!("{{\"name\":\"explain_tool\",\"arguments\":{arguments}}}"))
    }),
];

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let most = if ground.options.full { GOAL } else { LATEST };
    for transport in Transport::ALL {
        let mut table = String::new();
        let mut tally = Tally::default();
        let mut worst = (Duration::ZERO, "");
        let mut peak: f64 = 0.0;
        let mut at_rest = Duration::ZERO;
        for (number, (name, message)) in MESSAGES.into_iter().enumerate() {
            // In the short form each message has one transport, in turn.
            if !ground.options.full && Transport::ALL[number % Transport::ALL.len()] != transport {
                continue;
            }
            tally.tries += 1;
            let message = message();
            let seen = slowest(ground, transport, &message, most)
                .with_context(|| format!("{name} over {}", transport.name()))?;
            peak = peak.max(seen.grown_mb);
            at_rest = at_rest.max(seen.at_rest);
            write!(table, "\n    {name}: {} ms", seen.slowest.as_millis())?;
            write!(table, ", itself {} ms", seen.itself.as_millis())?;
            write!(table, ", {:.0} MB more", seen.grown_mb)?;
            if seen.slowest > worst.0 {
                worst = (seen.slowest, name);
            }
            if seen.slowest > most {
                let (others, goal) = (seen.slowest.as_millis(), most.as_millis());
                tally.fail(format!("{name}: others waited {others} ms, not {goal}"));
            }
        }
        eprintln!("  others wait over {}, while it handles a huge{table}", transport.name());
        let (slowest, name) = worst;
        let (slowest, at_rest) = (slowest.as_millis(), at_rest.as_millis());
        tally.notes = format!("{slowest} ms ({name}), {at_rest} ms at rest; {peak:.0} MB more");
        report.add(&format!("stall by 16 MiB over {}", transport.name()), tally);
    }
    Ok(())
}

/// What was seen while a message was handled.
struct Seen {
    /// Another client's slowest call.
    slowest: Duration,
    /// The same with nothing to handle: what this machine adds.
    at_rest: Duration,
    itself: Duration,
    grown_mb: f64,
}

fn slowest(ground: &Ground, transport: Transport, message: &str, most: Duration) -> Result<Seen> {
    let mut best = once(ground, transport, message)?;
    for _ in 1..CHANCES {
        if best.slowest <= most || best.slowest > HOPELESS {
            break;
        }
        let seen = once(ground, transport, message)?;
        if seen.slowest < best.slowest {
            best = seen;
        }
    }
    Ok(best)
}

/// A server of its own, so that no message pays for another.
fn once(ground: &Ground, transport: Transport, message: &str) -> Result<Seen> {
    let folder = ground.folder("stall")?;
    let (projects, home) = (folder.join("open"), folder.join("home"));
    fs::create_dir_all(&home)?;
    places::copy_sample("unity", &projects)?;
    places::copy_sample("godot", &projects)?;
    let mut host = Host::start(ground, &projects, &home, &[])?;
    let mut sender = host.client(transport)?;
    let mut other = host.client(Transport::Http)?;
    // The first call takes longer than the others.
    other.call("mcp_health", &json!({}))?;
    let at_rest = call_for(&mut other, Duration::from_millis(200))?;
    let before = usage::peak_mb(host.server.pid());
    let over = AtomicBool::new(false);
    let (itself, slowest, after) = thread::scope(|scope| {
        let over = &over;
        let waiting = scope.spawn(move || call_until(other, over));
        thread::sleep(Duration::from_millis(20));
        let started = Instant::now();
        // Refused, answered or the connection closed: all are fine as long as the others go on.
        // The client stays until the end: the server goes with the one on stdio.
        let sending = scope.spawn(move || {
            let _ = sender.exchange(message, ID);
            sender
        });
        while !sending.is_finished() && started.elapsed() < LIMIT {
            thread::sleep(Duration::from_millis(1));
        }
        let itself = started.elapsed();
        over.store(true, Ordering::SeqCst);
        let after = usage::peak_mb(host.server.pid());
        if !sending.is_finished() {
            // Whoever still waits for an answer would wait for long.
            host.server.kill();
        }
        (itself, waiting.join().expect("it does not panic"), after)
    });
    let grown = after.zip(before).map(|(after, before)| after - before);
    Ok(Seen { slowest, at_rest, itself, grown_mb: grown.unwrap_or_default() })
}

/// Call for a while; the slowest answer.
fn call_for(client: &mut Client, time: Duration) -> Result<Duration> {
    let (started, mut slowest) = (Instant::now(), Duration::ZERO);
    while started.elapsed() < time {
        let asked = Instant::now();
        client.call("mcp_health", &json!({}))?;
        slowest = slowest.max(asked.elapsed());
    }
    Ok(slowest)
}

/// Call without a pause; the slowest answer, or the wait for the one that never came.
fn call_until(mut client: Client, over: &AtomicBool) -> Duration {
    let mut slowest = Duration::ZERO;
    loop {
        let asked = Instant::now();
        let answer = client.call("mcp_health", &json!({}));
        slowest = slowest.max(asked.elapsed());
        if over.load(Ordering::SeqCst) {
            return slowest;
        }
        if answer.is_err() {
            return LIMIT;
        }
    }
}

fn request(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{ID},"method":"{method}","params":{params}}}"#)
}

fn tool(name: &str, arguments: &str) -> String {
    request("tools/call", &format!(r#"{{"name":"{name}","arguments":{arguments}}}"#))
}

fn member(name: &str, text: &str) -> String {
    format!(r#"{{"{name}":"{text}"}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_is_longer_than_may_be() {
        for (name, message) in MESSAGES {
            let length = message().len();
            assert!(length <= 16 << 20, "{name}: {length}");
            assert!(length > 15 << 20, "{name}: {length}");
        }
    }
}
