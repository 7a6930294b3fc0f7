//! Keeps indexes and clients up to date: watches the projects' files.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use scenewright_toolkit::{Runner, Workspace};
use scenewright_tools_godot::GodotProject;
use scenewright_tools_godot::resources::{self, Changed};
use scenewright_wire::{Change, Changes};

/// Changes come in bursts; a burst is over when nothing came for so long. Whoever saves a file and
/// asks at once waits no longer than this.
const QUIET: Duration = Duration::from_millis(10);

/// Watches the open projects while it lives.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    /// What is watched, with the project whose files are there.
    folders: Vec<Folder>,
}

#[derive(Clone, PartialEq, Eq)]
struct Folder {
    path: PathBuf,
    mode: RecursiveMode,
    root: PathBuf,
}

impl Watch {
    /// Refresh the indexes when files change, and announce it when the facts of a project did.
    pub(crate) fn start(runner: &Arc<Runner>, changes: Changes) -> notify::Result<Self> {
        let (send, receive) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event
                && !matches!(event.kind, EventKind::Access(_))
            {
                event.paths.into_iter().for_each(|path| drop(send.send(path)));
            }
        })?;
        // Whoever holds the watch may be held by the runner.
        let followed = Arc::downgrade(runner);
        std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || follow(&receive, &followed, &changes))?;
        let mut watch = Self { watcher, folders: Vec::new() };
        watch.turn_to(&runner.workspace());
        Ok(watch)
    }

    /// Watch these projects and no others.
    pub(crate) fn turn_to(&mut self, workspace: &Workspace) {
        let wanted = folders(workspace);
        let (stay, go): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.folders).into_iter().partition(|one| wanted.contains(one));
        for folder in &go {
            // Of one that is gone there is nothing to end.
            let _ = self.watcher.unwatch(&folder.path);
        }
        // With a folder ends what is watched below it.
        let has_ended = |one: &Folder| go.iter().any(|gone| one.path.starts_with(&gone.path));
        let mut failed = Vec::new();
        for folder in &wanted {
            if stay.contains(folder) && !has_ended(folder) {
                continue;
            }
            if let Err(error) = self.watcher.watch(&folder.path, folder.mode) {
                tracing::warn!(%error, folder = %folder.path.display(), "a folder is not watched");
                failed.push(folder.root.clone());
            }
        }
        // An index that nobody watches for looks at its files itself.
        for project in workspace.projects() {
            if !failed.contains(&project.root) {
                project.engine.files().set_watched();
            }
        }
        self.folders = wanted;
        self.folders.retain(|folder| !failed.contains(&folder.root));
    }
}

/// What is watched: the folders that the engine's layout names with everything below, and those of
/// settings files.
fn folders(workspace: &Workspace) -> Vec<Folder> {
    let mut folders = Vec::new();
    for project in workspace.projects() {
        let folder = |path: PathBuf, mode| Folder { path, mode, root: project.root.clone() };
        let watched = project.engine.layout().watched;
        if watched.is_empty() {
            folders.push(folder(project.root.clone(), RecursiveMode::Recursive));
        }
        let below = watched.iter().map(|name| project.root.join(name));
        folders.extend(below.map(|path| folder(path, RecursiveMode::Recursive)));
        // Editors replace files, so the folder is watched and the file told by name.
        let settings = project.engine.settings_files();
        let parents = settings.iter().filter_map(|file| Some(file.parent()?.to_owned()));
        folders.extend(parents.map(|path| folder(path, RecursiveMode::NonRecursive)));
    }
    folders.retain(|folder| folder.path.is_dir());
    // The sort keeps the order of what is alike, so the recursive watch of a folder stays.
    folders.sort_by(|a, b| a.path.cmp(&b.path));
    folders.dedup_by(|a, b| a.path == b.path);
    folders
}

/// The files that a project's facts come from, with the resource that shows those.
fn settings(workspace: &Workspace) -> HashMap<PathBuf, String> {
    let projects = workspace.projects().iter();
    projects
        .flat_map(|project| {
            let uri = format!("scenewright://project/{}", project.id);
            project.engine.settings_files().into_iter().map(move |file| (file, uri.clone()))
        })
        .collect()
}

