//! From a checked plan to the disk: all or nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::diff::{common_prefix, common_suffix};

use super::check::only_case_differs;
use super::disk::Disk;
use super::os::Access;
use super::place::{self, Place};
use super::record::{FileRecord, Record, Stamp, UndoId};
use super::settle::{self, Complete, settle, temporary_name};
use super::{Change, Content, Plan};
use crate::Project;

/// One change with everything known about its places.
pub(super) struct Ready<'p> {
    pub(super) change: &'p Change<'p>,
    pub(super) place: Place,
    /// Where the file is now, if it moves.
    pub(super) from: Option<Place>,
    pub(super) before: Option<Stamp>,
    pub(super) after: Option<Stamp>,
}

/// A step that failed, and the file it was about.
struct Failure {
    path: String,
    error: io::Error,
}

/// Write it all, or leave everything as it was.
pub(super) fn apply(plan: &Plan<'_>, tool: &str, files: &[Ready<'_>]) -> Result<UndoId, ToolError> {
    let project = plan.project;
    let door = &project.door;
    let disk = &door.disk;
    let staged: Vec<PathBuf> =
        files.iter().map(|file| file.place.path.with_file_name(temporary_name())).collect();
    // In the order of their names, so that a folder comes before those in it.
    let folders: BTreeSet<&Path> = files
        .iter()
        .flat_map(|file| &file.place.missing)
        .chain(&plan.missing)
        .map(|p| &**p)
        .collect();
    let (record, kept) = record(plan, tool, files, &staged, &folders);
    // What is one rename is whole by itself.
    let durable = files.len() > 1 || files.iter().any(|file| file.from.is_some());
    let begun = door.keys.own().and_then(|key| {
        let id = door.next_id(std::slice::from_ref(&key))?;
        door.hot.begin(disk, (id, &key), &record, &kept, durable)?;
        Ok(id)
    });
    let id = begun.map_err(|error| super::no_journal(&error))?;
    let written = write(project, disk, files, &staged, &folders).and_then(|()| {
        settle::remove_emptied(project, disk, &record);
        let about = |error| Failure { path: "the undo journal".to_owned(), error };
        door.journal.finish(disk, &door.hot, id).map_err(about)
    });
    let Err(failure) = written else { return Ok(id) };
    let error = failed(&failure.path, &failure.error);
    Err(match settle(project, disk, id, &record, &kept, Complete::TakeBack) {
        Ok(()) => {
            let advice = advice(&failure.error);
            error.hint(format!("every file is as it was before; {advice}"))
        }
        Err(problems) => error
            .hint("look at the files named in details; the rest is as it was before")
            .detail("notTakenBack", problems),
    })
}

/// What the journal keeps, and the bytes that the change takes away.
fn record<'p>(
    plan: &Plan<'_>,
    tool: &str,
    files: &'p [Ready<'_>],
    staged: &[PathBuf],
    folders: &BTreeSet<&Path>,
) -> (Record, Vec<&'p [u8]>) {
    let root = place::root(plan.project);
    let mut record = Record::new(&root, tool, plan.undoes);
    let relative = |path: &Path| place::relative(&root, path);
    let mut kept: Vec<&[u8]> = Vec::new();
    for (file, staged) in files.iter().zip(staged) {
        let (before, after) = file.change.sides();
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let start = common_prefix(before, after);
        let end = common_suffix(&before[start..], &after[start..]);
        kept.push(&before[start..before.len() - end]);
        let old = file.from.as_ref().unwrap_or(&file.place);
        record.files.push(FileRecord {
            path: file.change.path.to_string(),
            from: file.change.from.as_ref().map(ToString::to_string),
            before: file.before.clone(),
            after: file.after.clone(),
            same: (start, end),
            mode: old.meta.as_ref().and_then(|meta| Access::of(meta).mode()),
            staged: (!matches!(file.change.content, Content::Kept)).then(|| relative(staged)),
        });
    }
    record.folders = folders.iter().map(|path| relative(path)).collect();
    record.removed = plan.emptied.iter().map(ToString::to_string).collect();
    (record, kept)
}

