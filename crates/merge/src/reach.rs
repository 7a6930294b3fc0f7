//! Where a change of a prefab or scene arrives: the scenes and prefabs that hold instances of it or
//! derive from it, and whether these say something else in the same place.
//!
//! Each engine tells who holds a file and what becomes of a change there (`unity`, `godot`); the way
//! from file to file is the same. Pure, and by the files that the project has now.

mod godot;
mod unity;

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use serde::Serialize;

use crate::diff::{Change, Differences, ObjectChange};

pub use godot::of_godot;
pub use unity::of_unity;

/// So many files are looked into for one that changed.
const MAX_FILES: usize = 2_000;
/// So many changes of one file are followed; of more, only that something arrives.
const MAX_CHANGES: usize = 500;

/// Where the changes of a file arrive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reach {
    /// The files, by path: those that have it in them, directly or through others.
    pub files: Vec<Reached>,
    /// There are more than were looked into.
    pub truncated: bool,
}

/// A file that has the changed one in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reached {
    /// Its path in the project.
    pub path: String,
    /// Whether anything of the change shows there.
    pub arrives: bool,
    /// What does not show there, for every instance says something else: `Door m_Layer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overridden: Vec<String>,
}

/// One thing that changed, where it can be told apart in the files that hold it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Trace {
    /// The object or node in the file that it is seen in.
    object: String,
    /// What must be overridden for it not to show; nothing when that cannot be.
    fields: Vec<String>,
    /// Its number among the changes, which it keeps on its way.
    number: usize,
}

/// What one engine knows.
trait Holders {
    /// The name by which files are known, which is also what is followed further.
    type File: Clone + Ord + std::hash::Hash;

    /// The files that hold a file, each with what becomes of the changes in every instance there.
    fn holders(&mut self, file: &Self::File, traces: &[Trace]) -> Vec<Held<Self::File>>;
}

/// What becomes of changes in a file that holds the changed one.
struct Held<F> {
    file: F,
    path: String,
    /// What shows, under the names that objects have here.
    shown: Vec<Trace>,
}

/// Follows changes from file to file.
fn follow<H: Holders>(
    mut engine: H,
    start: H::File,
    traces: Vec<Trace>,
    names: &[String],
) -> Reach {
    let mut reach: BTreeMap<String, HashSet<usize>> = BTreeMap::new();
    let mut seen: BTreeMap<H::File, BTreeSet<Trace>> = BTreeMap::new();
    let mut waiting = VecDeque::from([(start, traces)]);
    let mut truncated = false;
    while let Some((file, traces)) = waiting.pop_front() {
        for held in engine.holders(&file, &traces) {
            if reach.len() >= MAX_FILES && !reach.contains_key(&held.path) {
                truncated = true;
                continue;
            }
            let shown = reach.entry(held.path).or_default();
            shown.extend(held.shown.iter().map(|trace| trace.number));
            // A file that is reached in two ways, or that holds itself, goes on with what is new.
            let known = seen.entry(held.file.clone()).or_default();
            let new: Vec<Trace> =
                held.shown.into_iter().filter(|trace| known.insert(trace.clone())).collect();
            if !new.is_empty() {
                waiting.push_back((held.file, new));
            }
        }
    }
    let files = reach.into_iter().map(|(path, shown)| Reached {
        path,
        arrives: !shown.is_empty(),
        overridden: (0..names.len())
            .filter(|number| !shown.contains(number))
            .map(|number| names[number].clone())
            .collect(),
    });
    Reach { files: files.collect(), truncated }
}

/// The changes of a file, and what people call them.
fn traces(
    differences: &Differences,
    fields_of: impl Fn(&ObjectChange) -> Option<Vec<Vec<String>>>,
) -> (Vec<Trace>, Vec<String>) {
    let (mut traces, mut names) = (Vec::new(), Vec::new());
    for object in &differences.objects {
        let place = if object.place.is_empty() { &object.id } else { &object.place };
        let said = [place.as_str(), &object.part].join(" ").trim_end().to_owned();
        let fields = match object.change {
            Change::Changed if object.moved_from.is_none() => fields_of(object),
            _ => None,
        };
        let each = match fields {
            Some(fields) => fields.into_iter().zip(&object.fields).collect(),
            None => Vec::new(),
        };
        if each.is_empty() {
            traces.push(Trace {
                object: object.id.clone(),
                fields: Vec::new(),
                number: names.len(),
            });
            names.push(said.clone());
        }
        for (fields, change) in each {
            traces.push(Trace { object: object.id.clone(), fields, number: names.len() });
            names.push(format!("{said} {}", change.field));
        }
        if traces.len() > MAX_CHANGES {
            break;
        }
    }
    (traces, names)
}
