//! What changed in a project since a revision, by the word of Git.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use scenewright_git::{Range, Repository};

use super::past::unknown;

/// The files that differ from a revision, from the project's root: changed, added, gone, and not yet
/// known to Git.
pub(crate) fn changed_since(
    repository: &Repository,
    root: &Path,
    revision: &str,
) -> Result<HashSet<String>> {
    if revision.is_empty() || revision.starts_with('-') {
        bail!("{revision:?} is no revision; --changed-since takes a branch, a tag or a commit");
    }
    // Before the first commit there is no HEAD; then everything is new.
    if !has_commit(repository, root, revision) {
        return Ok(repository.all(root)?.into_iter().collect());
    }
    let range = Range { from: Some(revision.to_owned()), ..Range::default() };
    let changes = repository.changes(root, &range, &[], false);
    let changes = changes.with_context(|| unknown(revision))?;
    let mut files: HashSet<String> = changes.into_iter().map(|change| change.path).collect();
    files.extend(repository.unknown(root)?);
    Ok(files)
}

/// False for the HEAD of a repository without a commit.
pub(crate) fn has_commit(repository: &Repository, root: &Path, revision: &str) -> bool {
    revision != "HEAD"
        || repository.ask(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_ok()
}
