//! Files that a merge of git left in conflict: their three versions from the index, and what is known
//! about them in a file beside each.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use scenewright_git::Repository;
use scenewright_text::regular;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Choice, Choices, Inputs, MAX_BYTES, Merged, Refused, merge};

/// What follows the name of a file in the name of what is known about its conflicts.
pub const SIDECAR: &str = ".conflict.json";

/// The versions of a file in the index of git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stages {
    /// What both started from; nothing when both added the file.
    pub base: Option<Vec<u8>>,
    /// Ours; nothing when it was deleted there.
    pub ours: Option<Vec<u8>>,
    /// Theirs; nothing when it was deleted there.
    pub theirs: Option<Vec<u8>>,
}

impl Stages {
    /// The versions as a merge takes them; nothing when one side deleted the file.
    pub fn inputs(&self) -> Option<Inputs<'_>> {
        Some(Inputs {
            base: self.base.as_deref().unwrap_or_default(),
            ours: self.ours.as_deref()?,
            theirs: self.theirs.as_deref()?,
        })
    }

    /// Whether git has the file in conflict.
    pub fn is_conflict(&self) -> bool {
        *self != Stages::default()
    }

    /// Whether nothing is lost by writing over what the file has now: it came from git or from here.
    pub fn may_replace(&self, now: &[u8], known: Option<&Sidecar>) -> bool {
        let stages = [&self.ours, &self.theirs, &self.base];
        let is_stage = stages.iter().any(|stage| stage.as_deref() == Some(now));
        let has_markers = || now.windows(9).any(|part| part == b"\n<<<<<<< ");
        is_stage || now.is_empty() || known.map_or_else(has_markers, |known| known.wrote(now))
    }
}

/// Said of a file that one side deleted.
pub const DELETED: &str = "one side deleted it: `git add` keeps it, `git rm` deletes it";

/// What a merge of git left in conflict below a folder.
#[derive(Debug)]
pub struct Conflicts {
    folder: PathBuf,
    /// Nothing where there is no repository, and so no conflict.
    repository: Option<Repository>,
}

impl Conflicts {
    /// Those of a folder, in whatever repository it is.
    pub fn below(folder: &Path) -> io::Result<Conflicts> {
        Ok(Conflicts { folder: folder.to_owned(), repository: Repository::around(folder)? })
    }

    /// The files, with `/` and from the folder.
    pub fn files(&self) -> io::Result<Vec<String>> {
        match &self.repository {
            Some(repository) => repository.conflicted(&self.folder),
            None => Ok(Vec::new()),
        }
    }

    /// The versions of one file; none of them when it is not in conflict.
    pub fn stages(&self, file: &str) -> io::Result<Stages> {
        let Some(repository) = &self.repository else { return Ok(Stages::default()) };
        let [base, ours, theirs] = repository.stages(&self.folder, file, MAX_BYTES)?;
        Ok(Stages { base, ours, theirs })
    }

    /// Puts a merge of a file into the index, as `git add` does.
    pub fn settle(&self, file: &str, merged: &[u8]) -> io::Result<()> {
        match &self.repository {
            Some(repository) => repository.settle(&self.folder, file, merged),
            None => Err(io::Error::other("it is in no repository")),
        }
    }
}

/// What is known about the conflicts of a file, as JSON beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sidecar {
    /// The file it is about.
    pub file: String,
    /// What was written into it; when that is not there any more, somebody has edited it.
    pub written: String,
    /// What people chose so far.
    pub choices: BTreeMap<String, Choice>,
    /// The conflicts, with the values of all versions.
    pub conflicts: Value,
    /// What was decided without asking.
    pub notes: Value,
}

impl Sidecar {
    /// Where it is, for a file.
    pub fn path(file: &Path) -> PathBuf {
        let mut path = file.as_os_str().to_owned();
        path.push(SIDECAR);
        path.into()
    }

    /// What is known of a merge, and what was written into the file.
    pub fn of(file: &str, merged: &Merged, choices: &Choices, written: &[u8]) -> Sidecar {
        Sidecar {
            file: file.to_owned(),
            written: digest(written),
            choices: choices.iter().map(|(id, choice)| (id.clone(), *choice)).collect(),
            conflicts: serde_json::to_value(&merged.conflicts).unwrap_or_default(),
            notes: serde_json::to_value(&merged.notes).unwrap_or_default(),
        }
    }

    /// The one beside a file; nothing when there is none that can be read.
    pub fn read(file: &Path) -> Option<Sidecar> {
        let mut bytes = Vec::new();
        // It lies in the work tree, where anything may stand in its place.
        let file = regular::open(&Sidecar::path(file)).ok()?;
        file.take(MAX_BYTES as u64).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// As it is written.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether these bytes are those that were written.
    pub fn wrote(&self, bytes: &[u8]) -> bool {
        self.written == digest(bytes)
    }

    /// The choices so far.
    pub fn choices(&self) -> Choices {
        self.choices.iter().map(|(id, choice)| (id.clone(), *choice)).collect()
    }
}

fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", scenewright_unity::xxh64(bytes))
}

/// Why there is no merge.
#[derive(Debug)]
pub enum Undecided {
    /// The versions are left to git.
    Refused(Refused),
    /// A choice is none.
    Choice(String),
}

/// The merge with choices; those that are new are named by people and known only after a first merge.
pub fn decided(
    name: &Path,
    inputs: Inputs<'_>,
    words: &[String],
    mut choices: Choices,
) -> Result<(Merged, Choices), Undecided> {
    let merged = |choices: &Choices| merge(name, inputs, choices).map_err(Undecided::Refused);
    let first = merged(&choices)?;
    if words.is_empty() {
        return Ok((first, choices));
    }
    choose(&first, words, &mut choices).map_err(Undecided::Choice)?;
    Ok((merged(&choices)?, choices))
}

/// Takes choices as people write them, `FIELD=ours`, with `all` for every conflict, a number for one in
/// the order of the list, or its id.
fn choose(merged: &Merged, words: &[String], choices: &mut Choices) -> Result<(), String> {
    for word in words {
        let wrong = || format!("{word:?} is not FIELD=ours, FIELD=theirs or FIELD=base");
        let (field, side) = word.rsplit_once('=').ok_or_else(wrong)?;
        let choice = Choice::parse(side).ok_or_else(wrong)?;
        let numbered = field.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let found: Vec<&str> = match (field, numbered) {
            ("all", _) => merged.conflicts.iter().map(|conflict| conflict.id.as_str()).collect(),
            (id, number) => {
                let by_id = merged.conflicts.iter().find(|conflict| conflict.id == id);
                let by_number = number.and_then(|number| merged.conflicts.get(number));
                by_id.or(by_number).map(|conflict| conflict.id.as_str()).into_iter().collect()
            }
        };
        if found.is_empty() && !merged.conflicts.is_empty() {
            let known: Vec<&str> =
                merged.conflicts.iter().take(10).map(|conflict| conflict.id.as_str()).collect();
            return Err(format!("there is no conflict {field:?}; there are {}", known.join(", ")));
        }
        choices.extend(found.into_iter().map(|id| (id.to_owned(), choice)));
    }
    Ok(())
}
