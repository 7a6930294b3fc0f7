//! Fields by the names that people give them: those of the file, or those of C#.

use std::sync::Arc;

use super::maps::DataMap;
use super::{Editor, Held, Refusal, Seen};
use crate::edit::address::{self, Part, property_path};
use crate::edit::kind::Kind;
use crate::hierarchy::{Data, Stated};
use crate::script::package_script;
use crate::{ClassId, FileId, Reference, types};

/// A saved field of a member that C# has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The path in files.
    pub path: String,
    /// The members of its enum, where it is one.
    pub members: Option<Arc<Vec<(String, i64)>>>,
}

/// Something that has fields: an object, a component, or what an asset is.
#[derive(Debug, Clone)]
pub(super) struct Owner {
    pub(super) at: Stated,
    pub(super) class: ClassId,
    pub(super) full: String,
    pub(super) script: Option<Reference>,
    /// What it is called in messages.
    pub(super) shown: String,
}

/// A field that was found.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The way to it, as the file spells it.
    pub(super) parts: Vec<Part>,
    /// What it holds.
    pub(super) kind: Kind,
    /// What the file has there now.
    pub(super) now: Option<Data>,
    /// The class does not have it.
    pub(super) is_stray: bool,
}

/// Whether this is the number in a mask of layers, which takes names only as a whole.
fn is_bits_of_mask(root: &Kind, parts: &[Part]) -> bool {
    let Some((Part::Key(last), mask)) = parts.split_last() else { return false };
    last == "m_Bits" && matches!(kind_at(root, mask), Some(Kind::LayerMask))
}

/// What a number is in a curve that is the same everywhere.
const ONLY_KEY: &str = ".m_Curve.Array.data[0].value";

/// Fields that tie objects together, and what changes them instead.
const TIES: [(&str, &str); 12] = [
    ("m_GameObject", "addComponent and removeComponent"),
    ("m_Component", "addComponent and removeComponent"),
    ("m_Father", "reparent"),
    ("m_Children", "reparent"),
    ("m_RootOrder", "reparent with an index"),
    ("m_Roots", "reparent with an index"),
    ("m_CorrespondingSourceObject", "instantiate"),
    ("m_PrefabInstance", "instantiate"),
    ("m_PrefabAsset", "instantiate"),
    ("m_PrefabParentObject", "instantiate"),
    ("m_PrefabInternal", "instantiate"),
    ("serializedVersion", "nothing"),
];

/// Names of C# for the fields of a GameObject.
const OF_OBJECTS: [(&str, &str); 11] = [
    ("name", "m_Name"),
    ("tag", "m_TagString"),
    ("layer", "m_Layer"),
    ("active", "m_IsActive"),
    ("activeself", "m_IsActive"),
    ("isactive", "m_IsActive"),
    ("isstatic", "m_StaticEditorFlags"),
    ("static", "m_StaticEditorFlags"),
    ("staticflags", "m_StaticEditorFlags"),
    ("icon", "m_Icon"),
    ("hideflags", "m_ObjectHideFlags"),
];

impl Owner {
    pub(super) fn of_object(seen: &Seen) -> Owner {
        Owner {
            at: seen.at,
            class: ClassId::GAME_OBJECT,
            full: "UnityEngine.GameObject".to_owned(),
            script: None,
            shown: seen.path.clone(),
        }
    }

    pub(super) fn of_component(seen: &Seen, held: &Held) -> Owner {
        Owner {
            at: held.at,
            class: held.class,
            full: held.full.clone(),
            script: held.script,
            shown: format!("{} of {}", held.name, seen.path),
        }
    }
}

