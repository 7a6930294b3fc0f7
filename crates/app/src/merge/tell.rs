//! What a merge says to people.

use scenewright_merge::{Conflict, Merged};

use crate::term::{line, note};

/// The longest value in a list.
const MAX_VALUE: usize = 100;

/// How many conflicts are left, as words.
pub(crate) fn count(merged: &Merged) -> String {
    let open = merged.conflicts.iter().filter(|conflict| conflict.choice.is_none()).count();
    match open {
        1 => "1 conflict".into(),
        open => format!("{open} conflicts"),
    }
}

/// The conflicts, numbered as `--resolve` counts them, to stderr.
pub(crate) fn conflicts(merged: &Merged) {
    for (number, conflict) in merged.conflicts.iter().enumerate() {
        words(number + 1, conflict).iter().for_each(|line| note(line));
    }
}

/// What was decided without asking and should be looked at, to stderr.
pub(crate) fn notes(merged: &Merged) {
    for found in merged.notes.iter().filter(|note| note.is_warning) {
        let place = match found.field.is_empty() {
            true => found.object.clone(),
            false => format!("{} {}", found.object, found.field),
        };
        note(&format!("  {place}: {}", found.text));
    }
}

/// What came of one file, to stdout.
pub(crate) fn file(shown: &str, merged: &Merged, is_list: bool) {
    match merged.is_clean() {
        true if is_list => line(&format!("{shown}: both sides go together")),
        true => line(&format!("{shown}: merged")),
        false => line(&format!("{shown}: {} left to decide", count(merged))),
    }
    for (number, conflict) in merged.conflicts.iter().enumerate() {
        words(number + 1, conflict).iter().for_each(|text| line(text));
    }
    notes(merged);
}

fn words(number: usize, conflict: &Conflict) -> Vec<String> {
    let name = match (conflict.name.as_str(), conflict.class.as_str()) {
        ("", class) => class.to_owned(),
        (name, "") => name.to_owned(),
        (name, class) => format!("{class} {name:?}"),
    };
    let place = match conflict.field.is_empty() {
        true => name,
        false => format!("{name} {}", conflict.field),
    };
    let state = match conflict.choice {
        Some(choice) => format!("decided: {}", choice.word()),
        None => conflict.kind.words().to_owned(),
    };
    let mut lines = vec![format!("  {number}. {place} ({state})"), format!("     {}", conflict.id)];
    if !conflict.detail.is_empty() {
        lines.push(format!("     {}", conflict.detail));
    }
    let values = [("base", &conflict.base), ("ours", &conflict.ours), ("theirs", &conflict.theirs)];
    for (version, value) in values {
        let value = value.as_deref().map_or_else(|| "not there".to_owned(), short);
        lines.push(format!("     {version:<6} {value}"));
    }
    lines
}

/// A value on one line.
fn short(value: &str) -> String {
    let text = value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
