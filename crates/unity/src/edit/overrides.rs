//! Overrides of prefab instances, set and taken away. Which object inside is meant, the caller
//! knows.

use std::cmp::Ordering;

use scenewright_text::Edits;

use super::list::{line_end, regions, set_items};
use super::set::replace;
use super::{Item, Manner, New, Refused};
use crate::{FileId, Object, Reference, Value};

/// A value that an instance has instead of its prefab's.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// The object, by its id in the source of the instance.
    pub target: FileId,
    /// The path of one value without parts, such as `m_LocalPosition.x`.
    pub path: String,
    /// Text, a number or a reference.
    pub value: New,
}

const LIST: &str = "m_Modification.m_Modifications";

/// Set overrides of a `PrefabInstance`: entries that are there get the new value, others are added
/// beside those of the same object.
pub fn set_overrides(
    instance: Object<'_>,
    overrides: &[Override],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let list = instance.get(LIST).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
    let source = source(instance).ok_or_else(|| Refused::NoPlace("m_SourcePrefab".into()))?;
    let entries: Vec<Entry<'_>> = list.items().map(|item| Entry::read(item, source)).collect();
    let bytes = instance.document().as_bytes();
    let regions = regions(bytes, list);
    let mut added = Vec::new();
    for change in overrides {
        let known = entries.iter().rfind(|entry| entry.is(change));
        match known {
            Some(entry) => entry.set(bytes, &change.value, *manner, edits)?,
            None => added.push(change),
        }
    }
    added.sort_by_key(|change| {
        let is_first = !entries.iter().any(|entry| entry.target == Some(change.target));
        (place(&entries, change), is_first, change.target)
    });
    let Some(regions) = regions else {
        if !list.is_empty() {
            return Err(Refused::Shape(LIST.into()));
        }
        let items: Vec<Item> =
            added.iter().map(|change| Item::New(entry(change, source, *manner))).collect();
        return set_items(bytes, list, &items, *manner, edits);
    };
    let column = regions[0].len() - bytes[regions[0].clone()].trim_ascii_start().len();
    for change in added {
        let mut text = String::new();
        entry(change, source, *manner).push_item(&mut text, column, *manner);
        let at = place(&entries, change);
        match regions.get(at) {
            Some(region) => edits.insert(region.start, text + manner.line_break),
            None => {
                let end = line_end(bytes, list.span().end);
                edits.insert(end, manner.line_break.to_owned() + &text);
            }
        }
    }
    Ok(())
}

/// Take an override away, so that the prefab's own value counts again; false when there is none.
pub fn remove_override(
    instance: Object<'_>,
    target: FileId,
    path: &str,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<bool, Refused> {
    let list = instance.get(LIST).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
    let source = source(instance).ok_or_else(|| Refused::NoPlace("m_SourcePrefab".into()))?;
    let wanted = Override { target, path: path.to_owned(), value: New::Text(String::new()) };
    let entries: Vec<Entry<'_>> = list.items().map(|item| Entry::read(item, source)).collect();
    let kept: Vec<Item> =
        (0..entries.len()).filter(|at| !entries[*at].is(&wanted)).map(Item::Old).collect();
    let is_there = kept.len() < entries.len();
    set_items(instance.document().as_bytes(), list, &kept, *manner, edits)?;
    Ok(is_there)
}

/// What the instance is made of.
pub(super) fn source(instance: Object<'_>) -> Option<Reference> {
    let source = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| instance.get(key))?;
    source.as_reference().filter(|source| source.guid.is_some())
}

struct Entry<'d> {
    item: Value<'d>,
    target: Option<FileId>,
    path: String,
}

