//! Overrides taken back, so that the prefab's own values count again.

use super::fields::Owner;
use super::{Done, Editor, Refusal};
use crate::edit::address;
use crate::hierarchy::Stated;
use crate::{FileId, Value};

impl Editor<'_> {
    /// Take back the overrides of a field; of all fields of a component or of the object and its
    /// components, when none is named.
    pub fn revert(
        &mut self,
        object: &str,
        component: Option<&str>,
        field: Option<&str>,
    ) -> Result<Done, Refusal> {
        let seen = self.find(object)?;
        let mut owners = Vec::new();
        match component {
            Some(component) => owners.push(Owner::of_component(&seen, seen.component(component)?)),
            None => {
                owners.push(Owner::of_object(&seen));
                if field.is_none() {
                    owners.extend(
                        seen.components.iter().map(|held| Owner::of_component(&seen, held)),
                    );
                }
            }
        }
        let (mut count, mut inside, mut shown) = (0, false, None);
        for owner in &owners {
            let Stated::Override { instance, target } = owner.at else { continue };
            inside = true;
            let path = match field {
                Some(field) => Some(address::property_path(&self.field(owner, field)?.parts)),
                None => None,
            };
            count += self.revert_one(instance, target, path.as_deref())?;
            shown = path.or(shown);
        }
        if !inside {
            let text = format!("{} is not part of a prefab instance", seen.path);
            return Err(
                Refusal::new(text).hint("only what comes from a prefab can be reverted to it")
            );
        }
        self.forget_tree();
        let seen = self.find_id(self.id_of(seen.at))?;
        let remarks = match count {
            0 => vec!["there was no override".to_owned()],
            count => vec![format!("{count} overrides were taken back")],
        };
        let id = Some(self.id_of(seen.at));
        Ok(Done {
            path: seen.path,
            id,
            field: shown,
            changed: count > 0,
            remarks,
            ..Done::default()
        })
    }

    fn revert_one(
        &mut self,
        instance: FileId,
        target: FileId,
        path: Option<&str>,
    ) -> Result<usize, Refusal> {
        let is_below = |known: &str| match path {
            None => true,
            Some(path) => known
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])),
        };
        let known = self.overrides_of(instance, target);
        let mut count = 0;
        for one in known.into_iter().filter(|known| is_below(known)) {
            // Of an instance as a whole Unity keeps where it is and what it is called.
            let stays = path.is_none() && self.is_kept(instance, target, &one);
            if !stays && self.drop_override(instance, target, &one)? {
                count += 1;
            }
        }
        Ok(count)
    }

    /// The paths that an instance overrides of an object inside.
    pub(super) fn overrides_of(&self, instance: FileId, target: FileId) -> Vec<String> {
        let list =
            self.sheet.object(instance).and_then(|it| it.get("m_Modification.m_Modifications"));
        let read = |item: Value<'_>| {
            let to = item.get("target")?.as_reference()?;
            (to.file_id == target).then_some(())?;
            Some(item.get("propertyPath")?.text().into_owned())
        };
        list.into_iter().flat_map(Value::items).filter_map(read).collect()
    }
}
