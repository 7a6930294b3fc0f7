//! What of a scene differs from its file, and what becomes of the file.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use scenewright_text::Edits;
use scenewright_tools_unity::base::Unity;
use scenewright_unity::edit::{self, ListChanges, Manner, New, NewObject, Override};
use scenewright_unity::hierarchy::{Component, Effective, Node, Stated};
use scenewright_unity::{ClassId, Document, FileId};
use scenewright_world::{ComponentId, Object, ObjectId, Scene, World};

use super::super::load::{self, Origin};
use super::NotSaved;
use super::claim::{Claims, agrees};

/// A scene's file while it is edited.
pub(super) struct Draft<'a> {
    pub(super) unity: &'a Unity<'a>,
    pub(super) world: &'a World,
    pub(super) scene: &'a Scene,
    pub(super) origin: &'a Origin,
    pub(super) document: &'a Document,
    pub(super) manner: Manner,
    /// What each object of the file is now, wherever it is.
    pub(super) alive: Vec<Option<ObjectId>>,
    /// Objects that no file gets, and why.
    pub(super) nowhere: HashMap<ObjectId, &'static str>,
    /// New objects, parents first, with their ids.
    pub(super) made: Vec<ObjectId>,
    pub(super) new_ids: HashMap<ObjectId, FileId>,
    pub(super) new_components: HashMap<ComponentId, FileId>,
    /// Ids that were given here.
    pub(super) taken: HashSet<i64>,
    /// Stripped objects: instance and id inside.
    pub(super) stand_ins: HashMap<(FileId, FileId), FileId>,
    /// The file is from before 2018.3.
    pub(super) is_old: bool,
    pub(super) edits: Edits,
    pub(super) overrides: BTreeMap<FileId, Vec<Override>>,
    pub(super) lists: BTreeMap<FileId, ListChanges>,
    pub(super) new_objects: Vec<NewObject>,
    pub(super) removed: BTreeSet<FileId>,
    /// Objects whose move the file does not get.
    pub(super) stuck: HashSet<ObjectId>,
    /// Values that the file has then.
    pub(super) settled: Vec<(ComponentId, Arc<str>)>,
    /// Transforms and instances that are no longer where the file lists them.
    pub(super) unlisted: HashSet<FileId>,
    pub(super) lines: Vec<String>,
    pub(super) not_saved: Vec<NotSaved>,
    pub(super) claims: Claims,
}

/// Where an object is in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Home {
    /// What the file calls it.
    pub(super) id: FileId,
    pub(super) kind: HomeKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum HomeKind {
    /// An object of the file, or one that it gets; with its transform.
    Own(FileId),
    /// The root of a prefab instance.
    Root(FileId),
    /// Inside a prefab instance.
    Inside(FileId),
}

/// Something that has values in the file: an object or a component.
pub(super) struct Spot<'n> {
    pub(super) owner: ObjectId,
    pub(super) owner_id: i64,
    pub(super) id: i64,
    pub(super) stated: Stated,
    /// Its short class, for messages; nothing for the object itself.
    pub(super) class: Option<String>,
    pub(super) node: &'n Node<'n>,
    pub(super) component: Option<&'n Component<'n>>,
}

