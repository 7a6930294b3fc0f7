//! The projects that are open: which folders, which engine, and how a call names one. What an engine
//! makes of its files is the pack's, behind [`EngineProject`].

mod find;
mod places;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scenewright_contract::finding::{Finding, Rule};
use scenewright_contract::{Cancel, ErrorKind, ToolError, suggest};
use scenewright_snapshot::Watched;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::Door;
use find::{MAX_FOLDERS, find_roots};

pub(crate) use places::NOTHING;
pub use places::{Opened, Places, Samples};

/// How deep in a folder projects are looked for.
const MAX_DEPTH: usize = 6;
/// How many projects of one folder are opened.
const MAX_PROJECTS: usize = 100;

/// More paths at once are taken as a change of everything.
const MAX_BURST: usize = 5000;

/// Opens the project at a root, keeping its index at the second path between runs.
pub type Open = fn(&Path, Option<PathBuf>) -> Result<Box<dyn EngineProject>, String>;

/// An engine whose projects can be opened.
pub struct Engine {
    /// Its name for people: `Unity`.
    pub title: &'static str,
    /// The file that every project of it has, from the project's root.
    pub marker: &'static str,
    /// Whether a folder is the root of a project.
    pub is_root: fn(&Path) -> bool,
    /// Whether a folder is an addon or a package, which projects take in. Only a check opens one that
    /// has no project around it.
    pub is_part: fn(&Path) -> bool,
    /// How a project is opened.
    pub open: Open,
    /// What a check looks for.
    pub rules: fn() -> Vec<&'static Rule>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

/// A project as the pack of its engine keeps it.
pub trait EngineProject: Any + fmt::Debug + Send + Sync {
    /// The engine in one word, as answers have it: `unity`, `godot`.
    fn name(&self) -> &'static str;

    /// Where the engine keeps what.
    fn layout(&self) -> &'static Layout;

    /// The files whose change changes the project's headline facts.
    fn settings_files(&self) -> Vec<PathBuf>;

    /// What is read from its files.
    fn files(&self) -> &dyn Watched;

    /// Keep the index for the next run.
    fn save(&self) -> std::io::Result<()> {
        Ok(())
    }

    /// End what tools started and left running.
    fn end(&self) {}

    /// Whether the engine's editor has the project open now.
    fn open_elsewhere(&self) -> Option<Elsewhere> {
        None
    }

    /// Asked before files are written, by their paths from the root: an editor may have one open with
    /// changes that are not saved.
    fn before_write(&self, paths: &[String]) -> Result<(), ToolError> {
        let _ = paths;
        Ok(())
    }

    /// Told after files were written; what a running editor made of it, in words.
    fn after_write(&self, paths: &[String]) -> Option<String> {
        let _ = paths;
        None
    }

    /// What the engine could not read in a file with this content, with its place; none where
    /// nothing is wrong, or where it is not known.
    fn unread_part(&self, path: &str, content: &[u8]) -> Option<String> {
        let _ = (path, content);
        None
    }

    /// What a file is known by wherever it is moved, such as its guid.
    fn identity(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Check everything about the project.
    fn check(&self, steps: &Steps<'_>) -> Result<Report, ToolError>;
}

/// A program of the engine's that has the project open, as far as files tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// What was seen, as the beginning of a sentence.
    pub seen: &'static str,
    /// What becomes of files that are changed meanwhile, as its end.
    pub then: &'static str,
    /// What to do where that must not be.
    pub hint: &'static str,
}

/// Where an engine keeps what, by names at the project's root.
#[derive(Debug)]
pub struct Layout {
    /// The folders whose files are the project's own; none means the whole folder.
    pub own: &'static [&'static str],
    /// What is never read as a part of the project.
    pub hidden: &'static [&'static str],
    /// What the engine makes for itself, and tools do not write.
    pub engines: &'static [&'static str],
    /// The folders to watch with everything below; none means the whole folder.
    pub watched: &'static [&'static str],
    /// Where a search begins that names no folder.
    pub searched: &'static str,
    /// Folders for code of others; what is right below one belongs together.
    pub vendored: &'static [&'static str],
}

