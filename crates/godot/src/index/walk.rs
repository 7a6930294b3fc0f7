//! The files of a project, listed as Godot does.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use scenewright_text::beneath::{self, Entry, Kind};
use scenewright_text::links;

use super::{FileKind, IndexProblem};

/// The files of a project by path.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: Vec<FoundFile>,
    pub(super) problems: Vec<IndexProblem>,
}

pub(super) struct FoundFile {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) modified: i64,
}

/// Deeper trees are not real; systems refuse their paths sooner or later.
const MAX_DEPTH: usize = 64;
const MAX_FILES: usize = 1_000_000;

/// Lists a project as Godot does: without hidden folders and those with a `.gdignore`.
pub(super) fn walk(root: &Path) -> Found {
    let mut found = Found::default();
    let mut open = vec![(String::new(), 0)];
    while let Some((folder, depth)) = open.pop() {
        if found.files.len() >= MAX_FILES {
            found.hidden(&folder, format!("only the first {MAX_FILES} files are listed"));
            break;
        }
        match list(root, &folder, &mut found) {
            Ok(below) if depth < MAX_DEPTH => {
                open.extend(below.into_iter().map(|path| (path, depth + 1)));
            }
            Ok(below) if below.is_empty() => {}
            Ok(_) => found.hidden(&folder, "folders nest too deep below this one".into()),
            Err(error) => found.hidden(&folder, format!("the folder cannot be read: {error}")),
        }
    }
    found.files.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

/// Adds the files of a folder and returns the folders in it.
fn list(root: &Path, folder: &str, found: &mut Found) -> io::Result<Vec<String>> {
    let disk = root.join(folder);
    // The root may have one without meaning it; Godot looks only below it.
    if !folder.is_empty() && disk.join(".gdignore").exists() {
        return Ok(Vec::new());
    }
    let mut below = Vec::new();
    for Entry { name, kind } in beneath::list(root, &disk)? {
        let entry = disk.join(&name);
        let (name, is_unicode) = match name.into_string() {
            Ok(name) => (name, true),
            Err(name) => (name.to_string_lossy().into_owned(), false),
        };
        if name.starts_with('.') {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let is_link = kind == Kind::Link;
        if is_link && !links::leads_inside(root, &entry) {
            let is_folder = fs::metadata(entry).is_ok_and(|meta| meta.is_dir());
            found.problem(&path, links::LEAVES.into(), is_folder);
            continue;
        }
        let Ok(meta) = fs::metadata(entry) else {
            found.problem(&path, "a link that leads nowhere".into(), false);
            continue;
        };
        if !is_unicode {
            found.problem(&path, "the name is not Unicode".into(), meta.is_dir());
        } else if meta.is_dir() && is_link {
            // What is in it is listed where it really is.
            let message = "a link to a folder, which is not followed".into();
            found.problems.push(IndexProblem { path, message, may_use: false });
        } else if meta.is_dir() {
            below.push(path);
        } else if meta.is_file() {
            found.files.push(self::found(path, &meta));
        }
    }
    Ok(below)
}

/// A file with what its folder tells of it.
pub(super) fn found(path: String, meta: &fs::Metadata) -> FoundFile {
    FoundFile { path, size: meta.len(), modified: meta.modified().map_or(0, nanoseconds) }
}

/// Nanoseconds since 1970.
pub(super) fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

impl Found {
    /// A folder with files that are not listed.
    fn hidden(&mut self, path: &str, message: String) {
        self.problem(path, message, true);
    }

    fn problem(&mut self, path: &str, message: String, is_folder: bool) {
        let is_text = !matches!(FileKind::of_path(path), FileKind::Other | FileKind::Uid);
        let may_use = is_folder || is_text;
        self.problems.push(IndexProblem { path: path.into(), message, may_use });
    }
}
