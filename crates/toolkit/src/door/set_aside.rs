//! What lies where records do and is not taken for one of ours: named, and left alone. It is never carried
//! out, never taken back, and keeps nothing of ours from either; who put it there may miss it.

use std::collections::BTreeMap;
use std::path::Path;

use super::key::Key;
use super::record::{self, Doubt, Flaw, Record};
use super::{FOLDER, hot, journal};
use crate::Project;

/// More names of one kind are counted.
const MAX_NAMED: usize = 3;

/// What is left alone in a project and in its history, in sentences.
pub fn set_aside(project: &Project) -> Vec<String> {
    let door = &project.door;
    let keys = door.keys.known();
    let mut said = pending(project, &keys);
    for folder in door.journal.folders() {
        let place = match folder == door.hot.folder {
            true => FOLDER.to_owned(),
            false => folder.display().to_string(),
        };
        said.extend(sentences(&place, folder, journal::ENDING, &keys));
    }
    said
}

/// The same of changes that are under way or were interrupted.
pub(super) fn pending(project: &Project, keys: &[Key]) -> Vec<String> {
    let hot = &project.door.hot;
    let link = std::fs::symlink_metadata(&hot.folder).is_ok_and(|found| !found.is_dir());
    if link {
        return vec![format!(
            "{FOLDER} in the project is no folder, so nothing in it is read; move it away"
        )];
    }
    sentences(FOLDER, &hot.folder, hot::ENDING, keys)
}

fn sentences(place: &str, folder: &Path, ending: &str, keys: &[Key]) -> Vec<String> {
    let names = match record::names(folder, ending) {
        Ok(names) => names,
        Err(error) => return vec![format!("{place} is not read: {error}; move them away")],
    };
    let mut doubts: BTreeMap<Doubt, Vec<String>> = BTreeMap::new();
    for name in names {
        if let Some(doubt) = doubt(folder, &name, ending, keys) {
            doubts.entry(doubt).or_default().push(name);
        }
    }
    doubts.into_iter().map(|(doubt, names)| sentence(place, &doubt, names)).collect()
}

fn doubt(folder: &Path, name: &str, ending: &str, keys: &[Key]) -> Option<Doubt> {
    let Some(id) = record::number(name, ending) else { return Some(Doubt::Name) };
    let path = folder.join(name);
    // Of one that was interrupted every byte counts.
    let found = match ending == hot::ENDING {
        true => Record::read(&path, id, keys).map(drop),
        false => Record::head(&path, id, keys).map(drop),
    };
    match found {
        Err(Flaw::Doubted(doubt)) => Some(doubt),
        Ok(()) | Err(Flaw::Gone | Flaw::Torn) => None,
    }
}

fn sentence(place: &str, doubt: &Doubt, mut names: Vec<String>) -> String {
    names.sort();
    let more = names.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.truncate(MAX_NAMED);
    let names: Vec<String> = names.iter().map(|name| name.escape_debug().to_string()).collect();
    format!("{place}: {}{more} left alone: {doubt}; {}", names.join(", "), doubt.advice())
}
