//! A tree from a scene and the scenes it instances.
//!
//! A scene may instance itself through others, and a few files can stand for more nodes than memory
//! holds. So the builder carries the files it is in, and refuses one that is among them, a way that
//! is too deep and a tree that is too large; each becomes a problem of the tree and not an error.

use std::collections::HashMap;
use std::sync::Arc;

use super::ids::Ids;
use super::node::SceneFile;
use super::{
    NodeState, Origin, Sources, Tree, TreeNode, TreeProblem, TreeProblemKind, TreeProperty,
};
use crate::Node;
use crate::scene::{is_within, join, split};

/// Instances in instances in instances; the deepest real projects have about ten.
const MAX_DEPTH: usize = 32;
/// Nodes of one tree.
const MAX_NODES: usize = 80_000;
/// Instances in instances bring half as many nodes on each level, down to this one. Scenes with many
/// nodes have most of them near the top; a few small files in each other bring any number.
const LAST_LEVEL: usize = 4;
pub(super) const MAX_PROBLEMS: usize = 200;

pub(super) fn build(path: &str, sources: &dyn Sources, near: Option<&str>) -> Option<Tree> {
    let mut builder = Builder::new(sources, near, HashMap::new(), Ids::default());
    let file = builder.file(path)?;
    if near.is_some() && file.scene.nodes().any(|node| names_by_ids(node)) {
        // What ids lead to may be anywhere, near the node or far from it.
        builder.near = None;
    }
    let mut root = builder.scene(&file, true);
    if let Ids::Wanted = builder.ids {
        builder = Builder::new(sources, None, builder.files, Ids::Known(HashMap::new()));
        root = builder.scene(&file, true);
    }
    Some(builder.finish(root))
}

/// A tree in the making. Nodes stand in the order they were made.
pub(super) struct Builder<'a> {
    sources: &'a dyn Sources,
    /// The node of the scene around which to build; everything when nothing.
    near: Option<&'a str>,
    files: HashMap<String, Option<Arc<SceneFile>>>,
    /// The files that are being built, each inside the one before.
    way: Vec<String>,
    /// How many nodes were made on each level.
    made: [usize; LAST_LEVEL + 1],
    pub(super) nodes: Vec<TreeNode>,
    pub(super) ids: Ids,
    /// Children by their parent and name; of several the first.
    by_name: HashMap<(usize, String), usize>,
    pub(super) problems: Vec<TreeProblem>,
    is_cut: bool,
}

