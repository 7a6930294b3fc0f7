//! The changes that were made, kept so that they can be taken back: in the user's state folder, or
//! in the project where there is none.

#![expect(
    clippy::disallowed_methods,
    reason = "the journal is the door's own, outside the project"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::disk::Disk;
use super::hot::Hot;
use super::record::{self, MAX_BYTES, Record, UndoId, hex};

/// Older changes than so many are forgotten.
const MAX_RECORDS: usize = 50;
/// The ending of a change that is complete.
const ENDING: &str = ".done";

/// The records of one project.
#[derive(Debug)]
pub(super) struct Journal {
    /// Where they belong, if there is such a place.
    state: Option<PathBuf>,
    /// Where they go otherwise.
    project: PathBuf,
    root: String,
}

impl Journal {
    /// The journal of the project at `root`, below `state`. Nothing is made before something is
    /// written.
    pub(super) fn new(state: Option<&Path>, root: &Path, hot: &Hot) -> Self {
        let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
        Self {
            state: state.map(|state| state.join(format!("undo-{}", &name[..16]))),
            project: hot.folder.clone(),
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()).to_string_lossy().into(),
        }
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.state.iter().chain([&self.project]).map(PathBuf::as_path)
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
        disk.rename(&from, &file(&self.project, id))
    }

    /// Every change, newest first.
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
        Ok(list)
    }

    /// The JSON part of a record of this project.
    pub(super) fn head(&self, id: UndoId) -> io::Result<Record> {
        let path = self.path(id);
        self.own(&path, Record::open(&path)?.0)
    }

    /// A whole record of this project, with the kept bytes of each file.
    pub(super) fn read(&self, id: UndoId) -> io::Result<(Record, Vec<Vec<u8>>)> {
        let path = self.path(id);
        let (record, kept) = Record::read(&path)?;
        Ok((self.own(&path, record)?, kept))
    }

    /// What lies in the project is the project's, wherever it is mounted or moved to.
    fn own(&self, path: &Path, record: Record) -> io::Result<Record> {
        match record.root == self.root || path.starts_with(&self.project) {
            true => Ok(record),
            false => Err(io::Error::other("the record is of another project")),
        }
    }

    /// Forget the oldest changes beyond the bounds. The newest is always kept. What takes a change
    /// back is kept beside it and takes no other's place: otherwise who undoes one after the other
    /// would forget the next with each.
    pub(super) fn prune(&self) {
        let Ok(list) = self.list() else { return };
        let may_be_many = list.len() > MAX_RECORDS;
        let is_undo = |id| self.head(id).is_ok_and(|record| record.undoes.is_some());
        let (mut bytes, mut changes) = (0_u64, 0);
        for (newer, id) in list.into_iter().enumerate() {
            let path = self.path(id);
            bytes = bytes.saturating_add(fs::metadata(&path).map_or(0, |meta| meta.len()));
            changes += usize::from(!(may_be_many && is_undo(id)));
            let is_old = changes > MAX_RECORDS || newer >= 2 * MAX_RECORDS;
            if newer > 0 && (is_old || bytes > MAX_BYTES) {
                // One that stays is only forgotten later.
                let _ = fs::remove_file(path);
            }
        }
    }

    fn path(&self, id: UndoId) -> PathBuf {
        let mut paths = self.folders().map(|folder| file(folder, id));
        paths.find(|path| path.exists()).unwrap_or_else(|| file(&self.project, id))
    }
}

fn file(folder: &Path, id: UndoId) -> PathBuf {
    folder.join(format!("{id:08}{ENDING}"))
}
