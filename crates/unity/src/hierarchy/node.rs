//! A GameObject as the editor shows it, with the overrides of all files around it applied.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::effective::{self, find_override};
use super::expander::ModelRoot;
use super::frame::{At, Content, Frame};
use super::instance::Instance;
use super::template::{GameObject, Parent};
use super::{
    Component, Data, Effective, Hierarchy, Link, Location, Opaque, Stated, path, references,
};
use crate::{FileId, Guid};

/// A GameObject as the editor shows it, or a prefab instance that cannot be looked into.
#[derive(Clone)]
pub struct Node<'h> {
    pub(super) hierarchy: &'h Hierarchy,
    pub(super) frame: Arc<Frame>,
    pub(super) at: At,
}

/// The prefab that an instance is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefabLink {
    /// The source.
    pub guid: Guid,
    /// Its path in the project, when there is one.
    pub path: Option<String>,
    /// The `PrefabInstance` object, as the top file sees it.
    pub instance: FileId,
}

/// The transform of the root of a model, which no text has.
#[derive(Clone)]
pub struct ClosedTransform {
    frame: Arc<Frame>,
    id: i64,
}

impl ClosedTransform {
    /// The id as the top file sees it.
    pub fn file_id(&self) -> FileId {
        FileId(self.frame.top_id(self.id))
    }

    /// Where the top file states its values.
    pub fn stated(&self) -> Stated {
        Stated::of(&self.frame, self.id)
    }

    /// A value that one of the files around it states.
    pub fn value(&self, path: &str) -> Option<&str> {
        find_override(&self.frame, self.id, path).map(|(change, _)| &*change.value)
    }
}

