//! Where objects are, as people call it: the path of a game object, of a node, of a resource.

use std::cell::RefCell;
use std::collections::HashMap;

use scenewright_godot as godot;
use scenewright_unity::{Document, FileId, Object, scan_references};

use super::AssetNames;
use crate::FileKind;
use crate::model::{Item, Version};

/// The places of the objects of a version, each found when somebody asks for it.
pub(super) struct Places<'a> {
    kind: FileKind,
    version: &'a Version,
    assets: AssetNames<'a>,
    /// Key: place, and the class of a component.
    known: RefCell<HashMap<String, Option<(String, String)>>>,
}

/// So deep are hierarchies, at most.
const MAX_DEPTH: usize = 256;

impl<'a> Places<'a> {
    pub(super) fn of(kind: FileKind, version: &'a Version, assets: AssetNames<'a>) -> Places<'a> {
        Places { kind, version, assets, known: RefCell::default() }
    }

    /// Where an object is, and what part of it.
    pub(super) fn of_key(&self, key: &str) -> (String, String) {
        self.find(key).unwrap_or_default()
    }

    fn find(&self, key: &str) -> Option<(String, String)> {
        if let Some(known) = self.known.borrow().get(key) {
            return known.clone();
        }
        let place = self.version.find(key).and_then(|item| match self.kind {
            FileKind::Unity => self.of_unity(item),
            FileKind::Godot | FileKind::GodotConfig => Some(of_godot(self.version, item)),
            FileKind::Json => None,
        });
        self.known.borrow_mut().insert(key.to_owned(), place.clone());
        place
    }

    /// Whether the place is the object's own, and not that of what it belongs to.
    pub(super) fn is_own(&self, key: &str) -> bool {
        self.find(key).is_some_and(|(place, part)| part.is_empty() && !place.is_empty())
    }

    /// A value of Unity with names for what it refers to.
    pub(super) fn with_names(&self, value: &str, assets: AssetNames<'_>) -> String {
        let mut text = String::new();
        let mut from = 0;
        for (at, reference) in scan_references(value.as_bytes()) {
            let Some(end) = value[at..].find('}').map(|end| at + end + 1) else { continue };
            if at < from {
                continue;
            }
            let name = match reference.guid {
                Some(guid) => assets(&guid.to_string()),
                None if reference.file_id == FileId(0) => Some("none".to_owned()),
                None => self.find(&reference.file_id.to_string()).map(|(place, part)| {
                    match part.is_empty() {
                        true => format!("{place:?}"),
                        false => format!("{part} of {place:?}"),
                    }
                }),
            };
            text.push_str(&value[from..at]);
            text.push_str(name.as_deref().unwrap_or(&value[at..end]));
            from = end;
        }
        text + &value[from..]
    }
}

impl Places<'_> {
    /// A value of Godot with paths for the ids of other files.
    pub(super) fn with_paths(&self, value: &str) -> String {
        const MARK: &str = "ExtResource(";
        let mut text = String::new();
        let mut rest = value;
        while let Some(at) = rest.find(MARK) {
            let inside = &rest[at + MARK.len()..];
            let Some(end) = inside.find(')') else { break };
            let id = inside[..end].trim().trim_matches('"');
            text.push_str(&rest[..at]);
            match self.find(&format!("ext {id}")) {
                Some((path, _)) => text.push_str(&path),
                None => text.push_str(&rest[at..at + MARK.len() + end + 1]),
            }
            rest = &inside[end + 1..];
        }
        text + rest
    }
}

