//! Scenes and prefabs, expanded as the editor shows them.

mod batch_apply;
mod components_list;
mod hierarchy_dump;
mod load;
mod objects_find;
mod query;
mod save;
mod set_active;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "scene",
    engine: Some("unity"),
    about: "Scenes and prefabs of Unity projects: hierarchy, objects, components",
    tools: &[
        hierarchy_dump::TOOL,
        objects_find::TOOL,
        query::TOOL,
        components_list::TOOL,
        load::TOOL,
        save::TOOL,
        set_active::TOOL,
        batch_apply::TOOL,
    ],
};
