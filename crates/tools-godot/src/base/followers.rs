//! What names the nodes of a scene elsewhere: scenes that have it in them, which follow when a node
//! gets another path, and scripts and resources, of which is told where they still name the old one.

mod code;

use std::collections::{BTreeSet, HashMap, HashSet};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{
    ChangeError, FileEntry, FileKind, MentionKind, Repointed, Scene, Script, Sources, Tree,
    UseKind, absolute_path,
};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{Godot, OpenScene, Unreads, Write, in_resources, refused, saved};

/// Instances in instances; the deepest real projects have about ten.
const MAX_DEPTH: usize = 32;
/// Places of one scene in another.
const MAX_PLACES: usize = 10_000;
/// Leftovers that are listed; more are counted.
const MAX_LISTED: usize = 100;

// What was changed so that it still leads to a node, as tools tell it.
#[allow(missing_docs, reason = "a doc comment would become a description in schemas")]
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node before.
    old_path: String,
    /// Path of the node now.
    node_path: String,
    /// How many parents, connections, node paths and shown instances follow.
    references_updated: usize,
    /// Other scenes that were changed with it.
    other_scenes: Vec<String>,
    /// Scripts that were changed with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scripts_updated: Vec<String>,
    #[serde(flatten)]
    leftovers: Leftovers,
    #[serde(flatten)]
    written: Written,
}

/// Whether scripts follow, too. Flatten it into the input of a tool that gives nodes other paths.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Code {
    /// Rewrite `$Path`, `%Unique` and `get_node("Path")` in GDScript where it is certain that they
    /// mean this node; the others are listed as always.
    #[serde(default)]
    pub update_scripts: bool,
}

/// What still names a node by a path that it does not have any more.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Leftovers {
    /// Places in scripts and resources that still name the old path, at most 100: look at them.
    pub not_touched: Vec<Leftover>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_not_touched: usize,
}

/// One such place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Leftover {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 in a file without lines.
    pub line: usize,
    /// What is written there, or why nobody knows.
    pub text: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Leftovers {
    /// The list of all that was found, cut where it is long.
    pub fn of(found: BTreeSet<Leftover>) -> Leftovers {
        let more_not_touched = found.len().saturating_sub(MAX_LISTED);
        Leftovers { not_touched: found.into_iter().take(MAX_LISTED).collect(), more_not_touched }
    }
}

/// Give a node another path by `change`, which returns it, and let everything follow that leads
/// there: in this scene, and in those that instance or inherit it.
pub fn relocate(
    godot: &Godot<'_>,
    mut open: OpenScene,
    from: &str,
    (write, code): (Write, Code),
    change: impl FnOnce(&mut Scene) -> Result<(String, Repointed), ChangeError>,
) -> Result<Followed, ToolError> {
    let before = godot.tree_of(&open);
    let users = users_of(godot, &open.path);
    let is_unique = before.node(from).is_some_and(|node| node.has_unique_name());
    let (to, mut repointed) = change(&mut open.scene).map_err(refused)?;
    let way = Way { from, to: &to, is_unique };
    let mut found = BTreeSet::new();
    unsure(&open, &repointed, &mut found);
    // A root is named anew by each scene that has it, so only its own path from above changes.
    if from == "." || from != to {
        from_the_root(godot, &before, from, &mut found);
    }
    let mut moved = vec![Moved { before, ways: vec![(from.to_owned(), to.clone())] }];
    let mut opens = vec![open];
    for user in users.into_iter().filter(|_| from != ".") {
        let mut other = godot.open_scene_at(user.path.clone())?;
        moved.push(follow_in(godot, &mut other, &user.roots, &way, &mut repointed, &mut found)?);
        opens.push(other);
    }
    for (open, moved) in opens.iter().zip(&moved) {
        let after = godot.tree_with(&open.path, &opens);
        let map = |path: &str| Some(moved.now(path));
        in_scripts(godot, &moved.before, &after, from, &map, &mut found)?;
        in_resources(godot, &open.path, from, &mut found);
    }
    Unreads::of(godot).diagnose(godot);
    let scripts = match code.update_scripts {
        true => code::rewrite(godot, &opens, &moved, &mut found)?,
        false => Vec::new(),
    };
    let written = match (&opens[..], scripts.is_empty()) {
        ([open, others @ ..], true) => open.save_with(godot, others, write)?,
        _ => {
            let mut plan = Plan::new(godot.project);
            opens.iter().for_each(|open| open.add_to(&mut plan));
            scripts.iter().try_for_each(|script| script.add_to(&mut plan))?;
            saved(godot, plan, write)?
        }
    };
    let others = opens.iter().skip(1).filter(|open| open.is_changed());
    let other_scenes = others.map(|open| open.path.to_string()).collect();
    let Repointed { nodes, connections, paths, editables, .. } = repointed;
    Ok(Followed {
        success: true,
        old_path: from.to_owned(),
        node_path: to,
        references_updated: nodes + connections + paths + editables,
        other_scenes,
        scripts_updated: scripts.iter().map(|script| script.path.to_string()).collect(),
        leftovers: Leftovers::of(found),
        written,
    })
}

