//! What Unity saves of a script class, as a new component or asset has it: the fields in their order,
//! bases first, with the values that their initializers give; and what a path in such an object is.
//!
//! ```
//! use scenewright_unity::edit::{New, script_fields::script_values};
//! use scenewright_unity::script::{ScriptSet, parse};
//! use scenewright_unity::types::Version;
//!
//! let file = parse("class Door : MonoBehaviour { public float speed = 2.5f; public string[] keys; }");
//! let set = ScriptSet::new([&file]);
//! let (fields, unknown) = script_values(&set, set.get("Door")[0], Version::NEWEST);
//! assert_eq!(fields[0], ("speed".to_owned(), New::float(2.5)));
//! assert_eq!(fields[1], ("keys".to_owned(), New::List(vec![])));
//! assert!(unknown.is_empty());
//! ```

mod engine;
mod initial;
mod kinds;
mod named;
mod path;
mod reset;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use kinds::field_kinds;
pub use path::{FieldAt, FieldType, NoField, Primitive, field_type};

use super::New;
use crate::script::{ScriptSet, TypeRef};
use crate::types::Version;

/// Something of a new object that the source does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The field, with those around it.
    pub path: String,
    /// Its type as written.
    pub ty: String,
    /// What is not known.
    pub what: Missing,
}

/// What is not known of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The type is declared elsewhere, or its form depends on a package: the field is left out. Unity
    /// adds it when it saves the file.
    Field,
    /// The value of its initializer, which is given here: the field is left out, and Unity runs the
    /// initializer when it reads the file.
    Value(String),
    /// The class derives from one that is declared elsewhere, whose fields would come first.
    Base,
}

/// The saved fields of a new object of a script class, those of its bases first, without the ones
/// that every `MonoBehaviour` has; and what of it the source does not tell.
pub fn script_values<'a>(
    set: &ScriptSet<'a>,
    ty: TypeRef<'a>,
    version: Version,
) -> (Vec<(String, New)>, Vec<Unknown>) {
    values::script_values(set, ty, version, &mut reset::Reset::default())
}

/// The same of a component that is added, with what its `Reset` sets, which the editor runs then; and whether
/// that does more than is known.
pub fn component_values<'a>(
    set: &ScriptSet<'a>,
    ty: TypeRef<'a>,
    version: Version,
) -> (Vec<(String, New)>, Vec<Unknown>, bool) {
    let mut reset = reset::reset(set, &walk::Place::of(ty));
    let (values, unknown) = values::script_values(set, ty, version, &mut reset);
    (values, unknown, reset.does_more)
}
