//! New native objects, complete as Unity writes them: every key that a file of the version has, in
//! its order, with the values that a component has when it is added.
//!
//! Keys and order are those of [`types`]; what the values are is in `data/native-defaults.tsv`, for
//! no layout tells. Where Unity writes a structure on one line, which lists are hexadecimal text and
//! where `serializedVersion` stands is as 160,000 objects of public projects have it.
//!
//! ```
//! use scenewright_unity::{ClassId, edit::{New, fresh}, types::Version};
//!
//! let version = Version::parse("2022.3.20f1").expect("a version");
//! let fields = fresh::native(ClassId(65), version).expect("every version has box colliders");
//! assert!(fields.contains(&("m_Size".to_owned(), New::flow([("x", 1.0), ("y", 1.0), ("z", 1.0)]))));
//! ```

mod defaults;
#[cfg(test)]
mod tests;

use super::New;
use crate::types::{self, Node, Version};
use crate::{ClassId, FileId};

/// Every key of a new object of a class, with what is in it; none when the version does not have the
/// class. References lead nowhere yet: `m_GameObject`, `m_Father` and their like are the caller's.
pub fn native(class: ClassId, version: Version) -> Option<Vec<(String, New)>> {
    let tree = types::tree(class, version)?;
    let name = class.name().unwrap_or(tree.type_name());
    let keys = tree.children().filter(|key| !UNWRITTEN.contains(&(name, key.name())));
    let mut fields = keys.map(|key| (key.name().to_owned(), zero(key))).collect();
    defaults::fill_class(class, version, tree, &mut fields);
    if is_version_written(name, tree) {
        let place = version_place(class, tree.version(), &fields);
        fields.insert(place, ("serializedVersion".to_owned(), New::int(tree.version().into())));
    }
    Some(fields)
}

/// The same with the links to prefabs that a file knows.
pub fn in_file(
    class: ClassId,
    version: Version,
    links: Vec<(String, New)>,
) -> Option<Vec<(String, New)>> {
    let mut fields = native(class, version)?;
    let is_link = |key: &str| {
        key.starts_with("m_Prefab")
            || matches!(key, "m_CorrespondingSourceObject" | "m_ObjectHideFlags")
    };
    // Some classes have their version before anything else.
    let at = usize::from(fields.first().is_some_and(|(key, _)| key == "serializedVersion"));
    let rest = fields.split_off(at);
    fields.extend(links);
    fields.extend(rest.into_iter().filter(|(key, _)| !is_link(key)));
    Some(fields)
}

/// The key above the fields of an object: the name of its class in that version, or of the base
/// class where it adds nothing to that.
pub fn key(class: ClassId, version: Version) -> Option<&'static str> {
    types::tree(class, version).map(Node::type_name)
}

/// Whether the values of a new object of the class are known to be those that Unity gives it;
/// otherwise some may be zero, or a guess.
pub fn is_known(class: ClassId) -> bool {
    class.name().is_some_and(defaults::is_known)
}

/// The value of a field with nothing in it: zero, an empty list, a reference to nothing; structures
/// with what they are made with, such as a rotation that does not turn.
pub fn zero(node: Node<'_>) -> New {
    if node.reference_class().is_some() {
        return New::local(FileId(0));
    }
    let number = |digits: usize| New::Number("0".repeat(digits));
    match node.type_name() {
        "string" => New::Text(String::new()),
        "GUID" => number(32),
        "Hash128" => New::Map(vec![
            ("serializedVersion".to_owned(), New::int(2)),
            ("Hash".to_owned(), number(32)),
        ]),
        _ => match list_element(node) {
            Some(element) => empty_list(node, element),
            None if node.children().len() == 0 => number(1),
            None => structure(node),
        },
    }
}

/// Sets what is at a path in the fields of a new object, `m_Shadows.m_Type`, and tells whether it is
/// there. A list is set as a whole.
pub fn put(fields: &mut [(String, New)], path: &str, value: New) -> bool {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let Some((_, field)) = fields.iter_mut().find(|(known, _)| known == key) else { return false };
    match (rest, field) {
        (None, field) => {
            *field = value;
            true
        }
        (Some(rest), New::Map(fields) | New::Flow(fields)) => put(fields, rest, value),
        _ => false,
    }
}

