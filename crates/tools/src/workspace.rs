//! The projects that are open: which folders, which engine, and how a call names one.

use std::fmt;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_unity::index::find_roots;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::Door;
use crate::godot::GodotProject;
use crate::unity::UnityProject;

/// How deep in a folder projects are looked for.
const MAX_DEPTH: usize = 6;
/// How many projects of one folder are opened.
const MAX_PROJECTS: usize = 100;

/// More paths at once are taken as a change of everything.
const MAX_BURST: usize = 5000;

/// The open projects. The first one is meant when a call names none.
#[derive(Debug, Default)]
pub struct Workspace {
    projects: Vec<Project>,
    /// Where indexes are kept between runs.
    cache: Option<PathBuf>,
}

/// One open project.
#[derive(Debug)]
pub struct Project {
    /// What calls name it by.
    pub id: ProjectId,
    /// Its folder, absolute and without links.
    pub root: PathBuf,
    /// Its engine and what that engine's reader found.
    pub engine: EngineKind,
    /// What every write goes through.
    pub(crate) door: Door,
}

impl Project {
    /// Whether it is a Unity project.
    pub fn is_unity(&self) -> bool {
        matches!(self.engine, EngineKind::Unity(_))
    }
}

/// A project of one engine.
#[derive(Debug)]
pub enum EngineKind {
    /// A Unity project.
    Unity(Box<UnityProject>),
    /// A Godot project.
    Godot(Box<GodotProject>),
}

/// The short name of a project: its folder's name, with that of the folder around it or a number
/// when two are alike.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ProjectId(String);

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A folder that could not be opened as a project.
#[derive(Debug)]
pub enum WorkspaceError {
    /// There is no such folder.
    Missing(PathBuf, std::io::Error),
    /// Neither engine's marker is in it.
    NoProject(PathBuf),
    /// It looks like a project but cannot be read.
    Unreadable(PathBuf, String),
}

impl fmt::Display for WorkspaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            Self::NoProject(path) => write!(
                f,
                "{} is no Unity or Godot project: it has neither ProjectSettings/ProjectVersion.txt nor project.godot, and no project was found in the folders below it",
                path.display()
            ),
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", path.display()),
        }
    }
}

impl std::error::Error for WorkspaceError {}

impl Workspace {
    /// Open each folder; a folder of projects opens every project in it, however deep.
    pub fn open(folders: &[PathBuf]) -> Result<Self, WorkspaceError> {
        Self::open_with_cache(folders, None)
    }

    /// The same, keeping indexes in `cache` between runs.
    pub fn open_with_cache(
        folders: &[PathBuf],
        cache: Option<PathBuf>,
    ) -> Result<Self, WorkspaceError> {
        let mut workspace = Self { cache, ..Self::default() };
        for folder in folders {
            workspace.add(folder, MAX_DEPTH)?;
        }
        Ok(workspace)
    }

    /// Open a folder that nobody named, such as the current one: it may be a home folder or a whole
    /// disk, so that projects count only right below it.
    pub fn open_near(folder: &Path, cache: Option<PathBuf>) -> Result<Self, WorkspaceError> {
        let mut workspace = Self { cache, ..Self::default() };
        workspace.add(folder, 1)?;
        Ok(workspace)
    }

    fn add(&mut self, folder: &Path, depth: usize) -> Result<(), WorkspaceError> {
        let root =
            canonical(folder).map_err(|error| WorkspaceError::Missing(folder.to_owned(), error))?;
        if is_project(&root) {
            return self.add_project(root);
        }
        let (below, is_complete) = find_roots(&root, depth, &is_project);
        if below.is_empty() {
            return Err(WorkspaceError::NoProject(root));
        }
        if !is_complete || below.len() > MAX_PROJECTS {
            tracing::warn!(
                folder = %root.display(),
                "there may be more projects than are opened; name them one by one"
            );
        }
        // One that is broken does not keep the others from opening.
        let mut failed = None;
        let before = self.projects.len();
        for found in below.into_iter().take(MAX_PROJECTS) {
            if let Err(error) = self.add_project(found) {
                tracing::warn!(%error, "a project is left out");
                failed = Some(error);
            }
        }
        match failed {
            Some(error) if self.projects.len() == before => Err(error),
            _ => Ok(()),
        }
    }

