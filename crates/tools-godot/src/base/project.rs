//! A Godot project that is open: its settings, its index, its game.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use scenewright_contract::ToolError;
use scenewright_godot::check::Checked;
use scenewright_godot::{Document, Form, Index, Script, Store};
use scenewright_live::godot::{Games, Links, Streams};
use scenewright_snapshot::{Lazy, Watched};
use scenewright_toolkit::workspace::{Engine, EngineProject, Layout, Report, Steps};

use super::program::{Trials, Workshops};
use super::{check, live};

/// The engine's name in answers.
pub const NAME: &str = "godot";

/// How Godot's projects are opened.
pub const ENGINE: Engine = Engine {
    title: "Godot",
    marker: "project.godot",
    is_root: scenewright_godot::Project::is_root,
    is_part: scenewright_godot::Project::is_addon,
    open: |root, _| match scenewright_godot::Project::open(root) {
        Ok(settings) => Ok(Box::new(GodotProject::new(settings))),
        Err(error) => Err(error.to_string()),
    },
    rules: check::rules,
};

/// Where Godot keeps what.
const LAYOUT: Layout = Layout {
    own: &[],
    hidden: &[".godot", ".git"],
    engines: &[".godot", ".import"],
    watched: &[],
    searched: ".",
    vendored: &["addons"],
};

/// A Godot project and, once a tool asks for it, its index.
pub struct GodotProject {
    /// What its settings say.
    pub settings: scenewright_godot::Project,
    store: Lazy<Store>,
    /// What the last check found.
    pub(super) checked: Mutex<Option<Checked>>,
    /// The game that this server runs.
    pub games: Arc<Games>,
    /// The headless editor that this server runs.
    pub editors: Arc<Games>,
    /// Where that editor works.
    pub workshops: Workshops,
    /// Where the game's own tests run.
    pub trials: Trials,
    /// The stream of what that game says.
    pub streams: Streams,
    /// Editors and games that run with our addon.
    pub links: Links,
}

impl std::fmt::Debug for GodotProject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(f)
    }
}

impl GodotProject {
    /// A project with these settings, nothing of it read yet.
    pub fn new(settings: scenewright_godot::Project) -> Self {
        Self {
            links: Links::new(&settings.root),
            settings,
            store: Lazy::default(),
            checked: Mutex::default(),
            games: Arc::default(),
            editors: Arc::default(),
            workshops: Workshops::default(),
            trials: Trials::default(),
            streams: Streams::default(),
        }
    }

    /// The index, built on first use.
    pub fn store(&self) -> &Store {
        self.store.get(|| Store::open(&self.settings.root))
    }

    /// The index, if a tool has asked for it already.
    pub fn open_store(&self) -> Option<&Store> {
        self.store.opened()
    }

    /// The current snapshot.
    pub fn index(&self) -> Arc<Index> {
        self.store().index()
    }
}

impl EngineProject for GodotProject {
    fn name(&self) -> &'static str {
        NAME
    }

    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn settings_files(&self) -> Vec<PathBuf> {
        self.settings.settings_files()
    }

    fn files(&self) -> &dyn Watched {
        &self.store
    }

    fn end(&self) {
        self.games.end();
        self.workshops.end(&self.editors);
        self.trials.end();
    }

    fn before_write(&self, paths: &[String]) -> Result<(), ToolError> {
        live::before_write(&self.links, paths)
    }

    fn after_write(&self, paths: &[String]) -> Option<String> {
        live::after_write(&self.links, paths)
    }

    fn unread_part(&self, path: &str, content: &[u8]) -> Option<String> {
        if let Some(form) = Form::of_path(Path::new(path)) {
            let document = Document::parse(content, form);
            let problem = document.problems().iter().find(|problem| problem.is_unread())?;
            return Some(place(problem.line, problem.column, &problem.message));
        }
        // Godot 3 has another grammar.
        let is_3 = || {
            let facts = self.settings.facts().ok();
            facts.is_some_and(|facts| facts.config_version > 0 && facts.config_version < 5)
        };
        if !path.ends_with(".gd") || is_3() {
            return None;
        }
        let problem = Script::find_problem(std::str::from_utf8(content).ok()?)?;
        Some(place(problem.line, problem.column, &problem.message))
    }

    fn identity(&self, path: &str) -> Option<String> {
        self.index().uid_of(path).map(str::to_owned)
    }

    fn check(&self, steps: &Steps<'_>) -> Result<Report, ToolError> {
        check::run(self, steps)
    }
}

fn place(line: usize, column: usize, message: &str) -> String {
    format!("line {line}, column {column}: {message}")
}