impl Places<'_> {
    fn of_unity(&self, item: &Item) -> Option<(String, String)> {
        let document = Document::parse(self.version.text(item));
        let object = document.object_at(0)?;
        let script = object.glance_reference("m_Script").and_then(|script| script.guid);
        let script = script.and_then(|script| (self.assets)(&script.to_string()));
        let class = match script {
            Some(script) => format!("{} {script}", object.class_name()),
            None => object.class_name().into_owned(),
        };
        if object.class_id().0 == GAME_OBJECT {
            return Some((self.path_of(item), String::new()));
        }
        let owner = object.glance_reference("m_GameObject").filter(|owner| owner.guid.is_none());
        let owner = owner.and_then(|owner| self.version.find(&owner.file_id.to_string()));
        let name = || object.get("m_Name").map(|name| name.text().into_owned());
        let place = match owner {
            Some(owner) => self.path_of(owner),
            None if object.class_id().0 == PREFAB_INSTANCE => self.path_of_instance(item, 0),
            None => name().unwrap_or_default(),
        };
        Some((place, class))
    }

    /// The names of a game object and of all above it.
    fn path_of(&self, item: &Item) -> String {
        self.path_at(item, 0)
    }

    fn path_at(&self, item: &Item, depth: usize) -> String {
        let mut names = Vec::new();
        let mut next = Some(item);
        while let Some(item) = next.filter(|_| depth + names.len() < MAX_DEPTH) {
            let document = Document::parse(self.version.text(item));
            let Some(object) = document.object_at(0) else { break };
            let name = object.glance("m_Name").map(str::to_owned);
            let name = name.or_else(|| object.get("m_Name").map(|name| name.text().into_owned()));
            names.push(name.unwrap_or_else(|| format!("&{}", object.file_id())));
            // What stands for an object of a prefab has no transform here, but an instance.
            let transform = object.references().find_map(|(_, part)| {
                let item = self.version.find(&part.file_id.to_string())?;
                let text = self.version.text(item);
                let is_transform = TRANSFORMS.iter().any(|header| text.starts_with(header));
                (is_transform && part.guid.is_none()).then_some(item)
            });
            let above = match transform {
                Some(transform) => self.led(transform, "m_Father"),
                None => Some(item),
            };
            next = above.and_then(|above| self.led(above, "m_GameObject"));
            let instance = above.filter(|_| next.is_none());
            if let Some(instance) = instance.and_then(|above| self.instance_of(above)) {
                names.push(self.path_of_instance(instance, depth + names.len()));
            }
        }
        names.reverse();
        names.join("/").trim_end_matches('/').to_owned()
    }

    /// The name of an instance of a prefab, and the names of what it is below.
    fn path_of_instance(&self, item: &Item, depth: usize) -> String {
        let document = Document::parse(self.version.text(item));
        let Some(object) = document.object_at(0).filter(|_| depth < MAX_DEPTH) else {
            return String::new();
        };
        let source = || {
            let fields = ["m_SourcePrefab", "m_ParentPrefab"];
            let guid = fields.iter().find_map(|field| object.glance_reference(field)?.guid)?;
            let asset = (self.assets)(&guid.to_string())?;
            Some(asset.strip_suffix(".prefab").unwrap_or(&asset).to_owned())
        };
        let name = instance_name(object).or_else(source).unwrap_or_default();
        let above = object.get("m_Modification.m_TransformParent").and_then(|parent| {
            let id = parent.as_reference()?.file_id;
            self.version.find(&id.to_string())
        });
        let above = match above {
            None => String::new(),
            Some(above) => match self.led(above, "m_GameObject") {
                Some(owner) => self.path_at(owner, depth + 1),
                None => self
                    .instance_of(above)
                    .map_or_else(String::new, |outer| self.path_of_instance(outer, depth + 1)),
            },
        };
        if above.is_empty() { name } else { format!("{above}/{name}") }
    }

    /// The instance that a stripped object is of.
    fn instance_of(&self, item: &Item) -> Option<&Item> {
        self.led(item, "m_PrefabInstance").or_else(|| self.led(item, "m_PrefabInternal"))
    }

    /// The object that a field of another leads to.
    fn led(&self, item: &Item, field: &str) -> Option<&Item> {
        let document = Document::parse(self.version.text(item));
        let reference = document.object_at(0)?.glance_reference(field)?;
        self.version.find(&reference.file_id.to_string()).filter(|_| reference.guid.is_none())
    }
}

const GAME_OBJECT: u32 = 1;
const PREFAB_INSTANCE: u32 = 1001;
/// How transforms begin, of the scene and of user interface.
const TRANSFORMS: [&[u8]; 2] = [b"--- !u!4 ", b"--- !u!224 "];

/// The name that an instance of a prefab has here, when it has one.
fn instance_name(object: Object<'_>) -> Option<String> {
    let list = object.get("m_Modification.m_Modifications")?;
    let named = list
        .items()
        .find(|item| item.get("propertyPath").is_some_and(|path| path.raw_bytes() == b"m_Name"))?;
    Some(named.get("value")?.text().into_owned())
}

fn of_godot(version: &Version, item: &Item) -> (String, String) {
    let (kind, rest) = item.key.split_once(' ').unwrap_or((&item.key, ""));
    match kind {
        "node" => (rest.to_owned(), String::new()),
        "section" if rest.is_empty() => ("(top)".to_owned(), "section".to_owned()),
        "ext" => {
            let document = godot::Document::parse(version.text(item), godot::Form::Resource);
            let path = document
                .sections()
                .next()
                .and_then(|section| Some(section.attribute_text("path")?.into_owned()));
            (path.unwrap_or_default(), "ext_resource".to_owned())
        }
        "sub" => (rest.to_owned(), "sub_resource".to_owned()),
        kind => (rest.to_owned(), kind.to_owned()),
    }
}
