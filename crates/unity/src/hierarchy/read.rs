//! What a file says about its hierarchy, before anything is linked.

use scenewright_text::Shared;

use super::instance::Modification;
use super::problem::ProblemKind;
use super::quick;
use super::template::Fault;
use crate::parts::in_parts;
use crate::{ClassId, Document, Guid, Object, Reference, Value};

#[derive(Default)]
pub(super) struct Raw {
    pub(super) objects: Vec<RawObject>,
    pub(super) transforms: Vec<RawTransform>,
    pub(super) instances: Vec<RawInstance>,
    pub(super) stand_ins: Vec<RawStandIn>,
    /// The positions in the document of all that may be components.
    pub(super) others: Vec<usize>,
    /// The order of the roots, where the file states it.
    pub(super) roots: Option<RawRoots>,
    pub(super) faults: Vec<Fault>,
}

pub(super) struct RawRoots {
    pub(super) offset: usize,
    /// Transforms, and prefab instances.
    pub(super) transforms: Vec<i64>,
}

pub(super) struct RawObject {
    pub(super) id: i64,
    pub(super) offset: usize,
    pub(super) name: Box<str>,
    pub(super) active: bool,
    pub(super) components: Vec<i64>,
}

pub(super) struct RawTransform {
    pub(super) id: i64,
    pub(super) offset: usize,
    pub(super) object: i64,
    pub(super) father: i64,
    pub(super) children: Vec<i64>,
    pub(super) root_order: Option<i64>,
}

#[cfg_attr(test, derive(Debug))]
pub(super) struct RawInstance {
    pub(super) id: i64,
    pub(super) offset: usize,
    pub(super) source: Guid,
    pub(super) transform_parent: i64,
    pub(super) modifications: Vec<Modification>,
    /// Overrides of other files than the source, which Unity keeps and does not apply.
    pub(super) foreign: Vec<Modification>,
    pub(super) removed_components: Vec<i64>,
    pub(super) removed_objects: Vec<i64>,
    /// Nothing in files from before 2022.2, which have no such list.
    pub(super) added_objects: Option<Vec<RawAdded>>,
    pub(super) added_components: Option<Vec<RawAdded>>,
}

#[cfg_attr(test, derive(Debug))]
pub(super) struct RawAdded {
    pub(super) to: i64,
    pub(super) what: i64,
    pub(super) at: Option<u32>,
}

#[cfg_attr(test, derive(Debug))]
pub(super) struct RawStandIn {
    pub(super) id: i64,
    pub(super) offset: usize,
    pub(super) instance: i64,
    pub(super) source: i64,
}

/// What an instance says, before it is known which of its overrides are of the source.
#[derive(Default)]
pub(super) struct RawUnsorted {
    pub(super) transform_parent: i64,
    /// The overrides, each with the file it is of.
    pub(super) all: Vec<(Option<Guid>, Modification)>,
    pub(super) removed_components: Vec<i64>,
    pub(super) removed_objects: Vec<i64>,
    pub(super) added_objects: Option<Vec<RawAdded>>,
    pub(super) added_components: Option<Vec<RawAdded>>,
}

impl RawUnsorted {
    pub(super) fn into_instance(self, id: i64, offset: usize, source: Guid) -> RawInstance {
        let (mut modifications, mut foreign) = (Vec::with_capacity(self.all.len()), Vec::new());
        for (guid, change) in self.all {
            let is_own = guid.is_none_or(|guid| guid == source);
            if is_own { &mut modifications } else { &mut foreign }.push(change);
        }
        RawInstance {
            id,
            offset,
            source,
            transform_parent: self.transform_parent,
            modifications,
            foreign,
            removed_components: self.removed_components,
            removed_objects: self.removed_objects,
            added_objects: self.added_objects,
            added_components: self.added_components,
        }
    }
}

