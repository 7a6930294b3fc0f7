//! The world of the Explorer interface: the scenes of a Unity project in memory, its settings, and
//! those who listen to it.

pub(crate) mod allowed;
pub(crate) mod cards;
pub(crate) mod config;
pub(crate) mod console;
mod load;
mod meshes;
mod natives;
pub(crate) mod relay;
pub(crate) mod save;
mod saved;
pub(crate) mod scripts;
pub(crate) mod search;
pub(crate) mod singletons;
mod sprites;
pub(crate) mod types;
pub(crate) mod values;

use std::collections::{BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, ExplorerLink, JsonMap, ToolError, suggest};
use scenewright_toolkit::policy::Inner;
use scenewright_toolkit::{Cx, Project, Runner, Settings, Workspace};
use scenewright_tools_unity::base::{InUnity, NAME, Unity, UnityProject};
use scenewright_world::log::Line;
use scenewright_world::{BadId, ComponentId, Event, Object, ObjectId, Refused, SceneData, World};
use serde_json::Value;

use crate::pack::HasWorld;
use crate::resources;

pub use config::ExplorerConfig;

/// Who hears what happens: the name of the event and what it carries.
pub type Listener = Box<dyn Fn(&str, Value) + Send + Sync>;

/// Who hears which `unity://` resources may have changed: each with all that is below it.
pub type Watcher = Box<dyn Fn(&str) + Send + Sync>;

/// The world of a server, once someone asked for it.
pub struct WorldHolder {
    /// With the root of its project.
    world: Mutex<Option<(PathBuf, World)>>,
    config: Mutex<ExplorerConfig>,
    listener: OnceLock<Listener>,
    watcher: OnceLock<Watcher>,
    /// The scene to begin with, when it is not the first of the build settings.
    scene: OnceLock<String>,
    /// Lines that are not in the world's log yet; who listens knows them.
    waiting: Mutex<VecDeque<Line>>,
    /// The running host that answers instead of this world.
    link: OnceLock<Arc<dyn ExplorerLink>>,
    pub(crate) refs: values::Refs,
}

impl WorldHolder {
    /// A world that begins with the operator's word.
    pub(crate) fn new(settings: &Settings, workspace: &Workspace) -> Self {
        let config = ExplorerConfig {
            allow_writes: settings.allow_writes,
            require_confirm: settings.require_confirm,
            ..ExplorerConfig::default()
        };
        let project = workspace.candidates(Some(NAME)).next().map(|project| project.id.to_string());
        Self {
            world: Mutex::default(),
            config: Mutex::new(config),
            listener: OnceLock::new(),
            watcher: OnceLock::new(),
            scene: OnceLock::new(),
            waiting: Mutex::default(),
            link: OnceLock::new(),
            refs: values::Refs::new(project.as_deref().unwrap_or("world")),
        }
    }

    /// Begin with this scene.
    pub fn set_scene(&self, path: String) {
        let _ = self.scene.set(path);
    }

    /// Let a running host answer instead of this world, for good.
    pub fn attach(&self, link: Arc<dyn ExplorerLink>) {
        let _ = self.link.set(link);
    }

    /// The running host that answers instead.
    pub fn link(&self) -> Option<&dyn ExplorerLink> {
        self.link.get().map(|link| &**link)
    }

    /// What the policy asks of the interface. A host has settings of its own, which it goes by
    /// itself; here only the operator's word counts then.
    pub(crate) fn gate(&self, settings: &Settings) -> Inner {
        match self.link() {
            Some(_) => Inner {
                allow_writes: settings.allow_writes,
                require_confirm: settings.require_confirm,
                allow_code: true,
                words: &config::WORDS,
            },
            None => self.config().gate(),
        }
    }

    /// Tell `listener` what happens from now on; the first one stays.
    pub fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// Tell `watcher` which resources may have changed from now on; the first one stays.
    pub fn watch(&self, watcher: Watcher) {
        let _ = self.watcher.set(watcher);
    }

    /// Say that what can be read below a URI may have changed.
    pub(crate) fn changed(&self, uri: &str) {
        if let Some(watcher) = self.watcher.get() {
            watcher(uri);
        }
    }

    /// Take the settings from a config file, and keep them there. What the operator forbids stays
    /// forbidden, whatever the file says; without a file the operator's word is all there is.
    pub fn set_home(&self, file: &Path, settings: &Settings) -> Result<(), String> {
        let mut config = self.config();
        let exists = file.exists();
        let read = ExplorerConfig::read(file)?;
        *config = match exists {
            true => ExplorerConfig {
                allow_writes: read.allow_writes && settings.allow_writes,
                require_confirm: read.require_confirm || settings.require_confirm,
                ..read
            },
            false => ExplorerConfig { file: read.file, ..config.clone() },
        };
        Ok(())
    }

