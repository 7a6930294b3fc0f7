//! One change as it is kept: a line that proves it, a line of JSON, then the bytes that the change took away.
//!
//! Records lie where others can write, so nothing of one is believed before it is proven: by a key that no
//! project has, for one project and one number. The first line says how long the JSON and the bytes are, and what
//! the sum of the bytes is; then come a seal of all that, which tells at once whether the rest is worth reading, and
//! a proof of the JSON with it.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use scenewright_text::proof::{self, hex};
use scenewright_text::regular;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_128;

use super::key::Key;

/// No record keeps more bytes.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// The JSON line of a record is never longer.
const MAX_HEAD: u64 = 16 << 20;
/// A folder of records has fewer entries.
const MAX_ENTRIES: usize = 4096;
/// Clients that keep numbers as JavaScript does lose digits above it.
const MAX_ID: u64 = (1 << 53) - 1;

/// How a record begins, with the form of what follows.
const MAGIC: &[u8] = b"scenewright record 4 ";
/// Of a length, and of a sum.
const LENGTH: usize = 16;
const SUM: usize = 2 * proof::BYTES;
/// Where the seal of the first line begins, and where the line ends.
const SEALED: usize = MAGIC.len() + 2 * (LENGTH + 1) + SUM + 1;
const FIRST_LINE: usize = SEALED + 2 * (SUM + 1);
/// How records began that had no proof.
const UNPROVEN: &[u8] = b"{\"format\":";

/// The number of a change, rising with time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct UndoId(pub u64);

impl UndoId {
    /// The number after this one, while there is one.
    pub(super) fn next(self) -> Option<Self> {
        (self.0 < MAX_ID).then(|| Self(self.0 + 1))
    }
}

impl std::fmt::Display for UndoId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a record is not taken for ours.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// What lies there is no file, or cannot be read.
    Unreadable(String),
    /// Our records have other names.
    Name,
    /// It has the form of an earlier version.
    Earlier,
    /// It is of somebody else, or made up, or of another project or number.
    Unproven,
    /// It is ours, but not as it was.
    Changed,
}

impl Doubt {
    /// What a person can do about it.
    pub(super) fn advice(&self) -> &'static str {
        match self {
            Self::Unreadable(_) | Self::Name => "look at it and move it away",
            Self::Earlier => {
                "compare the project with version control, then delete it: it cannot be undone any more"
            }
            Self::Unproven => {
                "if another user changes this project, that user's next write puts it in order; \
                 otherwise it came with the project, and can be deleted"
            }
            Self::Changed => "compare the project with version control, then delete it",
        }
    }
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreadable(why) => why,
            Self::Name => "our records have other names",
            Self::Earlier => "an earlier version made it, which left no proof",
            Self::Unproven => "no key of this user proves that it is of this project",
            Self::Changed => "it is not as it was written",
        })
    }
}

/// Why there is no record.
#[derive(Debug)]
pub(super) enum Flaw {
    /// There is no such file.
    Gone,
    /// It is ours and breaks off: the process ended, or the power went, while it was written.
    Torn,
    /// It is not taken for ours.
    Doubted(Doubt),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Gone,
            io::ErrorKind::InvalidInput => Self::Doubted(Doubt::Unreadable(error.to_string())),
            _ => Self::Doubted(Doubt::Unreadable(format!("it cannot be read: {error}"))),
        }
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gone => f.write_str("it is gone"),
            Self::Torn => f.write_str("the record is incomplete"),
            Self::Doubted(doubt) => doubt.fmt(f),
        }
    }
}

/// One change: all that is needed to take it back, except the bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The project, for people; that it is this one is proven by other means.
    root: String,
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
    xxh3: String,
}

impl Stamp {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, xxh3: format!("{:032x}", xxh3_128(bytes)) }
    }

    pub(super) fn fits(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() as u64 && *self == Self::of(bytes)
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
    pub(super) fn to_bytes(&self, kept: &[&[u8]], id: UndoId, key: &Key) -> io::Result<Vec<u8>> {
        let mut head = serde_json::to_vec(self)?;
        head.push(b'\n');
        let length = kept.iter().map(|part| part.len() as u64).sum::<u64>();
        if head.len() as u64 > MAX_HEAD || length > MAX_BYTES {
            return Err(io::Error::other("the change is too large to be kept for undo"));
        }
        Ok(proven(&head, kept, id, key))
    }

    /// The JSON part of a record that one of these keys proves to have this number.
    pub(super) fn head(path: &Path, id: UndoId, keys: &[Key]) -> Result<Self, Flaw> {
        Self::open(path, id, keys).map(|open| open.record)
    }

    fn open(path: &Path, id: UndoId, keys: &[Key]) -> Result<Open, Flaw> {
        let file = regular::open(path)?;
        let length = file.metadata()?.len();
        let mut file = BufReader::new(file);
        let mut line = Vec::with_capacity(FIRST_LINE);
        (&mut file).take(FIRST_LINE as u64).read_to_end(&mut line)?;
        let First { key, head, kept, sum, proof } = first_line(&line, id, keys)?;
        match length.cmp(&(FIRST_LINE as u64 + head + kept)) {
            Ordering::Less => return Err(Flaw::Torn),
            Ordering::Greater => return Err(Flaw::Doubted(Doubt::Changed)),
            Ordering::Equal => {}
        }
        let mut json = Vec::new();
        (&mut file).take(head).read_to_end(&mut json)?;
        if !key.proves(id, &[&line[..SEALED], &json], &proof) {
            return Err(Flaw::Doubted(Doubt::Changed));
        }
        let record = serde_json::from_slice(&json).map_err(|_| Flaw::Doubted(Doubt::Changed))?;
        Ok(Open { record, rest: file, kept, sum })
    }

    /// A whole record, with the kept bytes of each file.
    pub(super) fn read(
        path: &Path,
        id: UndoId,
        keys: &[Key],
    ) -> Result<(Self, Vec<Vec<u8>>), Flaw> {
        let Open { record, mut rest, kept: mut room, sum: expected } = Self::open(path, id, keys)?;
        let mut kept = Vec::with_capacity(record.files.len());
        let mut sum = Sha256::new();
        for file in &record.files {
            room = room.checked_sub(file.kept()).ok_or(Flaw::Doubted(Doubt::Changed))?;
            let mut bytes = Vec::new();
            (&mut rest).take(file.kept()).read_to_end(&mut bytes)?;
            sum.update(&bytes);
            kept.push(bytes);
        }
        match room == 0 && hex(&sum.finalize()).as_bytes() == expected {
            true => Ok((record, kept)),
            false => Err(Flaw::Doubted(Doubt::Changed)),
        }
    }
}

