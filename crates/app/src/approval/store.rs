//! Calls that wait for a person, as private files in this user's state folder: a folder for each server
//! that runs, in it a file for each call, and beside that what the person said. Each call has a secret of
//! its own in its file, and an answer counts that was made with it, for the very change that was shown.

#![expect(clippy::disallowed_methods, reason = "our own files, outside every project")]

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use scenewright_text::{private, proof, regular};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Where they are in the state folder.
const FOLDER: &str = "waiting";
/// Held by the server as long as it runs.
const LOCK: &str = "server";
const CALL: &str = "json";
const ANSWER: &str = "answer";
/// No file of ours is longer.
const MOST: u64 = 16 << 20;

/// A call that waits, as the terminal reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Card {
    /// What a person types.
    pub(crate) id: String,
    /// What the client calls itself.
    pub(crate) client: Option<String>,
    /// What the call does.
    pub(crate) about: String,
    /// What it would change, by meaning.
    pub(crate) meaning: Vec<String>,
    /// The same by lines.
    pub(crate) lines: Vec<String>,
    /// The change was another when it was shown before.
    pub(crate) changed: bool,
    /// When it is forgotten.
    pub(crate) until_unix_ms: u64,
    /// Known again by this.
    pub(crate) digest: String,
    /// An answer is made with this.
    pub(crate) secret: String,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    agreed: bool,
    digest: String,
    proof: String,
}

/// The folder of a server that runs.
#[derive(Debug)]
pub(crate) struct Run {
    folder: PathBuf,
    lock: Option<File>,
}

