//! Where audio sources go, document by document. Instances of prefabs are not expanded: what counts
//! for them is the prefab's own routing and the overrides that change it.

use super::{reference, text};
use crate::{ClassId, Document, FileId, Guid, Object, Reference};
use memchr::memmem;
use std::collections::HashMap;

const AUDIO_SOURCE: ClassId = ClassId(82);
const OUTPUT: &str = "OutputAudioMixerGroup";
/// Longer chains of parents, or prefabs nested deeper, are not Unity's work.
const MAX_DEPTH: usize = 256;
const MAX_NESTING: usize = 16;
/// How many prefabs are asked for one target. Prefabs inside themselves would never end.
const MAX_LOOKS: usize = 10_000;

/// An audio source, or an override of one, in a scene or prefab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The names of the objects above it and its own, joined by `/`; for an override the name of
    /// the instance.
    pub path: String,
    /// The group that it plays into.
    pub output: Option<Reference>,
    /// Where the routing is written.
    pub origin: Origin,
}

/// Where a routing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// In the audio source itself.
    Component,
    /// In an instance, for this audio source of its prefab.
    Override {
        /// The audio source that is meant, in the prefab.
        target: Reference,
    },
}

/// Whether a file can have anything to say about routing; spares reading those that cannot.
pub fn may_route(bytes: &[u8]) -> bool {
    memmem::find(bytes, OUTPUT.as_bytes()).is_some()
}

/// The audio sources of a scene or prefab and the overrides of routings, in the order of the file.
pub fn sources(document: &Document) -> Vec<Source> {
    let mut paths = None;
    let mut found = Vec::new();
    for object in document.objects().filter(|object| !object.is_stripped()) {
        match object.class_id() {
            AUDIO_SOURCE => found.push(Source {
                path: paths.get_or_insert_with(|| Paths::new(document)).of(object),
                output: reference(object, OUTPUT),
                origin: Origin::Component,
            }),
            ClassId::PREFAB_INSTANCE => found.extend(overrides(object)),
            _ => {}
        }
    }
    found
}

fn overrides(instance: Object<'_>) -> Vec<Source> {
    let entries = modifications(instance);
    let value = |name: &str| {
        let mut named = entries.iter().filter(|entry| entry.property == name);
        named.next().map(|entry| entry.value.clone())
    };
    let name = value("m_Name").unwrap_or_else(|| format!("instance {}", instance.file_id()));
    entries
        .iter()
        .filter(|entry| entry.property == OUTPUT)
        .map(|entry| Source {
            path: name.clone(),
            output: entry.object,
            origin: Origin::Override { target: entry.target },
        })
        .collect()
}

struct Modification {
    target: Reference,
    property: String,
    value: String,
    object: Option<Reference>,
}

fn modifications(instance: Object<'_>) -> Vec<Modification> {
    let list = instance.get("m_Modification.m_Modifications");
    let items = list.into_iter().flat_map(|list| list.items());
    items
        .filter_map(|item| {
            let object = item.get("objectReference").and_then(|value| value.as_reference());
            Some(Modification {
                target: item.get("target")?.as_reference()?,
                property: item.get("propertyPath")?.text().into_owned(),
                value: item.get("value").map(|v| v.text().into_owned()).unwrap_or_default(),
                object: object.filter(|reference| !reference.is_null()),
            })
        })
        .collect()
}

/// The places of objects in the hierarchy of one document.
struct Paths<'d> {
    document: &'d Document,
    /// The transform of each object that has one here.
    transforms: HashMap<FileId, Object<'d>>,
}

impl<'d> Paths<'d> {
    fn new(document: &'d Document) -> Self {
        let is_transform = |object: &Object<'_>| {
            matches!(object.class_id(), ClassId::TRANSFORM | ClassId::RECT_TRANSFORM)
        };
        let transforms = document.objects().filter(is_transform).filter_map(|transform| {
            Some((reference(transform, "m_GameObject")?.file_id, transform))
        });
        Self { document, transforms: transforms.collect() }
    }

    /// The path of a component's object. What is above an object inside an instance is in another
    /// file; `…` stands for it.
    fn of(&self, component: Object<'d>) -> String {
        let mut names = Vec::new();
        let mut next = reference(component, "m_GameObject").map(|object| object.file_id);
        while let Some(object) = next.take() {
            match self.document.object(object) {
                Some(object) if !object.is_stripped() => names.push(text(object, "m_Name")),
                _ => {
                    names.push("…".to_owned());
                    break;
                }
            }
            let father = self.transforms.get(&object).and_then(|t| reference(*t, "m_Father"));
            let Some(father) = father.and_then(|father| self.document.object(father.file_id))
            else {
                break;
            };
            next = Some(reference(father, "m_GameObject").map_or(FileId::NULL, |r| r.file_id));
            if names.len() == MAX_DEPTH {
                break;
            }
        }
        names.reverse();
        names.join("/")
    }
}

/// The prefabs of a project, by guid.
pub trait Prefabs {
    /// The document of a prefab; nothing when it is not in the project or no text.
    fn prefab(&mut self, guid: Guid) -> Option<std::rc::Rc<Document>>;
}

/// Whether an override's target is an audio source, found in its prefab or, by Unity's rule for
/// ids, in one nested there. Nothing when a prefab on the way cannot be read.
pub fn is_audio_source(prefabs: &mut dyn Prefabs, target: Reference) -> Option<bool> {
    let mut waiting = vec![(target.guid?, target.file_id, 0)];
    let mut unknown = false;
    for _ in 0..MAX_LOOKS {
        let Some((guid, id, depth)) = waiting.pop() else { return (!unknown).then_some(false) };
        let Some(document) = prefabs.prefab(guid).filter(|_| depth < MAX_NESTING) else {
            unknown = true;
            continue;
        };
        match document.object(id) {
            Some(object) if object.class_id() == AUDIO_SOURCE => return Some(true),
            Some(_) => continue,
            None => {}
        }
        let instances = document.objects().filter(|o| o.class_id() == ClassId::PREFAB_INSTANCE);
        waiting.extend(instances.filter_map(|instance| {
            let source = reference(instance, "m_SourcePrefab")?.guid?;
            let inner = FileId((instance.file_id().0 ^ id.0) & i64::MAX);
            Some((source, inner, depth + 1))
        }));
    }
    None
}
