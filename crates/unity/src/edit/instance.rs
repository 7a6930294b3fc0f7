//! What a new instance of a prefab has in a file, and the lists of what is added to one and removed.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::{Item, Manner, New, Override, Refused, override_entry, set_list, sort_overrides};
use crate::hierarchy::{Component, ModelRoot, Node};
use crate::{ClassId, FileId, Object, Reference, Value};

/// What every instance says of its root.
const PLACE: [&str; 10] = [
    "m_LocalPosition.x",
    "m_LocalPosition.y",
    "m_LocalPosition.z",
    "m_LocalRotation.w",
    "m_LocalRotation.x",
    "m_LocalRotation.y",
    "m_LocalRotation.z",
    "m_LocalEulerAnglesHint.x",
    "m_LocalEulerAnglesHint.y",
    "m_LocalEulerAnglesHint.z",
];
/// The same of one in a user interface.
const RECT: [&str; 10] = [
    "m_Pivot.x",
    "m_Pivot.y",
    "m_AnchorMax.x",
    "m_AnchorMax.y",
    "m_AnchorMin.x",
    "m_AnchorMin.y",
    "m_SizeDelta.x",
    "m_SizeDelta.y",
    "m_AnchoredPosition.x",
    "m_AnchoredPosition.y",
];
/// What an instance lists beyond overrides and removed components.
const LISTS: [&str; 3] = ["m_RemovedGameObjects", "m_AddedGameObjects", "m_AddedComponents"];
/// Since this release it does.
pub(super) const LISTS_ADDED: (u32, u32) = (2022, 2);

/// How the file of a new instance has its instances.
#[derive(Debug, Clone)]
pub struct InstanceForm {
    /// How the file is written.
    pub manner: Manner,
    /// The place among siblings, where the file numbers them.
    pub order: Option<i64>,
    /// What they list.
    pub lists: InstanceLists,
}

/// The version of what the instances of a file change, and the lists of it beyond overrides and
/// removed components.
#[derive(Debug, Clone, Default)]
pub struct InstanceLists {
    version: Option<i64>,
    lists: Vec<&'static str>,
}

/// The root of a prefab, as far as a new instance says something of it.
#[derive(Debug, Clone)]
pub struct SourceRoot {
    /// Its id in the prefab.
    pub object: Option<FileId>,
    /// Its name.
    pub name: String,
    /// The id of its transform.
    pub transform: FileId,
    /// The class of that.
    pub class: ClassId,
    /// Whether that is numbered.
    has_number: bool,
    /// Where it is, by path.
    values: Vec<(&'static str, String)>,
    /// What no file states of that: its position, its rotation.
    pub unstated: Vec<&'static str>,
}

impl SourceRoot {
    /// The root of a prefab and its transform.
    pub fn of(root: &Node<'_>, transform: &Component<'_>) -> SourceRoot {
        let value = |path: &str| transform.value(path)?.text().map(str::to_owned);
        SourceRoot {
            object: root.file_id(),
            name: root.name().into_owned(),
            transform: transform.file_id(),
            class: transform.class_id(),
            has_number: transform.value("m_RootOrder").is_some(),
            values: values(value),
            unstated: Vec::new(),
        }
    }

    /// The root of a model.
    pub fn of_model(root: ModelRoot, name: String) -> SourceRoot {
        SourceRoot {
            object: Some(root.object),
            name,
            transform: root.transform,
            class: ClassId::TRANSFORM,
            has_number: true,
            values: values(|_| None),
            unstated: unstated(|_| false),
        }
    }

    /// The root of a prefab that is a variant of a model: the variant says where it is.
    pub fn closed(root: &Node<'_>) -> Option<SourceRoot> {
        let transform = root.closed_transform()?;
        Some(SourceRoot {
            object: Some(root.file_id()?),
            name: root.name().into_owned(),
            transform: transform.file_id(),
            class: ClassId::TRANSFORM,
            has_number: true,
            values: values(|path| transform.value(path).map(str::to_owned)),
            unstated: unstated(|path| transform.value(path).is_some()),
        })
    }
}

/// Which of position and rotation is not stated whole.
fn unstated(is_stated: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let places = [("position", "m_LocalPosition."), ("rotation", "m_LocalRotation.")];
    let is_open = |prefix: &str| {
        let mut paths = PLACE.iter().filter(|path| path.starts_with(prefix));
        paths.any(|path| !is_stated(path))
    };
    places.into_iter().filter(|(_, prefix)| is_open(prefix)).map(|(what, _)| what).collect()
}

fn values(value: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, String)> {
    let nowhere = |path: &str| match path {
        "m_LocalRotation.w" => "1".to_owned(),
        _ => "0".to_owned(),
    };
    let paths = RECT.into_iter().chain(PLACE);
    paths.map(|path| (path, value(path).unwrap_or_else(|| nowhere(path)))).collect()
}

/// The fields of a new instance of the prefab with this root, which has the prefab's own values.
/// `others` are the objects of its file.
pub fn instance_fields<'d>(
    root: &SourceRoot,
    source: Reference,
    form: InstanceForm,
    others: impl Iterator<Item = Object<'d>>,
) -> Vec<(String, New)> {
    let is_rect = root.class == ClassId::RECT_TRANSFORM;
    let target = root.transform;
    let mut overrides: Vec<Override> = Vec::new();
    let order = form.order.filter(|_| root.has_number);
    overrides.extend(order.map(|order| {
        let path = "m_RootOrder".to_owned();
        Override { target, path, value: New::int(order) }
    }));
    let is_told = |path: &str| is_rect || !RECT.contains(&path);
    for (path, value) in root.values.iter().filter(|(path, _)| is_told(path)) {
        let value = New::Number(value.clone());
        overrides.push(Override { target, path: (*path).to_owned(), value });
    }
    if let Some(target) = root.object {
        let (path, value) = ("m_Name".to_owned(), New::Text(root.name.clone()));
        overrides.push(Override { target, path, value });
    }
    sort_overrides(&mut overrides, source, &form.manner, others);
    let list = overrides.iter().map(|change| override_entry(change, source, form.manner)).collect();
    let mut changes = vec![
        ("m_TransformParent", New::local(FileId::NULL)),
        ("m_Modifications", New::List(list)),
        ("m_RemovedComponents", New::List(Vec::new())),
    ];
    if let Some(version) = form.lists.version {
        changes.insert(0, ("serializedVersion", New::int(version)));
    }
    changes.extend(form.lists.lists.into_iter().map(|list| (list, New::List(Vec::new()))));
    let owned = |(key, value): (&str, New)| (key.to_owned(), value);
    let fields = [
        ("m_ObjectHideFlags", New::int(0)),
        ("serializedVersion", New::int(2)),
        ("m_Modification", New::Map(changes.into_iter().map(owned).collect())),
        ("m_SourcePrefab", New::Reference(source)),
    ];
    fields.map(owned).to_vec()
}