impl<'d> Entry<'d> {
    fn read(item: Value<'d>, source: Reference) -> Entry<'d> {
        let target = item.get("target").and_then(Value::as_reference);
        // Overrides of other files than the source are kept and not applied.
        let target = target.filter(|to| to.guid.is_none() || to.guid == source.guid);
        let path = item.get("propertyPath").map(|path| path.text().into_owned());
        Entry { item, target: target.map(|to| to.file_id), path: path.unwrap_or_default() }
    }

    fn is(&self, change: &Override) -> bool {
        self.target == Some(change.target) && self.path == change.path
    }

    fn set(
        &self,
        bytes: &[u8],
        value: &New,
        manner: Manner,
        edits: &mut Edits,
    ) -> Result<(), Refused> {
        let shape = || Refused::Shape(self.path.clone());
        let part = |key: &str| self.item.get(key).ok_or_else(shape);
        let nothing = New::local(FileId::NULL);
        let (text, reference) = match value {
            New::Reference(_) => (&New::Text(String::new()), value),
            text => (text, &nothing),
        };
        replace(bytes, part("value")?, text, manner, edits).map_err(|()| shape())?;
        replace(bytes, part("objectReference")?, reference, manner, edits).map_err(|()| shape())
    }
}

/// Before which entry a new one goes: among those of its target behind the last one that comes before
/// it, or behind all where nothing tells; else where the order by target has it, or at the end of lists
/// that are not in order.
fn place(entries: &[Entry<'_>], change: &Override) -> usize {
    let target = change.target;
    if let Some(last) = entries.iter().rposition(|entry| entry.target == Some(target)) {
        let order_of = |at: &usize| {
            let known = Some(&entries[*at]).filter(|entry| entry.target == Some(target))?;
            order(&known.path, &change.path)
        };
        // Parts of one item keep the order that they came in.
        let is_before = |at: &usize| order_of(at).is_some_and(Ordering::is_le);
        let before = (0..=last).rev().find(is_before);
        let behind = (0..=last).find(|at| order_of(at) == Some(Ordering::Greater));
        return before.map(|at| at + 1).or(behind).unwrap_or(last + 1);
    }
    match entries.is_sorted_by_key(|entry| entry.target) {
        true => entries.partition_point(|entry| entry.target < Some(target)),
        false => entries.len(),
    }
}

/// Fields of a transform in the order that every instance has them in.
const FIELDS: [&str; 3] = ["m_LocalPosition", "m_LocalRotation", "m_LocalEulerAnglesHint"];

/// Which of two paths of an object comes first, where files always have them in one order: parts of a
/// value, the size of a list and its items, where something is and how it is turned.
fn order(one: &str, other: &str) -> Option<Ordering> {
    let split = |path: &str| path.rfind(['.', '[']).unwrap_or(0);
    let (head, tail) = one.split_at(split(one));
    let (other_head, other_tail) = other.split_at(split(other));
    let turned = head.ends_with("Rotation");
    if head == other_head
        && !head.is_empty()
        && let (Some(one), Some(other)) = (rank(tail, turned), rank(other_tail, turned))
    {
        return Some(one.cmp(&other));
    }
    let list = |path: &str| path.find(".Array.").map(|at| path[..at].to_owned());
    if let (Some(one_list), Some(other_list)) = (list(one), list(other))
        && one_list == other_list
    {
        return Some(item(&one[one_list.len()..]).cmp(&item(&other[other_list.len()..])));
    }
    let field = |path: &str| FIELDS.iter().position(|field| path.split('.').next() == Some(field));
    match (one == "m_Name", other == "m_Name") {
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        _ => Some(field(one)?.cmp(&field(other)?)),
    }
}

/// The place of the last step of a path among its like; a quaternion has its `w` first.
fn rank(step: &str, turned: bool) -> Option<i64> {
    let letters = if turned { "wxyz" } else { "xyzw" };
    match step.as_bytes() {
        [b'.', one] => letters.find(char::from(*one)).or("rgba".find(char::from(*one))),
        [b'[', ..] => return step.trim_matches(['[', ']']).parse().ok(),
        _ => None,
    }
    .and_then(|at| i64::try_from(at).ok())
}

/// Which item of a list a path behind its name is about: its size comes before all.
fn item(rest: &str) -> i64 {
    let number = rest.strip_prefix(".Array.data[").and_then(|rest| rest.split(']').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(-1)
}

/// The entry of an override in the list of an instance of `source`.
pub fn entry(change: &Override, source: Reference, manner: Manner) -> New {
    let target = Reference { file_id: change.target, ..source };
    let (value, reference) = match &change.value {
        New::Reference(_) => (New::Text(String::new()), change.value.clone()),
        value => (value.clone(), New::local(FileId::NULL)),
    };
    New::Map(vec![
        ("target".into(), New::Reference(target)),
        // Spelled already: the quotes of paths are the file's choice.
        ("propertyPath".into(), New::Number(manner.path(&change.path))),
        ("value".into(), value),
        ("objectReference".into(), reference),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_value_are_in_order() {
        let is = |one: &str, other: &str, expected: Option<Ordering>| {
            assert_eq!(order(one, other), expected, "{one} {other}");
            assert_eq!(order(other, one), expected.map(Ordering::reverse), "{other} {one}");
        };
        is("m_LocalPosition.x", "m_LocalPosition.z", Some(Ordering::Less));
        is("m_LocalRotation.w", "m_LocalRotation.x", Some(Ordering::Less));
        is("m_LocalPosition.z", "m_LocalRotation.w", Some(Ordering::Less));
        is("m_LocalEulerAnglesHint.x", "m_LocalRotation.z", Some(Ordering::Greater));
        is("tint.r", "tint.a", Some(Ordering::Less));
        is("list.Array.size", "list.Array.data[0]", Some(Ordering::Less));
        is("list.Array.data[2].x", "list.Array.data[10].x", Some(Ordering::Less));
        is("m_Name", "m_IsActive", Some(Ordering::Less));
        is("m_LocalScale.x", "m_LocalPosition.x", None);
        is("speed", "tint.r", None);
        is("a.Array.data[0]", "b.Array.data[1]", None);
        is("list.Array.data[0].key", "list.Array.data[0].value", Some(Ordering::Equal));
    }
}
