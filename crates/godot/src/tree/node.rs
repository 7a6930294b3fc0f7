//! A node as the engine would make it, and where each of its values comes from.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::{MentionKind, ResourceId, Scene, Variant};

/// A node as the engine would make it.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The name.
    pub name: String,
    /// The path from the root, which itself is `.`.
    pub path: String,
    /// The class, through instances; nothing when it is not known from text files.
    pub class: Option<String>,
    /// Where the parent is among the nodes.
    pub parent: Option<usize>,
    /// Where the children are among the nodes, in order.
    pub children: Vec<usize>,
    /// The root of the scene file that made it, among the nodes. None for the root itself.
    pub owner: Option<usize>,
    /// Groups, without those that repeat.
    pub groups: Vec<String>,
    /// All properties that any of the files sets; each key once.
    pub properties: Vec<TreeProperty>,
    /// The `res://` path of the scene it is an instance of; for the root, that it inherits from.
    pub instance: Option<String>,
    /// Whether the children of the instance are shown in the editor.
    pub editable: bool,
    /// What is special about it.
    pub state: NodeState,
    /// Where it is made.
    pub origin: Origin,
    /// The section in the scene that was asked for, when that has one for it.
    pub section: Option<usize>,
}

/// What is special about a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeState {
    /// A usual node.
    #[default]
    Plain,
    /// A scene that is loaded only on demand.
    Placeholder,
    /// An instance of a scene that is no text, such as an imported model: what is below it is not
    /// known.
    Opaque,
    /// An instance of a scene that is not there. The engine leaves it out.
    Missing,
    /// An instance of a scene that it is itself inside of. The engine leaves it out.
    Cycle,
    /// An instance that was not built because it would be too many.
    TooMuch,
}

/// Where something stands.
#[derive(Clone)]
pub struct Origin {
    pub(super) file: Arc<SceneFile>,
    pub(super) section: usize,
}

/// A scene and its path.
#[derive(Debug)]
pub(super) struct SceneFile {
    pub(super) path: String,
    pub(super) scene: Scene,
    /// Uids and paths of its external resources, which many nodes may be instances of.
    pub(super) resources: HashMap<ResourceId, (Option<String>, String)>,
}

impl SceneFile {
    pub(super) fn new(path: &str, scene: Scene) -> SceneFile {
        let names = scene.ext_resources().map(|found| {
            let uid = found.uid().map(Cow::into_owned);
            (found.id(), (uid, found.path().into_owned()))
        });
        let resources = names.collect();
        SceneFile { path: path.to_owned(), scene, resources }
    }
}

/// A property and the file that sets it.
#[derive(Clone)]
pub struct TreeProperty {
    /// The name.
    pub key: String,
    /// Where it is set.
    pub origin: Origin,
    pub(super) span: Range<usize>,
}

impl TreeNode {
    /// The value of a property that any of the files sets.
    pub fn property(&self, key: &str) -> Option<&TreeProperty> {
        self.properties.iter().find(|property| property.key == key)
    }

    /// True when scripts can find it as `%Name`.
    pub fn has_unique_name(&self) -> bool {
        self.property("unique_name_in_owner").is_some_and(|property| property.text() == "true")
    }

    /// The `res://` path of the script; `path::id` for one inside of a scene.
    pub fn script(&self) -> Option<String> {
        self.property("script")?.resource()
    }
}

impl Origin {
    /// The `res://` path of the file.
    pub fn path(&self) -> &str {
        &self.file.path
    }

    /// The file.
    pub fn scene(&self) -> &Scene {
        &self.file.scene
    }

    /// The section in the file.
    pub fn section(&self) -> usize {
        self.section
    }

    /// The line of the section, from 1.
    pub fn line(&self) -> usize {
        self.file.scene.section(self.section).map_or(1, |section| section.line())
    }
}

impl TreeProperty {
    /// The value as written.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.origin.scene().as_bytes()[self.span.clone()])
    }

    /// The value itself.
    pub fn decode(&self) -> Variant {
        Variant::decode(&self.origin.scene().as_bytes()[self.span.clone()])
    }

    /// The path of the resource that the value is: a `res://` path as the file gives it, or
    /// `path::id` for one inside of the file.
    pub fn resource(&self) -> Option<String> {
        let scene = self.origin.scene();
        let mention = scene.mentions_in(self.span.clone()).next()?;
        let id = crate::ResourceId(mention.text.into_owned());
        match mention.kind {
            MentionKind::ExtResource => Some(scene.ext_resource(&id)?.path().into_owned()),
            MentionKind::SubResource => Some(format!("{}::{id}", self.origin.path())),
            MentionKind::Resource => Some(id.0),
            MentionKind::NodePath => None,
        }
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path(), self.line())
    }
}

impl fmt::Debug for TreeProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} ({:?})", self.key, self.text(), self.origin)
    }
}