/// Let what a scene has put behind a node of another one move up, when that node goes: such nodes
/// tell their places among all siblings, and would slip behind the next one.
pub fn close_places(
    tree: &Tree,
    scene: &mut Scene,
    roots: &[String],
    gone: &str,
) -> Result<(), ToolError> {
    for (parent, place) in places(tree, roots, gone) {
        scene.close_place(parent, place).map_err(refused)?;
    }
    Ok(())
}

/// Let what other scenes have put behind a node of this one move down, when another comes right behind
/// that node: it would slip before the next one otherwise. Those that changed.
pub fn open_places(
    godot: &Godot<'_>,
    scene: &ProjectPath,
    node: &str,
) -> Result<Vec<OpenScene>, ToolError> {
    let mut others = Vec::new();
    for user in users_of(godot, scene) {
        let mut other = godot.open_scene_at(user.path.clone())?;
        let tree = godot.tree(&user.path)?;
        for (parent, place) in places(&tree, &user.roots, node) {
            other.scene.open_place(parent, place).map_err(refused)?;
        }
        others.extend(Some(other).filter(OpenScene::is_changed));
    }
    Ok(others)
}

/// The node above and the place below it that a node of one scene has wherever another has it.
fn places<'t>(
    tree: &'t Tree,
    roots: &'t [String],
    node: &'t str,
) -> impl Iterator<Item = (&'t str, usize)> {
    roots.iter().filter_map(move |root| {
        let node = tree.node(&join(root, node))?;
        let parent = &tree.nodes()[node.parent?];
        let place = tree.children(parent).position(|child| child.path == node.path)?;
        Some((&*parent.path, place))
    })
}

/// The old and the new path of a node in its own scene.
struct Way<'a> {
    from: &'a str,
    to: &'a str,
    /// Scripts find it by its name.
    is_unique: bool,
}

/// Let another scene follow, at every place where it has the node's scene in it.
fn follow_in(
    godot: &Godot<'_>,
    other: &mut OpenScene,
    roots: &[String],
    way: &Way<'_>,
    repointed: &mut Repointed,
    found: &mut BTreeSet<Leftover>,
) -> Result<Moved, ToolError> {
    let before = godot.tree(&other.path)?;
    let mut ways = Vec::new();
    if parent_of(way.from) != parent_of(way.to) {
        close_places(&before, &mut other.scene, roots, way.from)?;
    }
    for root in roots {
        let (old, new) = (join(root, way.from), join(root, way.to));
        if old != new && before.node(&new).is_some() {
            return Err(clash(&other.path, &new));
        }
        let unique = way.is_unique.then_some(root.as_str());
        let done = other.scene.follow(&old, &new, unique).map_err(|error| {
            let refusal = refused(error);
            ToolError { message: format!("{}: {}", other.path, refusal.message), ..refusal }
        })?;
        unsure(other, &done, found);
        add(repointed, done);
        ways.push((old, new));
    }
    Ok(Moved { before, ways })
}

