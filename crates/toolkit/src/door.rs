//! The one door for writes: plan, diff, apply, verify, undo.
//!
//! A tool says in a [`Plan`] what it wants to change, with the bytes it read. [`Plan::commit`] refuses
//! when a file is no longer as it was read, writes everything or nothing, reads it back, and keeps
//! what is needed to [`undo`] it. What tools tell about it is always a [`Written`].

mod apply;
mod check;
mod disk;
#[cfg(test)]
mod faults;
mod hot;
mod journal;
mod key;
mod os;
mod place;
mod record;
mod report;
mod set_aside;
mod settle;
mod stage;
#[cfg(test)]
mod tests;
mod turn;
mod undo;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use scenewright_contract::consent::Planned;
use scenewright_contract::{Cancel, ErrorKind, ToolError};
use scenewright_text::Edits;

use crate::audit::{Audit, Found};
use crate::{Cx, Project};

pub use crate::paths::ProjectPath;
pub(crate) use hot::FOLDER;
pub use record::UndoId;
pub use report::{Action, FileChange, Written};
pub use set_aside::set_aside;
pub use stage::Stage;
pub(crate) use turn::Turn;
pub use undo::{HistoryEntry, HistoryFile, history, undo};

/// Larger files are not read for a change.
const MAX_FILE: u64 = 256 << 20;

/// What a project needs to be written: a turn, a journal, and a disk.
#[derive(Debug)]
pub struct Door {
    queue: Arc<turn::Queue>,
    hot: hot::Hot,
    journal: journal::Journal,
    keys: key::Keys,
    disk: disk::Disk,
    /// The newest change that the index knows of.
    seen: AtomicU64,
    /// Held from the first file that is touched until the index knows of all.
    writing: Mutex<()>,
    /// What was said about records that are left alone; once is enough.
    said: Mutex<HashSet<String>>,
}

impl Door {
    /// The door of the project at `root`, with its history below `state`.
    pub fn new(state: Option<&Path>, root: &Path) -> Self {
        let hot = hot::Hot::new(root);
        let journal = journal::Journal::new(state, root, &hot);
        let keys = key::Keys::new(state, root);
        let known = keys.known();
        let list = journal.list().unwrap_or_default();
        let newest = list.into_iter().find(|id| journal.head(*id, &known).is_ok());
        Self {
            queue: Arc::default(),
            hot,
            journal,
            keys,
            disk: disk::Disk::below(root),
            seen: newest.map_or(0, |id| id.0).into(),
            writing: Mutex::default(),
            said: Mutex::default(),
        }
    }

    /// Wait until no change of this process is halfway. Who looks at its files before that looks in vain.
    pub(crate) fn wait(&self) {
        drop(self.writing.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The number of the change that comes next. Whoever has the turn has seen all others. What is not
    /// proven has no say in it, but keeps its name.
    fn next_id(&self, keys: &[key::Key]) -> std::io::Result<UndoId> {
        let pending = self.hot.pending()?;
        let pending = pending.into_iter().find(|id| self.hot.head(*id, keys).is_ok());
        let seen = UndoId(self.seen.load(Ordering::Relaxed));
        let mut next = pending.map_or(seen, |id| id.max(seen)).next();
        while let Some(id) = next {
            if !self.journal.has(id) && std::fs::symlink_metadata(self.hot.path(id)).is_err() {
                return Ok(id);
            }
            next = id.next();
        }
        Err(std::io::Error::other("there are no more numbers for changes"))
    }

    /// Those sentences that were not said before.
    fn unsaid(&self, sentences: Vec<String>) -> Vec<String> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        sentences.into_iter().filter(|text| said.insert(text.clone())).collect()
    }
}

/// What a tool wants to change. The bytes it read are borrowed, not copied.
///
/// ```no_run
/// # use scenewright_toolkit::{Cx, Project, door::{Plan, ProjectPath, Written, read}};
/// # use scenewright_contract::ToolError;
/// # fn example(cx: &Cx, project: &Project, dry_run: bool) -> Result<Written, ToolError> {
/// let path = ProjectPath::parse(project, "Assets/notes.txt")?;
/// let bytes = read(cx, project, &path)?;
/// let mut edits = scenewright_text::Edits::default();
/// edits.insert(0, "Read me first.\n");
/// let mut plan = Plan::new(project);
/// plan.edit(&path, &bytes, &edits)?;
/// plan.commit(cx, dry_run, |_, bytes| std::str::from_utf8(bytes).map(drop).map_err(|e| e.to_string()))
/// # }
/// ```
pub struct Plan<'a> {
    project: &'a Project,
    changes: Vec<Change<'a>>,
    /// Folders to be there in the end.
    folders: Vec<ProjectPath>,
    /// Of those, the ones to make; known once the plan is checked.
    missing: Vec<PathBuf>,
    /// Folders that go if they are empty in the end.
    emptied: Vec<ProjectPath>,
    undoes: Option<UndoId>,
}

