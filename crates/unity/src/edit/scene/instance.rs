//! New instances of prefabs.

use super::attach::Child;
use super::{Done, Editor, FileKind, Instantiate, Refusal};
use crate::edit::address::parts;
use crate::edit::{InstanceForm, New, NewObject, SourceRoot, instance_fields, instance_lists};
use crate::hierarchy::{Hierarchy, Stated};
use crate::index::{Asset, AssetKind, Index};
use crate::{ClassId, FileId, Guid, Reference};

impl Editor<'_> {
    /// Put an instance of a prefab into the file.
    pub fn instantiate(&mut self, wanted: &Instantiate) -> Result<Done, Refusal> {
        self.settle();
        let parent = self.parent_named(&wanted.parent)?;
        let (guid, root) = self.source_root(&wanted.prefab)?;
        self.refuse_if_old()?;
        let is_given = |what: &&str| match *what {
            "position" => wanted.placed.position.is_some(),
            _ => wanted.placed.rotation.is_some(),
        };
        let unknown: Vec<&str> = root.unstated.iter().copied().filter(|w| !is_given(w)).collect();
        if !unknown.is_empty() {
            let what = unknown.join(" and ");
            let text = format!("the {what} of {} only Unity's importer knows", wanted.prefab);
            return Err(Refusal::new(text).hint(format!("give {what}")));
        }
        let source = Reference { file_id: FileId::PREFAB, guid: Some(guid), kind: 3 };
        let fields = self.instance_fields(&root, source);
        let id = self.instance_id(&format!("{}/{}", wanted.parent, wanted.prefab), guid);
        let (class, key) = (ClassId::PREFAB_INSTANCE, "PrefabInstance".to_owned());
        self.sheet.add(&NewObject { class, id, key, stripped: false, fields });
        let at = Stated::Override { instance: id, target: root.transform };
        let child = Child { transform: at, instance: Some(id) };
        let (place, is_last) = self.hang(child, parent.as_ref(), wanted.index)?;
        self.place(at, &wanted.placed, root.class)?;
        let target = root.object.ok_or_else(|| Refusal::new("the prefab's root has no id"))?;
        let object = Stated::Override { instance: id, target };
        if let Some(name) = &wanted.name {
            super::create::check_name(name)?;
            self.put(object, &parts("m_Name"), &New::Text(name.clone()))?;
        }
        let ids = [id, self.id_of(at)];
        let path = if is_last {
            let name = wanted.name.as_deref().unwrap_or(&root.name);
            self.take_in_last(&ids, child, parent.as_ref(), name)
        } else {
            self.take_in(&ids, child, parent.as_ref(), place);
            self.find_whole(&format!("#{}", self.id_of(object)))?.path
        };
        Ok(Done { path, id: Some(id), changed: true, ..Done::default() })
    }

    /// An id for a new instance. In prefabs it makes those of all that is inside, and what was unpacked
    /// may have such an id.
    fn instance_id(&mut self, seed: &str, source: Guid) -> FileId {
        let tree = match self.kind {
            FileKind::Prefab => self.expander.expand(source).ok(),
            _ => None,
        };
        let inner: Vec<FileId> =
            tree.iter().flat_map(|tree| tree.document().objects()).map(|it| it.file_id()).collect();
        loop {
            let id = self.sheet.fresh_ids(seed, 1);
            let by_rule = |inner: &FileId| FileId((id.0 ^ inner.0) & i64::MAX);
            if !inner.iter().any(|inner| self.sheet.object(by_rule(inner)).is_some()) {
                return id;
            }
        }
    }

    /// The root of a prefab or model that a change names.
    fn source_root(&mut self, path: &str) -> Result<(Guid, SourceRoot), Refusal> {
        let model =
            asset_named(self.project.index, path).filter(|asset| asset.kind() == AssetKind::Model);
        if let Some(asset) = model {
            let root = asset.guid().zip(self.project.index.model_root(asset));
            let (guid, root) = root.ok_or_else(|| {
                Refusal::new(format!("the .meta of {path} does not tell the model's root"))
                    .hint("open the project in Unity once, which writes it")
            })?;
            let name = asset.name();
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            return Ok((guid, SourceRoot::of_model(root, stem.to_owned())));
        }
        let (guid, tree) = self.prefab(path)?;
        let roots = tree.roots();
        let root = roots.first().ok_or_else(|| Refusal::new("the prefab has no root"))?;
        let root = match root.opaque() {
            Some(_) => SourceRoot::closed(root),
            None => root.components().first().map(|held| SourceRoot::of(root, held)),
        };
        let root = root.ok_or_else(|| Refusal::new("the prefab's root has no transform"))?;
        Ok((guid, root))
    }

    /// A prefab that a change names, expanded.
    pub(super) fn prefab(&mut self, path: &str) -> Result<(Guid, Hierarchy), Refusal> {
        let index = self.project.index;
        let Some(asset) = asset_named(index, path) else {
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
        let inner = asset.instances().map(|(_, prefab)| prefab.guid);
        let mut inner: Vec<Guid> = inner.collect();
        inner.sort();
        inner.dedup();
        depth < crate::hierarchy::MAX_NESTING
            && inner.into_iter().any(|guid| guid == self.guid || self.contains(guid, depth + 1))
    }

    pub(super) fn instance_fields(
        &self,
        root: &SourceRoot,
        source: Reference,
    ) -> Vec<(String, New)> {
        let form = InstanceForm {
            manner: self.sheet.manner(),
            order: self.is_numbered.then_some(0),
            lists: instance_lists(
                self.sheet.objects(),
                self.project.habits.release,
                self.is_numbered,
            ),
        };
        instance_fields(root, source, form, self.sheet.objects())
    }
}

fn asset_named<'i>(index: &'i Index, path: &str) -> Option<Asset<'i>> {
    let plain = path.replace('\\', "/");
    index.by_path(&plain).or_else(|| index.by_path(&format!("Assets/{plain}")))
}
