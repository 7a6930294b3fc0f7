//! One step of applying: an instance of this file gives, the editor of its prefab takes.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Level, Told};
use crate::edit::address::parts;
use crate::edit::scene::attach::Child;
use crate::edit::scene::copy::moved;
use crate::edit::scene::delete::{Subtree, text_of};
use crate::edit::scene::encode::new_of;
use crate::edit::scene::extract::{Outward, outward_of};
use crate::edit::scene::fields::Owner;
use crate::edit::scene::replace_source::Entry;
use crate::edit::scene::{Editor, Refusal, Seen};
use crate::edit::{self, New, Override};
use crate::hierarchy::{Data, Node, Stated};
use crate::{FileId, Reference, Value};

/// What a prefab took, by its own ids.
#[derive(Debug, Default)]
pub(super) struct Given {
    values: Vec<(FileId, Option<String>)>,
    components: Vec<FileId>,
    objects: Vec<FileId>,
    removed_components: Vec<FileId>,
    removed_objects: Vec<FileId>,
}

/// An added component, the object of the prefab that it is on, and its place there.
type OnObject = (FileId, FileId, Option<usize>);

/// Something that hangs in an instance and goes into its prefab.
struct Going {
    seen: Seen,
    /// What it hangs in, by the id in the prefab, and where.
    parent: FileId,
    place: Option<usize>,
}

