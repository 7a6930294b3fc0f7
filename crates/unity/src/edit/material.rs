//! A material's properties by the names that its shader gives them, and its keywords.
//!
//! Unity keeps properties in lists by kind, sorted by name, and has spelled an item in three ways:
//! `- _Color: …` since 2017, `- first: {name: _Color}` with `second: …` before, and `data:` with the
//! same two in Unity 4. What is there is set in any of them; what is not is added in the first two.

mod fresh;
mod keywords;
mod setting;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use scenewright_text::Edits;

use super::list::{regions, set_items};
use super::set::replace;
use super::{Item, Manner, New, Refused};
use crate::{Object, Value};

pub use fresh::{MAIN_ID, new_file};
pub use keywords::{keywords, set_keywords};
pub use setting::Setting;

/// What a property is, by the list that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// A texture with scale and offset.
    Texture,
    /// A whole number. Files before 2021 keep these among the others.
    Int,
    /// A number.
    Float,
    /// A colour or a vector: both have four parts.
    Color,
}

impl PropertyKind {
    /// All kinds, in the order of the file.
    pub const ALL: [PropertyKind; 4] =
        [PropertyKind::Texture, PropertyKind::Int, PropertyKind::Float, PropertyKind::Color];

    /// Where properties of this kind are in a material.
    pub fn list(self) -> &'static str {
        match self {
            PropertyKind::Texture => "m_SavedProperties.m_TexEnvs",
            PropertyKind::Int => "m_SavedProperties.m_Ints",
            PropertyKind::Float => "m_SavedProperties.m_Floats",
            PropertyKind::Color => "m_SavedProperties.m_Colors",
        }
    }
}

/// A property as the file has it.
#[derive(Clone, Copy)]
pub struct Property<'d> {
    /// What it is.
    pub kind: PropertyKind,
    /// Its value: a number, `{r: …}`, or a map with `m_Texture`, `m_Scale` and `m_Offset`.
    pub value: Value<'d>,
}

impl Property<'_> {
    /// The same as a value to be given; nothing where the file has something odd.
    pub fn setting(self) -> Option<Setting> {
        let part = |value: Option<Value<'_>>| value.and_then(Value::as_f64).map(|part| part as f32);
        Some(match self.kind {
            PropertyKind::Float => Setting::Float(part(Some(self.value))?),
            PropertyKind::Int => Setting::Int(self.value.as_i64()?.try_into().ok()?),
            PropertyKind::Color => {
                Setting::Color(["r", "g", "b", "a"].map(|key| part(self.value.get(key))))
            }
            PropertyKind::Texture => Setting::Texture {
                texture: self.value.get("m_Texture")?.as_reference(),
                scale: ["m_Scale.x", "m_Scale.y"].map(|key| part(self.value.get(key))),
                offset: ["m_Offset.x", "m_Offset.y"].map(|key| part(self.value.get(key))),
            },
        })
    }
}

/// The properties that a material has, by name, in the order of the file.
pub fn properties<'d>(
    object: Object<'d>,
) -> impl Iterator<Item = (Cow<'d, str>, Property<'d>)> + use<'d> {
    PropertyKind::ALL.into_iter().flat_map(move |kind| {
        let list = object.get(kind.list());
        let entries = list.into_iter().flat_map(entries);
        entries.map(move |(name, value)| (name, Property { kind, value }))
    })
}

/// The property of a name, if the material has it.
pub fn property<'d>(object: Object<'d>, name: &str) -> Option<Property<'d>> {
    properties(object).find(|(known, _)| known == name).map(|(_, property)| property)
}

/// Set one property; see [`set_properties`].
pub fn set_property(
    object: Object<'_>,
    name: &str,
    setting: &Setting,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    set_properties(object, &[(name, *setting)], manner, edits)
}

