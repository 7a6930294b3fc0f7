//! The one table: measurements of both servers, then the goals.

use std::ops::Range;

use super::samples::{Samples, Series};

/// Measure, ours, the peer's, goal, verdict.
pub(crate) type Row = [String; 5];

pub(crate) fn render(ours: &Samples, peer: &Samples, footnote: &str) -> String {
    let header = ["measure", "scenewright", "Python mcp 2.3", "goal", "verdict"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(measurements(ours, peer));
    rows.extend(goals(ours, peer));
    format!("{}\n{footnote}", align(&rows))
}

fn measurements(ours: &Samples, peer: &Samples) -> Vec<Row> {
    let row = |label: &str, digits: usize, pick: fn(&Samples) -> &Series| {
        let cell = |samples| number(pick(samples).median(), digits);
        [label.to_owned(), cell(ours), cell(peer), String::new(), String::new()]
    };
    vec![
        row("cold start to tools/list answered, stdio, ms", 1, |s| &s.start_ms),
        row("stdio calls/s, 1 in flight", 0, |s| &s.stdio_1),
        row("stdio calls/s, 32 in flight", 0, |s| &s.stdio_32),
        row("HTTP calls/s, 1 connection", 0, |s| &s.http_1),
        row("HTTP calls/s, 32 connections", 0, |s| &s.http_32),
        row("framed TCP calls/s, 1 in flight", 0, |s| &s.framed_1),
        row("framed TCP calls/s, 32 in flight", 0, |s| &s.framed_32),
        row("stdio calls/s of a tool that reads files, 1", 0, |s| &s.stdio_files_1),
        row("stdio calls/s of a tool that reads files, 32", 0, |s| &s.stdio_files_32),
        row("framed calls/s of a tool that reads files, 1", 0, |s| &s.framed_files_1),
        row("framed calls/s of a tool that reads files, 32", 0, |s| &s.framed_files_32),
        row("large answers over stdio, MB/s", 0, |s| &s.stdio_large),
        row("large answers over HTTP, MB/s", 0, |s| &s.http_large),
        row("large answers over HTTP in a session, MB/s", 0, |s| &s.http_session_large),
        row("idle RSS with HTTP on, MB", 1, |s| &s.rss_mb),
        row("tools/list, bytes", 0, |s| &s.list_bytes),
    ]
}

fn goals(ours: &Samples, peer: &Samples) -> Vec<Row> {
    let times_peer = |label: &str, pick: fn(&Samples) -> &Series| {
        let ratio = ratio(pick(ours), pick(peer));
        goal(label, times(ratio), "≥ 10x", ratio.map(|ratio| ratio >= 10.0))
    };
    let times_stdio = |label: &str, other: &Series, stdio: &Series| {
        let ratio = ratio(other, stdio);
        goal(label, times(ratio), "≥ 1x", ratio.map(|ratio| ratio >= 1.0))
    };
    let start = ratio(&peer.start_ms, &ours.start_ms);
    let share = start.map_or("n/a".into(), |start| format!("1/{start:.0}"));
    let (rss, list) = (ours.rss_mb.median(), ours.list_bytes.median());
    vec![
        goal("start against Python", share, "≤ 1/20", start.map(|start| start >= 20.0)),
        times_peer("stdio, 1, against Python", |s| &s.stdio_1),
        times_peer("stdio, 32, against Python", |s| &s.stdio_32),
        times_peer("HTTP, 1, against Python", |s| &s.http_1),
        times_peer("HTTP, 32, against Python", |s| &s.http_32),
        times_stdio("framed, 1, against stdio", &ours.framed_1, &ours.stdio_1),
        times_stdio("framed, 32, against stdio", &ours.framed_32, &ours.stdio_32),
        times_stdio("framed, 1, files", &ours.framed_files_1, &ours.stdio_files_1),
        times_stdio("framed, 32, files", &ours.framed_files_32, &ours.stdio_files_32),
        times_stdio("large answers, HTTP against stdio", &ours.http_large, &ours.stdio_large),
        times_stdio("the same in a session", &ours.http_session_large, &ours.stdio_large),
        goal("idle RSS, MB", number(rss, 1), "≤ 15", rss.map(|rss| rss <= 15.0)),
        goal("tools/list, bytes", number(list, 0), "≤ 12,000", list.map(|list| list <= 12_000.0)),
    ]
}

/// A line that says whether a goal is reached.
pub(crate) fn goal(label: &str, value: String, goal: &str, reached: Option<bool>) -> Row {
    let verdict = match reached {
        Some(true) => "ok",
        Some(false) => "MISSED",
        None => "not measured",
    };
    [label.to_owned(), value, String::new(), goal.to_owned(), verdict.to_owned()]
}

/// The middle of the ratios round by round: a machine that slows down for a while slows both.
pub(super) fn ratio(one: &Series, other: &Series) -> Option<f64> {
    one.over(other).median()
}

/// `6.2x`.
pub(crate) fn times(ratio: Option<f64>) -> String {
    ratio.map_or("n/a".into(), |ratio| format!("{ratio:.1}x"))
}

/// `12345.6` as `12,346`.
pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    let Some(value) = value else { return "n/a".to_owned() };
    let plain = format!("{value:.digits$}");
    let (whole, fraction) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// Markdown that also reads well in a terminal.
pub(crate) fn align(rows: &[Row]) -> String {
    columns(rows, 1..3)
}

/// The same with any columns, of which these have numbers.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]], numbers: Range<usize>) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; N] = std::array::from_fn(width);
    // Without a peer there is no column for it.
    let shown = || widths.into_iter().enumerate().filter(|(_, width)| *width > 0);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (column, width) in shown() {
            let cell = &row[column];
            let is_number = numbers.contains(&column);
            text +=
                &if is_number { format!("| {cell:>width$} ") } else { format!("| {cell:width$} ") };
        }
        text += "|\n";
        if index == 0 {
            for (column, width) in shown() {
                let end = if numbers.contains(&column) { ":" } else { "-" };
                text += &format!("|{}{end}", "-".repeat(width + 1));
            }
            text += "|\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits() {
        assert_eq!(number(Some(1_234_567.0), 0), "1,234,567");
        assert_eq!(number(Some(999.96), 1), "1,000.0");
        assert_eq!(number(None, 0), "n/a");
    }

    #[test]
    fn says_what_was_missed() {
        let mut ours = Samples::default();
        ours.rss_mb.push(16.0);
        ours.list_bytes.push(9.0);
        let table = render(&ours, &Samples::default(), "");
        assert!(table.contains("≤ 15     | MISSED"), "{table}");
        assert!(table.contains("≤ 12,000 | ok"), "{table}");
        assert!(table.contains("≤ 1/20   | not measured"), "{table}");
    }
}
