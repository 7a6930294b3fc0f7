//! What must hold in a file of Unity: ids that occur once, references that lead somewhere, parents
//! and children that know of each other.

use std::collections::{HashMap, HashSet};

use scenewright_unity::{ClassId, Document, FileId, Object};

use crate::verify::{Breach, Finding};

const GAME_OBJECT: u32 = 1;
const TRANSFORMS: [u32; 2] = [4, 224];

/// All that is wrong in a file.
pub(crate) fn findings(document: &Document) -> HashSet<Finding> {
    let mut found = HashSet::new();
    let mut ids: HashMap<FileId, usize> = HashMap::new();
    for object in document.objects() {
        if ids.insert(object.file_id(), object.index()).is_some() {
            found.insert(Finding::of(Breach::Twice, object.file_id(), ""));
        }
    }
    for reference in document.references() {
        let to = reference.reference;
        let is_local = to.guid.is_none() && to.file_id != FileId(0);
        let Some(index) = reference.object.filter(|_| is_local && !ids.contains_key(&to.file_id))
        else {
            continue;
        };
        let from = document.object_at(index).expect("the document counted it").file_id();
        found.insert(Finding::of(Breach::Dangling, from, &to.file_id.to_string()));
    }
    let mut fathers: HashMap<FileId, FileId> = HashMap::new();
    for object in document.objects().filter(|object| !object.is_stripped()) {
        structure(document, object, &mut found);
        if TRANSFORMS.contains(&object.class_id().0)
            && let Some(father) = object.glance_reference("m_Father")
        {
            fathers.insert(object.file_id(), father.file_id);
        }
    }
    circles(&fathers, &mut found);
    found
}

/// Transforms that are below themselves. Each is followed only until one that was followed before.
fn circles(fathers: &HashMap<FileId, FileId>, found: &mut HashSet<Finding>) {
    let mut done: HashSet<FileId> = HashSet::new();
    for start in fathers.keys() {
        let mut way = HashSet::new();
        let mut at = *start;
        while let Some(father) = fathers.get(&at).filter(|_| !done.contains(&at)) {
            if !way.insert(at) {
                found.insert(Finding::of(Breach::Circle, at, &father.to_string()));
                break;
            }
            at = *father;
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