    /// The address that the interface is served on, which no config file decides.
    pub fn set_address(&self, address: SocketAddr) {
        let mut config = self.config();
        config.bind_address = address.ip().to_string();
        config.port = address.port();
    }

    /// What the interface lets happen.
    pub fn config(&self) -> MutexGuard<'_, ExplorerConfig> {
        self.config.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watched methods: signature, and whether each is watched now.
    pub(crate) fn hooks(&self) -> Vec<(String, bool)> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let hooks = world.iter().flat_map(|(_, world)| hooks::of(world).list());
        hooks.map(|hook| (hook.signature.clone(), hook.enabled)).collect()
    }

    /// Forget the world; the next call loads it anew.
    pub(crate) fn restart(&self) {
        *self.world.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Other projects are open: a world of another one than the first is forgotten.
    pub(crate) fn follow(&self, workspace: &Workspace) {
        let first = workspace.candidates(Some(NAME)).next().map(|project| project.root.clone());
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if world.as_ref().is_some_and(|(root, _)| Some(root) != first.as_ref()) {
            *world = None;
            drop(world);
            self.refs.clear();
            self.changed("unity:/");
        }
    }

    /// Write a line into the world's log: when someone next looks at the world. Whoever writes it is
    /// not to wait for those who look now.
    pub fn log(
        &self,
        level: &'static str,
        message: String,
        source: &'static str,
        category: Option<String>,
    ) {
        let line = Line { time: now(), level, message, source, category };
        self.announce("log", cards::log_event(&line));
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() == scenewright_world::log::CAPACITY {
            waiting.pop_front();
        }
        waiting.push_back(line);
    }

    fn write_waiting(&self, world: &mut World) {
        let waiting =
            std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        waiting.into_iter().for_each(|line| world.keep_log(line));
    }

    /// Tell who listens of an event that did not happen in this world.
    pub fn announce(&self, name: &str, payload: Value) {
        resources::changed_by(name).iter().for_each(|end| self.changed(&format!("unity://{end}")));
        if let Some(listener) = self.listener.get() {
            listener(name, payload);
        }
    }

    /// The same for a line about the link to the host, whose own log it is not in.
    pub fn announce_line(&self, level: &'static str, message: String) {
        self.announce("log", relay::line(level, message));
    }

    /// What a stream of events begins with: the scenes, then what is selected. While the host is
    /// away it is a line that says so; the scenes follow when it is back.
    pub fn snapshot(runner: &Arc<Runner>) -> Result<Vec<(&'static str, Value)>, ToolError> {
        let ask = |tool: &str| scenewright_toolkit::resources::run(runner, tool, JsonMap::new());
        let scenes = match ask("explorer.listScenes") {
            Err(error) if error.kind == ErrorKind::NotReady && runner.world().link().is_some() => {
                return Ok(vec![("log", relay::line("warn", error.message))]);
            }
            scenes => scenes?,
        };
        let selection = ask("explorer.getSelection")?;
        Ok(vec![("scenes", scenes), ("selection", selection)])
    }

    /// Pass on what has happened.
    fn tell(&self, world: &mut World) {
        let events = world.take_events();
        let changed = world.take_changed();
        resources::changed(&events, &changed).iter().for_each(|uri| self.changed(uri));
        let Some(listener) = self.listener.get() else { return };
        for event in events {
            let (name, payload) = match event {
                Event::Log(line) => ("log", cards::log_event(&line)),
                Event::Selection => ("selection", cards::selection(world)),
                Event::SceneLoaded(place) => ("scenes_diff", cards::scenes_diff(Some(place), None)),
                Event::SceneUnloaded(place) => {
                    ("scenes_diff", cards::scenes_diff(None, Some(place)))
                }
            };
            listener(name, payload);
        }
    }
}

/// A call that is about the world.
pub(crate) trait InWorld {
    /// Look at the world, or change it; it is loaded when nobody has asked before. Who listens is
    /// told afterwards.
    fn world<T>(
        &self,
        look: impl FnOnce(&mut World) -> Result<T, ToolError>,
    ) -> Result<T, ToolError>;

    /// What holds the world, and its settings.
    fn holder(&self) -> &WorldHolder;

    /// Read a scene of the project so that it can be loaded.
    fn scene_data(&self, path: &str) -> Result<SceneData, ToolError>;

