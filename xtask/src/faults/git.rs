//! Git as its users run it, without the settings of this machine.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Run git in a folder; what it printed.
pub(super) fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .current_dir(folder);
    for setting in ["user.name=A", "user.email=a@example.org", "core.autocrlf=false"] {
        command.args(["-c", setting]);
    }
    let output =
        command.args(args).stdin(Stdio::null()).output().context("git cannot be started")?;
    ensure!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
