//! A Godot project as tools see it: one snapshot of its index, scenes to read and to change, and
//! the class tables of its version.

pub mod animations;
mod assets;
mod bus_layout;
mod check;
mod connections;
mod copying;
mod create;
mod default_paths;
mod exports;
mod files;
mod followers;
mod games;
mod held;
mod input;
pub mod input_map;
mod layout;
mod live;
mod node_paths;
mod nodes;
pub mod places;
pub mod program;
mod project;
mod resources;
pub mod scripts;
pub mod settings;
pub mod tilemap;
pub mod tracks;
pub mod trees;
mod unread;
mod used_files;
mod values;
mod wanted;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::{Classes, Version, new_name};
use scenewright_godot::{ChangeError, Facts, Index, Recent, Scene, Sources, Tree};
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Project, names as spelled};

pub use animations::{Animations, split_name};
pub use assets::AssetKind;
pub use connections::{Connected, Signals};
pub use copying::Copier;
pub use default_paths::DefaultPaths;
pub use files::{OpenDocument, OpenScene, empty_resource, saved};
pub use followers::{
    Code, Followed, Leftover, Leftovers, close_places, from_the_root, in_scripts, join,
    open_places, relocate, users_of,
};
pub use games::{game, start_scene};
pub use held::{Held, section_of};
pub use input::{InNewNode, InParent, InProject, InScene, Page, Write};
pub use layout::{AnchorsPreset, layout};
pub use live::Picture;
pub use nodes::{Kind, find_node, free_name, must_be_free, must_be_own};
pub use project::{ENGINE, GodotProject, NAME};
pub use resources::{in_folder, resource_section, use_name};
pub use tracks::{Target, find_target};
pub use trees::AnimationGraph;
pub use unread::{Unread, Unreads};
pub use used_files::in_resources;
pub use values::{
    Among, Expected, check_among, engine_property, read_typed, read_untyped, read_value,
    read_value_before, to_json,
};
pub use wanted::{NodeMade, Wanted, child_path, given, is_default};

/// What a tool works with: the project it was asked about, at one moment.
pub struct Godot<'a> {
    /// The call.
    pub cx: &'a Cx,
    /// The project.
    pub project: &'a Project,
    /// What is known of it as Godot's.
    pub godot: &'a GodotProject,
    /// Its files at this moment.
    pub index: Arc<Index>,
    /// What its settings said when the call first asked; many questions of one call need it.
    facts: OnceLock<Option<Facts>>,
    /// The answer says that a tree has more nodes than were built.
    said_cut: OnceLock<()>,
}

/// A call that is about a Godot project.
pub trait InGodot {
    /// The Godot project that a call means: the one that it names, or the only one.
    fn godot(&self, wanted: Option<&str>) -> Result<Godot<'_>, ToolError>;
}

impl InGodot for Cx {
    fn godot(&self, wanted: Option<&str>) -> Result<Godot<'_>, ToolError> {
        let project = self.project_of(NAME, wanted)?;
        let Some(godot) = project.of::<GodotProject>() else {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("{} is a Unity project, and this tool works on Godot projects", project.id),
            )
            .hint("name a Godot project that is open, or open one with project_open"));
        };
        // A change is planned on what the one before it left, in the index as well.
        if self.writes() {
            self.turn(project)?;
        }
        let mut index = godot.index();
        let planned = door::planned(self, project);
        if !planned.is_empty() {
            let files = planned.iter().map(|(path, content)| (path.as_str(), content.as_deref()));
            index = Arc::new(index.with_planned(files, godot.store().recent()));
        }
        Ok(Godot {
            cx: self,
            project,
            godot,
            index,
            facts: OnceLock::new(),
            said_cut: OnceLock::new(),
        })
    }
}

