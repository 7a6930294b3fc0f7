//! The order of siblings.
//!
//! Inside one file `m_Children` has it. Objects added to an instance have a sibling index instead:
//! `insertIndex` in the lists of 2022.2 and later, `m_RootOrder` before. Roots of a scene stand in
//! `SceneRoots` since 2022.2; before, `m_RootOrder` sorts them.

use super::instance::Added;
use super::link::{AddedLists, Linker};
use super::problem::ProblemKind;
use super::read::{RawRoots, RawTransform};
use super::template::{Child, Parent, Slot, Template};

pub(super) fn place_children(
    template: &mut Template,
    own: &[Option<&RawTransform>],
    linker: &mut Linker,
    added: &AddedLists,
) {
    let mut unplaced = listed_children(template, own, linker);
    // Roots are ordered by themselves, and a scene may have thousands.
    unplaced.retain(|child| template.parent(*child) != Parent::Root);
    sort(&mut unplaced, template, own);
    let mut inside = Vec::new();
    for child in unplaced {
        match template.parent(child) {
            Parent::Root => {}
            Parent::Object(parent) => {
                // Files before 5.0 and merges leave children out; Unity shows them last.
                template.objects[parent as usize].children.push(child);
            }
            Parent::Inside { instance, source } => {
                inside.push((instance, place_inside(template, own, added, child, source)));
            }
        }
    }
    inside.sort_by_key(|(_, (in_list, _))| *in_list);
    for (instance, (_, added)) in inside {
        template.instances[instance as usize].added_children.push(added);
    }
    for instance in &mut template.instances {
        // Those with a position go first, in its order, so that each finds its place filled before.
        instance.added_children.sort_by_key(|added| (added.to, added.at.unwrap_or(u32::MAX)));
    }
}

/// Fills in the children that `m_Children` lists, and returns all others.
fn listed_children(
    template: &mut Template,
    own: &[Option<&RawTransform>],
    linker: &mut Linker,
) -> Vec<Child> {
    let mut placed = Placed::new(template);
    for (parent, transform) in (0..).zip(own).filter_map(|(i, own)| Some((i, (*own)?))) {
        for id in &transform.children {
            let child = child_of(linker, *id);
            match child.filter(|child| template.parent(*child) == Parent::Object(parent)) {
                Some(child) if placed.insert(child) => {
                    template.objects[parent as usize].children.push(child);
                    if let Child::Instance(index) = child {
                        template.instances[index as usize].handle = *id;
                    }
                }
                _ => {
                    let message =
                        format!("the child {id} is not in the file or has another parent");
                    let about = Child::Object(parent);
                    linker.fault(ProblemKind::UnresolvedChild, transform.offset, about, message);
                }
            }
        }
    }
    let objects = (0..template.objects.len() as u32).map(Child::Object);
    let instances = (0..template.instances.len() as u32).map(Child::Instance);
    objects.chain(instances).filter(|child| !placed.has(*child)).collect()
}

/// Which objects and instances have their place among siblings.
struct Placed {
    objects: Vec<bool>,
    instances: Vec<bool>,
}

impl Placed {
    fn new(template: &Template) -> Placed {
        let (objects, instances) = (template.objects.len(), template.instances.len());
        Placed { objects: vec![false; objects], instances: vec![false; instances] }
    }

    /// False when it had one already.
    fn insert(&mut self, child: Child) -> bool {
        let place = match child {
            Child::Object(index) => &mut self.objects[index as usize],
            Child::Instance(index) => &mut self.instances[index as usize],
        };
        !std::mem::replace(place, true)
    }

    fn has(&self, child: Child) -> bool {
        match child {
            Child::Object(index) => self.objects[index as usize],
            Child::Instance(index) => self.instances[index as usize],
        }
    }
}

/// Puts siblings in the order that each of them states. What an instance states is in one of its
/// overrides, so that each is asked once.
fn sort(children: &mut [Child], template: &Template, own: &[Option<&RawTransform>]) {
    children.sort_by_cached_key(|child| root_order(template, own, *child).unwrap_or(i64::MAX));
}

fn child_of(linker: &Linker, id: i64) -> Option<Child> {
    match *linker.slots.get(&id)? {
        Slot::Transform(index) => Some(Child::Object(index)),
        Slot::StandIn { instance, .. } | Slot::Instance(instance) => {
            Some(Child::Instance(instance))
        }
        Slot::Object(_) => None,
    }
}

/// The position in the list of added objects, and the entry for the instance.
fn place_inside(
    template: &Template,
    own: &[Option<&RawTransform>],
    added: &AddedLists,
    child: Child,
    to: i64,
) -> (usize, Added<Child>) {
    let listed = match child {
        Child::Object(index) => added.order(template.objects[index as usize].transform),
        Child::Instance(index) => {
            let instance = &template.instances[index as usize];
            instance.stand_ins.iter().find_map(|(_, id)| added.order(*id))
        }
    };
    match listed {
        Some(order) => (order.in_list, Added { to, what: child, at: order.at }),
        None => {
            let at = root_order(template, own, child).and_then(|order| order.try_into().ok());
            (usize::MAX, Added { to, what: child, at })
        }
    }
}

fn root_order(template: &Template, own: &[Option<&RawTransform>], child: Child) -> Option<i64> {
    match child {
        Child::Object(index) => own[index as usize].and_then(|transform| transform.root_order),
        Child::Instance(index) => template.instances[index as usize].root_order(),
    }
}

/// The objects and instances without a parent, in order.
pub(super) fn roots(
    template: &Template,
    own: &[Option<&RawTransform>],
    linker: &mut Linker,
    listed: Option<RawRoots>,
) -> Vec<Child> {
    let objects = (0..template.objects.len() as u32).map(Child::Object);
    let instances = (0..template.instances.len() as u32).map(Child::Instance);
    let mut roots: Vec<Child> =
        objects.chain(instances).filter(|child| template.parent(*child) == Parent::Root).collect();
    let (mut placed, mut ordered) = (Placed::new(template), Vec::new());
    if let Some(listed) = listed {
        for id in listed.transforms {
            let child = child_of(linker, id);
            match child.filter(|child| template.parent(*child) == Parent::Root) {
                Some(child) if placed.insert(child) => ordered.push(child),
                _ => {
                    let message =
                        format!("the root {id} of the scene is not in the file or no root");
                    linker.fault(ProblemKind::UnresolvedRoot, listed.offset, None, message);
                }
            }
        }
    }
    roots.retain(|child| !placed.has(*child));
    sort(&mut roots, template, own);
    ordered.extend(roots);
    ordered
}
