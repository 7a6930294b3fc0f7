//! Copies of objects, and what the references of components lead to.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MAX_DEPTH, MAX_OBJECTS, Place, Refused, World};
use crate::ids::{ComponentId, ObjectId};
use crate::object::{Object, fold};
use crate::scene::SceneKey;
use crate::value::{StructValue, Value};

/// What the references of a copied component lead to, which still has the file of its original.
#[derive(Debug)]
pub(crate) struct Copied {
    /// The scene's numbers as they were; the original may be gone with its scene.
    pub(crate) numbers: Arc<HashMap<i64, i32>>,
    /// Numbers of copies by those of what is in the file.
    pub(crate) moved: HashMap<i32, i32>,
}

/// One copy while it is made.
struct Copying {
    /// Numbers of all copies by those of their originals.
    pairs: HashMap<i32, i32>,
    /// The same, for what files have only: no saved reference leads to anything else.
    filed: HashMap<i32, i32>,
    /// What became of references, by where it was kept: components of an original share it.
    known: HashMap<*const (), Arc<Copied>>,
}

impl World {
    /// The instance ids of a scene by what its file has; none for a scene that is gone.
    fn numbers(&self, scene: SceneKey) -> Arc<HashMap<i64, i32>> {
        let scene = self.scenes.iter().find(|known| known.key == scene);
        scene.map(|scene| scene.numbers.clone()).unwrap_or_default()
    }

    /// What an id in the file of a component stands for: an object, a component, or nothing.
    pub fn numbered(&self, of: ComponentId, file_id: i64) -> Value {
        let Some((object, component)) = self.component(of) else { return Value::Null };
        let number = match &component.copied {
            Some(copied) => copied
                .numbers
                .get(&file_id)
                .map(|number| *copied.moved.get(number).unwrap_or(number)),
            None => {
                let scene = object.origin.map_or(object.scene, |(scene, _)| scene);
                let scene = self.scenes.iter().find(|known| known.key == scene);
                scene.and_then(|scene| scene.numbers.get(&file_id)).copied()
            }
        };
        number.map_or(Value::Null, |number| self.by_number(number))
    }

    /// What has an instance id: an object, a component, or nothing.
    pub(super) fn by_number(&self, number: i32) -> Value {
        match self.by_id.get(&number) {
            Some(Place::Object(_)) => Value::Object(ObjectId(number)),
            Some(Place::Component(_)) => Value::Component(ComponentId(number)),
            None => Value::Null,
        }
    }

    /// Copy an object with everything inside it, as `Instantiate` does: beside the roots of the
    /// active scene or into a parent, under its name with `(Clone)`. References of the original to
    /// what is inside it lead into the copy.
    pub fn copy(&mut self, id: ObjectId, parent: Option<ObjectId>) -> Result<ObjectId, Refused> {
        let name = format!("{}(Clone)", self.object(id).ok_or(Refused::NotFound)?.name);
        let inside: Vec<ObjectId> = self.descend(&[id]).map(Object::id).collect();
        if self.len() + inside.len() > MAX_OBJECTS {
            return Err(Refused::Full);
        }
        let above = parent.map_or(0, |parent| self.line(parent).count());
        if above + self.height(id) > MAX_DEPTH {
            return Err(Refused::TooDeep);
        }
        let made = self.create(&name, parent)?;
        let mut copies = HashMap::from([(id, made)]);
        for original in inside.iter().skip(1) {
            let object = self.object(*original).ok_or(Refused::NotFound)?;
            let (name, outer) = (object.name.clone(), object.parent);
            let outer = outer.and_then(|outer| copies.get(&outer)).copied();
            copies.insert(*original, self.create(&name, outer)?);
        }
        let (pairs, filed, known) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut copying = Copying { pairs, filed, known };
        for original in &inside {
            self.copy_parts(*original, copies[original], &mut copying)?;
        }
        // Only now is it known what every reference leads to.
        for copy in copies.values() {
            self.copy_references(*copy, &mut copying);
        }
        Ok(made)
    }