impl Godot<'_> {
    /// The path of a file that may be there or not, as callers write it.
    pub fn path(&self, text: &str) -> Result<ProjectPath, ToolError> {
        // A uid names a file wherever it is.
        if text.starts_with("uid://") {
            let file = self.index.by_uid(text).ok_or_else(|| {
                ToolError::not_found("uid", text).hint("get_uid tells the uid of a file")
            })?;
            return ProjectPath::parse(self.project, &file.path);
        }
        ProjectPath::parse(self.project, text)
    }

    /// The same for a new file of one of these kinds; the first is added to a name without any.
    pub fn new_path(&self, text: &str, extensions: &[&str]) -> Result<ProjectPath, ToolError> {
        let path = self.path(text)?;
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        match name.rsplit_once('.') {
            Some((_, extension)) if extensions.contains(&extension) => Ok(path),
            Some((_, extension)) => Err(ToolError::new(
                ErrorKind::BadArguments,
                format!(
                    "{path} ends in .{extension}, and this makes .{}",
                    extensions.join(" or .")
                ),
            )),
            None => self.path(&format!("{path}.{}", extensions[0])),
        }
    }

    /// The bytes of a file that is there.
    pub fn read(&self, path: &ProjectPath) -> Result<Vec<u8>, ToolError> {
        door::read(self.cx, self.project, path)
    }

    /// Whether there is such a file.
    pub fn exists(&self, path: &ProjectPath) -> bool {
        door::exists(self.cx, self.project, path)
    }

    /// The scenes that were read last.
    fn recent(&self) -> &Recent {
        self.godot.open_store().expect("the index of a call is the store's").recent()
    }

    /// The content of a file that waits in a batch.
    fn staged(&self, path: &ProjectPath) -> Option<Vec<u8>> {
        door::staged(self.cx, self.project, path)
    }

    /// All scenes of the project, those that wait in a batch included, by path.
    pub fn scene_paths(&self) -> Vec<String> {
        let is_scene = |path: &str| path.ends_with(".tscn") || path.ends_with(".escn");
        let known = self.index.files().map(|file| file.path.clone());
        let mut paths: BTreeSet<String> = known.filter(|path| is_scene(path)).collect();
        for (path, is_there) in door::staged_paths(self.cx, self.project) {
            if is_there && is_scene(path.as_str()) {
                paths.insert(path.to_string());
            } else {
                paths.remove(path.as_str());
            }
        }
        paths.into_iter().collect()
    }

    /// The classes of the project's version of Godot.
    pub fn classes(&self) -> &'static Classes {
        Classes::of(self.version())
    }

    /// The version that the project's settings name; the newest but one when they name none.
    pub fn version(&self) -> Version {
        let version = self.facts().and_then(|facts| facts.engine_version.as_deref());
        version.map_or_else(Version::default, Version::of)
    }

    /// What the project's settings say, read once in a call; none when they cannot be read.
    pub fn facts(&self) -> Option<&Facts> {
        self.facts.get_or_init(|| self.read_facts().ok()).as_ref()
    }

    /// The same, or why they cannot be read; with settings that wait in a batch.
    pub fn read_facts(&self) -> Result<Facts, ToolError> {
        let settings = &self.godot.settings;
        let staged = self.path("project.godot").ok().and_then(|path| self.staged(&path));
        let facts = match staged {
            Some(bytes) => settings.facts_with(bytes),
            None => settings.facts(),
        };
        facts.map_err(unreadable)
    }

    /// The nodes of a scene as the engine would make them, with changes that wait in a batch.
    pub fn tree(&self, path: &ProjectPath) -> Result<Tree, ToolError> {
        let name = format!("res://{path}");
        let tree = Tree::build(&name, self).ok_or_else(|| self.no_file(path))?;
        self.say_if_cut(&tree);
        Ok(tree)
    }

    /// Says once in the answer that a scene has more nodes than were built.
    pub(crate) fn say_if_cut(&self, tree: &Tree) {
        if tree.is_cut() && self.said_cut.set(()).is_ok() {
            self.cx.diagnose(format!(
                "Instances in instances bring more nodes than are built; {} were looked at. Results \
                 are partial.",
                tree.nodes().len()
            ));
        }
    }

    /// A class of the engine that a call names, or why not.
    pub fn class(&self, name: &str) -> Result<&'static str, ToolError> {
        let classes = self.classes();
        if let Some(class) = classes.class(name) {
            return Ok(class.name);
        }
        let missing = ToolError::new(
            ErrorKind::BadArguments,
            format!("Godot {} has no class '{name}'", classes.version()),
        );
        if let Some(new) = new_name(name) {
            return Err(missing.hint(format!("it is called {new} since Godot 4")));
        }
        if let Some(script) = self.index.class(name) {
            return Err(missing.hint(format!(
                "{name} is a script of this project ({}): make a node of its base class and attach it",
                script.res_path()
            )));
        }
        let names: Vec<&str> = classes.names().collect();
        let meant = spelled::guess(self.cx, "class", name, names.iter().copied());
        if let Some(class) = meant.and_then(|meant| classes.class(meant)) {
            return Ok(class.name);
        }
        let otherwise = "search_classes finds classes by words";
        Err(missing.hint(suggest::did_you_mean(name, classes.names(), otherwise)))
    }

    /// A class that can be made and is a `base`.
    pub fn class_below(&self, name: &str, base: &str) -> Result<&'static str, ToolError> {
        let class = self.class(name)?;
        let classes = self.classes();
        if !classes.inherits(class, base) {
            return Err(ToolError::new(ErrorKind::BadArguments, format!("{class} is no {base}"))
                .hint(format!("search_classes finds the classes below {base}")));
        }
        if !classes.class(class).is_some_and(|class| class.instantiable) {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{class} is abstract: Godot makes only the classes below it"),
            ));
        }
        Ok(class)
    }
}

impl Sources for Godot<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = ProjectPath::parse(self.project, path).ok()?;
        Godot::read(self, &path).ok()
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        self.index.by_uid(uid).map(|file| file.res_path())
    }

    fn scene(&self, path: &str) -> Option<Scene> {
        Sources::read(self, path).map(|bytes| self.recent().scene(bytes.into()))
    }
}

/// Why a document was not changed, for a caller.
pub fn refused(error: ChangeError) -> ToolError {
    let kind = match &error {
        ChangeError::NotFound { .. } | ChangeError::Exists { .. } | ChangeError::BadName { .. } => {
            ErrorKind::BadArguments
        }
        _ => ErrorKind::EngineError,
    };
    let hint = match &error {
        ChangeError::NotFound { what: "node", .. } => Some("get_node_tree shows the nodes"),
        ChangeError::Exists { what: "connection", .. } => {
            Some("nothing was changed; list_signals shows the connections")
        }
        ChangeError::Exists { .. } => Some("nothing was changed; choose another name"),
        _ => None,
    };
    let refusal = ToolError::new(kind, error.to_string());
    match hint {
        Some(hint) => refusal.hint(hint),
        None => refusal,
    }
}
