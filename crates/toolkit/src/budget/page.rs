//! The part of an answer from a place on that there is room for, in the order of the answer.

use serde_json::{Map, Value, json};

/// What is no longer than this is shown before what is.
const SMALL: usize = 400;
/// An object with more in small things is a table, and has rows.
const TABLE: usize = 4000;
/// Longer texts are shown line by line.
const LONG: usize = 1000;
/// With less room nothing new is begun.
const LITTLE: usize = 120;
/// What tells things apart is said again where they go on.
const NAMES: [&str; 12] = [
    "name",
    "path",
    "nodePath",
    "id",
    "file",
    "scenePath",
    "under",
    "tool",
    "rule",
    "type",
    "guid",
    "section",
];

/// The bytes of a value as JSON.
pub(super) fn len(value: &Value) -> usize {
    len_to(value, usize::MAX)
}

/// The same of what may be very large: where it is more than `most`, any number above that.
pub(super) fn len_to(value: &Value, most: usize) -> usize {
    let mut sum = 2;
    match value {
        Value::Null => return 4,
        Value::Bool(_) => return 5,
        Value::Number(number) => return number.to_string().len(),
        Value::String(text) => return text_len(text),
        Value::Array(items) => {
            for item in items {
                if sum > most {
                    break;
                }
                sum += len_to(item, most - sum) + 1;
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                if sum > most {
                    break;
                }
                sum += text_len(key) + len_to(value, most - sum) + 2;
            }
        }
    }
    sum
}

/// The bytes of a member of an object.
pub(super) fn member_len(key: &str, value: &Value) -> usize {
    text_len(key) + len(value) + 2
}

/// Whether something is shown before what is not.
fn is_small(value: &Value) -> bool {
    len_to(value, SMALL) <= SMALL
}

fn text_len(text: &str) -> usize {
    let escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\t' | b'\r');
    text.len() + 2 + text.as_bytes().iter().filter(|byte| escaped(byte)).count()
}

/// What of `value` is at and behind `from` and has room, and where it goes on after that.
pub(super) fn page(value: &Value, from: &[usize], room: usize) -> (Value, Option<Vec<usize>>) {
    Pager { room, total: room, shown: false }.take(value, from)
}

struct Pager {
    room: usize,
    total: usize,
    /// Something is in the part that was in none before, so that there is an end.
    shown: bool,
}

type Taken = (Value, Option<Vec<usize>>);

impl Pager {
    fn take(&mut self, value: &Value, from: &[usize]) -> Taken {
        match value {
            Value::String(text) if text.len() > LONG => self.lines(text, from),
            Value::Array(items) => {
                let (items, next) = self.items(items.iter().map(|item| (0, item)), from);
                (Value::Array(items), next)
            }
            Value::Object(members) if is_table(members) => {
                let start = from.first().copied().unwrap_or(0);
                let rows = members.iter().map(|(key, value)| (text_len(key) + 1, value));
                let (values, next) = self.items(rows, from);
                let keys = members.keys().skip(start).cloned();
                (Value::Object(keys.zip(values).collect()), next)
            }
            Value::Object(members) => self.members(members, from),
            other => {
                self.spend(len(other), true);
                (other.clone(), None)
            }
        }
    }

    /// Takes room, if there is that much or nothing else would be shown.
    fn spend(&mut self, bytes: usize, must: bool) -> bool {
        let has_room = bytes <= self.room;
        if has_room || must {
            self.room = self.room.saturating_sub(bytes);
            self.shown = true;
        }
        has_room || must
    }

    /// Items, each with what it takes beside its value.
    fn items<'v>(
        &mut self,
        items: impl Iterator<Item = (usize, &'v Value)>,
        from: &[usize],
    ) -> (Vec<Value>, Option<Vec<usize>>) {
        let start = from.first().copied().unwrap_or(0);
        let mut inner = from.get(1..).unwrap_or_default();
        let mut taken = Vec::new();
        for (at, (beside, item)) in items.enumerate().skip(start) {
            let bytes = beside + len_to(item, self.total) + 1;
            if inner.is_empty() && self.spend(bytes, false) {
                taken.push(item.clone());
                continue;
            }
            // One that is large by itself is begun, so that the room before it is not lost.
            let begin = !inner.is_empty() || !self.shown || bytes > self.total / 2;
            if !begin || (self.shown && self.room < LITTLE) {
                return (taken, Some(vec![at]));
            }
            let (part, next) = self.take(item, inner);
            inner = &[];
            let is_begun = next.as_ref().is_none_or(|next| !next.is_empty());
            if is_begun {
                taken.push(part);
            }
            if let Some(next) = next {
                return (taken, Some([vec![at], next].concat()));
            }
        }
        (taken, None)
    }

