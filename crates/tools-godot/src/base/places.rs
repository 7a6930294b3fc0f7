//! Folders of this machine that calls may name beside those of projects: the ones that the open
//! projects are in, since new projects are made next to them.

use std::path::{Component, Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Workspace;

use crate::base::Godot;

/// The folders that calls may look into: those that hold the open projects; where none is open, those
/// that one may be opened in.
pub fn allowed(workspace: &Workspace) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for project in workspace.projects() {
        // A project at the very top of a disk stands for itself.
        let folder = project.root.parent().filter(|parent| parent.parent().is_some());
        let folder = folder.unwrap_or(&project.root).to_owned();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    match folders.is_empty() {
        // The first project of all is made where the client works.
        true => workspace.workplaces(),
        false => folders,
    }
}

/// The folder that `text` names, whether it is there or not. A relative name is one next to the
/// first project; links are followed before it is decided.
pub fn find(workspace: &Workspace, text: &str) -> Result<PathBuf, ToolError> {
    let allowed = allowed(workspace);
    let refused = || {
        let names: Vec<String> = allowed.iter().map(|path| path.display().to_string()).collect();
        ToolError::new(ErrorKind::BadArguments, format!("That folder is not open here: {text}"))
            .hint(match names.is_empty() {
                true => "no project is open, and this server may open none".to_owned(),
                false => format!("name one below {}", names.join(" or ")),
            })
            .detail("path", text)
    };
    let first = allowed.first().ok_or_else(refused)?;
    let path = first.join(text.trim());
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(refused());
    }
    let real = real(&path).ok_or_else(refused)?;
    let is_inside = allowed
        .iter()
        .filter_map(|folder| self::real(folder))
        .any(|folder| real.starts_with(folder));
    if is_inside { Ok(real) } else { Err(refused()) }
}

/// A file that the engine is to write: in the project, or below one of the allowed folders.
pub fn find_file(godot: &Godot<'_>, text: &str) -> Result<PathBuf, ToolError> {
    let path = match godot.path(text) {
        Ok(inside) => {
            godot.cx.protected(godot.project)?.check(inside.as_str())?;
            find(godot.cx.workspace(), &godot.project.root.join(inside.as_str()).to_string_lossy())?
        }
        Err(_) if Path::new(text).is_absolute() => find(godot.cx.workspace(), text)?,
        Err(error) => return Err(error),
    };
    if path.is_dir() || path.file_name().is_none() {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} is a folder, and a file is to be written", path.display()),
        ));
    }
    Ok(path)
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> Option<PathBuf> {
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok())?;
    let rest = path.strip_prefix(there).ok()?;
    let there = scenewright_toolkit::workspace::canonical(there).ok()?;
    // Joining nothing would add a separator to the end.
    Some(if rest.as_os_str().is_empty() { there } else { there.join(rest) })
}
