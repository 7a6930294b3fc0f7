//! Three versions of a file put together, object by object.

use std::collections::{HashMap, HashSet};

use crate::fields::{Choices, Fields, mark};
use crate::language::Language;
use crate::model::{Item, Version};
use crate::order::order;
use crate::refusal::{Refusal, Refused};
use crate::report::{Choice, Conflict, ConflictKind, Note, shown};
use crate::same::{At, Nearness, same};
use crate::{godot, unity};

/// What the merge is told.
pub(crate) struct Orders<'a> {
    pub(crate) language: Language,
    /// Base, ours, theirs.
    pub(crate) versions: [&'a Version; 3],
    pub(crate) choices: &'a Choices,
    /// Objects that are as in one version, whatever the others say.
    pub(crate) kept: &'a HashMap<String, Choice>,
    pub(crate) line_break: &'static str,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Draft<'a> {
    pub(crate) bytes: Vec<u8>,
    /// The objects that are in it.
    pub(crate) keys: HashSet<&'a str>,
    /// Those among them that are not as in ours.
    pub(crate) changed: HashSet<String>,
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) notes: Vec<Note>,
}

/// An object in the versions that have it.
type Found<'a> = [Option<(&'a Version, &'a Item)>; 3];

/// Merges all objects.
pub(crate) fn merge<'a>(orders: &Orders<'a>) -> Result<Draft<'a>, Refused> {
    let mut draft = Draft::default();
    let [_, ours, theirs] = orders.versions;
    let head = if ours.items.is_empty() { theirs } else { ours };
    draft.bytes.reserve(ours.bytes.len().max(theirs.bytes.len()) + 4096);
    draft.bytes.extend(&head.bytes[head.head.clone()]);
    let keys = arranged(orders);
    draft.keys.reserve(keys.len());
    let mut likely = [0; 3];
    let mut last: Option<(&str, [Option<usize>; 3])> = None;
    for key in keys {
        let before = draft.conflicts.len();
        let places = [0, 1, 2].map(|side| orders.versions[side].place_near(key, likely[side]));
        likely = [0, 1, 2].map(|side| places[side].map_or(likely[side], |place| place + 1));
        let found = [0, 1, 2].map(|side| {
            let version = orders.versions[side];
            places[side].map(|place| (version, &version.items[place]))
        });
        let text = orders.item(key, found, &mut draft)?;
        let marks: String = draft.conflicts[before..]
            .iter()
            .filter(|conflict| conflict.field.is_empty() && conflict.choice.is_none())
            .map(|conflict| mark(orders.language, conflict, "", orders.line_break))
            .collect();
        let Some(text) = text else {
            draft.bytes.extend(marks.as_bytes());
            continue;
        };
        if let Some(last) = last {
            orders.push_gap(last, (key, places), &mut draft.bytes);
        }
        draft.bytes.extend(marks.as_bytes());
        draft.bytes.extend(text.as_ref());
        if found[1].is_none_or(|(_, item)| !is_same_text(ours.text(item), &text)) {
            draft.changed.insert(key.to_owned());
        }
        draft.keys.insert(key);
        last = Some((key, places));
    }
    let last = last.map(|(key, _)| key);
    if let Some(last) = ours.items.last().filter(|item| last == Some(item.key.as_str())) {
        draft.bytes.extend(&ours.bytes[last.gap.clone()]);
    }
    Ok(draft)
}

/// Whether two texts are the same; most are one and need not be looked at.
fn is_same_text(a: &[u8], b: &[u8]) -> bool {
    std::ptr::eq(a, b) || a == b
}

