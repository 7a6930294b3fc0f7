//! The files below a folder of a project, in a stable order.

use std::path::{Path, PathBuf};

use scenewright_contract::ToolError;
use scenewright_text::beneath::{self, Kind};

use crate::door::{self, ProjectPath};
use crate::{Cx, Project};

/// Folders deeper than this are not looked into; no real project comes near it.
const MAX_DEPTH: usize = 64;

/// The bytes of a file that a walk came to, as they will be where it waits in a batch.
pub fn read(cx: &Cx, project: &Project, path: &Path, name: &str) -> std::io::Result<Vec<u8>> {
    let staged =
        ProjectPath::parse(project, name).ok().and_then(|at| door::staged(cx, project, &at));
    staged.map_or_else(|| beneath::read(&project.root, path), Ok)
}

/// Call `visit` with each file below `folder` and its name from the project's root, sorted by
/// name; false ends the walk. Hidden files and links are passed over, so that nothing outside the
/// project is read. Files that wait in a batch are there, and those that it removes are not.
pub fn walk(
    cx: &Cx,
    project: &Project,
    folder: &Path,
    name: &str,
    visit: &mut dyn FnMut(&Path, &str) -> Result<bool, ToolError>,
) -> Result<(), ToolError> {
    let staged = door::staged_paths(cx, project);
    if staged.is_empty() {
        return walk_disk(cx, project, folder, name, visit);
    }
    let mut files = Vec::new();
    walk_disk(cx, project, folder, name, &mut |path, name| {
        files.push((path.to_owned(), name.to_owned()));
        Ok(true)
    })?;
    files.retain(|(_, name)| staged.iter().all(|(path, _)| path.as_str() != name));
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    let below = staged.into_iter().filter(|(path, is_there)| {
        let rest = path.as_str().strip_prefix(name);
        let is_below = rest.is_some_and(|rest| name.is_empty() || rest.starts_with('/'));
        *is_there && is_below && !is_hidden(path.as_str())
    });
    files.extend(below.map(|(path, _)| (project.root.join(path.as_str()), path.to_string())));
    files.sort_by(|(_, a), (_, b)| a.split('/').cmp(b.split('/')));
    for (path, name) in files {
        cx.check_cancelled()?;
        if !visit(&path, &name)? {
            break;
        }
    }
    Ok(())
}

fn walk_disk(
    cx: &Cx,
    project: &Project,
    folder: &Path,
    name: &str,
    visit: &mut dyn FnMut(&Path, &str) -> Result<bool, ToolError>,
) -> Result<(), ToolError> {
    // A stack of sorted entries, last first: depth-first without recursion.
    let root = &project.root;
    let mut waiting: Vec<Waiting> = entries(root, folder, name, 0);
    while let Some(Waiting { path, name, kind, depth }) = waiting.pop() {
        cx.check_cancelled()?;
        if kind == Kind::Folder && depth < MAX_DEPTH {
            waiting.extend(entries(root, &path, &name, depth + 1));
        } else if kind == Kind::File && !visit(&path, &name)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Something that a walk has yet to come to.
struct Waiting {
    path: PathBuf,
    /// From the project's root.
    name: String,
    kind: Kind,
    depth: usize,
}

fn entries(root: &Path, folder: &Path, name: &str, depth: usize) -> Vec<Waiting> {
    let listed = beneath::list(root, folder).unwrap_or_default();
    let mut found: Vec<Waiting> = listed
        .into_iter()
        .filter_map(|entry| {
            let own = entry.name.to_str()?;
            let full = if name.is_empty() { own.to_owned() } else { format!("{name}/{own}") };
            let path = folder.join(own);
            let kind = entry.kind;
            (!own.starts_with('.')).then_some(Waiting { path, name: full, kind, depth })
        })
        .collect();
    found.sort_by(|a, b| b.name.cmp(&a.name));
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
