//! `cargo xtask bench explorer`: the Unity Explorer interface over HTTP, in a large scene.

use std::fs;
use std::net::Shutdown;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::samples::Series;
use super::table::{Row, align, goal, number};
use super::usage;
use crate::explorer::{self, Caller, Events, Form, Message};
use crate::{binary, paths, synth};

const OBJECTS: u64 = 50_000;
const LIMIT: Duration = Duration::from_secs(600);
/// Calls before those that count.
const WARM: usize = 20;
const SEARCHES: usize = 200;
const GETS: usize = 3000;
const PICKS: usize = 50;
const EVENTS: usize = 1000;
/// Between one selection and the next.
const PAUSE: Duration = Duration::from_millis(3);
/// Callers beside the measured one while events are measured, and how long each rests after a call.
const BACKGROUND: usize = 4;
const REST: Duration = Duration::from_millis(10);

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let out = match options {
        [] => None,
        ["--out", file] => Some(PathBuf::from(file)),
        _ => bail!("usage: cargo xtask bench explorer [--out FILE]"),
    };
    let binary = binary::dist()?;
    let project = synth::unity_project(100, Some(paths::target().join("synth/unity-world")))?;
    // Without build settings the world begins with the first scene by its path.
    synth::add_scene(&project, "Large", "3", || synth::large_world(OBJECTS))?;
    let writes = ["--allow-writes"];
    let server = explorer::serve(&binary, "bench-explorer", &project, &writes, LIMIT)?;
    let host = explorer::host(&server)?;
    let mut caller = Caller::open(&host)?;

    let header = ["measure", "scenewright", "on a core", "goal", "verdict"];
    let mut rows = vec![header.map(str::to_owned)];
    let cpu = Cpu::new(server.pid());
    let (first, status) = timed(|| caller.call("GetStatus", &json!({})))?;
    ensure!(status["ScenesLoaded"] == 1, "no scene in {status}");
    let row = info("first call, which loads the world, ms", number(Some(first), 0));
    rows.push(with_cpu(row, number(cpu.spent_ms(), 0)));
    rows.push(info("resident with the world, MB", number(usage::resident_mb(server.pid()), 0)));
    let objects = object_ids(&mut caller)?;
    rows.extend(measure_searches(&mut caller, server.pid())?);
    rows.extend(measure_gets(&mut caller, server.pid(), &objects)?);
    rows.extend(measure_picks(&mut caller)?);
    let (events, calls_per_second) = measure_events(&host, &objects)?;
    let (p50, p99) = (events.median(), events.quantile(0.99));
    rows.push(info("SelectObject to its event, p50 ms", number(p50, 2)));
    rows.push(below("SelectObject to its event, p99 ms", p99, 5.0));
    rows.push(info("largest size, MB", number(usage::peak_mb(server.pid()), 0)));
    let table = format!("{}\n{}", align(&rows), footnote(calls_per_second));
    println!("{table}");
    if let Some(out) = out {
        fs::write(&out, format!("{table}\n")).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

fn object_ids(caller: &mut Caller) -> Result<Vec<String>> {
    let page = caller.call("ListObjects", &json!({ "limit": 5000, "offset": 20_000 }))?;
    ensure!(page["Total"] == OBJECTS + 1, "{} objects in the world", page["Total"]);
    let items = page["Items"].as_array().context("no objects in the world")?;
    let ids = items.iter().map(|item| item["Id"].as_str().map(str::to_owned));
    ids.collect::<Option<_>>().context("an object without an id")
}

/// Each search with how many it finds in all.
fn measure_searches(caller: &mut Caller, pid: u32) -> Result<Vec<Row>> {
    let all = OBJECTS;
    let searches = [
        ("by name, 1 found", json!({ "name": "ject 25001" }), 1),
        ("by name in another case, 1 found", json!({ "name": "JECT 25001" }), 1),
        ("by name or path, 1 found", json!({ "query": "59990/object 50999" }), 1),
        ("by path, 1 found", json!({ "path": "59990/Object 50999" }), 1),
        ("by type, 1 found", json!({ "type": "Camera" }), 1),
        ("by type, all found", json!({ "type": "UnityEngine.MeshRenderer" }), all),
        ("by name and type, none found", json!({ "name": "nobody", "type": "Collider" }), 0),
    ];
    let mut rows = Vec::new();
    for (label, arguments, total) in searches {
        let mut times = Series::default();
        let cpu = Cpu::new(pid);
        for round in 0..WARM + SEARCHES {
            let (time, found) = timed(|| caller.call("SearchObjects", &arguments))?;
            ensure!(found["Total"] == total, "{arguments}: {} found", found["Total"]);
            if round >= WARM {
                times.push(time);
            }
        }
        let row = below(&format!("SearchObjects {label}, p50 ms"), times.median(), 5.0);
        rows.push(with_cpu(row, number(cpu.per_call(WARM + SEARCHES), 2)));
    }
    Ok(rows)
}

fn measure_gets(caller: &mut Caller, pid: u32, objects: &[String]) -> Result<Vec<Row>> {
    let mut times = Series::default();
    let cpu = Cpu::new(pid);
    for round in 0..WARM + GETS {
        let id = &objects[round * 7 % objects.len()];
        let (time, card) = timed(|| caller.call("GetObject", &json!({ "id": id })))?;
        ensure!(card["Id"] == **id, "{card} for {id}");
        if round >= WARM {
            times.push(time);
        }
    }
    let p50 = below("GetObject, p50 ms", times.median(), 0.2);
    let p50 = with_cpu(p50, number(cpu.per_call(WARM + GETS), 3));
    Ok(vec![p50, info("GetObject, p99 ms", number(times.quantile(0.99), 3))])
}

/// The first pick finds out where everything is.
fn measure_picks(caller: &mut Caller) -> Result<Vec<Row>> {
    let at = json!({ "mode": "world", "x": 0.5, "y": 0.5, "normalized": true });
    let (first, pick) = timed(|| caller.call("MousePick", &at))?;
    let card = caller.call("GetObject", &json!({ "id": pick["Id"] }))?;
    ensure!(card["Name"] == "Object 10000", "{pick} is {card}");
    let mut times = Series::default();
    for _ in 0..PICKS {
        times.push(timed(|| caller.call("MousePick", &at))?.0);
    }
    Ok(vec![
        info("first MousePick, ms", number(Some(first), 1)),
        info("MousePick, p50 ms", number(times.median(), 2)),
    ])
}

/// Milliseconds from sending SelectObject to its event on a stream, and what the others called
/// meanwhile each second.
fn measure_events(host: &str, objects: &[String]) -> Result<(Series, f64)> {
    let stream = Events::open(host, Form::Lines)?;
    let handle = stream.handle()?;
    let is_over = AtomicBool::new(false);
    let calls = AtomicU64::new(0);
    let started = Instant::now();
    let measured = thread::scope(|scope| {
        let (tell, told) = mpsc::channel();
        let reader = scope.spawn(|| read_selections(stream, tell));
        let others: Vec<_> = (0..BACKGROUND)
            .map(|number| {
                let (is_over, calls) = (&is_over, &calls);
                scope.spawn(move || call_beside(host, number, objects, is_over, calls))
            })
            .collect();
        let measured = select_in_turn(host, objects, &told);
        is_over.store(true, Ordering::Relaxed);
        for other in others {
            other.join().expect("it does not panic")?;
        }
        handle.shutdown(Shutdown::Both)?;
        // A connection that we end ends the reading, one way or the other.
        drop(reader.join().expect("it does not panic"));
        measured
    })?;
    Ok((measured, calls.into_inner() as f64 / started.elapsed().as_secs_f64()))
}

fn select_in_turn(
    host: &str,
    objects: &[String],
    told: &mpsc::Receiver<(Instant, String)>,
) -> Result<Series> {
    let mut caller = Caller::open(host)?;
    let mut times = Series::default();
    for round in 0..WARM + EVENTS {
        let id = &objects[round % objects.len()];
        let sent = Instant::now();
        caller.call("SelectObject", &json!({ "objectId": id }))?;
        loop {
            let limit = Duration::from_secs(10);
            let (seen, active) = told.recv_timeout(limit).context("the event did not come")?;
            if active == *id {
                if round >= WARM {
                    times.push((seen - sent).as_secs_f64() * 1e3);
                }
                break;
            }
        }
        thread::sleep(PAUSE);
    }
    Ok(times)
}

/// Tell when a selection came, and what is active in it.
fn read_selections(mut stream: Events, tell: mpsc::Sender<(Instant, String)>) -> Result<()> {
    while let Some(message) = stream.next()? {
        let now = Instant::now();
        let Some(event) = Message::parse(message)?.params else { continue };
        if event.name != "selection" {
            continue;
        }
        let selection: Value = serde_json::from_str(event.payload.get())?;
        let active = selection["ActiveId"].as_str().unwrap_or_default().to_owned();
        if tell.send((now, active)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Nine objects, then a search, and so on.
fn call_beside(
    host: &str,
    number: usize,
    objects: &[String],
    is_over: &AtomicBool,
    calls: &AtomicU64,
) -> Result<()> {
    let mut caller = Caller::open(host)?;
    for round in number.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        if round % 10 == 0 {
            caller.call("SearchObjects", &json!({ "name": "ject 25001" }))?;
        } else {
            caller.call("GetObject", &json!({ "id": objects[round % objects.len()] }))?;
        }
        calls.fetch_add(1, Ordering::Relaxed);
        thread::sleep(REST);
    }
    Ok(())
}

/// The CPU time of a process from here on, which a busy machine does not stretch.
struct Cpu {
    pid: u32,
    before: Option<f64>,
}

impl Cpu {
    fn new(pid: u32) -> Cpu {
        Cpu { pid, before: usage::threads_cpu(pid) }
    }

    fn spent_ms(&self) -> Option<f64> {
        // A thread that ended takes its time with it.
        let spent = usage::threads_cpu(self.pid).zip(self.before).map(|(now, then)| now - then);
        spent.filter(|seconds| *seconds >= 0.0).map(|seconds| seconds * 1e3)
    }

    fn per_call(&self, calls: usize) -> Option<f64> {
        self.spent_ms().map(|spent| spent / calls as f64)
    }
}

fn with_cpu(mut row: Row, milliseconds: String) -> Row {
    row[2] = milliseconds;
    row
}

/// What was done, and how many milliseconds it took.
fn timed<T>(action: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let started = Instant::now();
    let done = action()?;
    Ok((started.elapsed().as_secs_f64() * 1e3, done))
}

fn info(label: &str, value: String) -> Row {
    [label.to_owned(), value, String::new(), String::new(), String::new()]
}

fn below(label: &str, value: Option<f64>, limit: f64) -> Row {
    let digits = if limit < 1.0 { 3 } else { 2 };
    goal(label, number(value, digits), &format!("< {limit}"), value.map(|value| value < limit))
}

fn footnote(calls_per_second: f64) -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "A scene of {OBJECTS} objects in a tree, each with a mesh and a collider; one keep-alive \
         connection to `/message` on loopback, {cores} cores shared with the client, whose parsing of \
         the answer counts. On a core: CPU ms of the server for a call, on average. {SEARCHES} searches a row, {GETS} objects, {EVENTS} events. Beside the events \
         {BACKGROUND} callers make {} calls/s: nine objects, then a search, each mirrored to the stream.",
        number(Some(calls_per_second), 0)
    )
}
