//! One value at a path, set so that only what differs is edited.

use scenewright_text::Edits;

use super::list::{line_end, line_start, set_items};
use super::new::{push_field, spell};
use super::{Item, Manner, New, Refused};
use crate::{Document, Object, Value, ValueKind, ValueStyle};

/// Set the value at a path under an object's top key. Only what differs is edited; keys that are not
/// there yet come last in their map.
pub fn set(
    object: Object<'_>,
    path: &str,
    new: &New,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    set_in(object.document(), object.value(), path, new, manner, edits)
}

/// The same under any map of a document, such as the importer of a `.meta`.
pub fn set_in(
    document: &Document,
    map: Value<'_>,
    path: &str,
    new: &New,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let bytes = document.as_bytes();
    if let Some(value) = map.get(path) {
        return replace(bytes, value, new, *manner, edits).map_err(|_| Refused::Shape(path.into()));
    }
    let ends = path.match_indices('.').map(|(at, _)| at);
    for at in ends.rev() {
        if let Some(parent) = map.get(&path[..at]) {
            return add(bytes, parent, &path[at + 1..], new, *manner, edits);
        }
    }
    add(bytes, map, path, new, *manner, edits)
}

/// Puts a value of any form in the place of what stands behind a key.
pub(crate) fn overwrite(
    document: &Document,
    value: Value<'_>,
    new: &New,
    manner: Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let bytes = document.as_bytes();
    let key = value.key_span().ok_or_else(|| Refused::NoPlace("an item of a list".into()))?;
    let column = key.start - line_start(bytes, key.start);
    let mut text = String::new();
    new.push(&mut text, column + key.len() + 1, column, manner);
    let end = match value.style() {
        ValueStyle::Block => line_end(bytes, value.span().end),
        _ => value.span().end,
    };
    let old = key.end + 1..end.max(key.end + 1);
    if bytes[old.clone()] != *text.as_bytes() {
        edits.replace(old, text);
    }
    Ok(())
}

/// Adds a key to a map. What the key is in the end may be deeper: `m_Shadows.m_Type`.
fn add(
    bytes: &[u8],
    map: Value<'_>,
    path: &str,
    new: &New,
    manner: Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let refused = || Refused::NoPlace(path.into());
    if path.contains('[') {
        return Err(refused());
    }
    let mut keys = path.rsplit('.');
    let last = keys.next().unwrap_or(path);
    let (mut key, mut value) = (last.to_owned(), new.clone());
    for outer in keys {
        value = New::Map(vec![(key, value)]);
        key = outer.to_owned();
    }
    insert_key(bytes, map, &key, &value, manner, edits).ok_or_else(refused)
}

fn insert_key(
    bytes: &[u8],
    map: Value<'_>,
    key: &str,
    value: &New,
    manner: Manner,
    edits: &mut Edits,
) -> Option<()> {
    if map.kind() != ValueKind::Map {
        return None;
    }
    match map.style() {
        ValueStyle::Flow => {
            let end = map.span().end.checked_sub(1).filter(|end| bytes[*end] == b'}')?;
            let comma = if map.is_empty() { "" } else { ", " };
            let value = match value {
                New::Text(text) => spell(text, true),
                New::Number(text) => text.clone(),
                _ => return None,
            };
            edits.insert(end, format!("{comma}{key}: {value}"));
        }
        _ => {
            let first = map.fields().next()?.1.key_span()?.start;
            let column = first - line_start(bytes, first);
            let end = line_end(bytes, map.span().end);
            let mut text = manner.line_break.to_owned();
            push_field(&mut text, key, value, column, manner);
            edits.insert(end, text);
        }
    }
    Some(())
}

