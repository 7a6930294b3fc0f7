//! The world: its objects, and what can be done to them.

mod copy;
mod load;
mod spawn;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;

use crate::attached::Attached;
use crate::camera::Freecam;
use crate::changed::Changed;
use crate::clock::Clock;
use crate::directory::Directory;
use crate::event::Event;
use crate::ids::{ComponentId, ObjectId};
use crate::layout::{Driven, NoSprites, Sprites};
use crate::log::{Line, Log};
use crate::math::{Pose, Vec2};
use crate::memo::Memo;
use crate::object::{Component, Object, RectData, fold};
use crate::pick::{Meshes, NoMeshes, Scenery};
use crate::scene::{BuildScene, Scene, SceneKey};
use crate::types::{COMPONENT, Initials, Types};
use crate::value::Value;

pub(crate) use copy::Copied;

/// How many objects a world may hold; each takes about a kilobyte.
pub const MAX_OBJECTS: usize = 150_000;
/// How deep objects may be nested; deeper ones cannot be made.
pub const MAX_DEPTH: usize = 1000;
/// Events that wait for the holder of the world; the oldest are lost beyond it.
const MAX_EVENTS: usize = 4096;

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No such object, or it was destroyed.
    #[error("Not found")]
    NotFound,
    /// No such component.
    #[error("Component not found")]
    NoComponent,
    /// The class is unknown, or no component.
    #[error("Type not found or not a Component")]
    NoType,
    /// An object cannot be inside itself.
    #[error("an object cannot be its own parent")]
    Cycle,
    /// The world is full.
    #[error("the world holds {MAX_OBJECTS} objects and takes no more")]
    Full,
    /// Objects are nested too deep.
    #[error("objects are nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// Transforms stay.
    #[error("Can't remove {0} because every object has one")]
    Transform(String),
    /// No place can be so, and no file can hold it.
    #[error("a transform cannot have values that are infinite or no numbers")]
    NoNumber,
    /// The project's code, which is read here and not run.
    #[error("{0} was not run: the bodies of the project's methods do not run here")]
    NotRun(String),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// Scenes in memory that behave like those of a running game.
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) types: Arc<Types>,
    slots: Vec<Option<Object>>,
    by_id: HashMap<i32, Place, RandomState>,
    pub(crate) scenes: Vec<Scene>,
    /// Objects that outlive their scene.
    pub(crate) kept: Vec<ObjectId>,
    pub(crate) build_scenes: Vec<BuildScene>,
    /// The tags that objects may have; anything when nobody knows.
    pub(crate) tags: Option<Vec<Arc<str>>>,
    next_scene: u32,
    next_id: i32,
    pub(crate) selection: Vec<ObjectId>,
    pub(crate) clock: Clock,
    pub(crate) log: Log,
    pub(crate) clipboard: Option<Value>,
    pub(crate) freecam: Freecam,
    pub(crate) attached: Attached,
    /// Values of static members that were set.
    pub(crate) statics: HashMap<(Arc<str>, Arc<str>), Value>,
    events: VecDeque<Event>,
    pub(crate) changed: Changed,
    /// Width and height of the screen in pixels.
    pub screen: (u32, u32),
    /// Where the triangles of meshes come from.
    pub meshes: Arc<dyn Meshes>,
    /// Where the sizes of sprites come from.
    pub sprites: Arc<dyn Sprites>,
    /// Who knows what the initialisers of C# fields come to.
    pub initials: Initials,
    pub(crate) scenery: Memo<Scenery>,
    pub(crate) layouts: Memo<Driven>,
    pub(crate) directory: Memo<Directory>,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Object(u32),
    Component(ObjectId),
}

impl Default for World {
    fn default() -> World {
        World::new(Arc::new(Types::default()))
    }
}

