//! The files below a folder of a project, in a stable order.

use std::path::{Path, PathBuf};

use scenewright_contract::ToolError;

use crate::Cx;

/// Folders deeper than this are not looked into; no real project comes near it.
const MAX_DEPTH: usize = 64;

/// Call `visit` with each file below `folder` and its name from the project's root, sorted by
/// name; false ends the walk. Hidden files and links are passed over, so that nothing outside the
/// project is read.
pub fn walk(
    cx: &Cx,
    folder: &Path,
    name: &str,
    visit: &mut dyn FnMut(&Path, &str) -> Result<bool, ToolError>,
) -> Result<(), ToolError> {
    // A stack of sorted entries, last first: depth-first without recursion.
    let mut waiting: Vec<(PathBuf, String, usize)> = entries(folder, name, 0);
    while let Some((path, name, depth)) = waiting.pop() {
        cx.check_cancelled()?;
        let Ok(kind) = path.symlink_metadata() else { continue };
        if kind.is_dir() && depth < MAX_DEPTH {
            waiting.extend(entries(&path, &name, depth + 1));
        } else if kind.is_file() && !visit(&path, &name)? {
            return Ok(());
        }
    }
    Ok(())
}

fn entries(folder: &Path, name: &str, depth: usize) -> Vec<(PathBuf, String, usize)> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(PathBuf, String, usize)> = read
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let own = path.file_name()?.to_str()?.to_owned();
            let full = if name.is_empty() { own.clone() } else { format!("{name}/{own}") };
            (!own.starts_with('.')).then_some((path, full, depth))
        })
        .collect();
    found.sort_by(|a, b| b.1.cmp(&a.1));
    found
}

/// A glob as EditorMCP's tools take it: `*`, `?`, `**/`; without a `/` it is about the file name.
pub fn glob(pattern: &str) -> Result<globset::GlobMatcher, ToolError> {
    let pattern = pattern.replace('\\', "/");
    let anywhere = if pattern.contains('/') { pattern } else { format!("**/{pattern}") };
    globset::GlobBuilder::new(&anywhere)
        .literal_separator(true)
        .case_insensitive(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| {
            ToolError::bad_argument("pattern", &format!("Invalid glob pattern: {error}"))
        })
}
