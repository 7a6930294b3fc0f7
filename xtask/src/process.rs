//! Child processes that always end: every one has a time limit and dies with its guard.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths;

/// The cargo that runs us, in the workspace root.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(paths::root());
    // Set for xtask by `cargo run`; build scripts below would read them as their own.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}

/// Run to the end with our own stdout and stderr; an exit code other than 0 is an error.
pub fn run(command: &mut Command, limit: Duration) -> Result<()> {
    let status = Guard::spawn(command.stdin(Stdio::null()), limit)?.wait()?;
    if !status.success() {
        bail!("{} ended with {status}", show(command));
    }
    Ok(())
}

/// As [`run`], and what `telling` finds in what was printed is part of the error.
pub(crate) fn run_told(
    command: &mut Command,
    limit: Duration,
    telling: &dyn Fn(&str) -> String,
) -> Result<()> {
    let guard = Guard::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()), limit)?;
    let stream = guard.child().stdout.take();
    let printed = collect(stream.map(Shown));
    let status = guard.wait()?;
    if !status.success() {
        bail!("{} ended with {status}\n{}", show(command), telling(&text(&printed)));
    }
    Ok(())
}

/// As [`run`], and what was printed on stderr, which also shows as it comes.
pub(crate) fn run_heard(command: &mut Command, limit: Duration) -> Result<String> {
    let guard = Guard::spawn(command.stdin(Stdio::null()).stderr(Stdio::piped()), limit)?;
    let stream = guard.child().stderr.take();
    let printed = collect(stream.map(Shown));
    let status = guard.wait()?;
    let printed = text(&printed);
    if !status.success() {
        bail!("{} ended with {status}\n{}", show(command), last_lines(&printed, 60));
    }
    Ok(printed)
}

/// A stream that is also printed while it is read.
struct Shown<R>(R);

impl<R: Read> Read for Shown<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        let mut out = std::io::stdout().lock();
        out.write_all(&buffer[..count])?;
        out.flush()?;
        Ok(count)
    }
}

/// Run another command of ours in an optimised build: a slow load generator would measure itself.
pub(crate) fn optimised(args: &[&str]) -> Result<()> {
    let xtask = ["run", "--quiet", "--release", "--package", "xtask", "--"];
    run(cargo().args(xtask).args(args), Duration::from_secs(2 * 3600))
}

/// Run to the end and keep what was printed.
pub fn capture(command: &mut Command, limit: Duration) -> Result<Captured> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let guard = Guard::spawn(command, limit)?;
    let (stdout, stderr) = {
        let mut child = guard.child();
        (collect(child.stdout.take()), collect(child.stderr.take()))
    };
    let status = guard.wait()?;
    Ok(Captured { status, stdout: text(&stdout), stderr: text(&stderr) })
}

/// How a program ended, and what it said.
#[derive(Debug)]
pub struct Captured {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

impl Captured {
    /// The last lines of what was said, stderr first, for an error message.
    pub fn tail(&self) -> String {
        let said = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        last_lines(said, 12)
    }
}

/// A child process that is ended when it outlives its limit or its guard.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Arc<Mutex<Child>>,
    shown: String,
    started: Instant,
    limit: Duration,
    /// Dropping it tells the watchdog that the child is gone.
    _alive: mpsc::Sender<()>,
}

impl Guard {
    pub(crate) fn spawn(command: &mut Command, limit: Duration) -> Result<Guard> {
        let shown = show(command);
        let child = command.spawn().with_context(|| format!("could not start {shown}"))?;
        let child = Arc::new(Mutex::new(child));
        let (alive, watched) = mpsc::channel();
        let watchdog = Arc::clone(&child);
        thread::spawn(move || {
            if watched.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                let _ = lock(&watchdog).kill();
            }
        });
        Ok(Guard { child, shown, started: Instant::now(), limit, _alive: alive })
    }

    pub(crate) fn child(&self) -> MutexGuard<'_, Child> {
        lock(&self.child)
    }

    /// Wait for the end; the watchdog sees to it that there is one.
    pub(crate) fn wait(&self) -> Result<ExitStatus> {
        loop {
            // Polling leaves the lock free for the watchdog; a blocking wait would hold it.
            if let Some(status) = self.child().try_wait()? {
                if self.started.elapsed() >= self.limit {
                    bail!("{} was ended after {} s", self.shown, self.limit.as_secs_f64());
                }
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut child = self.child();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// The command as typed, without the environment.
pub(crate) fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().expect("nobody panics while holding a child")
}

fn collect(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (done, collected) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        let _ = done.send(bytes);
    });
    collected
}

fn text(collected: &Receiver<Vec<u8>>) -> String {
    // A grandchild may hold the pipe open after its parent was ended; do not wait for it.
    let bytes = collected.recv_timeout(Duration::from_secs(5)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_was_printed() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let said = capture(&mut command, Duration::from_secs(20)).expect("sh runs");
        assert_eq!((said.status.code(), &*said.stdout, &*said.tail()), (Some(3), "out\n", "err"));
    }

    #[test]
    fn what_tells_of_a_failure_is_part_of_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo no; echo yes; exit 3"]);
        let error =
            run_told(&mut command, Duration::from_secs(20), &|printed| printed[3..].to_owned());
        let error = error.expect_err("it fails").to_string();
        assert_eq!(error, "sh -c echo no; echo yes; exit 3 ended with exit status: 3\nyes\n");
    }

    #[test]
    fn ends_what_takes_too_long() {
        let error = run(Command::new("sleep").arg("60"), Duration::from_millis(100));
        assert_eq!(error.expect_err("it is ended").to_string(), "sleep 60 was ended after 0.1 s");
    }
}
