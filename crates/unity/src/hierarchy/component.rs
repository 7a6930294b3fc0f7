//! A component as the editor shows it: which file has it, which of the files around it changes it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::effective::{self, find_override};
use super::frame::Frame;
use super::{Data, Effective, Node};
use crate::{ClassId, FileId, Guid, Object, Reference};

/// A component of a [`Node`].
#[derive(Clone)]
pub struct Component<'h> {
    pub(super) node: Node<'h>,
    /// The file that has it, which is not the node's when it was added there.
    pub(super) frame: Arc<Frame>,
    /// Its position in the document.
    pub(super) index: usize,
}

/// Where something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file; all zeros when it has no guid.
    pub file: Guid,
    /// The object in that file.
    pub file_id: FileId,
    /// The line of its header, from 1.
    pub line: usize,
}

/// Where the top file states the values of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// In an object of its own.
    Here(FileId),
    /// In the overrides of a prefab instance.
    Override {
        /// The `PrefabInstance` of the top file.
        instance: FileId,
        /// The object's id in the source of that instance.
        target: FileId,
    },
}

impl Stated {
    pub(super) fn of(frame: &Frame, id: i64) -> Stated {
        match frame.levels(id).last() {
            None => Stated::Here(FileId(id)),
            Some(level) => {
                Stated::Override { instance: FileId(level.instance.id), target: FileId(level.id) }
            }
        }
    }
}

impl Location {
    pub(super) fn of(frame: &Frame, id: i64) -> Location {
        let document = frame.template().map(|template| &template.document);
        let object = document.and_then(|document| document.object(FileId(id)));
        Location { file: frame.guid, file_id: FileId(id), line: object.map_or(0, Object::line) }
    }
}

impl<'h> Component<'h> {
    /// The object it is on.
    pub fn node(&self) -> &Node<'h> {
        &self.node
    }

    /// The native class; scripts are all `MonoBehaviour`.
    pub fn class_id(&self) -> ClassId {
        self.object().class_id()
    }

    /// The name of the native class.
    pub fn class_name(&self) -> Cow<'_, str> {
        self.object().class_name()
    }

    /// The script of a `MonoBehaviour`.
    pub fn script(&self) -> Option<Reference> {
        if self.class_id() != ClassId::MONO_BEHAVIOUR {
            return None;
        }
        let is_changed = find_override(&self.frame, self.id(), "m_Script").is_some();
        let glanced = self.object().glance_reference("m_Script").filter(|_| !is_changed);
        glanced.or_else(|| self.value("m_Script")?.reference())
    }

    /// The class that the editor noted beside the script when it saved the component, as
    /// [`ClassIdentifier`](crate::script::ClassIdentifier) reads it; empty in most versions.
    pub fn class_identifier(&self) -> Option<Cow<'_, str>> {
        const KEY: &str = "m_EditorClassIdentifier";
        if self.class_id() != ClassId::MONO_BEHAVIOUR {
            return None;
        }
        let read = || match self.value(KEY)?.data {
            Data::Text(text) => Some(Cow::Owned(text)),
            _ => None,
        };
        self.object().glance(KEY).map(Cow::Borrowed).or_else(read)
    }

    /// The box beside the name in the inspector, for components that have one.
    pub fn enabled(&self) -> Option<bool> {
        match find_override(&self.frame, self.id(), "m_Enabled") {
            Some((change, _)) => Some(&*change.value != "0"),
            None => Some(effective::value(&self.frame, self.index, "m_Enabled")?.text()? != "0"),
        }
    }

    /// The id as the top file sees it; inside instances made by Unity's rule.
    pub fn file_id(&self) -> FileId {
        FileId(self.frame.top_id(self.id()))
    }

    /// The file it is written in; all zeros when that has no guid.
    pub fn file(&self) -> Guid {
        self.frame.guid
    }

    /// Where it is written.
    pub fn location(&self) -> Location {
        Location::of(&self.frame, self.id())
    }

    /// Where the top file states its values.
    pub fn stated(&self) -> Stated {
        Stated::of(&self.frame, self.id())
    }

    /// True when a file around the node's own added it to an instance.
    pub fn is_added(&self) -> bool {
        !self.frame.is(&self.node.frame)
    }

    /// The file that added it, when it is not the node's own: a variant, or the file around.
    pub fn added_by(&self) -> Option<Guid> {
        self.is_added().then_some(self.frame.guid)
    }

    /// True when a file around overrides one of its values.
    pub fn is_overridden(&self) -> bool {
        let mut levels = self.frame.levels(self.id());
        levels.any(|level| !level.instance.modifications_of(level.id).is_empty())
    }

    /// The value at a path such as `m_Materials.Array.data[0]` or `m_Materials.Array.size`,
    /// overrides applied. A reference keeps the spelling of the file that states it.
    pub fn value(&self, path: &str) -> Option<Effective> {
        effective::value(&self.frame, self.index, path)
    }

    /// All fields, overrides applied. Those that make the hierarchy, such as `m_Children`, are as
    /// in the component's own file; ask the node for what they mean here.
    pub fn fields(&self) -> impl Iterator<Item = (String, Effective)> {
        effective::fields(&self.frame, self.index).into_iter()
    }

    /// The names of all fields, which takes less than reading them.
    pub fn field_names(&self) -> Vec<String> {
        effective::names(&self.frame, self.index)
    }

    pub(super) fn id(&self) -> i64 {
        self.object().file_id().0
    }

    /// The object in its own file, without overrides.
    pub fn object(&self) -> Object<'_> {
        self.frame.object(self.index).expect("components are made of objects that are there")
    }

    /// True when a file around removes it.
    pub(super) fn is_removed(&self) -> bool {
        let mut levels = self.frame.levels(self.id());
        levels.any(|level| level.instance.removed_components.binary_search(&level.id).is_ok())
    }

    pub(super) fn all(node: &Node<'h>) -> Vec<Component<'h>> {
        let make = |frame: &Arc<Frame>, id: i64| {
            let index = frame.template()?.document.object(FileId(id))?.index();
            Some(Component { node: node.clone(), frame: frame.clone(), index })
        };
        let Some(object) = node.game_object() else {
            let added =
                node.hierarchy.added_to_opaque(&node.frame, |instance| &instance.added_components);
            return added
                .into_iter()
                .filter_map(|(frame, added)| make(&frame, added.what))
                .collect();
        };
        let own = object.components.iter();
        let mut all: Vec<_> = own.filter_map(|id| make(&node.frame, *id)).collect();
        for level in node.frame.levels(object.id) {
            for added in level.instance.components_added_to(level.id) {
                let at = added.at.map_or(all.len(), |at| all.len().min(at as usize));
                if let Some(component) = make(level.frame, added.what) {
                    all.insert(at, component);
                }
            }
        }
        all.retain(|component| !component.is_removed());
        all
    }
}

impl PartialEq for Component<'_> {
    /// True for the same component of the same expansion.
    fn eq(&self, other: &Component<'_>) -> bool {
        self.index == other.index && self.frame.is(&other.frame)
    }
}

impl Eq for Component<'_> {}

impl fmt::Debug for Component<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {:?}", self.class_name(), self.node.name())
    }
}
