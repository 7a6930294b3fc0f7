//! Words for people: colour on terminals only, tables, one way to print.

#![allow(clippy::print_stdout, reason = "this module is the command line's one way to stdout")]

mod pager;

use std::io::{IsTerminal, Write};

use scenewright_contract::Output;

pub use pager::paged;

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy)]
pub enum Style {
    /// A heading or a name.
    Bold,
    /// Less important.
    Dim,
    /// Good.
    Green,
    /// To look at.
    Yellow,
    /// Bad.
    Red,
    /// A name to type.
    Cyan,
}

/// Where text goes, and whether it may be coloured there.
#[derive(Debug, Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// For stdout.
    pub fn stdout() -> Self {
        Self::on(std::io::stdout().is_terminal())
    }

    /// Never coloured.
    pub fn never() -> Self {
        Self(false)
    }

    /// For stderr.
    pub fn stderr() -> Self {
        Self::on(std::io::stderr().is_terminal())
    }

    /// A terminal that knows colours has them, unless `NO_COLOR` or `CLICOLOR=0` say otherwise;
    /// `CLICOLOR_FORCE` has them elsewhere, too.
    fn on(is_terminal: bool) -> Self {
        let said = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let is_no = |name: &str, no: &str| said(name).is_some_and(|value| value == no);
        Self(match () {
            () if said("NO_COLOR").is_some() => false,
            () if said("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            () => is_terminal && !is_no("CLICOLOR", "0") && !is_no("TERM", "dumb"),
        })
    }

    /// Whether colours are shown.
    pub fn is_on(self) -> bool {
        self.0
    }

    /// A line of a unified diff.
    pub fn diff_line(self, text: &str) -> String {
        let style = match text.as_bytes() {
            [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] => Style::Bold,
            [b'@', b'@', ..] => Style::Cyan,
            [b'+', ..] => Style::Green,
            [b'-', ..] => Style::Red,
            _ => return text.to_owned(),
        };
        self.paint(style, text)
    }

    /// A line of a change that is told by object and field.
    pub fn change_line(self, text: &str) -> String {
        match text.trim_start().as_bytes() {
            [b'+', ..] => self.paint(Style::Green, text),
            [b'-', ..] => self.paint(Style::Red, text),
            [b'~', ..] => self.paint(Style::Yellow, text),
            [b'@', b'@', ..] => self.paint(Style::Cyan, text),
            _ if !text.starts_with(' ') => self.paint(Style::Bold, text),
            _ => text.to_owned(),
        }
    }

    /// `text` in `style`, where colours are shown.
    pub fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Green => "32",
            Style::Yellow => "33",
            Style::Red => "31",
            Style::Cyan => "36",
        };
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Print a line to stdout. A reader that has gone away is no error: `scenewright tools | head`.
pub fn line(text: &str) {
    if !pager::take(text) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}

/// Print to stdout what may be too long to be held as one text.
pub fn written(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) {
    if !pager::keeps() {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let _ = write(&mut out).and_then(|()| out.flush());
        return;
    }
    let mut text = Vec::new();
    let _ = write(&mut text);
    line(String::from_utf8_lossy(&text).trim_end_matches('\n'));
}

/// Print bytes to stdout as they are.
pub fn raw(bytes: &[u8]) {
    let _ = std::io::stdout().write_all(bytes);
}

/// Print JSON to stdout: indented for people, on one line for programs.
pub fn json(value: &serde_json::Value) {
    line(&render_json(value, std::io::stdout().is_terminal()));
}

/// Print what a tool gave back in the same way; a text goes out as it is.
pub fn output(output: &Output) {
    match std::io::stdout().is_terminal() {
        true => json(output),
        false => drop(writeln!(std::io::stdout(), "{output}")),
    }
}

/// Print JSON to stderr.
pub fn json_error(value: &serde_json::Value) {
    let _ = writeln!(std::io::stderr(), "{}", render_json(value, std::io::stderr().is_terminal()));
}

fn render_json(value: &serde_json::Value, pretty: bool) -> String {
    if pretty { serde_json::to_string_pretty(value).unwrap_or_default() } else { value.to_string() }
}

/// Say something on stderr.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Say on stderr what went wrong.
pub fn error(text: &str) {
    note(&format!("{} {text}", Paint::stderr().paint(Style::Red, "error:")));
}

/// A bar on stderr while something takes long; nothing where nobody looks.
pub struct Progress {
    title: String,
    shown: bool,
    last: std::cell::Cell<Option<std::time::Instant>>,
}

impl Progress {
    /// A bar with this title, not shown yet.
    pub fn new(title: &str) -> Self {
        let shown = std::io::stderr().is_terminal();
        Self { title: title.to_owned(), shown, last: std::cell::Cell::new(None) }
    }

    /// So much of so much is done.
    pub fn show(&self, done: usize, total: usize) {
        let soon = self.last.get().is_some_and(|at| at.elapsed().as_millis() < 80);
        if !self.shown || soon || total == 0 {
            return;
        }
        self.last.set(Some(std::time::Instant::now()));
        let filled = (done * 24 / total).min(24);
        let bar = format!("{}{}", "#".repeat(filled), " ".repeat(24 - filled));
        let _ = write!(std::io::stderr(), "\r{} [{bar}] {done}/{total}", self.title);
    }

    /// Take it away.
    pub fn clear(&self) {
        if self.last.get().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

/// Lay out rows in columns, two spaces apart; the last column is free.
pub fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|at| {
            rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    rows.iter()
        .map(|row| {
            let mut text = String::new();
            for (at, cell) in row.iter().enumerate() {
                text.push_str(cell);
                if at + 1 < row.len() {
                    text.push_str(&" ".repeat(widths[at] - width(cell) + 2));
                }
            }
            text.trim_end().to_owned()
        })
        .collect()
}

/// How wide text is without its colours.
fn width(text: &str) -> usize {
    let mut in_escape = false;
    text.chars()
        .filter(|c| {
            let visible = !in_escape && *c != '\x1b';
            in_escape = if in_escape { *c != 'm' } else { *c == '\x1b' };
            visible
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_the_colours_of_git() {
        let lines =
            ["--- a", "@@ -1 +1 @@", "-b", "+c", " d"].map(|one| Paint(true).diff_line(one));
        let codes = ["1m", "36m", "31m", "32m"];
        for (line, code) in lines.iter().zip(codes) {
            assert!(line.starts_with(&format!("\x1b[{code}")), "{line}");
        }
        assert_eq!(lines[4], " d");
        assert_eq!(Paint(false).diff_line("+c"), "+c");
    }

    #[test]
    fn columns_line_up_whatever_the_colours() {
        let rows = [
            vec!["a".to_owned(), "one".to_owned()],
            vec![Paint(true).paint(Style::Red, "bbb"), "two".to_owned()],
        ];
        assert_eq!(columns(&rows), ["a    one", "\x1b[31mbbb\x1b[0m  two"]);
    }
}
