//! Which projects to open: those named, the one we stand in, or the bundled samples.

use std::path::PathBuf;

use anyhow::{Context, Result};
use scenewright_toolkit::{Kept, Workspace, WorkspaceError};
use scenewright_tools::ENGINES;

use crate::cli::Projects;
use crate::{os, samples};

/// Where the open projects came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user named them.
    Named,
    /// The current folder is, or holds, a project.
    CurrentFolder,
    /// There was none; these are the bundled samples.
    Samples,
}

/// Open the projects.
pub(crate) fn open(projects: &Projects) -> Result<(Workspace, Origin)> {
    if !projects.folders.is_empty() {
        return Ok((load(&projects.folders)?, Origin::Named));
    }
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    match Workspace::open_near(ENGINES, &here, kept()) {
        Ok(workspace) => Ok((workspace, Origin::CurrentFolder)),
        Err(WorkspaceError::NoProject(..)) => {
            let folders = samples::folders().context("the bundled samples cannot be unpacked")?;
            Ok((load(&folders)?, Origin::Samples))
        }
        Err(error) => Err(error.into()),
    }
}

fn kept() -> Kept {
    Kept { cache: os::cache_folder(), state: os::state_folder() }
}

fn load(folders: &[PathBuf]) -> Result<Workspace, WorkspaceError> {
    Workspace::open(ENGINES, folders, kept())
}
