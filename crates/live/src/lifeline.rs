//! What this process starts ends with it, and so does its temporary folder, also when it is killed and
//! can do nothing any more.
//!
//! A second process of ours, the watchdog, hears through a pipe what was started. The pipe ends when this
//! process does, however that happens; the watchdog then ends what is still there. On Windows the system
//! ends programs itself, by a job that holds them, and the watchdog removes folders.
//!
//! Every program that is started also carries a mark of who started it in its environment. By that mark
//! what was started in the very moment of the end is found, and what outlived both of us is found by the
//! next server. Only Linux lets us look for marks.

mod marks;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use scenewright_text::temporary;
use serde::{Deserialize, Serialize};

use crate::os;

/// What is being written into a folder ends with who writes it, a moment later.
const FOLDER_TRIES: usize = 40;
const FOLDER_PAUSE: Duration = Duration::from_millis(50);

/// What the watchdog hears, a line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Note {
    /// The mark of what is started.
    Mark(String),
    /// A program, the head of a group of its own.
    Started(u32),
    /// One that is over.
    Ended(u32),
    /// A folder that is to go.
    Folder(PathBuf),
}

/// The command of a process that calls [`watch`].
pub type Program = fn() -> io::Result<Command>;

/// How to reach the watchdog, and what it has to know.
struct Line {
    /// Starts one; none where nobody said how.
    program: Option<Program>,
    watchdog: Option<(Child, ChildStdin)>,
    started: BTreeSet<u32>,
    folders: BTreeSet<PathBuf>,
}

static LINE: Mutex<Line> = Mutex::new(Line {
    program: None,
    watchdog: None,
    started: BTreeSet::new(),
    folders: BTreeSet::new(),
});

/// From now on what is started here ends with this process. The watchdog is started with the first
/// program.
pub fn begin(program: Program) {
    line().program = Some(program);
    temporary::tell(|folder| {
        let mut line = line();
        line.folders.insert(folder.to_owned());
        line.tell(&Note::Folder(folder.to_owned()));
    });
}

/// End what servers left that were killed, and remove their temporary folders.
pub fn sweep() {
    marks::end_orphans();
    temporary::sweep();
}

/// A program that ends with this process.
#[derive(Debug)]
pub struct Started {
    child: Child,
    group: os::Group,
    tie: Option<Tie>,
}

/// The watchdog knows of it as long as this is there.
#[derive(Debug)]
struct Tie(u32);

impl Started {
    /// Start it, as the head of a group of its own.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        if let Some(mark) = marks::own() {
            command.env(marks::VARIABLE, mark);
        }
        // The watchdog is there before there is anything to watch.
        let mut line = line();
        line.ensure();
        let (child, group) = os::Group::spawn(command)?;
        let tie = (!group.ends_with_us()).then(|| {
            line.started.insert(child.id());
            line.tell(&Note::Started(child.id()));
            Tie(child.id())
        });
        Ok(Self { child, group, tie })
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its pipes.
    pub fn pipes(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdout.take(), self.child.stderr.take())
    }

    /// How it ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            // From now on its id may be somebody else's.
            self.tie = None;
        }
        Ok(status)
    }

    /// End it and what it started; false when it had ended already.
    pub fn end(&mut self) -> bool {
        if !matches!(self.try_wait(), Ok(None)) {
            return false;
        }
        self.group.end();
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.tie = None;
        true
    }
}

impl Drop for Tie {
    fn drop(&mut self) {
        let mut line = line();
        line.started.remove(&self.0);
        line.tell(&Note::Ended(self.0));
    }
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Have a watchdog that knows everything, or none if none can be had: games are started all the
    /// same, and end with a server that ends in order.
    fn ensure(&mut self) {
        if self.watchdog.is_some() {
            return;
        }
        let Some(Ok(mut command)) = self.program.map(|program| program()) else { return };
        os::stand_apart(&mut command);
        command.env_remove(marks::VARIABLE).current_dir(std::env::temp_dir());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return };
        let Some(mut to) = child.stdin.take() else { return };
        let mark = marks::own().map(Note::Mark);
        let folders = self.folders.iter().cloned().map(Note::Folder);
        let started = self.started.iter().copied().map(Note::Started);
        for note in mark.into_iter().chain(folders).chain(started) {
            if write(&mut to, &note).is_err() {
                return;
            }
        }
        self.watchdog = Some((child, to));
    }

    fn tell(&mut self, note: &Note) {
        let Some((child, to)) = &mut self.watchdog else { return };
        if write(to, note).is_err() {
            // Somebody ended it. The next one is told everything.
            let _ = child.kill();
            let _ = child.wait();
            self.watchdog = None;
            self.ensure();
        }
    }
}

fn write(to: &mut impl Write, note: &Note) -> io::Result<()> {
    // A path that is no text cannot be told.
    let mut text = serde_json::to_string(note)?;
    text.push('\n');
    to.write_all(text.as_bytes())
}

/// What the watchdog does: hear what is started, and end it when the one who told is gone.
pub fn watch(from: impl Read) {
    let mut mark = None;
    let mut started: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    let mut folders = BTreeSet::new();
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            Ok(Note::Mark(own)) => mark = Some(own),
            Ok(Note::Started(id)) => drop(started.insert(id, marks::start_of(id))),
            Ok(Note::Ended(id)) => drop(started.remove(&id)),
            Ok(Note::Folder(path)) => drop(folders.insert(path)),
            // Half a line is the last one of a process that was killed.
            Err(_) => {}
        }
    }
    for (id, start) in started {
        let now = marks::start_of(id);
        // An id that began at another time is that of another process.
        if start.is_none() || now.is_none() || start == now {
            os::end_group(id);
        }
    }
    if let Some(mark) = mark {
        marks::end_children(&mark);
    }
    folders.iter().for_each(|folder| remove(folder));
}

fn remove(folder: &Path) {
    for _ in 0..FOLDER_TRIES {
        #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
        let _ = std::fs::remove_dir_all(folder);
        if std::fs::symlink_metadata(folder).is_err() {
            return;
        }
        std::thread::sleep(FOLDER_PAUSE);
    }
}
