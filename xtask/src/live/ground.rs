//! What the cases stand on: copies of the sample with the addon, and Godot programs that always end.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::bench::agent::projects;
use crate::process::Guard;
use crate::{godot, os, paths, process};

/// A Godot that is ready says so within this time, also on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(90);
/// No case lasts longer.
const LIFE_LIMIT: Duration = Duration::from_secs(900);
pub(super) const ERRAND_LIMIT: Duration = Duration::from_secs(180);
/// Where the addon says that it listens.
const ANNOUNCED: &str = ".godot/scenewright";

/// The programs, a place to work in, and how much of it.
pub(crate) struct Ground {
    pub(crate) binary: PathBuf,
    pub(crate) engine: PathBuf,
    pub(crate) scratch: PathBuf,
    pub(crate) full: bool,
}

/// Which side of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Editor,
    Game,
}

impl Side {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::Editor => "editor",
            Side::Game => "game",
        }
    }
}

impl Ground {
    pub(crate) fn new(binary: PathBuf, engine: PathBuf, full: bool) -> Result<Ground> {
        // Of its own, so that two runs do not meet.
        let scratch = paths::target().join("tmp").join(format!("live-{}", std::process::id()));
        fs::create_dir_all(scratch.join("home"))?;
        let ground = Ground { binary, engine, scratch, full };
        ground.prepare()?;
        Ok(ground)
    }

    /// The sample with the addon, imported once for all copies. The editor of a machine without a
    /// screen can only play games that want none.
    fn prepare(&self) -> Result<()> {
        let first = self.scratch.join("first");
        projects::copy(&paths::root().join("samples/godot"), &first)?;
        let settings = first.join("project.godot");
        let text = fs::read_to_string(&settings)?;
        fs::write(&settings, format!("{text}\n[editor]\n\nrun/main_run_args=\"--headless\"\n"))?;
        let mut install = Command::new(&self.binary);
        install.args(["install", "godot-addon", "--project"]).arg(&first);
        let said = process::capture(install.env("HOME", self.scratch.join("home")), ERRAND_LIMIT)?;
        ensure!(said.status.success(), "install godot-addon: {}", said.tail());
        let said = self.errand(&first, &["--import"])?;
        ensure!(said.status.success(), "the import: {}", said.tail());
        Ok(())
    }

    /// A copy of it in a folder of this name.
    pub(crate) fn project(&self, name: &str) -> Result<PathBuf> {
        let folder = self.scratch.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let first = self.scratch.join("first");
        projects::copy(&first, &folder)?;
        projects::copy(&first.join(".godot"), &folder.join(".godot"))?;
        Ok(folder)
    }

    /// Godot without a window does something in a project and ends.
    pub(crate) fn errand(&self, project: &Path, args: &[&str]) -> Result<process::Captured> {
        let mut command = self.headless();
        process::capture(command.arg("--path").arg(project).args(args), ERRAND_LIMIT)
    }

    /// An editor or a game without a window, linked.
    pub(crate) fn start(&self, side: Side, project: &Path, args: &[&str]) -> Result<Godot> {
        Godot::start(self.headless(), side, project, args)
    }

    /// Godot has its own settings, and not those of another run.
    pub(crate) fn headless(&self) -> Command {
        let mut command = godot::headless(&self.engine);
        command.env("HOME", self.scratch.join("home"));
        command
    }
}

/// A running editor or game; it and what it started end with this value.
pub(crate) struct Godot {
    guard: Guard,
    project: PathBuf,
    side: Side,
    /// The process that is linked; not the first one where a script starts it.
    pub(crate) pid: u32,
    said: Arc<Mutex<String>>,
}

impl Godot {
    /// Start it and wait until it says where it listens.
    pub(crate) fn start(
        mut command: Command,
        side: Side,
        project: &Path,
        args: &[&str],
    ) -> Result<Godot> {
        if side == Side::Editor {
            command.arg("--editor");
        }
        command.arg("--path").arg(project).args(args);
        let before = announced(project, side);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let guard = Guard::spawn(&mut command, LIFE_LIMIT)?;
        let said = Arc::new(Mutex::new(String::new()));
        let (out, err) = {
            let mut child = guard.child();
            (child.stdout.take(), child.stderr.take())
        };
        keep(out, &said);
        keep(err, &said);
        let mut godot = Godot { guard, project: project.to_owned(), side, pid: 0, said };
        let started = Instant::now();
        loop {
            let new = announced(project, side).into_iter().find(|pid| !before.contains(pid));
            if let Some(pid) = new.filter(|pid| godot.announcement_of(*pid).is_ok()) {
                godot.pid = pid;
                return Ok(godot);
            }
            if let Some(status) = godot.guard.child().try_wait()? {
                bail!("the {} ended with {status}: {}", side.name(), godot.log());
            }
            ensure!(
                started.elapsed() < START_LIMIT,
                "the {} is not linked after {} s: {}",
                side.name(),
                START_LIMIT.as_secs(),
                godot.log()
            );
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// What it printed so far.
    pub(crate) fn log(&self) -> String {
        self.said.lock().expect("nobody panics while holding the text").clone()
    }

    /// The file by which it says where it listens.
    pub(crate) fn file(&self) -> PathBuf {
        file_of(&self.project, self.side, self.pid)
    }

    /// What that file says.
    pub(crate) fn announcement(&self) -> Result<Value> {
        self.announcement_of(self.pid)
    }

    fn announcement_of(&self, pid: u32) -> Result<Value> {
        let text = fs::read(file_of(&self.project, self.side, pid))?;
        serde_json::from_slice(&text).context("the announcement is no JSON")
    }

    /// End it at once, as a crash would, and what it started.
    pub(crate) fn kill(&self) {
        for pid in descendants(self.guard.child().id()) {
            os::end(pid);
        }
        let mut child = self.guard.child();
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Wait until it has ended by itself.
    pub(crate) fn ended(&self) -> Result<()> {
        let started = Instant::now();
        while self.guard.child().try_wait()?.is_none() {
            ensure!(started.elapsed() < Duration::from_secs(20), "it has not ended after 20 s");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Godot {
    fn drop(&mut self) {
        self.kill();
    }
}

fn file_of(project: &Path, side: Side, pid: u32) -> PathBuf {
    project.join(ANNOUNCED).join(format!("{}-{pid}.json", side.name()))
}

fn announced(project: &Path, side: Side) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(project.join(ANNOUNCED)) else { return Vec::new() };
    let pid = |name: &str| {
        name.strip_prefix(side.name())?.strip_prefix('-')?.strip_suffix(".json")?.parse().ok()
    };
    entries.flatten().filter_map(|entry| pid(&entry.file_name().to_string_lossy())).collect()
}

/// Read to the end, also when nobody looks: a full pipe would stop it.
fn keep(from: Option<impl Read + Send + 'static>, into: &Arc<Mutex<String>>) {
    let Some(mut from) = from else { return };
    let into = Arc::clone(into);
    thread::spawn(move || {
        let mut bytes = [0; 1 << 14];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let mut text = into.lock().expect("nobody panics while holding the text");
            // A flood is not kept.
            if text.len() < 1 << 20 {
                text.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        }
    });
}

/// What a process started, and what those did, the deepest first.
fn descendants(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children = text.split_whitespace().filter_map(|child| child.parse::<u32>().ok());
    children
        .flat_map(|child| {
            let mut below = descendants(child);
            below.push(child);
            below
        })
        .collect()
}
