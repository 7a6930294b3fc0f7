//! Nodes of a scene in its effective tree: found as callers name them, and given a section of their
//! own where they are to be changed.

use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use scenewright_godot::{Document, NodeState, Scene, Sources, Tree, TreeNode, Variant};
use scenewright_toolkit::door::ProjectPath;
use scenewright_toolkit::{Cx, names};

use crate::base::values::{Among, EngineOrder, check_among, takes_nodes};
use crate::base::{Expected, Godot, OpenScene, refused};

/// What a node is: a class of the engine, perhaps with a script.
pub struct Kind {
    /// The engine's class; empty when the files do not tell.
    pub class: String,
    /// The `res://` path of the script.
    pub script: Option<String>,
}

impl Kind {
    /// What its properties are checked against.
    pub fn expected(&self) -> Expected<'_> {
        Expected { class: &self.class, script: self.script.as_deref() }
    }
}

impl Godot<'_> {
    /// The effective tree of a scene with its changes so far.
    pub fn tree_of(&self, open: &OpenScene) -> Tree {
        self.tree_with(&open.path, std::slice::from_ref(open))
    }

    /// The effective tree of a scene while these scenes are changed.
    pub fn tree_with(&self, path: &ProjectPath, changed: &[OpenScene]) -> Tree {
        let sources = Pending { godot: self, changed };
        let tree = Tree::build(&format!("res://{path}"), &sources).unwrap_or_default();
        self.say_if_cut(&tree);
        tree
    }

    /// The part of the effective tree that tells of one node, as callers write it, what is above it
    /// and what is right below it.
    pub fn tree_near(&self, open: &OpenScene, text: &str) -> Tree {
        let path = format!("res://{}", open.path);
        let sources = Pending { godot: self, changed: std::slice::from_ref(open) };
        let wanted = local_path(text);
        let tree = Tree::build_near(&path, &sources, wanted).unwrap_or_default();
        // A node by its unique name, or with the root's name first, may be anywhere.
        match node_at(&tree, text).is_some_and(|node| node.path == wanted) {
            true => tree,
            false => self.tree_of(open),
        }
    }

    /// The path of a node in the effective tree, as callers may write it: `.`, `Player/Body`,
    /// `/root/Main/Player`, `Main/Player` with the root's name first, or `%Unique`.
    pub fn node(&self, open: &OpenScene, text: &str) -> Result<String, ToolError> {
        let tree = self.tree_near(open, text);
        find_node(self.cx, &tree, &open.path, text).map(|node| node.path.clone())
    }

    /// What a node is.
    pub fn kind_of(&self, node: &TreeNode) -> Kind {
        let script = node.script();
        let class = node.class.clone().or_else(|| {
            let path = node.instance.as_deref().filter(|_| node.state == NodeState::Opaque)?;
            // The importers of models make these roots.
            (!path.ends_with(".scn")).then(|| "Node3D".to_owned())
        });
        Kind { class: class.unwrap_or_default(), script }
    }

    /// Give a node a section in the open file, so that it can be changed there. The caller
    /// is told which instances show their children for it.
    pub fn own_section(
        &self,
        open: &mut OpenScene,
        tree: &Tree,
        node: &TreeNode,
    ) -> Result<(), ToolError> {
        if open.scene.nodes().any(|own| own.path() == node.path) {
            return Ok(());
        }
        let siblings = node.parent.map(|parent| &tree.nodes()[parent].children);
        let is_it = |number: &usize| tree.nodes()[*number].path == node.path;
        let index = siblings.and_then(|all| all.iter().position(is_it)).unwrap_or_default();
        open.scene.add_override(&node.path, index).map_err(refused)?;
        self.show_inside(open, tree, node)
    }

    /// Show the children of all instances that a node is inside of.
    pub fn show_inside(
        &self,
        open: &mut OpenScene,
        tree: &Tree,
        node: &TreeNode,
    ) -> Result<(), ToolError> {
        let mut owner = node.owner;
        let mut hidden = Vec::new();
        while let Some(root) = owner.map(|owner| &tree.nodes()[owner]) {
            if !root.editable && root.parent.is_some() {
                hidden.push(root.path.as_str());
            }
            owner = root.owner;
        }
        for path in hidden.into_iter().rev() {
            open.scene.set_editable(path, true).map_err(refused)?;
            self.cx.diagnose(format!(
                "{path} shows its children from now on ([editable]): Godot's editor drops changes inside of instances that do not"
            ));
        }
        Ok(())
    }

    /// Set properties of a node that has a section in the open file. What is null goes back to its
    /// default.
    pub fn set_properties(
        &self,
        open: &mut OpenScene,
        tree: &Tree,
        node: &TreeNode,
        properties: &JsonMap,
    ) -> Result<(), ToolError> {
        let mut kind = self.kind_of(node);
        if let Some(script) = properties.get("script").and_then(|value| value.as_str()) {
            kind.script = self.path(script).ok().map(|path| format!("res://{path}"));
        }
        let of = kind.expected();
        self.check_script(of)?;
        let mut given = properties.clone();
        let here = format!("res://{}", open.path);
        let from_elsewhere =
            |key: &str| node.property(key).is_some_and(|set| set.origin.path() != here);
        given.retain(|key, value| {
            !value.is_null() || from_elsewhere(key) && takes_null(self, of, key)
        });
        let values = open.scene.change(|document| self.values(document, of, &given))?;
        let parent = node.parent.map(|parent| &tree.nodes()[parent]);
        let section = open.scene.node(&node.path);
        let is_put_here = section.is_some_and(|section| !section.is_override());
        let children = tree.children(node).count();
        let among = Among { node: Some(node), parent, scene: &here, is_put_here, children };
        check_among(self.classes(), of.class, among, &values)?;
        let order = EngineOrder::of(self, of);
        for (key, value) in &values {
            set_in_order(open, &node.path, &order, key, value)?;
        }
        for key in properties.keys().filter(|key| !given.contains_key(*key)) {
            open.scene.remove_node_property(&node.path, key).map_err(refused)?;
        }
        self.list_node_paths(open, &node.path, of, &values)?;
        self.check_node_paths(open, &node.path, of, &values)
    }

    /// Fail when a script is for nodes of another class.
    pub fn check_script(&self, of: Expected<'_>) -> Result<(), ToolError> {
        let base = of.script.and_then(|script| self.index.engine_base(script));
        let (Some(base), Some(script)) = (base, of.script) else { return Ok(()) };
        let classes = self.classes();
        let are_known = classes.class(base).is_some() && classes.class(of.class).is_some();
        if !are_known || classes.inherits(of.class, base) {
            return Ok(());
        }
        Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{script} extends {base}, and a {} is none", of.class),
        )
        .hint(format!("Godot refuses such a script; use a node of the class {base}")))
    }

    /// Keep the list of the properties that are paths to nodes.
    pub fn list_node_paths(
        &self,
        open: &mut OpenScene,
        path: &str,
        of: Expected<'_>,
        values: &[(&str, Variant)],
    ) -> Result<(), ToolError> {
        let Some(node) = open.scene.node(path) else { return Ok(()) };
        let before = node.node_path_properties();
        let mut listed = before.clone();
        listed.retain(|key| node.property(key).is_some());
        for (key, _) in values.iter().filter(|(key, _)| takes_nodes(self, of, key)) {
            if !listed.iter().any(|known| known == key) {
                listed.push((*key).to_owned());
            }
        }
        if listed == before {
            return Ok(());
        }
        let section = node.section().index();
        open.scene
            .change(|document| match listed.is_empty() {
                true => document.remove_attribute(section, "node_paths").map(drop),
                false => document.set_attribute(section, "node_paths", &Variant::Strings(listed)),
            })
            .map_err(refused)
    }
}

