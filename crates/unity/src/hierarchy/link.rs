//! Makes a tree of what a file says.
//!
//! `m_Father` decides who the parent is and `m_Children` only the order, so that no file, however
//! broken, makes a loop or shows an object twice.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::instance::{Added, Instance};
use super::order;
use super::problem::ProblemKind;
use super::read::{self, Raw, RawAdded, RawInstance, RawObject, RawTransform};
use super::template::{Child, Fault, GameObject, Parent, Slot, Template};
use crate::{Document, Guid, Object};

pub(super) fn link(document: Arc<Document>, guid: Guid, raw: Raw) -> Template {
    let Raw { objects, transforms, instances, stand_ins, others, roots, faults } = raw;
    let many = objects.len() + transforms.len() + instances.len() + stand_ins.len();
    let slots = HashMap::with_capacity_and_hasher(many, Default::default());
    let mut linker = Linker { slots, faults };
    linker.name_all(&objects, &instances);
    linker.stand_ins(&stand_ins);
    let own = linker.transforms(&objects, &transforms);
    let parents = linker.parents(&own, &instances);

    let added = AddedLists::new(&instances);
    let mut template = Template {
        guid,
        objects: make_objects(objects, &own, &parents),
        instances: instances.iter().zip(&parents.instances).map(make_instance).collect(),
        document,
        roots: Vec::new(),
        faults: Vec::new(),
        slots: Vec::new(),
        _share: None,
    };
    for (instance, raw) in template.instances.iter_mut().zip(instances) {
        instance.take_lists(raw);
    }
    for stand_in in &stand_ins {
        if let Some(Slot::StandIn { instance, source }) = linker.slots.get(&stand_in.id) {
            template.instances[*instance as usize].stand_ins.push((*source, stand_in.id));
        }
    }
    order::place_children(&mut template, &own, &mut linker, &added);
    template.roots = order::roots(&template, &own, &mut linker, roots);
    linker.components(&mut template, &others, &added);
    for instance in &mut template.instances {
        instance.sort_lists(&added);
    }
    template.slots = linker.slots.into_iter().collect();
    template.slots.sort_unstable_by_key(|(id, _)| *id);
    template.faults = linker.faults;
    template
}

pub(super) struct Linker {
    pub(super) slots: HashMap<i64, Slot, foldhash::fast::RandomState>,
    pub(super) faults: Vec<Fault>,
}

/// The parents of all objects and instances.
pub(super) struct Parents {
    objects: Vec<Parent>,
    instances: Vec<Parent>,
}

/// What the lists of 2022.2 and later say about added objects and components.
pub(super) struct AddedLists {
    by_id: HashMap<i64, (u32, Order)>,
}

/// The position in the list, and the one among siblings.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) in_list: usize,
    pub(super) at: Option<u32>,
    to: i64,
}

impl AddedLists {
    fn new(instances: &[RawInstance]) -> AddedLists {
        let mut by_id = HashMap::new();
        for (instance, raw) in (0..).zip(instances) {
            let lists = [&raw.added_objects, &raw.added_components];
            for (in_list, added) in lists.into_iter().flatten().flatten().enumerate() {
                let RawAdded { to, what, at } = *added;
                by_id.entry(what).or_insert((instance, Order { in_list, at, to }));
            }
        }
        AddedLists { by_id }
    }

    pub(super) fn order(&self, id: i64) -> Option<Order> {
        self.by_id.get(&id).map(|(_, order)| *order)
    }
}

impl Linker {
    pub(super) fn fault(
        &mut self,
        kind: ProblemKind,
        offset: usize,
        about: impl Into<Option<Child>>,
        message: String,
    ) {
        self.faults.push(Fault { kind, offset, about: about.into(), message, gone: 0 });
    }

    fn name_all(&mut self, objects: &[RawObject], instances: &[RawInstance]) {
        self.slots.extend((0..).zip(objects).map(|(index, raw)| (raw.id, Slot::Object(index))));
        for (index, raw) in (0..).zip(instances) {
            self.slots.insert(raw.id, Slot::Instance(index));
            let mut told = HashSet::new();
            for foreign in raw.foreign.iter().filter(|foreign| told.insert(foreign.target)) {
                let message = "the override is of an object in another file than the source".into();
                let about = Child::Instance(index);
                self.fault(ProblemKind::StaleOverride, foreign.offset, about, message);
            }
        }
    }

