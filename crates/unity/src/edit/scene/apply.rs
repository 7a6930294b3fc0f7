//! Values where the file states them: in the object itself, or in the overrides of an instance.

use super::{Editor, Refusal};
use crate::edit::address::{Part, property_path};
use crate::edit::{self, New, Override};
use crate::hierarchy::{Data, Stated};
use crate::{FileId, Reference, Value};

/// What every instance says of its root, whether it is the same as in the prefab or not.
const KEPT: [&str; 9] = [
    "m_LocalPosition.",
    "m_LocalRotation.",
    "m_LocalEulerAnglesHint.",
    "m_RootOrder",
    "m_Pivot.",
    "m_AnchorMax.",
    "m_AnchorMin.",
    "m_SizeDelta.",
    "m_AnchoredPosition.",
];

impl Editor<'_> {
    /// Put a value at a path. True when that changed anything.
    pub(super) fn put(&mut self, at: Stated, parts: &[Part], new: &New) -> Result<bool, Refusal> {
        match at {
            Stated::Here(id) => self.put_here(id, parts, new),
            Stated::Override { instance, target } => {
                self.stale.insert(instance);
                let mut leaves = Vec::new();
                flatten(&property_path(parts), new, &mut leaves);
                let mut changed = false;
                for (path, value) in leaves {
                    changed |= self.put_override(instance, target, &path, value)?;
                }
                Ok(changed)
            }
        }
    }

    fn put_here(&mut self, id: FileId, parts: &[Part], new: &New) -> Result<bool, Refusal> {
        let path = property_path(parts);
        self.sheet
            .edit(id, |object, manner, edits| {
                edit::set(object, &path, new, manner, edits)?;
                Ok(!edits.is_empty())
            })
            .map_err(|refused| Refusal::new(refused.to_string()))
    }

    /// Set one override, or take it away where the prefab has the same value.
    fn put_override(
        &mut self,
        instance: FileId,
        target: FileId,
        path: &str,
        mut value: New,
    ) -> Result<bool, Refusal> {
        let source = self.source_data(instance, target, path);
        let is_same = source.is_some_and(|source| self.is_same(instance, &source, &value));
        if is_same && !self.is_kept(instance, target, path) {
            return self.drop_override(instance, target, path);
        }
        if let New::Reference(to) = value
            && let Some(inside) = self.not_here(to.file_id).filter(|_| to.guid.is_none())
        {
            let file_id = self.handle(inside)?;
            value = New::Reference(Reference { file_id, ..to });
        }
        let change = Override { target, path: path.to_owned(), value };
        let file = self.sheet.file();
        self.sheet
            .edit(instance, |object, manner, edits| {
                edit::set_overrides(object, std::slice::from_ref(&change), &file, manner, edits)?;
                Ok(!edits.is_empty())
            })
            .map_err(|refused| Refusal::new(refused.to_string()))
    }

    /// Take one override away; false when there is none.
    pub(super) fn drop_override(
        &mut self,
        instance: FileId,
        target: FileId,
        path: &str,
    ) -> Result<bool, Refusal> {
        let goes = |of: FileId, known: &str| of == target && known == path;
        Ok(self.drop_overrides(instance, goes)? > 0)
    }

    /// Take overrides from the list of an instance. Returns how many.
    pub(super) fn drop_overrides(
        &mut self,
        instance: FileId,
        goes: impl Fn(FileId, &str) -> bool,
    ) -> Result<usize, Refusal> {
        self.sheet
            .edit(instance, |object, manner, edits| {
                edit::remove_overrides(object, goes, manner, edits)
            })
            .map_err(|refused| Refusal::new(refused.to_string()))
    }

    /// Whether Unity keeps this override even if it says the same as the prefab.
    pub(super) fn is_kept(&mut self, instance: FileId, target: FileId, path: &str) -> bool {
        if path != "m_Name" && !every_instance_states(path) {
            return false;
        }
        let Some((object, transform)) = self.root_ids(instance) else { return false };
        target == if path == "m_Name" { object } else { transform }
    }

    /// The root of the prefab of an instance and its transform, as that prefab calls them.
    pub(super) fn root_ids(&mut self, instance: FileId) -> Option<(FileId, FileId)> {
        let Some(source) = self.source(instance) else { return self.model_root_ids(instance) };
        let root = source.roots().into_iter().next()?;
        let transform = match root.opaque() {
            Some(_) => root.closed_transform()?.file_id(),
            None => root.components().first()?.file_id(),
        };
        Some((root.file_id()?, transform))
    }

    /// The value that the prefab of an instance has.
    pub(super) fn source_data(
        &mut self,
        instance: FileId,
        target: FileId,
        path: &str,
    ) -> Option<Data> {
        let source = self.source(instance)?;
        let node = source.find_by_id(target)?;
        let value = match node.file_id() == Some(target) {
            true => node.value(path),
            false => {
                let components = node.components();
                components.iter().find(|held| held.file_id() == target)?.value(path)
            }
        };
        value.map(|value| value.data)
    }

    /// Whether a prefab's own value is the one that an instance is to have.
    fn is_same(&self, instance: FileId, source: &Data, new: &New) -> bool {
        match (source, new) {
            (Data::Text(is), New::Text(text)) => is == text,
            (Data::Text(is), New::Number(text)) => edit::is_same_number(is, text),
            (Data::Reference(is), New::Reference(to)) => {
                self.seen_from_here(instance, *is) == *to || (is.is_null() && to.is_null())
            }
            _ => false,
        }
    }

    /// A reference of a prefab, as the file of an instance has it.
    fn seen_from_here(&self, instance: FileId, to: Reference) -> Reference {
        if to.guid.is_some() || to.is_null() {
            return to;
        }
        let known = self.stand_ins.get(&(instance, to.file_id)).copied();
        let by_rule = FileId((instance.0 ^ to.file_id.0) & i64::MAX);
        Reference { file_id: known.unwrap_or(by_rule), ..to }
    }

    /// The value that an instance has now: its prefab's, with the overrides of the file over it. A
    /// call may set thousands, and the tree would be made anew for each. Nothing where that is not
    /// so simple.
    fn overlaid(&mut self, instance: FileId, target: FileId, path: &str) -> Option<Data> {
        let mut data = self.source_data(instance, target, path)?;
        let list = self.sheet.object(instance)?.get("m_Modification.m_Modifications")?;
        for item in list.items() {
            let known = item.get("propertyPath")?.text();
            let is_it = item.get("target")?.as_reference()?.file_id == target;
            let Some(rest) = known.strip_prefix(path).filter(|_| is_it) else { continue };
            if !rest.is_empty() && !rest.starts_with(['.', '[']) {
                continue;
            }
            let part = part_of(&mut data, rest)?;
            *part = match part {
                Data::Text(_) => Data::Text(item.get("value")?.text().into_owned()),
                Data::Reference(_) => Data::Reference(item.get("objectReference")?.as_reference()?),
                _ => return None,
            };
        }
        Some(data)
    }

    /// The value at a path as it is now.
    pub(super) fn data(&mut self, at: Stated, parts: &[Part]) -> Option<Data> {
        let path = property_path(parts);
        match at {
            Stated::Here(id) => {
                let object = self.sheet.object(id)?;
                let value = match path.is_empty() {
                    true => object.value(),
                    false => object.get(&path)?,
                };
                Some(data_of(value))
            }
            Stated::Override { instance, target } => {
                if self.stale.contains(&instance)
                    && let Some(data) = self.overlaid(instance, target, &path)
                {
                    return Some(data);
                }
                let id = self.id_of(at);
                let node = self.tree().find_by_id(id)?;
                let closed = node.closed_transform().filter(|closed| closed.file_id() == id);
                if let Some(closed) = closed {
                    return closed.value(&path).map(|text| Data::Text(text.to_owned()));
                }
                let value = match node.file_id() == Some(id) {
                    true => node.value(&path),
                    false => {
                        let components = node.components();
                        components.iter().find(|held| held.file_id() == id)?.value(&path)
                    }
                };
                value.map(|value| value.data)
            }
        }
    }
}

