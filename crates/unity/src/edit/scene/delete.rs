//! Objects that go, with everything in them, and the references to them.

use std::collections::{BTreeSet, HashSet};

use scenewright_text::Edits;

use super::attach::Child;
use super::{Done, Editor, FileKind, Refusal, Refused, Seen};
use crate::hierarchy::{Node, Stated};
use crate::{ClassId, Document, FileId};

/// What a file has of a part of its hierarchy.
#[derive(Debug, Default)]
pub(super) struct Subtree {
    /// Its objects, components, instances and what stands for parts of those.
    pub(super) own: BTreeSet<FileId>,
    /// Of those, the instances.
    pub(super) instances: BTreeSet<FileId>,
}

/// So many places are told one by one.
const TOLD: usize = 20;

impl Editor<'_> {
    /// Delete an object with all in it. References of the file to what goes are cleared; with
    /// `refuse` nothing goes that anything refers to.
    pub fn delete(&mut self, object: &str, refuse: bool) -> Result<Done, Refusal> {
        let seen = self.find_whole(object)?;
        let parent = self.parent(&seen)?;
        if parent.is_none() && self.kind == FileKind::Prefab {
            let text = format!("{} is the root of the prefab", seen.path);
            return Err(Refusal::new(text).hint("asset_delete deletes the whole prefab"));
        }
        let subtree = self.subtree(&seen);
        let stand_ins = self.stand_ins_in(&seen);
        let gone: Vec<FileId> = subtree.own.iter().copied().chain(stand_ins).collect();
        let mut remarks = self.foreign_references(&seen, &gone);
        if refuse {
            let inside = self.references_to(&gone);
            if let Some(first) = inside.first().or(remarks.first()) {
                let count = inside.len() + remarks.len();
                let places = if count == 1 { "place" } else { "places" };
                let text = format!("{} is referred to in {count} {places}: {first}", seen.path);
                return Err(
                    Refusal::new(text).hint("clear those first, or leave out references: refuse")
                );
            }
        }
        match (seen.at, seen.root_of) {
            (Stated::Override { instance, target }, None) => {
                self.remove_inside(instance, "m_RemovedGameObjects", target)?;
            }
            _ => self.unhang(Child::of(&seen)?, parent.as_ref())?,
        }
        self.note_left(&gone);
        for id in &gone {
            self.sheet.remove(*id);
        }
        self.stand_ins.retain(|(of, _), id| !subtree.instances.contains(of) && !gone.contains(id));
        remarks.extend(self.clear_references(&gone)?);
        match (seen.at, seen.root_of) {
            (Stated::Here(id), _) | (_, Some(id)) => self.change_tree(|tree| tree.remove(id)),
            _ => self.forget_tree(),
        }
        Ok(Done { path: seen.path, id: Some(seen.id), changed: true, remarks, ..Done::default() })
    }

    /// What the file has of an object and all in it.
    pub(super) fn subtree(&mut self, seen: &Seen) -> Subtree {
        let id = self.id_of(seen.at);
        let mut subtree = Subtree::default();
        let tree = self.tree().clone();
        let mut open: Vec<Node<'_>> = tree.find_by_id(id).into_iter().collect();
        while let Some(node) = open.pop() {
            if let Some(Stated::Here(id)) = node.stated() {
                subtree.own.insert(id);
            }
            if let Some(instance) = super::own_instance(&node) {
                subtree.instances.insert(instance);
            }
            for component in node.components() {
                if let Stated::Here(id) = component.stated() {
                    subtree.own.insert(id);
                }
            }
            open.extend(node.children());
        }
        let of_instance = |((instance, _), id): (&(FileId, FileId), &FileId)| {
            subtree.instances.contains(instance).then_some(*id)
        };
        let stand_ins: Vec<FileId> = self.stand_ins.iter().filter_map(of_instance).collect();
        subtree.own.extend(stand_ins);
        subtree.own.extend(subtree.instances.clone());
        subtree
    }

    /// Clear all references of the file to objects that are gone. Returns what was cleared.
    pub(super) fn clear_references(&mut self, gone: &[FileId]) -> Result<Vec<String>, Refusal> {
        let told = self.references_to(gone);
        let gone: HashSet<FileId> = gone.iter().copied().collect();
        let holders = self.sheet.holders_of(&gone);
        let all: Vec<FileId> = gone.iter().copied().collect();
        for holder in holders {
            let is_instance = self
                .sheet
                .object(holder)
                .is_some_and(|object| object.class_id() == ClassId::PREFAB_INSTANCE);
            if is_instance {
                self.drop_added(holder, &all)?;
            }
            self.edit(holder, |object, _, edits| clear(object, &gone, edits))?;
        }
        Ok(match told.len() {
            0 => Vec::new(),
            count => {
                let shown = told[..count.min(TOLD)].join(", ");
                let were = if count == 1 { "reference to it was" } else { "references to it were" };
                vec![format!("{count} {were} cleared: {shown}")]
            }
        })
    }

    /// The places of the file that refer to some of its objects, in words; lists that only tie
    /// objects together are left out.
    pub(super) fn references_to(&mut self, ids: &[FileId]) -> Vec<String> {
        let wanted: HashSet<FileId> = ids.iter().copied().collect();
        let mut places = Vec::new();
        for holder in self.sheet.holders_of(&wanted) {
            let Some(object) = self.sheet.object(holder).filter(|_| !wanted.contains(&holder))
            else {
                continue;
            };
            let bytes = object.document().as_bytes();
            let body = object.body_span();
            for (offset, to) in object.references() {
                if to.guid.is_some() || !wanted.contains(&to.file_id) {
                    continue;
                }
                let key = crate::document::field_key(bytes, body.start..offset);
                let key = key.and_then(|key| std::str::from_utf8(&bytes[key]).ok());
                let path = match key {
                    Some(key) => key.to_owned(),
                    None => path_at(object.value(), offset, String::new()),
                };
                let (id, path) = match path.strip_prefix(OVERRIDES) {
                    Some(at) => self.overridden_at(object, at).unwrap_or((holder, path)),
                    None => (holder, path),
                };
                if !path.split(['.', '[']).any(|key| TIES.contains(&key)) {
                    places.push((id, object.class_name().into_owned(), path));
                }
            }
        }
        // While something goes, the tree still has it.
        let tree = self.tree_and_came();
        let name = |(id, holder, path): (FileId, String, String)| {
            let Some(node) = tree.find_by_id(id) else { return format!("#{id} {holder}.{path}") };
            let components = node.components();
            let held = components.iter().find(|held| held.file_id() == id);
            let class = held.map_or(ClassId::GAME_OBJECT, |held| held.class_id());
            let class = class.name().unwrap_or(&holder);
            format!("{} {class}.{path}", crate::edit::address::path_of(&node))
        };
        places.into_iter().map(name).collect()
    }

    /// What the override of a number is of: its id as the file sees it, and the path.
    fn overridden_at(&self, instance: crate::Object<'_>, at: &str) -> Option<(FileId, String)> {
        let number = at.split(']').next()?.parse().ok()?;
        let list = instance.get("m_Modification.m_Modifications")?;
        let entry = list.items().nth(number)?;
        let target = entry.get("target")?.as_reference()?.file_id;
        let at = Stated::Override { instance: instance.file_id(), target };
        Some((self.id_of(at), entry.get("propertyPath")?.text().into_owned()))
    }

    /// Which other files refer to objects of this one.
    fn foreign_references(&self, seen: &Seen, gone: &[FileId]) -> Vec<String> {
        let wanted: HashSet<FileId> = gone.iter().copied().chain([seen.id]).collect();
        let mut places = Vec::new();
        for user in self.project.index.incoming(self.guid) {
            let Ok(document) = user.document() else { continue };
            let refers = |found: &crate::Found| {
                found.reference.guid == Some(self.guid) && wanted.contains(&found.reference.file_id)
            };
            let count = document.references().filter(refers).count();
            if count > 0 {
                places.push(format!("{} refers to it {count} times", user.path()));
            }
        }
        places
    }
}

