//! The settings of an asset's import, in its `.meta`: found by the names that people and Unity's API
//! use, read, and set with everything else as it is.

mod names;
pub mod sprites;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use scenewright_text::Edits;
use serde_json::Value as Json;

use crate::edit::{Item, Manner, New, json_inside, set_in};
use crate::{Document, Value, ValueKind};

/// What a meta has besides the importer.
const HEAD: [&str; 5] = ["fileFormatVersion", "guid", "timeCreated", "licenseType", "folderAsset"];
/// The list of settings by platform, and the entry that the others start from.
const PLATFORMS: &str = "platformSettings";
const DEFAULT_PLATFORM: &str = "DefaultTexturePlatform";
/// Deeper values are no settings.
const MAX_DEPTH: usize = 6;

/// The importer of a meta.
#[derive(Clone)]
pub struct Importer<'d> {
    document: &'d Document,
    /// Its class, such as `TextureImporter`.
    pub class: Cow<'d, str>,
    /// Its settings.
    pub value: Value<'d>,
}

/// Why a setting cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No setting has this name.
    #[error("{class} has no setting {name}")]
    Unknown {
        /// The importer.
        class: String,
        /// What was asked for.
        name: String,
    },
    /// Several settings have this name.
    #[error("{name} may be {}", paths.join(" or "))]
    Several {
        /// What was asked for.
        name: String,
        /// What it may be.
        paths: Vec<String>,
    },
    /// The value does not fit.
    #[error("{name} cannot be {value}: {why}")]
    Value {
        /// The setting.
        name: String,
        /// The value.
        value: String,
        /// What it can be.
        why: String,
    },
    /// The importer has no settings by platform.
    #[error("{0} has no settings by platform")]
    NoPlatforms(String),
}

impl<'d> Importer<'d> {
    /// The importer of a meta; nothing for one without, as of a folder in old projects.
    pub fn of(document: &'d Document) -> Option<Importer<'d>> {
        let mut fields = document.root().fields();
        let (class, value) = fields
            .find(|(key, value)| !HEAD.contains(&key.as_ref()) && value.kind() == ValueKind::Map)?;
        Some(Importer { document, class, value })
    }

    /// Every setting with its path: numbers, text, vectors. Lists are left out, but for those of
    /// platforms.
    pub fn settings(&self) -> Vec<(String, Value<'d>)> {
        let mut found = Vec::new();
        collect(self.value, String::new(), 0, &mut found);
        for (at, item) in self.platforms().into_iter().enumerate() {
            collect(item, format!("{PLATFORMS}[{at}]"), 0, &mut found);
        }
        found
    }

    /// The platforms that have settings of their own.
    pub fn platform_names(&self) -> Vec<String> {
        let name = |item: Value<'_>| item.get("buildTarget").map(|name| name.text().into_owned());
        self.platforms().into_iter().filter_map(name).collect()
    }

    fn platforms(&self) -> Vec<Value<'d>> {
        self.value.get(PLATFORMS).map(|list| list.items().collect()).unwrap_or_default()
    }

    /// Where a setting is that a caller names: by its path, its last name, or as Unity's API does.
    pub fn find(&self, name: &str) -> Result<String, Refused> {
        let is_plain = |path: &str| !path.starts_with(PLATFORMS);
        let has = |path: &str| is_plain(path) && self.value.get(path).is_some_and(is_setting);
        let asked = match names::in_file(&self.class, name) {
            // Files of older versions have some settings in another place, under the API's name.
            newer if !has(newer) && self.default_place(newer).is_none() && has(name) => name,
            asked => asked,
        };
        if has(asked) {
            // What is set by platform counts there, not where it was before there were platforms.
            return Ok(match self.default_place(asked) {
                Some(path) => path,
                None => asked.to_owned(),
            });
        }
        if let Some(path) = self.default_place(asked) {
            return Ok(path);
        }
        let last = |path: &str| path.rsplit('.').next().is_some_and(|last| last == asked);
        let settings = self.settings();
        let plain = settings.iter().map(|(path, _)| path).filter(|path| is_plain(path));
        let mut paths: Vec<String> = plain.filter(|path| last(path)).cloned().collect();
        match (paths.len(), self.value.get(asked).is_some_and(is_setting)) {
            (_, true) => Ok(asked.to_owned()),
            (1, _) => Ok(paths.remove(0)),
            (0, _) => {
                let class = self.class.clone().into_owned();
                Err(Refused::Unknown { class, name: name.to_owned() })
            }
            _ => Err(Refused::Several { name: name.to_owned(), paths }),
        }
    }

