//! Which projects a command or a server opens: where they are looked for, and what is said where there
//! is none.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use scenewright_toolkit::workspace::{Places, Samples, canonical};
use scenewright_toolkit::{Kept, Workspace, WorkspaceError};
use scenewright_tools::ENGINES;

use crate::cli::{Check, Projects, Serve};
use crate::{os, samples, term};

/// Open the projects of a command. A report about the samples would be about nothing that anybody asked
/// for.
pub(crate) fn open_own(projects: &Projects) -> Result<Workspace> {
    match find(projects)? {
        Some(workspace) => Ok(workspace),
        None => bail!(
            "no project here: neither this folder, nor one above it, nor one right below it is a \
             Unity or Godot project; --project DIR names one, --sample takes the bundled ones"
        ),
    }
}

/// The projects that were named, or those of the working folder; none where there is none.
pub(crate) fn find(projects: &Projects) -> Result<Option<Workspace>> {
    let workspace = open(places(projects)?)?;
    Ok(Some(workspace).filter(|workspace| !workspace.projects().is_empty()))
}

/// What a check is about: the projects of its paths, those that were named, or all that are here. In a
/// repository these may lie deep; elsewhere the folder may be a home folder or a whole disk.
pub(crate) fn open_to_check(options: &Check) -> Result<Workspace> {
    let projects = &options.projects;
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    if projects.sample {
        return open(places(projects)?);
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
    if is_in_repository {
        return match Workspace::open_to_check(ENGINES, &[here.to_owned()], kept()) {
            Err(WorkspaceError::NoProject(..)) => bail!(
                "no project here: neither this folder, nor one above it, nor one below it is a Unity or \
                 Godot project, a Godot addon or a Unity package; --project DIR names one"
            ),
            opened => Ok(opened?),
        };
    }
    let workspace = open(Places { here: Some(here.to_owned()), ..Places::default() })?;
    let count = workspace.projects().len();
    if count == 0 {
        bail!(
            "no project here: neither this folder, nor one above it, nor one right below it is a \
             Unity or Godot project; --project DIR names one (`.` looks deeper), --sample takes the bundled ones"
        );
    }
    let deeper = Workspace::count_below(ENGINES, here).saturating_sub(count);
    if deeper > 0 {
        let more = scenewright_text::counted(deeper, "more project");
        term::note(&format!("{more} deeper in this folder; --project . checks all of them"));
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
    let is_below = canonical(here).is_ok_and(|here| here != there && there.starts_with(here));
    let is_deeper = is_below && Workspace::count_below(ENGINES, &there) > 0;
    checked_above(&there).map(Path::to_owned).or_else(|| is_deeper.then_some(there))
}

/// The project that a folder is or is in; where there is none, the addon or package.
pub(crate) fn checked_above(folder: &Path) -> Option<&Path> {
    let is_part = |folder: &&Path| ENGINES.iter().any(|engine| (engine.is_part)(folder));
    root_above(folder).or_else(|| folder.ancestors().find(is_part))
}

/// Open the projects of a server. One that a client starts has its project or none; who starts one in a
/// terminal sees the bundled samples instead of nothing.
pub(crate) fn open_for_server(options: &Serve, has_stdio: bool) -> Result<Workspace> {
    let mut places = places(&options.projects)?;
    places.allowed.clone_from(&options.allow_projects);
    if let (false, Samples::Never) = (has_stdio, places.samples) {
        places.samples = Samples::InPlaceOfNothing(samples::folders);
    }
    open(places)
}

/// Whether the folders that a client works in decide: nobody named anything else.
pub(crate) fn follows_client(projects: &Projects) -> bool {
    projects.folders.is_empty() && !projects.sample
}

fn open(places: Places) -> Result<Workspace> {
    Ok(Workspace::find(ENGINES, places, kept())?)
}

fn places(projects: &Projects) -> Result<Places> {
    Ok(Places {
        named: projects.folders.clone(),
        here: Some(std::env::current_dir().context("the current folder cannot be read")?),
        home: os::home(),
        samples: if projects.sample { Samples::Asked(samples::folders) } else { Samples::Never },
        ..Places::default()
    })
}

/// The project at this root.
pub(crate) fn open_root(root: &Path) -> Result<Workspace> {
    Ok(Workspace::open(ENGINES, &[root.to_owned()], kept())?)
}

fn kept() -> Kept {
    Kept { cache: os::cache_folder(), state: os::state_folder() }
}

/// The project that a folder is or is in, searched upwards as git does.
pub(crate) fn root_above(folder: &Path) -> Option<&Path> {
    Workspace::root_above(ENGINES, folder)
}