fn parent_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

fn clash(scene: &ProjectPath, path: &str) -> ToolError {
    ToolError::new(
        ErrorKind::BadArguments,
        format!("{scene} has this scene in it and a node of its own at `{path}`"),
    )
    .hint("nothing was changed; choose another name, or rename that node first")
}

fn add(all: &mut Repointed, more: Repointed) {
    all.nodes += more.nodes;
    all.connections += more.connections;
    all.paths += more.paths;
    all.editables += more.editables;
}

/// The tree of a scene before the change, and which nodes got which paths.
struct Moved {
    before: Tree,
    ways: Vec<(String, String)>,
}

impl Moved {
    fn now(&self, path: &str) -> String {
        let new = self.ways.iter().find_map(|(from, to)| {
            let rest = path.strip_prefix(from.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
        });
        new.unwrap_or_else(|| path.to_owned())
    }
}

/// Paths in the file of which is not known where they start.
fn unsure(open: &OpenScene, done: &Repointed, found: &mut BTreeSet<Leftover>) {
    // A large scene has the same few thousands of times, and reading its values takes long.
    let texts: HashSet<&str> = done.unsure.iter().map(String::as_str).collect();
    if texts.is_empty() {
        return;
    }
    for mention in open.scene.mentions() {
        if mention.kind == MentionKind::NodePath && texts.contains(&*mention.text) {
            let line = open.scene.position(mention.span.start).0;
            let (file, text) = (open.path.to_string(), mention.text.to_string());
            found.insert(Leftover { file, line, text });
        }
    }
}

/// Paths in scripts that lead elsewhere or nowhere after a change. `map` tells the new path of a
/// node, and nothing when it is gone.
pub fn in_scripts(
    godot: &Godot<'_>,
    before: &Tree,
    after: &Tree,
    changed: &str,
    map: &dyn Fn(&str) -> Option<String>,
    found: &mut BTreeSet<Leftover>,
) -> Result<(), ToolError> {
    let name = changed.rsplit('/').next().unwrap_or(changed);
    let mut chains = HashMap::new();
    for base in before.nodes() {
        godot.cx.check_cancelled()?;
        let Some(script) = base.script() else { continue };
        let Some(base_now) = map(&base.path) else { continue };
        let chain = chains
            .entry(script.clone())
            .or_insert_with_key(|script| script_paths(godot, script, name));
        for used in chain.iter() {
            let target = before.resolve(base, &used.leftover.text);
            let is_left = match target {
                None => used.is_call && names(&used.leftover.text, name),
                Some(target) => {
                    let wanted = map(&target.path);
                    let now = after.node(&base_now);
                    let now = now.and_then(|base| after.resolve(base, &used.leftover.text));
                    wanted.is_none() || now.map(|node| &node.path) != wanted.as_ref()
                }
            };
            if is_left {
                found.insert(used.leftover.clone());
            }
        }
    }
    Ok(())
}

/// Paths in all scripts of which only a running game tells where they start: from its root,
/// `/root/Main/Player`, and from what a variable holds, `player.get_node("Camera")`. They may mean
/// the node that changes.
pub fn from_the_root(
    godot: &Godot<'_>,
    before: &Tree,
    changed: &str,
    found: &mut BTreeSet<Leftover>,
) {
    let Some(root) = before.root() else { return };
    let way = join(&format!("/root/{}", root.name), changed);
    for file in godot.index.of_kind(FileKind::Script) {
        let Some(script) = &file.script else { continue };
        let texts = script.literals.iter().map(|text| (&text.text, text.line));
        let paths = script.node_paths.iter().map(|path| (&path.name, path.line));
        for (text, line) in texts.chain(paths) {
            let rest = text.strip_prefix(&*way);
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':'])) {
                found.insert(Leftover { file: file.path.clone(), line, text: text.clone() });
            }
        }
        through_variables(godot, file, script, changed, found);
    }
}

