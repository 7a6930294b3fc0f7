//! The files by which editors and games say where they listen.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use scenewright_text::private;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the addon leaves them, from the project's root.
const FOLDER: &str = ".godot/scenewright";
/// A file that is longer is something else.
const MAX_FILE: u64 = 16 * 1024;
/// So many are looked at.
const MAX_FILES: usize = 64;

/// Whether it is an editor or a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The editor.
    Editor,
    /// A game that runs.
    Game,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Editor => "editor",
            Self::Game => "game",
        })
    }
}

/// What a process says of itself.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Announced {
    /// The version of the wire.
    pub(super) protocol: u32,
    /// The version of the addon.
    pub(super) version: String,
    /// Which it is.
    #[serde(rename = "kind")]
    pub(super) side: Side,
    /// Its process.
    pub(super) pid: u32,
    /// The port on this machine.
    pub(super) port: u16,
    /// What it asks for.
    pub(super) token: String,
    /// Its project, as it calls the folder.
    pub(super) project: String,
    #[serde(skip)]
    file: PathBuf,
}

impl std::fmt::Debug for Announced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A secret is not for logs.
        f.debug_struct("Announced")
            .field("side", &self.side)
            .field("pid", &self.pid)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl Announced {
    /// Take the file away that a process left behind which is gone.
    pub(super) fn forget(&self) {
        #[expect(
            clippy::disallowed_methods,
            reason = "the addon's own file, in the engine's cache"
        )]
        let _ = fs::remove_file(&self.file);
    }
}

/// What the files of a project say.
#[derive(Default)]
pub(super) struct All {
    pub(super) found: Vec<Announced>,
    /// Files that are not believed, in words.
    pub(super) problems: Vec<String>,
}

/// Every process that the files of a project name, by file.
pub(super) fn all(project: &Path) -> All {
    let mut all = All::default();
    let Ok(entries) = fs::read_dir(project.join(FOLDER)) else { return all };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .take(MAX_FILES)
        .collect();
    files.sort();
    for file in files {
        match read(project, file) {
            Ok(found) => all.found.push(found),
            Err(Some(problem)) => all.problems.push(problem),
            Err(None) => {}
        }
    }
    all
}

/// What one file says; nothing where it is only being written, or went away meanwhile.
fn read(project: &Path, path: PathBuf) -> Result<Announced, Option<String>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let problem = |why: &str| Some(format!("{name} is not believed: {why}"));
    let is_link = fs::symlink_metadata(&path).map_err(|_| None)?.is_symlink();
    if is_link {
        return Err(problem("it is a link"));
    }
    let file = fs::File::open(&path).map_err(|_| None)?;
    if let Some(why) = private::doubt(&file).map_err(|_| None)? {
        return Err(problem(why));
    }
    if !private::is_secret(&file).map_err(|_| None)? {
        return Err(problem("other users may read its token"));
    }
    let mut text = String::new();
    file.take(MAX_FILE).read_to_string(&mut text).map_err(|_| problem("it is no text"))?;
    if text.is_empty() {
        return Err(None);
    }
    let mut found: Announced =
        serde_json::from_str(&text).map_err(|error| problem(&error.to_string()))?;
    let is_here = fs::canonicalize(&found.project).ok() == fs::canonicalize(project).ok();
    if !is_here {
        return Err(problem(&format!("it is of the project {}", found.project)));
    }
    found.file = path;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use serde_json::json;

    use super::all;

    fn said(folder: &Folder, kind: &str, project: &str) -> String {
        let project = if project.is_empty() {
            folder.root().display().to_string()
        } else {
            project.to_owned()
        };
        json!({
            "protocol": 1, "version": "0.1.0", "kind": kind, "pid": 7, "port": 9, "token": "t", "project": project,
        })
        .to_string()
    }

    fn write(folder: &Folder, name: &str, text: &str) {
        let path = format!(".godot/scenewright/{name}");
        folder.write(&path, text);
        tighten(&folder.path(&path), 0o600);
    }

    #[cfg(unix)]
    fn tighten(path: &std::path::Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[cfg(not(unix))]
    fn tighten(_: &std::path::Path, _: u32) {}

    #[test]
    fn only_files_of_this_project_are_believed() {
        let folder = Folder::empty();
        assert!(all(folder.root()).found.is_empty());
        write(&folder, "editor-7.json", &said(&folder, "editor", ""));
        write(&folder, "game-7.json", &said(&folder, "game", "/somewhere/else"));
        write(&folder, "game-8.json", "{");
        write(&folder, "game-9.json", "");
        let all = all(folder.root());
        assert_eq!(all.found.len(), 1);
        assert_eq!(all.problems.len(), 2, "{:?}", all.problems);
        assert!(all.problems[0].contains("/somewhere/else"), "{:?}", all.problems);
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_read_is_none() {
        let folder = Folder::empty();
        write(&folder, "editor-7.json", &said(&folder, "editor", ""));
        for (mode, why) in [(0o644, "may read"), (0o622, "may write")] {
            tighten(&folder.path(".godot/scenewright/editor-7.json"), mode);
            let all = all(folder.root());
            assert!(all.found.is_empty());
            assert!(all.problems[0].contains(why), "{:?}", all.problems);
        }
    }
}
