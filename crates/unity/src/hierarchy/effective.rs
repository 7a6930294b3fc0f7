//! Values with all overrides applied, the outermost last.

use std::borrow::Cow;

use super::frame::{Frame, Level};
use super::instance::Modification;
use super::read::peek;
use crate::{Guid, Object, Reference, Value, ValueKind};

/// A value as the editor shows it, and who made it so.
#[derive(Clone, Debug, PartialEq)]
pub struct Effective {
    /// The value.
    pub data: Data,
    /// The outermost file that overrides it or something in it.
    pub overridden_by: Option<Guid>,
    /// How many files further out than the object the value is stated; local references count
    /// from there.
    pub(super) level: u32,
}

/// What a value is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Text or a number, as the file has it, decoded.
    Text(String),
    /// A reference in the spelling of the file that states it. Use
    /// [`Node::references`](super::Node::references) to learn what it means.
    Reference(Reference),
    /// A list.
    List(Vec<Effective>),
    /// Keys with values, in order; keys may occur twice.
    Map(Vec<(String, Effective)>),
}

impl Effective {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The reference, when it is one.
    pub fn reference(&self) -> Option<Reference> {
        match self.data {
            Data::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// The value at a path from here, such as `m_Materials.Array.data[2]` or `m_Calls.Array.size`.
    pub fn get(&self, path: &str) -> Option<Cow<'_, Effective>> {
        let (mut value, mut rest) = (self, path);
        while !rest.is_empty() {
            match &value.data {
                Data::Map(fields) => {
                    let (index, behind) = find_key(fields, rest)?;
                    (value, rest) = (&fields[index].1, behind);
                }
                Data::List(items) if rest == "Array.size" => {
                    let data = Data::Text(items.len().to_string());
                    return Some(Cow::Owned(Effective { data, ..*value }));
                }
                Data::List(items) => {
                    let (index, behind) = split_index(rest)?;
                    (value, rest) = (items.get(index)?, behind);
                }
                Data::Text(_) | Data::Reference(_) => return None,
            }
        }
        Some(Cow::Borrowed(value))
    }

    /// A value of a file, without overrides.
    pub(crate) fn of(value: Value<'_>) -> Effective {
        let data = match (value.as_reference(), value.kind()) {
            (Some(reference), _) => Data::Reference(reference),
            // The reader bounds how deep values nest, so this may recurse.
            (None, ValueKind::Map) => Data::Map(
                value
                    .fields()
                    .map(|(key, value)| (key.into_owned(), Effective::of(value)))
                    .collect(),
            ),
            (None, ValueKind::Sequence) => Data::List(value.items().map(Effective::of).collect()),
            (None, ValueKind::Scalar) => Data::Text(value.text().into_owned()),
        };
        Effective { data, overridden_by: None, level: 0 }
    }

    fn empty() -> Effective {
        Effective { data: Data::Text(String::new()), overridden_by: None, level: 0 }
    }

    /// How many values it is made of.
    fn weight(&self) -> usize {
        1 + match &self.data {
            Data::Text(_) | Data::Reference(_) => 0,
            Data::List(items) => items.iter().map(Effective::weight).sum(),
            Data::Map(fields) => fields.iter().map(|(_, value)| value.weight()).sum(),
        }
    }
}

/// All fields of an object.
pub(super) fn fields(frame: &Frame, index: usize) -> Vec<(String, Effective)> {
    overlaid(frame, index, None).unwrap_or_default()
}

/// The names of all fields of an object, in the same order; what they hold is not read.
pub(super) fn names(frame: &Frame, index: usize) -> Vec<String> {
    let document = frame.template().map(|template| &template.document);
    let Some((document, object)) = document.and_then(|it| Some((it, it.object_at(index)?))) else {
        return Vec::new();
    };
    let read = |object: Object<'_>, _| object.fields().map(|(key, _)| key.into()).collect();
    let mut names: Vec<String> = peek(document, object, read).unwrap_or_default();
    for level in frame.levels(object.file_id().0) {
        for change in level.instance.modifications_of(level.id) {
            let is_known = names.iter().any(|name| strip_key(&change.path, name).is_some());
            let is_path = !change.path.is_empty() && change.path.matches('.').count() < MAX_STEPS;
            if !is_known && is_path {
                names.push(split_head(&change.path).0.into());
            }
        }
    }
    names
}

/// The value at a path.
pub(super) fn value(frame: &Frame, index: usize, path: &str) -> Option<Effective> {
    if !may_have(frame, index, path) {
        return None;
    }
    let fields = overlaid(frame, index, Some(path))?;
    let root = Effective { data: Data::Map(fields), ..Effective::empty() };
    root.get(path).map(Cow::into_owned)
}

/// Whether an object can have a value at a path: most objects that are asked for one do not, and
/// that shows without decoding them.
fn may_have(frame: &Frame, index: usize, path: &str) -> bool {
    let Some(object) = frame.object(index) else { return false };
    let head = path.split(['.', '[']).next().unwrap_or(path);
    // Any other character may be spelled in several ways.
    let is_plain = head.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_set = |level: Level<'_>| {
        level.instance.modifications_of(level.id).iter().any(|m| m.path.starts_with(head))
    };
    !is_plain || object.mentions(head) || frame.levels(object.file_id().0).any(is_set)
}

/// The outermost override of one property, and the file that has it.
pub(super) fn find_override<'f>(
    frame: &'f Frame,
    id: i64,
    path: &str,
) -> Option<(&'f Modification, Guid)> {
    let of_level = |level: Level<'f>| {
        let mut changes = level.instance.modifications_of(level.id).iter();
        Some((changes.rfind(|change| &*change.path == path)?, level.frame.guid))
    };
    frame.levels(id).filter_map(of_level).last()
}

