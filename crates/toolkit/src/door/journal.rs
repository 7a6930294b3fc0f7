//! What was written, kept outside the project so that it can be taken back.
//!
//! One file per change: a line of JSON, then the bytes that the change took away. It is written
//! before the project is touched, under the ending `.intent`; when all is done it is renamed to
//! `.done`. An intent that is found later is a change that was interrupted.

#![expect(
    clippy::disallowed_methods,
    reason = "the journal is the door's own, outside the project"
)]

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::Cancel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::disk::Disk;

/// Older changes than so many are forgotten.
const MAX_RECORDS: usize = 50;
/// The oldest changes are forgotten when all together take more.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// The JSON line of a record is never longer.
const MAX_HEAD: u64 = 16 << 20;
/// How long a writer waits for another one, in this process or another.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// The form of the files; others are passed over.
const FORMAT: u32 = 1;

/// The number of a change, rising with time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct UndoId(pub u64);

impl std::fmt::Display for UndoId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One change: all that is needed to take it back, except the bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    format: u32,
    pub(super) root: String,
    pub(super) unix_ms: u64,
    pub(super) tool: String,
    /// The change that this one took back.
    pub(super) undoes: Option<UndoId>,
    /// Folders that were made, outermost first, from the root.
    pub(super) folders: Vec<String>,
    /// Folders that went with their last file, innermost first, from the root.
    pub(super) removed: Vec<String>,
    /// Temporary files, from the root; after an interruption they may still be there.
    pub(super) staged: Vec<String>,
    pub(super) files: Vec<FileRecord>,
}

/// What happened to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// Where it is now, or where it was if it is gone.
    pub(super) path: String,
    /// Where it was, if it moved.
    pub(super) from: Option<String>,
    /// What was there; nothing when the file was made, or moved unread.
    pub(super) before: Option<Stamp>,
    /// What is there now; nothing when the file is gone, or moved unread.
    pub(super) after: Option<Stamp>,
    /// How many bytes at its start and its end are as before; those are not kept twice.
    pub(super) same: (usize, usize),
    /// The Unix permission bits of before.
    pub(super) mode: Option<u32>,
}

/// Enough of a file's content to know it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Stamp {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
    }

    pub(super) fn fits(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() as u64 && *self == Self::of(bytes)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl FileRecord {
    /// How many bytes of before are kept in the record.
    pub(super) fn kept(&self) -> u64 {
        let same = (self.same.0 as u64).saturating_add(self.same.1 as u64);
        self.before.as_ref().map_or(0, |before| before.bytes.saturating_sub(same))
    }

    /// What was there, from what is there now and what was kept. None when they do not fit.
    pub(super) fn rebuild(&self, now: &[u8], kept: &[u8]) -> Option<Vec<u8>> {
        let (start, end) = self.same;
        let tail = now.len().checked_sub(end).filter(|tail| *tail >= start)?;
        let bytes = [&now[..start], kept, &now[tail..]].concat();
        self.before.as_ref()?.fits(&bytes).then_some(bytes)
    }
}

impl Record {
    pub(super) fn new(root: &Path, tool: &str, undoes: Option<UndoId>) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            format: FORMAT,
            root: root.to_string_lossy().into_owned(),
            unix_ms: u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX),
            tool: tool.to_owned(),
            undoes,
            folders: Vec::new(),
            removed: Vec::new(),
            staged: Vec::new(),
            files: Vec::new(),
        }
    }
}

/// How far a change came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It is under way, or was interrupted.
    Intent,
    /// It is complete.
    Done,
}

impl State {
    fn ending(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Done => "done",
        }
    }
}

/// The records of one project.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    /// There is nowhere to keep it, so it goes when the server ends.
    temporary: bool,
}

impl Journal {
    /// The journal of the project at `root`, below `cache`; without that it lasts as long as this
    /// value. Nothing is made before something is written.
    pub(super) fn new(cache: Option<&Path>, root: &Path) -> Self {
        let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
        match cache {
            Some(cache) => {
                Self { folder: cache.join(format!("undo-{}", &name[..16])), temporary: false }
            }
            None => {
                let folder = std::env::temp_dir().join(format!("scenewright-{}", random_name()));
                Self { folder, temporary: true }
            }
        }
    }

