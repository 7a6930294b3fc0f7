//! Instances of prefabs that the file does not have yet.
//!
//! They are put into the file as new ones are, with nothing but their prefab's own values. The world
//! is then taken for one that was loaded from that file, so that whatever was done to them since is
//! saved as it is for every other instance.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use scenewright_contract::ToolError;
use scenewright_text::Edits;
use scenewright_toolkit::Cx;
use scenewright_tools_unity::base::Unity;
use scenewright_unity::edit::{
    InstanceForm, Manner, New, NewObject, SourceRoot, fresh_ids, insert_object, instance_fields,
    instance_lists, is_old,
};
use scenewright_unity::{ClassId, Document, FileId, Object as FileObject, Reference};
use scenewright_world::{Object, ObjectId, Scene, SceneKey, World, Written};

use super::super::load::{self, Origin};
use super::draft::{Draft, transform_of};
use super::finish::{Finished, note_names};

/// A scene whose file has instances for the prefabs that were put into the world.
pub(super) struct Grown {
    world: World,
    origin: Arc<Origin>,
    /// What the file calls their objects.
    made: HashSet<i64>,
    /// The paths of their roots, and of the prefabs that they are instances of.
    made_at: Vec<String>,
    prefabs: Vec<String>,
}

/// The scene with its new instances; nothing when it has none.
pub(super) fn add(
    cx: &Cx,
    unity: &Unity<'_>,
    world: &World,
    scene: &Scene,
    origin: &Origin,
) -> Result<Option<Grown>, ToolError> {
    let document = origin.hierarchy.document();
    let is_saved = |object: &&Object| is_saved(world, scene.key(), origin, object);
    let roots: Vec<&Object> = world.descend(scene.roots()).filter(is_saved).collect();
    if roots.is_empty() || is_old(document) {
        return Ok(None);
    }
    let manner = Manner::of(document).in_project(unity.unity.settings.habits());
    let (mut edits, mut taken, mut instances) = (Edits::default(), HashSet::new(), BTreeMap::new());
    for root in &roots {
        let path = world.path(root.id());
        let id = fresh_ids(document, &taken, &format!("{path}/{}", taken.len()), 1);
        taken.insert(id.0);
        let fields = instance(unity, world, document, root, manner);
        let fields = fields.ok_or_else(|| changed(root))?;
        let (class, key) = (ClassId::PREFAB_INSTANCE, "PrefabInstance".to_owned());
        let object = NewObject { class, id, key, stripped: false, fields };
        insert_object(document, &object, &manner, &mut edits);
        instances.insert(id, *root);
    }
    let after = edits.apply(document.as_bytes()).map_err(|error| {
        ToolError::failed(format!("{} cannot be edited: {error}", scene.path()))
    })?;
    let hierarchy = unity.expander.scene(Arc::new(Document::parse(after)), origin.hierarchy.guid());
    let data = load::expanded(cx, unity, scene.path(), hierarchy)?;
    let grown = Origin::of(data.origin.as_ref()).expect("it was just loaded");
    let mut names = names(world, scene.key(), origin);
    let made = name_instances(&mut names, world, &grown, &instances)?;
    let mut world = world.clone();
    world.rebase(scene.key(), data, &names);
    let made_at = roots.iter().map(|root| world.path(root.id())).collect();
    let prefabs = roots.iter().map(|root| prefab_of(root).to_owned()).collect();
    Ok(Some(Grown { origin: grown, made, made_at, prefabs, world }))
}

impl Grown {
    /// What becomes of the file.
    pub(super) fn draft(
        self,
        cx: &Cx,
        unity: &Unity<'_>,
        key: SceneKey,
    ) -> Result<Finished, ToolError> {
        let scene = self.world.scenes().iter().find(|scene| scene.key() == key);
        let scene = scene.ok_or_else(|| ToolError::failed("the scene is not loaded"))?;
        let mut drafted = Draft::new(unity, &self.world, scene, &self.origin).finish(cx)?;
        let claims = &mut drafted.claims;
        for id in self.made {
            claims.before.remove(&id);
            if !claims.gone.contains(&id) {
                claims.made.insert(id);
            }
        }
        // Where it is now is where it was made.
        let is_move = |line: &str, made: &str| {
            line.strip_prefix(made).is_some_and(|rest| rest.starts_with(" moved here from "))
        };
        drafted.lines.retain(|line| !self.made_at.iter().any(|made| is_move(line, made)));
        let say =
            |made: (&String, &String)| format!("{} created as an instance of {}", made.0, made.1);
        let created = self.made_at.iter().zip(&self.prefabs).map(say);
        drafted.lines.splice(0..0, created);
        Ok(drafted)
    }
}

