//! What a new instance of a prefab has in a file.

use super::{Manner, New, Override, override_entry, sort_overrides};
use crate::hierarchy::{Component, Node};
use crate::{ClassId, FileId, Object, Reference};

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
const LISTS_ADDED: (u32, u32) = (2022, 2);

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

/// The fields of a new instance of the prefab with this root, which has the prefab's own values.
/// `others` are the objects of its file.
pub fn instance_fields<'d>(
    root: &Node<'_>,
    transform: &Component<'_>,
    source: Reference,
    form: InstanceForm,
    others: impl Iterator<Item = Object<'d>>,
) -> Vec<(String, New)> {
    let is_rect = transform.class_id() == ClassId::RECT_TRANSFORM;
    let target = transform.file_id();
    let mut overrides: Vec<Override> = Vec::new();
    let order = form.order.filter(|_| transform.value("m_RootOrder").is_some());
    overrides.extend(order.map(|order| {
        let path = "m_RootOrder".to_owned();
        Override { target, path, value: New::int(order) }
    }));
    for path in RECT.iter().filter(|_| is_rect).chain(&PLACE) {
        let value = transform.value(path).and_then(|value| value.text().map(str::to_owned));
        let value = New::Number(value.unwrap_or_else(|| "0".to_owned()));
        overrides.push(Override { target, path: (*path).to_owned(), value });
    }
    if let Some(target) = root.file_id() {
        let (path, value) = ("m_Name".to_owned(), New::Text(root.name().into_owned()));
        overrides.push(Override { target, path, value });
    }
    sort_overrides(&mut overrides, &form.manner, others);
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

/// What the instances of a file list: others show it, or the release tells.
pub fn instance_lists<'d>(
    mut objects: impl Iterator<Item = Object<'d>>,
    release: Option<(u32, u32)>,
) -> InstanceLists {
    let other = objects.find(|object| object.class_id() == ClassId::PREFAB_INSTANCE);
    let Some(other) = other else {
        return match release.is_none_or(|release| release >= LISTS_ADDED) {
            true => InstanceLists { version: Some(3), lists: LISTS.to_vec() },
            false => InstanceLists::default(),
        };
    };
    let of = |key: &str| other.get(&format!("m_Modification.{key}"));
    let version = of("serializedVersion").and_then(|version| version.text().parse().ok());
    InstanceLists { version, lists: LISTS.into_iter().filter(|list| of(list).is_some()).collect() }
}
