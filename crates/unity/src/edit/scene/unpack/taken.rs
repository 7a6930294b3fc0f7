//! The values that an instance had: they go into the plain objects, and into the overrides of the
//! instances that came.

use std::collections::{BTreeMap, HashMap};

use super::{Editor, Refusal, Unpacking};
use crate::edit::address::{Part, parts};
use crate::edit::kind::Kind;
use crate::edit::{self, Item, New, Override};
use crate::hierarchy::{Data, Stated};
use crate::{FileId, Reference, Value};

use super::super::encode::new_of;
use super::super::fields::{Owner, kind_at};

impl Editor<'_> {
    pub(super) fn take_values(&mut self, unpacking: &mut Unpacking) -> Result<(), Refusal> {
        let mut entries = unpacking.entries();
        // Items can be set only once they are there.
        entries.sort_by_key(|entry| !entry.path.ends_with(".Array.size"));
        let mut nested: BTreeMap<FileId, Vec<Override>> = BTreeMap::new();
        let mut lost = Vec::new();
        for entry in entries {
            let here = unpacking.ids.get(&entry.target).copied();
            let is_plain = unpacking.source.document().object(entry.target);
            let is_plain = is_plain.is_some_and(|object| !object.is_stripped());
            if let Some(id) = here.filter(|_| is_plain) {
                let owner = self.owner_of_id(id);
                if let Some(list) = unpacking.lists.get(&(entry.target, entry.path.clone()))
                    && self.take_list(&owner, &entry.path, list)?
                {
                    continue;
                }
                if self.take(&owner, &entry.path, &entry.text, entry.reference).is_err() {
                    lost.push(entry.path);
                }
                continue;
            }
            let Some((instance, target)) = unpacking.nested_place(entry.target) else {
                lost.push(entry.path);
                continue;
            };
            let all = nested.entry(unpacking.ids[&instance]).or_default();
            all.retain(|known| known.target != target || known.path != entry.path);
            all.push(Override { target, path: entry.path, value: entry.value });
        }
        let file = self.sheet.file();
        for (instance, overrides) in nested {
            self.edit(instance, |object, manner, edits| {
                edit::set_overrides(object, &overrides, &file, manner, edits)
            })?;
        }
        unpacking.lost = lost;
        Ok(())
    }

    /// The lists whose sizes an instance says, as they are.
    pub(super) fn sized_lists(&mut self, unpacking: &Unpacking) -> HashMap<(FileId, String), New> {
        let instance = unpacking.instance;
        let mut lists = HashMap::new();
        for entry in unpacking.entries() {
            let Some(list) = entry.path.strip_suffix(".Array.size") else { continue };
            let at = Stated::Override { instance, target: entry.target };
            if let Some(data) = self.data(at, &parts(list)) {
                lists.insert((entry.target, entry.path), new_of(&data));
            }
        }
        lists
    }

    /// Put a whole list where there is none yet and no class tells what its items are, by the path of
    /// its size. False where there is.
    pub(in crate::edit::scene) fn take_list(
        &mut self,
        owner: &Owner,
        path: &str,
        list: &New,
    ) -> Result<bool, Refusal> {
        let mut path = parts(path);
        path.pop();
        let is_empty = match self.data(owner.at, &path) {
            None => true,
            Some(Data::List(items)) => items.is_empty(),
            Some(Data::Text(text)) => text.is_empty() || text == "[]",
            Some(_) => false,
        };
        let kind = kind_at(&self.root_kind(owner), &path).and_then(|kind| kind.item());
        let is_unknown = matches!(kind, None | Some(Kind::Unknown));
        Ok(is_empty && is_unknown && self.put(owner.at, &path, list).is_ok())
    }

    /// Take out of an instance what it says of objects that its prefab no longer has: that was the
    /// matter of another file until now.
    pub(super) fn drop_stale(&mut self, instance: FileId) -> Result<(), Refusal> {
        let Some(source) = self.source(instance) else { return Ok(()) };
        self.drop_overrides(instance, |target, _| !source.leads_somewhere(target))?;
        for list in ["m_RemovedComponents", "m_RemovedGameObjects"] {
            let path = format!("m_Modification.{list}");
            self.edit(instance, |object, manner, edits| {
                let Some(list) = object.get(&path) else { return Ok(()) };
                let is_there = |item: Value<'_>| {
                    item.as_reference().is_some_and(|to| source.leads_somewhere(to.file_id))
                };
                let kept = list.items().enumerate().filter(|(_, item)| is_there(*item));
                let items: Vec<Item> = kept.map(|(at, _)| Item::Old(at)).collect();
                edit::set_list(object, &path, &items, manner, edits)
            })?;
        }
        Ok(())
    }

    /// Put the value of an override where it is meant. True when that changed anything.
    pub(in crate::edit::scene) fn take(
        &mut self,
        owner: &Owner,
        path: &str,
        text: &str,
        reference: Reference,
    ) -> Result<bool, Refusal> {
        let path = parts(path);
        let new = match reference.is_null() {
            false => New::Reference(reference),
            // An emptied reference says as little as an empty text; what is there tells which it is.
            true => match self.data(owner.at, &path) {
                Some(Data::Reference(_)) => New::local(FileId::NULL),
                _ if is_number(text) => New::Number(text.to_owned()),
                _ => New::Text(text.to_owned()),
            },
        };
        match path.last() {
            Some(Part::Size) => self.resize(owner, &path, &new),
            _ => {
                let kind = kind_at(&self.root_kind(owner), &path).unwrap_or_default();
                self.put_kind(owner.at, &path, &kind, &new)
            }
        }
    }
}

/// Whether a text is a number as files have it; `007` is a name.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('-').as_bytes();
    let is_padded = matches!(digits, [b'0', b'0'..=b'9', ..]);
    text.parse::<f64>().is_ok() && !is_padded
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn names_of_digits_are_no_numbers() {
        for number in ["0", "-1", "0.5", "1e-05", "12"] {
            assert!(is_number(number), "{number}");
        }
        for name in ["007", "", "Lamp", "-01", "0x1f"] {
            assert!(!is_number(name), "{name}");
        }
    }
}