impl Spot<'_> {
    pub(super) fn value(&self, path: &str) -> Option<Effective> {
        match self.component {
            Some(component) => component.value(path),
            None => self.node.value(path),
        }
    }
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        unity: &'a Unity<'a>,
        world: &'a World,
        scene: &'a Scene,
        origin: &'a Origin,
    ) -> Draft<'a> {
        let document = origin.hierarchy.document();
        Draft {
            unity,
            world,
            scene,
            origin,
            document,
            manner: Manner::of(document).in_project(unity.unity.settings.habits()),
            alive: vec![None; origin.nodes.len()],
            nowhere: HashMap::new(),
            made: Vec::new(),
            new_ids: HashMap::new(),
            new_components: HashMap::new(),
            taken: HashSet::new(),
            stand_ins: edit::stand_ins(document),
            is_old: edit::is_old(document),
            edits: Edits::default(),
            overrides: BTreeMap::new(),
            lists: BTreeMap::new(),
            new_objects: Vec::new(),
            removed: BTreeSet::new(),
            stuck: HashSet::new(),
            settled: Vec::new(),
            unlisted: HashSet::new(),
            lines: Vec::new(),
            not_saved: Vec::new(),
            claims: Claims::default(),
        }
    }

    /// Find what is left of the file's objects, what is new, and what no file gets.
    pub(super) fn survey(&mut self) {
        let world = self.world;
        let key = self.scene.key();
        let here: HashSet<ObjectId> = world.descend(self.scene.roots()).map(Object::id).collect();
        for object in world.descend(&world.all_roots()) {
            let mine = object.origin().filter(|(scene, _)| *scene == key);
            if let Some((_, place)) = mine
                && let Some(alive) = self.alive.get_mut(place)
            {
                *alive = Some(object.id());
            }
            if here.contains(&object.id()) {
                self.survey_here(object);
            } else if mine.is_some() {
                self.exclude(object, "it is no longer in this scene");
            }
        }
    }

    fn survey_here(&mut self, object: &Object) {
        let outer = object.parent().and_then(|parent| self.nowhere.get(&parent).copied());
        let is_foreign = object.origin().is_some_and(|(scene, _)| scene != self.scene.key());
        if object.is_test() || outer == Some(TEST) {
            self.nowhere.insert(object.id(), TEST);
            // Nobody expects the test interface in a file, but what was put into it is missed.
            if object.origin().is_some() {
                self.refuse(object.id(), "parent", "it is inside the test interface");
            }
        } else if is_foreign {
            self.exclude(object, "it comes from another scene");
        } else if outer.is_some() {
            self.exclude(object, "the object that it is in is not saved");
        } else if object.origin().is_none() {
            let outer = object.parent().and_then(|parent| self.node(parent));
            match outer.is_some_and(|outer| outer.opaque().is_some()) {
                true => self.exclude(object, "the prefab that it is in cannot be looked into"),
                false => self.made.push(object.id()),
            }
        }
    }

    fn exclude(&mut self, object: &Object, why: &'static str) {
        let is_told = object.parent().is_some_and(|parent| self.nowhere.contains_key(&parent));
        self.nowhere.insert(object.id(), why);
        if !is_told {
            self.refuse(object.id(), "the object", why);
        }
    }

    /// Where an object is in the file.
    pub(super) fn home(&self, id: ObjectId) -> Result<Home, String> {
        if let Some(why) = self.nowhere.get(&id) {
            return Err((*why).to_owned());
        }
        let object = self.world.object(id).ok_or("it is destroyed")?;
        let Some((_, place)) = object.origin() else {
            let id = *self.new_ids.get(&id).ok_or("it is not saved")?;
            return Ok(Home { id, kind: HomeKind::Own(FileId(id.0 + 1)) });
        };
        let node = self.origin.node(place).ok_or("it is not in the file")?;
        let id = FileId(load::file_id(&node));
        let kind = match node.outer_instance() {
            None => HomeKind::Own(transform_of(&node).ok_or("it has no transform")?.file_id()),
            Some(instance) if node.prefab().is_some_and(|prefab| prefab.instance == instance) => {
                HomeKind::Root(instance)
            }
            Some(instance) => HomeKind::Inside(instance),
        };
        Ok(Home { id, kind })
    }

    /// The node that an object was loaded from.
    pub(super) fn node(&self, id: ObjectId) -> Option<Node<'a>> {
        let (scene, place) = self.world.object(id)?.origin()?;
        self.origin.node(place).filter(|_| scene == self.scene.key())
    }

    /// Set a value; false when the file has it already.
    pub(super) fn put(&mut self, spot: &Spot<'_>, path: &str, new: New) -> Result<bool, String> {
        let old = spot.value(path);
        if old.as_ref().is_some_and(|old| agrees(spot.component, old, &new)) {
            return Ok(false);
        }
        match spot.stated {
            Stated::Here(id) => {
                let object = self.document.object(id).ok_or("it is not in the file")?;
                let mut edits = Edits::default();
                edit::set(object, path, &new, &self.manner, &mut edits)
                    .map_err(|refused| refused.to_string())?;
                self.edits.append(edits);
            }
            Stated::Override { instance, target } => {
                let mut leaves = Vec::new();
                split(spot.component, path, old.as_ref(), &new, &mut leaves)?;
                let list = self.overrides.entry(instance).or_default();
                list.extend(leaves.into_iter().map(|(path, value)| Override {
                    target,
                    path,
                    value,
                }));
            }
        }
        self.claims.values.push((spot.owner_id, spot.id, path.to_owned(), new));
        Ok(true)
    }

    /// Set a value, and say so or why not.
    pub(super) fn put_told(
        &mut self,
        spot: &Spot<'_>,
        path: &str,
        new: New,
        told: (&str, &str, &str),
    ) {
        let (what, before, now) = told;
        let name = match &spot.class {
            Some(class) => format!("{class}.{what}"),
            None => what.to_owned(),
        };
        match self.put(spot, path, new) {
            Ok(false) => {}
            Ok(true) => self.say(spot.owner, &format!("{name}: {before} → {now}")),
            Err(why) => self.refuse(spot.owner, &name, &why),
        }
    }

    pub(super) fn say(&mut self, id: ObjectId, text: &str) {
        self.lines.push(format!("{} {text}", self.world.path(id)));
    }

    pub(super) fn refuse(&mut self, id: ObjectId, what: &str, why: &str) {
        self.not_saved.push(NotSaved {
            object_id: id.to_string(),
            path: self.world.path(id),
            what: what.to_owned(),
            why: why.to_owned(),
        });
    }
}

const TEST: &str = "the test interface is never saved";

/// The transform of a node, when its file has one.
pub(super) fn transform_of<'h>(node: &Node<'h>) -> Option<Component<'h>> {
    node.components().into_iter().next().filter(load::is_transform)
}

/// Whether a class is one of the two that place an object.
pub(super) fn is_rect(class: ClassId) -> bool {
    class == ClassId::RECT_TRANSFORM
}

/// One override for each part of a value that differs.
fn split(
    component: Option<&Component<'_>>,
    path: &str,
    old: Option<&Effective>,
    new: &New,
    leaves: &mut Vec<(String, New)>,
) -> Result<(), String> {
    if old.is_some_and(|old| agrees(component, old, new)) {
        return Ok(());
    }
    match new {
        New::Text(_) | New::Number(_) | New::Reference(_) => {
            leaves.push((path.to_owned(), new.clone()));
        }
        New::Map(fields) | New::Flow(fields) => {
            for (key, new) in fields {
                let old = old.and_then(|old| old.get(key));
                split(component, &format!("{path}.{key}"), old.as_deref(), new, leaves)?;
            }
        }
        New::List(items) => {
            let size = old.and_then(|old| old.get("Array.size"));
            let size = size.and_then(|size| size.text()?.parse::<usize>().ok());
            if size != Some(items.len()) {
                leaves.push((format!("{path}.Array.size"), New::int(items.len() as i64)));
            }
            for (at, new) in items.iter().enumerate() {
                let old = old.and_then(|old| old.get(&format!("Array.data[{at}]")));
                let path = format!("{path}.Array.data[{at}]");
                split(component, &path, old.as_deref(), new, leaves)?;
            }
        }
    }
    Ok(())
}