    /// Everything of an object but its name and its place in the tree.
    fn copy_parts(
        &mut self,
        original: ObjectId,
        copy: ObjectId,
        copying: &mut Copying,
    ) -> Result<(), Refused> {
        let given = self.object(original).ok_or(Refused::NotFound)?.clone();
        let own = self.object(copy).and_then(|object| Some(object.components.first()?.id));
        let is_filed = given.origin.is_some() || given.spawned.is_some();
        copying.add(original.0, copy.0, is_filed);
        let scene = given.origin.map_or(given.scene, |(scene, _)| scene);
        let numbers = self.numbers(scene);
        let mut components = given.components;
        for (place, component) in components.iter_mut().enumerate() {
            let number = match own.filter(|_| place == 0) {
                Some(ComponentId(number)) => number,
                None => self.take_id(),
            };
            self.by_id.insert(number, Place::Component(copy));
            copying.add(component.id.0, number, component.origin.is_some());
            component.id = ComponentId(number);
            component.origin = None;
            if component.copied.is_none() && component.saved.is_some() {
                component.copied = Some(copying.shared(&numbers));
            }
        }
        self.directory.forget();
        let object = self.object_mut(copy).ok_or(Refused::NotFound)?;
        object.folded = fold(&object.name);
        object.components = components;
        (object.tag, object.layer, object.active) = (given.tag, given.layer, given.active);
        (object.is_static, object.local, object.rect) = (given.is_static, given.local, given.rect);
        Ok(())
    }

    /// Lead the references of a copy to copies.
    fn copy_references(&mut self, copy: ObjectId, copying: &mut Copying) {
        let Some(object) = self.object_mut(copy) else { return };
        for component in &mut object.components {
            for value in component.changed.values_mut() {
                *value = copying.led(value);
            }
            if let Some(copied) = &component.copied {
                component.copied = Some(copying.continued(copied));
            }
        }
    }
}

impl Copying {
    fn add(&mut self, original: i32, copy: i32, is_filed: bool) {
        self.pairs.insert(original, copy);
        if is_filed {
            self.filed.insert(original, copy);
        }
    }

    /// One for all components of a scene; nothing is led anywhere yet.
    fn shared(&mut self, numbers: &Arc<HashMap<i64, i32>>) -> Arc<Copied> {
        let key = Arc::as_ptr(numbers).cast();
        let make = || Arc::new(Copied { numbers: numbers.clone(), moved: HashMap::new() });
        self.known.entry(key).or_insert_with(make).clone()
    }

    /// What an original's references lead to, led on.
    fn continued(&mut self, copied: &Arc<Copied>) -> Arc<Copied> {
        let key = Arc::as_ptr(copied).cast();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let led = |number: &i32| *self.pairs.get(number).unwrap_or(number);
        let mut moved = self.filed.clone();
        moved.extend(copied.moved.iter().map(|(from, to)| (*from, led(to))));
        let made = Arc::new(Copied { numbers: copied.numbers.clone(), moved });
        self.known.insert(key, made.clone());
        made
    }

    fn led(&self, value: &Value) -> Value {
        let to = |number: &i32| self.pairs.get(number).copied();
        match value {
            Value::Object(ObjectId(id)) => {
                to(id).map_or(value.clone(), |id| Value::Object(ObjectId(id)))
            }
            Value::Component(ComponentId(id)) => {
                to(id).map_or(value.clone(), |id| Value::Component(ComponentId(id)))
            }
            Value::List(items) => Value::list(items.iter().map(|item| self.led(item)).collect()),
            Value::Struct(given) => {
                let fields = given.fields.iter();
                let fields = fields.map(|(name, value)| (name.clone(), self.led(value))).collect();
                Value::Struct(Arc::new(StructValue { type_name: given.type_name.clone(), fields }))
            }
            other => other.clone(),
        }
    }
}
