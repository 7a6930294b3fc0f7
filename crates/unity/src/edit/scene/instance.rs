//! New instances of prefabs.

use super::attach::Child;
use super::{Done, Editor, FileKind, Instantiate, Refusal};
use crate::edit::address::parts;
use crate::edit::{New, NewObject, Override, override_entry, sort_overrides};
use crate::hierarchy::{Component, Hierarchy, Node, Stated};
use crate::index::AssetKind;
use crate::{ClassId, FileId, Guid, Object, Reference};

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

impl Editor<'_> {
    /// Put an instance of a prefab into the file.
    pub fn instantiate(&mut self, wanted: &Instantiate) -> Result<Done, Refusal> {
        let parent = self.parent_named(&wanted.parent)?;
        let (guid, tree) = self.prefab(&wanted.prefab)?;
        let roots = tree.roots();
        let root = roots.first().ok_or_else(|| Refusal::new("the prefab has no root"))?;
        if self.is_old {
            let text = "the file was saved by a Unity before 2018.3";
            return Err(Refusal::new(text).hint("save it with a newer Unity first"));
        }
        let components = root.components();
        let transform =
            components.first().ok_or_else(|| Refusal::new("the prefab's root has no transform"))?;
        let source = Reference { file_id: FileId::PREFAB, guid: Some(guid), kind: 3 };
        let fields = self.instance_fields(root, transform, source)?;
        let id = self.sheet.fresh_ids(&format!("{}/{}", wanted.parent, wanted.prefab), 1);
        let (class, key) = (ClassId::PREFAB_INSTANCE, "PrefabInstance".to_owned());
        self.sheet.add(&NewObject { class, id, key, stripped: false, fields });
        self.forget_tree();
        let at = Stated::Override { instance: id, target: transform.file_id() };
        self.hang(Child { transform: at, instance: Some(id) }, parent.as_ref(), wanted.index)?;
        self.place(at, &wanted.placed, transform.class_id())?;
        let target = root.file_id().ok_or_else(|| Refusal::new("the prefab's root has no id"))?;
        let object = Stated::Override { instance: id, target };
        if let Some(name) = &wanted.name {
            super::create::check_name(name)?;
            self.put(object, &parts("m_Name"), &New::Text(name.clone()))?;
        }
        self.forget_tree();
        let seen = self.find_id(self.id_of(object))?;
        Ok(Done { path: seen.path, id: Some(id), changed: true, ..Done::default() })
    }

    /// A prefab that a change names, expanded.
    pub(super) fn prefab(&mut self, path: &str) -> Result<(Guid, Hierarchy), Refusal> {
        let index = self.project.index;
        let plain = path.replace('\\', "/");
        let asset = index.by_path(&plain).or_else(|| index.by_path(&format!("Assets/{plain}")));
        let Some(asset) = asset else {
            let prefabs = index.assets().filter(|asset| asset.kind() == AssetKind::Prefab);
            let known = prefabs.map(|asset| asset.path()).collect();
            return Err(Refusal::new(format!("there is no prefab {path}")).choices(path, known));
        };
        let guid = asset.guid();
        let guid = guid.ok_or_else(|| Refusal::new(format!("{path} has no .meta file")))?;
        match asset.kind() {
            AssetKind::Prefab => {}
            AssetKind::Model => {
                let text = format!("{path} is a model, whose objects only its importer knows");
                return Err(Refusal::new(text)
                    .hint("make a prefab of it in the editor, and instantiate that"));
            }
            _ => return Err(Refusal::new(format!("{path} is no prefab"))),
        }
        if guid == self.guid && !guid.is_zero() {
            return Err(Refusal::new("a prefab cannot contain itself"));
        }
        let tree = self.expander.expand(guid);
        let tree = tree.map_err(|why| Refusal::new(format!("{path} cannot be used: {why}")))?;
        if self.kind == FileKind::Prefab && self.contains(guid, 0) {
            let text = format!("{path} contains this prefab, so it cannot be put into it");
            return Err(Refusal::new(text));
        }
        Ok((guid, tree))
    }

    /// Whether a prefab has this file in it, however deep.
    fn contains(&self, prefab: Guid, depth: usize) -> bool {
        let Some(asset) = self.project.index.by_guid(prefab) else { return false };
        let inner = asset.objects().filter_map(|object| object.prefab.map(|prefab| prefab.guid));
        let mut inner: Vec<Guid> = inner.collect();
        inner.sort();
        inner.dedup();
        depth < crate::hierarchy::MAX_NESTING
            && inner.into_iter().any(|guid| guid == self.guid || self.contains(guid, depth + 1))
    }

    pub(super) fn instance_fields(
        &self,
        root: &Node<'_>,
        transform: &Component<'_>,
        source: Reference,
    ) -> Result<Vec<(String, New)>, Refusal> {
        let is_rect = transform.class_id() == ClassId::RECT_TRANSFORM;
        let target = transform.file_id();
        let mut overrides: Vec<Override> = Vec::new();
        let is_numbered = self.is_numbered && transform.value("m_RootOrder").is_some();
        if is_numbered {
            let path = "m_RootOrder".to_owned();
            overrides.push(Override { target, path, value: New::int(0) });
        }
        for path in RECT.iter().filter(|_| is_rect).chain(&PLACE) {
            let value = transform.value(path).and_then(|value| value.text().map(str::to_owned));
            let value = New::Number(value.unwrap_or_else(|| "0".to_owned()));
            overrides.push(Override { target, path: (*path).to_owned(), value });
        }
        if let Some(target) = root.file_id() {
            let (path, value) = ("m_Name".to_owned(), New::Text(root.name().into_owned()));
            overrides.push(Override { target, path, value });
        }
        let manner = self.sheet.manner();
        sort_overrides(&mut overrides, &manner);
        let list = overrides.iter().map(|change| override_entry(change, source, manner)).collect();
        let mut changes = vec![
            ("m_TransformParent", New::local(FileId::NULL)),
            ("m_Modifications", New::List(list)),
            ("m_RemovedComponents", New::List(Vec::new())),
        ];
        let (version, lists) = self.lists();
        if let Some(version) = version {
            changes.insert(0, ("serializedVersion", New::int(version)));
        }
        changes.extend(lists.into_iter().map(|list| (list, New::List(Vec::new()))));
        let owned = |(key, value): (&str, New)| (key.to_owned(), value);
        let fields = [
            ("m_ObjectHideFlags", New::int(0)),
            ("serializedVersion", New::int(2)),
            ("m_Modification", New::Map(changes.into_iter().map(owned).collect())),
            ("m_SourcePrefab", New::Reference(source)),
        ];
        Ok(fields.map(owned).to_vec())
    }

    /// The version of what instances of the file change, and the lists of it beyond the first two:
    /// others show them, or the release tells.
    fn lists(&self) -> (Option<i64>, Vec<&'static str>) {
        let is_instance = |object: &Object<'_>| object.class_id() == ClassId::PREFAB_INSTANCE;
        let Some(other) = self.sheet.objects().find(is_instance) else {
            let is_new = self.project.habits.release.is_none_or(|release| release >= LISTS_ADDED);
            return if is_new { (Some(3), LISTS.to_vec()) } else { (None, Vec::new()) };
        };
        let of = |key: &str| other.get(&format!("m_Modification.{key}"));
        let version = of("serializedVersion").and_then(|version| version.text().parse().ok());
        (version, LISTS.into_iter().filter(|list| of(list).is_some()).collect())
    }
}
