//! What a running server takes to know of one file that changed.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::call::Call;
use super::pipe::Pipe;
use super::samples::Series;

/// Changes of a file, each followed by a check.
pub(super) const TOUCHES: usize = 20;
/// Within so much a change must be noticed.
const NOTICE: Duration = Duration::from_secs(20);

/// A check after one file changed: the call alone, and from the write to the answer that knows of it.
#[derive(Default)]
pub(super) struct Touched {
    pub(super) recheck: Series,
    pub(super) noticed: Series,
}

/// A call of a tool.
pub(super) fn tool(name: &str, arguments: Value) -> Call {
    Call::new("tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// The file is broken and mended in turns, and the server is asked what is wrong; `is_seen` is given
/// how many more errors there are while it is broken.
pub(super) fn measure(
    pipe: &mut Pipe,
    file: &Path,
    broken: impl Fn(&str) -> String,
    is_seen: impl Fn(u64) -> bool,
) -> Result<Touched> {
    let whole = errors(pipe)?;
    let good = fs::read_to_string(file)?;
    let bad = broken(&good);
    ensure!(good != bad, "{} has nothing to break", file.display());
    let mut touched = Touched::default();
    for touch in 0..TOUCHES {
        let is_broken = touch % 2 == 0;
        let written = Instant::now();
        fs::write(file, if is_broken { &bad } else { &good })?;
        loop {
            let asked = Instant::now();
            let now = errors(pipe)?;
            if if is_broken { now > whole && is_seen(now - whole) } else { now == whole } {
                touched.recheck.push(asked.elapsed().as_secs_f64());
                touched.noticed.push(written.elapsed().as_secs_f64());
                break;
            }
            ensure!(written.elapsed() < NOTICE, "a change of {} was not noticed", file.display());
            thread::sleep(Duration::from_millis(1));
        }
    }
    ensure!(fs::read_to_string(file)? == good, "{} is not what it was", file.display());
    Ok(touched)
}

fn errors(pipe: &mut Pipe) -> Result<u64> {
    let answer = pipe.ask(&tool("project_check", json!({ "maxResults": 1 })))?;
    answer["structuredContent"]["errors"].as_u64().context("no count of errors")
}
