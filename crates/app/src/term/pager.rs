//! Long answers on a terminal, a page at a time. Elsewhere nothing of this happens.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::width;
use crate::os;

/// What was said so far, while it is kept for a pager.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Do something whose lines are shown a page at a time: on a terminal, when `wanted`.
pub fn paged<T>(wanted: bool, work: impl FnOnce() -> T) -> T {
    if !wanted || !std::io::stdout().is_terminal() {
        return work();
    }
    keep(Some(String::new()));
    let done = work();
    if let Some(text) = keep(None) {
        show(&text);
    }
    done
}

fn keep(text: Option<String>) -> Option<String> {
    let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    std::mem::replace(&mut kept, text)
}

/// Whether lines are kept for the pager.
pub(super) fn keeps() -> bool {
    KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_some()
}

/// Keep a line for the pager; no when there is none to be.
pub(super) fn take(text: &str) -> bool {
    let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(kept) = kept.as_mut() else { return false };
    kept.push_str(text);
    kept.push('\n');
    true
}

fn show(text: &str) {
    let shown = if fits(text) { None } else { command().and_then(|command| page(command, text)) };
    if shown.is_none() {
        let _ = std::io::stdout().write_all(text.as_bytes());
    }
}

/// Whether a text can be seen at once, with room for the next prompt.
fn fits(text: &str) -> bool {
    let Some((columns, rows)) = terminal_size::terminal_size() else { return true };
    rows_of(text, usize::from(columns.0).max(1)) < usize::from(rows.0)
}

fn rows_of(text: &str, columns: usize) -> usize {
    text.lines().map(|line| width(line).div_ceil(columns).max(1)).sum()
}

/// The pager that the user wants; without a word of theirs the usual one, where there is one.
fn command() -> Option<Command> {
    let words = match std::env::var_os("PAGER") {
        Some(pager) => words(pager)?,
        None if cfg!(unix) => vec![os::find_program("less")?.into_os_string()],
        None => return None,
    };
    let mut command = Command::new(words.first()?);
    command.args(&words[1..]);
    if std::env::var_os("LESS").is_none() {
        // Colours as they are, and what was read stays on the screen.
        command.env("LESS", "FRX");
    }
    Some(command)
}

/// The program and its arguments; nothing for none, and for the one that pages nothing.
fn words(pager: OsString) -> Option<Vec<OsString>> {
    let Ok(text) = pager.into_string() else { return None };
    let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
    let is_one = words.first().is_some_and(|first| first != "cat");
    is_one.then_some(words)
}

/// Nothing when it cannot be started; what it does not read, nobody wants to read.
fn page(mut command: Command, text: &str) -> Option<()> {
    let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
    os::leave_interrupts_to_others();
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_wrap_take_more_rows() {
        assert_eq!(rows_of("a\n\nbcd\n", 2), 4);
        assert_eq!(rows_of("\x1b[31mab\x1b[0m\n", 2), 1);
    }

    #[test]
    fn a_pager_may_have_arguments_and_may_be_none() {
        assert_eq!(words("less -S".into()).unwrap(), ["less", "-S"]);
        assert_eq!(words(" ".into()), None);
        assert_eq!(words("cat".into()), None);
    }
}
