//! Audio mixers.
//!
//! A `.mixer` keeps names and values apart: groups and effects name their parameters by guid, the
//! snapshots hold a number for each guid, and the controller gives some of the guids a public name.
//! Here they are joined.

mod edit;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

pub use edit::{create_group, create_snapshot};

use crate::{ClassId, Document, FileId, Guid, Object, Reference};

const CONTROLLER: ClassId = ClassId(241);
const GROUP: ClassId = ClassId(243);
const EFFECT: ClassId = ClassId(244);
const SNAPSHOT: ClassId = ClassId(245);

/// The volume of a group, in decibels, where a snapshot has none.
const DEFAULT_VOLUME: f64 = 0.0;
/// The pitch of a group, as a factor, where a snapshot has none.
const DEFAULT_PITCH: f64 = 1.0;

/// An audio mixer.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixer {
    /// The name in the file.
    pub name: String,
    /// The groups, each before its children, in the order of the mixer's tree.
    pub groups: Vec<Group>,
    /// The snapshots, in the mixer's order.
    pub snapshots: Vec<Snapshot>,
    /// The parameters that scripts reach by name, in the mixer's order.
    pub exposed: Vec<Exposed>,
    /// The group of another mixer that this one plays into.
    pub output: Option<Reference>,
    /// References that lead nowhere, as sentences without a full stop.
    pub notes: Vec<String>,
}

/// A group of a mixer.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What audio sources refer to.
    pub file_id: FileId,
    /// The identity that the mixer's views use.
    pub id: Option<Guid>,
    /// The name.
    pub name: String,
    /// The names from the master group down, joined by `/`.
    pub path: String,
    /// The parameter of the volume.
    pub volume: Option<Guid>,
    /// The parameter of the pitch.
    pub pitch: Option<Guid>,
    /// Silenced.
    pub mute: bool,
    /// Heard alone.
    pub solo: bool,
    /// The effects are passed over.
    pub bypass_effects: bool,
    /// The effects, first to last.
    pub effects: Vec<Effect>,
}

/// An effect of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// `Lowpass`, `Send`, `Attenuation` and so on.
    pub name: String,
    /// Passed over.
    pub bypass: bool,
    /// The parameters by name. A send has `Send level`, and an effect with a wet mix `Mix level`.
    pub parameters: Vec<(String, Guid)>,
}

/// A snapshot of a mixer.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The object in the file.
    pub file_id: FileId,
    /// The name.
    pub name: String,
    /// True for the one that the mixer starts with.
    pub is_start: bool,
    /// The numbers it holds, by parameter.
    pub values: BTreeMap<Guid, f64>,
}

/// A parameter that scripts reach by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    /// The name.
    pub name: String,
    /// The parameter.
    pub guid: Guid,
}

/// What a parameter belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Owner<'m> {
    /// The group.
    pub group: &'m Group,
    /// The effect, for a parameter of an effect.
    pub effect: Option<&'m Effect>,
    /// `Volume`, `Pitch`, or the name that the effect has for it.
    pub parameter: &'m str,
}

/// The number of a parameter in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// The snapshot holds it.
    Stored(f64),
    /// The snapshot does not hold it, so that this default counts.
    Default(f64),
    /// The snapshot does not hold it, and the default is inside the effect.
    EffectDefault,
}

impl Level {
    /// The number, where it is known.
    pub fn value(self) -> Option<f64> {
        match self {
            Level::Stored(value) | Level::Default(value) => Some(value),
            Level::EffectDefault => None,
        }
    }

    /// True when the snapshot holds the number.
    pub fn is_stored(self) -> bool {
        matches!(self, Level::Stored(_))
    }
}

impl Mixer {
    /// Reads a `.mixer`; nothing when the document holds no mixer.
    pub fn read(document: &Document) -> Option<Mixer> {
        let controller = document.objects().find(|object| object.class_id() == CONTROLLER)?;
        let mut notes = Vec::new();
        let start = reference(controller, "m_StartSnapshot");
        let snapshots = followed(document, controller, "m_Snapshots", &mut notes)
            .into_iter()
            .filter(|object| object.class_id() == SNAPSHOT)
            .map(|object| read_snapshot(object, start))
            .collect();
        Some(Mixer {
            name: text(controller, "m_Name"),
            groups: read_groups(document, controller, &mut notes),
            snapshots,
            exposed: read_exposed(controller),
            output: reference(controller, "m_OutputGroup"),
            notes,
        })
    }

    /// The group that a reference into this mixer's file means.
    pub fn group(&self, id: FileId) -> Option<&Group> {
        self.groups.iter().find(|group| group.file_id == id)
    }

    /// What a parameter belongs to.
    pub fn owner(&self, parameter: Guid) -> Option<Owner<'_>> {
        self.groups.iter().find_map(|group| {
            let owner = |effect, parameter| Some(Owner { group, effect, parameter });
            if group.volume == Some(parameter) {
                return owner(None, "Volume");
            }
            if group.pitch == Some(parameter) {
                return owner(None, "Pitch");
            }
            group.effects.iter().find_map(|effect| {
                let (name, _) = effect.parameters.iter().find(|(_, guid)| *guid == parameter)?;
                owner(Some(effect), name)
            })
        })
    }
}

impl Snapshot {
    /// The volume of a group, in decibels.
    pub fn volume(&self, group: &Group) -> Level {
        self.level(group.volume, Some(DEFAULT_VOLUME))
    }

