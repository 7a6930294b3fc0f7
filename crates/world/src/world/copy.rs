//! Copies of objects.

use super::{MAX_DEPTH, MAX_OBJECTS, Refused, World};
use crate::ids::ObjectId;
use crate::object::{Object, fold};

impl World {
    /// Copy an object with everything inside it, as `Instantiate` does: beside the roots of the
    /// active scene or into a parent, under its name with `(Clone)`. References inside the copy
    /// still point to where those of the original do.
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
        let mut pairs = vec![(id, made)];
        for original in inside.into_iter().skip(1) {
            let object = self.object(original).ok_or(Refused::NotFound)?;
            let (name, outer) = (object.name.clone(), object.parent);
            let outer = pairs.iter().rev().find(|(known, _)| Some(*known) == outer);
            let outer = outer.map(|(_, copy)| *copy);
            pairs.push((original, self.create(&name, outer)?));
        }
        for (original, copy) in pairs {
            self.copy_parts(original, copy)?;
        }
        Ok(made)
    }

    /// Everything of an object but its name and its place in the tree.
    fn copy_parts(&mut self, original: ObjectId, copy: ObjectId) -> Result<(), Refused> {
        let given = self.object(original).ok_or(Refused::NotFound)?.clone();
        let mut components = given.components;
        for component in components.iter_mut().skip(1) {
            component.id = crate::ids::ComponentId(self.take_id());
            self.by_id.insert(component.id.0, super::Place::Component(copy));
        }
        self.directory.forget();
        let object = self.object_mut(copy).ok_or(Refused::NotFound)?;
        if let (Some(new), Some(own)) = (components.first_mut(), object.components.first()) {
            new.id = own.id;
        }
        components.iter_mut().for_each(|component| component.origin = None);
        object.folded = fold(&object.name);
        object.components = components;
        (object.tag, object.layer, object.active) = (given.tag, given.layer, given.active);
        (object.is_static, object.local, object.rect) = (given.is_static, given.local, given.rect);
        Ok(())
    }
}