impl<'a> Builder<'a> {
    fn new(
        sources: &'a dyn Sources,
        near: Option<&'a str>,
        files: HashMap<String, Option<Arc<SceneFile>>>,
        ids: Ids,
    ) -> Builder<'a> {
        let (way, nodes, by_name, problems) = (Vec::new(), Vec::new(), HashMap::new(), Vec::new());
        let made = [0; LAST_LEVEL + 1];
        Builder { sources, near, files, way, made, nodes, ids, by_name, problems, is_cut: false }
    }

    fn file(&mut self, path: &str) -> Option<Arc<SceneFile>> {
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let scene = self.sources.scene(path);
        let file = scene.map(|scene| Arc::new(SceneFile::new(path, scene)));
        self.files.insert(path.to_owned(), file.clone());
        file
    }

    pub(super) fn problem(
        &mut self,
        kind: TreeProblemKind,
        file: &SceneFile,
        node: Node<'_>,
        message: String,
    ) {
        self.is_cut |= kind == TreeProblemKind::TooMuch;
        if self.problems.len() < MAX_PROBLEMS {
            let (line, path) = (node.section().line(), node.path().to_owned());
            let file = file.path.clone();
            self.problems.push(TreeProblem { kind, file, line, node: path, message });
        }
    }

    /// Makes all nodes of a file and returns its root.
    fn scene(&mut self, file: &Arc<SceneFile>, is_main: bool) -> Option<usize> {
        self.way.push(file.path.clone());
        let mut root = None;
        let near = self.near.filter(|_| is_main);
        for node in file.scene.nodes() {
            let is_wanted = near.is_none_or(|near| {
                is_near(node.path(), near)
                    // Names inside of a model are known from what is put there, however deep.
                    || is_within(node.path(), near)
                        && root.is_some_and(|root| self.is_inside_model(root, node))
            });
            if !is_wanted {
                continue;
            }
            let made = match root {
                None => self.root(file, node),
                Some(root) => self.child(file, node, root),
            };
            let Some(made) = made else { continue };
            root = root.or(Some(made));
            self.apply(file, node, made, is_main);
        }
        for path in file.scene.editables() {
            if let Some(shown) = root.and_then(|root| self.find(root, &path)) {
                self.nodes[shown].editable = true;
            }
        }
        self.way.pop();
        root
    }

    fn root(&mut self, file: &Arc<SceneFile>, node: Node<'_>) -> Option<usize> {
        let made = self.make(file, node);
        self.nodes[made].name = node.name().into_owned();
        Some(made)
    }

    /// A node below the root: a new one, or one that is there and gets overrides.
    fn child(&mut self, file: &Arc<SceneFile>, node: Node<'_>, root: usize) -> Option<usize> {
        let parent_path = node.parent_path().unwrap_or_default().into_owned();
        let by_path = self.find(root, &parent_path);
        let parent = by_path.or_else(|| self.parent_by_ids(root, node));
        let name = node.name().into_owned();
        if node.is_override() {
            let by_name =
                parent.and_then(|parent| self.by_name.get(&(parent, name.clone())).copied());
            let found =
                by_name.or_else(|| parent.and_then(|parent| self.changed_by_id(parent, node)));
            if let Some(found) = found.filter(|_| by_path.is_none() || by_name.is_none()) {
                self.stale(file, node, found);
            }
            let is_hidden = || self.is_below_unknown(root, &parent_path);
            if found.is_none() && !is_hidden() {
                let message =
                    format!("`{}` is changed here but is not there any more", node.path());
                self.problem(TreeProblemKind::LostOverride, file, node, message);
            }
            return found;
        }
        let level = self.way.len() - 1;
        if !self.has_room(level) {
            let message = format!("only the first {} nodes are built here", most_on(level));
            self.problem(TreeProblemKind::TooMuch, file, node, message);
            return None;
        }
        let Some(parent) = parent else {
            return self.stray(file, node, root, &parent_path);
        };
        if by_path.is_none() {
            self.stale(file, node, parent);
        }
        let made = self.make(file, node);
        self.attach(made, parent, &name, root);
        self.note_id(made, root, node);
        self.place(made, parent, node);
        Some(made)
    }

    /// Puts the last child of a node where the file wants it.
    fn place(&mut self, made: usize, parent: usize, node: Node<'_>) {
        let children = &mut self.nodes[parent].children;
        if let Some(place) = node.position().filter(|place| *place + 1 < children.len()) {
            children.pop();
            children.insert(place, made);
        }
    }

    /// A node whose parent is not there, which the engine puts below the root.
    fn stray(
        &mut self,
        file: &Arc<SceneFile>,
        node: Node<'_>,
        root: usize,
        parent_path: &str,
    ) -> Option<usize> {
        if self.is_below_unknown(root, parent_path) {
            return self.below_model(file, node, root, parent_path);
        }
        let message = format!("the parent `{parent_path}` of `{}` is not there", node.name());
        self.problem(TreeProblemKind::LostParent, file, node, message);
        let made = self.make(file, node);
        let parent = parent_path.trim_start_matches("./").replace('/', "_");
        self.attach(made, root, &format!("{parent}#{}", node.name()), root);
        self.place(made, root, node);
        Some(made)
    }

    /// A node that a file puts inside of a model. Of what stands between, only the names are known.
    fn below_model(
        &mut self,
        file: &Arc<SceneFile>,
        node: Node<'_>,
        root: usize,
        parent_path: &str,
    ) -> Option<usize> {
        let (mut parent, mut model) = (root, None);
        for step in parent_path.split('/').filter(|step| !matches!(*step, "" | ".")) {
            if self.nodes[parent].state == NodeState::Opaque {
                model = model.or(Some(parent));
            }
            parent = match self.by_name.get(&(parent, step.to_owned())) {
                Some(next) => *next,
                None if self.nodes[parent].state == NodeState::Opaque => {
                    let between = self.push(file, node, None);
                    self.nodes[between].state = NodeState::Opaque;
                    self.attach(between, parent, step, model?);
                    between
                }
                None => return None,
            };
        }
        let made = self.make(file, node);
        self.attach(made, parent, &node.name(), root);
        self.note_id(made, root, node);
        Some(made)
    }

    fn attach(&mut self, made: usize, parent: usize, name: &str, owner: usize) {
        self.nodes[made].name = name.to_owned();
        self.nodes[made].parent = Some(parent);
        self.nodes[made].owner = Some(owner);
        self.nodes[parent].children.push(made);
        self.by_name.entry((parent, name.to_owned())).or_insert(made);
    }

    /// A new node without a parent: one of a class, or the root of another scene.
    fn make(&mut self, file: &Arc<SceneFile>, node: Node<'_>) -> usize {
        if let Some(path) = node.placeholder() {
            let made = self.push(file, node, Some("InstancePlaceholder".into()));
            self.nodes[made].state = NodeState::Placeholder;
            self.nodes[made].instance = Some(path.into_owned());
            return made;
        }
        let Some(id) = node.instance() else {
            let class = node.class().map(|class| class.into_owned());
            return self.push(file, node, class);
        };
        let path = file.resources.get(&id).map(|(uid, path)| {
            let known = uid.as_ref().and_then(|uid| self.sources.find_uid(uid));
            known.unwrap_or_else(|| absolute(&file.path, path))
        });
        let path = path.unwrap_or_default();
        // What an instance beside the way to a node brings is not asked for.
        let is_main = self.way.len() == 1;
        if is_main && self.near.is_some_and(|near| !is_within(near, node.path())) {
            let made = self.push(file, node, None);
            self.nodes[made].instance = Some(path);
            return made;
        }
        let made = match self.instance(&path) {
            Ok(made) => made,
            Err(state) => {
                let made = self.push(file, node, None);
                self.nodes[made].state = state;
                self.note_state(file, node, state, &path);
                made
            }
        };
        self.nodes[made].instance = Some(path);
        made
    }

    /// The root of a whole other scene.
    fn instance(&mut self, path: &str) -> Result<usize, NodeState> {
        if !is_text(path) {
            let is_there = !path.is_empty() && self.sources.read(path).is_some();
            return Err(if is_there { NodeState::Opaque } else { NodeState::Missing });
        }
        if self.way.iter().any(|above| above == path) {
            return Err(NodeState::Cycle);
        }
        if self.way.len() >= MAX_DEPTH || !self.has_room(self.way.len()) {
            return Err(NodeState::TooMuch);
        }
        let file = self.file(path).ok_or(NodeState::Missing)?;
        self.scene(&file, false).ok_or(NodeState::Missing)
    }

    fn note_state(&mut self, file: &SceneFile, node: Node<'_>, state: NodeState, path: &str) {
        let name = node.name();
        let (kind, message) = match state {
            NodeState::Missing => (
                TreeProblemKind::MissingScene,
                format!("the scene of `{name}`, `{path}`, is not there"),
            ),
            NodeState::Cycle => (
                TreeProblemKind::Cycle,
                format!("`{name}` is an instance of `{path}`, which it is inside of"),
            ),
            NodeState::TooMuch => (
                TreeProblemKind::TooMuch,
                format!("`{name}` is not built: instances in instances bring too many nodes"),
            ),
            _ => return,
        };
        self.problem(kind, file, node, message);
    }

    /// Whether one more node may be made in a file that so many others are around.
    fn has_room(&self, level: usize) -> bool {
        self.nodes.len() < MAX_NODES && self.made[level.min(LAST_LEVEL)] < most_on(level)
    }

    fn push(&mut self, file: &Arc<SceneFile>, node: Node<'_>, class: Option<String>) -> usize {
        self.made[(self.way.len() - 1).min(LAST_LEVEL)] += 1;
        self.nodes.push(TreeNode {
            name: String::new(),
            path: String::new(),
            class,
            parent: None,
            children: Vec::new(),
            owner: None,
            groups: Vec::new(),
            properties: Vec::new(),
            instance: None,
            editable: false,
            state: NodeState::Plain,
            origin: Origin { file: file.clone(), section: node.section().index() },
            section: None,
        });
        self.nodes.len() - 1
    }

    /// Sets the groups and properties that a file gives to a node.
    fn apply(&mut self, file: &Arc<SceneFile>, node: Node<'_>, made: usize, is_main: bool) {
        let section = node.section();
        let target = &mut self.nodes[made];
        for group in node.groups() {
            if !target.groups.contains(&group) {
                target.groups.push(group);
            }
        }
        for field in node.properties() {
            let origin = Origin { file: file.clone(), section: section.index() };
            let (key, span) = (field.key().into_owned(), field.value().span());
            let property = TreeProperty { key, origin, span };
            match target.properties.iter_mut().find(|known| known.key == property.key) {
                Some(known) => *known = property,
                None => target.properties.push(property),
            }
        }
        if is_main {
            target.section = Some(section.index());
        }
    }

    /// The node at a path from a root.
    fn find(&self, root: usize, path: &str) -> Option<usize> {
        let mut found = root;
        for step in path.split('/').filter(|step| !matches!(*step, "" | ".")) {
            found = match step {
                ".." => self.nodes[found].parent?,
                _ => *self.by_name.get(&(found, step.to_owned()))?,
            };
        }
        Some(found)
    }

    /// True when a path leads below an instance whose nodes are not known.
    fn is_below_unknown(&self, root: usize, path: &str) -> bool {
        let mut found = root;
        for step in path.split('/').filter(|step| !matches!(*step, "" | ".")) {
            if self.nodes[found].state != NodeState::Plain {
                return true;
            }
            match self.by_name.get(&(found, step.to_owned())) {
                Some(next) => found = *next,
                None => return false,
            }
        }
        self.nodes[found].state != NodeState::Plain
    }

    /// True when a file puts a node into a model, below nodes that no file names.
    fn is_inside_model(&self, root: usize, node: Node<'_>) -> bool {
        let mut found = root;
        for step in node.path().split('/').filter(|_| !node.is_override()) {
            match self.by_name.get(&(found, step.to_owned())) {
                Some(next) => found = *next,
                None => return self.nodes[found].state == NodeState::Opaque,
            }
        }
        false
    }

    /// Puts the nodes into the order of the tree and gives them their paths.
    fn finish(self, root: Option<usize>) -> Tree {
        let mut tree = Tree { problems: self.problems, is_cut: self.is_cut, ..Tree::default() };
        let mut olds: Vec<Option<TreeNode>> = self.nodes.into_iter().map(Some).collect();
        let mut numbers = vec![None; olds.len()];
        let mut open: Vec<usize> = root.into_iter().collect();
        while let Some(old) = open.pop() {
            let Some(mut node) = olds[old].take() else { continue };
            open.extend(node.children.iter().rev());
            let number = tree.nodes.len();
            numbers[old] = Some(number);
            node.parent = node.parent.and_then(|parent| numbers[parent]);
            node.owner = node.owner.and_then(|owner| numbers[owner]);
            node.path = match node.parent {
                None => ".".into(),
                Some(parent) => join(&tree.nodes[parent].path, &node.name),
            };
            tree.by_path.entry(node.path.clone()).or_insert(number);
            tree.nodes.push(node);
        }
        for node in &mut tree.nodes {
            node.children = node.children.iter().filter_map(|child| numbers[*child]).collect();
        }
        tree
    }
}

