//! Folders that faults happen in: what is in them, put there and put back.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{os, paths};

/// What the program keeps in a project while it writes, and is no part of the project.
pub(super) const HOT: &str = ".scenewright";

/// Everything in a folder, by path from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Folder,
    File(Vec<u8>),
    /// Where it leads.
    Link(PathBuf),
}

impl Tree {
    pub(super) fn read(root: &Path) -> Result<Tree> {
        let mut entries = BTreeMap::new();
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            for found in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
                let path = found?.path();
                let name = path.strip_prefix(root).expect("it is below").to_owned();
                if name == Path::new(HOT) {
                    continue;
                }
                let kind = fs::symlink_metadata(&path)?.file_type();
                let entry = if kind.is_symlink() {
                    Entry::Link(fs::read_link(&path)?)
                } else if kind.is_dir() {
                    open.push(path);
                    Entry::Folder
                } else {
                    Entry::File(fs::read(&path)?)
                };
                entries.insert(name, entry);
            }
        }
        Ok(Tree { entries })
    }

    /// The files, with their bytes.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.entries.iter().filter_map(|(path, entry)| match entry {
            Entry::File(bytes) => Some((path.as_path(), bytes.as_slice())),
            Entry::Folder | Entry::Link(_) => None,
        })
    }

    /// Whether every file is the same, whatever empty folders there are.
    pub(super) fn has_files_of(&self, other: &Tree) -> bool {
        self.without_folders().eq(other.without_folders())
    }

    fn without_folders(&self) -> impl Iterator<Item = (&PathBuf, &Entry)> {
        self.entries.iter().filter(|(_, entry)| **entry != Entry::Folder)
    }

    /// Make a folder be like this; what is there and the same stays.
    pub(super) fn restore(&self, root: &Path) -> Result<()> {
        let now = Tree::read(root)?;
        // Innermost first, so that folders are empty when their turn comes.
        for (path, entry) in now.entries.iter().rev() {
            if self.entries.get(path) == Some(entry) {
                continue;
            }
            let path = root.join(path);
            match entry {
                Entry::Folder => fs::remove_dir(&path),
                Entry::File(_) | Entry::Link(_) => fs::remove_file(&path),
            }
            .with_context(|| path.display().to_string())?;
        }
        for (path, entry) in &self.entries {
            if now.entries.get(path) != Some(entry) {
                let path = root.join(path);
                entry.make(&path).with_context(|| path.display().to_string())?;
            }
        }
        match fs::remove_dir_all(root.join(HOT)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The first paths in which two differ, for a message.
    pub(super) fn difference(&self, other: &Tree) -> String {
        let paths = self.entries.keys().chain(other.entries.keys());
        let mut differ: Vec<_> =
            paths.filter(|path| self.entries.get(*path) != other.entries.get(*path)).collect();
        differ.sort();
        differ.dedup();
        let shown: Vec<_> =
            differ.iter().take(4).map(|path| path.to_string_lossy().into_owned()).collect();
        format!("{} differ, such as {}", differ.len(), shown.join(", "))
    }
}

impl Entry {
    fn make(&self, path: &Path) -> io::Result<()> {
        match self {
            Entry::Folder => fs::create_dir(path),
            Entry::File(bytes) => fs::write(path, bytes),
            Entry::Link(to) => os::link(to, path),
        }
    }
}

/// Have the folder with nothing in it.
pub(super) fn empty(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| folder.display().to_string());
        }
        _ => {}
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// Copy a sample, `unity` or `godot`, into a folder; its id is then its name, as in the examples.
pub(super) fn copy_sample(name: &str, into: &Path) -> Result<PathBuf> {
    let project = into.join(name);
    fs::create_dir_all(&project)?;
    Tree::read(&paths::root().join("samples").join(name))?.restore(&project)?;
    Ok(project)
}

/// What an interrupted change left in a project and a start should have cleared away.
pub(super) fn leftovers(project: &Path) -> Result<Vec<String>> {
    let tree = Tree::read(project)?;
    let is_temporary = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(".scenewright-")
    };
    let mut left: Vec<String> = tree
        .entries
        .keys()
        .filter(|path| is_temporary(path))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    left.extend(pending(project).into_iter().map(|name| format!("{HOT}/{name}")));
    Ok(left)
}

/// The changes that are under way in a project, or were interrupted.
pub(super) fn pending(project: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(project.join(HOT)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".intent")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_back_what_was_there() {
        let root = paths::target().join("tmp").join("faults-places");
        empty(&root).expect("a folder");
        fs::create_dir(root.join("a")).expect("a folder");
        fs::write(root.join("a/one"), "1").expect("a file");
        let before = Tree::read(&root).expect("it is there");
        fs::remove_dir_all(root.join("a")).expect("it goes");
        fs::write(root.join("a"), "a file now").expect("a file");
        fs::write(root.join(".scenewright-x.tmp"), "").expect("a file");
        let after = Tree::read(&root).expect("it is there");
        assert_eq!(before.difference(&after), "3 differ, such as .scenewright-x.tmp, a, a/one");
        assert_eq!(leftovers(&root).expect("it is there"), [".scenewright-x.tmp"]);
        before.restore(&root).expect("it is put back");
        assert_eq!(Tree::read(&root).expect("it is there"), before);
        fs::remove_dir_all(&root).expect("it goes");
    }
}
