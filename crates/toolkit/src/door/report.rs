//! What a write tells: the same for every tool.

use scenewright_text::diff;
use schemars::JsonSchema;
use serde::Serialize;

use super::Change;
use super::apply::Ready;
use super::record::UndoId;

/// More files are counted, not listed.
const MAX_LISTED: usize = 200;
/// All diffs together are not longer; later ones are left out.
const MAX_DIFFS: usize = 64 * 1024;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;

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
    /// The change as a unified diff.
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

pub(super) fn written(files: &[Ready<'_>], dry_run: bool) -> Written {
    let mut room = MAX_DIFFS;
    let listed = files.iter().take(MAX_LISTED);
    let changes = listed.map(|file| file_change(file, &mut room)).collect();
    Written { dry_run, files_changed: files.len(), changes, undo: None }
}

/// What a plan tells while its changes wait for others.
pub(super) fn staged(changes: &[Change<'_>]) -> Written {
    let mut room = MAX_DIFFS;
    let tell = |change| {
        let diff = diff_of(change, &mut room);
        let (before, after) = change.sides();
        let bytes = after.or(before).map_or(0, <[u8]>::len) as u64;
        told(change, diff, bytes, None)
    };
    let listed = changes.iter().take(MAX_LISTED).map(tell).collect();
    Written { dry_run: false, files_changed: changes.len(), changes: listed, undo: None }
}

fn file_change(file: &Ready<'_>, room: &mut usize) -> FileChange {
    let diff = diff_of(file.change, room);
    let now = file.after.as_ref();
    let on_disk = file.from.as_ref().and_then(|place| place.meta.as_ref()).map(|meta| meta.len());
    let bytes = now.or(file.before.as_ref()).map(|stamp| stamp.bytes).or(on_disk).unwrap_or(0);
    told(file.change, diff, bytes, now.map(|stamp| stamp.sha256.clone()))
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

fn diff_of(change: &Change<'_>, room: &mut usize) -> diff::Diff {
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
        CONTEXT,
    );
    if diff.text.len() > *room {
        diff.text.clear();
        diff.cut = true;
    }
    *room -= diff.text.len();
    diff
}