    /// The version of Unity that the project of the world was saved with.
    fn unity_version(&self) -> Result<String, ToolError>;
}

impl InWorld for Cx {
    fn world<T>(
        &self,
        look: impl FnOnce(&mut World) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let (holder, root) = (self.holder(), &world_root(self)?.root);
        let mut world = holder.world.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, world) = match &mut *world {
            Some(world) if world.0 == *root => world,
            // There is none yet, or one of a project that was open before.
            other => other.insert((root.clone(), first_world(self, holder)?)),
        };
        holder.write_waiting(world);
        let answer = look(world);
        holder.tell(world);
        answer
    }

    fn holder(&self) -> &WorldHolder {
        self.runner().world()
    }

    fn scene_data(&self, path: &str) -> Result<SceneData, ToolError> {
        load::scene(self, &world_project(self)?, path)
    }

    fn unity_version(&self) -> Result<String, ToolError> {
        Ok(world_settings(self)?.version.to_string())
    }
}

fn first_world(cx: &Cx, holder: &WorldHolder) -> Result<World, ToolError> {
    let unity = world_project(cx)?;
    let types = Arc::new(types::read(cx, &unity)?);
    let mut world = World::new(types);
    world.meshes = Arc::new(meshes::ProjectMeshes::new(unity.index.clone()));
    world.sprites = Arc::new(sprites::ProjectSprites::new(unity.index.clone()));
    world.initials = types::evaluate;
    let build_scenes = load::build_scenes(&unity)?;
    let first = match holder.scene.get() {
        Some(scene) => Some(scene.clone()),
        None => load::first_scene(&unity, &build_scenes),
    };
    world.set_build_scenes(build_scenes);
    if let Some(tags) = load::tags(&unity) {
        world.set_tags(tags);
    }
    if let Some(path) = first {
        let loaded = load::scene(cx, &unity, &path)
            .and_then(|data| world.load(data, false).map_err(refused));
        match loaded {
            Ok(_) => {}
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            // The log tells of it, and another scene can still be loaded.
            Err(error) => {
                let (level, source) = ("error", "unity");
                let message = error.message;
                world.write_log(Line { time: now(), level, message, source, category: None });
            }
        }
    }
    holder.write_waiting(&mut world);
    run_startup(cx, &mut world);
    // Nobody can have listened to what happened before the world was there.
    world.take_events();
    world.take_changed();
    Ok(world)
}

/// Run the startup script, if there is one and code may run. What goes wrong is in the log.
fn run_startup(cx: &Cx, world: &mut World) {
    let gate = cx.holder().config().gate();
    let may_run = gate.allow_code && gate.allow_writes && cx.runner().settings().allow_writes;
    let file = scripts::folder(cx).ok().map(|folder| folder.join(scripts::STARTUP[0]));
    let Some(file) = file.filter(|file| may_run && file.is_file()) else { return };
    let run = scripts::read(&file).and_then(|script| console::run(cx, world, &script.content));
    let (level, message) = match run {
        Ok(given) => ("info", format!("startup.cs ran: {}", given.result)),
        Err(error) => ("error", format!("startup.cs failed: {}", error.message)),
    };
    world.write_log(Line { time: now(), level, message, source: "console", category: None });
}

/// What is in a prefab of the project, so that an instance can be made of it.
pub(crate) fn prefab(cx: &Cx, path: &str) -> Result<SceneData, ToolError> {
    if !path.ends_with(".prefab") {
        let text = format!("only prefabs are instantiated here, and {path:?} is none");
        return Err(ToolError::new(ErrorKind::BadArguments, text));
    }
    world_project(cx)?.asset(Some(path), None)?;
    let data = cx.scene_data(path)?;
    let origin = load::Origin::of(data.origin.as_ref());
    let why = origin.and_then(|origin| origin.node(0).and_then(|root| root.opaque()));
    match why {
        Some(why) => Err(ToolError::failed(format!("{path} cannot be looked into: {why}"))),
        None => Ok(data),
    }
}

fn world_project(cx: &Cx) -> Result<Unity<'_>, ToolError> {
    cx.unity(Some(&world_root(cx)?.id.to_string()))
}

/// The project that the world is of. What is changed in the world is no project's: only saving it asks
/// for the one that is meant.
fn world_root(cx: &Cx) -> Result<&Project, ToolError> {
    match cx.workspace().candidates(Some(NAME)).next() {
        Some(_) => cx.choose(Some(NAME), None, false),
        None if cx.workspace().projects().is_empty() => Err(cx.workspace().nothing_open()),
        None => Err(ToolError::new(ErrorKind::NotReady, "No Unity project is open")
            .hint("project_open opens one; or start the server with --project and its folder")),
    }
}