fn follow(paths: &Receiver<PathBuf>, runner: &Weak<Runner>, changes: &Changes) {
    let mut announced = HashMap::new();
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
        let Some(runner) = runner.upgrade() else { return };
        let workspace = runner.workspace();
        let told = survive(|| tell(&workspace, changes, &burst, &mut announced));
        if !told {
            // What the index knows of these files may be half of it.
            for project in workspace.projects() {
                survive(|| project.engine.files().rebuild());
            }
        }
        // With its folder went the watch on it: were it to come back, nobody would tell its index.
        if workspace.projects().iter().any(|project| burst.contains(&project.root)) {
            survive(|| drop(runner.look()));
        }
    }
}

/// Let a defect end this piece of work, not the watching: nobody would notice until an answer is
/// wrong.
fn survive(work: impl FnOnce()) -> bool {
    let survived = catch_unwind(AssertUnwindSafe(work)).is_ok();
    if !survived {
        tracing::error!("the watcher hit a defect in scenewright and goes on; please report it");
    }
    survived
}

/// Tell the indexes of a burst of changes, and then whoever listens.
fn tell(
    workspace: &Workspace,
    changes: &Changes,
    burst: &[PathBuf],
    announced: &mut HashMap<PathBuf, u64>,
) {
    refresh(workspace, burst);
    let settings = settings(workspace);
    let mut uris: Vec<String> =
        burst.iter().filter_map(|path| settings.get::<Path>(path).cloned()).collect();
    uris.dedup();
    for uri in uris {
        changes.announce(Change::Resource(uri));
    }
    announce_godot(workspace, burst, announced, changes);
}

fn refresh(workspace: &Workspace, burst: &[PathBuf]) {
    for project in workspace.projects() {
        let own: Vec<PathBuf> =
            burst.iter().filter(|path| path.starts_with(&project.root)).cloned().collect();
        if !own.is_empty() {
            project.wait_for_writes();
            project.refresh(&own);
        }
    }
}

/// Tell which resources of Godot projects changed. `announced` is what was told
/// of each so far.
fn announce_godot(
    workspace: &Workspace,
    burst: &[PathBuf],
    announced: &mut HashMap<PathBuf, u64>,
    changes: &Changes,
) {
    let mut is_first = true;
    for project in workspace.projects() {
        let Some(godot) = project.of::<GodotProject>() else { continue };
        // Only the first project's resources go without its name.
        let suffix = if is_first { String::new() } else { format!("?project={}", project.id) };
        is_first = false;
        if !burst.iter().any(|path| is_visible(&project.root, path)) {
            continue;
        }
        let is_new = !announced.contains_key(&project.root);
        let since = announced.entry(project.root.clone()).or_insert(1);
        let changed = resources::changed(godot, since);
        // An index that was opened after the change knows of none.
        let Some(changed) = changed.filter(|changed| !is_new || *changed != Changed::default())
        else {
            // Who listens may have read the project elsewhere. What is other now nobody can tell, so
            // it is rather too much: who is told too often reads once more.
            changes.announce(Change::Below(resources::ALL.to_owned()));
            if suffix.is_empty() {
                changes.announce(Change::Resources);
            }
            continue;
        };
        for uri in changed.uris {
            changes.announce(Change::Resource(uri + &suffix));
        }
        if changed.list && suffix.is_empty() {
            changes.announce(Change::Resources);
        }
    }
}

/// Whether a path is one that the index lists: inside the project, nothing on the way hidden.
fn is_visible(root: &Path, path: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|below| {
        below.components().all(|part| !part.as_os_str().as_encoded_bytes().starts_with(b"."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_foreign_paths_do_not_count() {
        let root = Path::new("project");
        let visible = |path: &str| is_visible(root, Path::new(path));
        assert!(visible("project/scenes/main.tscn"));
        assert!(!visible("project/.godot/editor/cache"));
        assert!(!visible("project/addons/.git/HEAD"));
        assert!(!visible("other/main.tscn"));
    }

    #[test]
    fn a_defect_ends_one_piece_of_work_and_not_the_watching() {
        assert!(!survive(|| panic!("a defect")));
        assert!(survive(|| ()));
    }
}
