//! Objects that were destroyed.

use std::collections::HashSet;

use scenewright_unity::FileId;
use scenewright_unity::hierarchy::{Node, Stated};

use super::super::load;
use super::NotSaved;
use super::draft::{Draft, transform_of};

impl Draft<'_> {
    /// Take out what is gone. Parents come before their children.
    pub(super) fn remove_objects(&mut self) {
        let origin = self.origin;
        let in_use: HashSet<FileId> = (0..self.alive.len())
            .filter(|place| self.alive[*place].is_some())
            .filter_map(|place| origin.node(place)?.outer_instance())
            .collect();
        for place in 0..self.alive.len() {
            if self.alive[place].is_some() {
                continue;
            }
            let (Some(node), parent) = (origin.node(place), origin.nodes[place].1) else {
                continue;
            };
            let outer = parent.and_then(|parent| origin.node(parent));
            let is_outer_gone = outer
                .as_ref()
                .is_some_and(|outer| self.claims.gone.contains(&load::file_id(outer)));
            match node.outer_instance() {
                None => self.remove_own(&node, outer.as_ref()),
                Some(instance) if self.removed.contains(&instance) || is_outer_gone => {}
                Some(instance) => {
                    let is_root = node.prefab().is_some_and(|prefab| prefab.instance == instance);
                    let done = match is_root {
                        true if in_use.contains(&instance) => {
                            Err("objects of its prefab instance are still there".to_owned())
                        }
                        true => {
                            self.remove_instance(instance, outer.as_ref());
                            Ok(())
                        }
                        false => self.remove_inside(&node, instance),
                    };
                    if let Err(why) = done {
                        self.refuse_removal(&node, parent, &why);
                        continue;
                    }
                }
            }
            // What the scene itself added to it goes as well.
            for component in node.components() {
                if let Stated::Here(id) = component.stated() {
                    self.removed.insert(id);
                    if let Some(instance) = node.outer_instance() {
                        self.lists.entry(instance).or_default().dropped.insert(id);
                    }
                }
            }
            self.claims.gone.insert(load::file_id(&node));
            if !is_outer_gone {
                self.lines.push(format!("/{} destroyed", node.path()));
            }
        }
    }

    fn remove_own(&mut self, node: &Node<'_>, outer: Option<&Node<'_>>) {
        self.removed.extend(node.file_id());
        if let (Some(transform), Some(instance)) =
            (transform_of(node), outer.and_then(Node::outer_instance))
        {
            self.lists.entry(instance).or_default().dropped.insert(transform.file_id());
        }
    }

    fn remove_instance(&mut self, instance: FileId, outer: Option<&Node<'_>>) {
        self.removed.insert(instance);
        let stand_ins = self.stand_ins.iter().filter(|((of, _), _)| *of == instance);
        let stand_ins: Vec<FileId> = stand_ins.map(|(_, id)| *id).collect();
        if let Some(around) = outer.and_then(Node::outer_instance) {
            self.lists.entry(around).or_default().dropped.extend(stand_ins.iter().copied());
        }
        self.removed.extend(stand_ins);
    }

    /// An object of the prefab that this instance does without.
    fn remove_inside(&mut self, node: &Node<'_>, instance: FileId) -> Result<(), String> {
        let list = self.document.object(instance);
        let list = list.and_then(|object| object.get("m_Modification.m_RemovedGameObjects"));
        list.ok_or("the file is of a version that cannot remove objects of a prefab instance")?;
        let Some(Stated::Override { target, .. }) = node.stated() else {
            return Err("only the importer knows its id".to_owned());
        };
        self.lists.entry(instance).or_default().removed_objects.push(target);
        Ok(())
    }

    fn refuse_removal(&mut self, node: &Node<'_>, parent: Option<usize>, why: &str) {
        let parent = parent.and_then(|parent| self.alive[parent]);
        self.not_saved.push(NotSaved {
            object_id: parent.map(|id| id.to_string()).unwrap_or_default(),
            path: format!("/{}", node.path()),
            what: "destroyed".to_owned(),
            why: why.to_owned(),
        });
    }
}
