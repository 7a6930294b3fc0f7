//! Prefabs made of objects of a scene, which become instances of them; and variants.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::attach::Child;
use super::copy::copied;
use super::delete::{Subtree, text_of};
use super::{Done, Editor, FileKind, Refusal, Seen};
use crate::edit::{self, Inner, New, NewObject, Override, Sheet, SourceRoot};
use crate::hierarchy::{Hierarchy, Stated};
use crate::{ClassId, Document, FileId, Guid, Object, Reference, Value};

/// What every text file of Unity's begins with.
const HEAD: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

/// A new prefab.
pub struct Extracted {
    /// The file.
    pub prefab: Vec<u8>,
    /// What became of the object.
    pub done: Done,
}

/// A new prefab, its ids by those that the scene has, and what it referred to outside.
struct NewPrefab {
    bytes: Vec<u8>,
    ids: HashMap<FileId, FileId>,
    outward: Vec<Outward>,
}

/// A reference from inside what becomes a prefab to what stays outside.
pub(super) struct Outward {
    pub(super) target: FileId,
    pub(super) path: String,
    pub(super) to: Reference,
}

impl Editor<'_> {
    /// Make a prefab of an object with all in it, and the object an instance of it. What outside
    /// refers to stays what it is; what inside refers to outside becomes an override.
    pub fn extract(&mut self, object: &str, guid: Guid) -> Result<Extracted, Refusal> {
        let seen = self.find(object)?;
        if let Stated::Override { .. } = seen.at {
            let text = format!("{} is part of an instance of a prefab", seen.path);
            return Err(
                Refusal::new(text).hint("prefab_createVariant makes a variant of that prefab")
            );
        }
        self.refuse_if_old()?;
        let parent = self.parent(&seen)?;
        if parent.is_none() && self.kind == FileKind::Prefab {
            return Err(Refusal::new(format!("{} is the root of a prefab already", seen.path)));
        }
        let subtree = self.subtree(&seen);
        let instance = self.sheet.fresh_ids(&format!("instance/{}", seen.path), 1);
        let new = self.prefab_of(&seen, &subtree, instance)?;
        let prefab = new.bytes.clone();
        let tree = self.expander.scene(Arc::new(Document::parse(prefab.clone())), guid);
        let done =
            self.replace_by_instance(&seen, parent.as_ref(), &subtree, instance, (new, tree))?;
        Ok(Extracted { prefab, done })
    }

    /// The prefab of an object and all in it, of which this file gets an instance.
    fn prefab_of(
        &mut self,
        seen: &Seen,
        subtree: &Subtree,
        instance: FileId,
    ) -> Result<NewPrefab, Refusal> {
        let head = HEAD.replace('\n', self.sheet.manner().line_break);
        let mut sheet = Sheet::new(Arc::new(Document::parse(head)), self.sheet.manner(), true);
        let ids = self.name_copies(subtree, &mut sheet, instance);
        for id in &subtree.own {
            let Some(object) = self.sheet.object(*id) else { continue };
            let text = text_of(object.document(), object);
            sheet.add_text(ids[id], copied(&text, *id, ids[id], self.sheet.manner(), &ids));
        }
        let Stated::Here(transform) = seen.transform()?.at else {
            return Err(Refusal::new(format!("{} has no transform of its own", seen.path)));
        };
        let root = ids[&transform];
        let refused = |refused: edit::Refused| Refusal::new(refused.to_string());
        sheet
            .edit(root, |object, manner, edits| {
                edit::set(object, "m_Father", &New::local(FileId::NULL), manner, edits)?;
                match object.get("m_RootOrder") {
                    Some(_) => edit::set(object, "m_RootOrder", &New::int(0), manner, edits),
                    None => Ok(()),
                }
            })
            .map_err(refused)?;
        let outward = cut_outward(&mut sheet, &ids).map_err(refused)?;
        Ok(NewPrefab { bytes: super::prefab_order::ordered(&sheet), ids, outward })
    }

    /// Ids that objects of this file get in the prefab of an instance that it has. Where this file is
    /// a prefab, they are those by which it goes on calling them what it did.
    pub(super) fn name_copies(
        &self,
        subtree: &Subtree,
        sheet: &mut Sheet,
        inside: FileId,
    ) -> HashMap<FileId, FileId> {
        let mut ids: HashMap<FileId, FileId> = HashMap::new();
        let rule = |instance: FileId, target: FileId| FileId((instance.0 ^ target.0) & i64::MAX);
        let kept = |id: FileId, sheet: &mut Sheet| {
            let kept = rule(inside, id);
            (self.kind == FileKind::Prefab && sheet.take_id(kept)).then_some(kept)
        };
        for id in &subtree.instances {
            let new = kept(*id, sheet);
            let new = new.unwrap_or_else(|| sheet.fresh_ids(&format!("prefab/{id}"), 1));
            ids.insert(*id, new);
        }
        let inner: HashMap<FileId, (FileId, FileId)> =
            self.stand_ins.iter().map(|(key, id)| (*id, *key)).collect();
        for id in &subtree.own {
            let by_rule = inner.get(id).and_then(|(instance, target)| {
                ids.get(instance).map(|instance| rule(*instance, *target))
            });
            let new = by_rule.filter(|new| sheet.take_id(*new));
            let new = new.or_else(|| ids.get(id).copied()).or_else(|| kept(*id, sheet));
            let new = new.unwrap_or_else(|| sheet.fresh_ids(&format!("prefab/{id}"), 1));
            ids.insert(*id, new);
        }
        ids
    }

    fn replace_by_instance(
        &mut self,
        seen: &Seen,
        parent: Option<&Seen>,
        subtree: &Subtree,
        instance: FileId,
        (new, tree): (NewPrefab, Hierarchy),
    ) -> Result<Done, Refusal> {
        let (guid, ids) = (tree.guid(), &new.ids);
        let Stated::Here(transform) = seen.transform()?.at else { unreachable!("it was copied") };
        let number = self.number_of(seen.transform()?.at);
        let named = self.named_from_outside(subtree, transform, parent.is_some());
        let source = Reference { file_id: FileId::PREFAB, guid: Some(guid), kind: 3 };
        let roots = tree.roots();
        let root = roots.first().ok_or_else(|| Refusal::new("the new prefab has no root"))?;
        let components = root.components();
        let held = components.first().ok_or_else(|| Refusal::new("the root has no transform"))?;
        let fields = self.instance_fields(&SourceRoot::of(root, held), source);
        self.leave_stand_ins(subtree, &named, ids, instance, source);
        let (class, key) = (ClassId::PREFAB_INSTANCE, "PrefabInstance".to_owned());
        self.sheet.add(&NewObject { class, id: instance, key, stripped: false, fields });
        self.sources.insert(guid, Some(tree.clone()));
        self.forget_tree();
        let at = Stated::Override { instance, target: held.file_id() };
        let child = Child { transform: at, instance: Some(instance) };
        self.hang_instead(transform, child, parent, number)?;
        let overrides: Vec<Override> = new
            .outward
            .into_iter()
            .map(|one| Override {
                target: one.target,
                path: one.path,
                value: New::Reference(one.to),
            })
            .collect();
        let count = overrides.len();
        let file = self.sheet.file();
        self.edit(instance, |object, manner, edits| {
            edit::set_overrides(object, &overrides, &file, manner, edits)
        })?;
        let mut remarks = Vec::new();
        if count > 0 {
            remarks.push(format!(
                "{count} references to what is outside are overrides of the instance now"
            ));
        }
        Ok(Done {
            path: seen.path.clone(),
            id: Some(instance),
            changed: true,
            remarks,
            ..Done::default()
        })
    }

    /// Which of the objects something outside refers to, or the parent lists.
    pub(super) fn named_from_outside(
        &self,
        subtree: &Subtree,
        transform: FileId,
        has_parent: bool,
    ) -> BTreeSet<FileId> {
        let outside =
            self.sheet.objects().filter(|object| !subtree.own.contains(&object.file_id()));
        let referred = outside.filter(|object| object.class_id() != ClassId::SCENE_ROOTS);
        let referred = referred.flat_map(|object| object.references().collect::<Vec<_>>());
        let local = referred.filter(|(_, to)| to.guid.is_none()).map(|(_, to)| to.file_id);
        let mut named: BTreeSet<FileId> = local.filter(|id| subtree.own.contains(id)).collect();
        named.retain(|id| !subtree.instances.contains(id));
        if !has_parent {
            let is_only_listed = !self.sheet.objects().any(|object| {
                !subtree.own.contains(&object.file_id())
                    && object.class_id() != ClassId::SCENE_ROOTS
                    && object
                        .references()
                        .any(|(_, to)| to.guid.is_none() && to.file_id == transform)
            });
            if is_only_listed {
                named.remove(&transform);
            }
        }
        named
    }

    /// Take the objects out of the file; those that are named outside leave one that stands for
    /// them, under the same id.
    pub(super) fn leave_stand_ins(
        &mut self,
        subtree: &Subtree,
        named: &BTreeSet<FileId>,
        ids: &HashMap<FileId, FileId>,
        instance: FileId,
        source: Reference,
    ) {
        let mut left = Vec::new();
        for id in named {
            let Some(object) = self.sheet.object(*id) else { continue };
            let inner = Inner {
                instance,
                target: ids[id],
                class: object.class_id(),
                key: object.class_name().into_owned(),
                script: object.get("m_Script").and_then(Value::as_reference),
            };
            left.push(inner.stripped(*id, source, self.is_old));
        }
        for id in &subtree.own {
            self.sheet.remove(*id);
        }
        self.stand_ins.retain(|(of, _), _| !subtree.instances.contains(of));
        for object in left {
            self.stand_ins.insert((instance, ids[&object.id]), object.id);
            self.sheet.add(&object);
        }
    }

    /// The file of a variant of a prefab.
    pub fn variant(
        project: super::Project<'_>,
        base: Guid,
        name: &str,
    ) -> Result<Vec<u8>, Refusal> {
        let document = Arc::new(Document::parse(HEAD));
        let mut editor = Editor::on(project, document, Guid::default(), FileKind::Prefab);
        let tree = project.expander.expand(base);
        let tree = tree.map_err(|why| Refusal::new(format!("the prefab cannot be used: {why}")))?;
        let roots = tree.roots();
        let root = roots.first().ok_or_else(|| Refusal::new("the prefab has no root"))?;
        let components = root.components();
        let held = components.first().ok_or_else(|| Refusal::new("its root has no transform"))?;
        let source = Reference { file_id: FileId::PREFAB, guid: Some(base), kind: 3 };
        let fields = editor.instance_fields(&SourceRoot::of(root, held), source);
        let id = editor.sheet.fresh_ids(&format!("variant/{base}/{name}"), 1);
        let (class, key) = (ClassId::PREFAB_INSTANCE, "PrefabInstance".to_owned());
        editor.sheet.add(&NewObject { class, id, key, stripped: false, fields });
        if let Some(target) = root.file_id() {
            let at = Stated::Override { instance: id, target };
            editor.put(at, &crate::edit::address::parts("m_Name"), &New::Text(name.to_owned()))?;
        }
        Ok(editor.to_bytes())
    }
}

