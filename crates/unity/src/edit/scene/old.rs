//! Files from before 2018.3, which tie objects to prefabs by other names, and have no nested ones.

use super::{Editor, FileKind, Refusal};
use crate::edit::{self, New};
use crate::{ClassId, Object};

impl Editor<'_> {
    /// Refuse what would have to write instances as that Unity did.
    pub(super) fn refuse_if_old(&self) -> Result<(), Refusal> {
        let text = "the file was saved by a Unity before 2018.3";
        let hint = "save it with a newer Unity first";
        if self.is_old { Err(Refusal::new(text).hint(hint)) } else { Ok(()) }
    }

    /// Fields that every object of a class begins with in this file.
    pub(super) fn links(&self, class: ClassId) -> Vec<(String, New)> {
        let mut fields = edit::links(self.is_old);
        if !self.is_old {
            return fields;
        }
        let is_object = class == ClassId::GAME_OBJECT;
        let prefab = self.sheet.objects().find(|it| it.class_id() == ClassId::PREFAB_INSTANCE);
        let prefab = prefab.filter(|_| self.kind == FileKind::Prefab);
        let root = prefab.and_then(|it| it.get("m_RootGameObject")?.as_reference());
        let is_alike = |it: &Object<'_>| {
            (it.class_id() == ClassId::GAME_OBJECT) == is_object
                && it.class_id() != ClassId::PREFAB_INSTANCE
                && !it.is_stripped()
                && root.is_none_or(|root| root.file_id != it.file_id())
        };
        let alike = self.sheet.objects().find(is_alike);
        // 2018.2 had one of the newer names already.
        const NEWER: &str = "m_CorrespondingSourceObject";
        if alike.is_some_and(|it| it.glance_reference(NEWER).is_some()) {
            fields[1].0 = NEWER.to_owned();
        }
        if let Some(prefab) = prefab {
            // What is below the root was hidden, and belonged to the prefab. Before 2017 objects were not.
            let flags = alike.and_then(|it| it.get("m_ObjectHideFlags")?.as_i64());
            fields[0].1 = New::int(flags.unwrap_or(1));
            fields[2].1 = New::local(prefab.file_id());
        }
        fields
    }
}
