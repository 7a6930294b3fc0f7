//! Taking back what was begun: after a step failed, or after the process ended halfway.
//!
//! Both look at the disk and at the record, so there is one way back and it needs no memory.

use std::fs;
use std::path::Path;

use super::disk::{Access, Disk};
use super::journal::{FileRecord, Record, Stamp, State, UndoId, random_name};
use super::place::{self, Place};
use crate::Project;
use crate::paths::ProjectPath;

/// What to do with a change of which every file is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Complete {
    /// It stands.
    Keep,
    /// Back with it.
    TakeBack,
}

/// Where a file stands in a change.
enum Progress {
    /// As before.
    Before,
    /// As it should be.
    After,
    /// It is at its new place and still at its old one.
    Both,
}

/// Why a file could not be taken back.
enum Obstacle {
    /// Somebody else changed it, and what they wrote is not ours to remove.
    Changed,
    /// It may work later.
    Disk(String),
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed => f.write_str("somebody else changed it, so it is left as it is"),
            Self::Disk(why) => f.write_str(why),
        }
    }
}

impl From<std::io::Error> for Obstacle {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error.to_string())
    }
}

/// Finish or take back a change that was begun; what could not be, in sentences.
pub(super) fn settle(
    project: &Project,
    disk: &Disk,
    id: UndoId,
    record: &Record,
    kept: &[&[u8]],
    complete: Complete,
) -> Result<(), Vec<String>> {
    let root = place::root(project);
    let journal = &project.door.journal;
    let progress: Vec<Result<Progress, Obstacle>> =
        record.files.iter().map(|file| progress_of(project, disk, file)).collect();
    let is_complete = progress.iter().all(|found| matches!(found, Ok(Progress::After)));
    if is_complete && complete == Complete::Keep {
        clear_staged(disk, &root, record);
        return journal.finish(disk, id).map_err(|error| vec![format!("the journal: {error}")]);
    }
    let mut problems = Vec::new();
    let mut is_final = true;
    for ((file, kept), found) in record.files.iter().zip(kept).zip(progress).rev() {
        let taken_back = found.and_then(|found| match found {
            Progress::After => take_back(project, disk, file, kept),
            Progress::Both => Ok(disk.remove(&locate(project, &file.path)?.path)?),
            Progress::Before => Ok(()),
        });
        if let Err(obstacle) = taken_back {
            is_final &= matches!(obstacle, Obstacle::Changed);
            problems.push(format!("{}: {obstacle}", file.path));
        }
    }
    clear_staged(disk, &root, record);
    for folder in record.folders.iter().rev() {
        // It stays when somebody has put something there meanwhile.
        let _ = disk.remove_folder(&place::below(&root, folder));
    }
    if is_final && let Err(error) = journal.forget(disk, id) {
        problems.push(format!("the journal: {error}"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn clear_staged(disk: &Disk, root: &Path, record: &Record) {
    for name in &record.staged {
        let path = place::below(root, name);
        if fs::symlink_metadata(&path).is_ok() {
            // A leftover is hidden and harmless.
            let _ = disk.remove(&path);
        }
    }
}

fn locate(project: &Project, name: &str) -> Result<Place, Obstacle> {
    let place = ProjectPath::parse(project, name).and_then(|path| place::locate(project, &path));
    place.map_err(|error| Obstacle::Disk(error.message))
}

fn progress_of(project: &Project, disk: &Disk, file: &FileRecord) -> Result<Progress, Obstacle> {
    let place = locate(project, &file.path)?;
    let Some(from) = &file.from else {
        if has(disk, &place, file.after.as_ref())? {
            return Ok(Progress::After);
        }
        let is_before = has(disk, &place, file.before.as_ref())?;
        return if is_before { Ok(Progress::Before) } else { Err(Obstacle::Changed) };
    };
    let from = locate(project, from)?;
    let has_come = match &file.after {
        None => place.meta.is_some(),
        after => has(disk, &place, after.as_ref())?,
    };
    match (from.meta.is_some(), place.meta.is_some()) {
        (true, false) => Ok(Progress::Before),
        (false, true) if has_come => Ok(Progress::After),
        (true, true) if has_come && file.after.is_some() => Ok(Progress::Both),
        _ => Err(Obstacle::Changed),
    }
}

/// Whether this is what is there.
fn has(disk: &Disk, place: &Place, stamp: Option<&Stamp>) -> Result<bool, Obstacle> {
    let (Some(meta), Some(stamp)) = (&place.meta, stamp) else {
        return Ok(place.meta.is_none() && stamp.is_none());
    };
    Ok(meta.len() == stamp.bytes && stamp.fits(&disk.read(&place.path, stamp.bytes)?))
}

/// Put back what was there before a change of one file.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn take_back(
    project: &Project,
    disk: &Disk,
    file: &FileRecord,
    kept: &[u8],
) -> Result<(), Obstacle> {
    let place = locate(project, &file.path)?;
    let old = file.from.as_deref().map(|from| locate(project, from)).transpose()?;
    if let (Some(old), None) = (&old, &file.after) {
        return Ok(disk.rename(&place.path, &old.path)?);
    }
    if file.before.is_none() {
        return Ok(disk.remove(&place.path)?);
    }
    let now = match &file.after {
        Some(after) => disk.read(&place.path, after.bytes)?,
        None => Vec::new(),
    };
    let bytes = file
        .rebuild(&now, kept)
        .ok_or_else(|| Obstacle::Disk("the journal does not fit the file".to_owned()))?;
    let access = place.meta.as_ref().map(Access::of);
    let access = access.or_else(|| file.mode.and_then(Access::from_mode));
    let target = old.as_ref().unwrap_or(&place);
    let staged = target.path.with_file_name(temporary_name());
    let written = disk
        .write_new(&staged, &bytes, access.as_ref())
        .and_then(|()| disk.rename(&staged, &target.path));
    if written.is_err() {
        let _ = fs::remove_file(&staged);
    }
    written?;
    if old.is_some() {
        disk.remove(&place.path)?;
    }
    Ok(())
}

/// The name of a file that is about to take another's place. Both engines pass over what starts
/// with a dot.
pub(super) fn temporary_name() -> String {
    format!(".scenewright-{}.tmp", random_name())
}

/// Settle every change of the project that was interrupted; what was done, in sentences. The caller
/// holds the lock, so that none of them is merely under way.
pub(super) fn settle_interrupted(project: &Project, disk: &Disk) -> Vec<String> {
    let journal = &project.door.journal;
    let Ok(list) = journal.list() else { return Vec::new() };
    let mut said = Vec::new();
    // The newest first: an older one stands on what was before it.
    for (id, _, _) in list.into_iter().filter(|(_, state, _)| *state == State::Intent) {
        let read = journal.read(id, State::Intent, &place::root(project));
        let (record, kept) = match read {
            Ok(whole) => whole,
            Err(error) => {
                // The record is written before the project is touched, so half of one means nothing.
                let _ = journal.forget(disk, id);
                said.push(format!(
                    "The record of change {id} could not be read ({error}) and is dropped"
                ));
                continue;
            }
        };
        let kept: Vec<&[u8]> = kept.iter().map(Vec::as_slice).collect();
        let what = format!("Change {id} by {} was interrupted", record.tool);
        said.push(match settle(project, disk, id, &record, &kept, Complete::Keep) {
            Ok(()) => format!("{what}; the project is as before it, or complete"),
            Err(problems) => {
                format!("{what}; not everything could be put back: {}", problems.join("; "))
            }
        });
    }
    said
}