fn write(
    project: &Project,
    disk: &Disk,
    files: &[Ready<'_>],
    staged: &[PathBuf],
    folders: &BTreeSet<&Path>,
) -> Result<(), Failure> {
    let about = |folder: &Path, result: io::Result<()>| {
        result.map_err(|error| Failure { path: folder.display().to_string(), error })
    };
    for folder in folders {
        about(folder, disk.create_folder(folder))?;
    }
    for (file, staged) in files.iter().zip(staged) {
        file.about(stage(disk, file, staged))?;
    }
    for (file, staged) in files.iter().zip(staged) {
        file.about(unchanged(&file.place))?;
        file.about(file.from.as_ref().map_or(Ok(()), unchanged))?;
        file.about(put(disk, file, staged))?;
    }
    let parents = files.iter().flat_map(|file| [Some(&file.place), file.from.as_ref()]);
    let parents: BTreeSet<&Path> =
        parents.flatten().filter_map(|place| place.path.parent()).collect();
    let above = folders.iter().filter_map(|folder| folder.parent());
    for folder in parents.into_iter().chain(above).collect::<BTreeSet<_>>() {
        about(folder, disk.sync_folder(folder))?;
    }
    let compare = |(file, staged): (&Ready<'_>, &PathBuf)| {
        let (there, old) =
            rayon::join(|| read_back(project, disk, file), || Old::of(disk, file, staged));
        file.about(there.and(old))
    };
    let old: Vec<Old> = files.par_iter().zip(staged).map(compare).collect::<Result<_, _>>()?;
    let old = files.iter().zip(staged).zip(old);
    old.into_iter()
        .try_for_each(|((file, staged), old)| file.about(let_go(disk, file, staged, old)))
}

/// What is in the temporary file when all is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Old {
    /// Nothing: where files cannot change places, the old one went with the rename.
    Gone,
    /// What was there before.
    Same,
    /// Something that somebody wrote in the last moment, or after it had left its place.
    Changed,
    /// Somebody had it open when it left its place, and may still write into it.
    HeldOpen,
}

impl Old {
    fn of(disk: &Disk, file: &Ready<'_>, staged: &Path) -> io::Result<Old> {
        let Content::Replaced { before: Some(before), .. } = &file.change.content else {
            return Ok(Old::Gone);
        };
        if fs::symlink_metadata(staged).is_err() {
            return Ok(Old::Gone);
        }
        // Once nobody has it open, nobody can write into it any more.
        if !disk.is_quiet(staged)? {
            return Ok(Old::HeldOpen);
        }
        Ok(if disk.holds(staged, before)? { Old::Same } else { Old::Changed })
    }
}

impl Ready<'_> {
    fn about<T>(&self, result: io::Result<T>) -> Result<T, Failure> {
        result.map_err(|error| Failure { path: self.change.path.to_string(), error })
    }
}

fn stage(disk: &Disk, file: &Ready<'_>, staged: &Path) -> io::Result<()> {
    let Content::Replaced { after: Some(after), .. } = &file.change.content else { return Ok(()) };
    let old = file.from.as_ref().unwrap_or(&file.place);
    let access = old.meta.as_ref().map(Access::of);
    let access = access.or_else(|| file.change.mode.and_then(Access::from_mode));
    disk.write_new(staged, after, access.as_ref(), true)
}

fn changed() -> io::Error {
    io::Error::other("somebody else changed it at the same moment")
}

fn held_open() -> io::Error {
    io::Error::other("another program has it open and may still write into it")
}

/// The last look before a file is touched: nobody has swapped it, or a folder above it, since its
/// bytes were compared. A save that this does not show is found in what comes out of the place.
fn unchanged(place: &Place) -> io::Result<()> {
    let parent = place.path.parent().ok_or_else(changed)?;
    if parent.canonicalize()? != parent {
        return Err(changed());
    }
    let is_same = match (fs::symlink_metadata(&place.path), &place.meta) {
        (Ok(now), Some(then)) => {
            now.is_file() && now.len() == then.len() && now.modified().ok() == then.modified().ok()
        }
        (Err(error), None) => place::is_absent(&error),
        // Where case does not matter, a name in other letters is the file that is being renamed.
        (Ok(_), None) => place.path.canonicalize()? != place.path,
        _ => false,
    };
    if is_same { Ok(()) } else { Err(changed()) }
}

