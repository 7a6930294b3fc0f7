//! A new material, with the fields that the project's Unity writes and the properties of its shader.

use super::{PropertyKind, Setting};
use crate::edit::{Manner, New, NewObject};
use crate::types::{self, Node, Version};
use crate::{ClassId, FileId, Reference};

/// The class of materials.
const MATERIAL: ClassId = ClassId(21);
/// The id of the material in a file of its own.
pub const MAIN_ID: FileId = FileId(2_100_000);
/// Since here lists are written as lists.
const FIRST: (u32, u32) = (5, 0);

/// The file of a new material; nothing for a Unity older than 5.
pub fn new_file(
    name: &str,
    shader: Reference,
    properties: &[(&str, Setting)],
    version: &crate::EditorVersion,
) -> Option<String> {
    if version.release().is_some_and(|release| release < FIRST) {
        return None;
    }
    let tree = types::tree(MATERIAL, Version::parse(&version.text).unwrap_or(Version::NEWEST))?;
    let mut fields = serialized_version(tree);
    for child in tree.children() {
        let value = match child.name() {
            "m_Name" => New::Text(name.to_owned()),
            "m_Shader" => New::Reference(shader),
            // Without global illumination, and emission off.
            "m_LightmapFlags" => New::int(4),
            "m_CustomRenderQueue" => New::int(-1),
            "m_AllowLocking" => New::int(1),
            "stringTagMap" => New::Map(Vec::new()),
            "m_SavedProperties" => saved(child, properties),
            _ => empty(child),
        };
        fields.push((child.name().to_owned(), value));
    }
    let key = "Material".to_owned();
    let object = NewObject { class: MATERIAL, id: MAIN_ID, key, stripped: false, fields };
    Some(format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{}", object.text(Manner::PLAIN)))
}

fn serialized_version(node: Node<'_>) -> Vec<(String, New)> {
    match node.version() {
        0 | 1 => Vec::new(),
        version => vec![("serializedVersion".to_owned(), New::int(version.into()))],
    }
}

/// What a field is before anybody sets it.
fn empty(node: Node<'_>) -> New {
    match node.type_name() {
        kind if kind.starts_with("PPtr<") => New::local(FileId::NULL),
        "string" => New::Text(String::new()),
        "vector" | "map" | "set" | "staticvector" => New::List(Vec::new()),
        _ if node.is_array() || node.element().is_some() => New::List(Vec::new()),
        _ => New::int(0),
    }
}

fn saved(node: Node<'_>, properties: &[(&str, Setting)]) -> New {
    let mut fields = serialized_version(node);
    let has_ints = node.child("m_Ints").is_some();
    let in_pairs = node.version() < 3;
    for list in node.children() {
        let kind = PropertyKind::ALL.into_iter().find(|kind| kind.list().ends_with(list.name()));
        let is_here = |setting: &Setting| match setting.kind() {
            PropertyKind::Int if !has_ints => kind == Some(PropertyKind::Float),
            own => kind == Some(own),
        };
        let mut own: Vec<&(&str, Setting)> =
            properties.iter().filter(|(_, setting)| is_here(setting)).collect();
        own.sort_by_key(|(name, _)| *name);
        let items =
            own.into_iter().map(|(name, setting)| super::item(name, setting.whole(), in_pairs));
        fields.push((list.name().to_owned(), New::List(items.collect())));
    }
    New::Map(fields)
}
