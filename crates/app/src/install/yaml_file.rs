//! Servers in YAML, as Continue has them: a list below a key at the left margin. Only that list is read, and only as far
//! as people write it by hand; what is written in another way is left alone.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::file::Refused;

/// The list of servers.
struct List {
    /// The line of its key.
    head: Range<usize>,
    /// Whether it is written as `[]`.
    is_empty: bool,
    items: Vec<Item>,
}

/// A server.
struct Item {
    lines: Range<usize>,
    /// The column of its keys.
    column: usize,
    /// The lines of each of its keys.
    keys: Vec<(String, Range<usize>)>,
}

/// What is known of a file: its list of servers.
pub(super) fn read(key: &str, text: &str) -> Result<Value, Refused> {
    let Some(list) = find(key, text)? else { return Ok(json!({})) };
    let items = list.items.iter().map(|item| {
        let values = item.keys.iter().map(|(key, lines)| (key.clone(), value(text, lines)));
        Value::Object(values.collect::<Map<_, _>>())
    });
    Ok(json!({ key: Value::from_iter(items) }))
}

/// The text with an entry: in the place of the one with its name, or behind the others.
pub(super) fn put(key: &str, text: &[u8], name: &str, entry: &Value) -> Result<Vec<u8>, Refused> {
    let text = String::from_utf8_lossy(text);
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let list = find(key, &text)?;
    let dash = list.as_ref().and_then(|list| Some(list.items.last()?.column - 2)).unwrap_or(2);
    let there = list.as_ref().and_then(|list| list.of_name(&text, name));
    let column = there.map_or(dash + 2, |item| item.column);
    let mut lines = Vec::new();
    for (key, value) in entry.as_object().into_iter().flatten() {
        let kept = there.and_then(|item| item.keys.iter().find(|(known, _)| known == key));
        lines.push(match kept {
            // As it was written, with its comments.
            Some((_, lines)) if &self::value(&text, lines) == value => {
                text[lines.clone()].trim_start_matches([' ', '-']).trim_end().to_owned()
            }
            // JSON is YAML; it needs no rule for what has to be quoted.
            _ => format!("{key}: {value}"),
        });
    }
    let between = format!("{line_break}{}", " ".repeat(column));
    let item = format!("{}- {}{line_break}", " ".repeat(column - 2), lines.join(&between));
    let (range, new) = match (&list, there) {
        (_, Some(there)) => (there.lines.clone(), item),
        (Some(list), None) => match list.items.last() {
            Some(last) => (last.lines.end..last.lines.end, item),
            None if list.is_empty => (list.head.clone(), format!("{key}:{line_break}{item}")),
            None => (list.head.end..list.head.end, item),
        },
        (None, None) => (text.len()..text.len(), format!("{key}:{line_break}{item}")),
    };
    let end = if text[..range.start].ends_with('\n') || range.start == 0 { "" } else { line_break };
    Ok([&text[..range.start], end, &new, &text[range.end..]].concat().into_bytes())
}

/// The text without the entry of a name.
pub(super) fn take(key: &str, text: &[u8], name: &str) -> Result<Vec<u8>, Refused> {
    let text = String::from_utf8_lossy(text);
    let list = find(key, &text)?;
    let found = list.as_ref().and_then(|list| Some((list, list.of_name(&text, name)?)));
    let Some((list, item)) = found else { return Ok(text.into_owned().into_bytes()) };
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (before, after) = (&text[..item.lines.start], &text[item.lines.end..]);
    if list.items.len() > 1 {
        return Ok([before, after].concat().into_bytes());
    }
    let (head, between) = (&text[..list.head.start], &text[list.head.end..item.lines.start]);
    Ok([head, key, ": []", line_break, between, after].concat().into_bytes())
}

impl List {
    fn of_name(&self, text: &str, name: &str) -> Option<&Item> {
        let is_it = |item: &&Item| {
            let known = item.keys.iter().find(|(key, _)| key == "name");
            known.is_some_and(|(_, lines)| value(text, lines) == name)
        };
        self.items.iter().find(is_it)
    }
}