/// What happens to one file.
struct Change<'a> {
    /// Where it is afterwards; where it was, if it goes.
    path: ProjectPath,
    /// Where it was, if it moves.
    from: Option<ProjectPath>,
    content: Content<'a>,
    /// Permission bits for a file that comes back.
    mode: Option<u32>,
}

enum Content<'a> {
    /// It moves unread.
    Kept,
    /// Nothing before: the file must not exist. Nothing after: it goes.
    Replaced { before: Option<Cow<'a, [u8]>>, after: Option<Cow<'a, [u8]>> },
}

impl Change<'_> {
    fn sides(&self) -> (Option<&[u8]>, Option<&[u8]>) {
        match &self.content {
            Content::Kept => (None, None),
            Content::Replaced { before, after } => (before.as_deref(), after.as_deref()),
        }
    }

    fn planned(&self) -> Planned<'_> {
        let (before, after) = self.sides();
        let from = self.from.as_ref().map(ProjectPath::as_str);
        let kept = matches!(self.content, Content::Kept);
        Planned { path: self.path.as_str(), from, kept, before, after }
    }
}

impl<'a> Plan<'a> {
    /// A plan for one project, so far without changes.
    pub fn new(project: &'a Project) -> Self {
        Self {
            project,
            changes: Vec::new(),
            folders: Vec::new(),
            missing: Vec::new(),
            emptied: Vec::new(),
            undoes: None,
        }
    }

    /// Give a file new content. `before` is what was read; none means that it must not exist yet.
    /// After [`Plan::rename`] this is about the file at its new place.
    pub fn write(
        &mut self,
        path: &ProjectPath,
        before: Option<&'a [u8]>,
        after: impl Into<Cow<'a, [u8]>>,
    ) {
        self.replace(path, before.map(Cow::Borrowed), Some(after.into()));
    }

    /// Edit a file of which `before` was read.
    pub fn edit(
        &mut self,
        path: &ProjectPath,
        before: &'a [u8],
        edits: &Edits,
    ) -> Result<(), ToolError> {
        let after = edits.apply(before).map_err(|error| {
            ToolError::new(ErrorKind::Internal, format!("{path} cannot be edited: {error}"))
        })?;
        self.write(path, Some(before), after);
        Ok(())
    }

    /// Move a file, whatever is in it. Nothing may be at the new place.
    pub fn rename(&mut self, from: &ProjectPath, to: &ProjectPath) {
        let (path, from) = (to.clone(), Some(from.clone()));
        self.changes.push(Change { path, from, content: Content::Kept, mode: None });
    }

    /// Remove a file of which `before` was read.
    pub fn remove(&mut self, path: &ProjectPath, before: &'a [u8]) {
        self.replace(path, Some(Cow::Borrowed(before)), None);
    }

    /// Have a folder in the end. The folders of files come by themselves.
    pub fn create_folder(&mut self, path: &ProjectPath) {
        self.folders.push(path.clone());
    }

    /// Remove a folder if nothing is in it in the end.
    pub fn remove_folder(&mut self, path: &ProjectPath) {
        self.emptied.push(path.clone());
    }

