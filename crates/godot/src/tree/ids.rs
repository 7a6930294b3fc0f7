//! Nodes found by their ids where a path leads nowhere any more: since 4.6 the engine follows a node
//! that was renamed or moved in the scene it comes from.
//!
//! Paths come first, as in the engine, so ids are collected only for trees in which one was lost.

use std::collections::HashMap;

use super::TreeProblemKind;
use super::build::{Builder, MAX_PROBLEMS};
use super::node::SceneFile;
use crate::{Node, Variant};

/// Longer ways through instances in instances are not followed.
const MAX_STEPS: usize = 64;

/// What is known of ids.
#[derive(Default)]
pub(super) enum Ids {
    /// Nothing has been lost so far.
    #[default]
    Unneeded,
    /// Something that has ids was lost: the tree is to be built with them.
    Wanted,
    /// Nodes by their id and the root of the scene that they are of; an instance is also of itself.
    Known(HashMap<(usize, i64), usize>),
}

impl Builder<'_> {
    /// Takes note of the id that a file gives to a new node.
    pub(super) fn note_id(&mut self, made: usize, owner: usize, node: Node<'_>) {
        let Ids::Known(known) = &mut self.ids else { return };
        let Some(id) = node.unique_id() else { return };
        known.entry((owner, id)).or_insert(made);
        if node.instance().is_some() {
            known.entry((made, id)).or_insert(made);
        }
    }

    /// The parent that a node names by ids: one of this file, and further ones inside of instances.
    pub(super) fn parent_by_ids(&mut self, root: usize, node: Node<'_>) -> Option<usize> {
        let Some(Variant::Tuple(_, ids)) =
            node.section().attribute("parent_id_path").map(|value| value.decode())
        else {
            return None;
        };
        let mut found = None;
        for id in ids.iter().take(MAX_STEPS) {
            found = Some(self.by_id(found.unwrap_or(root), id.as_int()?)?);
        }
        found
    }

    /// The node that a file changes, by its id, in the instance that its parent belongs to.
    pub(super) fn changed_by_id(&mut self, parent: usize, node: Node<'_>) -> Option<usize> {
        let id = node.unique_id()?;
        let parent_node = &self.nodes[parent];
        let scene = match parent_node.instance {
            Some(_) => parent,
            None => parent_node.owner?,
        };
        self.by_id(scene, id)
    }

    /// Says that a file names a node, or the parent of a new one, by a path of earlier days.
    pub(super) fn stale(&mut self, file: &SceneFile, node: Node<'_>, found: usize) {
        if self.problems.len() < MAX_PROBLEMS {
            let place = self.path_of(found);
            let message = format!("the ids of the nodes still lead to `{place}`");
            self.problem(TreeProblemKind::StaleName, file, node, message);
        }
    }

    /// The path of a node from the root of the file that is being built.
    fn path_of(&self, at: usize) -> String {
        let up = |at: &usize| self.nodes[*at].parent;
        let way: Vec<usize> = std::iter::successors(Some(at), up).collect();
        let names = way.iter().rev().skip(1).map(|at| &*self.nodes[*at].name);
        match names.collect::<Vec<_>>().join("/") {
            root if root.is_empty() => ".".to_owned(),
            path => path,
        }
    }

    fn by_id(&mut self, owner: usize, id: i64) -> Option<usize> {
        match &self.ids {
            Ids::Known(known) => known.get(&(owner, id)).copied(),
            Ids::Unneeded | Ids::Wanted => {
                self.ids = Ids::Wanted;
                None
            }
        }
    }
}
