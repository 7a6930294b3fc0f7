//! Engines for the tests of this crate: they know a project by its marker, keep to a layout, and
//! remember what they were told.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use scenewright_contract::ToolError;
use scenewright_snapshot::{Follow, Watched};

use crate::workspace::{Kept, Layout, Report, Steps};
use crate::{Audit, Engine, EngineProject, Kit, Project, Runner, Settings, Workspace, fixtures};

/// One with folders of its own, and one whose projects are whole folders.
pub(crate) const ENGINES: &[Engine] = &[
    Engine {
        title: "Unity",
        marker: "ProjectSettings/ProjectVersion.txt",
        is_root: |dir| dir.join("ProjectSettings/ProjectVersion.txt").is_file(),
        is_part: |dir| dir.join("package.json").is_file(),
        open: |_, _| Ok(Box::new(Plain::new(&FOLDERS))),
        rules: Vec::new,
    },
    Engine {
        title: "Godot",
        marker: "project.godot",
        is_root: |dir| dir.join("project.godot").is_file(),
        is_part: |dir| dir.join("plugin.cfg").is_file(),
        open: |_, _| Ok(Box::new(Plain::new(&WHOLE))),
        rules: Vec::new,
    },
];

const FOLDERS: Layout = Layout {
    own: &["Assets", "Packages", "ProjectSettings"],
    hidden: &[],
    engines: &["Library", "Temp", "Logs", "obj", "UserSettings"],
    watched: &["Assets", "Packages"],
    searched: "Assets",
    vendored: &["Assets/Plugins"],
};
const WHOLE: Layout = Layout {
    own: &[],
    hidden: &[".godot", ".git"],
    engines: &[".godot", ".import"],
    watched: &[],
    searched: ".",
    vendored: &["addons"],
};

/// A project that is only its files.
#[derive(Debug)]
pub(crate) struct Plain {
    layout: &'static Layout,
    /// The files that the index was told of.
    pub(crate) told: Mutex<Vec<PathBuf>>,
    /// What tools started in it was ended.
    has_ended: Arc<AtomicBool>,
}

impl Plain {
    fn new(layout: &'static Layout) -> Self {
        Self { layout, told: Mutex::default(), has_ended: Arc::default() }
    }
}

/// Tells, also when the project is gone, whether it was ended.
pub(crate) fn ended(project: &Project) -> impl Fn() -> bool + use<> {
    let has_ended = project.of::<Plain>().unwrap().has_ended.clone();
    move || has_ended.load(Ordering::Relaxed)
}

impl EngineProject for Plain {
    fn name(&self) -> &'static str {
        if self.layout.own.is_empty() { "whole" } else { "folders" }
    }

    fn layout(&self) -> &'static Layout {
        self.layout
    }

    fn settings_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn files(&self) -> &dyn Watched {
        self
    }

    fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    fn check(&self, _steps: &Steps<'_>) -> Result<Report, ToolError> {
        Ok(Report::default())
    }
}

impl Follow for Plain {
    fn refresh(&self, changed: &[PathBuf]) {
        self.told.lock().unwrap().extend_from_slice(changed);
    }

    fn rebuild(&self) {}
}

impl Watched for Plain {
    fn set_watched(&self) {}
}

/// Open folders as projects of these engines.
pub(crate) fn open(folders: &[&Path], state: Option<PathBuf>) -> Workspace {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    Workspace::open(ENGINES, &folders, Kept { state, ..Kept::default() }).unwrap()
}

/// A runner of the tools that tests have.
pub(crate) fn runner(
    workspace: Workspace,
    settings: Settings,
    audit: Option<Audit>,
) -> Arc<Runner> {
    let kit = Kit { groups: fixtures::GROUPS.iter().collect(), packs: Vec::new() };
    Runner::new(kit, workspace, settings, audit)
}