    fn replace_owned(
        &mut self,
        path: &ProjectPath,
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    ) {
        if before.is_some() || after.is_some() {
            self.replace(path, before.map(Cow::Owned), after.map(Cow::Owned));
        }
    }

    fn replace(
        &mut self,
        path: &ProjectPath,
        before: Option<Cow<'a, [u8]>>,
        after: Option<Cow<'a, [u8]>>,
    ) {
        let content = Content::Replaced { before, after };
        let moved = self.changes.iter_mut().find(|change| {
            change.path == *path && change.from.is_some() && matches!(change.content, Content::Kept)
        });
        match moved {
            Some(change) => change.content = content,
            None => {
                self.changes.push(Change { path: path.clone(), from: None, content, mode: None });
            }
        }
    }

    /// Do it: all of it, or nothing. `check` is asked about every new content before anything is
    /// written; what is written is read back and compared, so its word holds for the disk, too. In
    /// a dry run the answer is the same, and nothing is written.
    pub fn commit(
        mut self,
        cx: &Cx,
        dry_run: bool,
        check: impl Fn(&ProjectPath, &[u8]) -> Result<(), String>,
    ) -> Result<Written, ToolError> {
        self.drop_unchanged();
        self.check_paths()?;
        let protected = cx.protected(self.project)?;
        self.check_protected(&protected)?;
        for change in &self.changes {
            let Some(after) = change.sides().1 else { continue };
            check(&change.path, after).map_err(|why| spoiled(&change.path, &why))?;
        }
        if let Some(stage) = cx.stage().filter(|_| !dry_run) {
            return stage.take(&self, cx.diffs());
        }
        if !dry_run {
            cx.turn(self.project)?;
        }
        self.project.engine.before_write(&self.touched())?;
        self.missing = self.missing_folders()?;
        let files = self.ready()?;
        self.check_places(&protected, &files)?;
        let mut written = report::written(&files, dry_run, cx.diffs());
        if !files.is_empty() {
            cx.tell_if_open(self.project);
        }
        if files.is_empty() && self.missing.is_empty() && self.emptied.is_empty() {
            return Ok(written);
        }
        self.is_seen(cx)?;
        if dry_run {
            return Ok(written);
        }
        cx.check_cancelled()?;
        written.undo = Some(self.write_and_tell(cx, &files)?);
        Ok(written)
    }

    /// Write what was checked, and let all who follow the project know.
    fn write_and_tell(&self, cx: &Cx, files: &[apply::Ready<'_>]) -> Result<UndoId, ToolError> {
        let door = &self.project.door;
        let writing = door.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let id = apply::apply(self, cx.tool(), files)?;
        door.seen.fetch_max(id.0, Ordering::Relaxed);
        door.journal.prune(|| door.keys.known());
        tell(self);
        drop(writing);
        cx.changed(files.iter().map(|file| file.change.path.to_string()));
        if let Some(said) = self.project.engine.after_write(&self.touched()) {
            cx.diagnose(said);
        }
        Ok(id)
    }

    /// What the plan would tell, when somebody else is to carry it out.
    pub fn told(&self, cx: &Cx) -> Result<Written, ToolError> {
        self.check_protected(&cx.protected(self.project)?)?;
        self.is_seen(cx)?;
        Ok(report::staged(&self.changes, cx.diffs()))
    }

    /// Who watches the call for a person sees what is to change, and may stop it.
    fn is_seen(&self, cx: &Cx) -> Result<(), ToolError> {
        let Some(witness) = cx.witness() else { return Ok(()) };
        let files: Vec<Planned<'_>> = self.changes.iter().map(Change::planned).collect();
        let there = self.folders.iter().map(|folder| (folder.as_str(), true));
        let gone = self.emptied.iter().map(|folder| (folder.as_str(), false));
        let folders: Vec<(&str, bool)> = there.chain(gone).collect();
        witness.sees(&self.project.root, &files, &folders)
    }

    /// Every file that is written, moved or removed.
    fn touched(&self) -> Vec<String> {
        let both = |change: &Change<'_>| {
            [Some(change.path.to_string()), change.from.as_ref().map(ToString::to_string)]
        };
        self.changes.iter().flat_map(both).flatten().collect()
    }