/// A record with its proofs, whatever its JSON says.
pub(super) fn proven(head: &[u8], kept: &[&[u8]], id: UndoId, key: &Key) -> Vec<u8> {
    let (mut sum, mut length) = (Sha256::new(), 0);
    for part in kept {
        sum.update(part);
        length += part.len();
    }
    let mut bytes = MAGIC.to_vec();
    let lengths = format!("{:016x} {length:016x} {} ", head.len(), hex(&sum.finalize()));
    bytes.extend_from_slice(lengths.as_bytes());
    let (seal, proof) = (key.prove(id, &[&bytes]), key.prove(id, &[&bytes, head]));
    bytes.extend_from_slice(format!("{} {}\n", hex(&seal), hex(&proof)).as_bytes());
    bytes.extend_from_slice(head);
    kept.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}

/// A record whose JSON is proven, and what follows.
struct Open {
    record: Record,
    rest: BufReader<File>,
    /// How many bytes follow, and their sum in digits.
    kept: u64,
    sum: Vec<u8>,
}

/// The first line of a record that is sealed.
struct First<'k> {
    key: &'k Key,
    /// How long the JSON is, and what follows it.
    head: u64,
    kept: u64,
    sum: Vec<u8>,
    proof: [u8; proof::BYTES],
}

fn first_line<'k>(line: &[u8], id: UndoId, keys: &'k [Key]) -> Result<First<'k>, Flaw> {
    let doubt = |doubt| Flaw::Doubted(doubt);
    if line.starts_with(UNPROVEN) {
        return Err(doubt(Doubt::Earlier));
    }
    let start = line.len().min(MAGIC.len());
    if line[..start] != MAGIC[..start] {
        return Err(doubt(Doubt::Unproven));
    }
    let Some((said, sums)) = line.split_at_checked(SEALED).filter(|_| line.len() == FIRST_LINE)
    else {
        // One that breaks off here has nothing else to show.
        return Err(Flaw::Torn);
    };
    let (seal, proof) = sums.split_at(SUM + 1);
    let digits = |sum: &[u8], end| proof::from_hex(&sum[..SUM]).filter(|_| sum[SUM] == end);
    let seal = digits(seal, b' ').ok_or(doubt(Doubt::Unproven))?;
    let key = keys.iter().find(|key| key.proves(id, &[said], &seal));
    let key = key.ok_or(doubt(Doubt::Unproven))?;
    let mut said = said[MAGIC.len()..].split(|byte| *byte == b' ');
    let mut length = || u64::from_str_radix(str::from_utf8(said.next()?).ok()?, 16).ok();
    let lengths =
        length().zip(length()).filter(|(head, kept)| *head <= MAX_HEAD && *kept <= MAX_BYTES);
    let (head, kept) = lengths.ok_or(doubt(Doubt::Changed))?;
    let sum = said.next().unwrap_or_default().to_vec();
    let proof = digits(proof, b'\n').ok_or(doubt(Doubt::Changed))?;
    Ok(First { key, head, kept, sum, proof })
}

/// The names in a folder that end so, in the order that the system has.
pub(super) fn names(folder: &Path, ending: &str) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if super::place::is_absent(&error) => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for (number, entry) in entries.flatten().enumerate() {
        if number >= MAX_ENTRIES {
            let text = format!("{} has more than {MAX_ENTRIES} files", folder.display());
            return Err(io::Error::other(text));
        }
        names.extend(entry.file_name().into_string().ok().filter(|name| name.ends_with(ending)));
    }
    Ok(names)
}

/// The records in a folder whose names end so, newest first. Nothing shows yet that they are ours.
pub(super) fn list(folder: &Path, ending: &str) -> io::Result<Vec<UndoId>> {
    let names = names(folder, ending)?;
    let mut list: Vec<UndoId> = names.iter().filter_map(|name| number(name, ending)).collect();
    list.sort_by_key(|id| std::cmp::Reverse(*id));
    Ok(list)
}

pub(super) fn name(id: UndoId, ending: &str) -> String {
    format!("{id:08}{ending}")
}

/// The number in the name of a record; nothing in a name that we do not give.
pub(super) fn number(text: &str, ending: &str) -> Option<UndoId> {
    let id = UndoId(text.strip_suffix(ending)?.parse().ok()?);
    ((1..=MAX_ID).contains(&id.0) && name(id, ending) == text).then_some(id)
}
