//! GameObjects, found by what they are.

mod find;

use crate::Group;

pub(crate) const GROUP: Group =
    Group { name: "go", about: "GameObjects of Unity scenes", tools: &[find::TOOL] };
