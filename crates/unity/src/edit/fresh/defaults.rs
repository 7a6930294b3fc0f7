//! What new objects and structures begin with, where that is not zero. The table has a section for
//! each class, which its derived classes begin with too, and with a colon for each structure:
//!
//! ```text
//! Light
//! <tab>m_Shadows.m_Strength<tab>1
//! :Quaternionf
//! <tab>w<tab>1
//! ```
//!
//! A third column says since which version of Unity; a later row wins. A class with a question mark is
//! one of which not every value was seen or is told by Unity's manual.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{list_element, zero};
use crate::edit::New;
use crate::types::{Node, Version};
use crate::{ClassId, FileId, Guid, Reference};

static TABLE: LazyLock<HashMap<&'static str, Section>> =
    LazyLock::new(|| read(include_str!("../../../data/native-defaults.tsv")));

#[derive(Default)]
pub(super) struct Section {
    pub(super) is_known: bool,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Row {
    pub(super) path: &'static str,
    pub(super) value: &'static str,
    since: Option<Version>,
}

fn read(text: &'static str) -> HashMap<&'static str, Section> {
    let mut sections = HashMap::new();
    let mut current: Option<&mut Section> = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(row) = line.strip_prefix('\t') else {
            let section: &mut Section =
                sections.entry(line.strip_suffix('?').unwrap_or(line)).or_default();
            section.is_known = !line.ends_with('?');
            current = Some(section);
            continue;
        };
        let mut columns = row.split('\t');
        let (Some(path), Some(value)) = (columns.next(), columns.next()) else { continue };
        let since = columns.next().and_then(|text| Version::parse(&format!("{text}.0a1")));
        if let Some(section) = &mut current {
            section.rows.push(Row { path, value, since });
        }
    }
    sections
}

/// All sections, for the test that compares them with the layouts.
#[cfg(test)]
pub(super) fn sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    TABLE.iter().map(|(name, section)| (*name, section))
}

pub(super) fn is_known(class: &str) -> bool {
    TABLE.get(class).is_some_and(|section| section.is_known)
}

/// Fills in what a new object of the class begins with, and before that what its bases do.
pub(super) fn fill_class(
    class: ClassId,
    version: Version,
    tree: Node<'_>,
    fields: &mut Vec<(String, New)>,
) {
    let mut object = New::Map(std::mem::take(fields));
    // The table of classes is ours and has no cycle, but a bound costs nothing.
    let bases: Vec<_> = std::iter::successors(Some(class), |class| class.base()).take(32).collect();
    for base in bases.into_iter().rev() {
        let section = base.name().and_then(|name| TABLE.get(name));
        let rows = section.into_iter().flat_map(|section| &section.rows);
        for row in rows.filter(|row| row.since.is_none_or(|since| since <= version)) {
            // What this version does not have is passed over.
            let _ = set(tree, &mut object, row.path, row.value);
        }
    }
    if let New::Map(filled) = object {
        *fields = filled;
    }
}

/// Fills in what a structure is made with.
pub(super) fn fill_type(node: Node<'_>, new: &mut New) {
    // Names of types are short, and most have no section.
    let Some(section) = TABLE.get(format!(":{}", node.type_name()).as_str()) else { return };
    for row in &section.rows {
        let _ = set(node, new, row.path, row.value);
    }
}

/// Sets the value at a path. Nothing when the layout has no such path or the value does not fit.
pub(super) fn set(node: Node<'_>, new: &mut New, path: &str, value: &str) -> Option<()> {
    if path.is_empty() {
        return write(node, new, value);
    }
    if let Some((index, rest)) = path.strip_prefix('[').and_then(|path| path.split_once(']')) {
        let (index, element): (usize, _) = (index.parse().ok()?, list_element(node)?);
        let New::List(items) = new else { return None };
        // The table is ours and its lists are short.
        while items.len() <= index {
            items.push(zero(element));
        }
        return set(element, &mut items[index], rest.trim_start_matches('.'), value);
    }
    let (key, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
    let (New::Map(fields) | New::Flow(fields)) = new else { return None };
    let (_, field) = fields.iter_mut().find(|(known, _)| known == key)?;
    set(node.child(key)?, field, rest.trim_start_matches('.'), value)
}

fn write(node: Node<'_>, new: &mut New, value: &str) -> Option<()> {
    match new {
        New::Number(number) => value.clone_into(number),
        New::Text(text) => value.clone_into(text),
        New::Reference(to) => *to = reference(value)?,
        New::Flow(parts) => {
            for ((_, part), word) in parts.iter_mut().zip(value.split(' ')) {
                *part = New::Number(word.to_owned());
            }
        }
        New::List(items) => {
            let element = list_element(node)?;
            *items = (0..value.parse::<usize>().ok()?).map(|_| zero(element)).collect();
        }
        New::Map(_) => return write_structure(node, new, value),
    }
    Some(())
}

/// `10754 0000000000000000f000000000000000 0`: the id, the file and its kind.
fn reference(text: &str) -> Option<Reference> {
    let mut words = text.split(' ');
    let file_id = FileId(words.next()?.parse().ok()?);
    let guid = Some(Guid::parse(words.next()?)?);
    Some(Reference { file_id, guid, kind: words.next()?.parse().ok()? })
}

/// Structures that have a short form of their own in the table.
fn write_structure(node: Node<'_>, new: &mut New, value: &str) -> Option<()> {
    match node.type_name() {
        "AnimationCurve" => curve(node, new, value),
        // A constant; the curves that are not used yet lie at one, or at zero with it.
        "MinMaxCurve" => {
            let keys = if value == "0" { "0:0 1:0" } else { "0:1 1:1" };
            set(node, new, "scalar", value)?;
            // The second constant came later.
            let _ = set(node, new, "minScalar", value);
            set(node, new, "maxCurve", keys)?;
            set(node, new, "minCurve", keys)
        }
        "BitField" => set(node, new, "m_Bits", value),
        "Rectf" => {
            let sides = ["x", "y", "width", "height"].into_iter().zip(value.split(' '));
            sides.into_iter().try_for_each(|(side, value)| set(node, new, side, value))
        }
        _ => None,
    }
}

/// `0:1 1:0:-1:-1`: keys with time and value, and with the slopes before and behind where they are
/// not level.
fn curve(node: Node<'_>, new: &mut New, keys: &str) -> Option<()> {
    // A structure around it may have made others.
    set(node, new, "m_Curve", "0")?;
    for (at, key) in keys.split(' ').enumerate() {
        let parts = ["time", "value", "inSlope", "outSlope"].into_iter().zip(key.split(':'));
        for (part, value) in parts {
            set(node, new, &format!("m_Curve[{at}].{part}"), value)?;
        }
    }
    Some(())
}
