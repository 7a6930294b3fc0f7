//! What changed, for people and models: a unified diff of bounded length.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use memchr::{memchr, memchr_iter, memrchr_iter};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};

/// A longer diff is cut, and the cut is said in its last line.
pub const MAX_BYTES: usize = 16 * 1024;
/// A longer line is cut, with `…` at its end.
pub const MAX_LINE: usize = 500;
/// How far into a file a zero byte tells that it is no text.
const SNIFFED: usize = 8000;
/// The differ itself bounds its work; this is for inputs nobody thought of.
const MAX_TIME: Duration = Duration::from_secs(1);

/// What changed between two texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// The unified diff; empty when nothing changed.
    pub text: String,
    /// How many lines came in; none for binary files.
    pub added: usize,
    /// How many lines went.
    pub removed: usize,
    /// Whether lines are missing from the text, or parts of them.
    pub cut: bool,
    /// Whether either side is no text, so that only the sizes are told.
    pub binary: bool,
}

/// The unified diff of two files with `context` unchanged lines around each change. A file that does
/// not exist is empty and called `/dev/null`.
pub fn unified(
    before: &[u8],
    after: &[u8],
    path_before: &str,
    path_after: &str,
    context: usize,
) -> Diff {
    if before == after {
        return Diff::default();
    }
    let heads = format!("--- {path_before}\n+++ {path_after}\n");
    if is_binary(before) || is_binary(after) {
        let (old, new) = (before.len(), after.len());
        let text = format!("{heads}Binary files differ: {old} bytes before, {new} after\n");
        return Diff { text, binary: true, ..Diff::default() };
    }
    let window = Window::of(before, after, context);
    let old: Vec<&[u8]> = lines(&before[window.before.clone()]).collect();
    let new: Vec<&[u8]> = lines(&after[window.after.clone()]).collect();
    let ops = operations(&old, &new);
    let mut writer = Writer { text: heads, hidden: 0, cut: false };
    let (mut added, mut removed) = (0, 0);
    for op in &ops {
        let (_, gone, come) = op.as_tag_tuple();
        if !matches!(op, DiffOp::Equal { .. }) {
            removed += gone.len();
            added += come.len();
        }
    }
    for group in group_diff_ops(ops, context) {
        writer.hunk(&group, &old, &new, window.line);
    }
    let (text, cut) = writer.finish();
    Diff { text, added, removed, cut, binary: false }
}

fn is_binary(bytes: &[u8]) -> bool {
    memchr(0, &bytes[..bytes.len().min(SNIFFED)]).is_some()
}

/// How many bytes two texts have in common at their start.
pub fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    // Whole blocks are compared at memory speed; only the last one is looked at byte by byte.
    const BLOCK: usize = 4096;
    let same = a.chunks(BLOCK).zip(b.chunks(BLOCK)).take_while(|(a, b)| a == b);
    let start = (same.count() * BLOCK).min(a.len()).min(b.len());
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts have in common at their end.
pub fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let same = a.rchunks(BLOCK).zip(b.rchunks(BLOCK)).take_while(|(a, b)| a == b);
    let end = (same.count() * BLOCK).min(a.len()).min(b.len());
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    end + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// The part of both texts that is compared: whole lines around everything that differs. A scene of
/// many megabytes with one changed line costs no more than finding that line.
struct Window {
    before: Range<usize>,
    after: Range<usize>,
    /// How many lines are before it.
    line: usize,
}

impl Window {
    fn of(before: &[u8], after: &[u8], context: usize) -> Self {
        let prefix = common_prefix(before, after);
        let suffix = common_suffix(&before[prefix..], &after[prefix..]);
        let start = lines_back(&before[..prefix], context);
        let tail = &before[before.len() - suffix..];
        let kept = suffix - lines_ahead(tail, context);
        Self {
            before: start..before.len() - kept,
            after: start..after.len() - kept,
            line: memchr_iter(b'\n', &before[..start]).count(),
        }
    }
}

/// Where the last line starts, or that `count` lines before it.
fn lines_back(bytes: &[u8], count: usize) -> usize {
    memrchr_iter(b'\n', bytes).nth(count).map_or(0, |at| at + 1)
}

/// Where the first line ends, or that `count` lines after it.
fn lines_ahead(bytes: &[u8], count: usize) -> usize {
    memchr_iter(b'\n', bytes).nth(count).map_or(bytes.len(), |at| at + 1)
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// The differ compares numbers, one for each distinct line.
fn operations<'a>(old: &[&'a [u8]], new: &[&'a [u8]]) -> Vec<DiffOp> {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut number = |line: &&'a [u8]| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(&mut number).collect();
    let new: Vec<u32> = new.iter().map(&mut number).collect();
    let deadline = Instant::now() + MAX_TIME;
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline))
}

struct Writer {
    text: String,
    hidden: usize,
    cut: bool,
}

impl Writer {
    fn hunk(&mut self, ops: &[DiffOp], old: &[&[u8]], new: &[&[u8]], skipped: usize) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
        let before = first.old_range().start..last.old_range().end;
        let after = first.new_range().start..last.new_range().end;
        self.push(&format!("@@ -{} +{} @@\n", span(&before, skipped), span(&after, skipped)));
        for op in ops {
            if let DiffOp::Equal { .. } = op {
                old[op.old_range()].iter().for_each(|line| self.line(' ', line));
                continue;
            }
            old[op.old_range()].iter().for_each(|line| self.line('-', line));
            new[op.new_range()].iter().for_each(|line| self.line('+', line));
        }
    }

    fn line(&mut self, mark: char, line: &[u8]) {
        if self.hidden > 0 {
            self.hidden += 1;
            return;
        }
        let (content, end) = match line.strip_suffix(b"\n") {
            Some(content) => (content, "\n"),
            None => (line, "\n\\ No newline at end of file\n"),
        };
        // A character has four bytes at most, so this much is enough for the cut below.
        let text = String::from_utf8_lossy(&content[..content.len().min(MAX_LINE + 4)]);
        if content.len() <= MAX_LINE {
            return self.push(&format!("{mark}{text}{end}"));
        }
        self.cut = true;
        let shown = &text[..text.floor_char_boundary(MAX_LINE)];
        self.push(&format!("{mark}{shown}… ({} bytes){end}", content.len()));
    }

    fn push(&mut self, text: &str) {
        if self.hidden > 0 || self.text.len() + text.len() > MAX_BYTES {
            self.hidden += 1;
            return;
        }
        self.text.push_str(text);
    }

    fn finish(mut self) -> (String, bool) {
        if self.hidden > 0 {
            let more = format!("… {} more lines of this diff are not shown\n", self.hidden);
            self.text.push_str(&more);
        }
        (self.text, self.cut || self.hidden > 0)
    }
}

/// `7,2`: from line 7, two lines; an empty range is told by the line before it.
fn span(range: &Range<usize>, skipped: usize) -> String {
    let start = range.start + skipped;
    match range.len() {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        length => format!("{},{length}", start + 1),
    }
}

#[cfg(test)]
mod tests;
