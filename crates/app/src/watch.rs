//! Tells clients that a project's facts changed: watches the few files that they come from.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use scenewright_tools::Workspace;
use scenewright_wire::{Change, Changes};

/// Watches while it lives.
pub(crate) struct Watch {
    _watcher: RecommendedWatcher,
}

/// Announce a change of a project's resource whenever one of its settings files changes.
pub(crate) fn start(workspace: &Workspace, changes: Changes) -> notify::Result<Watch> {
    let mut uris: HashMap<PathBuf, String> = HashMap::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    for project in workspace.projects() {
        for file in project.settings_files() {
            // Editors replace files, so the folder is watched and the file told by name.
            if let Some(folder) = file.parent().filter(|folder| folder.is_dir()) {
                folders.push(folder.to_owned());
            }
            uris.insert(file, format!("scenewright://project/{}", project.id));
        }
    }
    folders.sort();
    folders.dedup();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        let mut changed: Vec<&String> =
            event.paths.iter().filter_map(|path| uris.get::<Path>(path)).collect();
        changed.dedup();
        changed.into_iter().for_each(|uri| changes.announce(Change::Resource(uri.clone())));
    })?;
    for folder in folders {
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    Ok(Watch { _watcher: watcher })
}