impl Editor<'_> {
    /// Give what is meant to the prefab of the instance.
    pub(super) fn give(
        &mut self,
        level: &Level,
        prefab: &mut Editor<'_>,
        told: &mut Told,
    ) -> Result<Given, Refusal> {
        let mut given = Given::default();
        // What comes has its place among those that are left.
        for (targets, list) in [
            (&level.removed_components, "m_RemovedComponents"),
            (&level.removed_objects, "m_RemovedGameObjects"),
        ] {
            for target in targets {
                if !level.is_exact && prefab.seen_inside(*target).is_err() {
                    continue; // The prefab no longer has it either.
                }
                match self.give_removed(level.instance, *target, list, prefab) {
                    Ok(remarks) => {
                        told.kept.extend(remarks);
                        told.shapes += 1;
                    }
                    Err(refusal) if level.is_exact => return Err(refusal),
                    Err(refusal) => told.kept.push(refusal.message),
                }
            }
        }
        let ids = self.give_objects(level, prefab, &mut given, told)?;
        self.give_values(level, prefab, &ids, &mut given, told)?;
        given.removed_components = level.removed_components.clone();
        given.removed_objects = level.removed_objects.clone();
        self.forget_tree();
        Ok(given)
    }

    /// Added objects and components. Returns their ids in the prefab by those that they had.
    fn give_objects(
        &mut self,
        level: &Level,
        prefab: &mut Editor<'_>,
        given: &mut Given,
        told: &mut Told,
    ) -> Result<HashMap<FileId, FileId>, Refusal> {
        let going = self.going(level)?;
        let mut subtree = Subtree::default();
        for one in &going {
            let inside = self.subtree(&one.seen);
            subtree.own.extend(inside.own);
            subtree.instances.extend(inside.instances);
        }
        let owners = self.owners_of(level)?;
        subtree.own.extend(level.components.iter().copied());
        if subtree.own.is_empty() {
            return Ok(HashMap::new());
        }
        let ids = self.name_copies(&subtree, &mut prefab.sheet, level.instance);
        let outward = self.copy_into(level.instance, &subtree, &ids, prefab)?;
        for one in &going {
            prefab.hang_given(one, &ids)?;
            given.objects.push(ids.get(&one.seen.id).copied().unwrap_or(one.seen.id));
        }
        self.list_given(level.instance, owners, &ids, prefab)?;
        given.components.extend(level.components.iter().map(|id| ids[id]));
        prefab.forget_tree();
        told.shapes += going.len() + level.components.len();
        self.leave(level.instance, &subtree, &ids, outward, told)?;
        Ok(ids)
    }

    fn going(&mut self, level: &Level) -> Result<Vec<Going>, Refusal> {
        let mut going = Vec::new();
        for object in &level.objects {
            let seen = self.find_id(*object)?;
            let parent = self.parent(&seen)?;
            let place = self.place_of(&seen, parent.as_ref())?;
            let last = self.count_in(parent.as_ref()).saturating_sub(1);
            let Some(Stated::Override { target, .. }) = parent.map(|parent| parent.at) else {
                return Err(Refusal::new(format!("{} hangs in no instance", seen.path)));
            };
            let place = place.filter(|place| *place < last);
            going.push(Going { seen, parent: target, place });
        }
        Ok(going)
    }

    /// Added components, the objects of the prefab that they are on, and their places there.
    fn owners_of(&mut self, level: &Level) -> Result<Vec<OnObject>, Refusal> {
        let tree = self.tree();
        let owner = |id: &FileId| {
            let node = tree.find_by_id(*id)?;
            let components = node.components();
            let place = components.iter().position(|held| held.file_id() == *id);
            let place = place.filter(|place| place + 1 < components.len());
            match node.stated()? {
                Stated::Override { target, .. } => Some((*id, target, place)),
                Stated::Here(_) => None,
            }
        };
        let lost = || Refusal::new("an added component is on no object of the instance");
        level.components.iter().map(|id| owner(id).ok_or_else(lost)).collect()
    }

    /// List components that went, at the places that they had.
    fn list_given(
        &mut self,
        instance: FileId,
        owners: Vec<OnObject>,
        ids: &HashMap<FileId, FileId>,
        prefab: &mut Editor<'_>,
    ) -> Result<(), Refusal> {
        let listed = self.listed_components(instance);
        let mut further: Vec<(Option<usize>, FileId, FileId, FileId)> = Vec::new();
        for (id, owner, place) in owners {
            let seen = prefab.seen_inside(owner)?;
            if let Stated::Override { instance, target } = seen.at {
                let at = listed.iter().position(|(known, _)| *known == id);
                further.push((at, id, instance, target));
                continue;
            }
            let class = prefab.sheet.object(ids[&id]).map(|it| it.class_id()).unwrap_or_default();
            prefab.list_component_at(&seen, class, ids[&id], place)?;
            prefab.forget_tree();
        }
        // In an instance of the prefab they are put in one after the other as they were here.
        further.sort_by_key(|(at, ..)| *at);
        for (at, id, instance, target) in further {
            let place = at.map_or(-1, |at| listed[at].1);
            prefab.add_to_instance(
                instance,
                "m_AddedComponents",
                target,
                ids[&id],
                (place, None),
            )?;
        }
        Ok(())
    }

    /// The components that an instance lists as added, with their places.
    fn listed_components(&self, instance: FileId) -> Vec<(FileId, i64)> {
        let object = self.sheet.object(instance);
        let list = object.and_then(|it| it.get("m_Modification.m_AddedComponents"));
        let read = |item: Value<'_>| {
            let added = item.get("addedObject")?.as_reference()?.file_id;
            Some((added, item.get("insertIndex")?.text().parse().ok()?))
        };
        list.into_iter().flat_map(Value::items).filter_map(read).collect()
    }

    /// Copy objects into the prefab. Returns what they refer to that it cannot have.
    fn copy_into(
        &mut self,
        instance: FileId,
        subtree: &Subtree,
        ids: &HashMap<FileId, FileId>,
        prefab: &mut Editor<'_>,
    ) -> Result<Vec<Outward>, Refusal> {
        let follow = self.follow(instance, subtree, ids, prefab)?;
        let known: HashSet<FileId> = follow.keys().copied().collect();
        let manner = prefab.sheet.manner();
        let mut outward = Vec::new();
        for id in &subtree.own {
            let Some(object) = self.sheet.object(*id) else { continue };
            outward.extend(outward_of(object, ids[id], &known));
            let text = text_of(object.document(), object).replace("\r\n", "\n");
            let text = moved(&text, *id, ids[id], manner, |to| {
                let is_local = to.guid.is_none() && !to.is_null();
                let now = follow.get(&to.file_id).copied().unwrap_or(FileId::NULL);
                is_local.then_some(Reference { file_id: now, ..to })
            });
            prefab.sheet.add_text(ids[id], text.replace('\n', manner.line_break));
        }
        for ((of, target), id) in &self.stand_ins {
            if let (Some(of), Some(id)) = (ids.get(of), ids.get(id)) {
                prefab.stand_ins.insert((*of, *target), *id);
            }
        }
        prefab.forget_tree();
        Ok(outward)
    }

    /// What ids that objects refer to are in the prefab.
    fn follow(
        &mut self,
        instance: FileId,
        subtree: &Subtree,
        ids: &HashMap<FileId, FileId>,
        prefab: &mut Editor<'_>,
    ) -> Result<HashMap<FileId, FileId>, Refusal> {
        let mut named = BTreeSet::new();
        for object in subtree.own.iter().filter_map(|id| self.sheet.object(*id)) {
            let local = object.references().filter(|(_, to)| to.guid.is_none() && !to.is_null());
            named.extend(local.map(|(_, to)| to.file_id));
        }
        let mut follow = ids.clone();
        for id in named {
            if !follow.contains_key(&id)
                && let Some(inner) = self.inner_of(instance, id)
                && let Ok(handle) = prefab.handle_inside(inner)
            {
                follow.insert(id, handle);
            }
        }
        Ok(follow)
    }

    /// What an id of this file is called in the prefab of an instance.
    fn inner_of(&mut self, instance: FileId, id: FileId) -> Option<FileId> {
        match self.tree().stated(id)? {
            Stated::Override { instance: of, target } if of == instance => Some(target),
            _ => None,
        }
    }

    /// By what this prefab refers to something in it, its own or in an instance.
    fn handle_inside(&mut self, id: FileId) -> Result<FileId, Refusal> {
        let gone = || Refusal::new(format!("the prefab has no object #{id}"));
        let at = self.tree().stated(id).ok_or_else(gone)?;
        self.handle(at)
    }

    fn seen_inside(&mut self, id: FileId) -> Result<Seen, Refusal> {
        let classes = self.project.classes;
        let gone = || Refusal::new(format!("the prefab has no object #{id}"));
        let node = self.tree().find_by_id(id).ok_or_else(gone)?;
        Seen::of(&node, classes)
    }

    fn hang_given(&mut self, one: &Going, ids: &HashMap<FileId, FileId>) -> Result<(), Refusal> {
        let renamed = |id: FileId| ids.get(&id).copied().unwrap_or(id);
        let transform = match one.seen.transform()?.at {
            Stated::Here(id) => Stated::Here(renamed(id)),
            Stated::Override { instance, target } => {
                Stated::Override { instance: renamed(instance), target }
            }
        };
        let parent = self.seen_inside(one.parent)?;
        let instance = one.seen.root_of.map(renamed);
        self.hang(Child { transform, instance }, Some(&parent), one.place)?;
        self.forget_tree();
        Ok(())
    }

    /// Take what went out of this file; what refers to it finds it in the instance.
    fn leave(
        &mut self,
        instance: FileId,
        subtree: &Subtree,
        ids: &HashMap<FileId, FileId>,
        outward: Vec<Outward>,
        told: &mut Told,
    ) -> Result<(), Refusal> {
        let all: Vec<FileId> = subtree.own.iter().copied().collect();
        self.drop_added(instance, &all)?;
        let named = self.named_from_outside(subtree, FileId::NULL, true);
        let lost = || Refusal::new("the instance names no prefab");
        let source = self.source_of(instance).ok_or_else(lost)?;
        self.leave_stand_ins(subtree, &named, ids, instance, source);
        if outward.is_empty() {
            return Ok(());
        }
        told.kept.push(format!(
            "{} references to what only this file has stay overrides of the instance",
            outward.len()
        ));
        let overrides = outward.into_iter().map(|one| Override {
            target: one.target,
            path: one.path,
            value: New::Reference(one.to),
        });
        let overrides: Vec<Override> = overrides.collect();
        let file = self.sheet.file();
        self.edit(instance, |object, manner, edits| {
            edit::set_overrides(object, &overrides, &file, manner, edits)
        })
    }

    fn give_values(
        &mut self,
        level: &Level,
        prefab: &mut Editor<'_>,
        ids: &HashMap<FileId, FileId>,
        given: &mut Given,
        told: &mut Told,
    ) -> Result<(), Refusal> {
        let mut entries = self.entries_of(level.instance);
        entries.retain(|entry| level.wants(entry));
        if entries.is_empty() && level.is_exact && !level.values.is_empty() {
            told.kept.push("there was no override".to_owned());
        }
        // Items can be set only once they are there.
        entries.sort_by_key(|entry| !entry.path.ends_with(".Array.size"));
        let mut owners: HashMap<FileId, Owner> = HashMap::new();
        let mut gone = HashSet::new();
        for entry in entries {
            let is_new = ids.values().any(|id| *id == entry.target);
            let is_kept = self.is_kept(level.instance, entry.target, &entry.path);
            let taken = match (is_kept, is_new) {
                (true, _) => Err("every instance has its own"),
                (_, true) => continue,
                _ => self.give_value(level.instance, &entry, prefab, ids, &mut owners)?,
            };
            match taken {
                Ok(()) => {
                    gone.insert((entry.target, entry.path.clone()));
                    told.values += 1;
                    given.values.push((entry.target, Some(entry.path)));
                }
                Err(why) if level.is_exact => {
                    let text = format!("{} cannot be applied: {why}", entry.path);
                    return Err(Refusal::new(text).hint("it can only be an override"));
                }
                Err(_) if is_kept => {}
                Err(why) => told.kept.push(format!("{} stays an override: {why}", entry.path)),
            }
        }
        self.drop_overrides(level.instance, |of, path| gone.contains(&(of, path.to_owned())))?;
        Ok(())
    }

    /// Give one value; or say why it cannot be in the prefab.
    fn give_value(
        &mut self,
        instance: FileId,
        entry: &Entry,
        prefab: &mut Editor<'_>,
        ids: &HashMap<FileId, FileId>,
        owners: &mut HashMap<FileId, Owner>,
    ) -> Result<Result<(), &'static str>, Refusal> {
        let mut reference = entry.reference;
        if reference.guid.is_none() && !reference.is_null() {
            let inner = self.inner_of(instance, reference.file_id);
            reference.file_id = match (ids.get(&reference.file_id), inner) {
                (Some(id), _) => *id,
                (None, Some(inner)) => match prefab.handle_inside(inner) {
                    Ok(handle) => handle,
                    Err(_) => return Ok(Err("it refers to what the prefab does not have")),
                },
                (None, None) => return Ok(Err("it refers to what only this file has")),
            };
        }
        let owner = match owners.get(&entry.target) {
            Some(owner) => owner.clone(),
            None => {
                let Ok(seen) = prefab.seen_inside(entry.target) else {
                    return Ok(Err("the prefab does not have what it is of"));
                };
                let held = seen.components.iter().find(|held| held.id == entry.target);
                let owner = match held {
                    Some(held) => Owner::of_component(&seen, held),
                    None => Owner::of_object(&seen),
                };
                owners.entry(entry.target).or_insert(owner).clone()
            }
        };
        if let Some(list) = self.whole_list(instance, entry)
            && prefab.take_list(&owner, &entry.path, &list)?
        {
            prefab.forget_values(owner.at);
            return Ok(Ok(()));
        }
        let taken = prefab.take(&owner, &entry.path, &entry.text, reference);
        prefab.forget_values(owner.at);
        Ok(taken.map(drop).map_err(|_| "the prefab has no place for it"))
    }

    /// The list whose size an override says, where it can be in another file as it is.
    fn whole_list(&mut self, instance: FileId, entry: &Entry) -> Option<New> {
        let list = entry.path.strip_suffix(".Array.size")?;
        let at = Stated::Override { instance, target: entry.target };
        let data = self.data(at, &parts(list)).filter(|data| !has_local(data))?;
        Some(new_of(&data))
    }

    /// Take something out of the prefab that the instance had taken out of itself. Returns what else
    /// is to be known.
    fn give_removed(
        &mut self,
        instance: FileId,
        target: FileId,
        list: &str,
        prefab: &mut Editor<'_>,
    ) -> Result<Vec<String>, Refusal> {
        let seen = prefab.seen_inside(target)?;
        let mut gone = vec![target];
        let done = match list {
            "m_RemovedComponents" => {
                let (object, held) = (format!("#{}", seen.id), format!("#{target}"));
                prefab.remove_component(&object, &held)?
            }
            _ => {
                let tree = prefab.tree().clone();
                let mut open: Vec<Node<'_>> = tree.find_by_id(target).into_iter().collect();
                while let Some(node) = open.pop() {
                    gone.extend(node.file_id());
                    gone.extend(node.components().iter().map(|held| held.file_id()));
                    open.extend(node.children());
                }
                prefab.delete(&format!("#{}", seen.id), false)?
            }
        };
        self.put_back(instance, list, &[target])?;
        self.drop_overrides(instance, |of, _| gone.contains(&of))?;
        Ok(done.remarks)
    }

    pub(in crate::edit::scene) fn entries_of(&self, instance: FileId) -> Vec<Entry> {
        let object = self.sheet.object(instance);
        let list = object.and_then(|it| it.get("m_Modification.m_Modifications"));
        list.into_iter().flat_map(Value::items).filter_map(Entry::read).collect()
    }

    /// What this prefab took, as what an instance in it is to give on.
    pub(super) fn next_level(&mut self, given: Given) -> Result<Level, Refusal> {
        let mut level = Level { is_exact: true, ..Level::default() };
        let mut inside = |id: FileId| match self.tree().stated(id) {
            Some(Stated::Override { instance, target })
                if level.instance.is_null() || level.instance == instance =>
            {
                level.instance = instance;
                Ok(target)
            }
            _ => Err(Refusal::new("not all of it comes from one prefab further down")
                .hint("name one object or component, or leave out to")),
        };
        let mut values = Vec::new();
        for (target, path) in given.values {
            values.push((inside(target)?, path));
        }
        let mut all = |ids: Vec<FileId>| -> Result<Vec<FileId>, Refusal> {
            ids.into_iter().map(&mut inside).collect()
        };
        let removed_components = all(given.removed_components)?;
        let removed_objects = all(given.removed_objects)?;
        (level.values, level.removed_components) = (values, removed_components);
        level.removed_objects = removed_objects;
        (level.components, level.objects) = (given.components, given.objects);
        if level.instance.is_null() {
            level.instance = self.instance_of_added(&level)?;
        }
        Ok(level)
    }

    /// The instance that something was added to.
    fn instance_of_added(&mut self, level: &Level) -> Result<FileId, Refusal> {
        let tree = self.tree();
        let component = level.components.first().and_then(|id| tree.find_by_id(*id));
        let object = level.objects.first().and_then(|id| tree.find_by_id(*id)?.parent());
        let owner = component.or(object).and_then(|node| node.outer_instance());
        owner.ok_or_else(|| {
            Refusal::new("what was added is on an object of the prefab's own")
                .hint("leave out to: there is no prefab further down")
        })
    }
}

/// Whether a value refers to objects of its own file.
fn has_local(data: &Data) -> bool {
    match data {
        Data::Text(_) => false,
        Data::Reference(to) => to.guid.is_none() && !to.is_null(),
        Data::List(items) => items.iter().any(|item| has_local(&item.data)),
        Data::Map(fields) => fields.iter().any(|(_, value)| has_local(&value.data)),
    }
}

impl Level {
    fn wants(&self, entry: &Entry) -> bool {
        self.values.iter().any(|(target, path)| {
            *target == entry.target
                && path.as_ref().is_none_or(|path| {
                    let rest = entry.path.strip_prefix(path.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                })
        })
    }
}