fn through_variables(
    godot: &Godot<'_>,
    file: &FileEntry,
    script: &Script,
    changed: &str,
    found: &mut BTreeSet<Leftover>,
) {
    let mut meant = script.arguments(is_lookup).filter(|used| may_mean(&used.text, changed));
    let mut code = None;
    while let Some(used) = meant.next().filter(|_| changed != ".") {
        let code: &Vec<u8> =
            code.get_or_insert_with(|| Sources::read(godot, &file.res_path()).unwrap_or_default());
        if is_of_variable(code.get(..used.offset).unwrap_or_default(), &used.call) {
            let (file, text) = (file.path.clone(), used.text.clone());
            found.insert(Leftover { file, line: used.line, text });
        }
    }
}

/// Whether a path could lead through a node, as far as the names go: what stands before its name
/// are the nodes above it.
fn may_mean(text: &str, changed: &str) -> bool {
    let names = text.split(':').next().unwrap_or_default();
    let steps: Vec<&str> =
        names.split('/').filter(|step| !matches!(*step, "" | "." | "..")).collect();
    let (above, name) = changed.rsplit_once('/').unwrap_or(("", changed));
    let Some(at) = steps.iter().position(|step| step.trim_start_matches('%') == name) else {
        return false;
    };
    let above = above.rsplit('/').filter(|step| !step.is_empty());
    steps[..at].iter().rev().zip(above).all(|(step, above)| *step == above)
}

/// Whether a call is one on something else than the script's own node; `before` ends where its
/// argument starts.
fn is_of_variable(before: &[u8], call: &str) -> bool {
    let before = String::from_utf8_lossy(&before[before.len().saturating_sub(200)..]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let receiver = line.rfind(call).map(|at| &line[..at]).and_then(|text| text.strip_suffix('.'));
    receiver.is_some_and(|text| !text.ends_with("self"))
}

/// Whether a call takes the path of a node.
fn is_lookup(call: &str) -> bool {
    call.starts_with("get_node") || matches!(call, "has_node" | "find_child" | "NodePath")
}

/// A path in a script.
struct PathInScript {
    leftover: Leftover,
    /// It is the argument of a call on a node that is not known here.
    is_call: bool,
}

/// The node paths in a script and in those that it extends.
fn script_paths(godot: &Godot<'_>, script: &str, name: &str) -> Vec<PathInScript> {
    let mut paths = Vec::new();
    for (file, script) in godot.script_chain(script) {
        let file = file.strip_prefix("res://").unwrap_or(&file).to_owned();
        paths.extend(paths_of(&file, &script));
    }
    if script.ends_with(".cs") {
        let bytes = godot.path(script).and_then(|path| godot.read(&path)).unwrap_or_default();
        let file = script.strip_prefix("res://").unwrap_or(script);
        paths.extend(csharp_paths(file, &String::from_utf8_lossy(&bytes), name));
    }
    paths
}

fn paths_of(file: &str, script: &Script) -> Vec<PathInScript> {
    let path = |text: &str, line, is_call| PathInScript {
        leftover: Leftover { file: file.to_owned(), line, text: text.to_owned() },
        is_call,
    };
    let written = script.node_paths.iter().map(|used| path(&used.name, used.line, false));
    let called = script.arguments(is_lookup).map(|used| path(&used.text, used.line, true));
    written.chain(called).collect()
}

/// Node paths of a C# script that name a node; where they start is not known.
fn csharp_paths(file: &str, text: &str, name: &str) -> Vec<PathInScript> {
    let mut paths = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut before = String::new();
        for (part, text) in line.split('"').enumerate() {
            if part % 2 == 1 && names(text, name) && takes_path(&before) {
                let leftover =
                    Leftover { file: file.to_owned(), line: number + 1, text: text.to_owned() };
                paths.push(PathInScript { leftover, is_call: true });
            }
            before += text;
        }
    }
    paths
}