/// Put one file in its place. What was there is now where the new one came from, and stays there
/// until all is done: whoever still writes into it is heard.
fn put(disk: &Disk, file: &Ready<'_>, staged: &Path) -> io::Result<()> {
    let place = &file.place.path;
    match (&file.change.content, &file.from) {
        (Content::Kept, Some(from)) if only_case_differs(file.change) => {
            disk.rename(&from.path, place)
        }
        (Content::Kept, Some(from)) => disk.rename_new(&from.path, place),
        (Content::Kept, None) => Ok(()),
        (Content::Replaced { before: None, .. }, _) => disk.rename_new(staged, place),
        (Content::Replaced { before: Some(before), after: None }, _) => {
            set_aside(disk, place, staged, before)
        }
        (Content::Replaced { before: Some(before), after: Some(_) }, None) => {
            exchange(disk, staged, place, before).map(drop)
        }
        (Content::Replaced { before: Some(before), .. }, Some(from)) => {
            disk.rename_new(staged, place)?;
            set_aside(disk, &from.path, staged, before)
        }
    }
}

/// Let a new file take another one's place. A save of somebody else in the last moment is found in
/// what comes out, and goes back.
pub(super) fn swap_in(
    disk: &Disk,
    staged: &Path,
    place: &Path,
    before: &[u8],
    after: &[u8],
) -> io::Result<()> {
    match exchange(disk, staged, place, before)? && !disk.holds(staged, before)? {
        true => give_back(disk, staged, place, after, changed()),
        false => Ok(()),
    }
}

/// Let a new file take another one's place. True when what was there is now where the new one was, and
/// still to be compared; where files cannot change places, it is compared before it goes.
fn exchange(disk: &Disk, staged: &Path, place: &Path, before: &[u8]) -> io::Result<bool> {
    if disk.exchange(staged, place)? {
        return Ok(true);
    }
    match disk.holds(place, before)? {
        true => disk.rename(staged, place).map(|()| false),
        false => Err(changed()),
    }
}

/// What came out of a place is not what was read there, so it goes back, unless there is a still
/// newer one by now.
fn give_back(
    disk: &Disk,
    staged: &Path,
    place: &Path,
    after: &[u8],
    why: io::Error,
) -> io::Result<()> {
    disk.exchange(staged, place)?;
    if !disk.holds(staged, after)? {
        disk.exchange(staged, place)?;
    }
    Err(why)
}

/// Take a file out of its place; it is removed when all is done.
pub(super) fn set_aside(disk: &Disk, place: &Path, aside: &Path, before: &[u8]) -> io::Result<()> {
    disk.rename_new(place, aside)?;
    if disk.holds(aside, before)? {
        return Ok(());
    }
    // Where there is a newer one by now, that one stays.
    let _ = disk.rename_new(aside, place);
    Err(changed())
}

/// All is done, so what was there before may go, unless somebody wrote into it: that goes back, and the
/// change with it.
fn let_go(disk: &Disk, file: &Ready<'_>, staged: &Path, old: Old) -> io::Result<()> {
    let why = match old {
        Old::Gone => return Ok(()),
        Old::Same => return disk.remove(staged),
        Old::Changed => changed(),
        Old::HeldOpen => held_open(),
    };
    match (file.change.sides().1, &file.from) {
        (Some(after), None) => give_back(disk, staged, &file.place.path, after, why),
        (_, from) => {
            let place = &from.as_ref().unwrap_or(&file.place).path;
            disk.rename_new(staged, place)?;
            Err(why)
        }
    }
}

/// What was written must be there, as a reader from now on will find it.
fn read_back(project: &Project, disk: &Disk, file: &Ready<'_>) -> io::Result<()> {
    let now = place::locate(project, &file.change.path).map_err(|e| io::Error::other(e.message))?;
    let is_there = match &file.change.content {
        Content::Replaced { after: None, .. } => now.meta.is_none(),
        Content::Replaced { after: Some(after), .. } => {
            now.path == file.place.path && disk.holds(&now.path, after)?
        }
        Content::Kept => now.meta.is_some(),
    };
    if is_there { Ok(()) } else { Err(io::Error::other("it is not on disk as it was written")) }
}

/// An error of the disk, told so that a reader without a debugger knows what to do.
pub(super) fn failed(path: &str, error: &io::Error) -> ToolError {
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        _ => error.to_string(),
    };
    ToolError::new(ErrorKind::ToolFailed, format!("{path} could not be written: {why}"))
        .detail("path", path)
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room and call again",
        io::ErrorKind::PermissionDenied => {
            "close programs that hold the file, or make its folder writable"
        }
        _ => "call again",
    }
}
