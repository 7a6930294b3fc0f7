//! Taking back what was begun: after a step failed, or after the process ended halfway.
//!
//! Both look at the disk and at the record, so there is one way back and it needs no memory.

use std::fs;
use std::path::{Path, PathBuf};

use super::apply;
use super::disk::Disk;
use super::key::Key;
use super::os::Access;
use super::place::{self, Place};
use super::record::{FileRecord, Flaw, Record, Stamp, UndoId};
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
    let door = &project.door;
    record.files.iter().for_each(|file| rescue(project, disk, file));
    let progress: Vec<Result<Progress, Obstacle>> =
        record.files.iter().map(|file| progress_of(project, disk, file)).collect();
    let is_complete = progress.iter().all(|found| matches!(found, Ok(Progress::After)));
    if is_complete && complete == Complete::Keep {
        clear_staged(project, disk, record);
        remove_emptied(project, disk, record);
        let finished = door.journal.finish(disk, &door.hot, id);
        return finished.map_err(|error| vec![format!("the journal: {error}")]);
    }
    // Folders that went with their last file come back with it.
    for folder in record.removed.iter().rev().filter_map(|name| folder(project, name)) {
        if !folder.exists() {
            let _ = disk.create_folder(&folder);
        }
    }
    let mut problems = Vec::new();
    let mut is_final = true;
    for ((file, kept), found) in record.files.iter().zip(kept).zip(progress).rev() {
        let taken_back = found.and_then(|found| match found {
            Progress::After => take_back(project, disk, file, kept),
            Progress::Both => clear(project, disk, file),
            Progress::Before => Ok(()),
        });
        if let Err(obstacle) = taken_back {
            is_final &= matches!(obstacle, Obstacle::Changed);
            problems.push(format!("{}: {obstacle}", file.path));
        }
    }
    clear_staged(project, disk, record);
    for folder in record.folders.iter().rev().filter_map(|name| folder(project, name)) {
        // It stays when somebody has put something there meanwhile.
        let _ = disk.remove_folder(&folder);
    }
    if is_final && let Err(error) = door.hot.forget(disk, id) {
        problems.push(format!("the journal: {error}"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Remove the folders that a change leaves empty. They stay when something is in them.
pub(super) fn remove_emptied(project: &Project, disk: &Disk, record: &Record) {
    for folder in record.removed.iter().filter_map(|name| folder(project, name)) {
        let _ = disk.remove_folder(&folder);
    }
}

/// Where a folder of a record is; nothing when it is none of the project's, also by a link.
fn folder(project: &Project, name: &str) -> Option<PathBuf> {
    let path = ProjectPath::parse(project, name).ok()?;
    place::locate_folder(project, &path).ok()
}

fn clear_staged(project: &Project, disk: &Disk, record: &Record) {
    for path in record.files.iter().filter_map(|file| staged(project, file)) {
        if fs::symlink_metadata(&path).is_ok() {
            // A leftover is hidden and harmless.
            let _ = disk.remove(&path);
        }
    }
}

/// The temporary file of a change. It lies in the project, where anybody may exchange it, so only what
/// has such a name, is in the project and is no link is taken for one.
fn staged(project: &Project, file: &FileRecord) -> Option<PathBuf> {
    let path = ProjectPath::parse(project, file.staged.as_deref()?).ok()?;
    is_temporary(path.parts().last()?)
        .then(|| place::locate(project, &path).ok())
        .flatten()
        .filter(|place| !place.is_link)
        .map(|place| place.path)
}

/// Somebody wrote into a file that had just been exchanged, and then the process ended. What they
/// wrote goes back to its place.
fn rescue(project: &Project, disk: &Disk, file: &FileRecord) {
    let (Some(staged), Some(before), Some(after)) =
        (staged(project, file), &file.before, &file.after)
    else {
        return;
    };
    let Ok(found) = disk.read(&staged, super::MAX_FILE) else { return };
    let Ok(place) = locate(project, &file.path) else { return };
    if before.fits(&found) || !matches!(has(disk, &place, Some(after)), Ok(true)) {
        return;
    }
    // Half of what was to come is ours; it is in its place by now, so compare with that.
    let ours = disk.read(&place.path, after.bytes).is_ok_and(|ours| ours.starts_with(&found));
    if !ours && file.from.is_none() {
        let _ = disk.exchange(&staged, &place.path);
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
        return clear(project, disk, file);
    }
    let now = match &file.after {
        Some(after) => disk.read(&place.path, after.bytes)?,
        None => Vec::new(),
    };
    let bytes = file
        .rebuild(&now, kept)
        .ok_or_else(|| Obstacle::Disk("the journal does not fit the file".to_owned()))?;
    let staged = staged(project, file).ok_or_else(|| {
        Obstacle::Disk("its temporary file is none, or leads elsewhere".to_owned())
    })?;
    restage(disk, &staged, &place, file, &bytes)?;
    match (&old, &file.after) {
        (None, Some(_)) => Ok(apply::swap_in(disk, &staged, &place.path, &now, &bytes)?),
        (None, None) => Ok(disk.rename_new(&staged, &place.path)?),
        (Some(old), _) => {
            disk.rename_new(&staged, &old.path)?;
            clear(project, disk, file)
        }
    }
}

/// Have the old content in the temporary file, where it may still be.
fn restage(
    disk: &Disk,
    staged: &Path,
    place: &Place,
    file: &FileRecord,
    bytes: &[u8],
) -> Result<(), Obstacle> {
    if fs::symlink_metadata(staged).is_ok() {
        if disk.holds(staged, bytes)? {
            return Ok(());
        }
        disk.remove(staged)?;
    }
    let access = place.meta.as_ref().map(Access::of);
    let access = access.or_else(|| file.mode.and_then(Access::from_mode));
    Ok(disk.write_new(staged, bytes, access.as_ref(), true)?)
}

/// Remove a file that a change made, if it is still as the change made it.
fn clear(project: &Project, disk: &Disk, file: &FileRecord) -> Result<(), Obstacle> {
    let place = locate(project, &file.path)?;
    match has(disk, &place, file.after.as_ref())? {
        true => Ok(disk.remove(&place.path)?),
        false => Err(Obstacle::Changed),
    }
}

/// The name of a file that is about to take another's place. Both engines pass over what starts
/// with a dot.
pub(super) fn temporary_name() -> String {
    let name = scenewright_text::random_name().expect("the operating system gives random bytes");
    format!(".scenewright-{name}.tmp")
}

fn is_temporary(name: &str) -> bool {
    let middle = name.strip_prefix(".scenewright-").and_then(|name| name.strip_suffix(".tmp"));
    middle.is_some_and(|middle| middle.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Settle every change of the project that was interrupted; what was done, in sentences. The caller
/// holds the lock, so that none of them is merely under way. A record that is not proven is left alone.
pub(super) fn settle_interrupted(project: &Project, disk: &Disk, keys: &[Key]) -> Vec<String> {
    let hot = &project.door.hot;
    let Ok(pending) = hot.pending() else { return Vec::new() };
    let mut said = Vec::new();
    // The newest first: an older one stands on what was before it.
    for id in pending {
        let (record, kept) = match hot.read(id, keys) {
            Ok(whole) => whole,
            Err(Flaw::Gone | Flaw::Doubted(_)) => continue,
            Err(Flaw::Torn) => {
                // The record is written before the project is touched, so half of one means nothing.
                let _ = hot.forget(disk, id);
                said.push(format!("The record of change {id} is incomplete and is dropped"));
                continue;
            }
        };
        // Somebody may have kept one of ours and put it back.
        if project.door.journal.head(id, keys).is_ok() {
            let _ = hot.forget(disk, id);
            said.push(format!("Change {id} is complete, so another record of it is dropped"));
            continue;
        }
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