/// Set properties by name. One that the material does not have yet is added where Unity sorts it; of
/// two settings of one name the last counts. A shader that was changed leaves properties of the same
/// name and another kind behind, which stay: take the kind from the shader, or from [`property`].
pub fn set_properties(
    object: Object<'_>,
    settings: &[(&str, Setting)],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let bytes = object.document().as_bytes();
    let mut added: Vec<(PropertyKind, &str, Setting)> = Vec::new();
    for (at, (name, setting)) in settings.iter().enumerate() {
        if settings[at + 1..].iter().any(|(later, _)| later == name) {
            continue;
        }
        match find(object, name, *setting) {
            Some((known, setting)) => {
                let new = setting.change();
                let refused = |()| Refused::Shape((*name).into());
                replace(bytes, known.value, &new, *manner, edits).map_err(refused)?;
            }
            None => added.push((setting.kind(), name, *setting)),
        }
    }
    // Equal names of several kinds cannot be here, so this is the order of Unity's own map.
    added.sort_by_key(|(_, name, _)| *name);
    let has_ints = object.get(PropertyKind::Int.list()).is_some();
    for kind in PropertyKind::ALL {
        let is_here = |of: PropertyKind| match of {
            PropertyKind::Int if !has_ints => kind == PropertyKind::Float,
            of => of == kind,
        };
        let new: Vec<(&str, New)> = added
            .iter()
            .filter(|(of, ..)| is_here(*of))
            .map(|(_, name, setting)| (*name, setting.whole()))
            .collect();
        if !new.is_empty() {
            add(object, kind, &new, *manner, edits)?;
        }
    }
    Ok(())
}

/// The property that a setting is about, and the setting as one of its kind: of its own, else of the
/// other kind of number.
fn find<'d>(object: Object<'d>, name: &str, setting: Setting) -> Option<(Property<'d>, Setting)> {
    let mut other = None;
    for (_, property) in properties(object).filter(|(known, _)| known == name) {
        match setting.of_kind(property.kind) {
            Some(same) if property.kind == setting.kind() => return Some((property, same)),
            Some(same) => other = Some((property, same)),
            None => {}
        }
    }
    other
}

/// The names and values in a list, however it is spelled.
fn entries<'d>(list: Value<'d>) -> impl Iterator<Item = (Cow<'d, str>, Value<'d>)> {
    let data = list.fields().filter(|(key, _)| key == "data").map(|(_, value)| value);
    list.items().chain(data).filter_map(entry)
}

fn entry(item: Value<'_>) -> Option<(Cow<'_, str>, Value<'_>)> {
    let (key, value) = item.fields().next()?;
    match item.get("second").filter(|_| key == "first") {
        Some(second) => {
            let name = value.get("name").unwrap_or(value);
            Some((name.text(), second))
        }
        None => Some((key, value)),
    }
}

/// Whether names of properties stand behind `first`, as before Unity 2017.
fn is_in_pairs(object: Object<'_>) -> bool {
    let lists = PropertyKind::ALL.into_iter().filter_map(|kind| object.get(kind.list()));
    let first = lists.flat_map(|list| list.items()).next();
    match first {
        Some(item) => item.get("second").is_some(),
        None => object.get("m_SavedProperties.serializedVersion").and_then(Value::as_i64) < Some(3),
    }
}

/// One item of a list of properties.
fn item(name: &str, value: New, in_pairs: bool) -> New {
    match in_pairs {
        true => {
            let first = New::Map(vec![("name".into(), New::Text(name.into()))]);
            New::Map(vec![("first".into(), first), ("second".into(), value)])
        }
        false => New::Map(vec![(name.into(), value)]),
    }
}

/// Adds items, sorted as they are, to a list that is sorted.
fn add(
    object: Object<'_>,
    kind: PropertyKind,
    new: &[(&str, New)],
    manner: Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let refused =
        || Refused::NoPlace(new.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "));
    let bytes = object.document().as_bytes();
    let list = object.get(kind.list()).ok_or_else(refused)?;
    let in_pairs = is_in_pairs(object);
    if list.is_empty() {
        let items: Vec<Item> = new
            .iter()
            .map(|(name, value)| Item::New(item(name, value.clone(), in_pairs)))
            .collect();
        return set_items(bytes, list, &items, manner, edits);
    }
    let lines = regions(bytes, list).ok_or_else(refused)?;
    let names: Vec<Cow<'_, str>> = entries(list).map(|(name, _)| name).collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Err(refused()) };
    if names.len() != lines.len() {
        return Err(refused());
    }
    let column = first.len() - bytes[first.clone()].trim_ascii_start().len();
    for (name, value) in new {
        let mut text = String::new();
        item(name, value.clone(), in_pairs).push_item(&mut text, column, manner);
        match names.iter().position(|known| known.as_ref() > *name) {
            Some(next) => edits.insert(lines[next].start, text + manner.line_break),
            None if bytes.get(last.end.wrapping_sub(1)) == Some(&b'\n') => {
                edits.insert(last.end, text + manner.line_break);
            }
            None => edits.insert(last.end, manner.line_break.to_owned() + &text),
        }
    }
    Ok(())
}
