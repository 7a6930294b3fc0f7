//! The nodes of a scene as the engine would make them: with those that instances and base scenes
//! bring, and with all overrides applied.

mod build;
mod ids;
mod node;

#[cfg(test)]
mod tests;

pub use build::absolute;
pub(crate) use build::simplified;
pub use node::{NodeState, Origin, TreeNode, TreeProperty};

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::{Scene, file};

/// Gives the files that a scene consists of.
pub trait Sources {
    /// The bytes of the file at a `res://` path.
    fn read(&self, path: &str) -> Option<Vec<u8>>;

    /// The `res://` path of a `uid://`.
    fn find_uid(&self, uid: &str) -> Option<String>;

    /// The scene at a `res://` path. Whoever has read it already need not do so again.
    fn scene(&self, path: &str) -> Option<Scene> {
        self.read(path).map(Scene::parse)
    }
}

/// The files in a project's folder, without knowledge of uids: paths are taken as written.
#[derive(Clone, Debug)]
pub struct FolderSources {
    /// The folder that `res://` is.
    pub root: PathBuf,
}

impl Sources for FolderSources {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let local = path.strip_prefix("res://")?;
        // A path may not lead out of the project.
        let is_inside =
            Path::new(local).components().all(|part| matches!(part, Component::Normal(_)));
        is_inside.then(|| file::read_inside(&self.root, local, file::MAX_BYTES).ok()?)?
    }

    fn find_uid(&self, _: &str) -> Option<String> {
        None
    }
}

/// All nodes of a scene, parents before children and in the engine's order.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    by_path: HashMap<String, usize>,
    problems: Vec<TreeProblem>,
    is_cut: bool,
}

/// Something that the engine would drop or complain about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeProblem {
    /// What it is about.
    pub kind: TreeProblemKind,
    /// The `res://` path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The path of the node in that file.
    pub node: String,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

/// What a problem of a tree is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeProblemKind {
    /// A change of a node that neither an instance nor the base scene has.
    LostOverride,
    /// A path that only the ids beside it still lead along; Godot before 4.6 takes it as lost.
    StaleName,
    /// A node whose parent is not there; the engine puts it below the root.
    LostParent,
    /// An instance of a scene that is not there.
    MissingScene,
    /// An instance of a scene that it is itself inside of.
    Cycle,
    /// More than is built.
    TooMuch,
}

impl Tree {
    /// Builds the scene at a `res://` path. Nothing when there is no such file.
    pub fn build(path: &str, sources: &dyn Sources) -> Option<Tree> {
        build::build(path, sources, None)
    }

    /// The same with only the node at a path, those above it and those right below it, which is all
    /// that many changes ask about. Of what is below those nothing is told, and neither of nodes
    /// whose parent is not there.
    pub fn build_near(path: &str, sources: &dyn Sources, node: &str) -> Option<Tree> {
        build::build(path, sources, Some(node))
    }

    /// The nodes, each before what is below it.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The root, unless the scene has no nodes.
    pub fn root(&self) -> Option<&TreeNode> {
        self.nodes.first()
    }

    /// The node at a path from the root, which itself is `.`.
    pub fn node(&self, path: &str) -> Option<&TreeNode> {
        self.by_path.get(path).map(|index| &self.nodes[*index])
    }

    /// The children of a node in the engine's order.
    pub fn children<'a>(&'a self, node: &'a TreeNode) -> impl Iterator<Item = &'a TreeNode> {
        node.children.iter().map(|index| &self.nodes[*index])
    }

    /// Whether there are more nodes than were built.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What the engine would drop or complain about.
    pub fn problems(&self) -> &[TreeProblem] {
        &self.problems
    }

    /// Where a node path leads from a node, unique names included.
    pub fn resolve<'a>(&'a self, base: &'a TreeNode, path: &str) -> Option<&'a TreeNode> {
        let names = path.split(':').next().unwrap_or_default();
        if names.starts_with('/') {
            return None;
        }
        let mut found = base;
        for step in names.split('/').filter(|step| !matches!(*step, "" | ".")) {
            found = match step.strip_prefix('%') {
                Some(unique) => self.unique(found, unique)?,
                None if step == ".." => &self.nodes[found.parent?],
                None => self.children(found).find(|child| child.name == step)?,
            };
        }
        Some(found)
    }

    /// The node of a unique name among those that belong to the same scene as a node, or to the
    /// scene that the node is the root of.
    fn unique(&self, base: &TreeNode, name: &str) -> Option<&TreeNode> {
        let has_name = |node: &&TreeNode| node.name == name && node.has_unique_name();
        let of = |owner: usize| {
            self.nodes.iter().find(|node| node.owner == Some(owner) && has_name(node))
        };
        let own = self.by_path.get(&base.path).and_then(|index| of(*index));
        own.or_else(|| base.owner.and_then(of))
    }
}
