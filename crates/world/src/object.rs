//! GameObjects and their components.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::ids::{ComponentId, ObjectId};
use crate::math::{Pose, Vec2};
use crate::pick::Shape;
use crate::scene::SceneKey;
use crate::value::Value;
use crate::world::Copied;

/// A GameObject.
#[derive(Debug, Clone)]
pub struct Object {
    pub(crate) id: ObjectId,
    pub(crate) name: Arc<str>,
    /// The name in lower case; searches look at every object.
    pub(crate) folded: Box<str>,
    pub(crate) tag: Arc<str>,
    pub(crate) layer: i32,
    pub(crate) active: bool,
    pub(crate) is_static: bool,
    pub(crate) parent: Option<ObjectId>,
    pub(crate) children: Vec<ObjectId>,
    pub(crate) scene: SceneKey,
    pub(crate) components: Vec<Component>,
    pub(crate) local: Pose,
    pub(crate) rect: Option<Box<RectData>>,
    /// The scene that it was loaded with, and its place among the objects there.
    pub(crate) origin: Option<(SceneKey, u32)>,
    /// The prefab that it was made from since, and its place there.
    pub(crate) spawned: Option<(Arc<Spawned>, u32)>,
    /// Whether something may have been set since it was loaded.
    pub(crate) is_touched: bool,
    /// Whether it is of the test interface, which no file gets.
    pub(crate) is_test: bool,
}

/// A prefab that was put into the world since its scene was loaded.
#[derive(Debug)]
pub struct Spawned {
    /// The object that the prefab's root became; it may be gone.
    pub root: ObjectId,
    /// The path of its file.
    pub path: Arc<str>,
    /// Instance ids by what the prefab's file has.
    pub(crate) numbers: Arc<HashMap<i64, i32>>,
    /// Whatever the loader of the prefab keeps.
    pub origin: Option<Arc<dyn std::any::Any + Send + Sync>>,
}

/// What a `RectTransform` has besides position, rotation and scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RectData {
    /// Where the lower left corner is held in the parent, from 0 to 1.
    pub anchor_min: Vec2,
    /// Where the upper right corner is held in the parent, from 0 to 1.
    pub anchor_max: Vec2,
    /// The pivot's place from the anchors.
    pub anchored_position: Vec2,
    /// How much larger it is than what lies between the anchors.
    pub size_delta: Vec2,
    /// The point it turns about, from 0 to 1.
    pub pivot: Vec2,
}

impl Default for RectData {
    fn default() -> RectData {
        let half = Vec2::new(0.5, 0.5);
        RectData {
            anchor_min: half,
            anchor_max: half,
            anchored_position: Vec2::default(),
            size_delta: Vec2::new(100.0, 100.0),
            pivot: half,
        }
    }
}

impl RectData {
    /// A corner's place from its anchor: (0, 0) for the lower left one, (1, 1) for the upper right.
    pub(crate) fn corner(&self, corner: Vec2) -> Vec2 {
        self.anchored_position + self.size_delta.scale(corner - self.pivot)
    }
}

/// A component.
#[derive(Debug, Clone)]
pub struct Component {
    pub(crate) id: ComponentId,
    /// Full name of its class; nothing for a script that is missing.
    pub(crate) type_name: Option<Arc<str>>,
    /// The box beside its name, when it has one.
    pub(crate) enabled: Option<bool>,
    /// What its file says.
    pub(crate) saved: Option<Arc<dyn Saved>>,
    /// What was set since: by the path of a saved field, or by the name of another member.
    pub(crate) changed: HashMap<Arc<str>, Value>,
    /// Where its saved references lead, when it has the file of what it is a copy of.
    pub(crate) copied: Option<Arc<Copied>>,
    /// Its place among the components that its object was loaded with.
    pub(crate) origin: Option<u32>,
    /// What rays meet, once one was cast; read anew after a change.
    pub(crate) shape: OnceLock<Box<Shape>>,
}

