//! One change as it is kept: a line of JSON, then the bytes that the change took away.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_128;

/// No record keeps more bytes.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// The JSON line of a record is never longer.
const MAX_HEAD: u64 = 16 << 20;
/// The form of the files, which tells contents apart by XXH3; others are passed over.
const FORMAT: u32 = 3;
/// The one before, which had SHA-256 for that.
const WITH_SHA256: u32 = 2;

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
    /// The temporary file beside it: first what comes, then what went. After an interruption it may
    /// still be there.
    pub(super) staged: Option<String>,
}

/// Enough of a file's content to know it again. It is not to withstand somebody who makes another content
/// of the same sum: whoever can do that can write the file as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) bytes: u64,
    #[serde(flatten)]
    sum: Sum,
}

/// What tells two contents of the same size apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sum {
    Xxh3(String),
    /// In records of before.
    Sha256(String),
}

impl Stamp {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let sum = Sum::Xxh3(format!("{:032x}", xxh3_128(bytes)));
        Self { bytes: bytes.len() as u64, sum }
    }

    pub(super) fn fits(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() as u64
            && match &self.sum {
                Sum::Xxh3(_) => *self == Self::of(bytes),
                Sum::Sha256(sum) => *sum == hex(&Sha256::digest(bytes)),
            }
    }
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
            files: Vec::new(),
        }
    }

    /// The record and what it keeps, as they are written.
    pub(super) fn to_bytes(&self, kept: &[&[u8]]) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        kept.iter().for_each(|part| bytes.extend_from_slice(part));
        Ok(bytes)
    }

    /// The JSON part of a record, and what follows it.
    pub(super) fn open(path: &Path) -> io::Result<(Self, BufReader<File>)> {
        let mut file = BufReader::new(File::open(path)?);
        let mut line = Vec::new();
        (&mut file).take(MAX_HEAD).read_until(b'\n', &mut line)?;
        let record: Self = serde_json::from_slice(&line)?;
        match record.format {
            FORMAT | WITH_SHA256 => Ok((record, file)),
            _ => Err(io::Error::other("the record is of another version")),
        }
    }

    /// A whole record, with the kept bytes of each file.
    pub(super) fn read(path: &Path) -> io::Result<(Self, Vec<Vec<u8>>)> {
        let (record, mut rest) = Self::open(path)?;
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
}

/// The records in a folder whose names end so, newest first.
pub(super) fn list(folder: &Path, ending: &str) -> io::Result<Vec<UndoId>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if super::place::is_absent(&error) => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut list = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(ending));
        let Some(Ok(number)) = number.map(str::parse) else { continue };
        list.push(UndoId(number));
    }
    list.sort_by_key(|id| std::cmp::Reverse(*id));
    Ok(list)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