/// Whether C# takes the text that follows as the path of a node: `GetNode<Camera2D>(`, or a value
/// of the type `NodePath`.
fn takes_path(before: &str) -> bool {
    const CALLS: [&str; 6] =
        ["GetNode", "GetNodeOrNull", "HasNode", "FindChild", "NodePath", "GetNodeAndResource"];
    if before.contains("//") {
        return false;
    }
    let call = before.trim_end().strip_suffix('(').map(|call| match call.strip_suffix('>') {
        Some(generic) => generic.split('<').next().unwrap_or_default(),
        None => call,
    });
    match call {
        Some(call) => CALLS.iter().any(|known| {
            let rest = call.trim_end().strip_suffix(known);
            rest.is_some_and(|rest| !rest.ends_with(|char: char| char.is_alphanumeric()))
        }),
        None => before.contains("NodePath"),
    }
}

/// Whether a path has a node of this name in it.
pub(super) fn names(path: &str, name: &str) -> bool {
    let path = path.split(':').next().unwrap_or_default();
    path.split('/').any(|step| step.trim_start_matches('%') == name)
}

/// A scene, and where another one is in it.
pub struct Placed {
    /// The scene that has the other in it.
    pub path: ProjectPath,
    /// Paths of the nodes that are the other's root; `.` when it is inherited.
    pub roots: Vec<String>,
}

/// The scenes that have a scene in them, through others too, by path.
pub fn users_of(godot: &Godot<'_>, target: &ProjectPath) -> Vec<Placed> {
    let mut candidates: BTreeSet<String> = BTreeSet::new();
    let mut waiting = vec![target.to_string()];
    while let Some(path) = waiting.pop() {
        for (file, used) in godot.index.users(&path) {
            let is_scene = file.kind == FileKind::Scene && used.kind == UseKind::ExtResource;
            if is_scene && candidates.insert(file.path.clone()) {
                waiting.push(file.path.clone());
            }
        }
    }
    let staged = scenewright_toolkit::door::staged_paths(godot.cx, godot.project);
    candidates
        .extend(staged.into_iter().filter(|(_, there)| *there).map(|(path, _)| path.to_string()));
    candidates.remove(target.as_str());
    let target = format!("res://{target}");
    let mut places = Places { godot, target: &target, known: HashMap::new(), way: Vec::new() };
    let mut users = Vec::new();
    for path in candidates.iter().filter(|path| path.ends_with(".tscn")) {
        let Ok(place) = godot.path(path) else { continue };
        let roots = places.of(&format!("res://{path}"));
        if !roots.is_empty() {
            users.push(Placed { path: place, roots });
        }
    }
    users
}

/// Finds where a scene is in others.
struct Places<'a> {
    godot: &'a Godot<'a>,
    target: &'a str,
    known: HashMap<String, Vec<String>>,
    /// The files that are being looked through, each in the one before.
    way: Vec<String>,
}

impl Places<'_> {
    fn of(&mut self, file: &str) -> Vec<String> {
        if let Some(known) = self.known.get(file) {
            return known.clone();
        }
        if self.way.len() >= MAX_DEPTH || self.way.iter().any(|above| above == file) {
            return Vec::new();
        }
        let Some(bytes) = Sources::read(self.godot, file) else { return Vec::new() };
        let scene = Scene::parse(bytes);
        self.way.push(file.to_owned());
        let mut found = Vec::new();
        for node in scene.nodes() {
            let Some(instance) = node.instance().and_then(|id| scene.ext_resource(&id)) else {
                continue;
            };
            let known = instance.uid().and_then(|uid| self.godot.find_uid(&uid));
            let path = known.unwrap_or_else(|| absolute_path(file, &instance.path()));
            if path == self.target {
                found.push(node.path().to_owned());
            } else if path.ends_with(".tscn") {
                found.extend(self.of(&path).iter().map(|inner| join(node.path(), inner)));
            }
            found.truncate(MAX_PLACES);
        }
        self.way.pop();
        self.known.insert(file.to_owned(), found.clone());
        found
    }
}

/// A path below a node.
pub fn join(parent: &str, path: &str) -> String {
    match (parent, path) {
        (".", path) => path.to_owned(),
        (parent, ".") => parent.to_owned(),
        (parent, path) => format!("{parent}/{path}"),
    }
}