/// How many nodes are made in files that so many others are around.
fn most_on(level: usize) -> usize {
    MAX_NODES >> level.min(LAST_LEVEL)
}

/// Whether a node names another one by ids, should its path lead nowhere.
fn names_by_ids(node: Node<'_>) -> bool {
    let has = |name: &str| node.section().attribute(name).is_some();
    has("parent_id_path") || (node.is_override() && has("unique_id"))
}

/// Whether a node is the one at a path, above it or right below it.
fn is_near(node: &str, path: &str) -> bool {
    is_within(path, node) || split(node).is_some_and(|(parent, _)| parent == path)
}

/// Scenes in text; all others are made by importers or stored in binary form.
fn is_text(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(extension, "tscn" | "escn")
}

/// A `res://` path as the engine looks it up: without `.`, `..` and needless slashes.
pub(crate) fn simplified(path: &str) -> String {
    let Some(local) = path.strip_prefix("res://") else { return path.to_owned() };
    let inner = local.strip_suffix('/').unwrap_or(local);
    if inner.split('/').all(|part| !matches!(part, "" | "." | "..")) {
        return path.to_owned();
    }
    absolute("res://", inner) + &local[inner.len()..]
}

/// A path that may be relative to the folder of a file.
pub fn absolute(file: &str, path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let folder = file.rfind('/').map_or("", |end| &file[..=end]);
    let (scheme, folder) = folder.split_at(if folder.starts_with("res://") { 6 } else { 0 });
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    format!("{scheme}{}", parts.join("/"))
}
