//! Who is in whom, and in which order.

use std::collections::HashSet;

use scenewright_text::Edits;
use scenewright_unity::edit::{self, Item, New, Override};
use scenewright_unity::hierarchy::Stated;
use scenewright_unity::{ClassId, FileId, Object as FileObject, Value};
use scenewright_world::{Object, ObjectId};

use super::draft::{Draft, HomeKind, transform_of};

impl Draft<'_> {
    /// Objects that are in another parent than before.
    pub(super) fn move_objects(&mut self) {
        for place in 0..self.alive.len() {
            let Some(id) = self.alive[place].filter(|id| !self.nowhere.contains_key(id)) else {
                continue;
            };
            let Some(object) = self.world.object(id) else { continue };
            let is_same = match self.origin.nodes[place].1 {
                Some(parent) => object.parent().is_some() && self.alive[parent] == object.parent(),
                None => object.parent().is_none(),
            };
            if is_same {
                continue;
            }
            if let Err(why) = self.move_object(object, place) {
                self.stuck.insert(id);
                self.refuse(id, "parent and place", &why);
            }
        }
    }

    fn move_object(&mut self, object: &Object, place: usize) -> Result<(), String> {
        let id = object.id();
        let home = self.home(id)?;
        let node = self.origin.node(place).ok_or("it is not in the file")?;
        if let HomeKind::Inside(_) = home.kind {
            return Err("objects inside a prefab instance stay where the prefab has them".into());
        }
        let transform = transform_of(&node);
        let why = node.opaque().map(|why| why.to_string()).unwrap_or_default();
        let transform = transform.ok_or(why)?;
        let father = self.father(object)?;
        let (holder, path) = match home.kind {
            HomeKind::Own(transform) => (transform, "m_Father"),
            HomeKind::Root(instance) => (instance, "m_Modification.m_TransformParent"),
            HomeKind::Inside(_) => return Ok(()),
        };
        let handle = self.stated_reference(&transform)?;
        let file_object = self.document.object(holder).ok_or("it is not in the file")?;
        let mut edits = Edits::default();
        edit::set(file_object, path, &New::local(father), &self.manner, &mut edits)
            .map_err(|refused| refused.to_string())?;
        self.edits.append(edits);
        self.unlisted.extend([handle, holder]);
        let before = self.origin.nodes[place].1.and_then(|parent| self.origin.node(parent));
        if let Some(instance) = before.as_ref().and_then(|before| before.outer_instance()) {
            self.lists.entry(instance).or_default().dropped.insert(handle);
        }
        self.add_inside(object, handle);
        let parent = object.parent().and_then(|parent| self.home(parent).ok());
        self.claims.parents.push((home.id.0, parent.map(|parent| parent.id.0)));
        self.say(id, &format!("moved here from /{}", node.path()));
        Ok(())
    }

    /// The transform of an object's parent, as the file calls it.
    pub(super) fn father(&mut self, object: &Object) -> Result<FileId, String> {
        let Some(parent) = object.parent() else { return Ok(FileId::NULL) };
        if let HomeKind::Own(transform) = self.home(parent)?.kind {
            return Ok(transform);
        }
        let node = self.node(parent).ok_or("its parent is not in the file")?;
        let why = node.opaque().map(|why| format!("its parent cannot be looked into: {why}"));
        let transform = transform_of(&node).ok_or(why.unwrap_or_default())?;
        self.stated_reference(&transform)
    }

    /// Note an object in the list of those that are added to a prefab instance.
    pub(super) fn add_inside(&mut self, object: &Object, handle: FileId) {
        let node = object.parent().and_then(|parent| self.node(parent));
        let transform = node.as_ref().and_then(transform_of);
        if let Some(Stated::Override { instance, target }) = transform.map(|t| t.stated()) {
            let siblings = self.world.siblings(object.id()).len() as i64;
            let index = self.sibling_index(object.id());
            let index = if index + 1 == siblings { -1 } else { index };
            self.lists.entry(instance).or_default().added_objects.push((target, handle, index));
        }
    }

    /// The transforms that a parent lists, in order; of the roots, instances stand for themselves.
    pub(super) fn child_handles(&mut self, parent: Option<ObjectId>) -> Vec<(ObjectId, FileId)> {
        let children = match parent {
            Some(parent) => self.world.object(parent).map(Object::children).unwrap_or_default(),
            None => self.scene.roots(),
        };
        let mut handles = Vec::new();
        for child in children.iter().copied() {
            if self.stuck.contains(&child) {
                continue;
            }
            let Ok(home) = self.home(child) else { continue };
            match home.kind {
                HomeKind::Own(transform) => handles.push((child, transform)),
                HomeKind::Root(instance) if parent.is_none() => handles.push((child, instance)),
                HomeKind::Root(_) => {
                    let transform = self.node(child).as_ref().and_then(transform_of);
                    if let Some(handle) = transform.and_then(|t| self.known_handle(&t)) {
                        handles.push((child, handle));
                    }
                }
                HomeKind::Inside(_) => {}
            }
        }
        handles
    }

    /// The stripped object of an instance's root; one that no list needed is not made for its sake.
    fn known_handle(
        &self,
        transform: &scenewright_unity::hierarchy::Component<'_>,
    ) -> Option<FileId> {
        match transform.stated() {
            Stated::Here(id) => Some(id),
            Stated::Override { instance, target } => {
                self.stand_ins.get(&(instance, target)).copied()
            }
        }
    }

    /// Bring the lists of children and roots up to date.
    pub(super) fn list_children(&mut self) {
        let mut parents: Vec<Option<ObjectId>> = vec![None];
        let touched = |id: &ObjectId| self.world.object(*id).is_some_and(Object::is_touched);
        parents.extend(self.alive.iter().flatten().copied().filter(touched).map(Some));
        for parent in parents {
            let holder = match parent.map(|parent| self.home(parent)) {
                None => self.scene_roots().map(|roots| (roots.file_id(), "m_Roots")),
                Some(Ok(home)) => match home.kind {
                    HomeKind::Own(transform) => {
                        self.document.object(transform).map(|_| (transform, "m_Children"))
                    }
                    _ => None,
                },
                Some(Err(_)) => continue,
            };
            if let (None, Some(parent)) = (holder, parent)
                && self.is_shuffled(parent)
            {
                let why = "inside a prefab instance the prefab has the order";
                self.refuse(parent, "order of children", why);
            }
            let handles = self.child_handles(parent);
            if let Some((holder, path)) = holder
                && let Err(why) = self.list(holder, path, &handles)
            {
                let told = parent.or(handles.first().map(|(id, _)| *id));
                if let Some(told) = told {
                    self.refuse(told, "children", &why);
                }
            }
            if self.has_root_order() {
                self.number_children(parent, &handles);
            }
        }
    }

    fn list(
        &mut self,
        holder: FileId,
        path: &str,
        handles: &[(ObjectId, FileId)],
    ) -> Result<(), String> {
        let object = self.document.object(holder).ok_or("it is not in the file")?;
        let Some(list) = object.get(path) else {
            return if handles.is_empty() { Ok(()) } else { Err("the file has no list".into()) };
        };
        let id_of = |item: Value<'_>| item.as_reference().map(|to| to.file_id);
        let old: Vec<Option<FileId>> = list.items().map(id_of).collect();
        let mut wanted: Vec<Option<FileId>> = handles.iter().map(|(_, id)| Some(*id)).collect();
        let known: HashSet<FileId> = handles.iter().map(|(_, id)| *id).collect();
        for (at, id) in old.iter().enumerate() {
            // What is not ours to judge stays where it was.
            let stays = id.is_none_or(|id| {
                !known.contains(&id) && !self.unlisted.contains(&id) && !self.removed.contains(&id)
            });
            if stays {
                wanted.insert(at.min(wanted.len()), *id);
            }
        }
        if wanted == old {
            return Ok(());
        }
        let item = |id: &Option<FileId>| match old.iter().position(|old| old == id) {
            Some(at) => Item::Old(at),
            None => Item::New(New::local(id.unwrap_or_default())),
        };
        let items: Vec<Item> = wanted.iter().map(item).collect();
        edit::set_list(object, path, &items, &self.manner, &mut self.edits)
            .map_err(|refused| refused.to_string())?;
        let ids = handles.iter().filter_map(|(id, _)| self.home(*id).ok());
        let order: Vec<i64> = ids.map(|home| home.id.0).collect();
        let was_moved = self.is_reordered(handles);
        if was_moved {
            self.lines.push(match handles.first() {
                Some((id, _)) => {
                    format!("{}: the order of it and those beside it", self.world.path(*id))
                }
                None => "the order of objects".to_owned(),
            });
        }
        self.claims.orders.push(order);
        Ok(())
    }

    /// Whether objects that were beside each other have another order now.
    fn is_reordered(&self, handles: &[(ObjectId, FileId)]) -> bool {
        let places = handles.iter().filter_map(|(id, _)| {
            let (_, place) = self.world.object(*id)?.origin()?;
            Some((self.origin.nodes[place].1, place))
        });
        let places: Vec<_> = places.collect();
        let parent = places.first().map(|(parent, _)| *parent);
        places.iter().all(|(of, _)| Some(*of) == parent) && !places.is_sorted()
    }

    /// Whether the children that an object always had are in another order.
    fn is_shuffled(&self, parent: ObjectId) -> bool {
        let Some(object) = self.world.object(parent) else { return false };
        let own = object.origin().map(|(_, place)| place);
        let children = object.children().iter().filter_map(|child| self.world.object(*child));
        let places = children.filter_map(Object::origin).filter(|(scene, place)| {
            *scene == self.scene.key() && own.is_some() && self.origin.nodes[*place].1 == own
        });
        !places.map(|(_, place)| place).is_sorted()
    }

    /// Files from before 2022.2 number those beside each other.
    fn number_children(&mut self, parent: Option<ObjectId>, handles: &[(ObjectId, FileId)]) {
        let is_new = |(id, handle): &(ObjectId, FileId)| {
            self.new_ids.contains_key(id) || self.unlisted.contains(handle)
        };
        if !handles.iter().any(is_new) && !self.is_reordered(handles) {
            return;
        }
        let is_inside = parent.is_some_and(|parent| {
            self.home(parent).is_ok_and(|home| !matches!(home.kind, HomeKind::Own(_)))
        });
        for (at, (id, handle)) in handles.iter().enumerate() {
            if self.new_ids.contains_key(id) || (is_inside && !self.unlisted.contains(handle)) {
                continue;
            }
            let at = if is_inside { self.sibling_index(*id) } else { at as i64 };
            let Some(transform) = self.node(*id).as_ref().and_then(transform_of) else { continue };
            let order = transform.value("m_RootOrder");
            if order.and_then(|order| order.text()?.parse::<i64>().ok()) == Some(at) {
                continue;
            }
            let (path, value) = ("m_RootOrder".to_owned(), New::int(at));
            match transform.stated() {
                Stated::Here(id) => {
                    if let Some(object) = self.document.object(id) {
                        // A transform without the number has another way to tell its place.
                        let _ = edit::set(object, &path, &value, &self.manner, &mut self.edits);
                    }
                }
                Stated::Override { instance, target } => {
                    let list = self.overrides.entry(instance).or_default();
                    list.push(Override { target, path, value });
                }
            }
        }
    }

    fn scene_roots(&self) -> Option<FileObject<'_>> {
        self.document.objects().find(|object| object.class_id() == ClassId::SCENE_ROOTS)
    }

    /// Whether the file numbers those beside each other.
    pub(super) fn has_root_order(&self) -> bool {
        let is_transform = |object: &FileObject<'_>| {
            matches!(object.class_id(), ClassId::TRANSFORM | ClassId::RECT_TRANSFORM)
        };
        let mut transforms =
            self.document.objects().filter(|object| is_transform(object) && !object.is_stripped());
        self.scene_roots().is_none()
            && transforms.next().is_some_and(|object| object.glance("m_RootOrder").is_some())
    }
}
