//! Scenes, and what a scene is made of when it is loaded.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use crate::ids::ObjectId;
use crate::math::Pose;
use crate::object::{RectData, Saved};

/// Tells scenes apart, also those that were unloaded and loaded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SceneKey(pub(crate) u32);

impl SceneKey {
    /// Objects that outlive their scene.
    pub const DONT_DESTROY: SceneKey = SceneKey(0);
    /// No scene: what a scene that was not found is to code.
    pub const NONE: SceneKey = SceneKey(u32::MAX);
}

/// A loaded scene.
#[derive(Debug, Clone)]
pub struct Scene {
    pub(crate) key: SceneKey,
    pub(crate) name: Arc<str>,
    pub(crate) path: Arc<str>,
    pub(crate) roots: Vec<ObjectId>,
    /// Instance ids by what the file calls an object or a component.
    pub(crate) numbers: Arc<HashMap<i64, i32>>,
    pub(crate) origin: Option<Arc<dyn Any + Send + Sync>>,
}

impl Scene {
    /// Tells it from others.
    pub fn key(&self) -> SceneKey {
        self.key
    }

    /// Its name: the file's without extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file in the project.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What [`SceneData::origin`] was.
    pub fn origin(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.origin.as_ref()
    }

    /// The objects without a parent, in order.
    pub fn roots(&self) -> &[ObjectId] {
        &self.roots
    }
}

/// A scene of the build settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildScene {
    /// The file's name without extension.
    pub name: Arc<str>,
    /// The file in the project.
    pub path: Arc<str>,
}

/// A scene to load: objects with parents before their children.
#[derive(Debug, Clone, Default)]
pub struct SceneData {
    /// Its name.
    pub name: Arc<str>,
    /// Its file in the project.
    pub path: Arc<str>,
    /// Its objects.
    pub objects: Vec<ObjectData>,
    /// Whatever the one who loads it wants to know again.
    pub origin: Option<Arc<dyn Any + Send + Sync>>,
}

/// An object to load.
#[derive(Debug, Clone)]
pub struct ObjectData {
    /// What its file calls it; references of the file name it so.
    pub file_id: i64,
    /// The instance id that it gets, unless something else has it already.
    pub number: i32,
    /// Position of its parent in [`SceneData::objects`].
    pub parent: Option<usize>,
    /// Its name.
    pub name: Arc<str>,
    /// Its tag.
    pub tag: Arc<str>,
    /// The number of its layer.
    pub layer: i32,
    /// The box beside its name.
    pub active: bool,
    /// Whether it is marked as static.
    pub is_static: bool,
    /// Where it is in its parent.
    pub local: Pose,
    /// For objects of a user interface.
    pub rect: Option<RectData>,
    /// Its components, the transform first.
    pub components: Vec<ComponentData>,
}

/// A component to load.
#[derive(Debug, Clone)]
pub struct ComponentData {
    /// What its file calls it; references of the file name it so.
    pub file_id: i64,
    /// The instance id that it gets, unless something else has it already.
    pub number: i32,
    /// Full name of its class; nothing for a script that is missing.
    pub type_name: Option<Arc<str>>,
    /// The box beside its name, when it has one.
    pub enabled: Option<bool>,
    /// Its fields.
    pub saved: Option<Arc<dyn Saved>>,
}
