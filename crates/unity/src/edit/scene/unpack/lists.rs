//! What hangs in what after an instance was unpacked: components and children of plain objects, and
//! what is added to or missing in the instances that came.

use super::{Editor, Hanging, Refusal, Unpacking};
use crate::edit::{self, Item, New};
use crate::hierarchy::Stated;
use crate::{ClassId, FileId, Object, Value};

impl Editor<'_> {
    /// What the instance added and removed, in instances that came.
    pub(super) fn take_shape(&mut self, unpacking: &Unpacking) -> Result<(), Refusal> {
        let Some(instance) = unpacking.instance_object() else { return Ok(()) };
        for list in ["m_RemovedComponents", "m_RemovedGameObjects"] {
            for to in items(instance, list).filter_map(Value::as_reference) {
                if let Some((nested, target)) = unpacking.nested_place(to.file_id) {
                    self.remove_inside(unpacking.ids[&nested], list, target)?;
                }
            }
        }
        for list in ["m_AddedGameObjects", "m_AddedComponents"] {
            for item in items(instance, list) {
                let to = |key: &str| item.get(key).and_then(Value::as_reference);
                let place = to("targetCorrespondingSourceObject");
                let place = place.and_then(|to| unpacking.nested_place(to.file_id));
                let (Some((nested, target)), Some(added)) = (place, to("addedObject")) else {
                    continue;
                };
                let at = item.get("insertIndex").and_then(|at| at.text().parse().ok());
                let instance = unpacking.ids[&nested];
                let at = (at.unwrap_or(-1), None);
                self.add_to_instance(instance, list, target, added.file_id, at)?;
            }
        }
        Ok(())
    }

    /// The lists of components and children of the plain objects.
    pub(super) fn relist_all(&mut self, unpacking: &Unpacking) -> Result<(), Refusal> {
        for plain in &unpacking.objects {
            let components = plain.components.iter().filter_map(|at| match at {
                Stated::Here(id) => Some(*id),
                at => unpacking.ids.get(&unpacking.inner(*at)?).copied(),
            });
            let components: Vec<FileId> = components.collect();
            self.relist(unpacking.ids[&plain.object], "m_Component", &components)?;
            let Some(transform) = plain.transform.map(|id| unpacking.ids[&id]) else { continue };
            let mut children = Vec::new();
            for child in &plain.children {
                children.extend(self.hanging(unpacking, child)?);
            }
            if self.relist(transform, "m_Children", &children)? {
                self.number_all(&children)?;
            }
        }
        Ok(())
    }

    /// What the list of its parent calls something that hangs there.
    fn hanging(
        &mut self,
        unpacking: &Unpacking,
        child: &Hanging,
    ) -> Result<Option<FileId>, Refusal> {
        match *child {
            Hanging::At(at) => match unpacking.inner(at) {
                None => self.handle(at).map(Some),
                Some(inner) => {
                    if let Some(id) = unpacking.ids.get(&inner) {
                        return Ok(Some(*id));
                    }
                    let Some((nested, target)) = unpacking.nested_place(inner) else {
                        return Ok(None);
                    };
                    let instance = unpacking.ids[&nested];
                    self.handle(Stated::Override { instance, target }).map(Some)
                }
            },
            Hanging::Closed(instance) => {
                let is_it =
                    |nested: &&FileId| (unpacking.instance.0 ^ nested.0) & i64::MAX == instance.0;
                let nested = unpacking.nested.iter().find(is_it);
                let instance = nested.map_or(instance, |nested| unpacking.ids[nested]);
                let mut stands = self.stand_ins.iter().filter(|((of, _), _)| *of == instance);
                let is_transform = |id: FileId| {
                    self.sheet.object(id).is_some_and(|it| it.class_id().is_a(ClassId::TRANSFORM))
                };
                Ok(stands.find(|(_, id)| is_transform(**id)).map(|(_, id)| *id))
            }
        }
    }

    /// Let a list have these, in this order. True when it had others.
    fn relist(&mut self, holder: FileId, path: &str, wanted: &[FileId]) -> Result<bool, Refusal> {
        let read = |item: Value<'_>| {
            let to = item.as_reference();
            let to = to.or_else(|| item.fields().next().and_then(|(_, to)| to.as_reference()));
            to.map(|to| to.file_id)
        };
        let list = self.sheet.object(holder).and_then(|object| object.get(path));
        let now: Vec<Option<FileId>> = list.into_iter().flat_map(Value::items).map(read).collect();
        if now.iter().copied().eq(wanted.iter().copied().map(Some)) {
            return Ok(false);
        }
        let new = |id: FileId| match path {
            "m_Component" => New::Map(vec![("component".to_owned(), New::local(id))]),
            _ => New::local(id),
        };
        let item = |id: &FileId| match now.iter().position(|known| *known == Some(*id)) {
            Some(at) => Item::Old(at),
            None => Item::New(new(*id)),
        };
        let items: Vec<Item> = wanted.iter().map(item).collect();
        self.edit(holder, |object, manner, edits| {
            edit::set_list(object, path, &items, manner, edits)
        })?;
        Ok(true)
    }

    /// Files from before 2022.2 number what hangs beside each other.
    fn number_all(&mut self, children: &[FileId]) -> Result<(), Refusal> {
        let stands: std::collections::HashMap<FileId, (FileId, FileId)> =
            self.stand_ins.iter().map(|(key, id)| (*id, *key)).collect();
        let at = |id: &FileId| match stands.get(id) {
            Some((instance, target)) => Stated::Override { instance: *instance, target: *target },
            None => Stated::Here(*id),
        };
        let order: Vec<Option<Stated>> = children.iter().map(|id| Some(at(id))).collect();
        self.number(&order, 0)
    }
}

/// The items of a list of what an instance changes.
fn items<'d>(instance: Object<'d>, list: &str) -> impl Iterator<Item = Value<'d>> + use<'d> {
    instance.get(&format!("m_Modification.{list}")).into_iter().flat_map(Value::items)
}
