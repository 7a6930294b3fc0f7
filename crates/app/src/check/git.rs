//! What changed in a project since a revision, by the word of Git.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use scenewright_text::git::{answer, git};

use super::past::unknown;

/// The files that differ from a revision, from the project's root: changed, added, gone, and not yet
/// known to Git.
pub(crate) fn changed_since(root: &Path, revision: &str) -> Result<HashSet<String>> {
    if revision.is_empty() || revision.starts_with('-') {
        bail!("{revision:?} is no revision; --changed-since takes a branch, a tag or a commit");
    }
    // Before the first commit there is no HEAD; then everything is new.
    if !has_commit(root, revision) {
        return names(root, &["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
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
    let mut files = names(root, &named).with_context(|| unknown(revision))?;
    files.extend(unknown_files(root)?);
    Ok(files)
}

/// False for the HEAD of a repository without a commit.
pub(crate) fn has_commit(root: &Path, revision: &str) -> bool {
    revision != "HEAD" || names(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_ok()
}

/// The files that Git does not know and was not told to leave out.
pub(crate) fn unknown_files(root: &Path) -> Result<HashSet<String>> {
    names(root, &["ls-files", "--others", "--exclude-standard", "-z"])
}

/// The names that Git answers with. Filters of attributes, such as that of Git LFS, are run for files
/// that changed, as in every other command of Git.
fn names(root: &Path, args: &[&str]) -> Result<HashSet<String>> {
    let answer = answer(git(root).args(args))?;
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}