impl<'a> Orders<'a> {
    /// The text of one object; nothing when it is gone.
    fn item(
        &self,
        key: &str,
        found: Found<'a>,
        draft: &mut Draft<'a>,
    ) -> Result<Option<std::borrow::Cow<'a, [u8]>>, Refused> {
        let text = |side: usize| found[side].map(|(version, item)| version.text(item));
        let [base, ours, theirs] = [text(0), text(1), text(2)];
        if let Some(choice) = self.kept.get(key) {
            let whole = text(choice.index()).or(ours).or(theirs);
            // A conflict about it stays one, whatever stands in the file.
            let absent = text(choice.index()).is_none();
            let mut aside = Draft::default();
            self.compare(key, found, &mut aside)?;
            draft.conflicts.append(&mut aside.conflicts);
            return Ok(whole.filter(|_| !absent).map(Into::into));
        }
        match (base, ours, theirs) {
            (_, None, None) => Ok(None),
            (_, Some(ours), Some(theirs)) if ours == theirs => Ok(Some(ours.into())),
            (Some(base), Some(ours), theirs) if Some(base) == theirs => Ok(Some(ours.into())),
            (Some(base), ours, Some(theirs)) if Some(base) == ours => Ok(Some(theirs.into())),
            (Some(base), Some(_), None) if ours == Some(base) => Ok(None),
            (Some(base), None, Some(_)) if theirs == Some(base) => Ok(None),
            (None, Some(one), None) | (None, None, Some(one)) => Ok(Some(one.into())),
            _ => self.compare(key, found, draft),
        }
    }

    /// An object that more than one side changed, by its fields.
    fn compare(
        &self,
        key: &str,
        found: Found<'a>,
        draft: &mut Draft<'a>,
    ) -> Result<Option<std::borrow::Cow<'a, [u8]>>, Refused> {
        let language = self.language_of(key);
        // What ours and theirs have changed was read before; base only where it is looked at.
        if let Some((version, item)) = found[0]
            && let Some(problem) = problem(language, version.text(item))
        {
            let reason = Refusal::NotReadable(format!("{key}: {problem}"));
            return Err(Refused { version: "base", reason });
        }
        let mut trees =
            found.map(|found| found.map(|(version, item)| language.tree(version, item)));
        let is_other_class = language == Language::Unity && unity::class_differs(&mut trees);
        let at = |side: usize| {
            let (version, _) = found[side]?;
            Some(At { bytes: &version.bytes, node: trees[side].as_ref()? })
        };
        let three = [at(0), at(1), at(2)];
        let (version, item) = found[1].or(found[2]).or(found[0]).expect("some version has it");
        let mut fields = Fields {
            language,
            object: key,
            label: language.label(version, item),
            choices: self.choices,
            kept: self.kept,
            marks: marks(language, key),
            line_break: self.line_break,
            path: Vec::new(),
            conflicts: Vec::new(),
            notes: Vec::new(),
        };
        let is_same =
            |a: At<'_>, b: At<'_>, nearness| same(language, a, b, nearness, &mut Vec::new());
        let text = match three {
            [Some(base), Some(kept), None] | [Some(base), None, Some(kept)] => {
                match is_same(base, kept, Nearness::ButNoise) {
                    true => None,
                    false => fields.conflict(ConflictKind::DeletedObject, three),
                }
            }
            [None, Some(ours), Some(theirs)] => match is_same(ours, theirs, Nearness::ButNoise) {
                true => Some(ours.text().to_vec()),
                false => fields.conflict(ConflictKind::AddedObject, three),
            },
            // Of two formats one is written; fields of both below two names would be no object.
            [_, Some(_), Some(_)] if is_other_class => {
                let text = fields.conflict(ConflictKind::SameField, three);
                if let Some(conflict) = fields.conflicts.last_mut() {
                    conflict.detail = "the versions have it as other classes: one was saved by another version of the editor".into();
                }
                text
            }
            _ => fields.merge(three),
        };
        if let [conflict] = fields.conflicts.as_mut_slice()
            && conflict.field.is_empty()
        {
            let whole = |side: usize| found[side].map(|(version, item)| shown(version.text(item)));
            (conflict.base, conflict.ours, conflict.theirs) = (whole(0), whole(1), whole(2));
        }
        draft.conflicts.append(&mut fields.conflicts);
        draft.notes.append(&mut fields.notes);
        Ok(text.map(Into::into))
    }

    /// The language with what it depends on the object.
    fn language_of(&self, key: &str) -> Language {
        match self.language {
            Language::Godot { is_config, .. } => {
                let in_container =
                    self.versions.iter().any(|version| godot::is_contained(version, key));
                Language::Godot { is_config, in_container }
            }
            other => other,
        }
    }

    /// The blank lines between two objects: as where they stand so, otherwise as between their like.
    fn push_gap(
        &self,
        (last, one): (&str, [Option<usize>; 3]),
        (next, two): (&str, [Option<usize>; 3]),
        bytes: &mut Vec<u8>,
    ) {
        for side in [1, 2] {
            let (version, Some(one), Some(two)) = (self.versions[side], one[side], two[side])
            else {
                continue;
            };
            if one + 1 == two {
                bytes.extend(&version.bytes[version.items[one].gap.clone()]);
                return;
            }
        }
        let Language::Godot { is_config, .. } = self.language else { return };
        let (Some(last), Some(next)) = (kind_of(last), kind_of(next)) else { return };
        let is_tight = last == next && matches!(last, "ext" | "connection" | "editable");
        if is_config || !is_tight {
            bytes.extend(self.line_break.as_bytes());
        }
    }
}