/// What the settings of the world's project say; asking needs no index.
fn world_settings(cx: &Cx) -> Result<&scenewright_unity::Project, ToolError> {
    let project = world_root(cx)?;
    let unity = project.of::<UnityProject>().ok_or_else(|| project.unknown_engine())?;
    Ok(&unity.settings)
}

/// The object of `obj:<instanceId>`.
pub(crate) fn object_id(text: &str) -> Result<ObjectId, ToolError> {
    ObjectId::parse(text).map_err(|error| {
        let hint = match error {
            BadId::NoPrefix => "ids come from ListObjects and SearchObjects",
            BadId::NoNumber => "an instance id is a whole number of 32 bits",
        };
        ToolError::new(ErrorKind::BadArguments, error.to_string()).hint(hint).detail("id", text)
    })
}

/// The object of an id, if it is still there.
pub(crate) fn found(world: &World, id: ObjectId) -> Result<&Object, ToolError> {
    world.object(id).ok_or_else(|| nobody(world, id))
}

/// Nothing has this id; some that are there, with their names.
fn nobody(world: &World, id: ObjectId) -> ToolError {
    const NAMED: usize = 4;
    let roots = world.all_roots();
    let named = roots.iter().take(NAMED).map(|root| format!("{root} {}", world.path(*root)));
    let named: Vec<String> = named.collect();
    let there = match named.is_empty() {
        true => "no scene has any object".to_owned(),
        false => format!("there is {}", named.join(", ")),
    };
    let hint = format!(
        "no object has the id {id}, or it was destroyed; {there}; SearchObjects and ListChildren find others"
    );
    refused(Refused::NotFound).hint(hint).detail(THERE, named)
}

/// What is there instead of what was asked for. Clients of the interface know only that it is not.
pub(crate) const THERE: &str = "there";

/// The component of a class on an object, in the interface's words when it is not clear.
pub(crate) fn component_of(
    world: &World,
    id: ObjectId,
    class: &str,
) -> Result<ComponentId, ToolError> {
    world.component_of(id, class).map_err(|error| match error {
        Refused::NoComponent => no_component(world, id, class),
        Refused::Other(_) => {
            refused(error).hint("Use the exact component type (from GetComponents)")
        }
        error => refused(error),
    })
}

/// The component of exactly this class on an object; its short name is enough.
pub(crate) fn exact_component(
    world: &World,
    id: ObjectId,
    class: &str,
) -> Result<ComponentId, ToolError> {
    let component = found(world, id)?.component(&full_class(world, id, class));
    component.map(|component| component.id()).ok_or_else(|| no_component(world, id, class))
}

/// The full name of the class that a short one means on an object: `Light` for
/// `UnityEngine.Light`. One that no component has, or several have, stays as it is.
pub(crate) fn full_class(world: &World, id: ObjectId, class: &str) -> String {
    let names: BTreeSet<&str> = class_names(world, id).collect();
    let mut same = names.iter().filter(|name| name.rsplit('.').next() == Some(class));
    match (names.contains(class), same.next(), same.next()) {
        (false, Some(only), None) => (*only).to_owned(),
        _ => class.to_owned(),
    }
}

fn class_names(world: &World, id: ObjectId) -> impl Iterator<Item = &str> + Clone {
    let components = world.object(id).into_iter().flat_map(|object| object.components());
    components.filter_map(|component| component.type_name())
}

fn no_component(world: &World, id: ObjectId, class: &str) -> ToolError {
    let hint = suggest::did_you_mean(class, class_names(world, id), "GetComponents lists them");
    refused(Refused::NoComponent).hint(hint).detail("componentType", class)
}

/// Why the world did not do it, for the caller.
pub(crate) fn refused(refused: Refused) -> ToolError {
    let kind = match refused {
        Refused::NotFound | Refused::NoComponent | Refused::NotRun(_) => ErrorKind::EngineError,
        _ => ErrorKind::BadArguments,
    };
    let error = ToolError::new(kind, refused.to_string());
    match refused {
        Refused::NotRun(_) => {
            error.hint("HookSetSource with a Prefix that returns false says what is done instead")
        }
        _ => error,
    }
}

/// The time as a text: `2026-03-01T12:30:45.123Z`.
pub fn timestamp_now() -> String {
    cards::timestamp(now())
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
