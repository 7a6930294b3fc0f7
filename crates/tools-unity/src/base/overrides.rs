//! What a prefab instance has other than its prefab, with the prefab's own values beside it.

use std::collections::HashMap;

use scenewright_unity::edit::scene::every_instance_states;
use scenewright_unity::hierarchy::{Component, Hierarchy, Node, Stated};
use scenewright_unity::{FileId, Object, Reference, Value as Saved};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Unity;

/// What an instance has other than its prefab.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// Values that the instance has instead of the prefab's.
    pub overrides: Vec<Overridden>,
    /// Objects that the instance has and the prefab lacks, without those inside of them.
    pub added_objects: Vec<AddedObject>,
    /// Objects that the prefab has and the instance lacks, by their path in the prefab.
    pub removed_objects: Vec<String>,
    /// Components that the instance has and the prefab lacks.
    pub added_components: Vec<Part>,
    /// Components that the prefab has and the instance lacks, by the path in the prefab.
    pub removed_components: Vec<Part>,
    /// Overrides of objects or components that the prefab no longer has; they do nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub unused_overrides: usize,
}

/// A value that an instance has instead of its prefab's.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overridden {
    /// Path of the object.
    pub object: String,
    /// Class of the component; none for a field of the object itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// The field, as files have it.
    pub field: String,
    /// The value here.
    pub value: Value,
    /// The value of the prefab; none where it has no such field or item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefab_value: Option<Value>,
    /// True for the name and place of the root, which every instance states.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub always_kept: bool,
}

/// An object that an instance adds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedObject {
    /// Its path.
    pub object: String,
    /// The prefab that it is an instance of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefab: Option<String>,
}

/// A component of an object.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Path of the object.
    pub object: String,
    /// Its class.
    pub component: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// An object or component of a hierarchy.
enum Thing<'h> {
    Object(Node<'h>),
    Component(Component<'h>),
}

impl Thing<'_> {
    fn node(&self) -> &Node<'_> {
        match self {
            Thing::Object(node) => node,
            Thing::Component(component) => component.node(),
        }
    }

    fn shown(&self, unity: &Unity<'_>, path: &str) -> Option<Value> {
        let (value, component) = match self {
            Thing::Object(node) => (node.value(path)?, None),
            Thing::Component(component) => (component.value(path)?, Some(component)),
        };
        Some(unity.shown_value(component, &value, 0).1)
    }
}

impl Unity<'_> {
    /// What an instance of the top file of `hierarchy` has other than its prefab, whose expanded
    /// form is `source`.
    pub fn differences(
        &self,
        hierarchy: &Hierarchy,
        instance: FileId,
        source: &Hierarchy,
    ) -> Differences {
        let mut found = Differences::default();
        let Some(object) = hierarchy.document().object(instance) else { return found };
        let things = self.inside(hierarchy, instance, &mut found);
        let root = source.roots().into_iter().next();
        let kept = root.as_ref().and_then(|root| Some((root.file_id()?, transform_id(root)?)));
        let mut paths = hierarchy.paths();
        for change in changes(object) {
            let Some(thing) = things.get(&change.target) else {
                found.unused_overrides += 1;
                continue;
            };
            let prefab = find(source, change.target);
            let always_kept = kept.is_some_and(|(object, transform)| {
                (change.target == object && change.path == "m_Name")
                    || (change.target == transform && every_instance_states(&change.path))
            });
            let value = thing.shown(self, &change.path);
            found.overrides.push(Overridden {
                object: paths.of(&match thing {
                    Thing::Object(node) => node.clone(),
                    Thing::Component(component) => component.node().clone(),
                }),
                component: match thing {
                    Thing::Object(_) => None,
                    Thing::Component(component) => Some(self.component_name(component).into()),
                },
                value: value.unwrap_or_else(|| change.value.clone().into()),
                prefab_value: prefab.and_then(|prefab| prefab.shown(self, &change.path)),
                field: change.path,
                always_kept,
            });
        }
        self.removed(object, source, &mut found);
        found
    }

    /// What the instance has from its prefab, by the prefab's ids; what was added to it is noted.
    fn inside<'h>(
        &self,
        hierarchy: &'h Hierarchy,
        instance: FileId,
        found: &mut Differences,
    ) -> HashMap<FileId, Thing<'h>> {
        let mut things = HashMap::new();
        let is_inside = |node: &Node<'_>| node.outer_instance() == Some(instance);
        let mut objects = hierarchy.objects();
        while let Some(node) = objects.next() {
            if !is_inside(&node) {
                // What is in an added object was not added by itself.
                if node.parent().is_some_and(|parent| is_inside(&parent)) {
                    let prefab = node.prefab().map(|link| self.path_of(link.guid));
                    found.added_objects.push(AddedObject { object: objects.path(), prefab });
                }
                continue;
            }
            for component in node.components() {
                match component.stated() {
                    Stated::Override { target, .. } => {
                        things.insert(target, Thing::Component(component));
                    }
                    Stated::Here(_) => found.added_components.push(Part {
                        object: objects.path(),
                        component: self.component_name(&component).into(),
                    }),
                }
            }
            if let Some(Stated::Override { target, .. }) = node.stated() {
                things.insert(target, Thing::Object(node));
            }
        }
        things
    }

    fn removed(&self, instance: Object<'_>, source: &Hierarchy, found: &mut Differences) {
        for to in references(instance, "m_Modification.m_RemovedGameObjects") {
            if let Some(thing) = find(source, to.file_id) {
                found.removed_objects.push(thing.node().path());
            }
        }
        let keys = ["m_Modification.m_RemovedComponents", "m_RemovedComponents"];
        for to in keys.iter().flat_map(|key| references(instance, key)) {
            if let Some(Thing::Component(component)) = find(source, to.file_id) {
                found.removed_components.push(Part {
                    object: component.node().path(),
                    component: self.component_name(&component).into(),
                });
            }
        }
    }
}

/// One entry of the overrides of an instance.
struct Change {
    target: FileId,
    path: String,
    value: String,
}

fn changes(instance: Object<'_>) -> Vec<Change> {
    let list = instance.get("m_Modification.m_Modifications");
    let read = |item: Saved<'_>| {
        Some(Change {
            target: item.get("target")?.as_reference()?.file_id,
            path: item.get("propertyPath")?.text().into_owned(),
            value: item.get("value").map(|value| value.text().into_owned()).unwrap_or_default(),
        })
    };
    list.into_iter().flat_map(Saved::items).filter_map(read).collect()
}

fn references(instance: Object<'_>, key: &str) -> Vec<Reference> {
    let list = instance.get(key);
    list.into_iter().flat_map(Saved::items).filter_map(Saved::as_reference).collect()
}

/// What a prefab has under an id.
fn find(source: &Hierarchy, id: FileId) -> Option<Thing<'_>> {
    let node = source.find_by_id(id)?;
    if node.file_id() == Some(id) {
        return Some(Thing::Object(node));
    }
    node.components().into_iter().find(|held| held.file_id() == id).map(Thing::Component)
}

fn transform_id(root: &Node<'_>) -> Option<FileId> {
    root.components().first().map(Component::file_id)
}
