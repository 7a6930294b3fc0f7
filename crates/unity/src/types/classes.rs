//! Native classes by name, and what derives from what.

use super::table;
use crate::ClassId;

/// A class as one of its objects is called: `a Light`, `an AudioClip`.
pub(crate) fn one(class: &str) -> String {
    // A `U` is mostly said as in `UnityEvent`.
    let article = if class.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{article} {class}")
}

/// The class of this name, in its newest spelling or any that a version of Unity had.
pub fn class_named(name: &str) -> Option<ClassId> {
    ClassId::find(name).or_else(|| table::get().class_once_named(name))
}

/// The class and what it derives from, up to `Object`, by their newest names; empty for a name that
/// no class has.
///
/// ```
/// use scenewright_unity::types;
/// assert_eq!(types::bases("BoxCollider")[..3], ["BoxCollider", "Collider", "Component"]);
/// ```
pub fn bases(name: &str) -> Vec<&'static str> {
    let chain = std::iter::successors(class_named(name), |class| class.base());
    // The table is ours and has no cycle, but a bound costs nothing.
    chain.take(32).filter_map(ClassId::name).collect()
}

/// True when the class of the first name is the one of the second or derives from it, so that a
/// reference to the one can stand where the other is asked for. Names of scripts are never known.
///
/// ```
/// use scenewright_unity::types;
/// assert!(types::is_a("BoxCollider", "Collider"));
/// assert!(!types::is_a("Collider", "BoxCollider"));
/// ```
pub fn is_a(name: &str, base: &str) -> bool {
    let (Some(class), Some(base)) = (class_named(name), class_named(base)) else { return false };
    class.is_a(base)
}
