//! Scenes and prefabs: plain ones, nested ones, variants, and a few that are broken.

use std::fmt::Write as _;

use super::{HEADER, SCRIPTS, guid};

/// The places of prefabs without instances; others nest these.
pub(super) const PLAIN: std::ops::Range<usize> = 62..80;
/// The places of prefabs that have another inside.
const NESTED: std::ops::Range<usize> = 80..90;
/// The `PrefabInstance` of a prefab that has one.
const INSTANCE: u64 = 5_500_000_000_000_000;

pub(super) fn prefab(folder: usize, place: usize) -> String {
    let mut text = HEADER.to_owned();
    if PLAIN.contains(&place) {
        object(&mut text, 1000, 0, &[2001], folder, place);
        object(&mut text, 2000, 1001, &[], folder, place + 1);
    } else if NESTED.contains(&place) {
        nested(&mut text, folder, place);
    } else {
        variant(&mut text, folder, place);
    }
    text
}

/// An object with an instance of a plain prefab below it, and a field that points into that.
fn nested(text: &mut String, folder: usize, place: usize) {
    let source = guid(folder, PLAIN.start + place % PLAIN.len());
    let (transform, renderer) = (INSTANCE ^ 1001, INSTANCE ^ 2003);
    object(text, 1000, 0, &[transform], folder, place);
    let mut instance = Instance::new(INSTANCE, &source, 1001);
    instance.moves(place);
    if place == NESTED.start && folder.is_multiple_of(3) {
        // Overrides of what the prefab lost since are everyday life.
        instance.change(7005, "speed", "4");
    }
    if place == NESTED.start + 1 && folder % 33 == 5 {
        instance.removed = vec![2004];
    }
    instance.write(text);
    stand_in(text, 4, "Transform", transform, 1001, &source, INSTANCE);
    stand_in(text, 23, "MeshRenderer", renderer, 2003, &source, INSTANCE);
    behaviour(text, 1006, 1000, folder, place, &format!("{{fileID: {renderer}}}"));
}

/// A prefab that is another one with some values changed.
fn variant(text: &mut String, folder: usize, place: usize) {
    let source = guid(folder, NESTED.start + place % NESTED.len());
    let mut instance = Instance::new(INSTANCE + 77, &source, 0);
    instance.moves(place);
    instance.change(1005, "speed", "12");
    // Two levels in, by the ids that the nested prefab gives.
    instance.change((INSTANCE ^ 2000).cast_signed(), "m_IsActive", "0");
    instance.write(text);
}

pub(super) fn scene(folder: usize, place: usize) -> String {
    let mut text = HEADER.to_owned();
    let mut roots = String::new();
    for number in 0..40 {
        let base = 10_000 + number * 100;
        object(&mut text, base, 0, &[], folder, place + number as usize);
        let _ = write!(roots, "\n  - {{fileID: {}}}", base + 1);
    }
    for number in 0..20 {
        let id = 900_000 + number * 10;
        // Now and then an instance has lost its prefab.
        let is_broken = number == 19 && place == 98 && folder % 20 == 7;
        let prefab = if is_broken { 250 } else { PLAIN.start + number as usize % 36 };
        let source = guid(folder, prefab);
        let mut instance = Instance::new(id, &source, 0);
        if prefab < 90 {
            instance.change(1000, "m_Name", &format!("Copy {number}"));
            instance.change(1001, "m_LocalPosition.x", &number.to_string());
            // Scenes give free ids to what they mention.
            stand_in(&mut text, 1, "GameObject", id + 1, 1000, &source, id);
            let target = format!("{{fileID: {}}}", id + 1);
            behaviour(&mut text, id + 2, id + 1, folder, place, &target);
        }
        instance.write(&mut text);
        let _ = write!(roots, "\n  - {{fileID: {id}}}");
    }
    scene_roots(&mut text, &roots);
    text
}

/// A scene of so many objects in a tree, ten below each.
pub(crate) fn large_scene(objects: u64) -> String {
    let mut text = HEADER.to_owned();
    tree(&mut text, objects, |_, _| Vec::new());
    scene_roots(&mut text, "\n  - {fileID: 10001}");
    text
}