/// The list below a key; at the left margin no other text can look like the key.
fn find(key: &str, text: &str) -> Result<Option<List>, Refused> {
    let broken = |why: &str| Err(Refused::Broken(format!("`{key}` {why}")));
    let mut lines = spans(text);
    let is_key = |line: &&Range<usize>| {
        let rest = text[(*line).clone()].strip_prefix(key);
        rest.is_some_and(|rest| rest.starts_with(':'))
    };
    let heads: Vec<_> = lines.iter().filter(is_key).cloned().collect();
    let [head] = &*heads else {
        return match heads.is_empty() {
            true if lines.iter().all(|line| may_have_keys_below(&text[line.clone()])) => Ok(None),
            true => broken("would have to be put into a file that is not a plain list of keys"),
            false => broken("is there more than once"),
        };
    };
    let said = without_comment(&text[head.start + key.len() + 1..head.end]);
    let is_empty = said == "[]";
    if !said.is_empty() && !is_empty {
        return broken("is not a list with a line for each entry");
    }
    lines.retain(|line| line.start >= head.end);
    let mut list = List { head: head.clone(), is_empty, items: Vec::new() };
    let mut column = None;
    for line in lines {
        let words = text[line.clone()].trim_end();
        let (indent, plain) = (words.len() - words.trim_start().len(), words.trim_start());
        if plain.is_empty() || plain.starts_with('#') {
            continue;
        }
        let is_item = plain.starts_with("- ") && column.is_none_or(|column| indent == column);
        if indent == 0 && !is_item {
            break;
        }
        if words[..indent].contains('\t') || is_empty {
            return broken("is written in a way that this program does not know");
        }
        if is_item {
            column = Some(indent);
            let inner = 2 + plain[2..].len() - plain[2..].trim_start().len();
            let item = Item { lines: line.clone(), column: indent + inner, keys: Vec::new() };
            list.items.push(item);
        }
        let Some(item) = list.items.last_mut() else { return broken("is not a list") };
        item.lines.end = line.end;
        let start = if is_item { item.column } else { indent };
        match words.get(start..).and_then(|words| words.split_once(':')) {
            Some((name, rest)) if start == item.column && is_name(name, rest) => {
                item.keys.push((name.to_owned(), line));
            }
            _ => match item.keys.last_mut() {
                Some((_, lines)) if start > item.column || plain.starts_with("- ") => {
                    lines.end = line.end;
                }
                _ => return broken("is written in a way that this program does not know"),
            },
        }
    }
    Ok(Some(list))
}

/// Whether a key may follow a line in the same document: the line is inside of something, or a key itself.
fn may_have_keys_below(line: &str) -> bool {
    let is_inner =
        line.trim().is_empty() || line.starts_with([' ', '#', '-']) && line.trim() != "---";
    is_inner || line.split_once(':').is_some_and(|(name, rest)| is_name(name, rest.trim_end()))
}

fn is_name(name: &str, rest: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty() && name.chars().all(is_part) && (rest.is_empty() || rest.starts_with(' '))
}

/// The lines of a text, with their ends.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    lines.collect()
}

/// What a key says: a text, or a list of texts. Of anything else the words as they stand.
fn value(text: &str, lines: &Range<usize>) -> Value {
    let words = text[lines.clone()].trim_start_matches([' ', '-']);
    let (_, rest) = words.split_once(':').unwrap_or_default();
    let mut rest = rest.lines();
    let first = without_comment(rest.next().unwrap_or_default());
    let below: Vec<&str> = rest.map(without_comment).filter(|line| !line.is_empty()).collect();
    if first.is_empty() && !below.is_empty() {
        let items: Option<Vec<Value>> =
            below.iter().map(|line| Some(scalar(line.strip_prefix("- ")?.trim()))).collect();
        return items.map_or_else(|| json!(below.join("\n")), Value::Array);
    }
    if let Some(inner) = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let plain = || inner.split(',').map(str::trim).filter(|one| !one.is_empty()).map(scalar);
        return serde_json::from_str(first).unwrap_or_else(|_| Value::from_iter(plain()));
    }
    scalar(first)
}

