//! The state of a running editor, as far as files tell it.

mod selection_info;

use crate::Group;

pub(crate) const GROUP: Group =
    Group { name: "editor", about: "The state of the editor", tools: &[selection_info::TOOL] };