    fn add_project(&mut self, root: PathBuf) -> Result<(), WorkspaceError> {
        if self.projects.iter().any(|project| project.root == root) {
            return Ok(());
        }
        let engine = if scenewright_unity::Project::is_root(&root) {
            let cache = self.cache.as_ref().map(|dir| dir.join(cache_name(&root)));
            scenewright_unity::Project::open(&root)
                .map(|settings| EngineKind::Unity(Box::new(UnityProject::new(settings, cache))))
                .map_err(|error| error.to_string())
        } else {
            scenewright_godot::Project::open(&root)
                .map(|settings| EngineKind::Godot(Box::new(GodotProject::new(settings))))
                .map_err(|error| error.to_string())
        }
        .map_err(|why| WorkspaceError::Unreadable(root.clone(), why))?;
        let id = self.free_id(&root);
        let door = Door::new(self.cache.as_deref(), &root);
        self.projects.push(Project { id, root, engine, door });
        Ok(())
    }

    /// The folder's name; with that of the folder around it when another has it, then numbers.
    fn free_id(&self, root: &Path) -> ProjectId {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = name(root).unwrap_or_else(|| "project".to_owned());
        let around = root.parent().and_then(name).map(|around| format!("{around}-{own}"));
        let numbered = (2..).map(|number| format!("{own}-{number}"));
        let mut ids = std::iter::once(own.clone()).chain(around).chain(numbered);
        let is_free = |id: &String| self.projects.iter().all(|project| project.id.0 != *id);
        ProjectId(ids.find(is_free).expect("numbers do not end"))
    }

    /// From now on somebody refreshes the indexes when files change.
    pub fn set_watched(&self) {
        for project in &self.projects {
            match &project.engine {
                EngineKind::Unity(unity) => unity.set_watched(),
                EngineKind::Godot(godot) => godot.set_watched(),
            }
        }
    }

    /// Keep the indexes for the next run.
    pub fn save(&self) {
        for project in &self.projects {
            if let EngineKind::Unity(unity) = &project.engine
                && let Some(store) = unity.open_store()
                && let Err(error) = store.save()
            {
                tracing::warn!(%error, project = %project.id, "the index could not be kept");
            }
        }
    }

    /// End the games that tools started. A server that goes does so: its threads may hold the
    /// projects until the process is over, and then nobody drops them.
    pub fn end_games(&self) {
        for project in &self.projects {
            if let EngineKind::Godot(godot) = &project.engine {
                godot.games.end();
            }
        }
    }

    /// Every open project, in the order given.
    pub fn projects(&self) -> &[Project] {
        &self.projects
    }

    /// The project that a call means: by id, by folder, or the first one.
    pub fn find(&self, wanted: Option<&str>) -> Result<&Project, ToolError> {
        let Some(wanted) = wanted else {
            return self.projects.first().ok_or_else(no_project);
        };
        let same_folder = |project: &&Project| {
            canonical(Path::new(wanted)).is_ok_and(|path| path == project.root)
        };
        self.projects
            .iter()
            .find(|project| project.id.0 == wanted)
            .or_else(|| self.projects.iter().find(same_folder))
            .ok_or_else(|| {
                let ids: Vec<&str> = self.projects.iter().map(|p| p.id.0.as_str()).collect();
                let otherwise = format!("the open projects are {}", ids.join(", "));
                ToolError::not_found("project", wanted).hint(suggest::did_you_mean(
                    wanted,
                    ids.iter().copied(),
                    &otherwise,
                ))
            })
    }
}

impl EngineKind {
    /// `unity` or `godot`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unity(_) => "unity",
            Self::Godot(_) => "godot",
        }
    }
}

