//! Where projects are looked for, and in which order: the folders that the operator named; those that
//! the client works in; the project that the working folder is in; those right below it. Where there is
//! none, nothing is open: no project is guessed.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, ToolError};

use super::{
    Engine, Kept, MAX_DEPTH, MAX_PROJECTS, Opening, Project, Workspace, WorkspaceError, canonical,
    find_roots,
};

/// An answer names no more folders or projects.
const MAX_NAMED: usize = 8;
/// Nor longer paths.
const MAX_PATH: usize = 160;

/// Where projects are looked for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Folders that the operator named. Then nothing else is looked at.
    pub named: Vec<PathBuf>,
    /// The working folder.
    pub here: Option<PathBuf>,
    /// The user's own folder. One that holds it is not searched in depth.
    pub home: Option<PathBuf>,
    /// Folders below which `project.open` may open projects, besides those that the client works in
    /// and the working folder.
    pub allowed: Vec<PathBuf>,
    /// When the bundled samples are open.
    pub samples: Samples,
    /// The folders that the client works in.
    pub roots: Vec<PathBuf>,
    /// Roots that `project.open` opened.
    pub opened: Vec<PathBuf>,
}

/// Gives the folders of the bundled samples.
type Unpack = fn() -> std::io::Result<Vec<PathBuf>>;

/// When the bundled samples are open.
#[derive(Debug, Clone, Copy, Default)]
pub enum Samples {
    /// Never.
    #[default]
    Never,
    /// While there is no project.
    InPlaceOfNothing(Unpack),
    /// The operator asked for them.
    Asked(Unpack),
}

/// What became of a folder that was to be opened.
#[derive(Debug)]
pub struct Opened {
    /// The project.
    pub project: Arc<Project>,
    /// It was open before.
    pub was_open: bool,
}

impl Workspace {
    /// Look for projects in these places. Having found none is no error, but one that was named must
    /// be there, and one that was found must be readable.
    pub fn find(
        engines: &'static [Engine],
        places: Places,
        kept: Kept,
    ) -> Result<Self, WorkspaceError> {
        let nothing = Self { engines, places, kept, ..Self::default() };
        let mut opening = Opening::new(&nothing);
        let is_sample = opening.look(&nothing.places)?;
        let Opening { projects, searched, .. } = opening;
        Ok(Self { projects, is_sample, searched, ..nothing })
    }

