//! What an edited file is to say, checked against what it says.

use std::collections::{HashMap, HashSet};

use scenewright_unity::edit::{New, is_same_number};
use scenewright_unity::hierarchy::{Component, Data, Effective, Node, Target};

use super::super::load::{self, Shape};

/// Everything that a file is to say; ids are those that the file gives.
#[derive(Default)]
pub(super) struct Claims {
    /// Object, component or the object itself, path, value.
    pub(super) values: Vec<(i64, i64, String, New)>,
    /// Object and parent.
    pub(super) parents: Vec<(i64, Option<i64>)>,
    /// Object and component.
    pub(super) components: Vec<(i64, i64)>,
    /// Components that are gone, with their objects.
    pub(super) lost: Vec<(i64, i64)>,
    /// Objects that are gone.
    pub(super) gone: HashSet<i64>,
    /// Objects that were not there before.
    pub(super) made: HashSet<i64>,
    /// The order of objects beside each other.
    pub(super) orders: Vec<Vec<i64>>,
    /// All objects that were there before.
    pub(super) before: HashSet<i64>,
}

impl Claims {
    /// Whether the file stays as it is.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
            && self.parents.is_empty()
            && self.components.is_empty()
            && self.lost.is_empty()
            && self.gone.is_empty()
            && self.made.is_empty()
            && self.orders.is_empty()
    }

    /// Whether a scene is as claimed; otherwise what is not.
    pub(super) fn check(&self, shape: &Shape) -> Result<(), String> {
        let Shape { origin, objects } = shape;
        let places: HashMap<i64, usize> =
            objects.iter().enumerate().map(|(place, object)| (object.file_id, place)).collect();
        self.check_objects(&places)?;
        let found = |id: &i64| places.get(id).copied().ok_or(format!("object {id} is missing"));
        for (object, part, path, new) in &self.values {
            let node = origin.node(found(object)?).ok_or("an object is missing")?;
            if !value_agrees(&node, *part, path, new) {
                return Err(format!("{}: {path} is not {new:?}", node.path()));
            }
        }
        for (object, parent) in &self.parents {
            let place = objects[found(object)?].parent;
            let is = place.map(|place| objects[place].file_id);
            if is != *parent {
                return Err(format!("object {object} is in {is:?} and not in {parent:?}"));
            }
        }
        let has = |object: &i64, component: &i64| -> Result<bool, String> {
            Ok(objects[found(object)?].components.contains(component))
        };
        for (object, component) in &self.components {
            if !has(object, component)? {
                return Err(format!("object {object} has no component {component}"));
            }
        }
        for (object, component) in &self.lost {
            if has(object, component)? {
                return Err(format!("object {object} still has the component {component}"));
            }
        }
        for order in &self.orders {
            let places: Vec<usize> = order.iter().map(found).collect::<Result<_, _>>()?;
            if !places.is_sorted() {
                return Err(format!("the objects {order:?} have another order"));
            }
        }
        Ok(())
    }

    /// Those that should be there are, and no others.
    fn check_objects(&self, places: &HashMap<i64, usize>) -> Result<(), String> {
        let expected = self.before.difference(&self.gone).chain(&self.made);
        if let Some(id) = expected.clone().find(|id| !places.contains_key(id)) {
            return Err(format!("object {id} would be lost"));
        }
        let expected: HashSet<&i64> = expected.collect();
        match places.keys().find(|id| !expected.contains(id)) {
            Some(id) => Err(format!("object {id} would appear")),
            None => Ok(()),
        }
    }
}

/// Whether an object, or one of its components, has a value.
fn value_agrees(node: &Node<'_>, part: i64, path: &str, new: &New) -> bool {
    if part == load::file_id(node) {
        return node.value(path).is_some_and(|value| agrees(None, &value, new));
    }
    let components = node.components();
    let component = components.iter().find(|component| component.file_id().0 == part);
    component.is_some_and(|component| {
        component.value(path).is_some_and(|value| agrees(Some(component), &value, new))
    })
}

/// Whether a value of a file is what was to be written.
pub(super) fn agrees(component: Option<&Component<'_>>, value: &Effective, new: &New) -> bool {
    match (new, &value.data) {
        (New::Text(text), Data::Text(is)) => text == is,
        (New::Number(number), Data::Text(is)) => is_same_number(is, number),
        (New::Reference(to), Data::Reference(is)) => {
            let Some(target) = component.and_then(|component| component.target(value)) else {
                return to == is;
            };
            match target {
                Target::Null => to.is_null(),
                Target::Node(node) => to.guid.is_none() && node.file_id() == Some(to.file_id),
                Target::Component(found) => to.guid.is_none() && found.file_id() == to.file_id,
                Target::OtherAsset { guid, file_id } => {
                    to.guid == Some(guid) && to.file_id == file_id
                }
                Target::Object { .. } | Target::Opaque(_) | Target::BrokenLocal { .. } => to == is,
            }
        }
        (New::Map(fields) | New::Flow(fields), Data::Map(_)) => fields
            .iter()
            .all(|(key, new)| value.get(key).is_some_and(|value| agrees(component, &value, new))),
        (New::List(items), Data::List(is)) => {
            items.len() == is.len()
                && items.iter().zip(is).all(|(new, value)| agrees(component, value, new))
        }
        (New::List(items), Data::Text(is)) => items.is_empty() && (is.is_empty() || is == "[]"),
        _ => false,
    }
}
