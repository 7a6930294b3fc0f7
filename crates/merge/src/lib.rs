//! What changed in scenes and settings of Unity and Godot, and both sides' changes put together.
//!
//! A file is a list of items with an identity (objects of Unity, sections of Godot), each a tree of
//! fields; see `model`. [`merge`] goes through three versions of it field by field, keeps the bytes
//! of all that nobody changed, and gives a result only after it was read again and nothing in it is
//! broken that was whole in both inputs. What does not go together is a [`Conflict`] as small as the
//! field. Files that are not what they should be are refused, and left to git.

mod assemble;
pub mod diff;
mod fields;
mod godot;
pub mod history;
mod items;
mod json;
mod kind;
mod language;
mod manners;
mod model;
mod order;
mod outline;
pub mod reach;
mod refusal;
pub mod render;
mod report;
mod same;
mod settle;
mod texts;
mod unity;
mod verify;
pub mod work;

pub use fields::Choices;
pub use kind::{FileKind, MAX_BYTES, UNITY, read_file};
pub use model::{Step, path_text};
pub use outline::outline;
pub use refusal::{Refusal, Refused};
pub use report::{Choice, Conflict, ConflictKind, Note};

use std::borrow::Cow;
use std::path::Path;

/// Three versions of a file.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// What both started from; empty when both added the file.
    pub base: &'a [u8],
    /// The version of the branch that is merged into.
    pub ours: &'a [u8],
    /// The version of the branch that comes in.
    pub theirs: &'a [u8],
}

/// What came of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The file. Where there are conflicts: with ours in their places, and comments that tell of them
    /// where the format has comments.
    pub bytes: Vec<u8>,
    /// What people have to decide, and what they did.
    pub conflicts: Vec<Conflict>,
    /// What was decided without asking.
    pub notes: Vec<Note>,
    /// Whether comments in the file tell of the conflicts.
    pub is_marked: bool,
}

impl Merged {
    /// Whether nothing is left to decide.
    pub fn is_clean(&self) -> bool {
        self.conflicts.iter().all(|conflict| conflict.choice.is_some())
    }
}

/// Puts both sides' changes together. The path tells what the file is.
pub fn merge(path: &Path, inputs: Inputs<'_>, choices: &Choices) -> Result<Merged, Refused> {
    let Inputs { base, ours, theirs } = inputs;
    merge_texts(path, [base, ours, theirs].map(Cow::Borrowed), choices)
}

/// The same of base, ours and theirs that nobody else needs, so that large ones are not copied.
pub fn merge_owned(path: &Path, texts: [Vec<u8>; 3], choices: &Choices) -> Result<Merged, Refused> {
    merge_texts(path, texts.map(Cow::Owned), choices)
}

/// What only one side changed, or both alike, is that, byte for byte: not even a wrong count is put right.
fn of_one_side(Inputs { base, ours, theirs }: Inputs<'_>) -> Option<&[u8]> {
    match () {
        () if ours == theirs || theirs == base => Some(ours),
        () if ours == base => Some(theirs),
        () => None,
    }
}

fn merge_texts(
    path: &Path,
    texts: [Cow<'_, [u8]>; 3],
    choices: &Choices,
) -> Result<Merged, Refused> {
    let [base, ours, theirs] = &texts;
    let inputs = Inputs { base, ours, theirs };
    let kind = kind::of_all(path, inputs)?;
    let manners = manners::Manners::of(inputs);
    let of_one_side = of_one_side(inputs).map(<[u8]>::to_vec);
    // A side that cannot be read is refused, also when it is the only one that changed.
    let ready = settle::ready(kind, manners.plain(texts), choices)?;
    if let Some(bytes) = of_one_side {
        let (conflicts, notes) = (Vec::new(), Vec::new());
        return Ok(Merged { bytes, conflicts, notes, is_marked: false });
    }
    let merged = settle::settle(kind, ready, choices, manners.line_break)?;
    Ok(Merged { bytes: manners.dressed(merged.bytes), ..merged })
}