impl Editor<'_> {
    /// The object or component that a change names; in a file without objects, its only one.
    pub(super) fn owner(
        &mut self,
        object: Option<&str>,
        component: Option<&str>,
    ) -> Result<(Owner, Option<Seen>), Refusal> {
        if self.kind == super::FileKind::Asset {
            return Ok((self.asset_owner(object.or(component))?, None));
        }
        let Some(object) = object else {
            let text = "the change names no object";
            return Err(
                Refusal::new(text).hint("object is the path in the hierarchy, such as Player/Lamp")
            );
        };
        let seen = match self.find(object) {
            Ok(seen) => seen,
            Err(refusal) => {
                let (owner, seen) = self.closed_owner(object, component).unwrap_or(Err(refusal))?;
                return Ok((owner, Some(seen)));
            }
        };
        let owner = match component {
            // An object is no component; who names it as one means the object itself.
            None | Some("GameObject") => Owner::of_object(&seen),
            Some(component) => Owner::of_component(&seen, seen.component(component)?),
        };
        Ok((owner, Some(seen)))
    }

    fn asset_owner(&self, wanted: Option<&str>) -> Result<Owner, Refusal> {
        let name_of = |id: FileId| {
            let object = self.sheet.object(id);
            object.and_then(|object| Some(object.get("m_Name")?.text().into_owned()))
        };
        let ids: Vec<FileId> = self.sheet.objects().map(|object| object.file_id()).collect();
        let found = match wanted {
            Some(wanted) => match address::id(wanted) {
                Some(id) => ids.iter().copied().find(|known| *known == id),
                None => ids.iter().copied().find(|id| {
                    name_of(*id).as_deref() == Some(wanted)
                        || self
                            .sheet
                            .object(*id)
                            .is_some_and(|object| object.class_name() == wanted)
                }),
            },
            None if ids.len() == 1 => ids.first().copied(),
            None => ids.iter().copied().find(|id| {
                types::class_of_id(*id).is_some()
                    && ids.iter().filter(|other| types::class_of_id(**other).is_some()).count() == 1
            }),
        };
        let Some(id) = found else {
            let known = ids.iter().map(|id| {
                name_of(*id).filter(|name| !name.is_empty()).unwrap_or_else(|| format!("#{id}"))
            });
            let text = match wanted {
                Some(wanted) => format!("the file has no object {wanted}"),
                None => format!("the file has {} objects, and the change names none", ids.len()),
            };
            return Err(Refusal::new(text).choices(wanted.unwrap_or_default(), known.collect()));
        };
        Ok(self.owner_of_id(id))
    }

    /// An object of the file itself.
    pub(super) fn owner_of_id(&self, id: FileId) -> Owner {
        let object = self.sheet.object(id);
        let class = object.map(|object| object.class_id()).unwrap_or_default();
        let script = object.and_then(|object| object.get("m_Script")?.as_reference());
        let identifier = object
            .and_then(|object| Some(object.get("m_EditorClassIdentifier")?.text().into_owned()));
        let named = script.and_then(|script| {
            self.project.classes.script_name(script, identifier.as_deref().unwrap_or_default())
        });
        let native = || format!("UnityEngine.{}", class.name().unwrap_or("Object"));
        let full = named.unwrap_or_else(native);
        let shown = full.rsplit('.').next().unwrap_or(&full).to_owned();
        Owner { at: Stated::Here(id), class, full, script, shown }
    }

    /// The field of a name.
    pub(super) fn field(&mut self, owner: &Owner, field: &str) -> Result<Known, Refusal> {
        if let Some(script) = owner.script {
            let is = |class: &str| self.project.classes.script_is(script, class) == Some(true);
            let paths: Vec<String> = types::paths_in_script(field, is).collect();
            let known = paths.iter().find_map(|path| self.field_named(owner, path).ok());
            return known.map_or_else(|| self.field_named(owner, field), Ok);
        }
        let refusal = match self.field_named(owner, field) {
            Ok(known) => return Ok(known),
            Err(refusal) => refusal,
        };
        for path in types::other_paths(owner.class.name().unwrap_or_default(), field) {
            if let Some((curve, _)) = path.split_once(ONLY_KEY) {
                let keys = self.data(owner.at, &address::parts(&format!("{curve}.m_Curve")));
                if !matches!(keys, Some(Data::List(keys)) if keys.len() == 1) {
                    let text = format!("{field} of {} is a curve of several keys", owner.shown);
                    return Err(Refusal::new(text).hint(format!("set {curve}")));
                }
            }
            if let Ok(known) = self.field_named(owner, &path) {
                return Ok(known);
            }
        }
        Err(refusal)
    }

    fn field_named(&mut self, owner: &Owner, field: &str) -> Result<Known, Refusal> {
        let asked = address::parts(field);
        let Some((Part::Key(first), rest)) = asked.split_first() else {
            return Err(Refusal::new("the change names no field"));
        };
        let root = self.root_kind(owner);
        let keys = self.keys(owner);
        let Some(Property { path, members }) = self.first_key(owner, first, &keys, &root) else {
            return Err(self.no_field(owner, field, &keys, &root));
        };
        let mut parts = address::parts(&path);
        if let Some(Part::Key(key)) = parts.first()
            && let Some((_, instead)) = TIES.iter().find(|(tie, _)| tie == key)
        {
            let text = format!("{key} ties objects together and is not set by hand");
            return Err(Refusal::new(text).hint(format!("use {instead}")));
        }
        let mut head = parts[..1].to_vec();
        if let Err(refusal) = self.walk(owner, &mut parts, rest, field) {
            // `shadows` is C#'s name for `m_Shadows.m_Type`; `shadows.bias` is in `m_Shadows` itself.
            self.walk(owner, &mut head, rest, field).map_err(|_| refusal)?;
            parts = head;
        }
        if rest.is_empty() && is_bits_of_mask(&root, &parts) {
            parts.pop();
        }
        let mut kind = kind_at(&root, &parts);
        let is_stray = kind.is_none() && !matches!(root, Kind::Unknown);
        let is_whole = rest.is_empty();
        if let Some(members) = members.filter(|_| is_whole) {
            kind = Some(Kind::Enum(members, Kind::ENUM));
        } else if let Some(members) = self.enum_at(owner, &parts, kind.as_ref()) {
            kind = Some(Kind::Enum(members, Kind::ENUM));
        }
        let now = self.now(owner, &parts);
        Ok(Known { parts, kind: kind.unwrap_or_default(), now, is_stray })
    }

    /// The value at a path now, with references as this file has them.
    pub(super) fn now(&mut self, owner: &Owner, parts: &[Part]) -> Option<Data> {
        let data = self.data(owner.at, parts)?;
        match owner.at {
            Stated::Here(_) => Some(data),
            at @ Stated::Override { .. } => {
                Some(self.as_seen_here(at, &property_path(parts), data))
            }
        }
    }

    fn enum_at(
        &self,
        owner: &Owner,
        parts: &[Part],
        kind: Option<&Kind>,
    ) -> Option<Arc<Vec<(String, i64)>>> {
        if !matches!(kind, Some(Kind::Int(..)) | None) {
            return None;
        }
        let path = address::property_path(parts);
        self.project.classes.enum_of(&owner.full, &path).map(Arc::new)
    }

    /// What the class of something holds.
    pub(super) fn root_kind(&self, owner: &Owner) -> Kind {
        let native = types::nearest_tree(owner.class, self.project.version);
        if let Some(script) = owner.script {
            let known = self.project.classes.script_fields(script).filter(|known| known.is_whole);
            let Some(known) = known else { return Kind::Unknown };
            // What every component of a script has comes before what its class declares.
            let head = native.into_iter().flat_map(|native| native.children());
            let head = head.map(|field| (field.name().to_owned(), Kind::of(field)));
            return Kind::Fields(Arc::new(head.chain(known.kinds).collect()));
        }
        native.map_or(Kind::Unknown, Kind::Native)
    }

    /// The keys that something has in the file.
    fn keys(&mut self, owner: &Owner) -> Vec<String> {
        match owner.at {
            Stated::Here(id) => {
                let object = self.sheet.object(id);
                let fields = object.into_iter().flat_map(|object| object.fields());
                fields.map(|(key, _)| key.into_owned()).collect()
            }
            Stated::Override { .. } => {
                let id = self.id_of(owner.at);
                let Some(node) = self.tree_and_came().find_by_id(id) else { return Vec::new() };
                match node.file_id() == Some(id) {
                    true => node.fields().map(|(key, _)| key).collect(),
                    false => {
                        let components = node.components();
                        let held = components.iter().find(|held| held.file_id() == id);
                        held.map(|held| held.field_names()).unwrap_or_default()
                    }
                }
            }
        }
    }

    fn first_key(
        &self,
        owner: &Owner,
        wanted: &str,
        keys: &[String],
        root: &Kind,
    ) -> Option<Property> {
        let plain = |path: &str| Property { path: path.to_owned(), members: None };
        if keys.iter().any(|key| key == wanted) {
            return Some(plain(wanted));
        }
        if owner.class == ClassId::GAME_OBJECT {
            let lower = wanted.to_ascii_lowercase();
            if let Some((_, key)) = OF_OBJECTS.iter().find(|(name, _)| *name == lower) {
                return Some(plain(key));
            }
        }
        let known = root.keys();
        if let Some(key) = known.iter().find(|key| *key == wanted) {
            return Some(plain(key));
        }
        let property = self.project.classes.property(&owner.full, wanted);
        let is_there = |property: &Property| {
            let head = property.path.split('.').next().unwrap_or_default();
            keys.iter().chain(&known).any(|key| key == head)
        };
        property
            .filter(is_there)
            .or_else(|| like(wanted, keys.iter().map(String::as_str)).map(plain))
            .or_else(|| like(wanted, known.iter().map(String::as_str)).map(plain))
            .or_else(|| {
                // Packages have members for such fields; those of other classes are not known.
                let guid = owner.script.and_then(|script| script.guid)?;
                package_script(guid.0)?;
                inside(wanted, root).map(|it| plain(&it))
            })
    }

    /// Follow the steps behind the first, each by the name that the file has for it.
    fn walk(
        &mut self,
        owner: &Owner,
        parts: &mut Vec<Part>,
        rest: &[Part],
        field: &str,
    ) -> Result<(), Refusal> {
        let root = self.root_kind(owner);
        let mut steps = 0;
        while let Some(part) = rest.get(steps) {
            steps += 1;
            let Part::Key(wanted) = part else {
                parts.push(part.clone());
                continue;
            };
            let now = self.data(owner.at, parts);
            if let (Stated::Here(_), Some(map)) =
                (owner.at, DataMap::at(&root, parts, now.as_ref()))
            {
                let (key, taken) = map.step(&rest[steps - 1..])?;
                parts.push(Part::Key(key));
                steps += taken - 1;
                continue;
            }
            let mut keys: Vec<String> = match &now {
                Some(Data::Map(fields)) => fields.iter().map(|(key, _)| key.clone()).collect(),
                Some(Data::Reference(_)) => vec!["fileID".into(), "guid".into(), "type".into()],
                _ => Vec::new(),
            };
            keys.extend(kind_at(&root, parts).map(|kind| kind.keys()).unwrap_or_default());
            if !keys.contains(wanted) {
                keys.extend(self.keys_in_overrides(owner.at, parts));
            }
            let found = keys.iter().find(|key| *key == wanted).map(String::as_str);
            let found = found.or_else(|| like(wanted, keys.iter().map(String::as_str)));
            let Some(key) = found else {
                let at = address::property_path(parts);
                let text =
                    format!("{} has no {wanted} in {at}, which {field} asks for", owner.shown);
                return Err(Refusal::new(text).choices(wanted, keys));
            };
            parts.push(Part::Key(key.to_owned()));
        }
        Ok(())
    }

    /// What the overrides of an object name at a path, in any item of the lists on the way: the prefab
    /// need not have items that an instance adds, nor the class be known.
    fn keys_in_overrides(&self, at: Stated, parts: &[Part]) -> Vec<String> {
        let Stated::Override { instance, target } = at else { return Vec::new() };
        if !parts.iter().any(|part| matches!(part, Part::Item(_))) {
            return Vec::new();
        }
        let like = |part: &Part, other: &Part| match (part, other) {
            (Part::Item(_), Part::Item(_)) => true,
            (part, other) => part == other,
        };
        let own = self.entries_of(instance).into_iter().filter(|entry| entry.target == target);
        let keys = own.filter_map(|entry| {
            let all = address::parts(&entry.path);
            let (head, rest) = all.split_at_checked(parts.len())?;
            let is_there = head.iter().zip(parts).all(|(one, other)| like(one, other));
            match rest.first().filter(|_| is_there)? {
                Part::Key(key) => Some(key.clone()),
                _ => None,
            }
        });
        keys.collect()
    }

    fn no_field(&self, owner: &Owner, field: &str, keys: &[String], root: &Kind) -> Refusal {
        let is_tie = |key: &&String| TIES.iter().any(|(tie, _)| tie == key);
        let mut known: Vec<String> = keys.iter().cloned().chain(root.keys()).collect();
        known.retain(|key| !is_tie(&key));
        known.sort();
        known.dedup();
        let bare = |key: String| key.strip_prefix("m_").map_or(key.clone(), str::to_owned);
        let wanted = bare(field.to_owned());
        let refusal = Refusal::new(format!("{} has no field {field}", owner.shown));
        match inside(field, root) {
            Some(path) => refusal.hint(format!("did you mean {path}?")),
            None => refusal.choices(&wanted, known),
        }
    }
}

