//! Where the paths of a plan are on disk, after links, and whether they may be written there.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::beneath;

use crate::Project;
use crate::paths::{ProjectPath, foreign_owner, not_portable};

/// The place of one file.
#[derive(Debug)]
pub(super) struct Place {
    /// Without links, so that a linked file is written where it is.
    pub(super) path: PathBuf,
    /// What is there; nothing when there is no such file.
    pub(super) meta: Option<Metadata>,
    /// The path is a link to it.
    pub(super) is_link: bool,
    /// Folders that have to be made first, outermost first.
    pub(super) missing: Vec<PathBuf>,
}

/// The project's root without links.
pub(super) fn root(project: &Project) -> PathBuf {
    project.root.canonicalize().unwrap_or_else(|_| project.root.clone())
}

/// A path below the root. Name by name, because `/` is no separator in the long form of Windows paths.
pub(super) fn below(root: &Path, name: &str) -> PathBuf {
    let mut path = root.to_owned();
    path.extend(name.split('/'));
    path
}

/// The path from the root to a place below it, with `/`.
pub(super) fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// Find a file, or the place where it would be.
pub(super) fn locate(project: &Project, path: &ProjectPath) -> Result<Place, ToolError> {
    let root = root(project);
    let full = below(&root, path.as_str());
    match fs::symlink_metadata(&full) {
        Ok(there) => {
            let real = inside(project, &root, &full, path)?;
            let meta = fs::metadata(&real).map_err(|error| unreadable(path, &error))?;
            if !meta.is_file() {
                return Err(refused(path, "is no regular file"));
            }
            let is_link = there.is_symlink();
            Ok(Place { path: real, meta: Some(meta), is_link, missing: Vec::new() })
        }
        Err(error) if is_absent(&error) => {
            let (folder, missing) = folder(project, &root, path)?;
            let name = full.file_name().unwrap_or_default();
            let parent = missing.last().unwrap_or(&folder);
            Ok(Place { path: parent.join(name), meta: None, is_link: false, missing })
        }
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// Find a folder, or the place where it would be. A link is none, wherever it leads.
pub(super) fn locate_folder(project: &Project, path: &ProjectPath) -> Result<PathBuf, ToolError> {
    let (parent, missing) = folder(project, &root(project), path)?;
    let parent = missing.into_iter().last().unwrap_or(parent);
    let folder = parent.join(path.parts().last().unwrap_or_default());
    match fs::symlink_metadata(&folder) {
        Ok(there) if !there.is_dir() => Err(refused(path, "is no folder")),
        Err(error) if !is_absent(&error) => Err(unreadable(path, &error)),
        _ => Ok(folder),
    }
}

/// The innermost folder on the way that exists, and those below it that do not.
fn folder(
    project: &Project,
    root: &Path,
    path: &ProjectPath,
) -> Result<(PathBuf, Vec<PathBuf>), ToolError> {
    let folders: Vec<&str> = path.parts().collect();
    let folders = &folders[..folders.len() - 1];
    let mut there = root.to_owned();
    for (depth, name) in folders.iter().enumerate() {
        let next = there.join(name);
        if matches!(fs::symlink_metadata(&next), Err(error) if is_absent(&error)) {
            let missing = folders[depth..].iter().scan(there.clone(), |folder, name| {
                folder.push(name);
                Some(folder.clone())
            });
            return Ok((there, missing.collect()));
        }
        there = inside(project, root, &next, path)?;
        if !there.is_dir() {
            return Err(refused(path, &format!("is below {name}, which is no folder")));
        }
    }
    Ok((there, Vec::new()))
}

/// The path without links, if that is still inside the project and the project's own.
fn inside(
    project: &Project,
    root: &Path,
    full: &Path,
    path: &ProjectPath,
) -> Result<PathBuf, ToolError> {
    let real = full.canonicalize().map_err(|error| match is_absent(&error) {
        true => refused(path, "is a link that leads nowhere"),
        false => unreadable(path, &error),
    })?;
    let outside = || {
        ToolError::new(ErrorKind::BadArguments, format!("Path must be inside the project: {path}"))
            .hint("the path leaves the project through a link")
            .detail("path", path.as_str())
    };
    let relative = real.strip_prefix(root).map_err(|_| outside())?;
    let names: Option<Vec<&str>> = relative.iter().map(|name| name.to_str()).collect();
    match foreign_owner(project, names.ok_or_else(outside)?.into_iter()) {
        Some(owner) => Err(refused(path, &format!("leads to a place of {owner} through a link"))),
        None => Ok(real),
    }
}

/// Whether a file of this name may come to be: on every system, and beside what is there already.
/// `leaving` goes away at the same time, so that a rename may change the case of a name.
pub(super) fn check_new(
    project: &Project,
    path: &ProjectPath,
    leaving: Option<&ProjectPath>,
) -> Result<(), ToolError> {
    let root = root(project);
    let mut folder = root.clone();
    let mut so_far = String::new();
    for name in path.parts() {
        if !so_far.is_empty() {
            so_far.push('/');
        }
        if let Some(clash) = clash(&root, &folder, name) {
            let other = format!("{so_far}{clash}");
            if leaving.is_none_or(|leaving| leaving.as_str() != other) {
                return Err(refused(path, &format!("differs from {other} only in case"))
                    .hint("some systems take both for one file; use the name that is there"));
            }
        }
        so_far.push_str(name);
        folder.push(name);
        if fs::symlink_metadata(&folder).is_err()
            && let Some(why) = not_portable(name)
        {
            let text = format!("{path} cannot be made: {why}");
            return Err(ToolError::new(ErrorKind::BadArguments, text)
                .hint("choose a name that every system takes")
                .detail("path", path.as_str()));
        }
    }
    Ok(())
}

/// Another entry of the folder with the same name in other letters.
fn clash(root: &Path, folder: &Path, name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let mut clash = None;
    for entry in beneath::list(root, folder).ok()? {
        let Ok(other) = entry.name.into_string() else { continue };
        if other == name {
            return None;
        }
        if other.to_lowercase() == lower {
            clash = Some(other);
        }
    }
    clash
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn refused(path: &ProjectPath, why: &str) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{path} {why}")).detail("path", path.as_str())
}

fn unreadable(path: &ProjectPath, error: &io::Error) -> ToolError {
    refused(path, &format!("cannot be read: {error}"))
}
