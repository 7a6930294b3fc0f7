//! What changed between two versions of a file, by object and field; told apart from what is only in
//! another order, numbered anew or spelt in another way.

mod field;
mod place;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use crate::language::Language;
use crate::model::{Node, Parts, Version};
use crate::same::At;
use crate::{FileKind, Refusal, godot, json, kind, unity};
use field::Fields;
use place::Places;

/// What changed in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// The objects and sections that differ, in the order of the new file; what went comes last.
    pub objects: Vec<ObjectChange>,
    /// How many values differ only in what the engine derives, or in the last digits.
    pub noise: usize,
    /// How many objects differ only in how they are written.
    pub respelt: usize,
    /// Whether objects are in another order in the file, which means nothing in itself.
    pub reordered: bool,
}

impl Differences {
    /// Whether nothing differs that means something.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// How many objects came, went and changed.
    pub fn counts(&self) -> [usize; 3] {
        [Change::Added, Change::Removed, Change::Changed]
            .map(|kind| self.objects.iter().filter(|object| object.change == kind).count())
    }
}

/// What happened to an object, section or field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
    /// Both have it.
    Changed,
}

/// An object or section that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectChange {
    /// Its identity in the file.
    pub id: String,
    /// What happened.
    pub change: Change,
    /// Where it is: the path of the game object or node, or what the section is about.
    pub place: String,
    /// The class of a component; the kind of a section that is no node.
    pub part: String,
    /// Where it was, when it was moved or renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// What differs in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldChange>,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// The field, from the object on.
    pub field: String,
    /// What happened.
    pub change: Change,
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The value now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// Tells the name of an asset by its guid.
pub type AssetNames<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What changed between two versions. One that is empty is a file that is not there.
pub fn diff(
    path: &Path,
    old: &[u8],
    new: &[u8],
    assets: AssetNames<'_>,
) -> Result<Differences, Refusal> {
    if old == new {
        return Ok(Differences::default());
    }
    let is_unity = || [old, new].iter().any(|bytes| bytes.starts_with(b"%YAML"));
    let kind = FileKind::of_path(path).or_else(|| is_unity().then_some(FileKind::Unity));
    let kind = kind.ok_or(Refusal::UnknownKind)?;
    for bytes in [old, new] {
        if let Some(reason) = kind::refusal(bytes, true) {
            return Err(reason);
        }
    }
    let (versions, moved) = versions(kind, plain(old), plain(new))?;
    let mut comparing = Comparing {
        language: kind.language(),
        versions: &versions,
        places: versions.each_ref().map(|version| Places::of(kind, version, assets)),
        assets,
        found: Differences::default(),
    };
    comparing.run(&moved);
    Ok(comparing.found)
}

/// Line ends do not count.
fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if memchr::memchr(b'\r', bytes).is_none() {
        return bytes.into();
    }
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines
        .flat_map(|line| match line.strip_suffix(b"\r\n") {
            Some(line) => [line, b"\n"].concat(),
            None => line.to_vec(),
        })
        .collect()
}

fn versions(kind: FileKind, old: Cow<'_, [u8]>, new: Cow<'_, [u8]>) -> Result<godot::Cut, Refusal> {
    match kind {
        FileKind::Unity => {
            let cut = |text: Cow<'_, [u8]>| match text.is_empty() {
                true => Ok(Parts::default()),
                false => unity::cut(text),
            };
            let (old, new) = rayon::join(|| unity::version(cut(old)?, None), || cut(new));
            let old = old?;
            let new = unity::version(new?, Some(&old))?;
            unity::changed_readable(&old, &new)?;
            unity::changed_readable(&new, &old)?;
            Ok(([old, new], Vec::new()))
        }
        FileKind::Json => {
            let read = |text: Cow<'_, [u8]>| match text.is_empty() {
                true => Ok(Version::default()),
                false => json::version(json::cut(text)?, None),
            };
            Ok(([read(old)?, read(new)?], Vec::new()))
        }
        FileKind::Godot | FileKind::GodotConfig => godot::pair(kind, old, new),
    }
}

struct Comparing<'a> {
    language: Language,
    versions: &'a [Version; 2],
    places: [Places<'a>; 2],
    assets: AssetNames<'a>,
    found: Differences,
}

impl Comparing<'_> {
    fn run(&mut self, moved: &[(String, String)]) {
        let [old, new] = self.versions;
        let moved: HashMap<&str, &str> =
            moved.iter().map(|(key, was)| (key.as_str(), was.as_str())).collect();
        let mut common = Vec::with_capacity(new.items.len());
        for item in &new.items {
            let likely = common.last().map_or(0, |place| place + 1);
            let Some(place) = old.place_near(&item.key, likely) else {
                self.push(1, &item.key, Change::Added, Vec::new());
                continue;
            };
            let before = &old.items[place];
            common.push(place);
            let was = match moved.is_empty() {
                true => None,
                false => moved.get(item.key.as_str()).map(|was| (*was).to_owned()),
            };
            if was.is_none() && old.text(before) == new.text(item) {
                continue;
            }
            let trees = [self.language.tree(old, before), self.language.tree(new, item)];
            self.compare(&item.key, &trees, was);
        }
        self.found.reordered = !common.is_sorted();
        if new.lacks_some_of(old) {
            for item in old.items.iter().filter(|item| new.find(&item.key).is_none()) {
                self.push(0, &item.key, Change::Removed, Vec::new());
            }
        }
    }

    fn compare(&mut self, key: &str, trees: &[Node; 2], was: Option<String>) {
        let [old, new] = self.versions;
        let at = |side: usize| At { bytes: &self.versions[side].bytes, node: &trees[side] };
        let language = self.language_of(key);
        let mut fields = Fields::new(language, [&self.places[0], &self.places[1]], self.assets);
        fields.compare(at(0), at(1));
        self.found.noise += fields.noise;
        let (list, parent) = (fields.list, fields.parent_changed);
        let was = was.or_else(|| {
            let places = [0, 1].map(|side| self.places[side].of_key(key).0);
            let is_moved = parent || places[0] != places[1] && self.places[1].is_own(key);
            is_moved.then(|| places[0].clone())
        });
        if list.is_empty() && was.is_none() {
            let is_respelt = fields.noise == 0
                && !fields.structure_changed
                && old.find(key).map(|item| old.text(item))
                    != new.find(key).map(|item| new.text(item));
            self.found.respelt += usize::from(is_respelt);
            return;
        }
        self.push(1, key, Change::Changed, list);
        if let Some(last) = self.found.objects.last_mut() {
            last.moved_from = was;
        }
    }

    /// The language with what it depends on the object.
    fn language_of(&self, key: &str) -> Language {
        match self.language {
            Language::Godot { is_config, .. } => {
                let in_container =
                    self.versions.iter().any(|version| godot::is_contained(version, key));
                Language::Godot { is_config, in_container }
            }
            other => other,
        }
    }

    fn push(&mut self, side: usize, key: &str, change: Change, fields: Vec<FieldChange>) {
        let (place, part) = self.places[side].of_key(key);
        self.found.objects.push(ObjectChange {
            id: key.to_owned(),
            change,
            place,
            part,
            moved_from: None,
            fields,
        });
    }
}
