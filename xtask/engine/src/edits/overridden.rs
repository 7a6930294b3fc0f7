//! An override taken away, and set again.

use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::{ClassId, Document, FileId, Value};
use serde_json::Value as Json;
use xtask::random::Random;

use super::field::{LOST, is_lost, made};
use super::ground::{Ground, LIST};
use super::orders::keys;
use super::values::{json_of_reference, json_of_text};
use super::{Verdict, difference};

/// An entry of the list of an instance.
struct Entry<'d> {
    instance: FileId,
    target: FileId,
    path: String,
    item: Value<'d>,
}

/// How many overrides a file has.
pub(super) fn count(document: &Document) -> usize {
    entries(document).len()
}

pub(super) fn judge(
    opened: &mut Opened<'_>,
    ground: &Ground,
    place: usize,
    _: &mut Random,
) -> Option<Verdict> {
    let entries = entries(&ground.document);
    let entry = entries.get(place)?;
    let path = entry.path.as_str();
    let is_it = |other: &&Entry<'_>| {
        other.instance == entry.instance && other.target == entry.target && other.path == path
    };
    if entries.iter().filter(is_it).count() > 1 {
        return Some(Verdict::Untold("the list has it twice".into()));
    }
    let mates = entries.iter().filter(|other| other.instance == entry.instance).count();
    if path == "m_RootOrder" {
        return Some(Verdict::Untold("a place among siblings is not set".into()));
    }
    if mates == 1 {
        return None;
    }
    let Some((object, component)) = ground.inside(entry.instance, entry.target) else {
        return Some(Verdict::Untold(
            "its object is not in the prefab, or that is not here".into(),
        ));
    };
    let value = entry.value();
    let before = ground.document.as_bytes();
    let cut = lines(before, entry.item);
    let without = [&before[..cut.start], &before[cut.end..]].concat();
    let whole = opened.replace(Arc::new(Document::parse(without)));
    let made = made(opened, |editor| {
        editor.set(Some(object), component.as_deref(), path, &value).map(drop)
    });
    let place = || entry.item.get("value").map(|value| value.span().start);
    let made = made.map(|bytes| ground.shown(bytes, |_| place()));
    let without = opened.replace(whole);
    let head: String = path.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    Some(match made {
        Ok(bytes) if bytes == before => Verdict::Same,
        Ok(bytes) if bytes == without.as_bytes() => {
            Verdict::Untold("the prefab has the same value".into())
        }
        Ok(bytes) if sorted(&bytes) == sorted(before) => {
            let after = Document::parse(bytes);
            let list = |file: &Document| file.object(entry.instance).map(keys).unwrap_or_default();
            ground.moved(&list(&ground.document), &list(&after), head)
        }
        Ok(bytes) => Verdict::Other(format!("{head}: other\n{}", difference(before, &bytes))),
        Err(refusal) if is_lost(&refusal) => Verdict::Untold(LOST.into()),
        Err(refusal) if refusal.message.contains("cannot be looked into") => {
            Verdict::Untold("it is in a prefab or model that is not here".into())
        }
        // Nobody can set what a class has no more; an item of a list may be there by other overrides.
        Err(refusal) if is_gone(&refusal.message) && !path.contains('[') => {
            Verdict::Untold("the class has no such field any more".into())
        }
        Err(refusal) => Verdict::Other(format!("{head}: refused\n{}", refusal.message)),
    })
}

fn is_gone(message: &str) -> bool {
    message.contains(" asks for") || message.contains("has no field")
}

fn entries(document: &Document) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for object in document.objects().filter(|it| it.class_id() == ClassId::PREFAB_INSTANCE) {
        let items = object.get(LIST).into_iter().flat_map(Value::items);
        entries.extend(items.filter_map(|item| {
            let target = item.get("target")?.as_reference()?.file_id;
            let path = item.get("propertyPath")?.text().into_owned();
            Some(Entry { instance: object.file_id(), target, path, item })
        }));
    }
    entries
}

impl Entry<'_> {
    fn value(&self) -> Json {
        let reference = self.item.get("objectReference").and_then(Value::as_reference);
        let text = self.item.get("value").map(|value| value.text().into_owned());
        match (reference, text.unwrap_or_default()) {
            (Some(to), _) if !to.is_null() => json_of_reference(to),
            (_, text) => json_of_text(&text),
        }
    }
}

/// The lines of an item.
fn lines(bytes: &[u8], item: Value<'_>) -> std::ops::Range<usize> {
    let span = item.span();
    let start = bytes[..span.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[span.end..].iter().position(|byte| *byte == b'\n');
    start..end.map_or(bytes.len(), |end| span.end + end + 1)
}

fn sorted(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    lines.sort_unstable();
    lines
}
