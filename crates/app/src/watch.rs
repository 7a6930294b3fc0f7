//! Keeps indexes and clients up to date: watches the projects' files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use scenewright_tools::{Engine, EngineKind, Workspace};
use scenewright_wire::{Change, Changes};

/// Changes come in bursts; a burst is over when nothing came for so long. Whoever saves a file and
/// asks at once waits no longer than this.
const QUIET: Duration = Duration::from_millis(10);
/// A burst of more paths is taken as a change of everything.
const MAX_BURST: usize = 5000;

/// Watches while it lives.
pub(crate) struct Watch {
    _watcher: RecommendedWatcher,
}

/// Refresh the indexes when files change, and announce it when the facts of a project did.
pub(crate) fn start(engine: &Arc<Engine>, changes: Changes) -> notify::Result<Watch> {
    let (send, receive) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if let Ok(event) = event
            && !matches!(event.kind, EventKind::Access(_))
        {
            event.paths.into_iter().for_each(|path| drop(send.send(path)));
        }
    })?;
    for (folder, mode) in folders(engine.workspace()) {
        watcher.watch(&folder, mode)?;
    }
    let settings = settings(engine.workspace());
    let engine = engine.clone();
    std::thread::Builder::new()
        .name("watch".to_owned())
        .spawn(move || follow(&receive, &engine, &settings, &changes))?;
    Ok(Watch { _watcher: watcher })
}

/// What is watched: Unity's own folders with everything below, and the folders of settings files.
fn folders(workspace: &Workspace) -> Vec<(PathBuf, RecursiveMode)> {
    let mut folders = Vec::new();
    for project in workspace.projects() {
        if let EngineKind::Unity(_) = project.engine {
            for name in ["Assets", "Packages"] {
                folders.push((project.root.join(name), RecursiveMode::Recursive));
            }
        }
        // Editors replace files, so the folder is watched and the file told by name.
        let settings = project.settings_files();
        let parents = settings.iter().filter_map(|file| Some(file.parent()?.to_owned()));
        folders.extend(parents.map(|folder| (folder, RecursiveMode::NonRecursive)));
    }
    folders.retain(|(folder, _)| folder.is_dir());
    folders.sort_by(|a, b| a.0.cmp(&b.0));
    folders.dedup_by(|a, b| a.0 == b.0);
    folders
}

/// The files that a project's facts come from, with the resource that shows those.
fn settings(workspace: &Workspace) -> HashMap<PathBuf, String> {
    let projects = workspace.projects().iter();
    projects
        .flat_map(|project| {
            let uri = format!("scenewright://project/{}", project.id);
            project.settings_files().into_iter().map(move |file| (file, uri.clone()))
        })
        .collect()
}

fn follow(
    paths: &Receiver<PathBuf>,
    engine: &Engine,
    settings: &HashMap<PathBuf, String>,
    changes: &Changes,
) {
    while let Ok(first) = paths.recv() {
        let mut burst = vec![first];
        loop {
            match paths.recv_timeout(QUIET) {
                Ok(path) => burst.push(path),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        burst.sort();
        burst.dedup();
        refresh(engine.workspace(), &burst);
        let mut uris: Vec<&String> =
            burst.iter().filter_map(|path| settings.get::<Path>(path)).collect();
        uris.dedup();
        uris.into_iter().for_each(|uri| changes.announce(Change::Resource(uri.clone())));
    }
}

fn refresh(workspace: &Workspace, burst: &[PathBuf]) {
    for project in workspace.projects() {
        let EngineKind::Unity(unity) = &project.engine else { continue };
        // An index that nobody asked for yet will be built from what is there then.
        let Some(store) = unity.open_store() else { continue };
        let own: Vec<PathBuf> =
            burst.iter().filter(|path| path.starts_with(&project.root)).cloned().collect();
        match own.len() {
            0 => {}
            1..=MAX_BURST => drop(store.refresh(&own)),
            _ => drop(store.rebuild()),
        }
    }
}