/// Set a property where Godot would write it.
fn set_in_order(
    open: &mut OpenScene,
    path: &str,
    order: &EngineOrder,
    key: &str,
    value: &Variant,
) -> Result<(), ToolError> {
    let Some(node) = open.scene.node(path) else { return Ok(()) };
    let rank = order.rank(key);
    let next = node.properties().map(|field| field.key().into_owned());
    let next = next.into_iter().find(|other| order.rank(other) > rank);
    let section = node.section().index();
    let next = next.as_deref();
    let set = |document: &mut Document| document.set_property_before(section, key, value, next);
    open.scene.change(set).map_err(refused)
}

/// Whether null is a value of a property, and not only the lack of one.
fn takes_null(godot: &Godot<'_>, of: Expected<'_>, key: &str) -> bool {
    use scenewright_godot::classes::Builtin;
    let property = godot.classes().property(of.class, key);
    property.is_none_or(|property| property.value.builtin() == Some(Builtin::Object))
}

/// A node of a tree, as callers may write it; one that can only be meant, where nothing is written.
pub fn find_node<'t>(
    cx: &Cx,
    tree: &'t Tree,
    scene: &ProjectPath,
    text: &str,
) -> Result<&'t TreeNode, ToolError> {
    if let Some(node) = node_at(tree, text) {
        return Ok(node);
    }
    let local = local_path(text);
    let paths = || tree.nodes().iter().map(|node| node.path.as_str());
    // The last name alone is often all that is known of it.
    let names = || tree.nodes().iter().filter(|node| node.name == local);
    let named = || match (names().next(), names().nth(1)) {
        (Some(only), None) => Some(only.path.as_str()),
        _ => None,
    };
    let meant = match named() {
        Some(path) => names::read_instead(cx, "node", local, path),
        None => names::guess(cx, "node", local, paths()),
    };
    if let Some(node) = meant.and_then(|path| tree.node(path)) {
        return Ok(node);
    }
    let hint = match named() {
        Some(path) => format!("did you mean {path}?"),
        None => suggest::did_you_mean(local, paths(), "get_node_tree shows the nodes"),
    };
    Err(ToolError::not_found("node", text.trim().trim_end_matches('/'))
        .hint(hint)
        .detail("scenePath", scene.as_str()))
}