    /// The project that a folder is or is in, searched upwards as git does.
    pub fn root_above<'f>(engines: &[Engine], folder: &'f Path) -> Option<&'f Path> {
        let is_root = |folder: &&Path| engines.iter().any(|engine| (engine.is_root)(folder));
        folder.ancestors().find(is_root)
    }

    /// The same places once more: what is new is added, and what is gone is left out.
    pub(crate) fn again(&self) -> Self {
        let mut before = self.clone();
        before.projects.retain(|project| project.is_there());
        let mut new = before.refound();
        if !new.is_sample && !self.is_sample {
            let is_new = |project: &&Arc<Project>| new.position(&project.root).is_none();
            let kept: Vec<_> = before.projects.iter().filter(is_new).cloned().collect();
            new.projects.extend(kept);
        }
        new
    }

    /// What is open for a client that works in these folders.
    pub(crate) fn for_roots(&self, roots: Vec<PathBuf>) -> Self {
        let mut before = self.clone();
        before.projects.retain(|project| project.is_there());
        before.places.roots = roots;
        let opened = std::mem::take(&mut before.places.opened);
        before.places.opened = opened.into_iter().filter(|root| before.may_open(root)).collect();
        before.refound()
    }

    /// What is open, and another root that may be.
    pub(crate) fn allowing(&self, root: PathBuf) -> Self {
        let mut new = self.clone();
        new.places.allowed.push(root);
        new
    }

    fn refound(&self) -> Self {
        let mut opening = Opening::new(self);
        let is_sample = opening.look(&self.places).unwrap_or_else(|error| {
            tracing::warn!(%error, "a project is not opened");
            false
        });
        let Opening { projects, searched, .. } = opening;
        Self { projects, is_sample, searched, ..self.clone() }
    }

    /// The same with the project that a folder is, is in, or holds.
    pub(crate) fn with(&self, path: &str) -> Result<(Self, Opened), ToolError> {
        self.try_with(path).map_err(|error| match self.projects.is_empty() {
            // It says itself what can be done.
            true => error.detail(NOTHING, true),
            false => error,
        })
    }

    fn try_with(&self, path: &str) -> Result<(Self, Opened), ToolError> {
        if let Ok(known) = self.named(path) {
            let project = self.projects[self.position(&known.root).unwrap_or_default()].clone();
            return Ok((self.clone(), Opened { project, was_open: true }));
        }
        let root = self.root_of(path)?;
        if let Some(known) = self.position(&root) {
            let opened = Opened { project: self.projects[known].clone(), was_open: true };
            return Ok((self.clone(), opened));
        }
        if self.projects.len() >= MAX_PROJECTS {
            let message = format!("{MAX_PROJECTS} projects are open, which is the limit");
            return Err(ToolError::new(ErrorKind::RateLimited, message)
                .hint("start a server for this project alone: --project DIR"));
        }
        let stand_in = self.is_stand_in();
        let mut opening = Opening::new(self);
        // The samples were there because nothing else was.
        opening.projects = if stand_in { Vec::new() } else { self.projects.clone() };
        opening.add_project(root.clone()).map_err(|error| {
            ToolError::new(ErrorKind::EngineError, error.to_string())
                .hint("the folder looks like a project, but its settings cannot be read")
        })?;
        let mut new = self.clone();
        new.projects = opening.projects;
        new.is_sample &= !stand_in;
        new.places.opened.push(root);
        let project = new.projects[new.projects.len() - 1].clone();
        Ok((new, Opened { project, was_open: false }))
    }

    /// The root that `project.open` is asked for.
    fn root_of(&self, path: &str) -> Result<PathBuf, ToolError> {
        let wanted = Path::new(path.trim());
        let folders = self.workplaces();
        let real = match wanted.is_absolute() {
            true => canonical(wanted).ok(),
            false => folders.iter().find_map(|folder| canonical(&folder.join(wanted)).ok()),
        };
        // What is outside is refused in the same words, whether it is there or not.
        let Some(real) = real else {
            let goes_up = wanted.components().any(|part| part == Component::ParentDir);
            let is_below = |folder: &PathBuf| folder.join(wanted).starts_with(folder);
            return Err(match !goes_up && folders.iter().any(is_below) {
                true => ToolError::not_found("folder", path).hint(self.where_it_may_be()),
                false => self.refused(path),
            });
        };
        if let Some(root) = Self::root_above(self.engines, &real) {
            return if self.may_open(root) { Ok(root.to_owned()) } else { Err(self.refused(path)) };
        }
        if !folders.iter().any(|folder| is_inside(&real, folder)) {
            return Err(self.refused(path));
        }
        let is_project = |dir: &Path| self.engine_of(dir).is_some();
        let (mut below, _) = find_roots(&real, self.places.depth_of(&real), &is_project);
        match below.len() {
            0 => Err(self.no_project_in(path)),
            1 => Ok(below.remove(0)),
            _ => {
                let message = format!("several projects are below {}", shown(&real));
                let hint = format!("call again with the path of one: {}", list(&below));
                Err(ToolError::new(ErrorKind::BadArguments, message).hint(hint))
            }
        }
    }

    fn refused(&self, path: &str) -> ToolError {
        let path = brief(path);
        let message = format!("{path} is outside of the folders that this server may open");
        ToolError::new(ErrorKind::Denied, message)
            .hint(self.where_it_may_be())
            .detail("setting", "allow-projects")
    }

    fn no_project_in(&self, path: &str) -> ToolError {
        let (titles, markers) = self.engine_words();
        let path = brief(path);
        let message = format!(
            "{path} is not a {titles} project: there is no {markers} in it, above it or below it"
        );
        ToolError::new(ErrorKind::EngineError, message)
            .hint("ask the user which folder their project is in")
    }

    fn engine_words(&self) -> (String, String) {
        let titles: Vec<&str> = self.engines.iter().map(|engine| engine.title).collect();
        let titles = if titles.is_empty() { vec!["game"] } else { titles };
        let markers: Vec<&str> = self.engines.iter().map(|engine| engine.marker).collect();
        (titles.join(" or "), markers.join(" or "))
    }

    /// The folders below which `project.open` opens projects, without links.
    pub fn workplaces(&self) -> Vec<PathBuf> {
        let Places { named, here, allowed, samples, roots, .. } = &self.places;
        // Who named projects named all of them.
        let is_fixed = !named.is_empty() || matches!(samples, Samples::Asked(_));
        // Programs are started at the top of a disk when nobody chose a folder.
        let here = here.iter().filter(|here| !is_fixed && here.parent().is_some());
        let found = roots.iter().chain(here).chain(allowed);
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in found.filter_map(|folder| canonical(folder).ok()) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Where projects are looked for.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    fn may_open(&self, root: &Path) -> bool {
        let folders = self.workplaces();
        folders.iter().any(|folder| is_inside(root, folder) || is_inside(folder, root))
    }

    fn position(&self, root: &Path) -> Option<usize> {
        self.projects.iter().position(|project| project.root == root)
    }

    /// Whether what is open is the bundled samples.
    pub fn is_sample(&self) -> bool {
        self.is_sample
    }

    /// Whether the samples are open only until there is a project.
    pub fn is_stand_in(&self) -> bool {
        self.is_sample && matches!(self.places.samples, Samples::InPlaceOfNothing(_))
    }

    /// Whether no project of the user's is open.
    pub fn is_without(&self) -> bool {
        self.projects.is_empty() || self.is_stand_in()
    }

    /// How many folders were looked at to find what is open.
    pub(crate) fn searched(&self) -> usize {
        self.searched
    }

    /// Whether a call may find one that was not there before.
    pub(crate) fn may_find(&self) -> bool {
        self.is_without() && self.places.are_any()
    }

    /// Whether one of the open projects is no longer there.
    pub(crate) fn has_lost(&self) -> bool {
        self.projects.iter().any(|project| !project.is_there())
    }

    /// Whether the same projects are open, and for the same reason.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let pairs = self.projects.iter().zip(&other.projects);
        self.projects.len() == other.projects.len()
            && self.is_sample == other.is_sample
            && pairs.into_iter().all(|(one, other)| Arc::ptr_eq(one, other))
    }

    /// The error of a call that needs a project where none is open.
    pub fn nothing_open(&self) -> ToolError {
        ToolError::new(ErrorKind::NotReady, "No project is open")
            .hint(self.how_to_open())
            .detail(NOTHING, true)
    }

    /// What a model can do about it, and what a person can.
    fn how_to_open(&self) -> String {
        let (titles, _) = self.engine_words();
        format!(
            "ask the user which folder their {titles} project is in; {}",
            self.where_it_may_be()
        )
    }

    fn where_it_may_be(&self) -> String {
        let folders = self.workplaces();
        let outside = "add `--project DIR` to the command that starts this server, or \
                       `--allow-projects DIR` to let project_open open what is below DIR";
        match folders.is_empty() {
            true => format!("the user has to {outside}"),
            false => format!(
                "project_open opens one in {}; for any other the user has to {outside}",
                list(&folders)
            ),
        }
    }

    /// What every answer says beside what it was asked for: that nothing is open, or only the samples.
    pub fn remark(&self) -> Option<String> {
        if self.projects.is_empty() {
            return Some(format!("No project is open: {}.", self.how_to_open()));
        }
        if !self.is_sample {
            return None;
        }
        let what =
            "This is the sample project that comes with scenewright, not a project of the user's";
        Some(match self.is_stand_in() {
            true => format!("{what}: none was found; {}.", self.where_it_may_be()),
            false => format!("{what}: the server was started with --sample."),
        })
    }
}