/// The same with a collider on each object, and a camera that looks at the first one.
pub(crate) fn large_world(objects: u64) -> String {
    let mut text = HEADER.to_owned();
    tree(&mut text, objects, |text, base| {
        collider(text, base + 4, base);
        vec![base + 4]
    });
    let _ = write!(
        text,
        "--- !u!1 &1000\nGameObject:\n  m_ObjectHideFlags: 0\n  serializedVersion: 6\n  m_Component:\n  - component: {{fileID: 1001}}\n  - component: {{fileID: 1002}}\n  m_Layer: 0\n  m_Name: Main Camera\n  m_TagString: MainCamera\n  m_IsActive: 1\n\
         --- !u!4 &1001\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: 1000}}\n  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}\n  m_LocalPosition: {{x: 10000, y: 0.5, z: -10}}\n  m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n\
         --- !u!20 &1002\nCamera:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: 1000}}\n  m_Enabled: 1\n  serializedVersion: 2\n  near clip plane: 0.3\n  far clip plane: 1000\n  field of view: 60\n  orthographic: 0\n  m_Depth: -1\n"
    );
    scene_roots(&mut text, "\n  - {fileID: 1001}\n  - {fileID: 10001}");
    text
}

/// So many objects in a tree, ten below each. `more` writes further components of an object and gives
/// their ids.
fn tree(text: &mut String, objects: u64, more: impl Fn(&mut String, u64) -> Vec<u64>) {
    let material = guid(0, 32);
    for number in 0..objects {
        let base = |number: u64| 10_000 + number * 10;
        let parent = number.checked_sub(1).map_or(0, |before| base(before / 10) + 1);
        let below = number * 10 + 1..number * 10 + 11;
        let children: Vec<u64> =
            below.filter(|child| *child < objects).map(|child| base(child) + 1).collect();
        let components = more(text, base(number));
        mesh(text, base(number), parent, &children, &components, &material);
    }
}

pub(super) fn scene_roots(text: &mut String, roots: &str) {
    let _ = write!(
        text,
        "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  m_Roots:{roots}\n"
    );
}

/// One object with a mesh, a collider and a script, at `base` in its file.
pub(super) fn object(
    text: &mut String,
    base: u64,
    parent: u64,
    children: &[u64],
    folder: usize,
    place: usize,
) {
    let script = base + 5;
    let mut components = vec![base + 4, script];
    if NESTED.contains(&place) && base == 1000 {
        // The second script of a prefab that nests another.
        components.push(1006);
    }
    let material = guid(folder, 32 + place % 23);
    mesh(text, base, parent, children, &components, &material);
    collider(text, base + 4, base);
    let target = guid((folder * 7 + place) % (folder + 1), PLAIN.start + (place * 5) % PLAIN.len());
    let target = format!("{{fileID: 1000, guid: {target}, type: 3}}");
    behaviour(text, script, base, folder, place, &target);
}

fn collider(text: &mut String, id: u64, owner: u64) {
    let _ = write!(
        text,
        "--- !u!65 &{id}\nBoxCollider:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {owner}}}\n  m_Material: {{fileID: 0}}\n  m_IsTrigger: 0\n  m_Enabled: 1\n  m_Size: {{x: 1, y: 1, z: 1}}\n  m_Center: {{x: 0, y: 0, z: 0}}\n"
    );
}