impl Layout {
    /// The addon, plugin or package that a file is in: `addons/dialogic`.
    pub fn vendor<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = |folder: &&str| path.strip_prefix(*folder)?.strip_prefix('/');
        let rest = self.vendored.iter().find_map(below)?;
        let start = path.len() - rest.len();
        // A file right in the folder belongs to nothing else.
        let end = rest.find('/').map_or(start - 1, |at| start + at);
        Some(&path[..end])
    }
}

/// What a check came to.
#[derive(Debug, Default)]
pub struct Report {
    /// What was found, sorted.
    pub findings: Vec<Finding>,
    /// What could not be decided, and why.
    pub notes: Vec<String>,
    /// The files that are not here as the repository has them, so that nothing was found in them.
    pub absent: Vec<Arc<str>>,
}

/// Who waits for a check.
pub struct Steps<'a> {
    /// Told how much of how much is done.
    pub progress: &'a dyn Fn(usize, usize),
    /// Raised when nobody waits any more.
    pub cancel: &'a Cancel,
}

impl Steps<'_> {
    /// Tell how far the check is; false when nobody waits for it.
    pub fn go_on(&self, done: usize, total: usize) -> bool {
        // None of none says nothing.
        if total > 0 {
            (self.progress)(done, total);
        }
        !self.cancel.is_cancelled()
    }
}

/// The open projects. What is open is a value: a change of it makes another one, which shares the
/// projects that stay, so that calls under way keep those that they began with.
#[derive(Debug, Default, Clone)]
pub struct Workspace {
    engines: &'static [Engine],
    projects: Vec<Arc<Project>>,
    kept: Kept,
    places: Places,
    /// They are the bundled samples, not projects of the user's.
    is_sample: bool,
    /// How many folders were looked at to find them.
    searched: usize,
}

/// The folders of what outlasts a run; nothing where there is no such folder.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// For what can be made again: indexes.
    pub cache: Option<PathBuf>,
    /// For what cannot: the history of changes, which otherwise stays in the project.
    pub state: Option<PathBuf>,
}

/// One open project.
#[derive(Debug)]
pub struct Project {
    /// What calls name it by.
    pub id: ProjectId,
    /// Its folder, absolute and without links.
    pub root: PathBuf,
    /// Whether it is an addon or a package without a project around it.
    pub is_part: bool,
    /// The engine it is of.
    pub made_by: &'static Engine,
    /// What its engine's reader found.
    pub engine: Box<dyn EngineProject>,
    /// What every write goes through.
    pub door: Door,
    /// It is no longer open, and ends with the last call that still uses it.
    is_closed: AtomicBool,
}

impl Drop for Project {
    fn drop(&mut self) {
        if *self.is_closed.get_mut() {
            self.engine.end();
            self.save();
        }
    }
}

impl Project {
    /// Whether the folder is still one of a project.
    pub(crate) fn is_there(&self) -> bool {
        let is_it = if self.is_part { self.made_by.is_part } else { self.made_by.is_root };
        is_it(&self.root)
    }

    /// It is no longer open: what tools started in it ends, and its index is kept for the next run,
    /// when no call uses it any more.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn save(&self) {
        if let Err(error) = self.engine.save() {
            tracing::warn!(%error, project = %self.id, "the index could not be kept");
        }
    }

    /// The project as the pack of its engine knows it; nothing when it is another engine's.
    pub fn of<P: EngineProject>(&self) -> Option<&P> {
        (&*self.engine as &dyn Any).downcast_ref()
    }
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
    /// No engine's marker is in it.
    NoProject(PathBuf, &'static [Engine]),
    /// It looks like a project but cannot be read.
    Unreadable(PathBuf, String),
    /// The bundled samples cannot be unpacked.
    NoSamples(std::io::Error),
}

impl fmt::Display for WorkspaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            Self::NoProject(path, engines) => {
                let titles: Vec<&str> = engines.iter().map(|engine| engine.title).collect();
                let markers: Vec<&str> = engines.iter().map(|engine| engine.marker).collect();
                write!(
                    f,
                    "{} is no {} project: it has neither {}, and no project was found in the folders below it",
                    path.display(),
                    titles.join(" or "),
                    markers.join(" nor ")
                )
            }
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", path.display()),
            Self::NoSamples(error) => {
                write!(f, "the bundled samples cannot be unpacked: {error}")
            }
        }
    }
}

impl std::error::Error for WorkspaceError {}