/// The detail of an error that says that no project is open.
pub(crate) const NOTHING: &str = "noProjectOpen";

impl Opening<'_> {
    /// Open what is in these places, in their order; whether that is the samples.
    fn look(&mut self, places: &Places) -> Result<bool, WorkspaceError> {
        match places.samples {
            Samples::Asked(unpack) => self.add_samples(unpack)?,
            _ if !places.named.is_empty() => {
                for folder in &places.named {
                    self.add(folder, MAX_DEPTH)?;
                }
            }
            _ => self.look_around(places)?,
        }
        let is_sample = matches!(places.samples, Samples::Asked(_));
        for root in &places.opened {
            self.try_add(root, 0);
        }
        match places.samples {
            Samples::InPlaceOfNothing(unpack) if self.projects.is_empty() => {
                self.add_samples(unpack)?;
                Ok(true)
            }
            _ => Ok(is_sample),
        }
    }

    fn look_around(&mut self, places: &Places) -> Result<(), WorkspaceError> {
        let engines = self.before.engines;
        let roots: Vec<PathBuf> =
            places.roots.iter().filter_map(|root| canonical(root).ok()).collect();
        for root in &roots {
            match Workspace::root_above(engines, root) {
                Some(root) => self.try_add(root, 0),
                None => self.try_add(root, places.depth_of(root)),
            }
        }
        let Some(here) = places.here.as_ref().filter(|_| self.projects.is_empty()) else {
            return Ok(());
        };
        let here = canonical(here).map_err(|error| WorkspaceError::Missing(here.clone(), error))?;
        if let Some(root) = Workspace::root_above(engines, &here) {
            return self.add_project(root.to_owned());
        }
        // It may be a home folder or a whole disk, so that projects count only right below it; and none
        // is the client's that works elsewhere.
        match roots.is_empty() {
            true => match self.add(&here, 1) {
                Err(WorkspaceError::NoProject(..)) => Ok(()),
                added => added,
            },
            false => Ok(()),
        }
    }

    fn add_samples(&mut self, unpack: Unpack) -> Result<(), WorkspaceError> {
        let folders = unpack().map_err(WorkspaceError::NoSamples)?;
        folders.iter().try_for_each(|folder| self.add(folder, 0))
    }

    /// Add what is there; what cannot be opened is left out.
    fn try_add(&mut self, folder: &Path, depth: usize) {
        match self.add(folder, depth) {
            Ok(()) | Err(WorkspaceError::NoProject(..) | WorkspaceError::Missing(..)) => {}
            Err(error) => tracing::warn!(%error, "a project is left out"),
        }
    }
}

