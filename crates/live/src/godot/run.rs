//! A program run to its end, with what it wrote.

use std::io::Read;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ToolError};

use super::errors::{EngineMessage, MessageKind, messages};
use super::not_started;
use super::output::plain;
use crate::lifeline::Started;

/// So much of each stream is kept: its end, where errors are.
const MAX_OUTPUT: usize = 1 << 20;
/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How often a caller is told how it goes.
const TELL: Duration = Duration::from_millis(500);
/// So much of a line is told.
const MAX_TOLD: usize = 200;
/// What is still in the pipes of a program that ended comes within this time; a process that it
/// left behind may hold them open for ever.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What became of a program.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; none when it was ended.
    pub code: Option<i32>,
    /// The end of what it said.
    pub stdout: String,
    /// The end of what went wrong.
    pub stderr: String,
    /// It took too long and was ended.
    pub timed_out: bool,
}

impl Finished {
    /// Whether it ended by itself, and well.
    pub fn is_success(&self) -> bool {
        self.code == Some(0) && !self.timed_out
    }

    /// The errors that it reported, which the exit code of the engine does not tell of.
    pub fn errors(&self) -> Vec<EngineMessage> {
        let all = messages(&self.stderr).into_iter();
        all.filter(|message| message.kind == MessageKind::Error).collect()
    }

    /// How it ended, for an error message.
    pub fn how(&self) -> String {
        match (self.timed_out, self.code) {
            (true, _) => "took too long and was ended".to_owned(),
            (false, Some(code)) => format!("ended with code {code}"),
            (false, None) => "was ended by a signal".to_owned(),
        }
    }

    /// The last lines of what it wrote about errors; of anything, when there are none.
    pub fn last_words(&self, lines: usize) -> String {
        let text = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}

/// Who wants to know how a run goes: for how long it has been running, and the last line it wrote.
pub(super) type Told<'a> = dyn FnMut(Duration, &str) + 'a;

/// Run `command`; both its streams must be pipes. `told` hears of it a few times a second.
pub(super) fn run(
    mut command: Command,
    timeout: Duration,
    cancel: &Cancel,
    told: &mut Told<'_>,
) -> Result<Finished, ToolError> {
    let mut child =
        Started::spawn(&mut command).map_err(|error| not_started(command.get_program(), &error))?;
    let (out, err) = child.pipes();
    let ((out, out_ended), (err, err_ended)) = (keep_tail(out), keep_tail(err));
    let started = Instant::now();
    let until = started + timeout;
    let mut next = started + TELL;
    let mut timed_out = false;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) => {}
            Err(error) => {
                child.end();
                return Err(ToolError::failed(format!("the program cannot be watched: {error}")));
            }
        }
        if cancel.wait(LOOK) {
            child.end();
            return Err(ToolError::cancelled());
        }
        if Instant::now() >= next {
            told(started.elapsed(), &last_line(&out, &err));
            next = Instant::now() + TELL;
        }
        if Instant::now() >= until {
            timed_out = true;
            child.end();
            break None;
        }
    };
    let until = Instant::now() + LAST_WORDS;
    for ended in [out_ended, err_ended] {
        let left = until.saturating_duration_since(Instant::now());
        // Either way what came so far is taken.
        let (Ok(()) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)) =
            ended.recv_timeout(left);
    }
    let code = status.and_then(|status| status.code());
    Ok(Finished { code, stdout: taken(&out), stderr: taken(&err), timed_out })
}

type Tail = Arc<Mutex<Vec<u8>>>;

/// Read a stream on a thread of its own, which says when it is over.
fn keep_tail(stream: Option<impl Read + Send + 'static>) -> (Tail, Receiver<()>) {
    let tail = Tail::default();
    let (done, ended) = channel();
    if let Some(mut stream) = stream {
        let tail = tail.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(read @ 1..) = stream.read(&mut buffer) {
                let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend_from_slice(&buffer[..read]);
                if tail.len() > 2 * MAX_OUTPUT {
                    let cut = tail.len() - MAX_OUTPUT;
                    tail.drain(..cut);
                }
            }
            let _ = done.send(());
        });
    }
    (tail, ended)
}