/// Clear the references of new objects to what they were not copied with, and tell them.
fn cut_outward(
    sheet: &mut Sheet,
    ids: &HashMap<FileId, FileId>,
) -> Result<Vec<Outward>, edit::Refused> {
    let known: HashSet<FileId> = ids.values().copied().collect();
    let all: Vec<FileId> = sheet.objects().map(|object| object.file_id()).collect();
    let mut outward = Vec::new();
    for id in all {
        let Some(object) = sheet.object(id) else { continue };
        outward.extend(outward_of(object, id, &known));
        sheet.edit(id, |object, _, edits| {
            let bytes = object.document().as_bytes();
            for (offset, to) in object.references() {
                let is_outward = to.guid.is_none() && !to.is_null() && !known.contains(&to.file_id);
                if let Some(length) = memchr::memchr(b'}', &bytes[offset..]).filter(|_| is_outward)
                {
                    edits.replace(offset..offset + length + 1, "{fileID: 0}");
                }
            }
            Ok(())
        })?;
    }
    Ok(outward)
}

/// The references of an object to what is not among `known`, as overrides of it under the id that it
/// has in a prefab.
pub(super) fn outward_of(object: Object<'_>, id: FileId, known: &HashSet<FileId>) -> Vec<Outward> {
    let is_instance = object.class_id() == ClassId::PREFAB_INSTANCE;
    let mut found = Vec::new();
    match is_instance {
        true => inner_references(object, known, &mut found),
        false => references_in(object.value(), String::new(), known, &mut found),
    }
    let outward = |(path, to): (String, Reference)| match (is_instance, path.split_once('\n')) {
        // The target in the nested prefab, and the path of its override.
        (true, Some((target, path))) => {
            let target = FileId((id.0 ^ target.parse().unwrap_or(0)) & i64::MAX);
            Outward { target, path: path.to_owned(), to }
        }
        _ => Outward { target: id, path, to },
    };
    found.into_iter().map(outward).collect()
}