    /// A content that stays the same is no change.
    fn drop_unchanged(&mut self) {
        self.changes.retain(|change| {
            let (before, after) = change.sides();
            change.from.is_some() || before != after
        });
    }
}

fn spoiled(path: &ProjectPath, why: &str) -> ToolError {
    ToolError::failed(format!("{path} would not be readable any more: {why}"))
        .hint("nothing was changed; this is a defect in scenewright or an unusual file, please report it")
        .detail("path", path.as_str())
}

/// The right to write a project, and what was found on the way to it, in sentences.
pub(crate) struct Taken {
    pub(crate) turn: Turn,
    /// What was interrupted and is in order again.
    pub(crate) settled: Vec<String>,
    /// What is left alone and was not named before.
    pub(crate) set_aside: Vec<String>,
}

/// Wait until nobody else writes this project, here or in another process; then see to it that the
/// project is whole and its index knows what others did.
pub(crate) fn take_turn(project: &Project, cancel: &Cancel) -> Result<Taken, ToolError> {
    let door = &project.door;
    let turn = turn::take(&door.queue, &door.hot, cancel).map_err(|error| match error.kind() {
        std::io::ErrorKind::Interrupted => ToolError::cancelled(),
        std::io::ErrorKind::WouldBlock => {
            ToolError::failed("another call or program is writing this project")
                .hint("nothing was changed; call again")
        }
        _ => no_journal(&error),
    })?;
    let keys = door.keys.known();
    let settled = settle::settle_interrupted(project, &door.disk, &keys);
    follow(project, &keys).map_err(|error| no_journal(&error))?;
    let set_aside = door.unsaid(set_aside::pending(project, &keys));
    Ok(Taken { turn, settled, set_aside })
}

fn no_journal(error: &std::io::Error) -> ToolError {
    apply::failed("the undo journal", error).hint(format!(
        "nothing was changed; scenewright keeps it in {FOLDER} in the project while it writes, so it \
         must be able to write there"
    ))
}

/// Let the index know what other processes changed through their doors.
fn follow(project: &Project, keys: &[key::Key]) -> std::io::Result<()> {
    let door = &project.door;
    let seen = door.seen.load(Ordering::Relaxed);
    let newer = door.journal.list()?.into_iter().take_while(|id| id.0 > seen);
    let records: Vec<(UndoId, record::Record)> =
        newer.filter_map(|id| Some((id, door.journal.head(id, keys).ok()?))).collect();
    let Some((newest, _)) = records.first() else { return Ok(()) };
    let newest = newest.0;
    let names = records.into_iter().flat_map(|(_, record)| {
        let files = record.files.into_iter().flat_map(|file| [Some(file.path), file.from]);
        files.flatten().chain(record.folders).chain(record.removed).collect::<Vec<_>>()
    });
    let paths: Vec<PathBuf> = names.map(|name| place::below(&project.root, &name)).collect();
    if !paths.is_empty() {
        project.refresh(&paths);
    }
    door.seen.fetch_max(newest, Ordering::Relaxed);
    Ok(())
}

/// The index learns of a change at once, not when the watcher comes round.
fn tell(plan: &Plan<'_>) {
    let files = plan.changes.iter().flat_map(|change| [Some(&change.path), change.from.as_ref()]);
    let names = files.flatten().chain(&plan.folders).chain(&plan.emptied);
    let paths: Vec<PathBuf> = names.map(|name| plan.project.root.join(name.as_str())).collect();
    plan.project.refresh(&paths);
}

/// Read a file of the project that a plan is to change.
pub fn read(cx: &Cx, project: &Project, path: &ProjectPath) -> Result<Vec<u8>, ToolError> {
    // What a change is planned on must not change before it is made.
    if cx.writes() {
        cx.turn(project)?;
    }
    let found = match cx.stage().and_then(|stage| stage.read(project, path)) {
        Some(staged) => staged,
        None => disk_read(project, path)?,
    };
    found.ok_or_else(|| {
        ToolError::not_found("file", path.as_str()).hint("project_listFiles shows what is there")
    })
}