impl Places {
    /// How deep projects are looked for below a folder that somebody works in.
    fn depth_of(&self, folder: &Path) -> usize {
        let home = self.home.as_ref().and_then(|home| canonical(home).ok());
        let holds_home = home.is_some_and(|home| is_inside(&home, folder));
        if holds_home || folder.parent().is_none() { 1 } else { MAX_DEPTH }
    }

    /// Whether another look could find something else.
    pub(crate) fn are_any(&self) -> bool {
        let Self { named, here, roots, opened, .. } = self;
        here.is_some() || !(named.is_empty() && roots.is_empty() && opened.is_empty())
    }
}

/// Whether a path is a folder or below it. Both are without links; whether two names are one file the
/// system says, since some compare them without case.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let is_it =
        |part: &Path| part == folder || same_file::is_same_file(part, folder).unwrap_or(false);
    path.starts_with(folder) || path.ancestors().any(is_it)
}

/// The first of them.
fn list(paths: &[PathBuf]) -> String {
    let named: Vec<String> = paths.iter().take(MAX_NAMED).map(|path| shown(path)).collect();
    match paths.len().saturating_sub(named.len()) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// A path; of a long one its end.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    match text.char_indices().rev().nth(MAX_PATH) {
        Some((cut, _)) => format!("…{}", &text[cut..]),
        None => text,
    }
}