/// The fields with overrides; only the one a path starts with, if a path is given.
fn overlaid(frame: &Frame, index: usize, path: Option<&str>) -> Option<Vec<(String, Effective)>> {
    let document = &frame.template()?.document;
    let object = document.object_at(index)?;
    let read = |object: Object<'_>, _| read_fields(object, path);
    let fields = peek(document, object, read).unwrap_or_default();
    let head = fields.first().map(|(key, _)| key.clone());
    let head = path.map(|path| head.unwrap_or_else(|| split_head(path).0.into()));
    let mut root = Effective { data: Data::Map(fields), ..Effective::empty() };
    let mut budget = MAX_GROWTH;
    for (number, level) in (1..).zip(frame.levels(object.file_id().0)) {
        let all = level.instance.modifications_of(level.id).iter();
        let concerned =
            all.filter(|m| head.as_ref().is_none_or(|head| strip_key(&m.path, head).is_some()));
        let (sizes, others): (Vec<_>, Vec<_>) =
            concerned.partition(|m| m.path.ends_with(".Array.size"));
        // Items can be set only once they exist.
        for modification in sizes.into_iter().chain(others) {
            apply(&mut root, modification, number, level.frame.guid, &mut budget);
        }
    }
    match root.data {
        Data::Map(fields) => Some(fields),
        _ => None,
    }
}

fn read_fields(object: Object<'_>, path: Option<&str>) -> Vec<(String, Effective)> {
    let Some(path) = path else {
        return object.fields().map(|(key, value)| (key.into(), Effective::of(value))).collect();
    };
    let matching = object.fields().filter(|(key, _)| strip_key(path, key).is_some());
    // Of equal keys the first counts, and `max_by_key` would take the last.
    let best =
        matching.reduce(|best, other| if other.0.len() > best.0.len() { other } else { best });
    best.map(|(key, value)| (key.into(), Effective::of(value))).into_iter().collect()
}

/// How many values overrides may add to one object. `Array.size` may ask for billions.
const MAX_GROWTH: usize = 1 << 20;

/// How many steps a path may have, so that values stay as shallow as those that are read.
const MAX_STEPS: usize = 256;

fn apply(root: &mut Effective, change: &Modification, level: u32, by: Guid, budget: &mut usize) {
    let (mut at, mut rest) = (root, &*change.path);
    if rest.is_empty() || rest.matches('.').count() >= MAX_STEPS {
        return;
    }
    for _ in 0..=MAX_STEPS {
        let value = at;
        value.overridden_by = Some(by);
        if rest.is_empty() {
            return set(value, change, level);
        }
        if matches!(&value.data, Data::Text(text) if text.is_empty()) {
            let is_list = rest.starts_with("Array.");
            value.data = if is_list { Data::List(Vec::new()) } else { Data::Map(Vec::new()) };
        }
        match &mut value.data {
            Data::Map(fields) => {
                let (index, behind) = find_key(fields, rest).unwrap_or_else(|| {
                    // The file was saved before the script had the field.
                    let (key, behind) = split_head(rest);
                    fields.push((key.into(), Effective::empty()));
                    (fields.len() - 1, behind)
                });
                (at, rest) = (&mut fields[index].1, behind);
            }
            Data::List(items) if rest == "Array.size" => {
                return resize(items, &change.value, by, budget);
            }
            Data::List(items) => {
                let Some((index, behind)) = split_index(rest) else { return };
                let Some(item) = items.get_mut(index) else { return };
                (at, rest) = (item, behind);
            }
            // Lists of numbers are one text in the file; there is no item to change.
            Data::Text(_) | Data::Reference(_) => return,
        }
    }
}

fn set(value: &mut Effective, change: &Modification, level: u32) {
    let is_reference = matches!(value.data, Data::Reference(_)) || !change.reference.is_null();
    value.level = level;
    value.data = match is_reference {
        true => Data::Reference(change.reference),
        false => Data::Text(change.value.to_string()),
    };
}

/// A list that grows repeats its last item, as in the editor.
fn resize(items: &mut Vec<Effective>, size: &str, by: Guid, budget: &mut usize) {
    let Ok(size) = size.parse::<usize>() else { return };
    let mut item = items.last().cloned().unwrap_or_else(Effective::empty);
    item.overridden_by = Some(by);
    let growth = size.saturating_sub(items.len()).saturating_mul(item.weight());
    if let Some(rest) = budget.checked_sub(growth) {
        *budget = rest;
        items.resize(size, item);
    }
}

/// What is behind a key at the start of a path.
fn strip_key<'p>(path: &'p str, key: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(key)?;
    match rest.as_bytes().first() {
        None => Some(rest),
        Some(b'.') => Some(&rest[1..]),
        Some(b'[') => Some(rest),
        Some(_) => None,
    }
}

/// The longest key a path starts with: keys may have dots in them.
fn find_key<'p>(fields: &[(String, Effective)], path: &'p str) -> Option<(usize, &'p str)> {
    let matching =
        fields.iter().enumerate().filter_map(|(i, (key, _))| Some((i, strip_key(path, key)?)));
    matching.reduce(|best, other| if other.1.len() < best.1.len() { other } else { best })
}

fn split_head(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or((path, ""))
}

/// `Array.data[2]`, `data[2]` or `[2]`.
fn split_index(path: &str) -> Option<(usize, &str)> {
    let path = path.strip_prefix("Array.").unwrap_or(path);
    let path = path.strip_prefix("data").unwrap_or(path);
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest.strip_prefix('.').unwrap_or(rest)))
}
