//! Overrides taken back, so that the prefab's own values count again.

use std::collections::HashSet;

use super::fields::Owner;
use super::{Done, Editor, Refusal, Seen};
use crate::edit::address;
use crate::edit::{self, Item};
use crate::hierarchy::{Hierarchy, Node, Stated};
use crate::{FileId, Value};

/// What an instance lists of its prefab's parts that are not there.
const REMOVED: [&str; 2] = ["m_RemovedGameObjects", "m_RemovedComponents"];

impl Editor<'_> {
    /// Take back the overrides of a field; of all fields of a component or of the object and its
    /// components, when none is named. What the instance took out is there again: an object or
    /// component that is named, or all that was in the object.
    pub fn revert(
        &mut self,
        object: &str,
        component: Option<&str>,
        field: Option<&str>,
    ) -> Result<Done, Refusal> {
        let seen = match self.find(object) {
            Ok(seen) => seen,
            Err(refusal) => match self.closed_owner(object, component) {
                Some(found) => return self.revert_in_model(found?, component, field),
                None => return self.revert_object(object, refusal),
            },
        };
        let mut owners = Vec::new();
        match component.map(|component| (component, seen.component(component))) {
            Some((_, Ok(held))) => owners.push(Owner::of_component(&seen, held)),
            Some((component, Err(refusal))) => {
                let Stated::Override { instance, target } = seen.at else { return Err(refusal) };
                let removed = self.removed_named(instance, target, component).ok_or(refusal)?;
                return self.bring_back(instance, REMOVED[1], removed, seen.id);
            }
            None => {
                owners.push(Owner::of_object(&seen));
                if field.is_none() {
                    owners.extend(
                        seen.components.iter().map(|held| Owner::of_component(&seen, held)),
                    );
                }
            }
        }
        let (mut count, mut inside, mut shown) = (0, false, None);
        for owner in &owners {
            let Stated::Override { instance, target } = owner.at else { continue };
            inside = true;
            let path = match field {
                Some(field) => Some(address::property_path(&self.field(owner, field)?.parts)),
                None => None,
            };
            count += self.revert_one(instance, target, path.as_deref())?;
            shown = path.or(shown);
        }
        if !inside {
            let text = format!("{} is not part of a prefab instance", seen.path);
            return Err(
                Refusal::new(text).hint("only what comes from a prefab can be reverted to it")
            );
        }
        let (mut back, mut added) = (0, 0);
        if let (Stated::Override { instance, target }, None, None) = (seen.at, component, field) {
            (back, added) = self.revert_parts(instance, target)?;
        }
        self.forget_tree();
        let seen = self.find_id(self.id_of(seen.at))?;
        let mut remarks = Vec::new();
        if count > 0 {
            remarks.push(format!("{count} overrides were taken back"));
        }
        if back > 0 {
            remarks.push(format!("{back} removed objects or components are there again"));
        }
        if count + back == 0 {
            remarks.push("there was no override".to_owned());
        }
        if added > 0 {
            remarks.push(format!(
                "{added} added objects or components stay; delete and removeComponent take them away"
            ));
        }
        let id = Some(self.id_of(seen.at));
        Ok(Done {
            path: seen.path,
            id,
            field: shown,
            changed: count + back > 0,
            remarks,
            ..Done::default()
        })
    }

    /// Take back overrides of what the file knows of a model: of a field, of a component, or of the
    /// root and its transform.
    fn revert_in_model(
        &mut self,
        (owner, seen): (Owner, Seen),
        component: Option<&str>,
        field: Option<&str>,
    ) -> Result<Done, Refusal> {
        let Stated::Override { instance, target } = owner.at else {
            let text = format!("{} is added to the model, not part of it", owner.shown);
            return Err(Refusal::new(text).hint("removeComponent takes it away"));
        };
        let path = match field {
            Some(field) => Some(address::property_path(&self.field(&owner, field)?.parts)),
            None => None,
        };
        let mut count = self.revert_one(instance, target, path.as_deref())?;
        if let (None, None, Ok(held)) = (component, field, self.find_id(seen.id)?.transform())
            && let Stated::Override { target, .. } = held.at
        {
            count += self.revert_one(instance, target, None)?;
        }
        self.forget_tree();
        let remarks = vec![match count {
            0 => "there was no override".to_owned(),
            count => format!("{count} overrides were taken back"),
        }];
        let (path, id, changed) = (seen.path, Some(seen.id), count > 0);
        Ok(Done { path, id, field: field.map(str::to_owned), changed, remarks, ..Done::default() })
    }

    /// Bring back an object that an instance took out of its prefab, named where it would be.
    fn revert_object(&mut self, path: &str, refusal: Refusal) -> Result<Done, Refusal> {
        let Some((above, name)) = address::above(path) else { return Err(refusal) };
        let Ok(parent) = self.find(above) else { return Err(refusal) };
        let Stated::Override { instance, target } = parent.at else { return Err(refusal) };
        let removed = self.removed(instance, REMOVED[0]);
        let entries = self.entries_of(instance);
        let Some(source) = self.source(instance) else { return Err(refusal) };
        let children = source.find_by_id(target).map(|node| node.children()).unwrap_or_default();
        let own_name = |node: &Node<'_>| {
            let id = node.file_id();
            let is_name = |path: &str| path == "m_Name";
            let mut own = entries.iter().filter(|it| Some(it.target) == id && is_name(&it.path));
            match own.next_back().map(|entry| &entry.value) {
                Some(edit::New::Text(text) | edit::New::Number(text)) => text.clone(),
                _ => node.name().into_owned(),
            }
        };
        let found = address::choose(name, &children, own_name).and_then(|node| node.file_id());
        match found.filter(|id| removed.contains(id)) {
            Some(id) => {
                let own = self.id_of(Stated::Override { instance, target: id });
                self.bring_back(instance, REMOVED[0], id, own)
            }
            None => Err(refusal),
        }
    }

    fn bring_back(
        &mut self,
        instance: FileId,
        list: &str,
        removed: FileId,
        object: FileId,
    ) -> Result<Done, Refusal> {
        self.put_back(instance, list, &[removed])?;
        self.forget_tree();
        let seen = self.find_id(object)?;
        let remarks = vec!["it is there again".to_owned()];
        Ok(Done { path: seen.path, id: Some(object), changed: true, remarks, ..Done::default() })
    }

    /// Bring back all that was taken out of an object inside, or out of an instance as a whole. Returns
    /// how much that is, and how much is added there and stays.
    fn revert_parts(
        &mut self,
        instance: FileId,
        target: FileId,
    ) -> Result<(usize, usize), Refusal> {
        let Some(source) = self.source(instance) else { return Ok((0, 0)) };
        let is_whole = self.root_ids(instance).is_some_and(|(root, _)| root == target);
        // Of an instance as a whole what the prefab has no more goes from the lists as well.
        let is_inside = |id: &FileId| is_whole || is_in(&source, *id, target);
        let mut back = 0;
        for list in REMOVED {
            let mut removed = self.removed(instance, list);
            removed.retain(is_inside);
            back += removed.len();
            if !removed.is_empty() {
                self.put_back(instance, list, &removed)?;
            }
        }
        let object = self.sheet.object(instance);
        let lists = ["m_AddedGameObjects", "m_AddedComponents"].into_iter().filter_map(|list| {
            object.and_then(|object| object.get(&format!("m_Modification.{list}")))
        });
        let places = lists.flat_map(Value::items).filter_map(|item| {
            Some(item.get("targetCorrespondingSourceObject")?.as_reference()?.file_id)
        });
        let added = places.filter(is_inside).count();
        Ok((back, added))
    }

    /// Take parts of the prefab from the list of those that are not there.
    pub(super) fn put_back(
        &mut self,
        instance: FileId,
        list: &str,
        removed: &[FileId],
    ) -> Result<(), Refusal> {
        let path = format!("m_Modification.{list}");
        self.edit(instance, |object, manner, edits| {
            let Some(list) = object.get(&path) else { return Ok(()) };
            let goes = |item: Value<'_>| {
                item.as_reference().is_some_and(|to| removed.contains(&to.file_id))
            };
            let kept = list.items().enumerate().filter(|(_, item)| !goes(*item));
            let items: Vec<Item> = kept.map(|(at, _)| Item::Old(at)).collect();
            edit::set_list(object, &path, &items, manner, edits)
        })
    }

    fn revert_one(
        &mut self,
        instance: FileId,
        target: FileId,
        path: Option<&str>,
    ) -> Result<usize, Refusal> {
        let is_below = |known: &str| match path {
            None => true,
            Some(path) => known
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
        };
        let known = self.overrides_of(instance, target).into_iter();
        // Of an instance as a whole Unity keeps where it is and what it is called.
        let goes: HashSet<String> = known
            .filter(|one| is_below(one))
            .filter(|one| path.is_some() || !self.is_kept(instance, target, one))
            .collect();
        self.drop_overrides(instance, |of, path| of == target && goes.contains(path))
    }

    /// The paths that an instance overrides of an object inside.
    pub(super) fn overrides_of(&self, instance: FileId, target: FileId) -> Vec<String> {
        let list =
            self.sheet.object(instance).and_then(|it| it.get("m_Modification.m_Modifications"));
        let read = |item: Value<'_>| {
            let to = item.get("target")?.as_reference()?;
            (to.file_id == target).then_some(())?;
            Some(item.get("propertyPath")?.text().into_owned())
        };
        list.into_iter().flat_map(Value::items).filter_map(read).collect()
    }
}

/// Whether something of a prefab is an object, or in one.
fn is_in(source: &Hierarchy, id: FileId, object: FileId) -> bool {
    let node = source.find_by_id(id);
    node.is_some_and(|node| {
        node.file_id() == Some(object)
            || node.ancestors().any(|above| above.file_id() == Some(object))
    })
}