    fn stand_ins(&mut self, stand_ins: &[super::read::RawStandIn]) {
        for raw in stand_ins {
            let Some(Slot::Instance(instance)) = self.slots.get(&raw.instance).copied() else {
                let message = format!("the prefab instance {} is not in the file", raw.instance);
                self.fault(ProblemKind::UnresolvedInstance, raw.offset, None, message);
                continue;
            };
            if raw.source == 0 {
                let message = "the stripped object does not say what it stands for".into();
                self.fault(ProblemKind::UnresolvedInstance, raw.offset, None, message);
                continue;
            }
            self.slots.insert(raw.id, Slot::StandIn { instance, source: raw.source });
        }
    }

    /// The transform of each object.
    fn transforms<'r>(
        &mut self,
        objects: &[RawObject],
        transforms: &'r [RawTransform],
    ) -> Vec<Option<&'r RawTransform>> {
        let mut own = vec![None; objects.len()];
        for raw in transforms {
            match self.slots.get(&raw.object) {
                Some(Slot::Object(index)) if own[*index as usize].is_none() => {
                    own[*index as usize] = Some(raw);
                    self.slots.insert(raw.id, Slot::Transform(*index));
                }
                Some(Slot::Object(index)) => {
                    let message = format!("the object {} has a second transform", raw.object);
                    let about = Child::Object(*index);
                    self.fault(ProblemKind::UnresolvedGameObject, raw.offset, about, message);
                }
                _ => {
                    let message = format!("the object {} of the transform is not here", raw.object);
                    self.fault(ProblemKind::UnresolvedGameObject, raw.offset, None, message);
                }
            }
        }
        for (index, raw) in (0..).zip(objects) {
            if own[index as usize].is_none() {
                let message = "the object has no transform; it is shown as a root".into();
                let about = Child::Object(index);
                self.fault(ProblemKind::UnresolvedComponent, raw.offset, about, message);
            }
        }
        own
    }

    fn parents(&mut self, own: &[Option<&RawTransform>], instances: &[RawInstance]) -> Parents {
        let mut parents = Parents { objects: Vec::new(), instances: Vec::new() };
        for (index, transform) in (0..).zip(own) {
            let parent = transform.map_or(Parent::Root, |transform| {
                self.parent(transform.father, transform.offset, Child::Object(index))
            });
            parents.objects.push(parent);
        }
        for (index, raw) in (0..).zip(instances) {
            let parent = self.parent(raw.transform_parent, raw.offset, Child::Instance(index));
            parents.instances.push(parent);
        }
        for child in parents.break_circles() {
            let offset = match child {
                Child::Object(index) => own[index as usize].map_or(0, |transform| transform.offset),
                Child::Instance(index) => instances[index as usize].offset,
            };
            let message = "the object is its own ancestor; it is shown as a root".into();
            self.fault(ProblemKind::UnresolvedParent, offset, child, message);
        }
        parents
    }

    fn parent(&mut self, father: i64, offset: usize, about: Child) -> Parent {
        if father == 0 {
            return Parent::Root;
        }
        match self.slots.get(&father) {
            Some(Slot::Transform(index)) => Parent::Object(*index),
            Some(Slot::StandIn { instance, source }) => {
                Parent::Inside { instance: *instance, source: *source }
            }
            _ => {
                let message =
                    format!("the parent {father} is not in the file; it is shown as a root");
                self.fault(ProblemKind::UnresolvedParent, offset, about, message);
                Parent::Root
            }
        }
    }

    /// Finds what is added to objects inside instances, and what no object lists.
    fn components(&mut self, template: &mut Template, others: &[usize], added: &AddedLists) {
        let listed = self.listed_components(template);
        let document = template.document.clone();
        for object in others.iter().filter_map(|index| document.object_at(*index)) {
            if !listed[object.index()] {
                self.unlisted_component(template, object, added);
            }
        }
    }

    /// Drops what is not there, and tells of each object in the file whether one lists it.
    fn listed_components(&mut self, template: &mut Template) -> Vec<bool> {
        let mut listed = vec![false; template.document.objects().len()];
        for (index, object) in (0..).zip(&mut template.objects) {
            let document = &template.document;
            object.components.retain(|id| {
                let found = document.object(crate::FileId(*id));
                if let Some(found) = found {
                    listed[found.index()] = true;
                } else {
                    let offset = document.object(crate::FileId(object.id));
                    let message = format!("the component {id} is not in the file");
                    self.fault(
                        ProblemKind::UnresolvedComponent,
                        offset.map_or(0, |object| object.header_span().start),
                        Child::Object(index),
                        message,
                    );
                }
                found.is_some()
            });
        }
        listed
    }

    fn unlisted_component(
        &mut self,
        template: &mut Template,
        object: Object<'_>,
        added: &AddedLists,
    ) {
        let owner = read::owner(&template.document, object);
        let (id, offset) = (object.file_id().0, object.header_span().start);
        match (owner, self.slots.get(&owner)) {
            (0, _) => {}
            (_, Some(Slot::StandIn { instance, source })) => {
                let at = added.order(id).and_then(|order| order.at);
                let instance = &mut template.instances[*instance as usize];
                instance.added_components.push(Added { to: *source, what: id, at });
            }
            (_, Some(Slot::Object(index))) => {
                let message = format!("the object does not list the component {id}");
                let about = Child::Object(*index);
                self.fault(ProblemKind::UnresolvedComponent, offset, about, message);
            }
            _ => match added.by_id.get(&id) {
                // The list of added components says where it belongs.
                Some((instance, order)) => {
                    let instance = &mut template.instances[*instance as usize];
                    let Order { at, to, .. } = *order;
                    instance.added_components.push(Added { to, what: id, at });
                }
                None => {
                    let message = format!("the object {owner} of the component is not in the file");
                    self.fault(ProblemKind::UnresolvedGameObject, offset, None, message);
                }
            },
        }
    }
}

