//! Lists with other items than before. Items that stay keep their bytes.

use std::ops::Range;

use memchr::{memchr, memrchr};
use scenewright_text::Edits;

use super::{Manner, New, Refused};
use crate::{Object, Value, ValueKind, ValueStyle};

/// One item of a list that is set.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// The item that was at this place.
    Old(usize),
    /// A new one.
    New(New),
}

/// Give the list at a path these items. Old ones keep their text.
pub fn set_list(
    object: Object<'_>,
    path: &str,
    items: &[Item],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let list = object.get(path).ok_or_else(|| Refused::NoPlace(path.into()))?;
    set_items(object.document().as_bytes(), list, items, *manner, edits)
}

/// Put one more item at the end of the list at a path.
pub fn append(
    object: Object<'_>,
    path: &str,
    item: New,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let list = object.get(path).ok_or_else(|| Refused::NoPlace(path.into()))?;
    let old = (0..list.items().count()).map(Item::Old);
    let items: Vec<Item> = old.chain([Item::New(item)]).collect();
    set_list(object, path, &items, manner, edits)
}

pub(crate) fn set_items(
    bytes: &[u8],
    list: Value<'_>,
    items: &[Item],
    manner: Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let name = || list.key().unwrap_or_default().into_owned();
    let is_empty = list.is_empty() && list.raw_bytes().len() <= 2;
    if is_empty && (list.is_null() || list.kind() == ValueKind::Sequence) {
        if items.is_empty() {
            return Ok(());
        }
        let key = list.key_span().ok_or_else(|| Refused::NoPlace(name()))?;
        let column = key.start - line_start(bytes, key.start);
        let text: String = items
            .iter()
            .map(|item| format!("{}{}", manner.line_break, spelled(item, column, manner)))
            .collect();
        edits.replace(key.end + 1..list.span().end, text);
        return Ok(());
    }
    let regions = regions(bytes, list).ok_or_else(|| Refused::Shape(name()))?;
    let is_old = |(at, item): &(usize, &Item)| **item == Item::Old(*at);
    let mut first = items.iter().enumerate().take_while(is_old).count();
    if first == items.len() && first == regions.len() {
        return Ok(());
    }
    let most = (regions.len() - first.min(regions.len())).min(items.len() - first);
    let both = items.iter().rev().zip((0..regions.len()).rev());
    let mut last = both.take(most).take_while(|(item, at)| **item == Item::Old(*at)).count();
    // Something that is there has to be replaced, so that line breaks are its own.
    if first + last == regions.len() {
        if first > 0 { first -= 1 } else { last -= 1 }
    }
    let old = regions[first].start..regions[regions.len() - last - 1].end;
    let new = &items[first..items.len() - last];
    if items.is_empty() {
        let key = list.key_span().ok_or_else(|| Refused::NoPlace(name()))?;
        edits.replace(key.end + 1..line_end(bytes, list.span().end), " []");
        return Ok(());
    }
    if new.is_empty() {
        edits.remove(old);
        return Ok(());
    }
    let column = regions[0].len() - bytes[regions[0].clone()].trim_ascii_start().len();
    let lines: Vec<String> = new
        .iter()
        .map(|item| match item {
            Item::Old(at) => {
                let text =
                    regions.get(*at).map(|region| &bytes[region.clone()]).unwrap_or_default();
                String::from_utf8_lossy(text).trim_end_matches(['\r', '\n']).to_owned()
            }
            item => spelled(item, column, manner),
        })
        .collect();
    let behind = &bytes[old.clone()];
    let tail = behind.len() - trim_break(behind).len();
    edits.replace(old.start..old.end - tail, lines.join(manner.line_break));
    Ok(())
}

fn spelled(item: &Item, column: usize, manner: Manner) -> String {
    let mut text = String::new();
    if let Item::New(new) = item {
        new.push_item(&mut text, column, manner);
    }
    text
}

/// The lines of each item of a list in block style, with their breaks.
pub(super) fn regions(bytes: &[u8], list: Value<'_>) -> Option<Vec<Range<usize>>> {
    if list.kind() != ValueKind::Sequence || list.style() != ValueStyle::Block {
        return None;
    }
    let starts: Vec<usize> =
        list.items().map(|item| line_start(bytes, item.span().start)).collect();
    // An item that shares its line with another, as in `- - 1`, has no lines of its own.
    let stands_alone = starts.windows(2).all(|pair| pair[0] < pair[1])
        && starts.iter().all(|start| bytes[*start..].trim_ascii_start().starts_with(b"-"))
        && line_start(bytes, list.span().start) == *starts.first()?
        && bytes[*starts.first()?..list.span().start].iter().all(|byte| *byte == b' ');
    if !stands_alone {
        return None;
    }
    let end = line_end(bytes, list.span().end);
    let end = end + break_length(&bytes[end..]);
    let ends = starts.iter().skip(1).copied().chain([end]);
    Some(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// The first byte of the line of an offset.
pub(super) fn line_start(bytes: &[u8], at: usize) -> usize {
    memrchr(b'\n', &bytes[..at]).map_or(0, |at| at + 1)
}

/// The end of the line of an offset, before its break.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
    if end > at && bytes[end - 1] == b'\r' && end < bytes.len() { end - 1 } else { end }
}

fn break_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

fn trim_break(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}
