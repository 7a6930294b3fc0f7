//! The Godot program on this machine: found once, run to its end, or kept running.
//!
//! Most tools need no program. Those that do ask [`Program::find`] when they are called, so a server
//! without Godot starts and works all the same.

pub mod dap;
mod editor;
mod errors;
mod find;
mod frames;
mod games;
mod link;
pub mod lsp;
mod output;
mod run;
mod stream;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use scenewright_contract::{Cancel, ErrorKind, ToolError};

use crate::os;

pub use editor::Editor;
pub use errors::{EngineMessage, MessageKind, Repeated, Tally, messages};
pub use games::{Game, GameState, Games};
pub use link::{ADDON_VERSION, LinkState, Links, Peer, Side};
pub use output::{Line, StreamName};
pub use run::Finished;
pub use stream::{DebugStream, Streams};

/// Godot answers `--version` at once; a machine under load may take its time.
const VERSION_TIME: Duration = Duration::from_secs(30);

/// The engine is looked for once it is needed, and found once.
static FOUND: Mutex<Option<Program>> = Mutex::new(None);

/// A Godot program that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// What it says of itself: `4.6.3.stable.official.1234abcde`.
    pub version: String,
}

impl Program {
    /// The program of `GODOT_PATH`, of the search path, or of the places where it usually is.
    pub fn find(cancel: &Cancel) -> Result<Self, ToolError> {
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = found.as_ref().filter(|known| known.path.is_file()) {
            return Ok(known.clone());
        }
        let path = find::find(&|name| std::env::var_os(name))?;
        let engine = Self::ask(path, cancel)?;
        *found = Some(engine.clone());
        Ok(engine)
    }

    fn ask(path: PathBuf, cancel: &Cancel) -> Result<Self, ToolError> {
        let mut command = quiet(&path);
        command.arg("--version");
        let finished = run::run(command, VERSION_TIME, cancel, &mut |_, _| {})?;
        let is_version = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
        match finished.stdout.lines().map(str::trim).find(is_version) {
            Some(version) => Ok(Self { version: version.to_owned(), path }),
            None => Err(ToolError::new(
                ErrorKind::NotReady,
                format!("{} does not answer --version as Godot does", path.display()),
            )
            .hint("set GODOT_PATH to the Godot 4 program itself")),
        }
    }

    /// A command of the engine on a project, without a window.
    pub fn headless(&self, project: &Path) -> Command {
        let mut command = self.on(project);
        command.arg("--headless");
        // Where there is a screen the engine would put its worst errors into a window and wait.
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
    }

    /// A command of the engine on a project.
    pub fn on(&self, project: &Path) -> Command {
        let mut command = quiet(&self.path);
        command.arg("--path").arg(project).current_dir(project);
        command
    }

    /// Run a command to its end. It is ended when it takes longer than `timeout`, or when the
    /// caller gives up.
    pub fn run(
        &self,
        command: Command,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Finished, ToolError> {
        run::run(command, timeout, cancel, &mut |_, _| {})
    }

    /// The same; `told` hears a few times a second how long it runs and what it said last.
    pub fn run_told(
        &self,
        command: Command,
        timeout: Duration,
        cancel: &Cancel,
        told: &mut dyn FnMut(Duration, &str),
    ) -> Result<Finished, ToolError> {
        run::run(command, timeout, cancel, told)
    }

    /// `4` of `4.6.3.stable`.
    pub fn major(&self) -> u32 {
        self.version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
    }
}

/// A command that reads nothing and whose output is ours.
fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // What a project runs is not told how to reach this server.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("SCENEWRIGHT_")) {
            command.env_remove(name);
        }
    }
    os::lead_a_group(&mut command);
    command
}

/// Whether windows can be opened here, as far as the environment tells.
pub fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_server = cfg!(all(unix, not(target_os = "macos")));
    !needs_server || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// The error for a program that found no screen; none when that was not its trouble.
pub fn no_screen(finished_words: &str) -> Option<ToolError> {
    finished_words.contains("Unable to create DisplayServer").then(|| {
        ToolError::new(
            ErrorKind::NotReady,
            "Godot found no screen to draw on, and without one it draws nothing",
        )
        .hint(
            "start the server where DISPLAY or WAYLAND_DISPLAY is set, for example under xvfb-run",
        )
    })
}

/// Why a program did not start.
fn not_started(program: &OsStr, error: &std::io::Error) -> ToolError {
    ToolError::new(
        ErrorKind::NotReady,
        format!("{} could not be started: {error}", Path::new(program).display()),
    )
    .hint("set GODOT_PATH to a Godot 4 program that this server may run")
}
