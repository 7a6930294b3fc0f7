//! The order of what a new prefab has, as Unity writes it: objects by their ids, each with its components,
//! then the instances with what stands for parts of them.

use std::collections::{HashMap, HashSet};

use crate::edit::Sheet;
use crate::edit::sheet::text_of;
use crate::{ClassId, FileId, Object, Value};

/// The bytes of a file that was empty, with all that came in the order of prefabs.
pub(super) fn ordered(sheet: &Sheet) -> Vec<u8> {
    let mut objects: Vec<Object<'_>> = sheet.objects().collect();
    objects.sort_unstable_by_key(|object| object.file_id());
    let mut held: HashMap<FileId, Vec<FileId>> = HashMap::new();
    for object in &objects {
        let key = if object.is_stripped() { "m_PrefabInstance" } else { "m_GameObject" };
        let holder = object.glance_reference(key).filter(|to| !to.is_null());
        holder
            .into_iter()
            .for_each(|to| held.entry(to.file_id).or_default().push(object.file_id()));
    }
    let bytes = sheet.source().as_bytes().to_vec();
    let mut order = Order { sheet, held, told: HashSet::new(), bytes };
    for class in [ClassId::GAME_OBJECT, ClassId::PREFAB_INSTANCE] {
        let heads = objects.iter().filter(|it| it.class_id() == class && !it.is_stripped());
        heads.for_each(|object| order.tell(object.file_id()));
    }
    objects.iter().for_each(|object| order.tell(object.file_id()));
    order.bytes
}

struct Order<'s> {
    sheet: &'s Sheet,
    /// Components by their objects, and what stands for something inside by the instances.
    held: HashMap<FileId, Vec<FileId>>,
    told: HashSet<FileId>,
    bytes: Vec<u8>,
}

impl Order<'_> {
    /// Something, and behind it what it holds: components in their order in the inspector.
    fn tell(&mut self, id: FileId) {
        let Some(object) = self.sheet.object(id).filter(|_| self.told.insert(id)) else { return };
        self.bytes.extend_from_slice(text_of(object));
        let held = self.held.remove(&id).unwrap_or_default();
        let list = object.get("m_Component").into_iter().flat_map(Value::items);
        let listed = list.filter_map(|item| Some(item.fields().next()?.1.as_reference()?.file_id));
        let listed: Vec<FileId> = listed.filter(|id| held.contains(id)).collect();
        listed.into_iter().chain(held).for_each(|id| self.tell(id));
    }
}