/// What the instances of a file list: others show it, or its transforms, or the release tells. No file has
/// both forms, and none that does not number its transforms has the older one.
pub fn instance_lists<'d>(
    mut objects: impl Iterator<Item = Object<'d>>,
    release: Option<(u32, u32)>,
    is_numbered: bool,
) -> InstanceLists {
    let other = objects.find(|object| object.class_id() == ClassId::PREFAB_INSTANCE);
    let Some(other) = other else {
        let is_later = release.is_none_or(|release| release >= LISTS_ADDED);
        return match is_later || !is_numbered {
            true => InstanceLists { version: Some(3), lists: LISTS.to_vec() },
            false => InstanceLists::default(),
        };
    };
    let of = |key: &str| other.get(&format!("m_Modification.{key}"));
    let version = of("serializedVersion").and_then(|version| version.text().parse().ok());
    InstanceLists { version, lists: LISTS.into_iter().filter(|list| of(list).is_some()).collect() }
}

/// What changes in the lists of an instance; ids inside are those of its source.
#[derive(Debug, Default)]
pub struct ListChanges {
    /// Objects that are not there.
    pub removed_objects: Vec<FileId>,
    /// Components that are not there.
    pub removed_components: Vec<FileId>,
    /// Transform inside, transform here, place among its siblings; -1 for the last.
    pub added_objects: Vec<(FileId, FileId, i64)>,
    /// Object inside, component here, place among its components.
    pub added_components: Vec<(FileId, FileId, i64)>,
    /// What was added before and is no more.
    pub dropped: HashSet<FileId>,
    /// What was added before that the new things come in front of; behind all without it.
    pub next: Option<FileId>,
}

/// Change the lists of an instance of `source`. Versions without lists of added things find those by
/// their parents.
pub fn change_lists(
    instance: Object<'_>,
    source: Reference,
    changes: &ListChanges,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let of = |target: FileId| New::Reference(Reference { file_id: target, ..source });
    let removed = |ids: &[FileId]| ids.iter().map(|id| of(*id)).collect::<Vec<New>>();
    let added = |all: &[(FileId, FileId, i64)]| {
        let entry = |(to, what, at): &(FileId, FileId, i64)| {
            New::Map(vec![
                ("targetCorrespondingSourceObject".into(), of(*to)),
                ("insertIndex".into(), New::int(*at)),
                ("addedObject".into(), New::local(*what)),
            ])
        };
        all.iter().map(entry).collect::<Vec<New>>()
    };
    let all = [
        ("m_Modification.m_RemovedGameObjects", removed(&changes.removed_objects)),
        ("m_Modification.m_RemovedComponents", removed(&changes.removed_components)),
        ("m_Modification.m_AddedGameObjects", added(&changes.added_objects)),
        ("m_Modification.m_AddedComponents", added(&changes.added_components)),
    ];
    for (path, new) in all {
        let Some(list) = instance.get(path) else { continue };
        let added = |item: Value<'_>| Some(item.get("addedObject")?.as_reference()?.file_id);
        let is_kept = |id: &Option<FileId>| id.is_none_or(|id| !changes.dropped.contains(&id));
        let old = list.items().map(added).enumerate().filter(|(_, id)| is_kept(id));
        let old: Vec<(usize, Option<FileId>)> = old.collect();
        let next = changes.next.and_then(|next| old.iter().position(|(_, id)| *id == Some(next)));
        let mut items: Vec<Item> = old.iter().map(|(at, _)| Item::Old(*at)).collect();
        let place = next.unwrap_or(items.len());
        items.splice(place..place, new.into_iter().map(Item::New));
        set_list(instance, path, &items, manner, edits)?;
    }
    Ok(())
}
