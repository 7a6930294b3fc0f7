//! What a write tells: the same for every tool.

use scenewright_contract::call::Diffs;
use scenewright_text::diff;
use scenewright_text::proof::hex;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Change;
use super::apply::Ready;
use super::record::UndoId;

/// More files are counted, not listed.
const MAX_LISTED: usize = 200;
/// All diffs together are not longer; later ones are left out.
const MAX_DIFFS: usize = 64 * 1024;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// The same for a reader who knows what they asked for.
const SHORT_CONTEXT: usize = 1;
/// Lines of a short diff, its two heads among them.
const SHORT_LINES: usize = 32;
/// The same for a new file: what the tool makes of it is known to whoever asked for it. A new meta shows nothing.
const SHORT_NEW: usize = 14;
/// Characters of a line of it.
const SHORT_WIDTH: usize = 160;
/// All short diffs together are about so long.
const SHORT_DIFFS: usize = 4 * 1024;

/// What was written, or would be. Part of the output of every tool that writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// Whether this was only tried.
    pub dry_run: bool,
    /// How many files changed.
    pub files_changed: usize,
    /// What happened to each, at most 200.
    pub changes: Vec<FileChange>,
    /// Pass this to project_undoLast to take it back; absent when nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoId>,
}

/// What happened to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// The file, from the project's root.
    pub path: String,
    /// What was done.
    pub action: Action,
    /// Where it was, if it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The change as a unified diff; `diff: "none" | "short" | "full"` says how much of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
    /// Whether parts of the diff are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub diff_cut: bool,
    /// Lines that came in.
    pub added: usize,
    /// Lines that went.
    pub removed: usize,
    /// Size of the file now; of what it was, if it is gone.
    pub bytes: u64,
    /// SHA-256 of the content now; absent for files that are gone or moved unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is new.
    Created,
    /// It has other content.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name, and perhaps other content.
    Renamed,
}

impl Action {
    /// What a change is called by what was and what is there.
    pub(super) fn of(moved: bool, before: bool, after: bool) -> Self {
        match (moved, before, after) {
            (true, ..) => Self::Renamed,
            (false, false, _) => Self::Created,
            (false, true, false) => Self::Deleted,
            (false, true, true) => Self::Modified,
        }
    }
}

pub(super) fn written(files: &[Ready<'_>], dry_run: bool, diffs: Diffs) -> Written {
    let mut teller = Teller::new(diffs);
    let listed = files.iter().take(MAX_LISTED);
    let changes = listed.map(|file| teller.file_change(file)).collect();
    Written { dry_run, files_changed: files.len(), changes, undo: None }
}

/// What a plan tells while its changes wait for others.
pub(super) fn staged(changes: &[Change<'_>], diffs: Diffs) -> Written {
    let mut teller = Teller::new(diffs);
    let tell = |change| {
        let diff = teller.diff_of(change);
        let (before, after) = change.sides();
        let bytes = after.or(before).map_or(0, <[u8]>::len) as u64;
        told(change, diff, bytes, None)
    };
    let listed = changes.iter().take(MAX_LISTED).map(tell).collect();
    Written { dry_run: false, files_changed: changes.len(), changes: listed, undo: None }
}

/// Tells changes as long as there is room.
struct Teller {
    diffs: Diffs,
    room: usize,
}

impl Teller {
    fn new(diffs: Diffs) -> Self {
        let room = if diffs == Diffs::Full { MAX_DIFFS } else { SHORT_DIFFS };
        Self { diffs, room }
    }

    fn file_change(&mut self, file: &Ready<'_>) -> FileChange {
        let diff = self.diff_of(file.change);
        let now = file.after.as_ref();
        let on_disk =
            file.from.as_ref().and_then(|place| place.meta.as_ref()).map(|meta| meta.len());
        let bytes = now.or(file.before.as_ref()).map(|stamp| stamp.bytes).or(on_disk).unwrap_or(0);
        let after = file.change.sides().1.filter(|_| self.diffs == Diffs::Full);
        let sum = after.map(|after| hex(&Sha256::digest(after)));
        told(file.change, diff, bytes, sum)
    }

    fn diff_of(&mut self, change: &Change<'_>) -> diff::Diff {
        let (before, after) = change.sides();
        let old = change.from.as_ref().unwrap_or(&change.path);
        let name = |side: &str, path: &str, is_there: bool| match is_there {
            true => format!("{side}/{path}"),
            false => "/dev/null".to_owned(),
        };
        let mut diff = diff::unified(
            before.unwrap_or_default(),
            after.unwrap_or_default(),
            &name("a", old.as_str(), before.is_some()),
            &name("b", change.path.as_str(), after.is_some()),
            if self.diffs == Diffs::Full { CONTEXT } else { SHORT_CONTEXT },
        );
        if self.diffs == Diffs::Short {
            let is_meta = change.path.as_str().ends_with(".meta");
            let most = match (before, is_meta) {
                (Some(_), _) => SHORT_LINES,
                (None, false) => SHORT_NEW,
                (None, true) => 0,
            };
            shorten(&mut diff, most);
        }
        if diff.text.len() > self.room || (self.diffs == Diffs::None && !diff.text.is_empty()) {
            diff.text.clear();
            diff.cut = true;
        }
        self.room -= diff.text.len();
        diff
    }
}

/// Keep the first lines and of each what fits on a screen.
fn shorten(diff: &mut diff::Diff, most: usize) {
    let mut short = String::new();
    for (number, line) in diff.text.lines().enumerate() {
        if number == most {
            if most == 0 {
                diff.cut = true;
                break;
            }
            let rest = diff.text.lines().count() - most;
            short.push_str(&format!("… {rest} more lines; diff: \"full\" shows them\n"));
            diff.cut = true;
            break;
        }
        match line.char_indices().nth(SHORT_WIDTH) {
            // The heads name files; half a name is none.
            Some((end, _)) if number >= 2 => {
                short.push_str(&line[..end]);
                short.push('…');
                diff.cut = true;
            }
            _ => short.push_str(line),
        }
        short.push('\n');
    }
    diff.text = short;
}

fn told(change: &Change<'_>, diff: diff::Diff, bytes: u64, sha256: Option<String>) -> FileChange {
    let (before, after) = change.sides();
    FileChange {
        path: change.path.to_string(),
        action: Action::of(change.from.is_some(), before.is_some(), after.is_some()),
        from: change.from.as_ref().map(ToString::to_string),
        diff: diff.text,
        diff_cut: diff.cut,
        added: diff.added,
        removed: diff.removed,
        bytes,
        sha256,
    }
}
