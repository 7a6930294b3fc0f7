//! Signals: which a node has, and what is connected to them, in the scene and in its instances.

use std::collections::{HashMap, HashSet};

use scenewright_godot::{Scene, Sources, absolute_path};

use crate::base::followers::join;
use crate::base::{Godot, Kind};

/// Instances in instances; deeper ones are left out.
const MAX_DEPTH: usize = 32;
/// Connections of one scene.
const MAX_CONNECTIONS: usize = 10_000;

/// A connection, and the file that makes it.
pub struct Connected {
    /// The signal.
    pub signal: String,
    /// The path of the node that sends it.
    pub from: String,
    /// The path of the node that receives it.
    pub to: String,
    /// The method that is called.
    pub method: String,
    /// Godot's flags.
    pub flags: i64,
    /// How many of the signal's arguments are dropped.
    pub unbinds: i64,
    /// Values that follow the signal's arguments, as Godot writes them.
    pub binds: Vec<String>,
    /// The `res://` path of the file.
    pub file: String,
}

impl Godot<'_> {
    /// All connections of a scene, with those that its instances and base scenes bring: its own
    /// first.
    pub fn connections(&self, scene: &Scene, path: &str) -> Vec<Connected> {
        let (scenes, silent, list) = (HashMap::new(), HashSet::new(), Vec::new());
        let mut found = Found { godot: self, scenes, silent, list };
        found.collect(scene, path, ".", 0);
        if found.list.len() >= MAX_CONNECTIONS {
            self.cx.diagnose(format!(
                "Only the first {MAX_CONNECTIONS} connections were looked at. Results are partial."
            ));
        }
        found.list.truncate(MAX_CONNECTIONS);
        found.list
    }
}

struct Found<'a> {
    godot: &'a Godot<'a>,
    scenes: HashMap<String, Option<std::rc::Rc<Scene>>>,
    /// Scenes that bring no connections, by how deep they were: a few of them in each other can stand
    /// for more instances than could ever be entered.
    silent: HashSet<(String, usize)>,
    list: Vec<Connected>,
}

impl Found<'_> {
    fn collect(&mut self, scene: &Scene, file: &str, root: &str, depth: usize) {
        for connection in scene.connections() {
            let new = connection.to_new();
            let binds = new.binds.iter().map(|value| value.to_text(scene.value_format())).collect();
            self.list.push(Connected {
                from: join(root, &new.from),
                to: join(root, &new.to),
                signal: new.signal,
                method: new.method,
                flags: new.flags,
                unbinds: new.unbinds,
                binds,
                file: file.to_owned(),
            });
        }
        if depth >= MAX_DEPTH {
            return;
        }
        let resources: HashMap<_, _> =
            scene.ext_resources().map(|found| (found.id(), found)).collect();
        for node in scene.nodes() {
            if self.list.len() >= MAX_CONNECTIONS {
                return;
            }
            let instance = node.instance().and_then(|id| resources.get(&id));
            let Some(instance) = instance else { continue };
            let known = instance.uid().and_then(|uid| self.godot.find_uid(&uid));
            let path = known.unwrap_or_else(|| absolute_path(file, &instance.path()));
            let place = (path, depth + 1);
            if self.silent.contains(&place) {
                continue;
            }
            let (path, depth) = &place;
            let before = self.list.len();
            if let Some(inner) = self.scene(path) {
                self.collect(&inner, path, &join(root, node.path()), *depth);
            }
            if self.list.len() == before {
                self.silent.insert(place);
            }
        }
    }

    fn scene(&mut self, path: &str) -> Option<std::rc::Rc<Scene>> {
        if !path.ends_with(".tscn") {
            return None;
        }
        if let Some(known) = self.scenes.get(path) {
            return known.clone();
        }
        let bytes = Sources::read(self.godot, path);
        let scene = bytes.map(|bytes| std::rc::Rc::new(Scene::parse(bytes)));
        self.scenes.insert(path.to_owned(), scene.clone());
        scene
    }
}

/// The signals and methods of a node.
pub struct Signals<'a> {
    godot: &'a Godot<'a>,
    kind: &'a Kind,
}

impl<'a> Signals<'a> {
    /// Those of a node of this kind.
    pub fn of(godot: &'a Godot<'a>, kind: &'a Kind) -> Self {
        Self { godot, kind }
    }

    /// Every signal with its arguments and who declares it: the scripts', then the classes'.
    pub fn declared(&self) -> Vec<(String, String, String)> {
        let mut all = Vec::new();
        let script = self.kind.script.as_deref();
        for (file, script) in script.map(|path| self.godot.script_chain(path)).unwrap_or_default() {
            for signal in &script.signals {
                let arguments = signal.detail.trim_start_matches('(').trim_end_matches(')');
                all.push((signal.name.clone(), arguments.to_owned(), file.clone()));
            }
        }
        for class in self.godot.classes().ancestors(&self.kind.class) {
            for signal in class.signals() {
                let arguments: Vec<String> = signal
                    .arguments
                    .iter()
                    .map(|argument| format!("{}: {}", argument.name, argument.value))
                    .collect();
                all.push((signal.name.to_owned(), arguments.join(", "), class.name.to_owned()));
            }
        }
        all
    }

    /// Whether all that the node could declare is known: its class, and every script in GDScript.
    pub fn is_known(&self) -> bool {
        let class = self.godot.classes().class(&self.kind.class).is_some();
        class && self.kind.script.as_deref().is_none_or(|path| self.godot.script(path).is_some())
    }

    /// Whether the node has a method of this name.
    pub fn has_method(&self, name: &str) -> bool {
        let chain = self.kind.script.as_deref().map(|path| self.godot.script_chain(path));
        let mut scripts = chain.iter().flatten();
        scripts.any(|(_, script)| script.functions.iter().any(|function| function.name == name))
            || self.godot.classes().method(&self.kind.class, name).is_some()
    }
}
