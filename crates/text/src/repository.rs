//! The repository that a folder is in.

use std::path::Path;

/// The root of the repository around a folder. Git itself is not asked: it may not be there, and in a
/// container it refuses a repository of another user.
pub fn repository(folder: &Path) -> Option<&Path> {
    // A work tree and a submodule have a file of that name.
    folder.ancestors().find(|folder| folder.join(".git").exists())
}