/// Whether an object is the root of an instance that the scene's file can have.
fn is_saved(world: &World, key: SceneKey, origin: &Origin, object: &Object) -> bool {
    let is_root = object.spawned().is_some_and(|(prefab, _)| prefab.root == object.id());
    let is_there = |outer: &Object| {
        let node = outer.origin().and_then(|(_, place)| origin.node(place));
        let is_known = node.is_none_or(|node| node.opaque().is_none());
        !outer.is_test() && outer.origin().is_none_or(|(scene, _)| scene == key) && is_known
    };
    is_root && world.line(object.id()).skip(1).all(is_there)
}

/// The fields of a new instance; nothing when its prefab is no more.
fn instance(
    unity: &Unity<'_>,
    world: &World,
    document: &Document,
    root: &Object,
    manner: Manner,
) -> Option<Vec<(String, New)>> {
    let (prefab, _) = root.spawned()?;
    let prefab = Origin::of(prefab.origin.as_ref())?;
    let node = prefab.node(0)?;
    let transform = transform_of(&node)?;
    let guid = Some(prefab.hierarchy.guid());
    let source = Reference { file_id: FileId::PREFAB, guid, kind: 3 };
    let is_roots = |object: FileObject<'_>| object.class_id() == ClassId::SCENE_ROOTS;
    let place = || world.siblings(root.id()).iter().position(|sibling| *sibling == root.id());
    let order = match document.objects().any(is_roots) {
        true => None,
        false => Some(place().unwrap_or(0) as i64),
    };
    let release = unity.unity.settings.version.release();
    let lists = instance_lists(document.objects(), release, order.is_some());
    let form = InstanceForm { manner, order, lists };
    let root = SourceRoot::of(&node, &transform);
    Some(instance_fields(&root, source, form, document.objects()))
}

/// What the file as it was calls everything of the scene.
fn names(world: &World, key: SceneKey, origin: &Origin) -> Written {
    let mut names = Written::default();
    for object in world.descend(&world.all_roots()) {
        let place = object.origin().filter(|(scene, _)| *scene == key).map(|(_, place)| place);
        if let Some(node) = place.and_then(|place| origin.node(place)) {
            note_names(&mut names, object, &node);
        }
    }
    names
}

/// What the file calls the objects of new instances, and which names those are.
fn name_instances(
    names: &mut Written,
    world: &World,
    grown: &Origin,
    instances: &BTreeMap<FileId, &Object>,
) -> Result<HashSet<i64>, ToolError> {
    let parts = world.descend(&world.all_roots()).filter_map(|object| {
        let (prefab, place) = object.spawned()?;
        Some(((prefab.root, place), object))
    });
    let parts: HashMap<(ObjectId, usize), &Object> = parts.collect();
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut made = HashSet::new();
    for place in 0..grown.nodes.len() {
        let Some(node) = grown.node(place) else { continue };
        let Some((id, root)) = node.outer_instance().and_then(|id| instances.get_key_value(&id))
        else {
            continue;
        };
        let count = counts.entry(*id).or_default();
        made.insert(load::file_id(&node));
        // The order is that of the prefab; what was destroyed since has no object.
        if let Some(object) = parts.get(&(root.id(), *count)) {
            note_names(names, object, &node);
        }
        *count += 1;
    }
    for (id, root) in instances {
        let prefab = root.spawned().and_then(|(prefab, _)| Origin::of(prefab.origin.as_ref()));
        if counts.get(id).copied() != prefab.map(|prefab| prefab.nodes.len()) {
            return Err(changed(root));
        }
    }
    Ok(made)
}

fn prefab_of(root: &Object) -> &str {
    root.spawned().map_or("", |(prefab, _)| &prefab.path)
}

fn changed(root: &Object) -> ToolError {
    let prefab = prefab_of(root);
    ToolError::failed(format!("{prefab} changed since {} was made from it", root.name()))
        .hint("destroy the object and make it again")
}
