//! Resources of Godot projects: files, what is in them, and who uses whom.

use scenewright_toolkit::Group;

mod create_resource;
mod find_usages;
mod get_dependencies;
mod list_resources;
mod modify_resource;
mod read_resource;
mod rename_resource;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotResource",
    engine: Some("godot"),
    about: "Godot resources: create, read, change, rename, and who uses what",
    tools: &[
        create_resource::TOOL,
        list_resources::TOOL,
        read_resource::TOOL,
        modify_resource::TOOL,
        rename_resource::TOOL,
        find_usages::TOOL,
        get_dependencies::TOOL,
    ],
};
