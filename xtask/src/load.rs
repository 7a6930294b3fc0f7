//! `cargo xtask load explorer`: many callers and many streams at once, and nothing may be lost.

mod burst;
mod callers;
mod watch;

use std::net::Shutdown;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::bench::table::{Row, align, goal, number};
use crate::bench::usage;
use crate::binary;
use crate::explorer::{self, Caller, Events, Form};
use crate::server::Server;
use burst::Burst;
use callers::{Made, TOOLS};
use watch::Seen;

const USAGE: &str = "usage: cargo xtask load explorer [--seconds S] [--callers N] [--streams N]";
/// Requests that the interface works on at once.
const PLACES: usize = 32;
const MOST_STREAMS: usize = 64;
const MOST_SECONDS: u64 = 3600;
/// What a stream shows last.
const LAST: &str = "the end of the load";
/// How much larger the process may be at the end than it was when warm.
const GROWTH: f64 = 1.10;

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let ["explorer", options @ ..] = args else { bail!(USAGE) };
    let options = parse(options)?;
    let binary = binary::tested()?;
    let limit = Duration::from_secs(options.seconds + 300);
    let extra = ["--allow-writes"];
    let server = explorer::serve(&binary, "load-explorer", &explorer::sample(), &extra, limit)?;
    let outcome = load(&server, &options).with_context(|| server.stderr_tail())?;
    let rows = outcome.rows(&options);
    println!("{}\n{}", align(&rows), footnote(&options));
    ensure!(rows.iter().all(|row| row[4] != "MISSED"), "the load found something wrong");
    Ok(())
}

struct Options {
    seconds: u64,
    callers: usize,
    streams: usize,
}

fn parse(mut options: &[&str]) -> Result<Options> {
    let mut parsed = Options { seconds: 60, callers: PLACES, streams: 8 };
    while let [option, value, rest @ ..] = options {
        let number = |most: u64| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.with_context(|| format!("{option} takes a number from 1 to {most}"))
        };
        match *option {
            "--seconds" => parsed.seconds = number(MOST_SECONDS)?,
            // More would be refused, and that is for the burst to see.
            "--callers" => parsed.callers = number(PLACES as u64)? as usize,
            "--streams" => parsed.streams = number(MOST_STREAMS as u64)? as usize,
            _ => bail!(USAGE),
        }
        options = rest;
    }
    ensure!(options.is_empty(), USAGE);
    Ok(parsed)
}

/// What the run showed.
struct Outcome {
    made: Made,
    seconds: f64,
    burst: Burst,
    seen: Vec<Seen>,
    warm_mb: Option<f64>,
    end_mb: Option<f64>,
}

fn load(server: &Server, options: &Options) -> Result<Outcome> {
    let host = explorer::host(server)?;
    let mut caller = Caller::open(&host)?;
    caller.call("SetConfig", &json!({ "enableConsoleEval": true }))?;
    let objects = object_ids(&mut caller)?;
    drop(caller);
    let forms = (0..options.streams).map(|n| [Form::Lines, Form::Events][n % 2]);
    let streams: Vec<Events> =
        forms.map(|form| Events::open(&host, form)).collect::<Result<_>>()?;
    let handles: Vec<_> = streams.iter().map(Events::handle).collect::<Result<_>>()?;

    let mut outcome = thread::scope(|scope| {
        let watchers: Vec<_> =
            streams.into_iter().map(|stream| scope.spawn(|| watch::read(stream, LAST))).collect();
        let worked = work(server, options, &host, &objects);
        if worked.is_err() {
            // The end that the watchers wait for will not come.
            handles.iter().for_each(|handle| drop(handle.shutdown(Shutdown::Both)));
        }
        let joined = watchers.into_iter().map(|watcher| watcher.join().expect("it does not panic"));
        let seen: Result<Vec<Seen>> = joined.collect();
        let outcome = worked?;
        Ok::<_, anyhow::Error>(Outcome { seen: seen.context("a stream")?, ..outcome })
    })?;
    handles.iter().for_each(|handle| drop(handle.shutdown(Shutdown::Both)));
    // Whoever left is forgotten now, and what they held is given back.
    thread::sleep(Duration::from_secs(2));
    outcome.end_mb = usage::resident_mb(server.pid());
    Ok(outcome)
}

/// The callers for the time that was asked for, then the burst, then the last call.
fn work(server: &Server, options: &Options, host: &str, objects: &[String]) -> Result<Outcome> {
    let time = Duration::from_secs(options.seconds);
    let started = Instant::now();
    let (made, warm_mb) = thread::scope(|scope| {
        let load = |number| move || callers::call_until(host, number, objects, started + time);
        let threads: Vec<_> = (0..options.callers).map(|n| scope.spawn(load(n))).collect();
        thread::sleep(Duration::from_secs(10).min(time / 2));
        let warm_mb = usage::resident_mb(server.pid());
        let made = threads.into_iter().map(|thread| thread.join().expect("it does not panic"));
        (made.collect::<Result<Made>>(), warm_mb)
    });
    let seconds = started.elapsed().as_secs_f64();
    let burst = burst::run(host)?;
    Caller::open(host)?.call("ConsoleEval", &json!({ "code": format!("{LAST:?}") }))?;
    Ok(Outcome { made: made?, seconds, burst, seen: Vec::new(), warm_mb, end_mb: None })
}