pub(super) fn read(document: &Document) -> Raw {
    let mut raw = Raw::default();
    let quick = read_quickly(document);
    let mut quick = quick.into_iter().flatten().peekable();
    // Most overrides of a scene have one of a dozen paths and one of a few values.
    let mut texts = Shared::default();
    let repeated = document.repeated();
    let text = |object: Object<'_>| &document.as_bytes()[object.span()];
    for object in document.objects() {
        let (id, offset) = (object.file_id(), object.header_span().start);
        let known = quick.next_if(|(at, _)| *at == object.index()).map(|(_, read)| read);
        // The first of two counts, as it does in `Document::object`.
        if repeated.binary_search(&object.index()).is_ok() {
            let message = format!("the id {id} occurs a second time; the second object is ignored");
            let kind = ProblemKind::DuplicateId;
            raw.faults.push(Fault { kind, offset, about: None, message, gone: 0 });
            continue;
        }
        match object.class_id() {
            _ if object.is_stripped() => {
                let quick = quick::stand_in(text(object), id.0, offset);
                raw.stand_ins.extend(quick.or_else(|| peek(document, object, read_stand_in)));
            }
            ClassId::GAME_OBJECT => match known {
                Some(Quick::Object(read)) => raw.objects.push(read),
                _ => raw.objects.extend(peek(document, object, read_object)),
            },
            ClassId::TRANSFORM | ClassId::RECT_TRANSFORM => match known {
                Some(Quick::Transform(read)) => raw.transforms.push(read),
                _ => raw.transforms.extend(peek(document, object, read_transform)),
            },
            ClassId::PREFAB_INSTANCE => {
                let quick = quick::instance(text(object), id.0, offset, &mut texts);
                let read = |object: Object<'_>, offset| read_instance(object, offset, &mut texts);
                raw.instances.extend(quick.or_else(|| peek(document, object, read).flatten()));
            }
            ClassId::SCENE_ROOTS => {
                raw.roots = peek(document, object, |object, offset| RawRoots {
                    offset,
                    transforms: ids(object.get("m_Roots")),
                });
            }
            _ => raw.others.push(object.index()),
        }
    }
    raw
}

/// What most objects of a hierarchy are.
enum Quick {
    Object(RawObject),
    Transform(RawTransform),
}

/// Fewer objects than this are read sooner than threads are started.
const MANY: usize = 20_000;

/// The GameObjects and transforms that are written in the usual way, with their places; in parts, for
/// a large scene has so many that moving them together costs as much as reading them.
fn read_quickly(document: &Document) -> Vec<Vec<(usize, Quick)>> {
    let read = |at: usize| {
        let object = document.object_at(at).filter(|object| !object.is_stripped())?;
        let (id, offset) = (object.file_id().0, object.header_span().start);
        let text = || &document.as_bytes()[object.span()];
        let read = match object.class_id() {
            ClassId::GAME_OBJECT => quick::object(text(), id, offset).map(Quick::Object),
            ClassId::TRANSFORM | ClassId::RECT_TRANSFORM => {
                quick::transform(text(), id, offset).map(Quick::Transform)
            }
            _ => None,
        };
        Some((at, read?))
    };
    in_parts(document.objects().len(), MANY, |part| part.filter_map(read).collect())
}

