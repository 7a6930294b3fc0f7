//! Scenes of Godot: instanced in others, and inherited by them.

use std::collections::HashMap;
use std::rc::Rc;

use scenewright_godot::{FileKind, FolderSources, Index, ResourceId, Scene, Sources, UseKind};

use super::{Held, Holders, Reach, Trace, follow, traces};
use crate::diff::Differences;

/// Where the changes of a scene arrive; nothing for files that are no scenes.
pub fn of_godot(index: &Index, path: &str, differences: &Differences) -> Option<Reach> {
    let entry = index.by_path(path).filter(|entry| entry.kind == FileKind::Scene)?;
    let (traces, names) = traces(differences, |object| {
        // Of other sections nothing can be said anew elsewhere.
        let is_node = object.id.starts_with("node ");
        is_node.then(|| object.fields.iter().map(|field| vec![field.field.clone()]).collect())
    });
    let sources = FolderSources { root: index.root().to_owned() };
    let scenes = Scenes { index, sources, scenes: HashMap::new() };
    Some(follow(scenes, entry.path.clone(), traces, &names))
}

struct Scenes<'a> {
    index: &'a Index,
    sources: FolderSources,
    scenes: HashMap<String, Option<Rc<Scene>>>,
}

impl Holders for Scenes<'_> {
    type File = String;

    fn holders(&mut self, file: &String, traces: &[Trace]) -> Vec<Held<String>> {
        let index = self.index;
        let mut held: Vec<Held<String>> = Vec::new();
        for (user, used) in index.users(file) {
            if used.kind != UseKind::ExtResource || user.kind != FileKind::Scene {
                continue;
            }
            let Some(scene) = self.scene(&user.path) else { continue };
            let places = instances(&scene, index, file);
            if places.is_empty() || held.iter().any(|held| held.path == user.path) {
                continue;
            }
            let shown = places
                .iter()
                .flat_map(|place| traces.iter().filter_map(|trace| shown_at(&scene, place, trace)));
            let path = user.path.clone();
            held.push(Held { file: path.clone(), path, shown: shown.collect() });
        }
        held
    }
}

impl Scenes<'_> {
    fn scene(&mut self, path: &str) -> Option<Rc<Scene>> {
        let read = || self.sources.scene(&format!("res://{path}")).map(Rc::new);
        self.scenes.entry(path.to_owned()).or_insert_with(read).clone()
    }
}

/// The nodes that are instances of a scene; the root when it is inherited.
fn instances(scene: &Scene, index: &Index, file: &str) -> Vec<String> {
    let is_file = |id: ResourceId| {
        let found = scene.ext_resource(&id);
        found.is_some_and(|resource| {
            let named = resource.uid().and_then(|uid| index.by_uid(&uid));
            let named = named.or_else(|| index.find(&resource.path()));
            named.is_some_and(|entry| entry.path == file)
        })
    };
    let nodes = scene.nodes().filter(|node| node.instance().is_some_and(is_file));
    nodes.map(|node| node.path().to_owned()).collect()
}

/// The change under the name that its node has in a scene with an instance; nothing when that scene
/// sets the property itself.
fn shown_at(scene: &Scene, place: &str, trace: &Trace) -> Option<Trace> {
    let Some(node) = trace.object.strip_prefix("node ") else { return Some(trace.clone()) };
    let path = match (place, node) {
        (place, ".") => place.to_owned(),
        (".", node) => node.to_owned(),
        (place, node) => format!("{place}/{node}"),
    };
    let own = scene.node(&path);
    let is_set = |field: &String| own.is_some_and(|node| node.property(field).is_some());
    if !trace.fields.is_empty() && trace.fields.iter().all(is_set) {
        return None;
    }
    Some(Trace { object: format!("node {path}"), ..trace.clone() })
}