/// What is at a path of a structure.
pub(super) fn kind_at(root: &Kind, parts: &[Part]) -> Option<Kind> {
    let mut kind = root.clone();
    for part in parts {
        kind = match part {
            Part::Key(key) => kind.field(key)?,
            Part::Item(_) => kind.item()?,
            Part::Size => Kind::Int(0, i32::MAX.into()),
        };
    }
    Some(kind)
}

/// The key that a name of C# stands for.
pub(super) fn like<'k>(wanted: &str, keys: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = bare(wanted);
    let mut found = keys.filter(|key| bare(key) == wanted);
    found.next()
}

/// The field of that name in a structure of a script, where only one has it: C# says `fontSize` of a
/// text whose file has it in `m_FontData`.
fn inside(wanted: &str, root: &Kind) -> Option<String> {
    let Kind::Fields(fields) = root else { return None };
    let mut found = fields.iter().filter_map(|(key, kind)| {
        let Kind::Fields(inner) = kind else { return None };
        let name = like(wanted, inner.iter().map(|(name, _)| name.as_str()))?;
        Some(format!("{key}.{name}"))
    });
    found.next().filter(|_| found.next().is_none())
}

/// A name without what only one side has: `m_`, `_`, capitals, blanks, and what C# puts around the
/// field of a property.
fn bare(name: &str) -> String {
    let name = name.strip_suffix(">k__BackingField").map_or(name, |name| &name[1..]);
    let name = name.strip_prefix("m_").unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_sides_meet() {
        let keys = ["m_Intensity", "field of view", "<Speed>k__BackingField", "_health"];
        let found = |wanted: &str| like(wanted, keys.into_iter());
        assert_eq!(found("intensity"), Some("m_Intensity"));
        assert_eq!(found("fieldOfView"), Some("field of view"));
        assert_eq!(found("Speed"), Some("<Speed>k__BackingField"));
        assert_eq!(found("health"), Some("_health"));
        assert_eq!(found("mana"), None);
    }
}