/// Reads one object from a copy of its text: the document keeps the values of every object it was
/// asked for, and those of a whole scene outweigh it many times.
pub(super) fn peek<T>(
    document: &Document,
    object: Object<'_>,
    read: impl FnOnce(Object<'_>, usize) -> T,
) -> Option<T> {
    let span = object.span();
    let copy = Document::parse(&document.as_bytes()[span.clone()]);
    copy.object_at(0).map(|object| read(object, span.start))
}

/// The id of the GameObject that a component says it is on; 0 for none.
pub(super) fn owner(document: &Document, object: Object<'_>) -> i64 {
    let quick = quick::owner(&document.as_bytes()[object.span()]);
    let read = |object: Object<'_>, _| id_at(object, ["m_GameObject"; 2]);
    quick.or_else(|| peek(document, object, read)).unwrap_or(0)
}

fn id_at(object: Object<'_>, keys: [&str; 2]) -> i64 {
    let reference = keys.iter().find_map(|key| object.get(key)?.as_reference());
    reference.map_or(0, |reference| reference.file_id.0)
}

fn ids(list: Option<Value<'_>>) -> Vec<i64> {
    let references = list.into_iter().flat_map(Value::items).filter_map(Value::as_reference);
    references.map(|reference| reference.file_id.0).collect()
}

pub(super) fn read_stand_in(object: Object<'_>, offset: usize) -> RawStandIn {
    let source = id_at(object, ["m_CorrespondingSourceObject", "m_PrefabParentObject"]);
    let instance = id_at(object, ["m_PrefabInstance", "m_PrefabInternal"]);
    RawStandIn { id: object.file_id().0, offset, instance, source }
}

pub(super) fn read_object(object: Object<'_>, offset: usize) -> RawObject {
    let name = object.get("m_Name").map(|name| name.text().into()).unwrap_or_default();
    let active = object.get("m_IsActive").and_then(Value::as_bool).unwrap_or(true);
    // Old files have the class number as the key instead of `component`.
    let items = object.get("m_Component").into_iter().flat_map(Value::items);
    let components = items
        .filter_map(|item| item.fields().next()?.1.as_reference())
        .map(|reference| reference.file_id.0)
        .collect();
    RawObject { id: object.file_id().0, offset, name, active, components }
}

pub(super) fn read_transform(object: Object<'_>, offset: usize) -> RawTransform {
    RawTransform {
        id: object.file_id().0,
        offset,
        object: id_at(object, ["m_GameObject"; 2]),
        father: id_at(object, ["m_Father"; 2]),
        children: ids(object.get("m_Children")),
        root_order: object.get("m_RootOrder").and_then(Value::as_i64),
    }
}

pub(super) fn read_instance(
    object: Object<'_>,
    offset: usize,
    texts: &mut Shared,
) -> Option<RawInstance> {
    let source = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| object.get(key));
    // Prefab files from before 2018.3 describe themselves with an instance of nothing.
    let source = source.and_then(Value::as_reference)?.guid.filter(|guid| !guid.is_zero())?;
    let changes = object.get("m_Modification");
    let get = |key| changes.and_then(|changes| changes.get(key));
    let items = get("m_Modifications").into_iter().flat_map(Value::items);
    let all = items.filter_map(|item| {
        let target = item.get("target").and_then(Value::as_reference)?;
        Some((target.guid, read_modification(item, target, offset, texts)))
    });
    let transform_parent = get("m_TransformParent").and_then(Value::as_reference);
    let read = RawUnsorted {
        transform_parent: transform_parent.map_or(0, |reference| reference.file_id.0),
        all: all.collect(),
        removed_components: ids(get("m_RemovedComponents")),
        removed_objects: ids(get("m_RemovedGameObjects")),
        added_objects: get("m_AddedGameObjects").map(read_added),
        added_components: get("m_AddedComponents").map(read_added),
    };
    Some(read.into_instance(object.file_id().0, offset, source))
}

fn read_modification(
    item: Value<'_>,
    target: Reference,
    offset: usize,
    texts: &mut Shared,
) -> Modification {
    let mut text = |key| texts.share(item.get(key).map(Value::text).as_deref().unwrap_or_default());
    let reference = item.get("objectReference").and_then(Value::as_reference);
    Modification {
        target: target.file_id.0,
        path: text("propertyPath"),
        value: text("value"),
        reference: reference.unwrap_or(Reference {
            guid: None,
            file_id: Default::default(),
            kind: 0,
        }),
        offset: offset + item.span().start,
    }
}

fn read_added(list: Value<'_>) -> Vec<RawAdded> {
    let id = |item: Value<'_>, key| Some(item.get(key)?.as_reference()?.file_id.0);
    let read = |item: Value<'_>| {
        Some(RawAdded {
            to: id(item, "targetCorrespondingSourceObject")?,
            what: id(item, "addedObject")?,
            // -1 stands for the end.
            at: item.get("insertIndex")?.as_u64().and_then(|at| at.try_into().ok()),
        })
    };
    list.items().filter_map(read).collect()
}
