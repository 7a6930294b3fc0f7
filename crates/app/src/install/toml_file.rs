//! Servers in TOML: a table for each, or a list of tables. Whatever else is there stays as it is.

use std::ops::Range;

use serde_json::Value;

use super::file::Refused;

/// The header of an entry in a list.
const ITEM: &str = "[[mcp_servers]]";

/// A table of its own at the end; one that is there is exchanged in its place.
pub(super) fn put(text: &[u8], name: &str, entry: &Value) -> Result<Vec<u8>, Refused> {
    let text = String::from_utf8_lossy(text);
    let (own, inner) = headers(name);
    let there = tables(&text, &own, &inner).into_iter().next();
    put_at(&text, there, &own, entry)
}

/// The same for a list: the entry at this place is exchanged, without one a new entry comes at the end.
pub(super) fn put_in_list(
    text: &[u8],
    at: Option<usize>,
    entry: &Value,
) -> Result<Vec<u8>, Refused> {
    let text = String::from_utf8_lossy(text);
    put_at(&text, item(&text, at), ITEM, entry)
}

/// Without the table and the blank line that was put before it.
pub(super) fn take(text: &[u8], name: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let (own, inner) = headers(name);
    take_at(&text, tables(&text, &own, &inner).into_iter().next())
}

/// The same for the entry at a place of a list.
pub(super) fn take_from_list(text: &[u8], at: Option<usize>) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    take_at(&text, item(&text, at))
}

fn put_at(
    text: &str,
    there: Option<Range<usize>>,
    header: &str,
    entry: &Value,
) -> Result<Vec<u8>, Refused> {
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut table = format!("{header}{line_break}");
    for (key, value) in entry.as_object().into_iter().flatten() {
        let value = toml::Value::try_from(value).map_err(|why| Refused::Broken(why.to_string()))?;
        table += &format!("{key} = {value}{line_break}");
    }
    Ok(match there {
        Some(range) => [&text[..range.start], &table, &text[range.end..]].concat().into_bytes(),
        None if text.trim().is_empty() => table.into_bytes(),
        None => {
            let end = if text.ends_with('\n') { "" } else { line_break };
            format!("{text}{end}{line_break}{table}").into_bytes()
        }
    })
}

fn take_at(text: &str, there: Option<Range<usize>>) -> Vec<u8> {
    let Some(range) = there else { return text.as_bytes().to_vec() };
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let before = match before.strip_suffix("\r\n\r\n").or_else(|| before.strip_suffix("\n\n")) {
        Some(rest) if after.trim().is_empty() => {
            &before[..rest.len() + before[rest.len()..].len() / 2]
        }
        _ => before,
    };
    [before, after].concat().into_bytes()
}

/// The header of a server's table, and how those of the tables inside it begin.
fn headers(name: &str) -> (String, String) {
    let is_bare = name.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '-' | '_'));
    let path = match is_bare {
        true => format!("mcp_servers.{name}"),
        false => format!("mcp_servers.{}", Value::from(name)),
    };
    (format!("[{path}]"), format!("[{path}."))
}

fn item(text: &str, at: Option<usize>) -> Option<Range<usize>> {
    tables(text, ITEM, "[mcp_servers.").into_iter().nth(at?)
}

/// The lines of every table with a header, from it to the last key; tables inside it with it.
fn tables(text: &str, own: &str, inner: &str) -> Vec<Range<usize>> {
    let (mut at, mut found, mut is_open) = (0, Vec::<Range<usize>>::new(), false);
    for line in text.split_inclusive('\n') {
        let plain = line.trim();
        if plain == own {
            found.push(at..at);
            is_open = true;
        } else if plain.starts_with('[') && !plain.starts_with(inner) {
            is_open = false;
        }
        at += line.len();
        // Blank lines and comments behind it belong to what follows.
        if let Some(last) = found.last_mut().filter(|_| is_open)
            && !plain.is_empty()
            && !plain.starts_with('#')
        {
            last.end = at;
        }
    }
    found
}
