//! The files by which editors and games say where they listen.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use scenewright_text::{links, private, regular};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::os::{self, Owner};

/// Where the addon leaves them, from the project's root.
const FOLDER: &str = ".godot/scenewright";
/// A file that is longer is something else.
const MAX_FILE: u64 = 16 * 1024;
/// So many are looked at, the newest.
const MAX_FILES: usize = 64;
/// So many names are read; more are a folder of something else.
const MAX_NAMES: usize = 4096;
/// The addon draws 32 bytes, and writes them as digits.
const MIN_TOKEN: usize = 32;

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
    /// Where that number counts; empty where there is only one such space, or it cannot be told.
    #[serde(default)]
    pub(super) space: String,
    /// The port on this machine.
    pub(super) port: u16,
    /// What both sides prove to know.
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

/// Why a process that announced itself is not spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Absent {
    /// It is gone.
    Gone,
    /// Somebody else has its port.
    Taken,
}

impl Announced {
    /// What speaks against speaking to it, as far as the system tells. Where it tells nothing, the
    /// proof of the token alone decides.
    pub(super) fn look(&self) -> Result<(), Absent> {
        // In a sandbox ids count from 1, and mean other processes here.
        let is_elsewhere = !self.space.is_empty() && self.space != os::process_space();
        if !is_elsewhere && matches!(os::owner_of_process(self.pid), Owner::Other | Owner::Nobody) {
            return Err(Absent::Gone);
        }
        match os::owner_of_port(self.port) {
            Owner::Other => Err(Absent::Taken),
            Owner::Us | Owner::Nobody | Owner::Unknown => Ok(()),
        }
    }

    /// Take the file away that a process left behind which is gone.
    pub(super) fn forget(&self, project: &Path) {
        // It was a file of ours when it was read; what its folder is now is looked at again.
        if links::stays_inside(project, &self.file) {
            #[expect(
                clippy::disallowed_methods,
                reason = "the addon's own file, in the engine's cache"
            )]
            let _ = fs::remove_file(&self.file);
        }
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
        .take(MAX_NAMES)
        .collect();
    if files.len() > MAX_FILES {
        // Those of processes that crashed stay until something is written.
        files.sort_by_cached_key(|path| {
            let modified = fs::symlink_metadata(path).and_then(|found| found.modified());
            std::cmp::Reverse(modified.ok())
        });
        files.truncate(MAX_FILES);
    }
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
    let file = match regular::open(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
            return Err(problem(&error.to_string()));
        }
        file => file.map_err(|_| None)?,
    };
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
    if found.token.len() < MIN_TOKEN {
        return Err(problem("its token is too short to be one"));
    }
    // A relative path would be that of whatever project this program was started in.
    let is_here = Path::new(&found.project).is_absolute()
        && fs::canonicalize(&found.project).ok() == fs::canonicalize(project).ok();
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
            "protocol": 2, "version": "0.1.0", "kind": kind, "pid": 7, "port": 9, "token": "t".repeat(64), "project": project,
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

    /// `.` would be this very project for a program that was started in it.
    #[cfg(unix)]
    #[test]
    fn a_relative_project_is_none_even_where_it_leads_here() {
        let folder = Folder::empty();
        let here = std::env::current_dir().unwrap();
        let up = "../".repeat(here.components().count());
        let relative = format!("{up}{}", &folder.root().to_str().unwrap()[1..]);
        let leads_here = std::fs::canonicalize(&relative).unwrap();
        assert_eq!(leads_here, std::fs::canonicalize(folder.root()).unwrap());
        write(&folder, "editor-1.json", &said(&folder, "editor", &relative));
        let all = all(folder.root());
        assert!(all.found.is_empty(), "{:?}", all.found);
        assert!(all.problems[0].contains("it is of the project ../"), "{:?}", all.problems);
    }

    #[test]
    fn a_token_that_could_be_guessed_does_not_count() {
        let folder = Folder::empty();
        let text = said(&folder, "editor", "").replace(&"t".repeat(64), "");
        write(&folder, "editor-2.json", &text);
        let all = all(folder.root());
        assert!(all.found.is_empty(), "{:?}", all.found);
        assert!(all.problems[0].contains("too short"), "{:?}", all.problems);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = Folder::empty();
        write(&folder, "editor-1.json", &said(&folder, "editor", ""));
        let pipe = folder.path(".godot/scenewright/editor-2.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path(".godot/scenewright/editor-3.json");
        std::os::unix::fs::symlink(folder.path(".godot/scenewright/editor-1.json"), link).unwrap();
        let root = folder.root().to_owned();
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || tell.send(all(&root)));
        let all = told.recv_timeout(std::time::Duration::from_secs(10)).expect("it waits");
        assert_eq!(all.found.len(), 1);
        assert_eq!(
            all.problems,
            [
                "editor-2.json is not believed: it is a pipe, not a file",
                "editor-3.json is not believed: it is a link, not a file"
            ]
        );
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