impl Parents {
    /// Makes a root of one member of each circle, and returns those.
    fn break_circles(&mut self) -> Vec<Child> {
        let objects = self.objects.len();
        let mut broken = Vec::new();
        // The walk that first came by; each walk stops where another was.
        let mut walked = vec![0_usize; objects + self.instances.len()];
        for start in 0..walked.len() {
            let mut at = start;
            while walked[at] == 0 {
                walked[at] = start + 1;
                let parent =
                    if at < objects { self.objects[at] } else { self.instances[at - objects] };
                let next = match parent {
                    Parent::Root => break,
                    Parent::Object(index) => index as usize,
                    Parent::Inside { instance, .. } => objects + instance as usize,
                };
                if walked[next] == start + 1 {
                    broken.push(self.make_root(next));
                    break;
                }
                at = next;
            }
        }
        broken
    }

    fn make_root(&mut self, at: usize) -> Child {
        match at.checked_sub(self.objects.len()) {
            Some(index) => {
                self.instances[index] = Parent::Root;
                Child::Instance(index as u32)
            }
            None => {
                self.objects[at] = Parent::Root;
                Child::Object(at as u32)
            }
        }
    }
}

fn make_objects(
    objects: Vec<RawObject>,
    own: &[Option<&RawTransform>],
    parents: &Parents,
) -> Vec<GameObject> {
    let links = own.iter().zip(&parents.objects);
    let make = |(raw, (transform, parent)): (RawObject, (&Option<&RawTransform>, &Parent))| {
        let RawObject { id, name, active, components, .. } = raw;
        let transform = transform.map_or(0, |transform| transform.id);
        let children = Vec::new();
        GameObject { id, transform, name, active, components, children, parent: *parent }
    };
    objects.into_iter().zip(links).map(make).collect()
}

pub(super) fn make_instance((raw, parent): (&RawInstance, &Parent)) -> Instance {
    Instance {
        id: raw.id,
        source: raw.source,
        offset: raw.offset,
        parent: *parent,
        modifications: Vec::new(),
        removed_components: Vec::new(),
        removed_objects: Vec::new(),
        added_children: Vec::new(),
        added_components: Vec::new(),
        handle: 0,
        // Every instance has one such override, for its root.
        reorders: raw.added_objects.is_none()
            && raw.modifications.iter().filter(|m| &*m.path == "m_RootOrder").count() > 1,
        stand_ins: Vec::new(),
    }
}

impl Instance {
    pub(super) fn take_lists(&mut self, raw: RawInstance) {
        self.modifications = raw.modifications;
        // Stable: of two overrides of one property the later counts.
        self.modifications.sort_by_key(|modification| modification.target);
        self.removed_components = raw.removed_components;
        self.removed_objects = raw.removed_objects;
        self.removed_components.sort_unstable();
        self.removed_objects.sort_unstable();
    }

    fn sort_lists(&mut self, added: &AddedLists) {
        // Each is put among those that the ones before it in the list left.
        let in_list = |id: i64| added.order(id).map_or(usize::MAX, |order| order.in_list);
        self.added_components.sort_by_key(|added| (added.to, in_list(added.what)));
        self.stand_ins.sort_unstable();
        self.stand_ins.dedup_by_key(|(inner, _)| *inner);
    }
}
