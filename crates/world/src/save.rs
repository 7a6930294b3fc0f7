//! What the world has that its files do not: the values that were set since they were read.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ids::{ComponentId, ObjectId};
use crate::members::from_data;
use crate::scene::{SceneData, SceneKey};
use crate::types::{MONO_BEHAVIOUR, Source};
use crate::value::Value;
use crate::world::World;

/// A value of a component that was set.
#[derive(Debug, Clone, PartialEq)]
pub struct SetMember {
    /// The name in C#, as far as it is known.
    pub name: Arc<str>,
    /// Full name of its type; empty when nothing tells it.
    pub type_name: Arc<str>,
    /// The path of the saved field; nothing for members that Unity does not save.
    pub path: Option<Arc<str>>,
    /// What the file says; nothing when it says nothing about it.
    pub before: Option<Value>,
    /// What was set.
    pub now: Value,
}

/// What a file calls the objects and components of a scene, once it is written.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// Objects by what the file calls them.
    pub objects: HashMap<i64, ObjectId>,
    /// Components by what the file calls them.
    pub components: HashMap<i64, ComponentId>,
    /// Values that the file has now: component, and path of the field.
    pub values: Vec<(ComponentId, Arc<str>)>,
}

impl World {
    /// The values of a component that were set since its file was read, by path and name.
    pub fn set_members(&self, id: ComponentId) -> Vec<SetMember> {
        let Some((_, component)) = self.component(id) else { return Vec::new() };
        let members = self.members(id);
        let mut all: Vec<SetMember> = component
            .changed
            .iter()
            .map(|(key, now)| {
                let saved = members.iter().find(|member| match &member.source {
                    Source::Saved(path) => path == key,
                    _ => false,
                });
                let unsaved = members.iter().find(|member| {
                    member.name == *key && !matches!(member.source, Source::Saved(_))
                });
                let member = saved.or(unsaved);
                let type_name = member.map_or_else(|| "".into(), |member| member.type_name.clone());
                // What no class tells of was set by the name of its field.
                let path = (saved.is_some() || unsaved.is_none()).then(|| key.clone());
                let data = path.as_ref().and_then(|path| self.saved_value(component, path));
                SetMember {
                    name: member.map_or_else(|| key.clone(), |member| member.name.clone()),
                    before: data.map(|data| from_data(&data, &type_name, self.types())),
                    type_name,
                    path,
                    now: now.clone(),
                }
            })
            .collect();
        all.sort_by(|a, b| (&a.path, &a.name).cmp(&(&b.path, &b.name)));
        all
    }

    /// Whether a class is one of scripts.
    pub fn is_script(&self, type_name: &str) -> bool {
        self.types().is_a(type_name, MONO_BEHAVIOUR)
    }

    /// Take a scene's file, which was just written, for what its objects were loaded from.
    pub fn rebase(&mut self, key: SceneKey, data: SceneData, written: &Written) {
        let mut numbers = HashMap::new();
        for (place, given) in data.objects.into_iter().enumerate() {
            let Some(id) = written.objects.get(&given.file_id) else { continue };
            let was_touched = self.object(*id).is_some_and(|object| object.is_touched);
            let Some(object) = self.object_mut(*id) else { continue };
            object.is_touched = was_touched;
            object.origin = u32::try_from(place).ok().map(|place| (key, place));
            object.spawned = None;
            numbers.insert(given.file_id, object.id.0);
            for (place, given) in given.components.into_iter().enumerate() {
                let Some(id) = written.components.get(&given.file_id) else { continue };
                let component = object.components.iter_mut().find(|component| component.id == *id);
                let Some(component) = component else { continue };
                component.origin = u32::try_from(place).ok();
                (component.saved, component.copied) = (given.saved, None);
                numbers.insert(given.file_id, id.0);
            }
        }
        for (id, path) in &written.values {
            if let Some(component) = self.component_mut(*id) {
                component.changed.remove(path);
            }
        }
        if let Some(scene) = self.scenes.iter_mut().find(|scene| scene.key == key) {
            (scene.numbers, scene.origin) = (numbers.into(), data.origin);
        }
    }
}