    fn members(&mut self, members: &Map<String, Value>, from: &[usize]) -> Taken {
        let is_new = from.is_empty();
        let is_said =
            |key: &str, value: &Value| is_small(value) && (is_new || NAMES.contains(&key));
        let said = members.iter().filter(|(key, value)| is_said(key, value));
        let bytes = said.map(|(key, value)| key.len() + 4 + len(value)).sum::<usize>() + 2;
        if is_new {
            if !self.spend(bytes, !self.shown) {
                return (Value::Object(Map::new()), Some(Vec::new()));
            }
        } else {
            self.room = self.room.saturating_sub(bytes);
        }
        let (mut part, mut next) = (Map::new(), None);
        let start = from.first().copied().unwrap_or(0);
        for (at, (key, value)) in members.iter().enumerate() {
            let is_begun = at == start && !is_new;
            if is_begun || (!is_small(value) && (is_new || at > start)) {
                let inner = if is_begun { &from[1..] } else { &[] };
                if next.is_none() {
                    next = self.member(&mut part, at, key, value, inner);
                }
            } else if is_said(key, value) {
                part.insert(key.clone(), value.clone());
            }
        }
        (Value::Object(part), next)
    }

    fn member(
        &mut self,
        part: &mut Map<String, Value>,
        at: usize,
        key: &str,
        value: &Value,
        inner: &[usize],
    ) -> Option<Vec<usize>> {
        if inner.is_empty() && self.spend(len_to(value, self.total) + key.len() + 4, false) {
            part.insert(key.to_owned(), value.clone());
            return None;
        }
        if self.shown && self.room < LITTLE {
            return Some(vec![at]);
        }
        let (taken, next) = self.take(value, inner);
        let Some(next) = next else {
            part.insert(key.to_owned(), taken);
            return None;
        };
        if !next.is_empty() {
            part.insert(key.to_owned(), taken);
        }
        Some([vec![at], next].concat())
    }

    fn lines(&mut self, text: &str, from: &[usize]) -> Taken {
        let start = from.first().copied().unwrap_or(0);
        let mut taken = String::new();
        for (at, line) in text.split_inclusive('\n').enumerate().skip(start) {
            if self.spend(text_len(line), false) {
                taken.push_str(line);
                continue;
            }
            if !self.shown || text_len(line) > self.total {
                // One line without an end: nobody reads such, and the cut is said.
                let end = line.floor_char_boundary((self.room / 2).min(line.len()));
                taken.push_str(&line[..end]);
                taken.push_str(&format!("… ({} bytes more in this line)", line.len() - end));
                self.spend(end, true);
                continue;
            }
            return (Value::String(taken), Some(vec![at]));
        }
        (Value::String(taken), None)
    }
}

fn is_table(members: &Map<String, Value>) -> bool {
    let small = members.iter().filter(|(_, value)| is_small(value));
    small.map(|(key, value)| key.len() + len(value) + 4).sum::<usize>() > TABLE
}

/// How many parts a value has.
pub(super) fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        Value::String(text) if text.len() > LONG => text.split_inclusive('\n').count(),
        _ => 0,
    }
}

fn child(value: &Value, at: usize) -> Option<&Value> {
    match value {
        Value::Array(items) => items.get(at),
        Value::Object(members) => members.values().nth(at),
        _ => None,
    }
}

/// A number that differs where the parts on the way to a place are more or fewer.
pub(super) fn form(value: &Value, place: &[usize]) -> u32 {
    let (mut form, mut value) = (0x811c_9dc5_u32, Some(value));
    for at in place.iter().copied().chain([usize::MAX]) {
        form = (form ^ value.map_or(0, count) as u32).wrapping_mul(0x0100_0193);
        value = value.and_then(|value| child(value, at));
    }
    form & 0xff_ffff
}

/// What of the top of an answer is behind a place: how many of each list.
pub(super) fn left_out(value: &Value, next: &[usize]) -> Value {
    let mut left = Map::new();
    let Value::Object(members) = value else { return json!(null) };
    let start = next.first().copied().unwrap_or(0);
    if is_table(members) {
        return json!(members.len().saturating_sub(start));
    }
    for (at, (key, value)) in members.iter().enumerate().skip(start) {
        let shown = if at == start { next.get(1).copied().unwrap_or(0) } else { 0 };
        let count = count(value).saturating_sub(shown);
        if !is_small(value) && count > 0 {
            left.insert(key.clone(), json!(count));
        }
    }
    Value::Object(left)
}
