//! Which objects a field takes a reference to.

use super::trees;
use crate::ClassId;

/// Whether a field of a class takes a reference to an object of another, in any version of Unity.
/// Nothing when the field is not known, or what it takes is not.
///
/// ```
/// use scenewright_unity::{ClassId, types};
///
/// let [filter, mesh, material] = ["MeshFilter", "Mesh", "Material"].map(|name| ClassId::find(name).unwrap());
/// assert_eq!(types::takes(filter, "m_Mesh", mesh), Some(true));
/// assert_eq!(types::takes(filter, "m_Mesh", material), Some(false));
/// assert_eq!(types::takes(filter, "m_Mash", material), None);
/// ```
pub fn takes(class: ClassId, path: &str, target: ClassId) -> Option<bool> {
    target.name()?;
    let mut answer = None;
    for name in named(class, path) {
        if target.is_a(super::class_named(name)?) {
            return Some(true);
        }
        answer = Some(false);
    }
    answer
}

/// What a field takes references to, by the newest version that has it.
pub fn taken(class: ClassId, path: &str) -> Option<&'static str> {
    named(class, path).last()
}

/// The classes that a field, or each item of a list, takes in the versions that have it.
fn named(class: ClassId, path: &str) -> impl Iterator<Item = &'static str> {
    trees(class).filter_map(move |tree| {
        let field = tree.find(path)?;
        field.reference_class().or_else(|| field.element()?.reference_class())
    })
}

/// The class that an id tells: those of main objects are the class, a hundred thousand times. Two of
/// them stand for a file as a whole, whatever is in it.
pub fn class_of_id(id: crate::FileId) -> Option<ClassId> {
    const STEP: i64 = 100_000;
    const WHOLE: [ClassId; 2] = [ClassId(1001), ClassId(1029)];
    let class = (id.0 > 0 && id.0 % STEP == 0).then(|| u32::try_from(id.0 / STEP).ok())??;
    Some(ClassId(class)).filter(|class| !WHOLE.contains(class) && class.name().is_some())
}
