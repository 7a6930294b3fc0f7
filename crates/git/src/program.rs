//! The git program: where it is, what it is told by its environment, and how long it may take.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use scenewright_text::repository;

/// How long git may take for one answer.
const MOST_TIME: Duration = Duration::from_secs(120);
/// How much of an answer is read.
const MOST_BYTES: u64 = 1 << 30;
/// How much of what it says when it fails.
const MOST_WORDS: u64 = 64 << 10;

/// What git needs of our environment: where the user's own settings are, and what Windows wants.
const KEPT: [&str; 11] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
];

/// Every git on the `PATH`, in its order, found once. A relative folder is none that git may come from: it would
/// be another one in each project.
fn programs() -> &'static [PathBuf] {
    static PROGRAMS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let name = format!("git{}", env::consts::EXE_SUFFIX);
        let found = folders().into_iter().map(|folder| folder.join(&name));
        found.filter(|program| program.is_file()).collect()
    })
}

fn folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// The first git that is not inside of the repositories around these places, or around the current folder: they may
/// have brought it along.
pub(crate) fn outside(places: &[&Path]) -> io::Result<PathBuf> {
    let current = env::current_dir().ok();
    let places = places.iter().copied().chain(current.as_deref());
    let tops: Vec<PathBuf> = places
        .filter_map(|place| Some(repository(&place.canonicalize().ok()?)?.to_owned()))
        .collect();
    let is_in = |program: &Path| tops.iter().any(|top| program.starts_with(top));
    let is_outside = |program: &&PathBuf| program.canonicalize().is_ok_and(|found| !is_in(&found));
    programs().iter().find(is_outside).cloned().ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "git cannot be started: no folder of PATH outside of the repository has it",
        )
    })
}

/// Git in a folder, with nothing of the environment that could name a program or another repository.
pub(crate) fn git(program: &Path, folder: &Path) -> Command {
    let mut command = bare(program, folder);
    // Neither of the machine nor of its user: what they set and what may count is in the stand-in.
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env("GIT_ATTR_NOSYSTEM", "1").env("GIT_NO_REPLACE_OBJECTS", "1");
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
    command
}

/// The same, with the settings of the machine and of its user.
pub(crate) fn bare(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    for name in KEPT {
        if let Some(value) = env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("PATH", env::join_paths(folders()).unwrap_or_else(|_| OsString::new()));
    command.env("LC_ALL", "C").env("GIT_PAGER", "cat").env("GIT_EDITOR", ":");
    command.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_TERMINAL_PROMPT", "0");
    command.env("GIT_ASKPASS", "").env("SSH_ASKPASS", "");
    command.args([
        "--no-pager",
        "-c",
        "safe.bareRepository=explicit",
        "-c",
        "core.fsmonitor=false",
    ]);
    command.args(["-c", "core.hooksPath=/dev/null", "-c", "core.alternateRefsCommand="]);
    command
}

/// What git answers; where it fails, the first line that it says.
///
/// # Errors
///
/// When git cannot be started, fails, says too much or takes too long.
pub fn answer(command: &mut Command) -> io::Result<Vec<u8>> {
    let (bytes, status, said) = run(command)?;
    answered(bytes, status, &said)
}

/// What git answers to what is written to it.
pub(crate) fn answer_to(command: &mut Command, input: Vec<u8>) -> io::Result<Vec<u8>> {
    let (bytes, status, said) = run_with(command.stdin(Stdio::piped()), input)?;
    answered(bytes, status, &said)
}

fn answered(bytes: Vec<u8>, status: ExitStatus, said: &[u8]) -> io::Result<Vec<u8>> {
    if status.success() {
        return Ok(bytes);
    }
    let said = String::from_utf8_lossy(said);
    Err(io::Error::other(format!("git says: {}", said.lines().next().unwrap_or("nothing"))))
}

/// What git writes, how it ended, and what it says beside. It is ended when the time is over: an attribute file that
/// is a pipe would make it wait for ever.
pub(crate) fn run(command: &mut Command) -> io::Result<(Vec<u8>, ExitStatus, Vec<u8>)> {
    run_with(command, Vec::new())
}

fn run_with(command: &mut Command, input: Vec<u8>) -> io::Result<(Vec<u8>, ExitStatus, Vec<u8>)> {
    let mut child = start(command.stderr(Stdio::piped()))?;
    let (said, written, to) = (child.stderr.take(), child.stdout.take(), child.stdin.take());
    let (done, is_done) = mpsc::channel::<()>();
    let (written, said, status, is_late) = thread::scope(|scope| {
        // Beside the reader, for a full pipe would stop both.
        scope.spawn(move || to.map(|mut to| to.write_all(&input)));
        let said = scope.spawn(move || all_of(said, MOST_WORDS));
        let ended = scope.spawn(move || {
            let is_late = is_done.recv_timeout(MOST_TIME) == Err(RecvTimeoutError::Timeout);
            if is_late {
                let _ = child.kill();
            }
            (child.wait(), is_late)
        });
        let written = all_of(written, MOST_BYTES);
        drop(done);
        let (status, is_late) =
            ended.join().unwrap_or_else(|_| (Err(io::Error::other("git is gone")), true));
        (written, said.join().unwrap_or_default(), status, is_late)
    });
    if is_late {
        let most = MOST_TIME.as_secs();
        return Err(io::Error::other(format!("git did not answer within {most} s and was ended")));
    }
    match written.len() as u64 >= MOST_BYTES {
        true => Err(io::Error::other("git answers more than is read")),
        false => Ok((written, status?, said)),
    }
}

/// Git, started, with its output for us to read.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| io::Error::new(why.kind(), format!("git cannot be started: {why}")))
}

/// Up to `most` bytes; then nobody listens, and git ends.
fn all_of(from: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.map(|from| from.take(most).read_to_end(&mut bytes));
    bytes
}