    /// The pitch of a group, as a factor.
    pub fn pitch(&self, group: &Group) -> Level {
        self.level(group.pitch, Some(DEFAULT_PITCH))
    }

    /// The number of an effect's parameter.
    pub fn effect_level(&self, parameter: Guid) -> Level {
        self.level(Some(parameter), None)
    }

    /// The number of a parameter of known owner.
    pub fn level_of(&self, owner: &Owner<'_>, parameter: Guid) -> Level {
        match (owner.effect, owner.parameter) {
            (None, "Pitch") => self.pitch(owner.group),
            (None, _) => self.volume(owner.group),
            (Some(_), _) => self.effect_level(parameter),
        }
    }

    fn level(&self, parameter: Option<Guid>, default: Option<f64>) -> Level {
        match (parameter.and_then(|guid| self.values.get(&guid)), default) {
            (Some(value), _) => Level::Stored(*value),
            (None, Some(default)) => Level::Default(default),
            (None, None) => Level::EffectDefault,
        }
    }
}

fn read_groups(document: &Document, mixer: Object<'_>, notes: &mut Vec<String>) -> Vec<Group> {
    let Some(master) = reference(mixer, "m_MasterGroup").and_then(|r| document.object(r.file_id))
    else {
        notes.push("the mixer has no master group".to_owned());
        return Vec::new();
    };
    let mut groups = Vec::new();
    // A broken file may have a group below itself.
    let mut seen = HashSet::new();
    let mut waiting = vec![(master, String::new())];
    while let Some((object, above)) = waiting.pop() {
        if object.class_id() != GROUP || !seen.insert(object.file_id()) {
            continue;
        }
        let name = text(object, "m_Name");
        let path = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
        let children = followed(document, object, "m_Children", notes);
        waiting.extend(children.into_iter().rev().map(|child| (child, path.clone())));
        groups.push(Group {
            file_id: object.file_id(),
            id: guid(object, "m_GroupID"),
            name,
            path,
            volume: guid(object, "m_Volume"),
            pitch: guid(object, "m_Pitch"),
            mute: flag(object, "m_Mute"),
            solo: flag(object, "m_Solo"),
            bypass_effects: flag(object, "m_BypassEffects"),
            effects: followed(document, object, "m_Effects", notes)
                .into_iter()
                .map(read_effect)
                .collect(),
        });
    }
    groups
}

fn read_effect(object: Object<'_>) -> Effect {
    let name = text(object, "m_EffectName");
    let listed = object.get("m_Parameters").into_iter().flat_map(|list| list.items());
    let mut parameters: Vec<(String, Guid)> = listed
        .filter_map(|item| {
            let name = item.get("m_ParameterName")?.text().into_owned();
            Some((name, item.get("m_GUID")?.as_guid()?))
        })
        .collect();
    // Every effect has a mix level; only these two kinds use it.
    let level = match name.as_str() {
        "Send" => Some("Send level"),
        _ if flag(object, "m_EnableWetMix") => Some("Mix level"),
        _ => None,
    };
    if let (Some(level), Some(guid)) = (level, guid(object, "m_MixLevel")) {
        parameters.push((level.to_owned(), guid));
    }
    Effect { name, bypass: flag(object, "m_Bypass"), parameters }
}

fn read_snapshot(object: Object<'_>, start: Option<Reference>) -> Snapshot {
    let values = object.get("m_FloatValues").into_iter().flat_map(|map| map.fields());
    Snapshot {
        file_id: object.file_id(),
        name: text(object, "m_Name"),
        is_start: start.is_some_and(|start| start.file_id == object.file_id()),
        values: values
            .filter_map(|(key, value)| {
                let value = value.as_f64().filter(|value| value.is_finite())?;
                Some((Guid::parse(key.as_bytes())?, value))
            })
            .collect(),
    }
}

fn read_exposed(mixer: Object<'_>) -> Vec<Exposed> {
    let listed = mixer.get("m_ExposedParameters").into_iter().flat_map(|list| list.items());
    listed
        .filter_map(|item| {
            let name = item.get("name")?.text().into_owned();
            Some(Exposed { name, guid: item.get("guid")?.as_guid()? })
        })
        .collect()
}

/// The objects that a list of references names.
fn followed<'d>(
    document: &'d Document,
    object: Object<'d>,
    list: &str,
    notes: &mut Vec<String>,
) -> Vec<Object<'d>> {
    let items = object.get(list).into_iter().flat_map(|list| list.items());
    let mut found = Vec::new();
    for reference in items.filter_map(|item| item.as_reference()) {
        match document.object(reference.file_id) {
            Some(object) => found.push(object),
            None if reference.is_null() => {}
            None => notes.push(format!(
                "{list} of {} names {}, which is not in the file",
                text(object, "m_Name"),
                reference.file_id
            )),
        }
    }
    found
}

fn text(object: Object<'_>, key: &str) -> String {
    object.get(key).map(|value| value.text().into_owned()).unwrap_or_default()
}

fn flag(object: Object<'_>, key: &str) -> bool {
    object.get(key).and_then(|value| value.as_bool()) == Some(true)
}

fn guid(object: Object<'_>, key: &str) -> Option<Guid> {
    object.get(key)?.as_guid().filter(|guid| !guid.is_zero())
}

fn reference(object: Object<'_>, key: &str) -> Option<Reference> {
    object.get(key)?.as_reference().filter(|reference| !reference.is_null())
}
