//! Scenes of Godot projects: their nodes, properties, signals and groups.

use scenewright_toolkit::Group;

mod add_node;
mod connect_signal;
mod create_scene;
mod disconnect_signal;
mod duplicate_node;
mod edit_node;
mod export_mesh_library;
mod find_nodes;
mod get_node_properties;
mod get_node_tree;
mod instance_scene;
mod list_scenes;
mod list_signals;
mod load_sprite;
mod manage_groups;
mod move_node;
mod remove_node;
mod rename_node;
mod save_scene;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotScene",
    engine: Some("godot"),
    about: "Godot scenes: nodes, properties, signals and groups",
    tools: &[
        list_scenes::TOOL,
        create_scene::TOOL,
        save_scene::TOOL,
        get_node_tree::TOOL,
        get_node_properties::TOOL,
        find_nodes::TOOL,
        add_node::TOOL,
        edit_node::TOOL,
        remove_node::TOOL,
        duplicate_node::TOOL,
        rename_node::TOOL,
        move_node::TOOL,
        instance_scene::TOOL,
        load_sprite::TOOL,
        list_signals::TOOL,
        connect_signal::TOOL,
        disconnect_signal::TOOL,
        manage_groups::TOOL,
        export_mesh_library::TOOL,
    ],
};