/// Puts a value in the place of another of the same form.
pub(super) fn replace(
    bytes: &[u8],
    value: Value<'_>,
    new: &New,
    manner: Manner,
    edits: &mut Edits,
) -> Result<(), ()> {
    if value.is_too_deep() {
        return Err(());
    }
    match (value.kind(), new) {
        (ValueKind::Scalar, New::Text(text)) => {
            if value.text() != text.as_str() {
                let start = value.span().start;
                let before = &bytes[line_start(bytes, start)..start];
                // Behind a key or a dash without a value comes a blank first.
                let column = before.len() + usize::from(matches!(before.last(), Some(b':' | b'-')));
                let text = match before.contains(&b'{') {
                    true => spell(text, true),
                    false => new.inline(column, indent(bytes, start), manner),
                };
                put(bytes, value, &text, edits);
            }
            Ok(())
        }
        (ValueKind::Scalar, New::Number(text)) => {
            if !is_same_number(&value.text(), text) {
                put(bytes, value, text, edits);
            }
            Ok(())
        }
        (ValueKind::Map, New::Reference(to)) => {
            let old =
                value.as_reference().filter(|_| value.style() == ValueStyle::Flow).ok_or(())?;
            if old != *to {
                let start = value.span().start;
                let column = start - line_start(bytes, start);
                put(bytes, value, &manner.reference(*to, column, indent(bytes, start)), edits);
            }
            Ok(())
        }
        (ValueKind::Map, New::Map(fields) | New::Flow(fields)) => {
            for (key, new) in fields {
                match value.fields().find(|(known, _)| known == key) {
                    Some((_, known)) => replace(bytes, known, new, manner, edits)?,
                    None => insert_key(bytes, value, key, new, manner, edits).ok_or(())?,
                }
            }
            Ok(())
        }
        (ValueKind::Sequence, New::List(items)) => {
            let old = value.items().count();
            if old == items.len() {
                return value
                    .items()
                    .zip(items)
                    .try_for_each(|(value, new)| replace(bytes, value, new, manner, edits));
            }
            let kept = value.items().map(Some).chain(std::iter::repeat(None));
            let items: Vec<Item> = (items.iter().zip(kept).enumerate())
                .map(|(at, (new, old))| match old {
                    Some(old) if is_same(bytes, old, new, manner) => Item::Old(at),
                    _ => Item::New(new.clone()),
                })
                .collect();
            set_items(bytes, value, &items, manner, edits).map_err(drop)
        }
        (ValueKind::Scalar, New::List(items)) if value.is_null() => {
            let items: Vec<Item> = items.iter().cloned().map(Item::New).collect();
            set_items(bytes, value, &items, manner, edits).map_err(drop)
        }
        _ => Err(()),
    }
}

/// Whether a value would stay as it is.
fn is_same(bytes: &[u8], value: Value<'_>, new: &New, manner: Manner) -> bool {
    let mut edits = Edits::default();
    replace(bytes, value, new, manner, &mut edits).is_ok() && edits.is_empty()
}

/// Whether two texts are the same number. Numbers of single precision have several spellings.
pub fn is_same_number(old: &str, new: &str) -> bool {
    let single = |text: &str| text.parse::<f32>().ok();
    let double = |text: &str| text.parse::<f64>().ok();
    match (old.parse::<i64>(), new.parse::<i64>()) {
        (Ok(old), Ok(new)) => old == new,
        _ => {
            // A text with few digits was written as a `float`.
            let is_short = new.bytes().filter(u8::is_ascii_digit).count() <= 9;
            old == new || double(old) == double(new) && double(old).is_some() || {
                is_short && single(old).is_some() && single(old) == single(new)
            }
        }
    }
}

fn put(bytes: &[u8], value: Value<'_>, text: &str, edits: &mut Edits) {
    let span = value.span();
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    if !span.is_empty() || !matches!(before, Some(b':' | b'-')) {
        return edits.replace(span, text);
    }
    // An empty item has its blank behind its place.
    let blank = usize::from(bytes.get(span.end) == Some(&b' '));
    edits.replace(span.start..span.end + blank, format!(" {text}"));
}

/// How deep the line of an offset is indented; dashes count as blanks.
fn indent(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[line_start(bytes, at)..at];
    let column = before.iter().take_while(|byte| matches!(byte, b' ' | b'-')).count();
    // Of an item without a key it is the column of its dash.
    if column == before.len() { column.saturating_sub(2) } else { column }
}
