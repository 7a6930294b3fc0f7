//! What must hold in a file of Unity: ids that occur once, references that lead somewhere, parents
//! and children that know of each other.

use std::collections::HashSet;

use scenewright_unity::{ClassId, Document, FileId, Object};

use crate::verify::{Breach, Finding, Touched};

const GAME_OBJECT: u32 = 1;
const TRANSFORMS: [u32; 2] = [4, 224];

/// What is wrong in a file: all of it, or what can be wrong because of what was touched.
pub(crate) fn findings(document: &Document, touched: Option<&Touched>) -> HashSet<Finding> {
    let mut found = HashSet::new();
    let mut ids: HashSet<FileId> = HashSet::with_capacity(document.objects().len());
    for object in document.objects() {
        if !ids.insert(object.file_id()) {
            found.insert(Finding::of(Breach::Twice, object.file_id(), ""));
        }
    }
    let touched = touched.map(|touched| {
        let both = touched.changed.iter().chain(&touched.gone);
        both.filter_map(|key| key.parse().ok()).map(FileId).collect::<HashSet<FileId>>()
    });
    if touched.as_ref().is_some_and(HashSet::is_empty) {
        return found;
    }
    // Those that were touched, and those that refer to them.
    let mut near: HashSet<usize> = HashSet::new();
    for reference in document.references() {
        let to = reference.reference;
        let Some(index) = reference.object.filter(|_| to.guid.is_none()) else { continue };
        if touched.as_ref().is_some_and(|touched| touched.contains(&to.file_id)) {
            near.insert(index);
        }
        if to.file_id != FileId(0) && !ids.contains(&to.file_id) {
            let from = document.object_at(index).expect("the document counted it").file_id();
            found.insert(Finding::of(Breach::Dangling, from, &to.file_id.to_string()));
        }
    }
    let is_near = |object: &Object<'_>| match &touched {
        Some(touched) => touched.contains(&object.file_id()) || near.contains(&object.index()),
        None => true,
    };
    for object in document.objects().filter(|object| !object.is_stripped()).filter(is_near) {
        structure(document, object, &mut found);
    }
    let starts = document.objects().filter(is_near).map(Object::file_id);
    circles(document, starts, &mut found);
    found
}

/// Transforms that are below themselves. Each is followed only until one that was followed before; a
/// circle that is new has one in it that was touched.
fn circles(
    document: &Document,
    starts: impl Iterator<Item = FileId>,
    found: &mut HashSet<Finding>,
) {
    let father_of = |id: FileId| {
        let object = document.object(id).filter(|object| !object.is_stripped())?;
        let is_transform = TRANSFORMS.contains(&object.class_id().0);
        Some(object.glance_reference("m_Father").filter(|_| is_transform)?.file_id)
    };
    let mut done: HashSet<FileId> = HashSet::new();
    for start in starts {
        let mut way = HashSet::new();
        let mut at = start;
        while !done.contains(&at) {
            let Some(father) = father_of(at) else { break };
            if !way.insert(at) {
                // Told where it is the same, wherever one comes to it.
                let round = std::iter::successors(Some(at), |at| father_of(*at));
                let first = round.skip(1).take_while(|next| *next != at).chain([at]).min();
                let (first, at) = (first.unwrap_or(at), at);
                let father = father_of(first).unwrap_or(at);
                found.insert(Finding::of(Breach::Circle, first, &father.to_string()));
                break;
            }
            at = father;
        }
        done.extend(way);
    }
}

fn structure(document: &Document, object: Object<'_>, found: &mut HashSet<Finding>) {
    let id = object.file_id();
    let local = |key: &str| {
        let reference = object.glance_reference(key)?;
        document.object(reference.file_id).filter(|_| reference.guid.is_none())
    };
    if let Some(owner) = local("m_GameObject")
        && !owner.is_stripped()
        && owner.class_id() == ClassId(GAME_OBJECT)
        && !mentions(owner, id)
    {
        found.insert(Finding::of(Breach::NotListed, id, &owner.file_id().to_string()));
    }
    if !TRANSFORMS.contains(&object.class_id().0) {
        return;
    }
    if let Some(parent) = local("m_Father")
        && !parent.is_stripped()
        && !mentions(parent, id)
    {
        found.insert(Finding::of(Breach::NotListed, id, &parent.file_id().to_string()));
    }
    // Most have none, and reading all values of each would take longer than all the rest.
    let body = &document.as_bytes()[object.body_span()];
    if memchr::memmem::find(body, b"\n  m_Children: []").is_some() {
        return;
    }
    let Some(children) = object.get("m_Children") else { return };
    for child in children.items().filter_map(|child| child.as_reference()) {
        let Some(child) = document.object(child.file_id).filter(|child| !child.is_stripped())
        else {
            continue;
        };
        let father = child.glance_reference("m_Father").map(|father| father.file_id);
        if father.is_some_and(|father| father != id) {
            found.insert(Finding::of(Breach::OtherParent, child.file_id(), &id.to_string()));
        }
    }
}

fn mentions(object: Object<'_>, id: FileId) -> bool {
    object.references().any(|(_, reference)| reference.file_id == id && reference.guid.is_none())
}
