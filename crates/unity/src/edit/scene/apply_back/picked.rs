//! Which of the differences of an instance are meant.

use super::{Apply, Level};
use crate::edit::address;
use crate::edit::scene::fields::Owner;
use crate::edit::scene::{Editor, Refusal, Seen};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{FileId, Value};

impl Editor<'_> {
    /// What is meant, the path of its object, and the object's id.
    pub(super) fn picked(
        &mut self,
        wanted: &Apply<'_>,
    ) -> Result<(Level, String, Option<FileId>), Refusal> {
        if wanted.component.is_none()
            && wanted.field.is_none()
            && let Some(instance) = self.instance_at(wanted.object)
        {
            let seen = self.find(wanted.object)?;
            return Ok((self.all_of(instance), seen.path, Some(seen.id)));
        }
        let seen = self.find(wanted.object)?;
        let level = match seen.at {
            Stated::Override { instance, target } => {
                self.picked_inside(&seen, (instance, target), wanted)?
            }
            Stated::Here(_) => self.picked_added(&seen, wanted)?,
        };
        Ok((level, seen.path, Some(seen.id)))
    }

    /// Everything that an instance has other than its prefab.
    fn all_of(&mut self, instance: FileId) -> Level {
        let mut level = Level { instance, ..Level::default() };
        let mut targets: Vec<FileId> = Vec::new();
        for target in self.overridden_targets(instance) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        level.values = targets.into_iter().map(|target| (target, None)).collect();
        let tree = self.tree().clone();
        let root = tree.objects().find(|node| node.outer_instance() == Some(instance));
        let mut open: Vec<Node<'_>> = root.into_iter().collect();
        while let Some(node) = open.pop() {
            if node.outer_instance() != Some(instance) {
                level.objects.extend(node.file_id());
                continue;
            }
            level.components.extend(added_to(&node));
            open.extend(node.children().into_iter().rev());
        }
        level.removed_components = self.removed(instance, "m_RemovedComponents");
        level.removed_objects = self.removed(instance, "m_RemovedGameObjects");
        level
    }

    fn picked_inside(
        &mut self,
        seen: &Seen,
        (instance, target): (FileId, FileId),
        wanted: &Apply<'_>,
    ) -> Result<Level, Refusal> {
        let mut level = Level { instance, is_exact: true, ..Level::default() };
        let owner = match wanted.component.map(|component| seen.component(component)) {
            None => Owner::of_object(seen),
            Some(Ok(held)) => match held.at {
                Stated::Override { .. } => Owner::of_component(seen, held),
                Stated::Here(id) => {
                    level.components.push(id);
                    return Ok(level);
                }
            },
            Some(Err(refusal)) => {
                let name = wanted.component.unwrap_or_default();
                let removed = self.removed_named(instance, target, name);
                level.removed_components.push(removed.ok_or(refusal)?);
                return Ok(level);
            }
        };
        let Stated::Override { target: of, .. } = owner.at else { return Ok(level) };
        if let Some(field) = wanted.field {
            let path = address::property_path(&self.field(&owner, field)?.parts);
            level.values.push((of, Some(path)));
            return Ok(level);
        }
        level.values.push((of, None));
        level.is_exact = wanted.component.is_some();
        if wanted.component.is_none() {
            self.pick_around(seen, target, &mut level);
        }
        Ok(level)
    }

    /// What an object inside has, components and what hangs in it.
    fn pick_around(&mut self, seen: &Seen, target: FileId, level: &mut Level) {
        for held in &seen.components {
            match held.at {
                Stated::Override { target, .. } => level.values.push((target, None)),
                Stated::Here(id) => level.components.push(id),
            }
        }
        let id = self.id_of(seen.at);
        self.settle();
        let children = self.nodes_in(Some(id));
        let added = children.iter().filter(|node| node.outer_instance() != Some(level.instance));
        level.objects.extend(added.filter_map(Node::file_id));
        let Some(source) = self.source(level.instance) else { return };
        let is_here = |node: Option<Node<'_>>| node.and_then(|node| node.file_id()) == Some(target);
        level.removed_components = self.removed(level.instance, "m_RemovedComponents");
        level.removed_components.retain(|id| is_here(source.find_by_id(*id)));
        level.removed_objects = self.removed(level.instance, "m_RemovedGameObjects");
        level.removed_objects.retain(|id| is_here(parent_of(&source, *id)));
    }

    /// An object that was added to an instance.
    fn picked_added(&mut self, seen: &Seen, wanted: &Apply<'_>) -> Result<Level, Refusal> {
        let parent = self.parent(seen)?;
        let Some(Stated::Override { instance, .. }) = parent.map(|parent| parent.at) else {
            let text = format!("{} is neither in a prefab instance nor added to one", seen.path);
            return Err(Refusal::new(text).hint("prefab_overrides lists what can be applied"));
        };
        if wanted.component.is_some() || wanted.field.is_some() {
            let text = format!("{} was added to the instance, so its prefab lacks it", seen.path);
            return Err(Refusal::new(text).hint("apply the object as a whole"));
        }
        let objects = vec![seen.id];
        Ok(Level { instance, objects, is_exact: true, ..Level::default() })
    }

    fn overridden_targets(&self, instance: FileId) -> Vec<FileId> {
        self.entries_of(instance).into_iter().map(|entry| entry.target).collect()
    }

    /// What an instance says is not there.
    pub(in crate::edit::scene) fn removed(&self, instance: FileId, list: &str) -> Vec<FileId> {
        let object = self.sheet.object(instance);
        let list = object.and_then(|it| it.get(&format!("m_Modification.{list}")));
        let items = list.into_iter().flat_map(Value::items);
        items.filter_map(|item| Some(item.as_reference()?.file_id)).collect()
    }

    /// A component of an object of the prefab that the instance removed, by its class.
    pub(in crate::edit::scene) fn removed_named(
        &mut self,
        instance: FileId,
        object: FileId,
        class: &str,
    ) -> Option<FileId> {
        let removed = self.removed(instance, "m_RemovedComponents");
        let classes = self.project.classes;
        let source = self.source(instance)?;
        let seen = Seen::of(&source.find_by_id(object)?, classes).ok()?;
        let held = seen.component(class).ok()?;
        removed.into_iter().find(|id| *id == held.id)
    }
}

/// The components that the top file adds to an object.
fn added_to(node: &Node<'_>) -> Vec<FileId> {
    let own = node.components().into_iter().filter_map(|held| match held.stated() {
        Stated::Here(id) => Some(id),
        Stated::Override { .. } => None,
    });
    own.collect()
}

fn parent_of(source: &Hierarchy, id: FileId) -> Option<Node<'_>> {
    source.find_by_id(id)?.parent()
}
