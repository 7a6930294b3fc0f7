//! Files that differ between two states of a repository, and their content, by the word of git.

use std::io;
use std::path::Path;

use scenewright_git::{Blobs, Repository, State};

pub use scenewright_git::Range;

use crate::diff::{AssetNames, Change, diff};
use crate::render::FileDiff;
use crate::{FileKind, MAX_BYTES};

/// What changed in scenes and settings between two states, by object and field. Only below `paths`, when
/// there are any; they are from the folder, as is what comes back.
pub fn changed(
    folder: &Path,
    range: &Range,
    paths: &[String],
    assets: AssetNames<'_>,
) -> io::Result<Vec<FileDiff>> {
    let repository = Repository::of(folder)?;
    let mut changes = repository.changes(folder, range, paths, true)?;
    changes.retain(|change| FileKind::of_path(Path::new(&change.path)).is_some());
    let blobs =
        changes.iter().flat_map(|change| [&change.old, &change.new]).filter_map(State::blob);
    let blobs: Vec<&str> = blobs.collect();
    let mut blobs = Blobs::open(&repository, folder, &blobs)?;
    let mut content = |state: &State| match state {
        State::Nothing => Ok(Vec::new()),
        State::Blob(_) => blobs.next(MAX_BYTES),
        State::File(path) => repository.read(path, MAX_BYTES),
    };
    let mut files = Vec::with_capacity(changes.len());
    for change in changes {
        // Both are taken, for blobs come in their order.
        let differences = match (content(&change.old), content(&change.new)) {
            (Ok(old), Ok(new)) => {
                diff(Path::new(&change.path), &old, &new, assets).map_err(|why| why.to_string())
            }
            // One file that nobody can read hides no other.
            (Err(why), _) | (_, Err(why)) => Err(why.to_string()),
        };
        files.push(FileDiff {
            path: change.path,
            old_path: change.old_path,
            change: match change.status {
                'A' => Change::Added,
                'D' => Change::Removed,
                _ => Change::Changed,
            },
            differences,
            reach: None,
        });
    }
    Ok(files)
}