impl Project {
    /// Let the index look at these files and folders again, whether they came, changed or went. One
    /// that nobody asked for yet will be built from what is there then.
    pub fn refresh(&self, changed: &[PathBuf]) {
        let is_much = changed.len() > MAX_BURST;
        match &self.engine {
            EngineKind::Unity(unity) => match unity.open_store() {
                Some(store) if is_much => drop(store.rebuild()),
                Some(store) => drop(store.refresh(changed)),
                None => {}
            },
            EngineKind::Godot(godot) => match godot.open_store() {
                Some(store) if is_much => drop(store.rebuild()),
                Some(store) => drop(store.refresh(changed)),
                None => {}
            },
        }
    }

    /// The files whose change changes the project's headline facts.
    pub fn settings_files(&self) -> Vec<PathBuf> {
        match &self.engine {
            EngineKind::Unity(project) => project.settings.settings_files(),
            EngineKind::Godot(project) => project.settings.settings_files(),
        }
    }
}

/// The project's own files keep a tool from answering.
pub(crate) fn unreadable(why: impl fmt::Display) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("the project's settings cannot be read: {why}"))
}

fn no_project() -> ToolError {
    ToolError::new(ErrorKind::NotReady, "no project is open")
        .hint("start scenewright with --project DIR")
}

/// A file name for the index of the project at `root`.
fn cache_name(root: &Path) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    root.hash(&mut hasher);
    format!("index-{:016x}", hasher.finish())
}

/// The path without links and dots. Windows writes it as `\\?\C:\…`, which few programs read and
/// nobody types; a drive path is given back as people know it.
pub(crate) fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    let path = path.canonicalize()?;
    let simple = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    match simple {
        Some(simple) if cfg!(windows) && simple.as_bytes().get(1) == Some(&b':') => {
            Ok(PathBuf::from(simple))
        }
        _ => Ok(path),
    }
}

fn is_project(dir: &Path) -> bool {
    scenewright_unity::Project::is_root(dir) || scenewright_godot::Project::is_root(dir)
}

#[cfg(test)]
mod tests {
    use super::{Workspace, WorkspaceError};
    use crate::testing::Folder;

    const UNITY: &str = "ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n";
    const GODOT: &str = "project.godot\nconfig_version=5\n";

    fn ids(workspace: &Workspace) -> Vec<String> {
        let show = |p: &super::Project| format!("{} {}", p.id, p.engine.name());
        workspace.projects().iter().map(show).collect()
    }

    #[test]
    fn a_folder_opens_the_projects_at_any_depth_in_it() {
        let folder = Folder::files(&format!(
            "//- clients/one/game/{UNITY}\n//- clients/two/game/{UNITY}//- tools/level/{GODOT}\n\
             //- clients/one/game/Assets/demo/{GODOT}//- node_modules/a/{GODOT}//- .git/b/{GODOT}\n\
             //- Library/PackageCache/c/{UNITY}//- other/game/{GODOT}//- notes.txt\nnothing"
        ));
        let workspace = Workspace::open(&[folder.path("")]).unwrap();
        assert_eq!(
            ids(&workspace),
            ["game unity", "two-game unity", "other-game godot", "level godot"]
        );
        assert!(workspace.find(Some("two-game")).unwrap().root.ends_with("two/game"));
        let near = Workspace::open_near(&folder.path("clients/one"), None).unwrap();
        assert_eq!(ids(&near), ["game unity"]);
        let error = Workspace::open_near(&folder.path(""), None).unwrap_err();
        assert!(matches!(error, WorkspaceError::NoProject(_)), "{error}");
    }

    #[test]
    fn a_broken_project_does_not_hide_the_others() {
        let folder = Folder::files(&format!(
            "//- a/ProjectSettings/ProjectVersion.txt\nnothing\n//- b/{UNITY}//- c/d/x.txt\n"
        ));
        let workspace = Workspace::open(&[folder.path("")]).unwrap();
        assert_eq!(ids(&workspace), ["b unity"]);
        let error = Workspace::open(&[folder.path("a")]).unwrap_err().to_string();
        assert!(
            error.contains("ProjectVersion.txt") && error.contains("m_EditorVersion"),
            "{error}"
        );
        let error = Workspace::open(&[folder.path("c")]).unwrap_err().to_string();
        assert!(error.ends_with("no project was found in the folders below it"), "{error}");
    }
}
