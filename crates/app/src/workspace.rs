//! Which projects to open: those named, the one we stand in, or the bundled samples.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use scenewright_toolkit::{Kept, Workspace, WorkspaceError};
use scenewright_tools::ENGINES;

use crate::cli::Projects;
use crate::{os, samples};

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
