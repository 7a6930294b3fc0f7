//! What Unity's native classes write to files: which fields, in which order and of which types, for
//! every class and every version from 3.4 to 6000.7, without the editor.
//!
//! ```
//! use scenewright_unity::ClassId;
//! use scenewright_unity::types::{self, Version};
//!
//! let version = Version::parse("2022.3.20f1").expect("a version as Unity writes it");
//! let light = types::tree(ClassId(108), version).expect("every version has lights");
//! assert_eq!((light.type_name(), light.version()), ("Light", 10));
//! let strength = light.find("m_Shadows.m_Strength").expect("a field of a field");
//! assert_eq!(strength.type_name(), "float");
//!
//! let collider = types::tree(ClassId(65), version).expect("a BoxCollider");
//! let takes = collider.find("m_Material").and_then(|field| field.reference_class());
//! assert!(takes.is_some_and(|takes| types::is_a("PhysicsMaterial", takes)));
//! ```
//!
//! The fields are those that the editor writes, to text and to binary files alike; built players,
//! which leave some out, are in no project. Fields of scripts are not here: they follow from their
//! source, after those of `MonoBehaviour`.

mod classes;
mod node;
mod path;
mod properties;
mod table;
mod takes;
#[cfg(test)]
mod tests;
mod version;

use std::collections::BTreeSet;

use crate::ClassId;

pub(crate) use classes::one;
pub use classes::{bases, class_named, is_a};
pub use node::Node;
pub(crate) use node::{Nodes, Row, Texts};
pub use properties::{names_of, other_paths, paths_in_script, property_field, property_of};
pub use takes::{class_of_id, taken, takes};
pub use version::Version;

/// The fields of a class in a version of Unity; none when that version does not have the class or
/// never writes it. A version newer than all that are known counts as the newest, an older one as
/// the oldest.
pub fn tree(class: ClassId, version: Version) -> Option<Node<'static>> {
    let version = version.max(table::get().oldest());
    let changes = table::get().changes(class);
    let after = changes.partition_point(|change| change.version <= version);
    changes[..after].last()?.tree()
}

/// The fields of a class in the version nearest to this one that has it: objects of a class that is
/// gone stay in files until somebody saves them.
pub fn nearest_tree(class: ClassId, version: Version) -> Option<Node<'static>> {
    let changes = table::get().changes(class);
    let after = changes.partition_point(|change| change.version <= version);
    let (before, after) = changes.split_at(after);
    before.iter().rev().chain(after).find_map(|change| change.tree())
}

/// The names of all fields that a class has or had in any version, without those inside of them.
/// Empty for a class that is not known.
pub fn all_fields(class: ClassId) -> BTreeSet<&'static str> {
    trees(class).flat_map(Node::children).map(Node::name).collect()
}

/// True when a class has or had a field at this path, as [`Node::find`] takes it, in any version.
///
/// ```
/// use scenewright_unity::{ClassId, types};
///
/// let rigidbody = ClassId::find("Rigidbody").expect("a class");
/// assert!(types::ever_had(rigidbody, "m_Drag")); // Until 6000.0.
/// assert!(!types::ever_had(rigidbody, "m_Darg"));
/// ```
pub fn ever_had(class: ClassId, path: &str) -> bool {
    trees(class).any(|tree| tree.find(path).is_some())
}

/// The name that a file gives by its place in a list inside Unity instead of its letters.
pub(crate) fn common_name(offset: u32, version: Version) -> Option<&'static str> {
    table::get().common_name(offset, version)
}

/// The fields of a class in each version that changed them.
pub(crate) fn trees(class: ClassId) -> impl Iterator<Item = Node<'static>> {
    table::get().changes(class).iter().filter_map(|change| change.tree())
}