/// What Unity writes on one line. Colours of bytes and structures with a version have lines.
const FLOWS: [&str; 13] = [
    "Vector2f",
    "Vector3f",
    "Vector4f",
    "Quaternionf",
    "ColorRGBA",
    "float2",
    "float3",
    "float4",
    "int2",
    "int3",
    "int2_storage",
    "int3_storage",
    "Vector3Int",
];
/// Keys of a layout that text files leave out.
const UNWRITTEN: [(&str, &str); 1] = [("PrefabInstance", "m_RootGameObject")];
/// The version of these is written, although it is 1.
const FIRST_VERSIONS: [&str; 6] = [
    "AnimatorTransition",
    "VFXRenderer",
    "ChildAnimatorState",
    "ChildAnimatorStateMachine",
    "LodSelectionCurve",
    "MeshLodRange",
];
/// The version of these is not, although it is another.
const UNVERSIONED: [&str; 1] = ["RectTransform"];
/// Modules that write `enabled`, which all have, before their version.
const ENABLED_FIRST: [&str; 3] = ["EmissionModule", "CollisionModule", "TriggerModule"];
/// Maps that are lists of pairs, and so have brackets when they are empty.
const LISTED_MAPS: [&str; 5] = ["m_TexEnvs", "m_Ints", "m_Floats", "m_Colors", "m_References"];

fn is_version_written(name: &str, node: Node<'_>) -> bool {
    (node.version() != 1 || FIRST_VERSIONS.contains(&name)) && !UNVERSIONED.contains(&name)
}

fn structure(node: Node<'_>) -> New {
    let name = node.type_name();
    let mut fields: Vec<_> =
        node.children().map(|field| (field.name().to_owned(), zero(field))).collect();
    if FLOWS.contains(&name) && node.version() == 1 {
        let mut new = New::Flow(fields);
        defaults::fill_type(node, &mut new);
        return new;
    }
    if is_version_written(name, node) {
        let version = ("serializedVersion".to_owned(), New::int(node.version().into()));
        fields.insert(ENABLED_FIRST.contains(&name).into(), version);
    }
    let mut new = New::Map(fields);
    defaults::fill_type(node, &mut new);
    new
}

/// What every item is, when the field is a list and nothing else.
fn list_element(node: Node<'_>) -> Option<Node<'_>> {
    let is_list = node.is_array()
        || node.children().len() == 1 && node.children().all(|child| child.is_array());
    node.element().filter(|_| is_list)
}

/// Whole numbers are written as their bytes, so that nothing stands behind the key when there are
/// none.
fn empty_list(node: Node<'_>, element: Node<'_>) -> New {
    let is_whole = element.children().len() == 0
        && element.reference_class().is_none()
        && !matches!(element.type_name(), "float" | "double");
    match node.type_name() {
        "map" if !LISTED_MAPS.contains(&node.name()) => New::Map(Vec::new()),
        _ if is_whole => New::Text(String::new()),
        _ => New::List(Vec::new()),
    }
}

/// Classes that write their version before all keys.
const VERSION_FIRST: [&str; 18] = [
    "Animator",
    "AnimatorState",
    "AnimatorStateMachine",
    "AreaEffector2D",
    "BuoyancyEffector2D",
    "LineRenderer",
    "Material",
    "NavMeshSettings",
    "ParticleSystemRenderer",
    "PointEffector2D",
    "Rigidbody2D",
    "SpriteRenderer",
    "SpriteShapeRenderer",
    "TextMesh",
    "TilemapRenderer",
    "TrailRenderer",
    "VFXRenderer",
    "BillboardRenderer",
];
/// Keys that all objects, or all behaviours and named ones, begin with.
const COMMON: [&str; 9] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabParentObject",
    "m_PrefabInstance",
    "m_PrefabInternal",
    "m_PrefabAsset",
    "m_GameObject",
    "m_Enabled",
    "m_Name",
];

/// Where `serializedVersion` stands among the keys: behind those that the class has from its base,
/// except in classes that write it first.
fn version_place(class: ClassId, number: u32, fields: &[(String, New)]) -> usize {
    let name = class.name().unwrap_or_default();
    if VERSION_FIRST.contains(&name) {
        return 0;
    }
    let is_a = |base: &str| ClassId::find(base).is_some_and(|base| class.is_a(base));
    let place = |key: &str| fields.iter().position(|(known, _)| known == key);
    let special = match name {
        "SkinnedMeshRenderer" => place("m_Quality"),
        "RenderTexture" | "Texture2D" => place("m_Width"),
        "CircleCollider2D" if number == 2 => place("m_Radius"),
        "BoxCollider2D" if number == 2 => place("m_Size"),
        "AnimatorTransition" | "AnimatorStateTransition" => place("m_IsExit").map(|at| at + 1),
        "WheelCollider" => None,
        _ if is_a("Joint") => place("m_ConnectedAnchor").map(|at| at + 1),
        _ if is_a("Collider") => place("m_Enabled").map(|at| at + 1),
        _ => None,
    };
    let common = || fields.iter().take_while(|(key, _)| COMMON.contains(&&**key)).count();
    special.unwrap_or_else(common)
}
