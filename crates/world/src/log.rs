//! The last lines of the log.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

/// How many lines are kept.
pub const CAPACITY: usize = 2000;

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// When: milliseconds since 1970.
    pub time: u64,
    /// `info`, `warn` or `error`.
    pub level: &'static str,
    /// What.
    pub message: String,
    /// Who: `unity`, `mcp`, `console`, `hook`.
    pub source: &'static str,
    /// What kind of line, for those that have one.
    pub category: Option<String>,
}

/// The last lines.
#[derive(Debug, Clone, Default)]
pub struct Log {
    lines: VecDeque<Line>,
    written: u64,
}

impl Line {
    /// A line of this moment.
    pub fn now(level: &'static str, source: &'static str, message: String) -> Line {
        // A clock before 1970 is no reason to lose a line.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        Line { time, level, message, source, category: None }
    }
}

impl Log {
    pub(crate) fn push(&mut self, line: Line) {
        if self.lines.len() == CAPACITY {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.written += 1;
    }

    /// How many lines were ever written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The last lines, oldest first; at least one.
    pub fn tail(&self, count: usize) -> impl ExactSizeIterator<Item = &Line> {
        let skip = self.lines.len().saturating_sub(count.max(1));
        self.lines.range(skip..)
    }
}