fn scalar(word: &str) -> Value {
    let single = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match (word, single) {
        (_, Some(inner)) => json!(inner.replace("''", "'")),
        ("true", _) => json!(true),
        ("false", _) => json!(false),
        _ if word.starts_with('"') => serde_json::from_str(word).unwrap_or_else(|_| json!(word)),
        _ => json!(word),
    }
}

/// A line without the comment at its end; in quotation marks `#` is none.
fn without_comment(line: &str) -> &str {
    let line = line.trim();
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if at == 0 || line[..at].ends_with(' ') => return line[..at].trim_end(),
            (None, '"' | '\'') if at == 0 || line[..at].ends_with([' ', '[', ',']) => {
                quote = Some(c);
            }
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "mcpServers";

    fn put(text: &str) -> String {
        let entry =
            json!({ "name": "scenewright", "command": "/opt/scenewright", "args": ["serve"] });
        let put = super::put(KEY, text.as_bytes(), "scenewright", &entry).unwrap();
        let put = String::from_utf8(put).unwrap();
        let read = read(KEY, &put).unwrap();
        let servers = read[KEY].as_array().unwrap();
        assert!(servers.contains(&entry), "{put}\n{read}");
        put
    }

    /// What putting it in makes of a text, and that taking it out leaves the text.
    fn round_trip(text: &str) -> String {
        let put = put(text);
        let back = take(KEY, put.as_bytes(), "scenewright").unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), text);
        put
    }

    const OURS: &str =
        "  - name: \"scenewright\"\n    command: \"/opt/scenewright\"\n    args: [\"serve\"]\n";

    #[test]
    fn an_entry_comes_behind_the_others() {
        let text = "name: mine # hash\nmcpServers:\n  # files\n  - name: files\n    command: npx\n    args:\n      - -y\n      - \"a # b\"\n    env:\n      A: 1\n\n# rules\nrules:\n  - mcpServers: no\n";
        let after = text.replace("      A: 1\n", &format!("      A: 1\n{OURS}"));
        assert_eq!(round_trip(text), after);
        let read = read(KEY, text).unwrap();
        assert_eq!(read[KEY][0]["args"], json!(["-y", "a # b"]));
        round_trip("mcpServers:\n- name: a\n  command: b\nmodels: []\n");
        round_trip("mcpServers: []\nmodels: []\n");
    }

    #[test]
    fn a_list_is_made_where_there_is_none() {
        assert_eq!(put("name: mine"), format!("name: mine\nmcpServers:\n{OURS}"));
        assert_eq!(put("mcpServers:\nrules: []\n"), format!("mcpServers:\n{OURS}rules: []\n"));
        let crlf = put("name: mine\r\n");
        assert!(crlf.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{crlf:?}");
    }

    #[test]
    fn what_people_wrote_into_the_entry_stays() {
        let text = "mcpServers:\n  - name: scenewright # mine\n    env:\n      A: \"1\"\n    command: scenewright\n    args: []\n  - name: b\n";
        let old = read(KEY, text).unwrap()[KEY][0].clone();
        let mut entry = old;
        entry["command"] = json!("/opt/scenewright");
        let after = super::put(KEY, text.as_bytes(), "scenewright", &entry).unwrap();
        let after = String::from_utf8(after).unwrap();
        assert_eq!(after, text.replace("command: scenewright", "command: \"/opt/scenewright\""));
    }

    #[test]
    fn what_is_written_in_another_way_is_left_alone() {
        for text in [
            "mcpServers: [{ name: a }]\n",
            "mcpServers: {}\n",
            "mcpServers: *all\n",
            "mcpServers:\n  a:\n    command: b\n",
            "mcpServers:\n  - name: a\n\t  command: b\n",
            "mcpServers:\n  - a\n",
            "mcpServers: []\nmcpServers: []\n",
            "{ \"name\": \"mine\" }\n",
            "name: a\n---\nname: b\n",
        ] {
            assert!(matches!(read(KEY, text), Err(Refused::Broken(_))), "{text}");
        }
        assert_eq!(read(KEY, "rules: |\n  mcpServers:\n").unwrap(), json!({}));
    }
}
