//! The values that an instance had: they go into the plain objects, and into the overrides of the
//! instances that came.

use std::collections::BTreeMap;

use super::{Editor, Refusal, Unpacking};
use crate::edit::address::{Part, parts};
use crate::edit::{self, New, Override};
use crate::hierarchy::Data;
use crate::{FileId, Reference};

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
        for (instance, overrides) in nested {
            self.edit(instance, |object, manner, edits| {
                edit::set_overrides(object, &overrides, manner, edits)
            })?;
        }
        unpacking.lost = lost;
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