impl Workspace {
    /// Open each folder as a project of one of these engines; a folder of projects opens every
    /// project in it, however deep.
    pub fn open(
        engines: &'static [Engine],
        folders: &[PathBuf],
        kept: Kept,
    ) -> Result<Self, WorkspaceError> {
        let nothing = Self { engines, kept, ..Self::default() };
        let mut opening = Opening::new(&nothing);
        for folder in folders {
            opening.add(folder, MAX_DEPTH)?;
        }
        Ok(Self { projects: opening.projects, ..nothing })
    }

    fn engine_of(&self, root: &Path) -> Option<&'static Engine> {
        self.engines.iter().find(|engine| (engine.is_root)(root))
    }

    fn part_of(&self, root: &Path) -> Option<&'static Engine> {
        self.engines.iter().find(|engine| (engine.is_part)(root))
    }

    /// Open what a check is about: the projects in these folders. A folder that is an addon or a package
    /// is one of them, beside the projects to try it with that are in it; in a folder without projects
    /// all addons and packages are.
    pub fn open_to_check(
        engines: &'static [Engine],
        folders: &[PathBuf],
        kept: Kept,
    ) -> Result<Self, WorkspaceError> {
        let nothing = Self { engines, kept, ..Self::default() };
        let mut opening = Opening::new(&nothing);
        for folder in folders {
            let root = canonical(folder)
                .map_err(|error| WorkspaceError::Missing(folder.clone(), error))?;
            if nothing.engine_of(&root).is_none() && nothing.part_of(&root).is_some() {
                opening.add_project(root.clone())?;
            }
            match opening.add(folder, MAX_DEPTH) {
                Err(WorkspaceError::NoProject(..)) => opening.add_parts(&root)?,
                added => added?,
            }
        }
        Ok(Self { projects: opening.projects, ..nothing })
    }

    /// How many projects are in a folder, however deep.
    pub fn count_below(engines: &'static [Engine], folder: &Path) -> usize {
        let is_project = |dir: &Path| engines.iter().any(|engine| (engine.is_root)(dir));
        find_roots(folder, MAX_DEPTH, &is_project).0.len()
    }

    /// Keep the indexes for the next run.
    pub fn save(&self) {
        self.projects.iter().for_each(|project| project.save());
    }

    /// End what tools started and left running, such as games. A server that goes does so: its
    /// threads may hold the projects until the process is over, and then nobody drops them.
    pub fn end(&self) {
        self.projects.iter().for_each(|project| project.engine.end());
    }

    /// Every open project, in the order given.
    pub fn projects(&self) -> &[Arc<Project>] {
        &self.projects
    }

    /// Those that a call may mean which names none.
    pub fn candidates(&self, engine: Option<&str>) -> impl Iterator<Item = &Project> {
        let all = self.projects.iter().map(|project| &**project);
        all.filter(move |project| engine.is_none_or(|engine| project.engine.name() == engine))
    }

    /// The project with this id, or in this folder.
    pub fn named(&self, wanted: &str) -> Result<&Project, ToolError> {
        let same_folder = |project: &&Arc<Project>| {
            canonical(Path::new(wanted)).is_ok_and(|path| path == project.root)
        };
        let found = self.projects.iter().find(|project| project.id.0 == wanted);
        let found = found.or_else(|| self.projects.iter().find(same_folder));
        found.map(|project| &**project).ok_or_else(|| self.unknown(wanted))
    }

    fn unknown(&self, wanted: &str) -> ToolError {
        if self.projects.is_empty() {
            return self.nothing_open();
        }
        let ids: Vec<&str> = self.projects.iter().map(|project| project.id.0.as_str()).collect();
        let opens = match self.engine_of(Path::new(wanted)).is_some() {
            true => "; project_open opens that folder",
            false => "",
        };
        let otherwise = format!("the open projects are {}{opens}", ids.join(", "));
        let hint = suggest::did_you_mean(wanted, ids.iter().copied(), &otherwise);
        ToolError::not_found("project", wanted).hint(hint)
    }
}

/// Projects on their way to be open.
struct Opening<'a> {
    /// What was open before: projects of it are taken as they are.
    before: &'a Workspace,
    projects: Vec<Arc<Project>>,
    /// How many folders were looked at.
    searched: usize,
}