impl<'h> Node<'h> {
    /// The hierarchy that it was found in.
    pub fn hierarchy(&self) -> &'h Hierarchy {
        self.hierarchy
    }

    /// The name, overrides applied.
    pub fn name(&self) -> Cow<'_, str> {
        if let Some(name) = self.overridden("m_Name") {
            return Cow::Borrowed(name);
        }
        match self.game_object() {
            Some(object) => Cow::Borrowed(&object.name),
            None => {
                let path = self.hierarchy.expander.path(self.frame.guid);
                let file = path.as_deref().and_then(|path| path.rsplit('/').next());
                let stem = file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
                Cow::Owned(stem.unwrap_or("Missing Prefab").into())
            }
        }
    }

    /// Names from the root on, joined by `/`. Where siblings share a name, a number from zero
    /// tells them apart: `Lanterns/Lantern[1]/Flame`.
    pub fn path(&self) -> String {
        path::Labels::default().path(self)
    }

    /// The box beside the name in the inspector.
    pub fn is_active_self(&self) -> bool {
        match (self.overridden("m_IsActive"), self.game_object()) {
            (Some(value), _) => value != "0",
            (None, Some(object)) => object.active,
            (None, None) => true,
        }
    }

    /// True when it and all its ancestors are active.
    pub fn is_active_in_hierarchy(&self) -> bool {
        self.is_active_self() && self.ancestors().all(|node| node.is_active_self())
    }

    /// The tag; `Untagged` when a file does not say.
    pub fn tag(&self) -> String {
        self.text("m_TagString").unwrap_or_else(|| "Untagged".into())
    }

    /// The number of the layer.
    pub fn layer(&self) -> u32 {
        self.text("m_Layer").and_then(|layer| layer.parse().ok()).unwrap_or(0)
    }

    /// The bits of `m_StaticEditorFlags`.
    pub fn static_flags(&self) -> u32 {
        self.text("m_StaticEditorFlags").and_then(|flags| flags.parse().ok()).unwrap_or(0)
    }

    /// Why nothing is known of what is inside, when it is an instance of such a source.
    pub fn opaque(&self) -> Option<Opaque> {
        match (&self.frame.content, self.at) {
            (Content::Opaque(reason), At::Opaque) => Some(*reason),
            _ => None,
        }
    }

    /// The transform of the root of a model, as far as the files that use it tell.
    pub fn closed_transform(&self) -> Option<ClosedTransform> {
        let (Some(Opaque::Model), Some((outer, index))) = (self.opaque(), &self.frame.outer) else {
            return None;
        };
        let instance = outer.instance(*index);
        let id = match self.model_root(instance) {
            Some(root) => root.transform.0,
            None => instance.guess_transform()?,
        };
        Some(ClosedTransform { frame: self.frame.clone(), id })
    }

    /// The prefab, when this is the root of an instance. Of a variant, the variant.
    pub fn prefab(&self) -> Option<PrefabLink> {
        let mut parent = self.game_object().map_or(Parent::Root, |object| object.parent);
        let mut frame = &self.frame;
        let mut found = None;
        while let (Parent::Root, Some((outer, index))) = (parent, &frame.outer) {
            let instance = outer.instance(*index);
            found = Some((frame.guid, outer.top_id(instance.id)));
            (parent, frame) = (instance.parent, outer);
        }
        let (guid, id) = found?;
        let path = self.hierarchy.expander.path(guid);
        Some(PrefabLink { guid, path, instance: FileId(id) })
    }

    /// True for the root of a prefab instance.
    pub fn is_prefab_instance_root(&self) -> bool {
        self.prefab().is_some()
    }

    /// True when it comes from another file than the top one.
    pub fn is_in_prefab_instance(&self) -> bool {
        self.frame.outer.is_some()
    }

    /// True when a file adds it to an instance of another, rather than having it from there.
    pub fn is_added(&self) -> bool {
        let mut parent = self.game_object().map_or(Parent::Root, |object| object.parent);
        let mut frame = &self.frame;
        while let (Parent::Root, Some((outer, index))) = (parent, &frame.outer) {
            (parent, frame) = (outer.instance(*index).parent, outer);
        }
        matches!(parent, Parent::Inside { .. })
    }

    /// The id as the top file sees it; for objects inside instances made by Unity's rule. Nothing
    /// for the root of a source that cannot be read, unless an override names it.
    pub fn file_id(&self) -> Option<FileId> {
        Some(FileId(self.frame.top_id(self.id()?)))
    }

    /// Where the top file states its values; nothing for the root of a source that cannot be read,
    /// unless an override names it.
    pub fn stated(&self) -> Option<Stated> {
        Some(Stated::of(&self.frame, self.id()?))
    }

    /// The `PrefabInstance` of the top file that it is inside of.
    pub fn outer_instance(&self) -> Option<FileId> {
        let level = self.frame.levels(0).last()?;
        Some(FileId(level.instance.id))
    }

    /// Where the object is written. For an opaque one that is its `PrefabInstance`.
    pub fn location(&self) -> Location {
        let (frame, id) = self.written();
        Location::of(frame, id)
    }

    /// The file and the id of its [`location`](Self::location); the line takes counting.
    pub fn origin(&self) -> (Guid, FileId) {
        let (frame, id) = self.written();
        (frame.guid, FileId(id))
    }

    fn written(&self) -> (&Frame, i64) {
        match (self.at, &self.frame.outer) {
            (At::Opaque, Some((outer, index))) => (outer, outer.instance(*index).id),
            _ => (&self.frame, self.id().unwrap_or(0)),
        }
    }

    /// The components in the order of the inspector, the transform first.
    pub fn components(&self) -> Vec<Component<'h>> {
        Component::all(self)
    }

    /// The value of the GameObject itself at a path, overrides applied.
    pub fn value(&self, path: &str) -> Option<Effective> {
        match self.index() {
            Some(index) => effective::value(&self.frame, index, path),
            None => {
                let (change, by) = find_override(&self.frame, self.id()?, path)?;
                let data = match change.reference.is_null() {
                    true => Data::Text(change.value.to_string()),
                    false => Data::Reference(change.reference),
                };
                Some(Effective { data, overridden_by: Some(by), level: 1 })
            }
        }
    }

    /// The fields of the GameObject itself, overrides applied.
    pub fn fields(&self) -> impl Iterator<Item = (String, Effective)> {
        let fields = self.index().map(|index| effective::fields(&self.frame, index));
        fields.into_iter().flatten()
    }

    /// The children in display order.
    pub fn children(&self) -> Vec<Node<'h>> {
        let slots = self.hierarchy.child_slots(&self.frame, self.at);
        self.hierarchy.expand_slots(slots)
    }

    /// The parent; nothing for roots.
    pub fn parent(&self) -> Option<Node<'h>> {
        let parent = self.game_object().map_or(Parent::Root, |object| object.parent);
        self.hierarchy.parent_at(&self.frame, parent)
    }

    /// The parent, its parent, and so on.
    pub fn ancestors(&self) -> impl Iterator<Item = Node<'h>> + use<'h> {
        std::iter::successors(self.parent(), Node::parent)
    }

    /// How many ancestors it has.
    pub fn depth(&self) -> usize {
        self.ancestors().count()
    }

    /// All references that its components hold, and what they point to in this expansion.
    pub fn references(&self) -> Vec<Link<'h>> {
        references::references(self)
    }

    /// The id in its own file.
    pub(super) fn id(&self) -> Option<i64> {
        match (self.game_object(), &self.frame.outer) {
            (Some(object), _) => Some(object.id),
            (None, Some((outer, index))) => {
                let instance = outer.instance(*index);
                match self.model_root(instance) {
                    Some(root) => Some(root.object.0),
                    None => instance.guess_root(),
                }
            }
            (None, None) => None,
        }
    }

    /// The root of a model: by ids that say so themselves, or by its meta.
    fn model_root(&self, instance: &Instance) -> Option<ModelRoot> {
        self.opaque().filter(|why| *why == Opaque::Model)?;
        let hashed = instance.hashed_root();
        hashed.or_else(|| self.hierarchy.expander.model_root(self.frame.guid))
    }

    pub(super) fn game_object(&self) -> Option<&GameObject> {
        let At::Object(index) = self.at else { return None };
        self.frame.template()?.objects.get(index as usize)
    }

    fn index(&self) -> Option<usize> {
        let object = self.game_object()?;
        Some(self.frame.template()?.document.object(FileId(object.id))?.index())
    }

    fn overridden(&self, path: &str) -> Option<&str> {
        self.frame.outer.as_ref()?;
        Some(&*find_override(&self.frame, self.id()?, path)?.0.value)
    }

    fn text(&self, path: &str) -> Option<String> {
        if let Some(value) = self.overridden(path) {
            return Some(value.into());
        }
        let object = self.index().and_then(|index| self.frame.object(index));
        if let Some(value) = object.and_then(|object| object.glance(path)) {
            return Some(value.into());
        }
        Some(self.value(path)?.text()?.into())
    }
}

impl PartialEq for Node<'_> {
    /// True for the same object of the same expansion.
    fn eq(&self, other: &Node<'_>) -> bool {
        self.at == other.at && self.frame.is(&other.frame)
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({:?})", self.name())
    }
}
