//! Scenes and prefabs, expanded as the editor shows them.

mod components_list;
mod hierarchy_dump;
mod objects_find;
mod query;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "scene",
    engine: Some("unity"),
    about: "Scenes and prefabs of Unity projects: hierarchy, objects, components",
    tools: &[hierarchy_dump::TOOL, objects_find::TOOL, query::TOOL, components_list::TOOL],
};
