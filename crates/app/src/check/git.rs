//! What changed in a project since a revision, by the word of Git.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The files that differ from a revision, from the project's root: changed, added, gone, and not yet
/// known to Git.
pub(crate) fn changed_since(root: &Path, revision: &str) -> Result<HashSet<String>> {
    if revision.is_empty() || revision.starts_with('-') {
        bail!("{revision:?} is no revision; --changed-since takes a branch, a tag or a commit");
    }
    let named = [
        "diff",
        "--no-ext-diff",
        "--name-only",
        "--no-renames",
        "--relative",
        "-z",
        revision,
        "--",
    ];
    let mut files = git(root, &named).with_context(|| {
        format!("what changed since {revision} cannot be told; a shallow clone may lack it")
    })?;
    files.extend(git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(files)
}

/// Runs Git without hooks, monitors, remotes and questions. Filters of attributes, such as that of
/// Git LFS, are run for files that changed, as in every other command of Git.
fn git(root: &Path, args: &[&str]) -> Result<HashSet<String>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath="]);
    command.args(args).stdin(Stdio::null());
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
    command.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_TERMINAL_PROMPT", "0");
    let output = command.output().context("git cannot be started")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("git says: {}", said.lines().next().unwrap_or("nothing"));
    }
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}