impl<'a> Opening<'a> {
    fn new(before: &'a Workspace) -> Self {
        Self { before, projects: Vec::new(), searched: 0 }
    }

    /// Open a folder, or the projects below it, at most so many levels deep.
    fn add(&mut self, folder: &Path, depth: usize) -> Result<(), WorkspaceError> {
        let root =
            canonical(folder).map_err(|error| WorkspaceError::Missing(folder.to_owned(), error))?;
        let engines = self.before.engines;
        if self.before.engine_of(&root).is_some() {
            return self.add_project(root);
        }
        let is_project = |dir: &Path| self.before.engine_of(dir).is_some();
        let (below, searched) = find_roots(&root, depth, &is_project);
        self.searched += searched;
        if below.is_empty() {
            return Err(WorkspaceError::NoProject(root, engines));
        }
        if searched == MAX_FOLDERS || below.len() > MAX_PROJECTS {
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
        if let Some(known) = self.before.projects.iter().find(|project| project.root == root) {
            self.projects.push(known.clone());
            return Ok(());
        }
        let is_part = self.before.engine_of(&root).is_none();
        let made_by = self.before.engine_of(&root).or_else(|| self.before.part_of(&root));
        let Some(made_by) = made_by else {
            return Err(WorkspaceError::NoProject(root, self.before.engines));
        };
        let kept = &self.before.kept;
        let cache = kept.cache.as_ref().map(|dir| dir.join(cache_name(&root)));
        let engine = (made_by.open)(&root, cache)
            .map_err(|why| WorkspaceError::Unreadable(root.clone(), why))?;
        let id = self.free_id(&root);
        let door = Door::new(kept.state.as_deref(), &root);
        let is_closed = AtomicBool::new(false);
        let project = Project { id, root, is_part, made_by, engine, door, is_closed };
        self.projects.push(Arc::new(project));
        Ok(())
    }

    /// The addons and packages in a folder without projects.
    fn add_parts(&mut self, root: &Path) -> Result<(), WorkspaceError> {
        let is_part = |dir: &Path| self.before.part_of(dir).is_some();
        let (below, _) = find_roots(root, MAX_DEPTH, &is_part);
        if below.is_empty() {
            return Err(WorkspaceError::NoProject(root.to_owned(), self.before.engines));
        }
        below.into_iter().take(MAX_PROJECTS).try_for_each(|found| self.add_project(found))
    }

    /// The folder's name; with that of the folder around it when another has it, then numbers.
    fn free_id(&self, root: &Path) -> ProjectId {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = name(root).unwrap_or_else(|| "project".to_owned());
        let around = root.parent().and_then(name).map(|around| format!("{around}-{own}"));
        let numbered = (2..).map(|number| format!("{own}-{number}"));
        let mut ids = std::iter::once(own.clone()).chain(around).chain(numbered);
        let taken = || self.projects.iter().chain(&self.before.projects);
        let is_free = |id: &String| taken().all(|project| project.id.0 != *id);
        ProjectId(ids.find(is_free).expect("numbers do not end"))
    }
}

impl Project {
    /// The error of a tool that does not know the project's engine.
    pub fn unknown_engine(&self) -> ToolError {
        let name = self.engine.name();
        ToolError::new(
            ErrorKind::EngineError,
            format!("{} is a {name} project, which this tool does not know", self.id),
        )
    }

    /// Let the index look at these files and folders again, whether they came, changed or went. One
    /// that nobody asked for yet will be built from what is there then.
    pub fn refresh(&self, changed: &[PathBuf]) {
        match changed.len() > MAX_BURST {
            true => self.engine.files().rebuild(),
            false => self.engine.files().refresh(changed),
        }
    }

    /// Wait until no change of this process is halfway: the index learns of it when it is done, and whoever
    /// looked at its files before would only take time from it.
    pub fn wait_for_writes(&self) {
        self.door.wait();
    }
}

/// The project's own files keep a tool from answering.
pub fn unreadable(why: impl fmt::Display) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("the project's settings cannot be read: {why}"))
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
pub fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    let path = path.canonicalize()?;
    let simple = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    match simple {
        Some(simple) if cfg!(windows) && simple.as_bytes().get(1) == Some(&b':') => {
            Ok(PathBuf::from(simple))
        }
        _ => Ok(path),
    }
}