/// Whether every instance states this of the transform of its root, the same as in the prefab or not.
pub fn every_instance_states(path: &str) -> bool {
    KEPT.iter().any(|kept| path.starts_with(kept))
}

/// The value at the rest of a path: `.x`, or nothing for the value itself. Items of lists come and go
/// with the sizes, so they are not followed.
fn part_of<'d>(data: &'d mut Data, rest: &str) -> Option<&'d mut Data> {
    let mut data = data;
    for key in rest.split('.').skip(1) {
        let Data::Map(fields) = data else { return None };
        let (_, value) = fields.iter_mut().find(|(known, _)| known == key)?;
        data = &mut value.data;
    }
    Some(data)
}

/// A value of a file as data.
pub(super) fn data_of(value: Value<'_>) -> Data {
    crate::hierarchy::Effective::of(value).data
}

/// Values without parts, by the paths of overrides.
fn flatten(path: &str, new: &New, out: &mut Vec<(String, New)>) {
    match new {
        New::Text(_) | New::Number(_) | New::Reference(_) => {
            out.push((path.to_owned(), new.clone()));
        }
        New::Map(fields) | New::Flow(fields) => {
            let fields = fields.iter().filter(|(key, _)| key != "serializedVersion");
            for (key, value) in fields {
                flatten(&format!("{path}.{key}"), value, out);
            }
        }
        New::List(items) => {
            out.push((format!("{path}.Array.size"), New::int(items.len() as i64)));
            for (at, item) in items.iter().enumerate() {
                flatten(&format!("{path}.Array.data[{at}]"), item, out);
            }
        }
    }
}
