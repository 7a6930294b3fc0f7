//! The Git program, started so that it runs nothing of a repository and asks nobody.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

const SETTINGS: [&str; 4] =
    ["core.fsmonitor=false", "core.hooksPath=", "core.quotePath=false", "log.showSignature=false"];

/// Git in a folder, without hooks, monitors, signatures, remotes and questions. A repository's own
/// settings name programs for all of these, and whoever reads a project has not agreed to run them.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null());
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
    command.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_TERMINAL_PROMPT", "0");
    command
}

/// What git answers; where it fails, the first line that it says.
pub fn answer(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command
        .output()
        .map_err(|why| io::Error::new(why.kind(), format!("git cannot be started: {why}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("git says: {}", said.lines().next().unwrap_or("nothing"))))
}