fn kind_of(key: &str) -> Option<&str> {
    key.split(' ').next()
}

/// How deep the fields are before which conflicts are told.
fn marks(language: Language, key: &str) -> Option<usize> {
    match language {
        Language::Unity if key == unity::WHOLE => Some(0),
        Language::Unity => Some(1),
        Language::Godot { .. } => Some(0),
        Language::Json => None,
    }
}

/// What cannot be read in the text of an object.
fn problem(language: Language, text: &[u8]) -> Option<String> {
    match language {
        Language::Unity => {
            let problems = scenewright_unity::Document::parse(text).problems();
            problems.into_iter().next().map(|problem| problem.message)
        }
        _ => None,
    }
}

/// The objects of ours and theirs in the order of the result.
fn arranged<'a>(orders: &Orders<'a>) -> Vec<&'a str> {
    let [_, ours, theirs] = orders.versions;
    let keys_of = |version: &'a Version| -> Vec<&'a str> {
        version.items.iter().map(|item| item.key.as_str()).collect()
    };
    if ours.items.iter().map(|item| &item.key).eq(theirs.items.iter().map(|item| &item.key)) {
        return keys_of(ours);
    }
    let keys = orders.versions.map(keys_of);
    match orders.language {
        Language::Godot { is_config: false, .. } => godot_order(&keys),
        Language::Unity => unity_order(&keys),
        _ => order(&keys[0], &keys[1], &keys[2]).keys,
    }
}

/// Newer editors sort objects by their ids, older ones do not.
fn unity_order<'k>([base, ours, theirs]: &[Vec<&'k str>; 3]) -> Vec<&'k str> {
    let number = |key: &&str| key.parse::<i64>().unwrap_or_default();
    let is_sorted = |keys: &[&str]| keys.is_sorted_by_key(number);
    let mut keys = order(base, ours, theirs).keys;
    if ours.len() > 1 && is_sorted(ours) && is_sorted(theirs) {
        keys.sort_by_key(number);
    }
    keys
}

/// By kind of section, and nodes as a tree.
fn godot_order<'k>(keys: &[Vec<&'k str>; 3]) -> Vec<&'k str> {
    let ranked = keys.iter().all(|keys| keys.is_sorted_by_key(|key| godot::rank(key)));
    if !ranked {
        return order(&keys[0], &keys[1], &keys[2]).keys;
    }
    let mut all = Vec::new();
    for rank in 0..8 {
        let of_rank = keys.each_ref().map(|keys| {
            keys.iter().copied().filter(|key| godot::rank(key) == rank).collect::<Vec<&str>>()
        });
        all.extend(match rank == godot::rank("node") {
            true => node_order(&of_rank),
            false => order(&of_rank[0], &of_rank[1], &of_rank[2]).keys,
        });
    }
    all
}

/// Nodes with their children behind them, as the engine writes them.
fn node_order<'k>(keys: &[Vec<&'k str>; 3]) -> Vec<&'k str> {
    let known: HashSet<&str> = keys.iter().flatten().copied().collect();
    let children = keys.each_ref().map(|keys| children(keys, &known));
    let none: Vec<&str> = Vec::new();
    depth_first(|parent| {
        let of = |side: usize| children[side].get(parent).unwrap_or(&none);
        order(of(0), of(1), of(2)).keys
    })
}

/// The children of each node that any version has; what an instance brings may have none between.
fn children<'k>(keys: &[&'k str], known: &HashSet<&'k str>) -> HashMap<&'k str, Vec<&'k str>> {
    let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
    for key in keys {
        let mut above = *key;
        let parent = loop {
            match above.rfind('/') {
                Some(at) => above = &above[..at],
                None if *key == "node ." => break "",
                None => break "node .",
            }
            if known.contains(above) {
                break above;
            }
        };
        children.entry(parent).or_default().push(key);
    }
    children
}

fn depth_first<'k>(mut children: impl FnMut(&str) -> Vec<&'k str>) -> Vec<&'k str> {
    let mut all = Vec::new();
    let mut open = vec![children("").into_iter()];
    while let Some(level) = open.last_mut() {
        match level.next() {
            Some(node) => {
                all.push(node);
                open.push(children(node).into_iter());
            }
            None => drop(open.pop()),
        }
    }
    all
}
