//! What the ignore rules of version control leave out: nobody else will ever see those files.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::{beneath, repository};

/// Longer lists of rules are read so far.
const MAX_RULES: u64 = 1 << 20;

/// The rules of a repository, read as far as they are asked for.
pub struct Ignored<'a> {
    project: &'a Path,
    /// The repository, or the project where it is in none.
    top: OnceCell<&'a Path>,
    rules: HashMap<PathBuf, Gitignore>,
}

impl<'a> Ignored<'a> {
    /// The rules that hold for a project.
    pub fn new(project: &'a Path) -> Ignored<'a> {
        Ignored { project, top: OnceCell::new(), rules: HashMap::new() }
    }

    /// Folders whose rules may name what is in the project: those around it, and the project itself.
    pub fn folders(&self) -> impl Iterator<Item = &'a Path> + use<'a> {
        let top = self.top();
        self.project.ancestors().take_while(move |folder| folder.starts_with(top))
    }

    fn top(&self) -> &'a Path {
        self.top.get_or_init(|| {
            let top = repository(self.project).unwrap_or(self.project);
            let above = self.project.ancestors().skip(1);
            // The nearest rule counts.
            let rule = above.take_while(|folder| folder.starts_with(top)).find_map(|folder| {
                let rules = read(folder);
                let found = rules.matched_path_or_any_parents(self.project, true);
                (!found.is_none()).then(|| found.is_ignore())
            });
            // A project that its repository leaves out as a whole is none of its files.
            if rule == Some(true) { self.project } else { top }
        })
    }

    /// Whether a file or folder, by its path from the project's root, is left out.
    pub fn has(&mut self, path: &str, is_folder: bool) -> bool {
        let full = self.project.join(path);
        let top = self.top();
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

/// The rules of one folder, as they are written; empty when it has none.
pub fn ignore_rules(folder: &Path) -> String {
    let path = folder.join(".gitignore");
    let mut bytes = Vec::new();
    // Git does not take rules from a link that leads elsewhere either.
    if let Ok(file) = beneath::open(folder, &path) {
        // What was read before an error still holds.
        let _ = file.take(MAX_RULES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read(folder: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new(folder);
    for line in ignore_rules(folder).lines() {
        // A rule that cannot be read leaves nothing out, as in Git.
        let _ = rules.add_line(None, line);
    }
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn the_nearest_rule_counts() {
        let folder = Folder::files(
            "//- .git/HEAD\nx\n//- .gitignore\npaid/\n//- game/.gitignore\n!paid/kept/\n*.tmp\n",
        );
        let game = folder.path("game");
        let mut ignored = Ignored::new(&game);
        assert!(ignored.has("paid/a.png", false) && ignored.has("x.tmp", false));
        assert!(!ignored.has("free/a.png", false));
        assert_eq!(ignored.folders().count(), 2);
    }

    /// A copy of a project below `target` had no file that could be missing.
    #[test]
    fn a_project_that_is_left_out_as_a_whole_has_rules_of_its_own() {
        let folder = Folder::files(
            "//- .git/HEAD\nx\n//- .gitignore\n/target\n//- target/game/.gitignore\npaid/\n",
        );
        let game = folder.path("target/game");
        let mut ignored = Ignored::new(&game);
        assert!(!ignored.has("art/a.png", false) && ignored.has("paid/a.png", false));
        assert_eq!(ignored.folders().count(), 1);
    }
}
