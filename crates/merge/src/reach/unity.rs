//! Prefabs of Unity: nested ones, variants and instances in scenes.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use scenewright_unity::index::{Asset, AssetKind, Index};
use scenewright_unity::{Document, FileId, Guid, Object};

use super::{Held, Holders, Reach, Trace, follow, traces};
use crate::diff::{Differences, FieldChange};

/// Where the changes of a prefab arrive; nothing for files that have no instances.
pub fn of_unity(index: &Index, path: &str, differences: &Differences) -> Option<Reach> {
    let asset = index.by_path(path).filter(|asset| asset.kind() == AssetKind::Prefab)?;
    let guid = asset.guid()?;
    let (traces, names) = traces(differences, |object| {
        // What a nested instance overrides has another target than the instance.
        let is_plain = object.part != "PrefabInstance" && object.part != "Prefab";
        is_plain.then(|| object.fields.iter().map(properties).collect())
    });
    Some(follow(Prefabs { index, instances: HashMap::new() }, guid, traces, &names))
}

/// The properties that an override has to name: those parts of a value that differ.
fn properties(change: &FieldChange) -> Vec<String> {
    let field = change.field.replace('[', ".Array.data[");
    let parts = |value: &Option<String>| -> Option<Vec<(String, String)>> {
        let inside = value.as_deref()?.strip_prefix('{')?.strip_suffix('}')?;
        let part = |part: &str| {
            let (key, value) = part.split_once(':')?;
            Some((key.trim().to_owned(), value.trim().to_owned()))
        };
        inside.split(',').map(part).collect()
    };
    match (parts(&change.old), parts(&change.new)) {
        (Some(old), Some(new)) if old.len() == new.len() => {
            let differing = new.iter().zip(&old).filter(|(new, old)| new != old);
            differing.map(|((key, _), _)| format!("{field}.{key}")).collect()
        }
        _ => vec![field],
    }
}

struct Prefabs<'a> {
    index: &'a Index,
    instances: HashMap<Guid, Rc<Vec<Instance>>>,
}

/// An instance of a prefab, as far as it says something else.
struct Instance {
    id: i64,
    source: Guid,
    overrides: HashSet<(i64, String)>,
    removed: HashSet<i64>,
    /// Ids of objects of the source that have others here than the rule gives them.
    stand_ins: HashMap<i64, i64>,
}

impl Holders for Prefabs<'_> {
    type File = Guid;

    fn holders(&mut self, file: &Guid, traces: &[Trace]) -> Vec<Held<Guid>> {
        let index = self.index;
        let is_holder =
            |asset: &Asset<'_>| matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab);
        let mut held = Vec::new();
        for asset in index.incoming(*file).filter(is_holder) {
            let Some(guid) = asset.guid() else { continue };
            let instances = self.instances_of(asset, guid);
            let mut of_file = instances.iter().filter(|one| one.source == *file).peekable();
            if of_file.peek().is_none() {
                continue;
            }
            let shown = of_file.flat_map(|instance| {
                let showing = traces.iter().filter(|trace| instance.shows(trace));
                showing.map(|trace| instance.seen_here(trace))
            });
            held.push(Held { file: guid, path: asset.path(), shown: shown.collect() });
        }
        held
    }
}

impl Prefabs<'_> {
    fn instances_of(&mut self, asset: Asset<'_>, guid: Guid) -> Rc<Vec<Instance>> {
        let read = || Rc::new(asset.document().map(|found| instances(&found)).unwrap_or_default());
        self.instances.entry(guid).or_insert_with(read).clone()
    }
}

impl Instance {
    /// Whether a change of the source is seen in the instance.
    fn shows(&self, trace: &Trace) -> bool {
        let Ok(object) = trace.object.parse::<i64>() else { return true };
        let is_set = |field: &String| self.overrides.contains(&(object, field.clone()));
        let is_overridden = !trace.fields.is_empty() && trace.fields.iter().all(is_set);
        !is_overridden && !self.removed.contains(&object)
    }

    fn seen_here(&self, trace: &Trace) -> Trace {
        let outward = |inner: i64| match self.stand_ins.get(&inner) {
            Some(own) => *own,
            // Unity's rule for objects of nested prefabs; it clears the sign.
            None => (self.id ^ inner) & i64::MAX,
        };
        let object = trace
            .object
            .parse()
            .map_or_else(|_| trace.object.clone(), |inner| outward(inner).to_string());
        Trace { object, ..trace.clone() }
    }
}

fn instances(document: &Document) -> Vec<Instance> {
    let mut found: Vec<Instance> = document.objects().filter_map(instance).collect();
    let by_id: HashMap<i64, usize> =
        found.iter().enumerate().map(|(place, instance)| (instance.id, place)).collect();
    for object in document.objects() {
        let held = ["m_PrefabInstance", "m_PrefabInternal"];
        let holder = held.iter().find_map(|key| object.glance_reference(key));
        let source = ["m_CorrespondingSourceObject", "m_PrefabParentObject"];
        let inner = source.iter().find_map(|key| object.glance_reference(key));
        if let (Some(holder), Some(inner)) = (holder, inner)
            && let Some(place) = by_id.get(&holder.file_id.0)
        {
            found[*place].stand_ins.insert(inner.file_id.0, object.file_id().0);
        }
    }
    found
}

fn instance(object: Object<'_>) -> Option<Instance> {
    let source = ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| object.get(key))?;
    let source = source.as_reference()?.guid?;
    let target = |item: &scenewright_unity::Value<'_>, key: &str| -> Option<FileId> {
        Some(item.get(key)?.as_reference()?.file_id)
    };
    let list = object.get("m_Modification.m_Modifications");
    let overrides = list.iter().flat_map(|list| list.items()).filter_map(|item| {
        let path = item.get("propertyPath")?.text().into_owned();
        Some((target(&item, "target")?.0, path))
    });
    let removed = ["m_RemovedComponents", "m_RemovedGameObjects"].iter().flat_map(|key| {
        let list = object.get(&format!("m_Modification.{key}"));
        let ids = list.iter().flat_map(|list| list.items());
        ids.filter_map(|item| Some(item.as_reference()?.file_id.0)).collect::<Vec<i64>>()
    });
    Some(Instance {
        id: object.file_id().0,
        source,
        overrides: overrides.collect(),
        removed: removed.collect(),
        stand_ins: HashMap::new(),
    })
}