/// Fields of a component as its file has them, read when someone asks.
pub trait Saved: Send + Sync + std::fmt::Debug + std::any::Any {
    /// The value at a path such as `m_Shadows.m_Type`. `local` gives what an id of the scene's file
    /// stands for.
    fn value(&self, path: &str, local: &dyn Fn(i64) -> Value) -> Option<Data>;
    /// The names of all fields, in order.
    fn names(&self) -> Vec<String>;
}

/// A value as a file has it; its type is known by whoever asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Text or a number.
    Text(String),
    /// What a reference points to: an object, a component, an asset or nothing.
    Reference(Value),
    /// A list.
    List(Vec<Data>),
    /// Names with values.
    Map(Vec<(String, Data)>),
}

impl Object {
    /// Its id.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tag.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The number of its layer.
    pub fn layer(&self) -> i32 {
        self.layer
    }

    /// The box beside its name; whether its parents are active is another question:
    /// [`World::is_active`](crate::World::is_active).
    pub fn is_active_self(&self) -> bool {
        self.active
    }

    /// Whether it is marked as static.
    pub fn is_static(&self) -> bool {
        self.is_static
    }

    /// Its parent.
    pub fn parent(&self) -> Option<ObjectId> {
        self.parent
    }

    /// Its children in order.
    pub fn children(&self) -> &[ObjectId] {
        &self.children
    }

    /// The scene that it is in.
    pub fn scene(&self) -> SceneKey {
        self.scene
    }

    /// Its components, the transform first.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Where it is in its parent, as its file has it or someone set it. Anchors may hold objects of a
    /// user interface elsewhere: [`World::local_pose`](crate::World::local_pose).
    pub fn local(&self) -> Pose {
        self.local
    }

    /// The rectangle, for objects of a user interface.
    pub fn rect(&self) -> Option<&RectData> {
        self.rect.as_deref()
    }

    /// The scene that it was loaded with, and its place in [`SceneData::objects`](crate::SceneData);
    /// nothing for objects that were made since.
    pub fn origin(&self) -> Option<(SceneKey, usize)> {
        self.origin.map(|(scene, place)| (scene, place as usize))
    }

    /// The prefab that it was made from, and its place among the objects there; nothing for what is
    /// saved, and for copies.
    pub fn spawned(&self) -> Option<(&Arc<Spawned>, usize)> {
        self.spawned.as_ref().map(|(prefab, place)| (prefab, *place as usize))
    }

    /// Whether something of it may be other than it was loaded.
    pub fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Whether it is of the test interface, which no file gets.
    pub fn is_test(&self) -> bool {
        self.is_test
    }

    /// Its first component of exactly this class.
    pub fn component(&self, type_name: &str) -> Option<&Component> {
        self.components.iter().find(|component| component.type_name.as_deref() == Some(type_name))
    }
}

impl Component {
    /// Its id.
    pub fn id(&self) -> ComponentId {
        self.id
    }

    /// Full name of its class; nothing for a script that is missing.
    pub fn type_name(&self) -> Option<&str> {
        self.type_name.as_deref()
    }

    /// Its place among the components that its object was loaded with; nothing for those that were
    /// added since.
    pub fn origin(&self) -> Option<usize> {
        self.origin.map(|place| place as usize)
    }

    /// Its fields as a file has them: its own, or that of what it is a copy of.
    pub fn saved(&self) -> Option<&Arc<dyn Saved>> {
        self.saved.as_ref()
    }

    /// The box beside its name, for components that have one.
    pub fn enabled(&self) -> Option<bool> {
        self.enabled
    }

    /// The box beside its name; true for components that have none.
    pub fn is_enabled(&self) -> bool {
        self.enabled.unwrap_or(true)
    }
}

/// The text by which names are compared without regard to case.
pub(crate) fn fold(text: &str) -> Box<str> {
    text.to_lowercase().into()
}
