//! Entries of maps whose keys are data: found by the names that people give them, set, taken away.
//!
//! Classes have such a map as a list of pairs; files have some of these as keys with values, in
//! order, and others as a list. What a file has tells which.

use serde_json::Value;

use super::encode::field_of;
use super::fields::{Known, Owner, kind_at, like};
use super::{Editor, Refusal};
use crate::edit::address::{Part, property_path};
use crate::edit::kind::Kind;
use crate::edit::{self, New, json_inside, platforms};
use crate::hierarchy::{Data, Stated};

/// A map whose keys are data.
pub(super) struct DataMap {
    values: Kind,
    /// The keys that the file has.
    keys: Vec<String>,
    /// Keys are whole numbers.
    has_numbers: bool,
    /// Keys are platforms.
    has_platforms: bool,
}

/// Entries that a map gets, and those that it loses.
type Entries = Vec<(String, Option<New>)>;

impl Editor<'_> {
    /// Set a whole map, or one entry of it. Nothing comes back where the field is neither.
    pub(super) fn set_map(
        &mut self,
        owner: &Owner,
        known: &Known,
        value: &Value,
    ) -> Result<Option<bool>, Refusal> {
        let Stated::Here(id) = owner.at else { return Ok(None) };
        let root = self.root_kind(owner);
        let (path, entries) = match DataMap::at(&root, &known.parts, known.now.as_ref()) {
            Some(map) => {
                let entries = self.whole_map(&map, value, known.now.as_ref())?;
                (property_path(&known.parts), entries)
            }
            None => {
                let Some((Part::Key(key), at)) = known.parts.split_last() else { return Ok(None) };
                // An object is no map, and reading the whole of it is not free.
                if at.is_empty() {
                    return Ok(None);
                }
                let now = self.data(owner.at, at);
                let Some(map) = DataMap::at(&root, at, now.as_ref()) else { return Ok(None) };
                let new = match value {
                    Value::Null => None,
                    value => {
                        Some(self.item(&map.values, value, field_of(now.as_ref(), key), None)?)
                    }
                };
                (property_path(at), vec![(key.clone(), new)])
            }
        };
        let edited = self.sheet.edit(id, |object, manner, edits| {
            edit::set_entries(object, &path, &entries, manner, edits)?;
            Ok(Some(!edits.is_empty()))
        });
        edited.map_err(|refused| Refusal::new(refused.to_string()))
    }

    /// All entries from an object; what is null in it or not in it goes.
    fn whole_map(
        &mut self,
        map: &DataMap,
        value: &Value,
        now: Option<&Data>,
    ) -> Result<Entries, Refusal> {
        let inside = json_inside(value);
        let Value::Object(given) = inside.as_ref().unwrap_or(value) else {
            let shown: String = value.to_string().chars().take(80).collect();
            let values = map.values.words();
            let text = format!("the field takes an object, each value {values}, and not {shown}");
            return Err(Refusal::new(text));
        };
        let mut entries: Entries = Vec::new();
        for (wanted, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let key = match map.key(wanted) {
                Some(key) => key,
                // A platform that is not known here may be one of a later version.
                None if !map.has_numbers && is_key(wanted) => wanted.clone(),
                None => return Err(map.no_key(wanted)),
            };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(Refusal::new(format!("{key} is in the value twice")));
            }
            let new = self.item(&map.values, value, field_of(now, &key), None)?;
            entries.push((key, Some(new)));
        }
        let gone = map.keys.iter().filter(|key| !entries.iter().any(|(kept, _)| kept == *key));
        let gone: Entries = gone.map(|key| (key.clone(), None)).collect();
        Ok(entries.into_iter().chain(gone).collect())
    }
}

impl DataMap {
    /// The map at a path, where there is one.
    pub(super) fn at(root: &Kind, at: &[Part], now: Option<&Data>) -> Option<DataMap> {
        let Some(Data::Map(fields)) = now else { return None };
        let pair = kind_at(root, at)?.item().filter(Kind::is_pair)?;
        let keys: Vec<String> = fields.iter().map(|(key, _)| key.clone()).collect();
        let is_number = |key: &String| key.parse::<i64>().is_ok();
        let has_numbers = match keys.is_empty() {
            true => matches!(pair.field("first"), Some(Kind::Int(..))),
            false => keys.iter().all(is_number),
        };
        let has_platforms =
            matches!(at.last(), Some(Part::Key(field)) if platforms::are_keys_of(field));
        Some(DataMap { values: pair.field("second")?, keys, has_numbers, has_platforms })
    }

    /// The key that the rest of a path begins with, and how many steps of it that takes: keys may
    /// have dots where values have no parts. One that is not there yet is as Unity would have it.
    pub(super) fn step(&self, rest: &[Part]) -> Result<(String, usize), Refusal> {
        let names = rest.iter().map_while(|part| match part {
            Part::Key(key) => Some(key.as_str()),
            _ => None,
        });
        let mut names: Vec<&str> = names.collect();
        if !self.values.keys().is_empty() {
            names.truncate(1);
        }
        let wanted = names.join(".");
        // Parts of an entry can only be set where it is.
        let is_whole = names.len() == rest.len();
        let key = self.key(&wanted).or_else(|| {
            let is_free = !self.has_numbers && !self.has_platforms && is_key(&wanted);
            is_free.then(|| wanted.clone())
        });
        match key.filter(|key| is_whole || self.keys.contains(key)) {
            Some(key) => Ok((key, names.len())),
            None => Err(self.no_key(&wanted)),
        }
    }

    /// The key that a name stands for: one that is there, or the one that Unity has for it.
    fn key(&self, wanted: &str) -> Option<String> {
        if self.keys.iter().any(|key| key == wanted) {
            return Some(wanted.to_owned());
        }
        let keys = || self.keys.iter().map(String::as_str);
        if let Some((name, number)) = platforms::find(wanted).filter(|_| self.has_platforms) {
            let is_same = |key: &&str| platforms::find(key).is_some_and(|(known, _)| known == name);
            return match keys().find(is_same) {
                Some(key) => Some(key.to_owned()),
                None if self.has_numbers => number.map(|number| number.to_string()),
                None => Some(name.to_owned()),
            };
        }
        match self.has_numbers {
            true => wanted.parse::<i64>().ok().map(|number| number.to_string()),
            false => like(wanted, keys()).map(str::to_owned),
        }
    }

    fn no_key(&self, wanted: &str) -> Refusal {
        match self.has_platforms {
            true => Refusal::new(format!("there is no platform {wanted}"))
                .choices(wanted, platforms::names(self.has_numbers)),
            false => Refusal::new(format!("the map takes no key {wanted}"))
                .choices(wanted, self.keys.clone()),
        }
    }
}

/// Whether a key can stand on a line.
fn is_key(key: &str) -> bool {
    !key.is_empty() && key == key.trim() && !key.contains(['\n', '\r'])
}
