//! Taking changes back, and telling which can be.

use std::borrow::Cow;
use std::collections::HashSet;

use scenewright_contract::{ErrorKind, ToolError};
use schemars::JsonSchema;
use serde::Serialize;

use super::record::{FileRecord, Record, UndoId};
use super::report::Action;
use super::{Change, Content, Plan, ProjectPath, Written};
use crate::{Cx, Project};

/// More files of one change are counted, not listed.
const MAX_LISTED: usize = 20;

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Pass this to project_undoLast to take the change back.
    pub id: UndoId,
    /// When it was, in milliseconds since 1970.
    pub unix_ms: u64,
    /// The tool that made it.
    pub tool: String,
    /// How many files it changed.
    pub files_changed: usize,
    /// The first 20 of them.
    pub files: Vec<HistoryFile>,
    /// Whether it has been taken back.
    pub undone: bool,
    /// The change that this one took back; taking this back does that change again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<UndoId>,
    /// Whether it was interrupted; the next write puts the project in order.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// What a change did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryFile {
    /// The file, from the project's root.
    pub path: String,
    /// What was done.
    pub action: Action,
}

/// The changes that are remembered, newest first. Records that are not proven, or cannot be read, are
/// left out.
pub fn history(project: &Project) -> Result<Vec<HistoryEntry>, ToolError> {
    let door = &project.door;
    let keys = door.keys.known();
    let mut undone = HashSet::new();
    let mut entries = Vec::new();
    for id in door.hot.pending().map_err(|error| unreadable(&error))? {
        let Ok((record, _)) = door.hot.read(id, &keys) else { continue };
        entries.push(HistoryEntry { interrupted: true, ..entry(id, &record, false) });
    }
    for id in door.journal.list().map_err(|error| unreadable(&error))? {
        let Ok(record) = door.journal.head(id, &keys) else { continue };
        // Newest first, so whether this one was taken back is known before what it took back.
        let is_undone = undone.contains(&id);
        if !is_undone {
            undone.extend(record.undoes);
        }
        entries.push(entry(id, &record, is_undone));
    }
    Ok(entries)
}

fn entry(id: UndoId, record: &Record, undone: bool) -> HistoryEntry {
    let action = |file: &FileRecord| {
        Action::of(file.from.is_some(), file.before.is_some(), file.after.is_some())
    };
    let files = record.files.iter().take(MAX_LISTED);
    HistoryEntry {
        id,
        unix_ms: record.unix_ms,
        tool: record.tool.clone(),
        files_changed: record.files.len(),
        files: files
            .map(|file| HistoryFile { path: file.path.clone(), action: action(file) })
            .collect(),
        undone,
        undoes: record.undoes,
        interrupted: false,
    }
}

/// Take back a change: the newest one that stands, or the one with this id. It is a change like any
/// other, so it can be taken back itself.
pub fn undo(
    cx: &Cx,
    project: &Project,
    id: Option<UndoId>,
    dry_run: bool,
) -> Result<(HistoryEntry, Written), ToolError> {
    if !dry_run {
        cx.turn(project)?;
    }
    let history = history(project)?;
    let entry = choose(&history, id)?;
    let read = project.door.journal.read(entry.id, &project.door.keys.known());
    let (record, kept) = read.map_err(|flaw| unreadable(&flaw))?;
    let mut plan = Plan::new(project);
    plan.undoes = Some(entry.id);
    let mut conflicts = Vec::new();
    for (file, kept) in record.files.iter().zip(&kept).rev() {
        match reverse(project, file, kept)? {
            Some(change) => plan.changes.push(change),
            None => conflicts.push(file.path.as_str()),
        }
    }
    if !conflicts.is_empty() {
        return Err(changed_since(entry, &conflicts, &history));
    }
    for folder in record.folders.iter().rev() {
        plan.emptied.push(ProjectPath::parse(project, folder)?);
    }
    for folder in record.removed.iter().rev() {
        plan.folders.push(ProjectPath::parse(project, folder)?);
    }
    // What was there before was not necessarily in good order, so nothing is asked of it.
    Ok((entry.clone(), plan.commit(cx, dry_run, |_, _| Ok(()))?))
}

fn choose(history: &[HistoryEntry], id: Option<UndoId>) -> Result<&HistoryEntry, ToolError> {
    let stands = |entry: &&HistoryEntry| !entry.undone && !entry.interrupted;
    let Some(id) = id else {
        return history.iter().filter(stands).find(|entry| entry.undoes.is_none()).ok_or_else(
            || {
                ToolError::new(ErrorKind::EngineError, "there is no change to take back").hint(
                    "project_history lists changes; taking back an undo does its change again",
                )
            },
        );
    };
    let Some(entry) = history.iter().find(|entry| entry.id == id) else {
        return Err(ToolError::not_found("change", &id.to_string())
            .hint("project_history lists the changes that are remembered"));
    };
    if entry.undone {
        let text = format!("change {id} has been taken back already");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("project_history tells by which change; taking that back does this one again"));
    }
    if entry.interrupted {
        let text = format!("change {id} was interrupted");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("the next write puts the project in order"));
    }
    Ok(entry)
}

/// The change that takes another one back; none when the file is not as that one left it.
fn reverse(
    project: &Project,
    file: &FileRecord,
    kept: &[u8],
) -> Result<Option<Change<'static>>, ToolError> {
    let path = ProjectPath::parse(project, &file.path)?;
    let to = match &file.from {
        Some(from) => ProjectPath::parse(project, from)?,
        None => path.clone(),
    };
    let from = file.from.is_some().then(|| path.clone());
    let now = match &file.after {
        None => None,
        Some(after) => {
            let now = super::disk_read(project, &path).ok().flatten().filter(|now| after.fits(now));
            let Some(now) = now else { return Ok(None) };
            Some(now)
        }
    };
    if file.before.is_none() && file.after.is_none() {
        return Ok(Some(Change { path: to, from, content: Content::Kept, mode: None }));
    }
    let before = match &file.before {
        None => None,
        Some(_) => {
            Some(file.rebuild(now.as_deref().unwrap_or_default(), kept).ok_or_else(|| {
                ToolError::failed(format!(
                    "the record of {path} is damaged, so it cannot be taken back"
                ))
            })?)
        }
    };
    let content = Content::Replaced { before: now.map(Cow::Owned), after: before.map(Cow::Owned) };
    Ok(Some(Change { path: to, from, content, mode: file.mode }))
}

fn changed_since(entry: &HistoryEntry, files: &[&str], history: &[HistoryEntry]) -> ToolError {
    let shown: Vec<&str> = files.iter().copied().take(MAX_LISTED).collect();
    let text = format!("changed since change {}: {}", entry.id, shown.join(", "));
    let later = history.iter().take_while(|other| other.id > entry.id).find(|other| {
        !other.undone && other.files.iter().any(|file| files.contains(&file.path.as_str()))
    });
    let hint = match later {
        Some(later) => format!("nothing was changed; take back change {} first", later.id),
        None => "nothing was changed; somebody else edited the files, so edit them back by hand"
            .to_owned(),
    };
    ToolError::failed(text).hint(hint).detail("conflicts", serde_json::json!(shown))
}

fn unreadable(error: &dyn std::fmt::Display) -> ToolError {
    ToolError::failed(format!("the undo journal cannot be read: {error}"))
}