/// References of an object to what is not among `known`, by the paths of overrides.
fn references_in(
    value: Value<'_>,
    path: String,
    known: &HashSet<FileId>,
    out: &mut Vec<(String, Reference)>,
) {
    if let Some(to) = value.as_reference() {
        if to.guid.is_none() && !to.is_null() && !known.contains(&to.file_id) {
            out.push((path, to));
        }
        return;
    }
    for (key, inner) in value.fields() {
        let dot = if path.is_empty() { "" } else { "." };
        references_in(inner, format!("{path}{dot}{key}"), known, out);
    }
    for (at, inner) in value.items().enumerate() {
        references_in(inner, format!("{path}.Array.data[{at}]"), known, out);
    }
}

/// The same of the overrides of an instance; each path has the target before it, on its own line.
fn inner_references(
    object: Object<'_>,
    known: &HashSet<FileId>,
    out: &mut Vec<(String, Reference)>,
) {
    let list = object.get("m_Modification.m_Modifications");
    for item in list.into_iter().flat_map(Value::items) {
        let reference = |key: &str| item.get(key).and_then(Value::as_reference);
        let (Some(target), Some(to)) = (reference("target"), reference("objectReference")) else {
            continue;
        };
        if to.guid.is_none() && !to.is_null() && !known.contains(&to.file_id) {
            let path = item.get("propertyPath").map(|path| path.text().into_owned());
            out.push((format!("{}\n{}", target.file_id, path.unwrap_or_default()), to));
        }
    }
}
