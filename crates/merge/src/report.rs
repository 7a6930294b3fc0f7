//! What a merge has to say: conflicts that a person decides, and notes about what it decided itself.

use serde::Serialize;

use crate::model::{Step, path_text};

/// Which version a person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// The version of the branch that is merged into.
    Ours,
    /// The version of the branch that comes in.
    Theirs,
    /// The version that both started from.
    Base,
}

impl Choice {
    /// The choice of a word.
    pub fn parse(word: &str) -> Option<Choice> {
        match word {
            "ours" => Some(Choice::Ours),
            "theirs" => Some(Choice::Theirs),
            "base" => Some(Choice::Base),
            _ => None,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Choice::Ours => "ours",
            Choice::Theirs => "theirs",
            Choice::Base => "base",
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Choice::Base => 0,
            Choice::Ours => 1,
            Choice::Theirs => 2,
        }
    }
}

/// Why a person has to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// Both gave a field another value.
    SameField,
    /// Both added a field, with other values.
    AddedField,
    /// One deleted a field or list entry that the other changed.
    DeletedField,
    /// Both changed one part of a list whose items have no identity.
    List,
    /// Both added an object or node of one identity, with other content.
    AddedObject,
    /// One deleted an object or node that the other changed.
    DeletedObject,
    /// One refers to what the other deleted.
    DanglingReference,
    /// One has something below what the other deleted or moved.
    Orphan,
    /// Both moved or renamed one thing, to other places.
    Moved,
    /// The result would break a rule of the file that both sides kept.
    Structure,
}

impl ConflictKind {
    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            ConflictKind::SameField => "both changed it",
            ConflictKind::AddedField => "both added it",
            ConflictKind::DeletedField => "one deleted what the other changed",
            ConflictKind::List => "both changed the same part of the list",
            ConflictKind::AddedObject => "both added it",
            ConflictKind::DeletedObject => "one deleted what the other changed",
            ConflictKind::DanglingReference => "one refers to what the other deleted",
            ConflictKind::Orphan => "one deleted what it is below of",
            ConflictKind::Moved => "both moved it",
            ConflictKind::Structure => "the result would be broken",
        }
    }
}

/// A place where both sides' changes do not go together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// What `--resolve` calls it.
    pub id: String,
    /// Why.
    pub kind: ConflictKind,
    /// The identity of the object or section.
    pub object: String,
    /// Its class or kind of section.
    pub class: String,
    /// What people call it.
    pub name: String,
    /// The field, from the object on; empty when all of the object is meant.
    pub field: String,
    /// The value that both started from; nothing where it was not there.
    pub base: Option<String>,
    /// Our value.
    pub ours: Option<String>,
    /// Their value.
    pub theirs: Option<String>,
    /// More that is known about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What a person chose, once one did.
    pub choice: Option<Choice>,
}

/// Something that was decided without asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The identity of the object or section.
    pub object: String,
    /// The field.
    pub field: String,
    /// What was done, and why.
    pub text: String,
    /// Whether somebody should look at it.
    pub is_warning: bool,
}

/// The longest value in a report; the rest is cut.
const MAX_VALUE: usize = 4096;

/// A value for people: cut when it is long.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What `--resolve` calls a place.
pub(crate) fn conflict_id(object: &str, path: &[Step]) -> String {
    match path.is_empty() {
        true => object.to_owned(),
        false => format!("{object}#{}", path_text(path)),
    }
}