/// An object that shows something: GameObject, transform, mesh and renderer, and what else it lists.
fn mesh(
    text: &mut String,
    base: u64,
    parent: u64,
    children: &[u64],
    components: &[u64],
    material: &str,
) {
    let list = |ids: &[u64], key: &str| {
        ids.iter().fold(String::new(), |list, id| list + &format!("\n  - {key}{{fileID: {id}}}"))
    };
    let components = list(components, "component: ");
    let children = list(children, "");
    let children = if children.is_empty() { " []" } else { &children };
    let (transform, filter, renderer) = (base + 1, base + 2, base + 3);
    let _ = write!(
        text,
        "--- !u!1 &{base}\nGameObject:\n  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {{fileID: 0}}\n  m_PrefabInstance: {{fileID: 0}}\n  m_PrefabAsset: {{fileID: 0}}\n  serializedVersion: 6\n  m_Component:\n  - component: {{fileID: {transform}}}\n  - component: {{fileID: {filter}}}\n  - component: {{fileID: {renderer}}}{components}\n  m_Layer: 0\n  m_Name: Object {base}\n  m_TagString: Untagged\n  m_Icon: {{fileID: 0}}\n  m_NavMeshLayer: 0\n  m_StaticEditorFlags: 0\n  m_IsActive: 1\n\
         --- !u!4 &{transform}\nTransform:\n  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {{fileID: 0}}\n  m_PrefabInstance: {{fileID: 0}}\n  m_PrefabAsset: {{fileID: 0}}\n  m_GameObject: {{fileID: {base}}}\n  serializedVersion: 2\n  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}\n  m_LocalPosition: {{x: {base}, y: 0.5, z: -1.25}}\n  m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_ConstrainProportionsScale: 0\n  m_Children:{children}\n  m_Father: {{fileID: {parent}}}\n  m_LocalEulerAnglesHint: {{x: 0, y: 0, z: 0}}\n\
         --- !u!33 &{filter}\nMeshFilter:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {base}}}\n  m_Mesh: {{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}}\n\
         --- !u!23 &{renderer}\nMeshRenderer:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {base}}}\n  m_Enabled: 1\n  m_CastShadows: 1\n  m_ReceiveShadows: 1\n  m_DynamicOccludee: 1\n  m_MotionVectors: 1\n  m_LightProbeUsage: 1\n  m_Materials:\n  - {{fileID: 2100000, guid: {material}, type: 2}}\n  m_ProbeAnchor: {{fileID: 0}}\n  m_SortingLayerID: 0\n"
    );
}

pub(super) fn behaviour(
    text: &mut String,
    id: u64,
    owner: u64,
    folder: usize,
    place: usize,
    target: &str,
) {
    // Now and then a script was deleted.
    let is_broken = place == 70 && id == 1005 && folder % 50 == 9;
    let script = if is_broken { guid(folder, 252) } else { guid(folder, place % SCRIPTS) };
    behaviour_of(text, id, owner, &script, target);
}

/// A component of this script.
pub(super) fn behaviour_of(text: &mut String, id: u64, owner: u64, script: &str, target: &str) {
    let _ = write!(
        text,
        "--- !u!114 &{id}\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {owner}}}\n  m_Enabled: 1\n  m_EditorHideFlags: 0\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  m_Name: \n  m_EditorClassIdentifier: \n  speed: 2.5\n  target: {target}\n"
    );
}

pub(super) fn stand_in(
    text: &mut String,
    class: u32,
    name: &str,
    id: u64,
    inner: u64,
    source: &str,
    instance: u64,
) {
    let _ = write!(
        text,
        "--- !u!{class} &{id} stripped\n{name}:\n  m_CorrespondingSourceObject: {{fileID: {inner}, guid: {source}, type: 3}}\n  m_PrefabInstance: {{fileID: {instance}}}\n  m_PrefabAsset: {{fileID: 0}}\n"
    );
}

/// A `PrefabInstance` on its way into a file.
pub(super) struct Instance<'a> {
    id: u64,
    source: &'a str,
    parent: u64,
    changes: String,
    removed: Vec<u64>,
}

impl<'a> Instance<'a> {
    pub(super) fn new(id: u64, source: &'a str, parent: u64) -> Self {
        Self { id, source, parent, changes: String::new(), removed: Vec::new() }
    }

    /// What every instance overrides.
    pub(super) fn moves(&mut self, place: usize) {
        self.change(1000, "m_Name", &format!("Prefab{place}"));
        for axis in ["x", "y", "z"] {
            self.change(1001, &format!("m_LocalPosition.{axis}"), &place.to_string());
        }
    }

    pub(super) fn change(&mut self, target: i64, path: &str, value: &str) {
        let _ = write!(
            self.changes,
            "\n    - target: {{fileID: {target}, guid: {}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}",
            self.source
        );
    }

    pub(super) fn write(&self, text: &mut String) {
        let Instance { id, source, parent, changes, removed } = self;
        let changes = if changes.is_empty() { " []" } else { changes };
        let list = removed.iter().fold(String::new(), |list, id| {
            list + &format!("\n    - {{fileID: {id}, guid: {source}, type: 3}}")
        });
        let list = if list.is_empty() { " []" } else { &list };
        let _ = write!(
            text,
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {{fileID: {parent}}}\n    m_Modifications:{changes}\n    m_RemovedComponents:{list}\n    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}\n"
        );
    }
}
