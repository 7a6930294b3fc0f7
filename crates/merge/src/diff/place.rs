//! Where objects are, as people call it: the path of a game object, of a node, of a resource.

use std::collections::HashMap;

use scenewright_godot as godot;
use scenewright_unity::{Document, FileId, Object, scan_references};

use super::AssetNames;
use crate::FileKind;
use crate::model::Version;

/// The places of all objects of a version.
pub(super) struct Places {
    /// Key: place, and the class of a component.
    by_key: HashMap<String, (String, String)>,
}

/// So deep are hierarchies, at most.
const MAX_DEPTH: usize = 256;

impl Places {
    pub(super) fn of(kind: FileKind, version: &Version, assets: AssetNames<'_>) -> Places {
        let by_key = match kind {
            FileKind::Unity => of_unity(version, assets),
            FileKind::Godot | FileKind::GodotConfig => of_godot(version),
            FileKind::Json => HashMap::new(),
        };
        Places { by_key }
    }

    /// Where an object is, and what part of it.
    pub(super) fn of_key(&self, key: &str) -> (String, String) {
        self.by_key.get(key).cloned().unwrap_or_default()
    }

    /// Whether the place is the object's own, and not that of what it belongs to.
    pub(super) fn is_own(&self, key: &str) -> bool {
        self.by_key.get(key).is_some_and(|(place, part)| part.is_empty() && !place.is_empty())
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
            let name =
                match reference.guid {
                    Some(guid) => assets(&guid.to_string()),
                    None if reference.file_id == FileId(0) => Some("none".to_owned()),
                    None => self.by_key.get(&reference.file_id.to_string()).map(|(place, part)| {
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

impl Places {
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
            match self.by_key.get(&format!("ext {id}")) {
                Some((path, _)) => text.push_str(path),
                None => text.push_str(&rest[at..at + MARK.len() + end + 1]),
            }
            rest = &inside[end + 1..];
        }
        text + rest
    }
}

fn of_unity(version: &Version, assets: AssetNames<'_>) -> HashMap<String, (String, String)> {
    let document = Document::parse(version.bytes.as_slice());
    let mut transforms: HashMap<FileId, FileId> = HashMap::new();
    for object in document.objects().filter(|object| matches!(object.class_id().0, 4 | 224)) {
        if let Some(owner) = object.glance_reference("m_GameObject") {
            transforms.insert(owner.file_id, object.file_id());
        }
    }
    let mut paths: HashMap<FileId, String> = HashMap::new();
    let places = document.objects().map(|object| {
        let script = object.glance_reference("m_Script").and_then(|script| script.guid);
        let script = script.and_then(|script| assets(&script.to_string()));
        let class = match script {
            Some(script) => format!("{} {script}", object.class_name()),
            None => object.class_name().into_owned(),
        };
        let owner = object.glance_reference("m_GameObject").filter(|owner| owner.guid.is_none());
        let owner = owner.and_then(|owner| document.object(owner.file_id));
        let place = match (object.class_id().0, owner) {
            (1, _) => (path_of(&document, object, &transforms, &mut paths), String::new()),
            (_, Some(owner)) => (path_of(&document, owner, &transforms, &mut paths), class),
            (1001, None) => (instance_name(object), class),
            _ => {
                let name = object.get("m_Name").map(|name| name.text().into_owned());
                (name.unwrap_or_default(), class)
            }
        };
        (object.file_id().to_string(), place)
    });
    places.collect()
}

/// The names of a game object and of all above it.
fn path_of(
    document: &Document,
    object: Object<'_>,
    transforms: &HashMap<FileId, FileId>,
    paths: &mut HashMap<FileId, String>,
) -> String {
    let mut names = Vec::new();
    let mut next = Some(object);
    let mut known = String::new();
    while let Some(object) = next.filter(|_| names.len() < MAX_DEPTH) {
        if let Some(path) = paths.get(&object.file_id()) {
            known = path.clone();
            break;
        }
        let name = object.glance("m_Name").map(str::to_owned);
        let name = name.or_else(|| object.get("m_Name").map(|name| name.text().into_owned()));
        names.push(name.unwrap_or_else(|| format!("&{}", object.file_id())));
        next = transforms
            .get(&object.file_id())
            .and_then(|transform| document.object(*transform)?.glance_reference("m_Father"))
            .and_then(|father| document.object(father.file_id)?.glance_reference("m_GameObject"))
            .and_then(|owner| document.object(owner.file_id));
    }
    names.reverse();
    let path = match known.is_empty() {
        true => names.join("/"),
        false => format!("{known}/{}", names.join("/")),
    };
    let path = path.trim_end_matches('/').to_owned();
    paths.insert(object.file_id(), path.clone());
    path
}

/// The name that an instance of a prefab has here, when it has one.
fn instance_name(object: Object<'_>) -> String {
    let Some(list) = object.get("m_Modification.m_Modifications") else { return String::new() };
    let named = list
        .items()
        .find(|item| item.get("propertyPath").is_some_and(|path| path.raw_bytes() == b"m_Name"));
    let name = named.and_then(|item| Some(item.get("value")?.text().into_owned()));
    name.unwrap_or_default()
}

fn of_godot(version: &Version) -> HashMap<String, (String, String)> {
    let form = match version.items.first().is_some_and(|item| item.key.starts_with("section")) {
        true => godot::Form::Config,
        false => godot::Form::Resource,
    };
    let place = |item: &crate::model::Item| {
        let (kind, rest) = item.key.split_once(' ').unwrap_or((&item.key, ""));
        match kind {
            "node" => (rest.to_owned(), String::new()),
            "section" if rest.is_empty() => ("(top)".to_owned(), "section".to_owned()),
            "ext" => {
                let document = godot::Document::parse(version.text(item), form);
                let path = document
                    .sections()
                    .next()
                    .and_then(|section| Some(section.attribute_text("path")?.into_owned()));
                (path.unwrap_or_default(), "ext_resource".to_owned())
            }
            "sub" => (rest.to_owned(), "sub_resource".to_owned()),
            kind => (rest.to_owned(), kind.to_owned()),
        }
    };
    version.items.iter().map(|item| (item.key.clone(), place(item))).collect()
}
