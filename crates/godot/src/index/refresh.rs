//! A new snapshot from an old one and the paths of files that may have changed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::walk::{self, FoundFile};
use super::{FileEntry, Index, read};
use crate::Recent;

/// What a path turned out to be.
enum Seen {
    /// Nothing that is listed.
    Nothing,
    /// A file of this path from the root, if it is there.
    File(String, Option<FoundFile>),
    /// Something of which only a walk tells what it means.
    Unclear,
}

fn put(
    files: &mut Vec<Arc<FileEntry>>,
    place: Result<usize, usize>,
    entry: Option<Arc<FileEntry>>,
) {
    match (place, entry) {
        (Ok(at), Some(entry)) => files[at] = entry,
        (Ok(at), None) => drop(files.remove(at)),
        (Err(at), Some(entry)) => files.insert(at, entry),
        (Err(_), None) => {}
    }
}

impl Index {
    /// Looks at these paths again, whether they came, changed or went. Nothing when that takes a
    /// walk through the project.
    pub(super) fn refreshed(&self, changed: &[PathBuf], recent: &Recent) -> Option<Index> {
        let mut files = self.files.clone();
        for path in changed.iter().collect::<BTreeSet<_>>() {
            let (path, found) = match self.look(path) {
                Seen::Nothing => continue,
                Seen::File(path, found) => (path, found),
                Seen::Unclear => return None,
            };
            let place = files.binary_search_by(|file| file.path.cmp(&path));
            let entry = found.map(|found| self.entry(&found, recent));
            put(&mut files, place, entry);
        }
        Some(Index::of(&self.root, files, self.unlisted.clone()))
    }

    /// The snapshot as it would be with these files: their content, or nothing where they go.
    pub fn with_planned<'p>(
        &self,
        planned: impl IntoIterator<Item = (&'p str, Option<&'p [u8]>)>,
        recent: &Recent,
    ) -> Index {
        let mut files = self.files.clone();
        let is_listed = |path: &str| !path.split('/').any(|name| name.starts_with('.'));
        for (path, content) in planned.into_iter().filter(|(path, _)| is_listed(path)) {
            let place = files.binary_search_by(|file| file.path.as_str().cmp(path));
            let entry = content.map(|bytes| Arc::new(read::read_planned(path, bytes, recent)));
            put(&mut files, place, entry);
        }
        Index::of(&self.root, files, self.unlisted.clone())
    }

    fn entry(&self, found: &FoundFile, recent: &Recent) -> Arc<FileEntry> {
        let read = || Arc::new(read::read(&self.root, found, Some(recent)));
        self.unchanged(found).unwrap_or_else(read)
    }

    fn look(&self, path: &Path) -> Seen {
        let Ok(below) = path.strip_prefix(&self.root) else { return Seen::Nothing };
        let mut names = Vec::new();
        for part in below.components() {
            let Component::Normal(name) = part else { return Seen::Unclear };
            // What cannot be said in UTF-8 is not listed, and a walk tells that.
            let Some(name) = name.to_str() else { return Seen::Unclear };
            if name == ".gdignore" {
                return Seen::Unclear;
            }
            if name.starts_with('.') {
                return Seen::Nothing;
            }
            names.push(name);
        }
        let local = names.join("/");
        let folder = local.rsplit_once('/').map_or("", |(folder, _)| folder);
        // A folder that has files in the index is neither hidden, ignored nor a link.
        let is_known = folder.is_empty() || self.has_folder(folder);
        let is_unlisted = self.unlisted.iter().any(|problem| problem.path == local);
        if !is_known || is_unlisted || self.has_folder(&local) {
            return Seen::Unclear;
        }
        match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_file() => {
                let found = walk::found(local.clone(), &meta);
                Seen::File(local, Some(found))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Seen::File(local, None),
            _ => Seen::Unclear,
        }
    }

    /// Whether files are listed below a folder.
    fn has_folder(&self, folder: &str) -> bool {
        let prefix = format!("{folder}/");
        let first = self.files.partition_point(|file| file.path < prefix);
        self.files.get(first).is_some_and(|file| file.path.starts_with(&prefix))
    }
}