/// What paths of overrides begin with, before the number of one.
const OVERRIDES: &str = "m_Modification.m_Modifications[";

/// The path of what stands at a place of the file.
fn path_at(value: crate::Value<'_>, offset: usize, path: String) -> String {
    let is_there = |inner: crate::Value<'_>| inner.span().contains(&offset);
    if value.as_reference().is_some() {
        return path;
    }
    if let Some((key, inner)) = value.fields().find(|(_, inner)| is_there(*inner)) {
        let dot = if path.is_empty() { "" } else { "." };
        return path_at(inner, offset, format!("{path}{dot}{key}"));
    }
    match value.items().enumerate().find(|(_, inner)| is_there(*inner)) {
        Some((at, inner)) => path_at(inner, offset, format!("{path}[{at}]")),
        None => path,
    }
}

/// What only ties objects together.
const TIES: [&str; 10] = [
    "m_GameObject",
    "m_Father",
    "m_Children",
    "m_Component",
    "component",
    "m_Roots",
    "m_PrefabInstance",
    "m_TransformParent",
    "addedObject",
    "m_PrefabInternal",
];

fn clear(
    object: crate::Object<'_>,
    gone: &HashSet<FileId>,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let bytes = object.document().as_bytes();
    for (offset, to) in object.references() {
        if to.guid.is_none()
            && gone.contains(&to.file_id)
            && let Some(length) = memchr::memchr(b'}', &bytes[offset..])
        {
            edits.replace(offset..offset + length + 1, "{fileID: 0}");
        }
    }
    Ok(())
}

/// The text of an object on its own.
pub(super) fn text_of(document: &Document, object: crate::Object<'_>) -> String {
    String::from_utf8_lossy(&document.as_bytes()[object.span()]).into_owned()
}
