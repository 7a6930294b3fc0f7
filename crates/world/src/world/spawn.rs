//! Prefabs that are put into the world.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::{Copied, MAX_DEPTH, MAX_OBJECTS, Place, Refused, World};
use crate::ids::{ComponentId, ObjectId};
use crate::object::{Component, Spawned, fold};
use crate::scene::{ComponentData, ObjectData, SceneData};
use crate::value::Value;

impl World {
    /// Make an instance of a prefab, as `Instantiate` does: beside the roots of the active scene or
    /// into a parent, under its name with `(Clone)`. Its references to itself lead into the instance.
    pub fn spawn(
        &mut self,
        prefab: SceneData,
        parent: Option<ObjectId>,
    ) -> Result<ObjectId, Refused> {
        let is_whole = prefab.objects.iter().skip(1).all(|object| object.parent.is_some());
        let Some(root) = prefab.objects.first().filter(|_| is_whole) else {
            let message = format!("{} is no prefab with one root", prefab.path);
            return Err(Refused::Other(message));
        };
        if self.len() + prefab.objects.len() > MAX_OBJECTS {
            return Err(Refused::Full);
        }
        let above = parent.map_or(0, |parent| self.line(parent).count());
        if above + height(&prefab.objects) > MAX_DEPTH {
            return Err(Refused::TooDeep);
        }
        self.learn_classes(&prefab);
        let mut ids = vec![self.create(&format!("{}(Clone)", root.name), parent)?];
        for given in prefab.objects.iter().skip(1) {
            let outer = given.parent.and_then(|outer| ids.get(outer)).copied();
            ids.push(self.create(&given.name, outer)?);
        }
        let mut numbers = HashMap::new();
        for (given, id) in prefab.objects.iter().zip(&ids) {
            numbers.insert(given.file_id, id.0);
            self.fill(given, *id, &mut numbers)?;
        }
        // Only now is it known what every reference leads to.
        let (root, numbers) = (ids[0], Arc::new(numbers));
        let copied = Arc::new(Copied { numbers: numbers.clone(), moved: HashMap::new() });
        let (path, origin) = (prefab.path, prefab.origin);
        let spawned = Arc::new(Spawned { root, path, numbers, origin });
        for (place, id) in (0..).zip(ids) {
            let object = self.object_quietly(id).ok_or(Refused::NotFound)?;
            object.spawned = Some((spawned.clone(), place));
            // The rest is as its file has it.
            object.is_touched = id == root;
            let with_files = object.components.iter_mut().filter(|given| given.saved.is_some());
            with_files.for_each(|component| component.copied = Some(copied.clone()));
        }
        self.reshaped();
        Ok(root)
    }

    /// What an id in the file of an instance's prefab stands for there; nothing for what is gone.
    pub fn spawned_as(&self, instance: ObjectId, file_id: i64) -> Value {
        let spawned = self.object(instance).and_then(|object| object.spawned.as_ref());
        let number = spawned.and_then(|(prefab, _)| prefab.numbers.get(&file_id)).copied();
        number.map_or(Value::Null, |number| self.by_number(number))
    }

    /// Everything of an object but its name and its place in the tree.
    fn fill(
        &mut self,
        given: &ObjectData,
        id: ObjectId,
        numbers: &mut HashMap<i64, i32>,
    ) -> Result<(), Refused> {
        let own = self.object(id).and_then(|object| Some(object.components.first()?.id));
        let mut components = Vec::with_capacity(given.components.len());
        for (place, component) in given.components.iter().enumerate() {
            let number = match own.filter(|_| place == 0) {
                Some(transform) => transform,
                None => ComponentId(self.take_id()),
            };
            self.by_id.insert(number.0, Place::Component(id));
            numbers.insert(component.file_id, number.0);
            components.push(made(component, number, place));
        }
        let object = self.object_quietly(id).ok_or(Refused::NotFound)?;
        object.folded = fold(&object.name);
        object.components = components;
        object.tag = given.tag.clone();
        (object.layer, object.active) = (given.layer, given.active);
        (object.is_static, object.local) = (given.is_static, given.local);
        object.rect = given.rect.map(Box::new);
        Ok(())
    }
}

fn made(given: &ComponentData, id: ComponentId, place: usize) -> Component {
    Component {
        id,
        type_name: given.type_name.clone(),
        enabled: given.enabled,
        saved: given.saved.clone(),
        changed: HashMap::new(),
        copied: None,
        origin: u32::try_from(place).ok(),
        shape: OnceLock::new(),
    }
}

/// How many levels these objects have; parents are before what is in them.
fn height(objects: &[ObjectData]) -> usize {
    let mut levels: Vec<usize> = Vec::with_capacity(objects.len());
    for object in objects {
        let above = object.parent.and_then(|parent| levels.get(parent)).copied().unwrap_or(0);
        levels.push(above + 1);
    }
    levels.into_iter().max().unwrap_or(0)
}
