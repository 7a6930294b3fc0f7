//! Components of objects that the file has: their values, those that went, and those that came.

use scenewright_unity::edit::{self, Item, New};
use scenewright_unity::hierarchy::{Component, Node, Stated};
use scenewright_unity::{FileId, Value as FileValue};
use scenewright_world::types::short_name;
use scenewright_world::{ComponentId, Object};

use super::super::load;
use super::draft::{Draft, Home, HomeKind, Spot, transform_of};

/// The component at a place in the list that the world loaded, which begins with a transform even
/// where the file has none.
pub(super) fn component_at<'h>(node: &Node<'h>, place: usize) -> Option<Component<'h>> {
    let components = node.components();
    let has_transform = components.first().is_some_and(load::is_transform);
    let place = if has_transform { place } else { place.checked_sub(1)? };
    components.into_iter().nth(place)
}

impl Draft<'_> {
    /// The values of an object's components.
    pub(super) fn component_values(&mut self, object: &Object, node: &Node<'_>) {
        for component in object.components() {
            let found = component.origin().and_then(|place| component_at(node, place));
            let Some(found) = found else { continue };
            let spot = Spot {
                owner: object.id(),
                owner_id: load::file_id(node),
                id: found.file_id().0,
                stated: found.stated(),
                class: component.type_name().map(|name| short_name(name).to_owned()),
                node,
                component: Some(&found),
            };
            let (was, is) = (found.enabled(), component.enabled());
            if let (Some(was), Some(is)) = (was, is)
                && was != is
            {
                let told = ("enabled", was.to_string(), is.to_string());
                self.put_told(&spot, "m_Enabled", New::bool(is), (told.0, &told.1, &told.2));
            }
            self.member_values(&spot, component.id());
        }
    }

    fn member_values(&mut self, spot: &Spot<'_>, id: ComponentId) {
        let class = spot.class.clone().unwrap_or_default();
        for member in self.world.set_members(id) {
            let what = format!("{class}.{}", member.name);
            let Some(path) = &member.path else {
                self.refuse(spot.owner, &what, "Unity does not save this member");
                continue;
            };
            let old = spot.value(path);
            let new = match self.encode_at(path, &member.now, &member.type_name, old.as_ref()) {
                Ok(new) => new,
                Err(why) => {
                    self.refuse(spot.owner, &what, &why);
                    continue;
                }
            };
            match self.put(spot, path, new) {
                Ok(is_new) => {
                    self.settled.push((id, path.clone()));
                    if is_new {
                        let before = member.before.as_ref().map(|value| shown(&value.to_json()));
                        let before = before.unwrap_or_else(|| "nothing".to_owned());
                        let now = shown(&member.now.to_json());
                        self.say(spot.owner, &format!("{what}: {before} → {now}"));
                    }
                }
                Err(why) => self.refuse(spot.owner, &what, &why),
            }
        }
    }

    /// Components that are gone, those that are new, and the lists that name them.
    pub(super) fn component_lists(&mut self, object: &Object, node: &Node<'_>, home: Home) {
        let mut kept: Vec<usize> =
            object.components().iter().filter_map(|component| component.origin()).collect();
        kept.sort_unstable();
        let skipped = usize::from(transform_of(node).is_none());
        let mut lost = Vec::new();
        for (place, component) in node.components().into_iter().enumerate() {
            if kept.binary_search(&(place + skipped)).is_err() && !load::is_transform(&component) {
                lost.push(component);
            }
        }
        for component in &lost {
            match component.stated() {
                Stated::Here(id) => {
                    self.removed.insert(id);
                    if let HomeKind::Root(instance) | HomeKind::Inside(instance) = home.kind {
                        self.lists.entry(instance).or_default().dropped.insert(id);
                    }
                }
                Stated::Override { instance, target } => {
                    self.lists.entry(instance).or_default().removed_components.push(target);
                }
            }
            self.claims.lost.push((home.id.0, component.file_id().0));
            let class = self.unity.component_name(component);
            self.say(object.id(), &format!("{class}: removed"));
        }
        let added = self.add_components(object, node, home);
        let HomeKind::Own(_) = home.kind else { return };
        if !lost.is_empty() || !added.is_empty() {
            self.list_components(object, home, &added);
        }
    }

    /// New components on an object that the file has.
    fn add_components(&mut self, object: &Object, node: &Node<'_>, home: Home) -> Vec<FileId> {
        let mut added = Vec::new();
        for component in object.components() {
            let Some(id) = self.new_components.get(&component.id()).copied() else { continue };
            let name = short_name(component.type_name().unwrap_or_default()).to_owned();
            let owner = match (home.kind, node.stated()) {
                (HomeKind::Own(_), _) => Ok((home.id, None)),
                (_, Some(Stated::Override { instance, target })) => self
                    .stand_in_object(instance, target)
                    .map(|owner| (owner, Some((instance, target)))),
                _ => Err("only the importer knows the object's id".to_owned()),
            };
            let made = owner.and_then(|(owner, inside)| {
                Ok((self.component_object(component, owner, id)?, inside))
            });
            match made {
                Ok((made, inside)) => {
                    self.new_objects.push(made);
                    self.claims.components.push((home.id.0, id.0));
                    if let Some((instance, target)) = inside {
                        self.lists
                            .entry(instance)
                            .or_default()
                            .added_components
                            .push((target, id, -1));
                    }
                    self.say(object.id(), &format!("{name}: added"));
                    added.push(id);
                }
                Err(why) => {
                    self.new_components.remove(&component.id());
                    self.refuse(object.id(), &name, &why);
                }
            }
        }
        added
    }

    fn list_components(&mut self, object: &Object, home: Home, added: &[FileId]) {
        const LIST: &str = "m_Component";
        let file_object = self.document.object(home.id);
        let Some((file_object, list)) = file_object.and_then(|o| Some((o, o.get(LIST)?))) else {
            return self.refuse(object.id(), "components", "the file does not list them");
        };
        let id_of = |item: FileValue<'_>| Some(item.fields().next()?.1.as_reference()?.file_id);
        let old = list.items().map(id_of).enumerate();
        let kept = old.filter(|(_, id)| id.is_none_or(|id| !self.removed.contains(&id)));
        let mut items: Vec<Item> = kept.map(|(at, _)| Item::Old(at)).collect();
        items.extend(added.iter().map(|id| Item::New(listed(*id))));
        if let Err(why) = edit::set_list(file_object, LIST, &items, &self.manner, &mut self.edits) {
            self.refuse(object.id(), "components", &why.to_string());
        }
    }
}

/// An entry of `m_Component`.
pub(super) fn listed(id: FileId) -> New {
    New::Map(vec![("component".into(), New::local(id))])
}

/// A value for people; long ones are cut.
fn shown(json: &serde_json::Value) -> String {
    const MOST: usize = 200;
    let text = json.to_string();
    match text.len() > MOST {
        true => format!("{}…", &text[..text.floor_char_boundary(MOST)]),
        false => text,
    }
}
