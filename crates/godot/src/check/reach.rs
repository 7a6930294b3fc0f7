//! Where paths of nodes lead in a scene.

use crate::{NodeState, Tree, TreeNode};

/// What became of a path.
#[derive(Debug)]
pub enum Way<'a> {
    /// It leads to a node.
    Node(&'a TreeNode),
    /// It leads out of the scene or into what is not known here.
    Unknown,
    /// It leads nowhere, at this step.
    Broken(String),
}

/// Follow a path from a node.
pub fn follow<'a>(tree: &'a Tree, base: &'a TreeNode, path: &str) -> Way<'a> {
    let names = path.split(':').next().unwrap_or_default();
    if names.starts_with('/') {
        return Way::Unknown;
    }
    let is_known = |node: &TreeNode| node.state == NodeState::Plain;
    let mut found = base;
    for step in names.split('/').filter(|step| !matches!(*step, "" | ".")) {
        match tree.resolve(found, step) {
            Some(next) => found = next,
            None if step == ".." || !is_known(found) => return Way::Unknown,
            // Containers and dialogs make such children themselves.
            None if step.starts_with(['@', '_']) => return Way::Unknown,
            None if step.starts_with('%') && !tree.root().is_some_and(is_known) => {
                return Way::Unknown;
            }
            None => return Way::Broken(step.to_owned()),
        }
    }
    Way::Node(found)
}
