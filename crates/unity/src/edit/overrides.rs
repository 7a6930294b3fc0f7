//! Overrides of prefab instances, set and taken away. Which object inside is meant, the caller
//! knows.

mod order;

use scenewright_text::Edits;

use super::list::{line_end, regions, set_items};
use super::set::replace;
use super::{Item, Manner, New, Refused};
use crate::{Document, FileId, Object, Reference, Value};

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
/// where the file's version of Unity has them. Before 2020.3 the other instances of the `file` tell.
pub fn set_overrides(
    instance: Object<'_>,
    overrides: &[Override],
    file: &Document,
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
    let is_sorted = manner.sorts_overrides() && order::is_sorted(&entries);
    let place = |change: &Override| match is_sorted {
        true => order::place_sorted(&entries, change),
        false => order::place_among(&entries, change, file),
    };
    let mut added: Vec<(usize, &Override)> =
        added.into_iter().map(|change| (place(change), change)).collect();
    added.sort_by_key(|(place, change)| {
        let is_first = !entries.iter().any(|entry| entry.target == Some(change.target));
        let path = is_sorted.then_some((change.path.len(), &change.path));
        (*place, is_first, change.target, path)
    });
    let Some(regions) = regions else {
        if !list.is_empty() {
            return Err(Refused::Shape(LIST.into()));
        }
        let items: Vec<Item> =
            added.iter().map(|(_, change)| Item::New(entry(change, source, *manner))).collect();
        return set_items(bytes, list, &items, *manner, edits);
    };
    let column = regions[0].len() - bytes[regions[0].clone()].trim_ascii_start().len();
    for (at, change) in added {
        let mut text = String::new();
        entry(change, source, *manner).push_item(&mut text, column, *manner);
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

/// Put the overrides of a new instance into the order that its file has, as the `others` of it show:
/// those of the same prefab first of all.
pub fn sort_overrides<'d>(
    overrides: &mut [Override],
    source: Reference,
    manner: &Manner,
    others: impl Iterator<Item = Object<'d>>,
) {
    let sorts = manner.sorts_overrides();
    order::sort(overrides, sorts);
    if sorts {
        return;
    }
    let others: Vec<Object<'_>> = others.collect();
    if let Some(order) = order::of_its_like(overrides, source, others.iter().copied()) {
        overrides.sort_by_key(|change| order.iter().position(|path| *path == change.path));
    } else if order::names_come_last(others.into_iter()) {
        overrides.sort_by_key(|change| change.path == "m_Name");
    }
}

/// Take an override away, so that the prefab's own value counts again; false when there is none.
pub fn remove_override(
    instance: Object<'_>,
    target: FileId,
    path: &str,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<bool, Refused> {
    let goes = |of: FileId, known: &str| of == target && known == path;
    Ok(remove_overrides(instance, goes, manner, edits)? > 0)
}

/// Take overrides away, by what they change in the prefab and where. Returns how many.
pub fn remove_overrides(
    instance: Object<'_>,
    goes: impl Fn(FileId, &str) -> bool,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<usize, Refused> {
    let list = instance.get(LIST).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
    let source = source(instance).ok_or_else(|| Refused::NoPlace("m_SourcePrefab".into()))?;
    let entries = list.items().map(|item| Entry::read(item, source));
    let stays = |it: &Entry<'_>| it.target.is_none_or(|target| !goes(target, &it.path));
    let stay: Vec<bool> = entries.map(|entry| stays(&entry)).collect();
    let kept: Vec<Item> = (0..stay.len()).filter(|at| stay[*at]).map(Item::Old).collect();
    set_items(instance.document().as_bytes(), list, &kept, *manner, edits)?;
    Ok(stay.len() - kept.len())
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