impl World {
    /// A world without scenes.
    pub fn new(types: Arc<Types>) -> World {
        World {
            types,
            slots: Vec::new(),
            by_id: HashMap::default(),
            scenes: Vec::new(),
            kept: Vec::new(),
            build_scenes: Vec::new(),
            tags: None,
            next_scene: 1,
            next_id: -2,
            selection: Vec::new(),
            clock: Clock::default(),
            log: Log::default(),
            clipboard: None,
            freecam: Freecam::default(),
            attached: Attached::default(),
            statics: HashMap::new(),
            events: VecDeque::new(),
            changed: Changed::default(),
            screen: (1920, 1080),
            meshes: Arc::new(NoMeshes),
            sprites: Arc::new(NoSprites),
            initials: |_, _, _| None,
            scenery: Memo::default(),
            layouts: Memo::default(),
            directory: Memo::default(),
        }
    }

    /// The classes it knows.
    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// The object of an id.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        let Place::Object(slot) = *self.by_id.get(&id.0)? else { return None };
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(crate) fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.scenery.forget();
        self.layouts.forget();
        self.changed.note(id);
        let object = self.object_quietly(id)?;
        object.is_touched = true;
        Some(object)
    }

    /// The same for what is no change of the object.
    fn object_quietly(&mut self, id: ObjectId) -> Option<&mut Object> {
        let Place::Object(slot) = *self.by_id.get(&id.0)? else { return None };
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// The component of an id, and the object that it is on.
    pub fn component(&self, id: ComponentId) -> Option<(&Object, &Component)> {
        let Place::Component(owner) = *self.by_id.get(&id.0)? else { return None };
        let object = self.object(owner)?;
        let component = object.components.iter().find(|component| component.id == id)?;
        Some((object, component))
    }

    pub(crate) fn component_mut(&mut self, id: ComponentId) -> Option<&mut Component> {
        let Place::Component(owner) = *self.by_id.get(&id.0)? else { return None };
        let mut components = self.object_mut(owner)?.components.iter_mut();
        let component = components.find(|component| component.id == id)?;
        component.shape.take();
        Some(component)
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The loaded scenes, in order.
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The objects without a parent that outlive their scene.
    pub fn kept(&self) -> &[ObjectId] {
        &self.kept
    }

    /// The scenes of the build settings.
    pub fn build_scenes(&self) -> &[BuildScene] {
        &self.build_scenes
    }

    /// Tell it the scenes of the build settings.
    pub fn set_build_scenes(&mut self, scenes: Vec<BuildScene>) {
        self.build_scenes = scenes;
    }

    /// Tell it the tags that objects may have.
    pub fn set_tags(&mut self, tags: Vec<Arc<str>>) {
        self.tags = Some(tags);
    }

    /// How fast time goes.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Change how fast time goes.
    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// The last lines of the log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Write a line into the log, and tell who listens.
    pub fn write_log(&mut self, line: Line) {
        self.tell(Event::Log(line.clone()));
        self.log.push(line);
    }

    /// The same for a line that they have been told of.
    pub fn keep_log(&mut self, line: Line) {
        self.log.push(line);
    }

    /// What has happened since the last time someone asked.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.events.drain(..).collect()
    }

    pub(crate) fn tell(&mut self, event: Event) {
        if self.events.len() == MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// Names from the root on: `/Root/Child`.
    pub fn path(&self, id: ObjectId) -> String {
        let mut names: Vec<&str> = self.line(id).map(Object::name).collect();
        names.push("");
        names.reverse();
        names.join("/")
    }

    /// Whether an object and all its parents are active.
    pub fn is_active(&self, id: ObjectId) -> bool {
        self.object(id).is_some() && self.line(id).all(|object| object.active)
    }

    /// The object, its parent, and so on.
    pub fn line(&self, id: ObjectId) -> impl Iterator<Item = &Object> {
        let first = self.object(id);
        std::iter::successors(first, |object| self.object(object.parent?)).take(MAX_DEPTH + 1)
    }

    /// Whether an object is another one or inside it.
    pub fn is_inside(&self, id: ObjectId, outer: ObjectId) -> bool {
        self.line(id).any(|object| object.id == outer)
    }

    /// Set the box beside an object's name.
    pub fn set_active(&mut self, id: ObjectId, active: bool) -> Result<(), Refused> {
        self.object_mut(id).ok_or(Refused::NotFound)?.active = active;
        Ok(())
    }

    /// Give an object another name.
    pub fn rename(&mut self, id: ObjectId, name: &str) -> Result<(), Refused> {
        self.directory.forget();
        let object = self.object_mut(id).ok_or(Refused::NotFound)?;
        (object.name, object.folded) = (name.into(), fold(name));
        Ok(())
    }

    /// Put an object elsewhere in its parent.
    pub fn set_local(&mut self, id: ObjectId, local: Pose) -> Result<(), Refused> {
        if !local.is_finite() {
            return Err(Refused::NoNumber);
        }
        let anchor = self.anchor(id);
        let object = self.object_mut(id).ok_or(Refused::NotFound)?;
        object.local = local;
        if let (Some(rect), Some(anchor)) = (&mut object.rect, anchor) {
            rect.anchored_position = Vec2::new(local.position.x, local.position.y) - anchor;
        }
        Ok(())
    }

    /// Put an object elsewhere in the world.
    pub fn set_pose(&mut self, id: ObjectId, world: Pose) -> Result<(), Refused> {
        let object = self.object(id).ok_or(Refused::NotFound)?;
        let local = match object.parent {
            Some(parent) => self.pose(parent).to_child(&world),
            None => world,
        };
        self.set_local(id, local)
    }

    /// Make an object: in a parent, or at the end of the active scene.
    pub fn create(&mut self, name: &str, parent: Option<ObjectId>) -> Result<ObjectId, Refused> {
        let scene = match parent {
            Some(parent) => self.object(parent).ok_or(Refused::NotFound)?.scene,
            None => self.scenes.first().map_or(SceneKey::DONT_DESTROY, |scene| scene.key),
        };
        if parent.is_some_and(|parent| self.line(parent).count() >= MAX_DEPTH) {
            return Err(Refused::TooDeep);
        }
        let id = ObjectId(self.take_id());
        let transform = self.new_component("UnityEngine.Transform");
        self.insert(Object {
            id,
            name: name.into(),
            folded: fold(name),
            tag: "Untagged".into(),
            layer: 0,
            active: true,
            is_static: false,
            parent,
            children: Vec::new(),
            scene,
            components: vec![transform],
            local: Pose::default(),
            rect: None,
            origin: None,
            spawned: None,
            is_touched: true,
            is_test: false,
        })?;
        self.siblings_mut(parent, scene).push(id);
        Ok(id)
    }

    /// Make an object one of a user interface: its transform becomes a `RectTransform`.
    pub fn set_rect(&mut self, id: ObjectId, rect: RectData) -> Result<(), Refused> {
        self.directory.forget();
        let object = self.object_mut(id).ok_or(Refused::NotFound)?;
        object.rect = Some(Box::new(rect));
        if let Some(transform) = object.components.first_mut() {
            transform.type_name = Some("UnityEngine.RectTransform".into());
        }
        Ok(())
    }

    /// Destroy an object and everything inside it.
    pub fn destroy(&mut self, id: ObjectId) -> Result<(), Refused> {
        let object = self.object(id).ok_or(Refused::NotFound)?;
        let (parent, scene) = (object.parent, object.scene);
        self.siblings_mut(parent, scene).retain(|sibling| *sibling != id);
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            let Some(Place::Object(slot)) = self.by_id.remove(&id.0) else { continue };
            let Some(object) = self.slots[slot as usize].take() else { continue };
            self.changed.note(id);
            for component in &object.components {
                self.by_id.remove(&component.id.0);
            }
            doomed.extend(object.children);
        }
        let before = self.selection.len();
        let by_id = &self.by_id;
        self.selection.retain(|id| by_id.contains_key(&id.0));
        if self.selection.len() != before {
            self.tell(Event::Selection);
        }
        Ok(())
    }

    /// Put an object into another, or at the end of its scene. It stays where it is in the world if
    /// `keep_place`.
    pub fn reparent(
        &mut self,
        id: ObjectId,
        parent: Option<ObjectId>,
        keep_place: bool,
    ) -> Result<(), Refused> {
        let object = self.object(id).ok_or(Refused::NotFound)?;
        let (old_parent, old_scene) = (object.parent, object.scene);
        let scene = match parent {
            Some(parent) => self.object(parent).ok_or(Refused::NotFound)?.scene,
            None => old_scene,
        };
        if parent.is_some_and(|parent| self.is_inside(parent, id)) {
            return Err(Refused::Cycle);
        }
        let above = parent.map_or(0, |parent| self.line(parent).count());
        if above + self.height(id) > MAX_DEPTH {
            return Err(Refused::TooDeep);
        }
        let (world, laid) = (self.pose(id), self.place_in_group(id));
        self.siblings_mut(old_parent, old_scene).retain(|sibling| *sibling != id);
        self.siblings_mut(parent, scene).push(id);
        if let Some(object) = self.object_mut(id) {
            object.parent = parent;
        }
        self.leave_group(id, laid);
        if scene != old_scene {
            self.move_to_scene(id, scene);
        }
        if keep_place { self.set_pose(id, world) } else { Ok(()) }
    }

    /// Put an object at another place among its siblings.
    pub fn set_sibling_index(&mut self, id: ObjectId, index: usize) -> Result<(), Refused> {
        let object = self.object(id).ok_or(Refused::NotFound)?;
        let (parent, scene) = (object.parent, object.scene);
        let siblings = self.siblings_mut(parent, scene);
        siblings.retain(|sibling| *sibling != id);
        siblings.insert(index.min(siblings.len()), id);
        Ok(())
    }

    /// The objects beside an object, itself among them.
    pub fn siblings(&self, id: ObjectId) -> &[ObjectId] {
        let Some(object) = self.object(id) else { return &[] };
        match object.parent {
            Some(parent) => self.object(parent).map_or(&[], Object::children),
            None if object.scene == SceneKey::DONT_DESTROY => &self.kept,
            None => self
                .scenes
                .iter()
                .find(|scene| scene.key == object.scene)
                .map_or(&[], |scene| scene.roots()),
        }
    }

    /// Let a root outlive its scene.
    pub fn keep(&mut self, id: ObjectId) -> Result<(), Refused> {
        self.reparent(id, None, true)?;
        let scene = self.object(id).ok_or(Refused::NotFound)?.scene;
        self.siblings_mut(None, scene).retain(|sibling| *sibling != id);
        self.kept.push(id);
        self.move_to_scene(id, SceneKey::DONT_DESTROY);
        Ok(())
    }

    /// Put a component on an object.
    pub fn add_component(&mut self, id: ObjectId, type_name: &str) -> Result<ComponentId, Refused> {
        let types = self.types.clone();
        let ty = types.get(type_name).filter(|ty| types.is_a(&ty.full_name, COMPONENT));
        let ty = ty.ok_or(Refused::NoType)?;
        let object = self.object(id).ok_or(Refused::NotFound)?;
        if types.is_a(&ty.full_name, "UnityEngine.Transform") {
            if &*ty.full_name != "UnityEngine.RectTransform" || object.rect.is_some() {
                let message = format!("Can't add {} because every object has one", ty.name());
                return Err(Refused::Other(message));
            }
            self.set_rect(id, RectData::default())?;
            let object = self.object(id).ok_or(Refused::NotFound)?;
            return object.components.first().map(Component::id).ok_or(Refused::NoComponent);
        }
        let component = self.new_component(&ty.full_name);
        let added = component.id;
        self.by_id.insert(added.0, Place::Component(id));
        self.directory.forget();
        self.object_mut(id).ok_or(Refused::NotFound)?.components.push(component);
        Ok(added)
    }

    /// Take a component off its object.
    pub fn remove_component(&mut self, id: ComponentId) -> Result<(), Refused> {
        let (object, component) = self.component(id).ok_or(Refused::NoComponent)?;
        if object.components.first().is_some_and(|first| first.id == id) {
            let name = component.type_name().map_or("Transform", crate::types::short_name);
            return Err(Refused::Transform(name.to_owned()));
        }
        let owner = object.id;
        self.by_id.remove(&id.0);
        self.directory.forget();
        let object = self.object_mut(owner).ok_or(Refused::NotFound)?;
        object.components.retain(|component| component.id != id);
        Ok(())
    }

    /// Objects were made, moved or destroyed.
    fn reshaped(&mut self) {
        self.scenery.forget();
        self.layouts.forget();
        self.directory.forget();
    }

    fn insert(&mut self, object: Object) -> Result<(), Refused> {
        if self.slots.len() >= MAX_OBJECTS {
            self.compact();
        }
        if self.slots.len() >= MAX_OBJECTS {
            return Err(Refused::Full);
        }
        let slot = u32::try_from(self.slots.len()).map_err(|_| Refused::Full)?;
        self.reshaped();
        self.changed.note(object.id);
        self.by_id.insert(object.id.0, Place::Object(slot));
        for component in &object.components {
            self.by_id.insert(component.id.0, Place::Component(object.id));
        }
        self.slots.push(Some(object));
        Ok(())
    }

    /// Forget the places of destroyed objects.
    fn compact(&mut self) {
        self.slots.retain(Option::is_some);
        for (slot, object) in self.slots.iter().flatten().enumerate() {
            let slot = u32::try_from(slot).unwrap_or(u32::MAX);
            self.by_id.insert(object.id.0, Place::Object(slot));
        }
    }

    fn new_component(&mut self, type_name: &str) -> Component {
        let has_box = self.types.member(type_name, "enabled").is_some();
        Component {
            id: ComponentId(self.take_id()),
            type_name: Some(type_name.into()),
            enabled: has_box.then_some(true),
            saved: None,
            changed: HashMap::new(),
            copied: None,
            origin: None,
            shape: OnceLock::new(),
        }
    }

    fn take_id(&mut self) -> i32 {
        let id = self.next_id;
        self.next_id = self.next_id.checked_sub(2).unwrap_or(-2);
        id
    }

    /// The number itself, or the next one that nothing has.
    fn free_id(&self, number: i32) -> i32 {
        let mut number = number.max(1);
        while self.by_id.contains_key(&number) {
            number = number.checked_add(1).unwrap_or(1);
        }
        number
    }

    fn siblings_mut(&mut self, parent: Option<ObjectId>, scene: SceneKey) -> &mut Vec<ObjectId> {
        self.reshaped();
        // Looked up twice, because a borrow that is returned from one arm lasts for all.
        if let Some(parent) = parent.filter(|parent| self.object(*parent).is_some()) {
            return &mut self.object_mut(parent).expect("it was just found").children;
        }
        match self.scenes.iter().position(|known| known.key == scene) {
            Some(at) => &mut self.scenes[at].roots,
            None => &mut self.kept,
        }
    }

    fn move_to_scene(&mut self, id: ObjectId, scene: SceneKey) {
        let mut moved = vec![id];
        while let Some(id) = moved.pop() {
            if let Some(object) = self.object_mut(id) {
                object.scene = scene;
                moved.extend(object.children.iter().copied());
            }
        }
    }

    /// How many levels an object and what is inside it have.
    fn height(&self, id: ObjectId) -> usize {
        let mut level = vec![id];
        let mut height = 0;
        while !level.is_empty() && height <= MAX_DEPTH {
            let children = level.iter().filter_map(|id| self.object(*id));
            level = children.flat_map(|object| object.children.iter().copied()).collect();
            height += 1;
        }
        height
    }
}

#[cfg(test)]
mod tests;
