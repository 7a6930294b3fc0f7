//! One step: what runs it, what it costs, and what it said if it failed.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::bench::usage;
use crate::process;

/// Lines of a failure that are repeated at the end.
const MOST_TOLD: usize = 200;
/// Begins the line in which a step's process tells what it cost.
const COST: &str = "xtask-step-cpu:";

/// A step of the run.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) run: fn() -> Result<()>,
    pub(super) room: Room,
    /// The paths whose change can alter what the step says, from the root: files, or folders with a `/` at the end.
    pub(super) reads: &'static [&'static [&'static str]],
}

/// What else may run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// It waits for the network most of the time, so it runs beside anything.
    Aside,
    /// It leaves cores idle.
    Shared,
    /// It keeps all cores busy, or measures time.
    Whole,
}

/// How a step ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) name: &'static str,
    pub(super) wall: f64,
    /// CPU seconds of all its processes, where the system tells.
    pub(super) cpu: Option<f64>,
    /// How many crates cargo compiled: ours, others.
    pub(super) compiled: (usize, usize),
    pub(super) failure: Option<String>,
}

/// Run a step in this process, which was started for it.
pub(super) fn run_here(step: &Step) -> Result<ExitCode> {
    let outcome = (step.run)();
    if let Err(error) = &outcome {
        eprintln!("error: {error:#}");
    }
    if let Some(cpu) = usage::children_cpu() {
        println!("{COST} {cpu}");
    }
    Ok(if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A step that runs, and what it has printed so far.
pub(super) struct Running {
    pub(super) step: &'static Step,
    pub(super) started: Instant,
    child: Child,
    printed: Arc<Mutex<String>>,
    readers: Vec<thread::JoinHandle<()>>,
}

impl Running {
    /// Start it; a step that is alone shows what it prints as it comes.
    pub(super) fn start(step: &'static Step, is_alone: bool, has_built: bool) -> Result<Running> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["test", "--step", step.name]).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        super::steps::environment(&mut command, has_built);
        let mut child = command.spawn().context("a step cannot be started")?;
        let printed = Arc::new(Mutex::new(String::new()));
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let mut readers = vec![keep(out.context("it is piped")?, &printed, is_alone)];
        readers.push(keep(err.context("it is piped")?, &printed, is_alone));
        Ok(Running { step, started: Instant::now(), child, printed, readers })
    }

    /// What came of it, if it has ended.
    pub(super) fn ended(&mut self) -> Result<Option<(Ended, String)>> {
        let Some(status) = self.child.try_wait()? else { return Ok(None) };
        self.readers.drain(..).for_each(|reader| drop(reader.join()));
        let wall = self.started.elapsed().as_secs_f64();
        let printed = std::mem::take(&mut *lock(&self.printed));
        let name = self.step.name;
        let failure = (!status.success())
            .then(|| format!("== {name}: FAILED in {wall:.1} s: {}", reason(&printed)));
        let cpu = printed.lines().find_map(|line| line.strip_prefix(COST)?.trim().parse().ok());
        let ended = Ended { name, wall, cpu, compiled: compiled(&printed), failure };
        Ok(Some((ended, printed.replace(COST, "CPU seconds:"))))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keep the lines of a stream, and show them if it is to be seen.
fn keep(
    stream: impl Read + Send + 'static,
    printed: &Arc<Mutex<String>>,
    shows: bool,
) -> thread::JoinHandle<()> {
    let printed = Arc::clone(printed);
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
            let text = String::from_utf8_lossy(&line);
            if shows && !text.starts_with(COST) {
                let _ = write!(std::io::stdout().lock(), "{text}");
            }
            lock(&printed).push_str(&text);
            line.clear();
        }
    })
}

fn lock(printed: &Mutex<String>) -> std::sync::MutexGuard<'_, String> {
    printed.lock().expect("nobody panics while holding what was printed")
}

/// The error that a step's process ends with, or its last lines.
fn reason(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().filter(|line| !line.starts_with(COST)).collect();
    match lines.iter().rposition(|line| line.starts_with("error: ")) {
        Some(at) => {
            let told = &lines[at..lines.len().min(at + MOST_TOLD)];
            told.join("\n").trim_start_matches("error: ").to_owned()
        }
        None => process::last_lines(&lines.join("\n"), 12),
    }
}

/// How many crates cargo says that it compiled: ours, which have a folder, and others.
fn compiled(printed: &str) -> (usize, usize) {
    let verbs = ["Compiling ", "Checking ", "Documenting "];
    let lines = printed.lines().map(str::trim_start);
    let named = lines.filter(|line| verbs.iter().any(|verb| line.starts_with(verb)));
    named.fold((0, 0), |(ours, others), line| match line.ends_with(')') {
        true => (ours + 1, others),
        false => (ours, others + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_was_compiled() {
        let printed =
            "   Compiling serde v1.0.1\n    Checking app v0.1.0 (/home/me/app)\n    Finished x\n";
        assert_eq!(compiled(printed), (1, 1));
    }

    #[test]
    fn the_error_of_a_step_is_repeated() {
        let printed =
            "error: one of a test\nmore\nerror: tests: failed\nfailures:\nwhy\nxtask-step-cpu: 1\n";
        assert_eq!(reason(printed), "tests: failed\nfailures:\nwhy");
        assert_eq!(reason("a\nb\n"), "a\nb");
    }
}