fn object_ids(caller: &mut Caller) -> Result<Vec<String>> {
    let found = caller.call("SearchObjects", &json!({ "activeOnly": true }))?;
    let items = found["Items"].as_array().context("no objects in the sample")?;
    let ids: Option<Vec<String>> =
        items.iter().map(|item| item["Id"].as_str().map(str::to_owned)).collect();
    ids.filter(|ids| !ids.is_empty()).context("no ids in the sample")
}

impl Outcome {
    fn rows(&self, options: &Options) -> Vec<Row> {
        let info = |label: &str, value: String| {
            [label.to_owned(), value, String::new(), String::new(), String::new()]
        };
        let calls = self.made.total();
        let mut rows = vec![["measure", "scenewright", "", "goal", "verdict"].map(str::to_owned)];
        rows.push(info("calls that succeeded", number(Some(calls as f64), 0)));
        rows.push(info("calls/s", number(Some(calls as f64 / self.seconds), 0)));
        let messages: u64 = self.seen.iter().map(|seen| seen.messages).sum();
        rows.push(info("messages on all streams", number(Some(messages as f64), 0)));
        rows.push(none("calls that failed", self.made.failures(), self.made.first_failure()));
        rows.extend(self.stream_rows(options));
        rows.extend(self.burst.rows());
        rows.push(info("resident when warm, MB", number(self.warm_mb, 1)));
        rows.push(info("resident at the end, MB", number(self.end_mb, 1)));
        let growth = self.end_mb.zip(self.warm_mb).map(|(end, warm)| end / warm);
        let within = growth.map(|growth| growth <= GROWTH);
        rows.push(goal("resident, end against warm", number(growth, 2), "≤ 1.10", within));
        rows
    }

    /// Every answer and every event of every call, once on each stream.
    fn stream_rows(&self, options: &Options) -> Vec<Row> {
        let each = |check: &dyn Fn(&Seen) -> u64| self.seen.iter().map(check).sum::<u64>();
        let answers = |seen: &Seen| {
            let burst = seen.burst.wrong(&[burst::REQUESTS]);
            seen.answers.wrong(&self.made.per_caller()) + burst
        };
        let evals = |seen: &Seen| seen.evals.wrong_among(&self.made.evals());
        let counts = |seen: &Seen| {
            let wanted = |tool: &str| match tool {
                // The burst's, and the last call.
                "ConsoleEval" => self.made.of(tool) + self.burst.answered + 1,
                _ => self.made.of(tool),
            };
            TOOLS.iter().map(|tool| seen.results_of(tool).abs_diff(wanted(tool))).sum()
        };
        let selections =
            |seen: &Seen| seen.selections.abs_diff(self.made.of("SelectObject") + seen.at_first);
        let streams = options.streams;
        vec![
            none(&format!("answers lost or doubled on {streams} streams"), each(&answers), None),
            none("tool_result events lost or doubled, by name", each(&counts), None),
            none("… and by what was asked, ConsoleEval", each(&evals), None),
            none("selection events lost or doubled", each(&selections), None),
            none("notices of dropped messages", each(&|seen| seen.dropped), None),
        ]
    }
}

/// A row for what must not be.
fn none(label: &str, count: u64, example: Option<String>) -> Row {
    let label = match example {
        Some(example) => format!("{label}, such as: {example}"),
        None => label.to_owned(),
    };
    goal(&label, number(Some(count as f64), 0), "0", Some(count == 0))
}

fn footnote(options: &Options) -> String {
    let Options { seconds, callers, streams } = options;
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{callers} callers, each on its own connection and without a pause, for {seconds} s on {cores} \
         cores shared with the load; {streams} streams, half `stream_events` and half Server-Sent \
         Events, read all the time. The callers take {} in turn. Then {} calls that last, at once.",
        TOOLS.join(", "),
        burst::REQUESTS
    )
}

/// The payload of a tool in an answer.
fn payload(answer: &Value) -> &Value {
    &answer["result"]["content"][0]["json"]
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_options() {
        let options = parse(&["--seconds", "5", "--streams", "2"]).expect("they are good");
        assert_eq!((options.seconds, options.callers, options.streams), (5, 32, 2));
        assert!(parse(&["--callers", "33"]).is_err());
        assert!(parse(&["--seconds"]).is_err());
    }
}