    /// Wait until nobody else writes. The lock ends with the file, also when the process does.
    pub(super) fn lock(&self, cancel: &Cancel) -> io::Result<File> {
        make_private(&self.folder)?;
        let path = self.folder.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        let until = Instant::now() + MAX_WAIT;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if Instant::now() > until => {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                Err(TryLockError::WouldBlock) => {}
            }
            if cancel.wait(Duration::from_millis(5)) {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
    }

    /// Keep a change before it is made.
    pub(super) fn begin(&self, disk: &Disk, record: &Record, kept: &[&[u8]]) -> io::Result<UndoId> {
        let last = self.list()?.first().map_or(0, |(id, ..)| id.0);
        let id = UndoId(last + 1);
        let mut bytes = serde_json::to_vec(record)?;
        bytes.push(b'\n');
        kept.iter().for_each(|part| bytes.extend_from_slice(part));
        let path = self.path(id, State::Intent);
        let written = disk.write_new(&path, &bytes, None);
        if let Err(error) = written.and_then(|()| disk.sync_folder(&self.folder)) {
            // Nothing has been touched yet, so the record says nothing.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(id)
    }

    /// The change is complete. It need not outlast a power cut: an intent whose files are all as
    /// they should be is complete, too.
    pub(super) fn finish(&self, disk: &Disk, id: UndoId) -> io::Result<()> {
        disk.rename(&self.path(id, State::Intent), &self.path(id, State::Done))
    }

    /// The change was not made after all.
    pub(super) fn forget(&self, disk: &Disk, id: UndoId) -> io::Result<()> {
        disk.remove(&self.path(id, State::Intent))
    }

    /// Every change with the size of its record, newest first.
    pub(super) fn list(&self) -> io::Result<Vec<(UndoId, State, u64)>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut list = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some((number, ending)) = name.to_str().and_then(|name| name.split_once('.')) else {
                continue;
            };
            let state = [State::Intent, State::Done].into_iter().find(|s| s.ending() == ending);
            let (Ok(number), Some(state)) = (number.parse(), state) else { continue };
            list.push((UndoId(number), state, entry.metadata().map_or(0, |meta| meta.len())));
        }
        list.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
        Ok(list)
    }

    /// The JSON part of a record of this project.
    pub(super) fn head(&self, id: UndoId, state: State, root: &Path) -> io::Result<Record> {
        Ok(self.open(id, state, root)?.0)
    }

    /// A whole record of this project, with the kept bytes of each file.
    pub(super) fn read(
        &self,
        id: UndoId,
        state: State,
        root: &Path,
    ) -> io::Result<(Record, Vec<Vec<u8>>)> {
        let (record, mut rest) = self.open(id, state, root)?;
        let mut kept = Vec::with_capacity(record.files.len());
        for file in &record.files {
            let mut bytes = Vec::new();
            if (&mut rest).take(file.kept().min(MAX_BYTES)).read_to_end(&mut bytes)? as u64
                != file.kept()
            {
                return Err(io::Error::other("the record is incomplete"));
            }
            kept.push(bytes);
        }
        Ok((record, kept))
    }

    fn open(&self, id: UndoId, state: State, root: &Path) -> io::Result<(Record, BufReader<File>)> {
        let mut file = BufReader::new(File::open(self.path(id, state))?);
        let mut line = Vec::new();
        (&mut file).take(MAX_HEAD).read_until(b'\n', &mut line)?;
        let record: Record = serde_json::from_slice(&line)?;
        if record.format != FORMAT || record.root != root.to_string_lossy() {
            return Err(io::Error::other("the record is of another project or version"));
        }
        Ok((record, file))
    }

    /// Forget the oldest changes beyond the bounds. The newest is always kept.
    pub(super) fn prune(&self) {
        let Ok(list) = self.list() else { return };
        let (mut count, mut bytes) = (0, 0_u64);
        for (id, state, size) in list {
            count += 1;
            bytes = bytes.saturating_add(size);
            let beyond = count > MAX_RECORDS || bytes > MAX_BYTES;
            if count > 1 && beyond && state == State::Done {
                // One that stays is only forgotten later.
                let _ = fs::remove_file(self.path(id, state));
            }
        }
    }

    fn path(&self, id: UndoId, state: State) -> PathBuf {
        self.folder.join(format!("{id:08}.{}", state.ending()))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.temporary {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Make a folder that only its owner may look into: it holds parts of projects.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A name that nobody can guess, so that nobody can be there first.
pub(super) fn random_name() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    hex(&bytes)
}
