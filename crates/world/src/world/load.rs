//! Scenes come and go.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::{MAX_OBJECTS, Place, Refused, World};
use crate::event::Event;
use crate::ids::{ComponentId, ObjectId};
use crate::object::{Component, Object, fold};
use crate::scene::{Scene, SceneData, SceneKey};
use crate::types::{BEHAVIOUR, COMPONENT, GRAPHIC, MONO_BEHAVIOUR};

impl World {
    /// Load a scene: beside the others, or in place of them.
    pub fn load(&mut self, data: SceneData, additive: bool) -> Result<SceneKey, Refused> {
        if !additive {
            // From the end, so that the place of each is still the one it was known by.
            while let Some(scene) = self.scenes.last() {
                self.unload(scene.key);
            }
        }
        if self.len() + data.objects.len() > MAX_OBJECTS {
            return Err(Refused::Full);
        }
        self.learn_classes(&data);
        let key = SceneKey(self.next_scene);
        self.next_scene += 1;
        let mut roots = Vec::new();
        let mut numbers = HashMap::new();
        let mut ids: Vec<ObjectId> = Vec::with_capacity(data.objects.len());
        for given in data.objects {
            let id = ObjectId(self.free_id(given.number));
            let parent = given.parent.and_then(|parent| ids.get(parent)).copied();
            ids.push(id);
            numbers.insert(given.file_id, id.0);
            let mut components: Vec<Component> = Vec::with_capacity(given.components.len());
            self.by_id.insert(id.0, Place::Object(0));
            for component in given.components {
                let number = ComponentId(self.free_id(component.number));
                self.by_id.insert(number.0, Place::Component(id));
                numbers.insert(component.file_id, number.0);
                components.push(Component {
                    id: number,
                    type_name: component.type_name,
                    enabled: component.enabled,
                    saved: component.saved,
                    changed: HashMap::new(),
                    copied: None,
                    origin: u32::try_from(components.len()).ok(),
                    shape: OnceLock::new(),
                });
            }
            self.insert(Object {
                id,
                folded: fold(&given.name),
                name: given.name,
                tag: given.tag,
                layer: given.layer,
                active: given.active,
                is_static: given.is_static,
                parent,
                children: Vec::new(),
                scene: key,
                components,
                local: given.local,
                rect: given.rect.map(Box::new),
                origin: u32::try_from(ids.len() - 1).ok().map(|place| (key, place)),
                spawned: None,
                is_touched: false,
                is_test: false,
            })?;
            match parent.and_then(|parent| self.object_quietly(parent)) {
                Some(parent) => parent.children.push(id),
                None => roots.push(id),
            }
        }
        let (origin, numbers) = (data.origin, numbers.into());
        self.scenes.push(Scene { key, name: data.name, path: data.path, roots, numbers, origin });
        self.reshaped();
        self.tell(Event::SceneLoaded(self.scenes.len() - 1));
        Ok(key)
    }

    /// Know every class that a component has, also those of plugins and packages without source.
    pub(super) fn learn_classes(&mut self, data: &SceneData) {
        let components = data.objects.iter().flat_map(|object| &object.components);
        let mut seen = HashSet::new();
        for component in components {
            let Some(name) = component.type_name.as_ref().filter(|name| seen.insert(*name)) else {
                continue;
            };
            if self.types.is_a(name, COMPONENT) {
                continue;
            }
            let fields = component.saved.as_ref().map(|saved| saved.names()).unwrap_or_default();
            let has = |name: &str| fields.iter().any(|field| field == name);
            let base = match component.enabled {
                // All graphics save this field, also those of packages.
                _ if has("m_RaycastTarget") => GRAPHIC,
                _ if has("m_Script") => MONO_BEHAVIOUR,
                Some(_) => BEHAVIOUR,
                None => COMPONENT,
            };
            Arc::make_mut(&mut self.types).add_component(name, base);
        }
    }

    /// Unload a scene and destroy what is in it.
    pub fn unload(&mut self, key: SceneKey) {
        let Some(at) = self.scenes.iter().position(|scene| scene.key == key) else { return };
        // Taken out first: each would be looked for among all others.
        for root in std::mem::take(&mut self.scenes[at].roots) {
            // It is there: roots are removed when they are destroyed.
            let _ = self.destroy(root);
        }
        self.scenes.remove(at);
        self.reshaped();
        self.tell(Event::SceneUnloaded(at));
    }
}
