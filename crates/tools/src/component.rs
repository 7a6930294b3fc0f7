//! Components of one GameObject.

mod list;

use crate::Group;

pub(crate) const GROUP: Group =
    Group { name: "component", about: "Components of Unity GameObjects", tools: &[list::TOOL] };
