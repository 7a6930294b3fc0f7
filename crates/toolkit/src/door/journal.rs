//! The changes that were made, kept so that they can be taken back: in the user's state folder, or
//! in the project where there is none.

#![expect(
    clippy::disallowed_methods,
    reason = "the journal is the door's own, outside the project"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use scenewright_text::proof::hex;
use sha2::{Digest, Sha256};

use super::disk::Disk;
use super::hot::Hot;
use super::key::Key;
use super::record::{self, Flaw, MAX_BYTES, Record, UndoId};

/// Older changes than so many are forgotten.
const MAX_RECORDS: usize = 50;
/// The ending of a change that is complete.
pub(super) const ENDING: &str = ".done";

/// The records of one project.
#[derive(Debug)]
pub(super) struct Journal {
    /// Where they belong, if there is such a place.
    state: Option<PathBuf>,
    /// Where they go otherwise.
    project: Hot,
}

impl Journal {
    /// The journal of the project at `root`, below `state`. Nothing is made before something is
    /// written.
    pub(super) fn new(state: Option<&Path>, root: &Path, hot: &Hot) -> Self {
        let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
        Self {
            state: state.map(|state| state.join(format!("undo-{}", &name[..16]))),
            project: hot.clone(),
        }
    }

    /// Where records may be; those of the state folder come first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let project = self.project.is_folder().then_some(&self.project.folder);
        self.state.iter().chain(project).map(PathBuf::as_path)
    }

    /// Take in the record of a change that is complete. It need not outlast a power cut: an intent
    /// whose files are all as they should be is complete, too.
    pub(super) fn finish(&self, disk: &Disk, hot: &Hot, id: UndoId) -> io::Result<()> {
        let from = hot.path(id);
        if let Some(state) = &self.state
            && scenewright_text::private::make_folders(state)
                .and_then(|()| disk.carry(&from, &file(state, id)))
                .is_ok()
        {
            return Ok(());
        }
        disk.rename(&from, &file(&self.project.folder, id))
    }

    /// Every change, newest first. Nothing shows yet that they are ours.
    pub(super) fn list(&self) -> io::Result<Vec<UndoId>> {
        let mut list = Vec::new();
        for folder in self.folders() {
            match record::list(folder, ENDING) {
                Ok(more) => list.extend(more),
                // Another user's home says nothing about this project.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                Err(error) => return Err(error),
            }
        }
        list.sort_by_key(|id| std::cmp::Reverse(*id));
        // One that is in both folders is read from the first.
        list.dedup();
        Ok(list)
    }

    /// Whether there is anything with the name of this change.
    pub(super) fn has(&self, id: UndoId) -> bool {
        self.folders().any(|folder| is_there(&file(folder, id)))
    }

    /// What a change is about.
    pub(super) fn head(&self, id: UndoId, keys: &[Key]) -> Result<Record, Flaw> {
        Record::head(&self.path(id), id, keys)
    }

    /// The same, with the kept bytes of each file.
    pub(super) fn read(&self, id: UndoId, keys: &[Key]) -> Result<(Record, Vec<Vec<u8>>), Flaw> {
        Record::read(&self.path(id), id, keys)
    }

    /// Forget the oldest changes beyond the bounds. The newest is always kept, and so is what is not ours.
    /// What takes a change back is kept beside it and takes no other's place: otherwise who undoes one
    /// after the other would forget the next with each.
    pub(super) fn prune(&self, keys: impl FnOnce() -> Vec<Key>) {
        let Ok(list) = self.list() else { return };
        let size = |id| fs::symlink_metadata(self.path(id)).map_or(0, |meta| meta.len());
        let all = list.iter().fold(0_u64, |sum, id| sum.saturating_add(size(*id)));
        if list.len() <= MAX_RECORDS && all <= MAX_BYTES {
            return;
        }
        let keys = keys();
        let own = list.into_iter().filter_map(|id| Some((id, self.head(id, &keys).ok()?)));
        let (mut bytes, mut changes) = (0_u64, 0);
        for (newer, (id, record)) in own.enumerate() {
            bytes = bytes.saturating_add(size(id));
            changes += usize::from(record.undoes.is_none());
            let is_old = changes > MAX_RECORDS || newer >= 2 * MAX_RECORDS;
            if newer > 0 && (is_old || bytes > MAX_BYTES) {
                // One that stays is only forgotten later.
                let _ = fs::remove_file(self.path(id));
            }
        }
    }

    fn path(&self, id: UndoId) -> PathBuf {
        let mut paths = self.folders().map(|folder| file(folder, id));
        paths.find(|path| is_there(path)).unwrap_or_else(|| file(&self.project.folder, id))
    }
}

/// A link that leads nowhere is there, too.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn file(folder: &Path, id: UndoId) -> PathBuf {
    folder.join(record::name(id, ENDING))
}