/// A node of a tree at exactly this path, as callers may write it.
fn node_at<'t>(tree: &'t Tree, text: &str) -> Option<&'t TreeNode> {
    let root = tree.root().map(|root| root.name.as_str()).unwrap_or_default();
    let local = local_path(text);
    let found = |path: &str| {
        let path = if path.is_empty() || path == "root" { "." } else { path };
        let base = tree.root()?;
        tree.node(path).or_else(|| tree.resolve(base, path))
    };
    let below = local.strip_prefix(root).and_then(|rest| match rest.strip_prefix('/') {
        Some(rest) => Some(rest),
        None => rest.is_empty().then_some("."),
    });
    found(local).or_else(|| found(below?))
}

/// A path as callers write it, without what leads to the scene.
fn local_path(text: &str) -> &str {
    let text = text.trim().trim_end_matches('/');
    text.strip_prefix("/root/").unwrap_or(text).trim_start_matches('/')
}

/// Fail when a node has a child of this name already, wherever that comes from.
pub fn must_be_free(tree: &Tree, parent: &TreeNode, name: &str) -> Result<(), ToolError> {
    let taken = tree.children(parent).find(|child| child.name == name);
    let Some(taken) = taken else { return Ok(()) };
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("there is already a node `{}`", taken.path),
    )
    .hint("nothing was changed; choose another name"))
}

/// A name that no child of a node has: the wanted one, or one with a number behind it as the editor
/// gives it.
pub fn free_name(tree: &Tree, parent: &TreeNode, wanted: &str) -> String {
    let is_free = |name: &str| tree.children(parent).all(|child| child.name != name);
    if is_free(wanted) {
        return wanted.to_owned();
    }
    let stem = wanted.trim_end_matches(|char: char| char.is_ascii_digit());
    let number = wanted[stem.len()..].parse::<u32>().unwrap_or(1);
    let stem = if stem.is_empty() { wanted } else { stem };
    let mut names = (number.saturating_add(1)..).map(|number| format!("{stem}{number}"));
    names.find(|name| is_free(name)).unwrap_or_else(|| format!("{wanted}_copy"))
}

/// Fail when a node is not made by the open file itself: its place and its name are another's.
pub fn must_be_own(open: &OpenScene, tree: &Tree, node: &TreeNode) -> Result<(), ToolError> {
    let own = open.scene.nodes().find(|own| own.path() == node.path);
    if own.is_some_and(|own| !own.is_override()) {
        return Ok(());
    }
    let (file, path) = home(tree, node);
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("`{}` comes from {file} and can only be changed there", node.path),
    )
    .hint(format!("call this with scenePath {file} and nodePath {path}"))
    .detail("scenePath", file)
    .detail("nodePath", path))
}

/// The file that has a node, and its path there.
fn home<'t>(tree: &'t Tree, node: &'t TreeNode) -> (&'t str, &'t str) {
    // An instance has its place where it was put, and its class where it comes from.
    if let (Some(_), Some(owner)) = (&node.instance, node.owner) {
        let owner = &tree.nodes()[owner];
        let path = match owner.path.as_str() {
            "." => Some(node.path.as_str()),
            above => node.path.strip_prefix(above).map(|rest| rest.trim_start_matches('/')),
        };
        if let (Some(file), Some(path)) = (owner.instance.as_deref(), path) {
            return (file, path);
        }
    }
    let origin = &node.origin;
    let there = origin.scene().nodes().find(|own| own.section().index() == origin.section());
    (origin.path(), there.map_or(".", |there| there.path()))
}

/// The files of a project with some scenes as they are to be.
struct Pending<'a> {
    godot: &'a Godot<'a>,
    changed: &'a [OpenScene],
}

impl Pending<'_> {
    fn changed(&self, path: &str) -> Option<&Scene> {
        let local = path.strip_prefix("res://");
        let open = self.changed.iter().find(|open| local == Some(open.path.as_str()));
        open.map(|open| &open.scene)
    }
}

impl Sources for Pending<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        match self.changed(path) {
            Some(scene) => Some(scene.to_bytes()),
            None => Sources::read(self.godot, path),
        }
    }

    fn scene(&self, path: &str) -> Option<Scene> {
        self.changed(path).cloned().or_else(|| self.godot.scene(path))
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        self.godot.find_uid(uid)
    }
}
