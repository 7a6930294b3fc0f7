//! Objects made twice: with new ids, and references inside that follow.

use std::collections::{HashMap, HashSet};

use super::attach::Child;
use super::copy_inside::Inside;
use super::{Done, Editor, FileKind, Refusal, Seen};
use crate::edit::address::parts;
use crate::edit::{Manner, New};
use crate::hierarchy::Stated;
use crate::{FileId, Reference, scan_references};

impl Editor<'_> {
    /// Make an object with all in it a second time, right behind it.
    pub fn duplicate(&mut self, object: &str, name: Option<&str>) -> Result<Done, Refusal> {
        let seen = self.find_whole(object)?;
        let parent = self.parent(&seen)?;
        if parent.is_none() && self.kind == FileKind::Prefab {
            let text = format!("{} is the root of the prefab, and a prefab has one", seen.path);
            return Err(Refusal::new(text).hint("asset_duplicate makes a second prefab"));
        }
        let place = self.place_of(&seen, parent.as_ref())?.unwrap_or(0);
        let new_name = match name {
            Some(name) => name.to_owned(),
            None => next_name(&seen.name, &self.names_in(parent.as_ref())),
        };
        if let (Stated::Override { instance, .. }, None, Some(parent)) =
            (seen.at, seen.root_of, &parent)
        {
            let (seen, name) = (&seen, new_name);
            return self.duplicate_inside(&Inside { seen, parent, instance, place, name });
        }
        let ids = self.copy_subtree(&seen)?;
        let renamed = |at: Stated| match at {
            Stated::Here(id) => Stated::Here(ids.get(&id).copied().unwrap_or(id)),
            Stated::Override { instance, target } => Stated::Override {
                instance: ids.get(&instance).copied().unwrap_or(instance),
                target,
            },
        };
        let at = renamed(seen.at);
        self.put(at, &parts("m_Name"), &New::Text(new_name))?;
        let instance = seen.root_of.and_then(|instance| ids.get(&instance).copied());
        let transform = renamed(seen.transform()?.at);
        let child = Child { transform, instance };
        let (place, _) = self.hang(child, parent.as_ref(), Some(place + 1))?;
        let mut came: Vec<FileId> = ids.into_values().collect();
        came.extend(instance.map(|_| self.id_of(transform)));
        came.sort_unstable();
        came.dedup();
        self.take_in(&came, child, parent.as_ref(), place);
        let id = self.id_of(at);
        let seen = self.find_id(id)?;
        Ok(Done { path: seen.path, id: Some(id), changed: true, ..Done::default() })
    }

    /// The names of what hangs in a parent.
    fn names_in(&mut self, parent: Option<&Seen>) -> HashSet<String> {
        let parent = parent.map(|parent| self.id_of(parent.at));
        self.nodes_in(parent).iter().map(|node| node.name().into_owned()).collect()
    }

    /// Add copies of what the file has of an object. Returns the new ids by the old ones.
    pub(super) fn copy_subtree(&mut self, seen: &Seen) -> Result<HashMap<FileId, FileId>, Refusal> {
        let subtree = self.subtree(seen);
        let mut ids: HashMap<FileId, FileId> = HashMap::new();
        if self.kind == FileKind::Scene {
            // What is made together has numbers in a row.
            let first = self.sheet.fresh_ids(&format!("copy/{}", seen.path), subtree.own.len());
            let new = (first.0..).map(FileId);
            ids.extend(subtree.own.iter().copied().zip(new));
        }
        for id in subtree.instances.iter().chain(&subtree.own) {
            if !ids.contains_key(id) {
                let new = self.new_id(*id, &ids);
                ids.insert(*id, new);
            }
        }
        for id in &subtree.own {
            let Some(object) = self.sheet.object(*id) else { continue };
            let text = super::delete::text_of(object.document(), object);
            let new = ids[id];
            let manner = self.sheet.manner();
            self.sheet.add_text(new, copied(&text, *id, new, manner, &ids));
        }
        let stand_ins: Vec<((FileId, FileId), FileId)> = self
            .stand_ins
            .iter()
            .filter_map(|((instance, target), id)| {
                Some(((*ids.get(instance)?, *target), *ids.get(id)?))
            })
            .collect();
        // Those that nothing refers to are not copied.
        self.left.extend(stand_ins.iter().map(|(_, id)| *id));
        self.stand_ins.extend(stand_ins);
        Ok(ids)
    }

    /// In prefabs what stands for parts of an instance follows from the instance's own id.
    fn new_id(&mut self, id: FileId, ids: &HashMap<FileId, FileId>) -> FileId {
        let stands_for =
            self.stand_ins.iter().find(|(_, known)| **known == id).map(|(key, _)| *key);
        if let (Some((instance, target)), true) = (stands_for, self.kind != FileKind::Scene)
            && let Some(instance) = ids.get(&instance)
        {
            let by_rule = FileId((instance.0 ^ target.0) & i64::MAX);
            if self.sheet.take_id(by_rule) {
                return by_rule;
            }
        }
        self.sheet.fresh_ids(&format!("copy/{id}"), 1)
    }
}

/// The text of an object with a new id, and new ids for what was copied with it.
pub(super) fn copied(
    text: &str,
    id: FileId,
    new: FileId,
    manner: Manner,
    ids: &HashMap<FileId, FileId>,
) -> String {
    moved(text, id, new, manner, |to| {
        let new = ids.get(&to.file_id).filter(|_| to.guid.is_none())?;
        Some(Reference { file_id: *new, ..to })
    })
}

/// The text of an object with a new id, and what its references are there; nothing for those that
/// stay.
pub(super) fn moved(
    text: &str,
    id: FileId,
    new: FileId,
    manner: Manner,
    follow: impl Fn(Reference) -> Option<Reference>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let head = text.find('\n').unwrap_or(text.len());
    out.push_str(&text[..head].replacen(&format!("&{id}"), &format!("&{new}"), 1));
    let body = &text[head..];
    let mut end = 0;
    for (offset, to) in scan_references(body.as_bytes()) {
        let Some(now) = follow(to).filter(|now| *now != to) else { continue };
        let Some(length) = body[offset..].find('}') else { continue };
        let line = body[..offset].rfind('\n').map_or(0, |at| at + 1);
        let before = &body[line..offset];
        let indent = before.len() - before.trim_start_matches([' ', '-']).len();
        out.push_str(&body[end..offset]);
        out.push_str(&manner.reference(now, before.len(), indent));
        end = offset + length + 1;
    }
    out.push_str(&body[end..]);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// `Name (1)`, with the next number that no sibling has.
fn next_name(name: &str, siblings: &HashSet<String>) -> String {
    let split = name.strip_suffix(')').and_then(|text| {
        let (stem, number) = text.rsplit_once(" (")?;
        Some((stem, number.parse::<u32>().ok()?))
    });
    let (stem, first) = split.map_or((name, 1), |(stem, number)| (stem, number + 1));
    let names = (first..).map(|number| format!("{stem} ({number})"));
    names.into_iter().find(|name| !siblings.contains(name)).unwrap_or_default()
}
