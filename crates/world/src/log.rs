//! The last lines of the log.

use std::collections::VecDeque;

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
    /// Who: `unity`, `mcp`, `console`.
    pub source: &'static str,
    /// What kind of line, for those that have one.
    pub category: Option<String>,
}

/// The last lines.
#[derive(Debug, Clone, Default)]
pub struct Log {
    lines: VecDeque<Line>,
}

impl Log {
    pub(crate) fn push(&mut self, line: Line) {
        if self.lines.len() == CAPACITY {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// The last lines, oldest first; at least one.
    pub fn tail(&self, count: usize) -> impl ExactSizeIterator<Item = &Line> {
        let skip = self.lines.len().saturating_sub(count.max(1));
        self.lines.range(skip..)
    }
}
