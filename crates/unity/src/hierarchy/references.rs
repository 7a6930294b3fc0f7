//! Where the references of components lead in an expansion.
//!
//! A reference is written in the ids of the file that states it, which need not be the file of the
//! component: an override of a file around may set it. So each is looked up in the file that states
//! it.

use super::frame::At;
use super::locate::What;
use super::{Component, Data, Effective, Node};
use crate::{FileId, Guid, Reference};

/// A reference that a component holds.
#[derive(Clone, Debug)]
pub struct Link<'h> {
    /// The component that holds it.
    pub component: Component<'h>,
    /// The path of the property, such as `onClick.m_Calls.Array.data[0].m_Target`.
    pub path: String,
    /// The reference in the spelling of the file that states it.
    pub reference: Reference,
    /// What it points to.
    pub target: Target<'h>,
    /// The outermost file that overrides it.
    pub overridden_by: Option<Guid>,
}

/// What a reference points to in an expansion.
#[derive(Clone, Debug, PartialEq)]
pub enum Target<'h> {
    /// Nothing, and that is what the file says.
    Null,
    /// An object of the hierarchy.
    Node(Node<'h>),
    /// A component of the hierarchy.
    Component(Component<'h>),
    /// Another object of a file in the expansion, such as the settings of a scene.
    Object {
        /// The file.
        file: Guid,
        /// The object in it.
        file_id: FileId,
    },
    /// Something inside an instance that cannot be looked into.
    Opaque(Node<'h>),
    /// An asset.
    OtherAsset {
        /// The asset.
        guid: Guid,
        /// The object in it.
        file_id: FileId,
    },
    /// An object that is not there, or that a file around removes.
    BrokenLocal {
        /// The file whose objects were searched.
        file: Guid,
        /// The object that is not in it.
        file_id: FileId,
    },
}

/// Fields that make the hierarchy; what they mean is in the nodes.
const STRUCTURE: [&str; 8] = [
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_GameObject",
    "m_Father",
    "m_Children",
];

pub(super) fn references<'h>(node: &Node<'h>) -> Vec<Link<'h>> {
    node.components().iter().flat_map(Component::references).collect()
}

impl<'h> Component<'h> {
    /// All references that it holds, and what they point to in this expansion.
    pub fn references(&self) -> Vec<Link<'h>> {
        let mut links = Vec::new();
        for (mut key, value) in self.fields() {
            if !STRUCTURE.contains(&key.as_str()) {
                collect(self, &mut key, &value, &mut links);
            }
        }
        links
    }
}

/// Values nest no deeper than the reader lets them, so this may recurse.
fn collect<'h>(
    component: &Component<'h>,
    path: &mut String,
    value: &Effective,
    links: &mut Vec<Link<'h>>,
) {
    let length = path.len();
    match &value.data {
        Data::Text(_) => {}
        Data::Reference(reference) => links.push(Link {
            component: component.clone(),
            path: path.clone(),
            reference: *reference,
            target: resolve(component, *reference, value.level),
            overridden_by: value.overridden_by,
        }),
        Data::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!(".Array.data[{index}]"));
                collect(component, path, item, links);
                path.truncate(length);
            }
        }
        Data::Map(fields) => {
            for (key, value) in fields {
                path.push('.');
                path.push_str(key);
                collect(component, path, value, links);
                path.truncate(length);
            }
        }
    }
}

pub(super) fn resolve<'h>(
    component: &Component<'h>,
    reference: Reference,
    level: u32,
) -> Target<'h> {
    let hierarchy = component.node.hierarchy;
    let frame = component.frame.around(level);
    let file_id = reference.file_id;
    if reference.is_null() {
        return Target::Null;
    }
    if let Some(guid) = reference.guid {
        return Target::OtherAsset { guid, file_id };
    }
    let broken = Target::BrokenLocal { file: frame.guid, file_id };
    let Some(place) = hierarchy.locate(frame, file_id.0) else { return broken };
    match place.what {
        What::Node(at) => match (at, hierarchy.node(&place.frame, at)) {
            (At::Opaque, node) => Target::Opaque(node),
            (_, node) if node.is_removed() => broken,
            (_, node) => Target::Node(node),
        },
        What::Other(index) => {
            let (file, object) = (place.frame.guid, place.frame.object(index));
            let file_id = object.map_or(file_id, |object| object.file_id());
            match place.into_component(hierarchy) {
                Some(target) if target.is_removed() || target.node.is_removed() => broken,
                Some(target) => Target::Component(target),
                None => Target::Object { file, file_id },
            }
        }
    }
}

impl Node<'_> {
    /// True when a file around removes it or one of its ancestors.
    pub(super) fn is_removed(&self) -> bool {
        let is_gone = |node: &Node<'_>| {
            let id = node.game_object().map(|object| object.id);
            id.is_some_and(|id| node.frame.is_object_removed(id))
        };
        is_gone(self) || self.ancestors().any(|node| is_gone(&node))
    }
}
