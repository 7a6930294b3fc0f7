//! Maps whose keys are data, such as identifiers by platform. Entries that stay keep their bytes.

use std::cmp::Ordering;

use scenewright_text::Edits;

use super::list::{line_end, line_start};
use super::new::push_field;
use super::set::{overwrite, replace};
use super::{Manner, New, Refused};
use crate::{Object, Value, ValueKind, ValueStyle};

/// Set entries of the map at a path, or take them away. New ones come where Unity has them.
pub fn set_entries(
    object: Object<'_>,
    path: &str,
    entries: &[(String, Option<New>)],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let refused = || Refused::Shape(path.into());
    let map = object.get(path).ok_or_else(|| Refused::NoPlace(path.into()))?;
    if map.kind() != ValueKind::Map {
        return Err(refused());
    }
    if map.is_empty() {
        let new = entries.iter().filter_map(|(key, new)| Some((key.clone(), new.clone()?)));
        let mut new: Vec<(String, New)> = new.collect();
        new.sort_by(|(a, _), (b, _)| order(a, b));
        return match new.is_empty() {
            true => Ok(()),
            false => overwrite(object.document(), map, &New::Map(new), *manner, edits),
        };
    }
    let bytes = object.document().as_bytes();
    let lines = lines(bytes, map, entries, *manner).ok_or_else(refused)?;
    if lines.is_empty() {
        return overwrite(object.document(), map, &New::Map(Vec::new()), *manner, edits);
    }
    let start = line_start(bytes, map.span().start);
    let old = start..line_end(bytes, map.span().end);
    let texts: Vec<String> = lines.into_iter().map(|(_, text)| text).collect();
    let new = texts.join(manner.line_break);
    if bytes[old.clone()] != *new.as_bytes() {
        edits.replace(old, new);
    }
    Ok(())
}

/// Whole numbers by their size, other keys letter by letter.
fn order(a: &str, b: &str) -> Ordering {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => a.cmp(b),
    }
}

/// Each entry as it is to be: its key and its lines.
fn lines(
    bytes: &[u8],
    map: Value<'_>,
    entries: &[(String, Option<New>)],
    manner: Manner,
) -> Option<Vec<(String, String)>> {
    if map.style() != ValueStyle::Block {
        return None;
    }
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut column = 0;
    for (key, value) in map.fields() {
        let at = value.key_span()?.start;
        let start = line_start(bytes, at);
        // The first key of an item stands behind a dash, which is not its own.
        bytes[start..at].iter().all(|byte| *byte == b' ').then_some(())?;
        column = at - start;
        let part = start..line_end(bytes, value.span().end.max(at));
        let mut own = Edits::default();
        match entries.iter().find(|(wanted, _)| *wanted == key) {
            Some((_, None)) => continue,
            Some((_, Some(new))) => replace(bytes, value, new, manner, &mut own).ok()?,
            None => {}
        }
        let text = own.apply_within(bytes, part).ok()?;
        lines.push((key.into_owned(), String::from_utf8(text).ok()?));
    }
    for (key, new) in entries {
        let Some(new) = new.as_ref().filter(|_| !map.fields().any(|(known, _)| known == *key))
        else {
            continue;
        };
        let mut text = String::new();
        push_field(&mut text, key, new, column, manner);
        let behind = lines.iter().position(|(known, _)| order(known, key) == Ordering::Greater);
        lines.insert(behind.unwrap_or(lines.len()), (key.clone(), text));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, FileId};

    fn check(map: &str, entries: &[(&str, Option<&str>)], expected: &str) {
        let file =
            |map: &str| format!("--- !u!129 &1\nPlayerSettings:\n  a: 1\n  map:{map}\n  z: 2\n");
        let document = Document::parse(file(map));
        let entries: Vec<(String, Option<New>)> = entries
            .iter()
            .map(|(key, value)| ((*key).into(), value.map(|text| New::Text(text.into()))))
            .collect();
        let mut edits = Edits::default();
        let object = document.object(FileId(1)).unwrap();
        set_entries(object, "map", &entries, &Manner::of(&document), &mut edits).unwrap();
        let after = edits.apply(document.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(after).unwrap(), file(expected));
    }

    #[test]
    fn entries_come_in_unitys_order() {
        let two = "\n    Android: a\n    iPhone: b";
        check(two, &[("WebGL", Some("w"))], "\n    Android: a\n    WebGL: w\n    iPhone: b");
        check(two, &[("tvOS", Some("t"))], "\n    Android: a\n    iPhone: b\n    tvOS: t");
        check("\n    2: a\n    10: b", &[("7", Some("c"))], "\n    2: a\n    7: c\n    10: b");
        check(" {}", &[("b", Some("2")), ("a", Some("1"))], "\n    a: 1\n    b: 2");
    }

    #[test]
    fn entries_go_and_the_others_keep_their_bytes() {
        let odd = "\n    Android:   a\n    'iPhone': \"b\"\n    tvOS: ";
        check(odd, &[("Android", None)], "\n    'iPhone': \"b\"\n    tvOS: ");
        check(
            odd,
            &[("tvOS", None), ("u", Some("x"))],
            "\n    Android:   a\n    'iPhone': \"b\"\n    u: x",
        );
        check(odd, &[("iPhone", Some("c"))], "\n    Android:   a\n    'iPhone': c\n    tvOS: ");
        check("\n    a: 1", &[("a", None)], " {}");
        check(odd, &[("Android", Some("a")), ("none", None)], odd);
    }
}