    /// The place of a setting among those of every platform.
    fn default_place(&self, name: &str) -> Option<String> {
        let is_default = |item: &Value<'_>| {
            item.get("buildTarget").is_some_and(|target| target.text() == DEFAULT_PLATFORM)
        };
        let at = self.platforms().iter().position(is_default)?;
        self.platforms()[at].get(name).filter(|value| is_setting(*value))?;
        Some(format!("{PLATFORMS}[{at}].{name}"))
    }

    /// Set what a caller names; where it was set.
    pub fn set(&self, name: &str, value: &Json, edits: &mut Edits) -> Result<String, Refused> {
        let path = self.find(name)?;
        self.put(&path, name, value, edits)?;
        // Textures have had one mode for all directions.
        if name == "wrapMode" {
            for other in ["textureSettings.wrapV", "textureSettings.wrapW"] {
                if self.value.get(other).is_some() {
                    self.put(other, name, value, edits)?;
                }
            }
        }
        Ok(path)
    }

    /// Set several settings for one platform, which then overrides the others' settings.
    pub fn set_platform(
        &self,
        platform: &str,
        values: &[(&str, &Json)],
        edits: &mut Edits,
    ) -> Result<(), Refused> {
        let target = names::platform(platform);
        let items = self.platforms();
        let name_of =
            |item: &Value<'_>| item.get("buildTarget").map(|name| name.text().into_owned());
        let at = items.iter().position(|item| name_of(item).as_deref() == Some(target));
        let overridden = Json::from(1);
        let values = values.iter().copied().chain([("overridden", &overridden)]);
        if let Some(at) = at {
            for (name, value) in values {
                let asked = names::in_file(&self.class, name);
                let path = format!("{PLATFORMS}[{at}].{asked}");
                if self.value.get(&path).is_none() {
                    return Err(self.unknown(name));
                }
                self.put(&path, name, value, edits)?;
            }
            return Ok(());
        }
        let from = items.iter().find(|item| name_of(item).as_deref() == Some(DEFAULT_PLATFORM));
        let Some(from) = from else { return Err(Refused::NoPlatforms(self.class.to_string())) };
        let mut fields: Vec<(String, New)> =
            from.fields().map(|(key, value)| (key.into_owned(), New::copy_of(value))).collect();
        let mut set = |name: &str, new: New| match fields.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => {
                *old = new;
                Ok(())
            }
            None => Err(self.unknown(name)),
        };
        set("buildTarget", New::Text(target.to_owned()))?;
        for (name, value) in values {
            let asked = names::in_file(&self.class, name);
            let old = from.get(asked).ok_or_else(|| self.unknown(name))?;
            set(asked, self.read(asked, name, old, value)?)?;
        }
        let mut list: Vec<Item> = (0..items.len()).map(Item::Old).collect();
        list.push(Item::New(New::Map(fields)));
        let Some(value) = self.value.get(PLATFORMS) else {
            return Err(Refused::NoPlatforms(self.class.to_string()));
        };
        let manner = Manner::of(self.document);
        crate::edit::set_items(self.document.as_bytes(), value, &list, manner, edits)
            .map_err(|_| Refused::NoPlatforms(self.class.to_string()))
    }

    fn unknown(&self, name: &str) -> Refused {
        Refused::Unknown { class: self.class.to_string(), name: name.to_owned() }
    }

    fn put(&self, path: &str, name: &str, value: &Json, edits: &mut Edits) -> Result<(), Refused> {
        let old = self.value.get(path).ok_or_else(|| self.unknown(name))?;
        let last = path.rsplit('.').next().unwrap_or(path);
        let new = self.read(last, name, old, value)?;
        let manner = Manner::of(self.document);
        set_in(self.document, self.value, path, &new, &manner, edits).map_err(|why| {
            Refused::Value { name: name.to_owned(), value: value.to_string(), why: why.to_string() }
        })
    }

    /// A value as the setting takes it.
    /// A value for what is `old` now. A string that is none may have JSON in it: `"[1, 2]"`, `"true"`.
    fn read(&self, key: &str, name: &str, old: Value<'_>, value: &Json) -> Result<New, Refused> {
        self.read_as_given(key, name, old, value).or_else(|refused| {
            let inside = json_inside(value).ok_or(refused.clone())?;
            self.read_as_given(key, name, old, &inside).map_err(|_| refused)
        })
    }

    fn read_as_given(
        &self,
        key: &str,
        name: &str,
        old: Value<'_>,
        value: &Json,
    ) -> Result<New, Refused> {
        let refused =
            |why: String| Refused::Value { name: name.to_owned(), value: value.to_string(), why };
        let choices = names::choices(&self.class, key);
        match value {
            Json::Bool(value) => Ok(New::bool(*value)),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => Ok(New::int(whole)),
                None => Ok(New::float(number.as_f64().unwrap_or_default() as f32)),
            },
            Json::String(text) if !choices.is_empty() => {
                let found = choices.iter().find(|(choice, _)| choice.eq_ignore_ascii_case(text));
                let known =
                    || choices.iter().map(|(choice, _)| *choice).collect::<Vec<_>>().join(", ");
                found
                    .map(|(_, number)| New::int(*number))
                    .ok_or_else(|| refused(format!("there is {}", known())))
            }
            Json::String(_) if old.as_f64().is_some() => Err(refused("it is a number".to_owned())),
            Json::String(_) if old.kind() == ValueKind::Map => {
                Err(refused("it has other parts".to_owned()))
            }
            Json::String(text) => Ok(New::Text(text.clone())),
            Json::Array(parts) => {
                flow(old, parts).ok_or_else(|| refused("it has other parts".to_owned()))
            }
            Json::Object(parts) => {
                let part = |(key, value): (&String, &Json)| {
                    let old = old.get(key)?;
                    old.as_f64()?;
                    Some((key.clone(), New::float(value.as_f64()? as f32)))
                };
                let parts: Option<Vec<_>> = parts.iter().map(part).collect();
                parts.map(New::Flow).ok_or_else(|| refused("it has other parts".to_owned()))
            }
            Json::Null => Err(refused("a value is needed".to_owned())),
        }
    }
}

/// `[1, 2]` for `{x: 0, y: 0}`.
fn flow(old: Value<'_>, parts: &[Json]) -> Option<New> {
    let keys: Vec<String> = old.fields().map(|(key, _)| key.into_owned()).collect();
    if keys.len() != parts.len() || keys.is_empty() {
        return None;
    }
    let part = |(key, value): (String, &Json)| Some((key, New::float(value.as_f64()? as f32)));
    keys.into_iter().zip(parts).map(part).collect::<Option<Vec<_>>>().map(New::Flow)
}

/// A number, a text, or a vector.
fn is_setting(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Scalar => true,
        ValueKind::Map => value.style() == crate::ValueStyle::Flow && !value.is_empty(),
        ValueKind::Sequence => false,
    }
}

fn collect<'d>(map: Value<'d>, before: String, depth: usize, found: &mut Vec<(String, Value<'d>)>) {
    for (key, value) in map.fields() {
        if key == "serializedVersion" || depth > MAX_DEPTH {
            continue;
        }
        let path = if before.is_empty() { key.into_owned() } else { format!("{before}.{key}") };
        match is_setting(value) {
            true => found.push((path, value)),
            false => collect(value, path, depth + 1, found),
        }
    }
}
