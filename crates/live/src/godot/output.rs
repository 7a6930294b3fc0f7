//! The lines of a running program, kept while somebody may ask for them.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

/// So many lines of each stream are kept.
const MAX_LINES: usize = 10_000;
/// A longer line is cut.
const MAX_LINE: usize = 4096;

/// The stream that a line came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StreamName {
    /// What the program says.
    Stdout,
    /// What went wrong.
    Stderr,
}

/// A line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Line {
    /// Counts the lines of both streams, from 1.
    pub number: u64,
    /// Where it came from.
    pub stream: StreamName,
    /// What it says.
    pub text: String,
}

/// The lines of both streams of one program.
#[derive(Debug, Clone, Default)]
pub struct Output(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    last: u64,
    /// How many streams are still read.
    open: usize,
    out: VecDeque<Line>,
    err: VecDeque<Line>,
}

impl Output {
    /// Read a stream to its end, on a thread of its own.
    pub(super) fn read(&self, name: StreamName, stream: impl Read + Send + 'static) {
        let output = self.clone();
        let count = |output: &Self, change: fn(usize) -> usize| {
            let mut lines = output.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.open = change(lines.open);
        };
        count(self, |open| open + 1);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stream);
            while let Some(text) = next_line(&mut reader) {
                output.push(name, &text);
            }
            count(&output, |open| open - 1);
        });
    }

    fn push(&self, stream: StreamName, text: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.last += 1;
        let line = Line { number: lines.last, stream, text: plain(text) };
        let kept = match stream {
            StreamName::Stdout => &mut lines.out,
            StreamName::Stderr => &mut lines.err,
        };
        if kept.len() == MAX_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }

    /// The lines behind `cursor` in the order they came.
    pub fn since(&self, cursor: u64) -> Vec<Line> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let both = lines.out.iter().chain(&lines.err);
        let mut found: Vec<Line> = both.filter(|line| line.number > cursor).cloned().collect();
        found.sort_by_key(|line| line.number);
        found
    }

    /// Wait until both streams are at their end, for so long at most. A program that ended may have
    /// left words in its pipes.
    pub fn settle(&self, time: Duration) {
        let until = Instant::now() + time;
        let is_read = || self.0.lock().unwrap_or_else(PoisonError::into_inner).open == 0;
        while !is_read() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The next line without its end; the rest of one that is too long is passed over.
fn next_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let (used, ended) = match reader.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(buffer) => {
                any = true;
                let end = buffer.iter().position(|byte| *byte == b'\n');
                let part = &buffer[..end.unwrap_or(buffer.len())];
                let room = MAX_LINE.saturating_sub(line.len());
                line.extend_from_slice(&part[..part.len().min(room)]);
                (end.map_or(buffer.len(), |end| end + 1), end.is_some())
            }
        };
        reader.consume(used);
        if ended {
            break;
        }
    }
    any.then(|| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
}

/// Text without the colours of terminals.
pub(super) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        shown.push_str(&rest[..at]);
        let code = &rest[at + 2..];
        let end = code.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(code.len());
        let mut after = code[end..].chars();
        after.next();
        rest = after.as_str();
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(plain("\u{1b}[90m\u{1b}[1mab\u{1b}[0m c"), "ab c");
        assert_eq!(plain("plain"), "plain");
        assert_eq!(plain("cut \u{1b}[9"), "cut ");
        assert_eq!(plain("\u{1b}[é!"), "!");
    }

    #[test]
    fn lines_end_as_they_do_and_long_ones_are_cut() {
        let long = "x".repeat(MAX_LINE + 5);
        let mut reader = Cursor::new(format!("a\r\n\n{long}\nlast"));
        assert_eq!(next_line(&mut reader).as_deref(), Some("a"));
        assert_eq!(next_line(&mut reader).as_deref(), Some(""));
        assert_eq!(next_line(&mut reader).map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(next_line(&mut reader).as_deref(), Some("last"));
        assert_eq!(next_line(&mut reader), None);
    }

    #[test]
    fn old_lines_go_and_the_cursor_stays_true() {
        let output = Output::default();
        for number in 0..MAX_LINES + 2 {
            output.push(StreamName::Stdout, &number.to_string());
        }
        output.push(StreamName::Stderr, "late");
        let all = output.since(0);
        assert_eq!(all.len(), MAX_LINES + 1);
        assert_eq!((all[0].number, all[0].text.as_str()), (3, "2"));
        let last = all[MAX_LINES].number;
        assert_eq!(output.since(last - 1).iter().map(|l| &*l.text).collect::<Vec<_>>(), ["late"]);
        assert!(output.since(last).is_empty());
    }
}
