//! Which tools set, read and find what a question is about, and what its words weigh there: more where the
//! question asks for just that.

use super::members::{About, Place};
use super::wish::{Deed, Wish};

const SET: &str = "godotProject.setProjectSetting";

/// Tools by their ids.
type Roles = Vec<(&'static str, f32)>;

/// The tools for a class or a field. `deed` is what is to be done with it, `is_of_many` that it is about more
/// than one object, `is_of_members` that it is about what the class itself has.
pub(super) fn roles(
    about: &About<'_>,
    wish: Option<Wish>,
    deed: Option<Deed>,
    is_of_many: bool,
    is_of_members: bool,
    is_class: bool,
) -> Roles {
    let changes = wish.map(|wish| wish.changes);
    let asks_surely = wish.is_some_and(|wish| !wish.changes && wish.is_sure());
    let tools = match about.class.place {
        Place::Component => Tools {
            edit: "unity.edit",
            list: "scene.components.list",
            query: "scene.query",
            all: "batch.setProperty",
            add: "component.add",
            remove: "component.remove",
            api: "unityApi.search",
        },
        Place::Node => Tools {
            edit: "godotScene.editNode",
            list: "godotScene.getNodeProperties",
            query: "godotScene.findNodes",
            all: "godotScene.editNode",
            add: "godotScene.addNode",
            remove: "godotScene.removeNode",
            api: "godotClass.getClassInfo",
        },
        Place::Asset(_) => return vec![("unity.edit", 2.6), ("sobj.setField", 2.0)],
        Place::Setting if changes == Some(false) => {
            return vec![("godotProject.getProjectSettings", 2.6), (SET, 1.6)];
        }
        Place::Setting => return vec![(SET, 2.6), ("godotProject.getProjectSettings", 1.6)],
        Place::Imported => return vec![("asset.importSettings", 2.4)],
        Place::Resource => {
            return vec![("godotResource.modifyResource", 1.8), ("godotScene.editNode", 1.2)];
        }
    };
    if is_of_members && deed.is_none() && (about.field.is_none() || is_class) {
        return vec![(tools.api, 2.6), (tools.list, 1.0)];
    }
    if about.field.is_none() {
        return tools.for_class(about, deed, is_of_many);
    }
    // Who tells to bind, animate or bake a field means a tool that does that.
    if deed == Some(Deed::Other) {
        return vec![(tools.edit, 1.8), (tools.list, 0.8)];
    }
    let mut roles = tools.for_field(changes, is_of_many, asks_surely);
    roles.extend(match about.class.place {
        Place::Component if is_of_many && changes != Some(true) => {
            vec![("scene.objects.find", 2.0), ("go.find", 1.9)]
        }
        Place::Component if changes == Some(false) => vec![("component.list", 2.2)],
        Place::Component if about.class.name == "Transform" => vec![("go.setTransform", 2.7)],
        Place::Component => vec![("component.setProperty", 2.2)],
        _ => Vec::new(),
    });
    roles
}

/// The tools for objects of an engine.
struct Tools {
    edit: &'static str,
    list: &'static str,
    query: &'static str,
    /// Changes many at once.
    all: &'static str,
    add: &'static str,
    remove: &'static str,
    /// Tells what a class has.
    api: &'static str,
}

impl Tools {
    fn for_field(&self, changes: Option<bool>, is_of_many: bool, asks_surely: bool) -> Roles {
        let Tools { edit, list, query, all, .. } = *self;
        match (changes, is_of_many) {
            (Some(true), true) => vec![(edit, 2.4), (all, 2.6), (query, 1.0)],
            (Some(true), false) => vec![(edit, 2.6), (list, 1.0)],
            (_, true) => vec![(query, 2.8), (list, 1.4), (edit, 1.0)],
            (Some(false), false) if asks_surely => vec![(list, 2.6), (query, 1.4), (edit, 1.0)],
            // `the range of a light` may be to be set.
            (Some(false), false) => vec![(list, 2.4), (edit, 2.0), (query, 1.2)],
            (None, false) => vec![(edit, 2.2), (list, 2.0), (query, 1.5)],
        }
    }

    /// What has a class is found by it; what is to be done with it the other words say.
    fn for_class(&self, about: &About<'_>, deed: Option<Deed>, is_of_many: bool) -> Roles {
        let Tools { edit, list, query, add, remove, api, .. } = *self;
        let class = about.class;
        match (deed, is_of_many) {
            // Some nodes have tools that make them.
            (Some(Deed::Make), _) if class.place == Place::Node => vec![(add, 1.0), (edit, 0.6)],
            (Some(Deed::Make), _) => vec![(add, 2.0), (edit, 1.4)],
            (Some(Deed::Remove), _) => vec![(remove, 2.2), (edit, 2.0), ("go.delete", 2.0)],
            (_, true) if class.name == "GameObject" => {
                vec![("scene.objects.find", 2.4), ("go.find", 2.3), (query, 2.0)]
            }
            (_, true) => vec![(query, 2.4), (edit, 1.2), (api, 1.0)],
            (Some(_), false) => vec![(edit, 1.8), (list, 1.0)],
            (None, false) => vec![(query, 1.0), (list, 1.0), (edit, 0.8), (api, 1.4)],
        }
    }
}