/// The last whole line of what a program said, or of its errors when it says nothing.
fn last_line(out: &Tail, err: &Tail) -> String {
    let last = |tail: &Tail| {
        let bytes = tail.lock().unwrap_or_else(PoisonError::into_inner);
        let end = &bytes[bytes.len().saturating_sub(4096)..];
        let text = plain(&String::from_utf8_lossy(end));
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        line[..line.floor_char_boundary(MAX_TOLD.min(line.len()))].to_owned()
    };
    Some(last(out)).filter(|line| !line.is_empty()).unwrap_or_else(|| last(err))
}

fn taken(tail: &Tail) -> String {
    let bytes = tail.lock().unwrap_or_else(PoisonError::into_inner);
    let from = bytes.len().saturating_sub(MAX_OUTPUT);
    plain(&String::from_utf8_lossy(&bytes[from..]))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = super::super::quiet(Path::new("/bin/sh"));
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_and_the_code_are_kept() {
        let script = "printf 'one\\n'; printf '\\033[31mtwo\\033[0m\\n' >&2; exit 3";
        let finished =
            run(shell(script), Duration::from_secs(60), &Cancel::default(), &mut |_, _| {})
                .unwrap();
        assert_eq!((finished.code, finished.timed_out), (Some(3), false));
        assert_eq!((&*finished.stdout, &*finished.stderr), ("one\n", "two\n"));
        assert_eq!(finished.how(), "ended with code 3");
    }

    #[test]
    fn errors_are_heard_where_the_code_is_silent() {
        let script = "echo 'ERROR: no' >&2; echo 'WARNING: hm' >&2; exit 0";
        let finished =
            run(shell(script), Duration::from_secs(60), &Cancel::default(), &mut |_, _| {})
                .unwrap();
        let errors: Vec<String> = finished.errors().into_iter().map(|error| error.text).collect();
        assert_eq!((finished.is_success(), errors), (true, vec!["no".to_owned()]));
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let script = "i=0; while [ $i -lt 40000 ]; do echo 'a line of some length, again and again, and a number: '$i; i=$((i+1)); done; echo last";
        let finished =
            run(shell(script), Duration::from_secs(120), &Cancel::default(), &mut |_, _| {})
                .unwrap();
        assert_eq!(finished.stdout.len(), MAX_OUTPUT);
        assert!(finished.stdout.ends_with("last\n"));
    }

    #[test]
    fn what_takes_too_long_is_ended_with_its_children() {
        let started = Instant::now();
        let script = "echo before; sleep 600 & sleep 600";
        let finished =
            run(shell(script), Duration::from_millis(300), &Cancel::default(), &mut |_, _| {})
                .unwrap();
        assert!(finished.timed_out && finished.code.is_none());
        assert_eq!(finished.stdout, "before\n");
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_long_run_is_told_as_it_goes() {
        let mut heard = Vec::new();
        let script = "echo one; echo two; sleep 1.3";
        let mut told = |age: Duration, line: &str| heard.push((age, line.to_owned()));
        run(shell(script), Duration::from_secs(60), &Cancel::default(), &mut told).unwrap();
        assert!(!heard.is_empty() && heard.iter().all(|(_, line)| line == "two"), "{heard:?}");
    }

    #[test]
    fn a_flood_neither_fills_memory_nor_stops_the_program() {
        let script = "yes 'ERROR: again and again' | head -n 1000000; echo last";
        let finished =
            run(shell(script), Duration::from_secs(300), &Cancel::default(), &mut |_, _| {})
                .unwrap();
        assert_eq!(finished.stdout.len(), MAX_OUTPUT);
        assert!(finished.is_success() && finished.stdout.ends_with("last\n"));
    }

    #[test]
    fn a_caller_who_gives_up_ends_it() {
        let cancel = Cancel::default();
        cancel.cancel();
        let error =
            run(shell("sleep 600"), Duration::from_secs(600), &cancel, &mut |_, _| {}).unwrap_err();
        assert_eq!(error.kind, scenewright_contract::ErrorKind::Cancelled);
    }

    #[test]
    fn a_program_that_is_not_there_is_said() {
        let command = super::super::quiet(Path::new("/no/such/program"));
        let error =
            run(command, Duration::from_secs(1), &Cancel::default(), &mut |_, _| {}).unwrap_err();
        assert_eq!(error.kind, scenewright_contract::ErrorKind::NotReady);
        assert!(error.message.starts_with("/no/such/program could not be started: "));
    }
}