/// The content of a file that waits in a batch; none when it is as on the disk, or gone.
pub fn staged(cx: &Cx, project: &Project, path: &ProjectPath) -> Option<Vec<u8>> {
    cx.stage().and_then(|stage| stage.read(project, path)).flatten()
}

/// The files of a project that wait in a batch, and whether each will be there.
pub fn staged_paths(cx: &Cx, project: &Project) -> Vec<(ProjectPath, bool)> {
    cx.stage().map(|stage| stage.paths(project)).unwrap_or_default()
}

/// Whether a batch will have made a folder, or emptied it; nothing where it leaves it as it is.
pub fn staged_folder(cx: &Cx, project: &Project, path: &ProjectPath) -> Option<bool> {
    cx.stage().and_then(|stage| stage.folder(project, path))
}

/// The files of a project that wait in a batch, with the content that each will have; nothing where
/// one will be gone.
pub fn planned(cx: &Cx, project: &Project) -> BTreeMap<String, Option<Vec<u8>>> {
    let paths = staged_paths(cx, project).into_iter();
    paths.map(|(path, _)| (path.to_string(), staged(cx, project, &path))).collect()
}

/// Whether there is such a file.
pub fn exists(cx: &Cx, project: &Project, path: &ProjectPath) -> bool {
    match cx.stage().and_then(|stage| stage.read(project, path)) {
        Some(staged) => staged.is_some(),
        None => place::locate(project, path).is_ok_and(|place| place.meta.is_some()),
    }
}

fn disk_read(project: &Project, path: &ProjectPath) -> Result<Option<Vec<u8>>, ToolError> {
    let place = place::locate(project, path)?;
    if place.meta.is_none() {
        return Ok(None);
    }
    project.door.disk.read(&place.path, MAX_FILE).map(Some).map_err(|error| {
        ToolError::new(ErrorKind::EngineError, format!("{path} cannot be read: {error}"))
            .detail("path", path.as_str())
    })
}

/// Put a record of any content into a project, proven like those of its user. For fuzzing: what stands behind a proof is
/// believed no further than it has to be.
#[doc(hidden)]
pub fn plant(project: &Project, ending: &str, head: &[u8], kept: &[u8]) -> std::io::Result<()> {
    let key = project.door.keys.own()?;
    let id = UndoId(1);
    let folder = &project.door.hot.folder;
    scenewright_text::private::make_folders(folder)?;
    let bytes = record::proven(head, &[kept], id, &key);
    scenewright_text::write_whole(&folder.join(format!("{id:08}.{ending}")), bytes)
}

/// Look after changes that an earlier run left half done: put them back, or only say so when this
/// server may not write. What is not proven to be ours is named and left alone.
pub fn look_after(projects: &[Arc<Project>], allow_writes: bool, audit: Option<&Audit>) {
    for project in projects {
        let (door, id) = (&project.door, &project.id);
        let note = |event, texts: Vec<String>| {
            for text in texts {
                tracing::warn!(project = %id, "{text}");
                audit.inspect(|audit| audit.found(event, id, &text));
            }
        };
        note(Found::SetAside, door.unsaid(set_aside(project)));
        let keys = door.keys.known();
        let is_ours = |id| !matches!(door.hot.head(id, &keys), Err(record::Flaw::Doubted(_)));
        if !door.hot.pending().is_ok_and(|pending| pending.into_iter().any(is_ours)) {
            continue;
        }
        if !allow_writes {
            tracing::warn!(project = %id, "a change was interrupted; --allow-writes puts it back");
            continue;
        }
        match take_turn(project, &Cancel::default()) {
            Ok(taken) => {
                note(Found::Settled, taken.settled);
                note(Found::SetAside, taken.set_aside);
            }
            Err(error) => tracing::warn!(project = %id, %error, "a change may be half done"),
        }
    }
}
