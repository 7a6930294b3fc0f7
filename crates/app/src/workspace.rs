//! Which projects to open: those named, the one we stand in, or the bundled samples.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use scenewright_toolkit::workspace::canonical;
use scenewright_toolkit::{Kept, Workspace, WorkspaceError};
use scenewright_tools::ENGINES;

use crate::cli::{Check, Projects};
use crate::{os, samples, term};

/// Where the open projects came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user named them.
    Named,
    /// The current folder is, is in, or holds, a project.
    CurrentFolder,
    /// There was none; these are the bundled samples.
    Samples,
}

/// Open the projects, or the bundled samples where there is none.
pub(crate) fn open(projects: &Projects) -> Result<(Workspace, Origin)> {
    match find(projects)? {
        Some(found) => Ok(found),
        None => open_samples(),
    }
}

/// Open the projects. A report about the samples would be about nothing that anybody asked for.
pub(crate) fn open_own(projects: &Projects) -> Result<Workspace> {
    match find(projects)? {
        Some((workspace, _)) => Ok(workspace),
        None => bail!(
            "no project here: neither this folder, nor one above it, nor one right below it is a \
             Unity or Godot project; --project DIR names one, --sample takes the bundled ones"
        ),
    }
}

/// The projects that were named, or those of the current folder.
fn find(projects: &Projects) -> Result<Option<(Workspace, Origin)>> {
    if projects.sample {
        return open_samples().map(Some);
    }
    if !projects.folders.is_empty() {
        return Ok(Some((load(&projects.folders)?, Origin::Named)));
    }
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    if let Some(root) = root_above(&here) {
        return Ok(Some((load(&[root.to_owned()])?, Origin::CurrentFolder)));
    }
    match Workspace::open_near(ENGINES, &here, kept()) {
        Ok(workspace) => Ok(Some((workspace, Origin::CurrentFolder))),
        Err(WorkspaceError::NoProject(..)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What a check is about: the projects of its paths, those that were named, or all that are here. In a
/// repository these may lie deep; elsewhere the folder may be a home folder or a whole disk.
pub(crate) fn open_to_check(options: &Check) -> Result<Workspace> {
    let projects = &options.projects;
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    if projects.sample {
        return Ok(open_samples()?.0);
    }
    if !projects.folders.is_empty() {
        return load_to_check(&projects.folders);
    }
    let roots = options.paths.iter().map(|path| anchor(&here, path));
    let roots: Option<Vec<PathBuf>> = roots.collect();
    match roots.filter(|roots| !roots.is_empty()) {
        Some(roots) => load_to_check(&roots),
        None => open_here(&here),
    }
}

/// The projects that a folder is, is in, or holds.
pub(crate) fn open_here(here: &Path) -> Result<Workspace> {
    if let Some(root) = checked_above(here) {
        return load_to_check(&[root.to_owned()]);
    }
    let is_in_repository = scenewright_text::repository(here).is_some();
    let opened = match is_in_repository {
        true => Workspace::open_to_check(ENGINES, &[here.to_owned()], kept()),
        false => Workspace::open_near(ENGINES, here, kept()),
    };
    let workspace = match opened {
        Ok(workspace) => workspace,
        Err(WorkspaceError::NoProject(..)) if is_in_repository => bail!(
            "no project here: neither this folder, nor one above it, nor one below it is a Unity or \
             Godot project, a Godot addon or a Unity package; --project DIR names one"
        ),
        Err(WorkspaceError::NoProject(..)) => bail!(
            "no project here: neither this folder, nor one above it, nor one right below it is a \
             Unity or Godot project; --project DIR names one (`.` looks deeper), --sample takes the bundled ones"
        ),
        Err(error) => return Err(error.into()),
    };
    if !is_in_repository {
        let deeper =
            Workspace::count_below(ENGINES, here).saturating_sub(workspace.projects().len());
        if deeper > 0 {
            let more = scenewright_text::counted(deeper, "more project");
            term::note(&format!("{more} deeper in this folder; --project . checks all of them"));
        }
    }
    Ok(workspace)
}

fn load_to_check(folders: &[PathBuf]) -> Result<Workspace> {
    Ok(Workspace::open_to_check(ENGINES, folders, kept())?)
}

/// The project that a path is about, which may be a pattern or lead to nothing.
fn anchor(here: &Path, path: &Path) -> Option<PathBuf> {
    let text = path.to_string_lossy();
    let from_here = if text.starts_with("res://") { here.to_owned() } else { here.join(path) };
    let there = from_here.ancestors().find_map(|above| canonical(above).ok())?;
    let is_deeper = canonical(here).is_ok_and(|here| here != there)
        && Workspace::count_below(ENGINES, &there) > 0;
    checked_above(&there).map(Path::to_owned).or_else(|| is_deeper.then_some(there))
}

/// The project that a folder is or is in; where there is none, the addon or package.
pub(crate) fn checked_above(folder: &Path) -> Option<&Path> {
    let is_part = |folder: &&Path| ENGINES.iter().any(|engine| (engine.is_part)(folder));
    root_above(folder).or_else(|| folder.ancestors().find(is_part))
}

/// The projects that these folders are, are in, or hold; nothing where there is none.
pub(crate) fn open_folders(folders: &[PathBuf]) -> Result<Option<Workspace>> {
    let roots = folders.iter().map(|folder| root_above(folder).unwrap_or(folder).to_owned());
    let roots: Vec<PathBuf> =
        roots.filter(|root| load(std::slice::from_ref(root)).is_ok()).collect();
    if roots.is_empty() {
        return Ok(None);
    }
    Ok(Some(load(&roots)?))
}

fn kept() -> Kept {
    Kept { cache: os::cache_folder(), state: os::state_folder() }
}

/// The project that a folder is or is in, searched upwards as git does.
pub(crate) fn root_above(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| ENGINES.iter().any(|engine| (engine.is_root)(folder)))
}

fn open_samples() -> Result<(Workspace, Origin)> {
    let folders = samples::folders().context("the bundled samples cannot be unpacked")?;
    Ok((load(&folders)?, Origin::Samples))
}

fn load(folders: &[PathBuf]) -> Result<Workspace, WorkspaceError> {
    Workspace::open(ENGINES, folders, kept())
}