impl Run {
    /// Make the folder, and clear away those of servers that are gone.
    pub(crate) fn begin(state: &Path) -> io::Result<Self> {
        let all = state.join(FOLDER);
        private::make_folders(&all)?;
        runs(&all)?;
        let folder = all.join(scenewright_text::random_name()?);
        private::make_folder(&folder)?;
        let lock = File::options().write(true).create_new(true).open(folder.join(LOCK))?;
        match lock.try_lock() {
            // Where there are no locks, what is left behind ends with its time.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { folder, lock: Some(lock) }),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    /// Have a call wait, or show it as it is now. What was said before is void.
    pub(crate) fn put(&self, card: &Card) -> io::Result<()> {
        remove(&self.path(&card.id, ANSWER))?;
        private::write_whole(&self.path(&card.id, CALL), serde_json::to_vec(card)?)
    }

    /// What a person said to the change with this digest; nothing when nobody did.
    pub(crate) fn answer(&self, id: &str, digest: &str, secret: &str) -> Option<bool> {
        let bytes = read(&self.path(id, ANSWER)).ok()?;
        let said: Answer = serde_json::from_slice(&bytes).ok()?;
        let parts = parts_of(id, digest, said.agreed);
        let holds = proof::from_hex(said.proof.as_bytes())
            .is_some_and(|proof| proof::holds(secret.as_bytes(), &parts, &proof));
        (said.digest == digest && holds).then_some(said.agreed)
    }

    /// The call no longer waits.
    pub(crate) fn forget(&self, id: &str) {
        for ending in [CALL, ANSWER] {
            if let Err(error) = remove(&self.path(id, ending)) {
                tracing::warn!(%error, "a call that no longer waits is still listed");
            }
        }
    }

    fn path(&self, id: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{id}.{ending}"))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.lock = None;
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A call that waits, and where an answer goes.
#[derive(Debug)]
pub(crate) struct Listed {
    path: PathBuf,
    /// The call.
    pub(crate) card: Card,
}

impl Listed {
    /// The same call as it is now; nothing when it no longer waits.
    pub(crate) fn again(&self) -> Option<Self> {
        let card = card(&self.path)?;
        Some(Self { path: self.path.clone(), card })
    }

    /// Whether a person has answered.
    pub(crate) fn is_answered(&self) -> bool {
        self.path.with_extension(ANSWER).exists()
    }

    /// Say what the person said.
    pub(crate) fn say(&self, agreed: bool) -> io::Result<()> {
        let Card { id, digest, secret, .. } = &self.card;
        let proof = proof::of(secret.as_bytes(), &parts_of(id, digest, agreed));
        let proof = proof::hex(&proof);
        let answer = json!(Answer { agreed, digest: digest.clone(), proof });
        private::write_whole(&self.path.with_extension(ANSWER), answer.to_string())
    }
}

/// Every call that waits for this user, of all servers, the oldest first.
pub(crate) fn waiting(state: &Path, now_unix_ms: u64) -> io::Result<Vec<Listed>> {
    let all = state.join(FOLDER);
    let mut found = Vec::new();
    if !all.is_dir() {
        return Ok(found);
    }
    for run in runs(&all)? {
        for entry in fs::read_dir(run)? {
            let path = entry?.path();
            let Some(card) = card(&path).filter(|card| card.until_unix_ms > now_unix_ms) else {
                continue;
            };
            found.push(Listed { path, card });
        }
    }
    found.sort_by(|a, b| {
        let key = |one: &Listed| (one.card.until_unix_ms, one.card.id.clone());
        key(a).cmp(&key(b))
    });
    Ok(found)
}

/// A call that waits, if that is what the file is, and this user's word.
fn card(path: &Path) -> Option<Card> {
    if path.extension().is_none_or(|ending| ending != CALL) {
        return None;
    }
    let card: Card = serde_json::from_slice(&read(path).ok()?).ok()?;
    (path.file_stem()?.to_str()? == card.id).then_some(card)
}

/// The folders of servers that run. Those of others are removed.
fn runs(all: &Path) -> io::Result<Vec<PathBuf>> {
    let mut running = Vec::new();
    for entry in fs::read_dir(all)? {
        let folder = entry?.path();
        let Ok(lock) = File::options().write(true).open(folder.join(LOCK)) else { continue };
        match lock.try_lock() {
            Ok(()) => {
                drop(lock);
                let _ = fs::remove_dir_all(&folder);
            }
            Err(_) => running.push(folder),
        }
    }
    running.sort();
    Ok(running)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = regular::open(path)?;
    if let Some(doubt) = private::doubt(&file)? {
        tracing::warn!("{} is passed over: {doubt}", path.display());
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What an answer proves.
fn parts_of<'a>(id: &'a str, digest: &'a str, agreed: bool) -> [&'a [u8]; 3] {
    [id.as_bytes(), digest.as_bytes(), if agreed { b"yes" } else { b"no" }]
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn some(id: &str) -> Card {
        Card {
            id: id.to_owned(),
            client: None,
            about: "Write".to_owned(),
            meaning: vec!["a".to_owned()],
            lines: Vec::new(),
            changed: false,
            until_unix_ms: 100,
            digest: "d".to_owned(),
            secret: "s".to_owned(),
        }
    }

    fn ids(folder: &Folder, now: u64) -> Vec<String> {
        waiting(folder.root(), now).unwrap().into_iter().map(|one| one.card.id).collect()
    }

    #[test]
    fn an_answer_counts_for_the_change_that_was_shown() {
        let folder = Folder::empty();
        let run = Run::begin(folder.root()).unwrap();
        run.put(&some("a1")).unwrap();
        assert_eq!(run.answer("a1", "d", "s"), None);
        let seen = waiting(folder.root(), 0).unwrap().remove(0);
        seen.say(true).unwrap();
        assert_eq!(run.answer("a1", "d", "s"), Some(true));
        assert_eq!(run.answer("a1", "other", "s"), None);
        assert_eq!(run.answer("a1", "d", "other"), None);
        // A word that is turned around is nobody's.
        let path = run.path("a1", ANSWER);
        let no = fs::read_to_string(&path).unwrap().replace("true", "false");
        private::write_whole(&path, no).unwrap();
        assert_eq!(run.answer("a1", "d", "s"), None);
        seen.say(false).unwrap();
        assert_eq!(run.answer("a1", "d", "s"), Some(false));
        run.put(&some("a1")).unwrap();
        assert_eq!(run.answer("a1", "d", "s"), None, "what is shown anew is asked anew");
    }

    #[test]
    fn what_waits_ends_with_its_time_and_with_its_server() {
        let folder = Folder::empty();
        let run = Run::begin(folder.root()).unwrap();
        let other = Run::begin(folder.root()).unwrap();
        run.put(&some("a1")).unwrap();
        other.put(&some("b1")).unwrap();
        assert_eq!(ids(&folder, 0), ["a1", "b1"]);
        assert_eq!(ids(&folder, 100), Vec::<String>::new());
        run.forget("a1");
        assert_eq!(ids(&folder, 0), ["b1"]);
        drop(other);
        assert_eq!(ids(&folder, 0), Vec::<String>::new());
        // One that was killed leaves its folder, and the lock is free.
        let left = folder.path(&format!("{FOLDER}/killed"));
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        fs::write(left.join("c1.json"), serde_json::to_vec(&some("c1")).unwrap()).unwrap();
        assert_eq!(ids(&folder, 0), Vec::<String>::new());
        assert!(!left.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_or_writes_what_waits() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::empty();
        let run = Run::begin(folder.root()).unwrap();
        run.put(&some("a1")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let file = run.path("a1", CALL);
        assert_eq!((mode(&run.folder), mode(&file)), (0o700, 0o600));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(ids(&folder, 0), Vec::<String>::new());
    }
}
