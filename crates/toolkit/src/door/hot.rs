//! What lies in a project while it is being written: the lock, and the record of a change that is
//! under way.
//!
//! They lie in the project so that whoever comes after an interruption finds them, also without a home
//! folder: who made the change settles it, and others name it. The folder goes again when nothing is
//! pending. Others can put things there, too: only files are opened, and only what is proven is believed.

#![expect(clippy::disallowed_methods, reason = "the folder is the door's own")]

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use scenewright_text::regular;

use super::disk::Disk;
use super::key::Key;
use super::os::Access;
use super::record::{self, Flaw, Record, UndoId};

/// The folder's name, at the project's root.
pub(crate) const FOLDER: &str = ".scenewright";
/// The ending of a change that is under way, or was interrupted.
pub(super) const ENDING: &str = ".intent";
const LOCK: &str = "lock";
const IGNORE: &str = ".gitignore";

/// The folder in a project.
#[derive(Debug, Clone)]
pub(super) struct Hot {
    pub(super) folder: PathBuf,
}

/// How a file of the folder may be had.
enum Lock {
    Held(File),
    /// Somebody else has it, or its file has just gone.
    Busy,
}

impl Hot {
    pub(super) fn new(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self { folder: root.join(FOLDER) }
    }

    /// The right to write the project, if nobody has it now. It ends with the file, also when the
    /// process does.
    pub(super) fn try_lock(&self) -> io::Result<Option<File>> {
        match self.make().and_then(|()| self.lock_file()) {
            Ok(Lock::Held(file)) => Ok(Some(file)),
            Ok(Lock::Busy) => Ok(None),
            // Whoever wrote last has just taken the folder away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn lock_file(&self) -> io::Result<Lock> {
        let path = self.folder.join(LOCK);
        let file = match regular::open_or_make(&path) {
            // Another user's; a lock needs no right to write.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => regular::open(&path)?,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return Err(io::Error::other(format!("{}: {error}", path.display())));
            }
            file => file?,
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(Lock::Busy),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        // A lock on a file that is no longer there keeps nobody out.
        let is_there = Handle::from_file(file.try_clone()?)? == Handle::from_path(&path)?;
        Ok(if is_there { Lock::Held(file) } else { Lock::Busy })
    }

    /// Have the folder, with a word to version control that it is not theirs.
    fn make(&self) -> io::Result<()> {
        match fs::create_dir(&self.folder) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Whoever wrote last may have taken it away since; then it is not there to be something else.
                if !fs::symlink_metadata(&self.folder)?.is_dir() {
                    return Err(io::Error::other(format!("{FOLDER} in the project is no folder")));
                }
            }
            Err(error) => return Err(error),
        }
        let ignore = self.folder.join(IGNORE);
        let written = File::create_new(ignore).and_then(|mut file| file.write_all(b"*\n"));
        match written {
            // It is there, or the folder has just gone.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            written => written,
        }
    }

    /// Whether it is there. A link would lead records to and from wherever somebody wants them.
    pub(super) fn is_folder(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir())
    }

    /// Take the folder away if nothing is pending. The caller holds the lock.
    pub(super) fn tidy(&self) {
        let own = |name: &str| name == LOCK || name == IGNORE;
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        if entries.flatten().any(|entry| !entry.file_name().to_str().is_some_and(own)) {
            return;
        }
        for name in [IGNORE, LOCK] {
            let _ = fs::remove_file(self.folder.join(name));
        }
        // It stays when another writer has come meanwhile.
        let _ = fs::remove_dir(&self.folder);
    }

    /// Keep a change before it is made. `durable` when it must outlast a power cut: what is one
    /// rename needs no record to be whole.
    pub(super) fn begin(
        &self,
        disk: &Disk,
        (id, key): (UndoId, &Key),
        record: &Record,
        kept: &[&[u8]],
        durable: bool,
    ) -> io::Result<()> {
        let bytes = record.to_bytes(kept, id, key)?;
        let path = self.path(id);
        // Nobody may read in it what they may not read in the project.
        let modes = record.files.iter().filter_map(|file| file.mode);
        let access = modes.reduce(|all, mode| all & mode);
        let access = access.and_then(|mode| Access::from_mode(mode & 0o666 | 0o600));
        let written = disk.write_new(&path, &bytes, access.as_ref(), durable).and_then(|()| {
            if !durable {
                return Ok(());
            }
            disk.sync_folder(&self.folder)?;
            self.folder.parent().map_or(Ok(()), |root| disk.sync_folder(root))
        });
        // Nothing has been touched yet, so the record says nothing. What was there before is not ours.
        if written.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::AlreadyExists) {
            let _ = fs::remove_file(&path);
        }
        written
    }

    /// The change was not made after all.
    pub(super) fn forget(&self, disk: &Disk, id: UndoId) -> io::Result<()> {
        disk.remove(&self.path(id))
    }

    /// The changes that are under way or were interrupted, newest first. Nothing shows yet that they
    /// are ours.
    pub(super) fn pending(&self) -> io::Result<Vec<UndoId>> {
        if self.is_folder() { record::list(&self.folder, ENDING) } else { Ok(Vec::new()) }
    }

    /// What a pending change is about.
    pub(super) fn head(&self, id: UndoId, keys: &[Key]) -> Result<Record, Flaw> {
        Record::head(&self.path(id), id, keys)
    }

    /// A pending change, with the kept bytes of each file.
    pub(super) fn read(&self, id: UndoId, keys: &[Key]) -> Result<(Record, Vec<Vec<u8>>), Flaw> {
        Record::read(&self.path(id), id, keys)
    }

    pub(super) fn path(&self, id: UndoId) -> PathBuf {
        self.folder.join(record::name(id, ENDING))
    }
}
