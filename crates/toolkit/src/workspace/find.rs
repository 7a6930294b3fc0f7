//! Roots of projects in a folder of folders, without walking a whole disk.

use std::fs;
use std::path::{Path, PathBuf};

/// How deep below the given folder projects are looked for.
const MAX_DEPTH: usize = 6;
/// How many folders are looked at. A home folder has more, and is not a place to look in.
pub(super) const MAX_FOLDERS: usize = 20_000;

/// The folders in a folder that are roots of projects, itself included, sorted, at most so many
/// levels below it; and how many folders were looked at, [`MAX_FOLDERS`] at most. Projects inside projects are not looked
/// for, nor are links followed.
pub(super) fn find_roots(
    dir: &Path,
    max_depth: usize,
    is_root: &dyn Fn(&Path) -> bool,
) -> (Vec<PathBuf>, usize) {
    let mut found = Vec::new();
    let mut level = vec![dir.to_owned()];
    let mut budget = MAX_FOLDERS;
    // Level by level, so that the budget goes to the folders that are near.
    for depth in 0..=max_depth.min(MAX_DEPTH) {
        let mut below = Vec::new();
        for folder in level {
            if is_root(&folder) {
                found.push(folder);
                continue;
            }
            if depth < max_depth && budget > 0 {
                budget -= 1;
                below.extend(folders_in(&folder));
            }
        }
        level = below;
    }
    found.sort();
    (found, MAX_FOLDERS - budget)
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let skipped = ["Library", "Temp", "node_modules", "Logs", "obj", "target"];
        let is_skipped = name.starts_with('.') || skipped.contains(&&*name);
        !is_skipped && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    let mut folders: Vec<_> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
