//! The engine's components as files have them, for the classes and fields that the world's own table
//! does not have: their names, bases, and the types of their fields in the project's version.
//!
//! A field stands for the property that C# most likely has for it. Where both are known to differ,
//! the table of the world or [`property_of`](trees::property_of) says so.

use std::collections::BTreeSet;
use std::sync::Arc;

use scenewright_tools_unity::base::native::native_name;
use scenewright_unity::ClassId;
use scenewright_unity::types::{self as trees, Node, Version};
use scenewright_world::types::{
    MONO_BEHAVIOUR, Member, MemberKind, Source, Type, Types, is_housekeeping, property_name,
};

/// Add what the table of the world does not have.
pub(super) fn add(types: &mut Types, version: Version) {
    let classes = component_classes(version);
    // Bases first, so that what they have is not said again.
    for class in classes {
        let (Some(name), Some(base)) = (class.name(), class.base().and_then(ClassId::name)) else {
            continue;
        };
        let full_name = native_name(name);
        if types.is_a(&full_name, "UnityEngine.Transform") || types.is_a(&full_name, MONO_BEHAVIOUR)
        {
            continue;
        }
        let known = types.get(&full_name).map(|known| Type::clone(known));
        let mut ty = known.unwrap_or_else(|| Type {
            full_name: full_name.clone(),
            base: Some(native_name(base)),
            assembly: "UnityEngine.CoreModule".into(),
            is_static: false,
            members: Vec::new(),
            methods: Vec::new(),
        });
        types.add(ty.clone());
        ty.members.extend(new_members(types, name, &full_name, &fields(class, version)));
        types.add(ty);
    }
}

/// The components of a version and what they derive from, bases first.
fn component_classes(version: Version) -> Vec<ClassId> {
    let component = ClassId::find("Component").unwrap_or(ClassId(2));
    let mut chosen: Vec<(usize, ClassId)> = Vec::new();
    for class in ClassId::all().filter(|class| class.is_a(component)) {
        if trees::tree(class, version).is_none() {
            continue;
        }
        let line: Vec<ClassId> = std::iter::successors(Some(class), |class| class.base())
            .take_while(|class| *class != component)
            .take(32)
            .collect();
        chosen.extend(line.iter().enumerate().map(|(above, class)| (line.len() - above, *class)));
    }
    chosen.sort_by_key(|(depth, class)| (*depth, class.0));
    chosen.dedup();
    chosen.into_iter().map(|(_, class)| class).collect()
}

/// The fields of a class; of one that has no objects of its own, those that all that derive from it
/// share.
fn fields(class: ClassId, version: Version) -> Vec<Node<'static>> {
    if let Some(tree) = trees::tree(class, version) {
        return tree.children().collect();
    }
    let derived = ClassId::all().filter(|other| *other != class && other.is_a(class));
    let mut all = derived.filter_map(|class| trees::tree(class, version));
    let Some(first) = all.next() else { return Vec::new() };
    let mut shared: Vec<Node<'static>> = first.children().collect();
    for tree in all {
        let same = |field: &Node<'_>| {
            tree.child(field.name()).is_some_and(|other| other.type_name() == field.type_name())
        };
        shared.retain(same);
    }
    shared
}

/// Members for fields that no member of the class or its bases stands for.
fn new_members(
    types: &Types,
    class: &str,
    full_name: &str,
    fields: &[Node<'static>],
) -> Vec<Member> {
    let known = types.members(full_name);
    let names: BTreeSet<&str> = known.iter().map(|member| &*member.name).collect();
    let paths: BTreeSet<&str> = known
        .iter()
        .filter_map(|member| match &member.source {
            Source::Saved(path) => path.split('.').next(),
            _ => None,
        })
        .collect();
    let mut made: Vec<Member> = Vec::new();
    for field in fields {
        if field.name() == "m_Enabled" && !names.contains("enabled") {
            made.push(member("enabled".to_owned(), "System.Boolean".into(), Source::World));
        }
        if is_housekeeping(field.name()) || paths.contains(field.name()) {
            continue;
        }
        let (name, known_type) = name_of(class, field.name());
        if names.contains(&*name) || made.iter().any(|member| *member.name == *name) {
            continue;
        }
        let (path, type_name) = match field.type_name() {
            "BitField" => (format!("{}.m_Bits", field.name()), "System.Int32".to_owned()),
            _ => (field.name().to_owned(), known_type.unwrap_or_else(|| type_of(*field))),
        };
        made.push(member(name, type_name.into(), Source::Saved(path.into())));
    }
    made
}

fn member(name: String, type_name: Arc<str>, source: Source) -> Member {
    Member {
        name: name.into(),
        kind: MemberKind::Property,
        type_name,
        can_write: true,
        is_static: false,
        source,
        initial: None,
    }
}

/// The property of C# for a field, and its type where the field does not tell it.
fn name_of(class: &str, field: &str) -> (String, Option<String>) {
    match trees::property_of(class, field) {
        Some((name, ty)) => (name.to_owned(), Some(ty.to_owned()).filter(|ty| !ty.is_empty())),
        None => (property_name(field), None),
    }
}

/// Full name of the type that C# has for what a file has; empty when its looks tell more.
fn type_of(field: Node<'_>) -> String {
    let plain = match field.type_name() {
        "bool" => "System.Boolean",
        "UInt8" => "System.Byte",
        "SInt8" | "char" => "System.SByte",
        "SInt16" => "System.Int16",
        "UInt16" => "System.UInt16",
        "int" => "System.Int32",
        "unsigned int" => "System.UInt32",
        "SInt64" => "System.Int64",
        "UInt64" => "System.UInt64",
        "float" => "System.Single",
        "double" => "System.Double",
        "string" => "System.String",
        "Vector2f" => "UnityEngine.Vector2",
        "Vector3f" => "UnityEngine.Vector3",
        "Vector4f" => "UnityEngine.Vector4",
        "Quaternionf" => "UnityEngine.Quaternion",
        "ColorRGBA" if field.child("r").is_some() => "UnityEngine.Color",
        "ColorRGBA" => "UnityEngine.Color32",
        "Rectf" => "UnityEngine.Rect",
        "AABB" => "UnityEngine.Bounds",
        "int2_storage" => "UnityEngine.Vector2Int",
        "int3_storage" => "UnityEngine.Vector3Int",
        "Matrix4x4f" => "UnityEngine.Matrix4x4",
        "map" | "pair" | "TypelessData" => "",
        other => return of_class(field, other),
    };
    plain.to_owned()
}

fn of_class(field: Node<'_>, name: &str) -> String {
    if let Some(class) = field.reference_class() {
        return native_name(class.trim_start_matches('$')).to_string();
    }
    match field.element().map(type_of) {
        Some(item) if item.is_empty() => String::new(),
        Some(item) => format!("{item}[]"),
        None => native_name(name).to_string(),
    }
}
