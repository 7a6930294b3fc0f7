//! What the ignore rules of version control leave out: nobody else will ever see those files.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use scenewright_text::repository;

use crate::file::{self, Content};

/// The rules of a repository, read as far as they are asked for.
pub(super) struct Ignored<'a> {
    project: &'a Path,
    /// The repository, or the project where it is in none.
    top: OnceCell<&'a Path>,
    rules: HashMap<PathBuf, Gitignore>,
}

impl<'a> Ignored<'a> {
    pub(super) fn new(project: &'a Path) -> Ignored<'a> {
        Ignored { project, top: OnceCell::new(), rules: HashMap::new() }
    }

    /// Whether a file or folder, by its path from the project's root, is left out.
    pub(super) fn has(&mut self, path: &str, is_folder: bool) -> bool {
        let full = self.project.join(path);
        let top = *self.top.get_or_init(|| repository(self.project).unwrap_or(self.project));
        let folders = full.ancestors().skip(1);
        let folders: Vec<PathBuf> =
            folders.take_while(|folder| folder.starts_with(top)).map(Path::to_owned).collect();
        // The nearest rule counts.
        for folder in folders {
            let rules = self.rules.entry(folder).or_insert_with_key(|folder| read(folder));
            let found = rules.matched_path_or_any_parents(&full, is_folder);
            if !found.is_none() {
                return found.is_ignore();
            }
        }
        false
    }
}

fn read(folder: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new(folder);
    if let Ok(Content::Bytes(bytes)) = file::read(&folder.join(".gitignore")) {
        for line in file::text(&bytes).lines() {
            // A rule that cannot be read leaves nothing out, as in Git.
            let _ = rules.add_line(None, line);
        }
    }
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}
