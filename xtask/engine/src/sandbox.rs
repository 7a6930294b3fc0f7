//! Copies of the sample project that tools may change, and what they changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Folders of the sample nest less deep.
const MAX_DEPTH: usize = 16;

/// A copy of the sample, and beside it a home for the programs that run on it.
pub(crate) struct Sandbox {
    folder: PathBuf,
}

/// Paths from the project's root, with `/`, and what differs.
pub(crate) struct Changes {
    /// Files that are new or have other content.
    written: Vec<String>,
    removed: Vec<String>,
    /// Whether the engine's caches are stale.
    need_import: bool,
    /// Whether an engine that runs already would not see them.
    need_start: bool,
}

/// Files by their paths from the project's root.
pub(crate) type Contents = BTreeMap<String, Vec<u8>>;

/// Of which files every value is looked at.
pub(crate) enum Scope<'a> {
    Everything,
    Only(&'a Changes),
}

/// Files of a project, for the engine to read.
pub(crate) struct Files {
    /// All that the engine loads.
    pub(crate) all: Vec<String>,
    /// Those whose values are looked at.
    pub(crate) close: Vec<String>,
}

impl Sandbox {
    /// The sample as it is in the repository.
    pub(crate) fn pristine(folder: &Path) -> Result<Sandbox> {
        copy(&crate::sample(), folder)
    }

    /// A copy of a project.
    pub(crate) fn of(project: &Path, folder: &Path) -> Result<Sandbox> {
        copy(project, folder)
    }

    /// One that was made before.
    pub(crate) fn at(folder: &Path) -> Sandbox {
        Sandbox { folder: folder.to_owned() }
    }

    pub(crate) fn copy_to(&self, folder: &Path) -> Result<Sandbox> {
        copy(&self.root(), folder)
    }

    /// The project. Examples name it `godot`.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join("godot")
    }

    /// Another project beside this one.
    pub(crate) fn neighbour(&self) -> Result<Option<PathBuf>> {
        let is_other =
            |path: &PathBuf| *path != self.root() && path.join("project.godot").is_file();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if is_other(&path) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Forget it; what cannot be removed is in nobody's way.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// A file beside the project.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Keep a program from the files of this machine's user: undo journals, caches and settings.
    pub(crate) fn at_home<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for name in ["HOME", "APPDATA", "LOCALAPPDATA"] {
            command.env(name, self.beside("home"));
        }
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command
    }

    /// The files that the engine is asked about.
    pub(crate) fn files(&self, scope: Scope<'_>) -> Result<Files> {
        let is_read =
            |path: &&String| matches!(extension(path), "tscn" | "tres" | "gd" | "gdshader");
        let all: Vec<String> = self.contents()?.into_keys().collect();
        let close = match scope {
            Scope::Everything => all.clone(),
            Scope::Only(changes) => changes.written.clone(),
        };
        Ok(Files { all: all.iter().filter(is_read).cloned().collect(), close })
    }

    /// Every file but the engine's caches.
    pub(crate) fn contents(&self) -> Result<Contents> {
        let mut files = Contents::new();
        visit(&self.root(), |path, local| {
            if !local.starts_with(".godot/") {
                files.insert(local.to_owned(), fs::read(path)?);
            }
            Ok(())
        })?;
        Ok(files)
    }
}

impl Changes {
    pub(crate) fn between(old: &Contents, new: &Contents) -> Changes {
        let is_new = |(path, content): &(&String, &Vec<u8>)| old.get(*path) != Some(*content);
        let written: Vec<_> = new.iter().filter(is_new).collect();
        let removed =
            old.keys().filter(|path| !new.contains_key(*path)).cloned().collect::<Vec<_>>();
        // A path that is gone is still in the cache of uids.
        let need_import =
            !removed.is_empty() || written.iter().any(|(path, content)| is_cached(path, content));
        let need_start = need_import || written.iter().any(|(path, _)| is_kept(path));
        let written = written.into_iter().map(|(path, _)| path.clone()).collect();
        Changes { written, removed, need_import, need_start }
    }

    /// Files that are new or have other content.
    pub(crate) fn written(&self) -> &[String] {
        &self.written
    }

    pub(crate) fn len(&self) -> usize {
        self.written.len() + self.removed.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn need_import(&self) -> bool {
        self.need_import
    }

    pub(crate) fn need_start(&self) -> bool {
        self.need_start
    }
}

fn copy(project: &Path, folder: &Path) -> Result<Sandbox> {
    let sandbox = Sandbox { folder: folder.to_owned() };
    fs::create_dir_all(sandbox.beside("home"))?;
    visit(project, |path, local| {
        let place = sandbox.root().join(local);
        fs::create_dir_all(place.parent().expect("it is below the project"))?;
        // Not `fs::copy`: what nobody may write there has to be written here.
        fs::write(&place, fs::read(path)?)?;
        // By its time the engine knows what it imported already.
        let changed = fs::metadata(path)?.modified()?;
        fs::File::options().write(true).open(place)?.set_modified(changed)?;
        Ok(())
    })?;
    Ok(sandbox)
}

/// Every file below a folder, with its path from there.
pub(crate) fn visit(root: &Path, mut each: impl FnMut(&Path, &str) -> Result<()>) -> Result<()> {
    let mut open = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, local, depth)) = open.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let local = format!("{local}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type()?;
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((entry.path(), format!("{local}/"), depth + 1));
            } else if kind.is_file() {
                each(&entry.path(), &local)?;
            }
        }
    }
    Ok(())
}

/// Whether the engine knows something of such a file only after an import: assets, and the names of
/// classes.
fn is_cached(path: &str, content: &[u8]) -> bool {
    match extension(path) {
        "tscn" | "tres" | "godot" | "cfg" | "uid" | "gdshader" | "md" | "txt" => false,
        "gd" => content.windows(11).any(|word| word == b"class_name "),
        _ => true,
    }
}

/// Whether the engine reads such a file once and keeps what it read.
fn is_kept(path: &str) -> bool {
    path == "project.godot" || matches!(extension(path), "gd" | "gdshader" | "uid")
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_engine_caches_costs_an_import() {
        assert!(is_cached("a/b.png", b""));
        assert!(is_cached("a.gd", b"class_name Coin\nextends Node\n"));
        assert!(!is_cached("a.gd", b"extends Node\n"));
        assert!(!is_cached("a.b/c.tscn", b""));
    }

    #[test]
    fn sees_what_came_changed_and_went() -> Result<()> {
        let folder = xtask::paths::target().join("tmp").join("test-sandbox");
        let _ = fs::remove_dir_all(&folder);
        let before = Sandbox::pristine(&folder.join("before"))?;
        let after = before.copy_to(&folder.join("after"))?;
        let changes =
            || -> Result<Changes> { Ok(Changes::between(&before.contents()?, &after.contents()?)) };
        assert!(changes()?.is_empty());
        fs::write(after.root().join("new.tscn"), "")?;
        fs::write(after.root().join("project.godot"), "")?;
        fs::remove_file(after.root().join("icon.svg"))?;
        let changes = changes()?;
        assert_eq!(changes.written, ["new.tscn", "project.godot"]);
        assert_eq!(changes.removed, ["icon.svg"]);
        assert!(changes.need_import() && changes.need_start());
        fs::remove_dir_all(&folder)?;
        Ok(())
    }
}
