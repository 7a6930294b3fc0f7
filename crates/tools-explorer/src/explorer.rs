//! The Unity Explorer interface (spec 001): a Unity project's scenes as a world in memory.

mod add_component;
mod call_method;
mod clear_clipboard;
mod console_eval;
mod delete_console_script;
mod destroy_object;
mod destroy_test_ui;
mod get_camera_info;
mod get_clipboard;
mod get_components;
mod get_config;
mod get_freecam;
mod get_object;
mod get_selection;
mod get_startup_script;
mod get_status;
mod get_time_scale;
mod get_version;
mod hook_add;
mod hook_get_source;
mod hook_list_allowed_types;
mod hook_list_methods;
mod hook_remove;
mod hook_set_enabled;
mod hook_set_source;
mod inspect_ref;
mod list_build_scenes;
mod list_children;
mod list_component_members;
mod list_objects;
mod list_ref_items;
mod list_ref_members;
mod list_scenes;
mod list_singleton_members;
mod list_static_members;
mod load_scene;
mod mouse_pick;
mod read_component_member;
mod read_console_script;
mod read_ref_member;
mod read_singleton_member;
mod read_static_member;
mod release_ref;
mod remove_component;
mod reparent;
mod run_console_script;
mod run_startup_script;
mod save_scene;
mod search_component_members;
mod search_objects;
mod search_singletons;
mod search_static_classes;
mod select_object;
mod set_active;
mod set_clipboard_object;
mod set_clipboard_text;
mod set_config;
mod set_freecam_enabled;
mod set_freecam_pose;
mod set_freecam_speed;
mod set_member;
mod set_startup_script_enabled;
mod set_time_scale;
mod spawn_prefab;
mod spawn_test_ui;
mod tail_logs;
mod write_console_script;
mod write_startup_script;

use scenewright_toolkit::{Gate, Group};
use schemars::JsonSchema;
use serde::Serialize;

/// It was done.
#[derive(Serialize, JsonSchema)]
struct Done {
    /// Always true; a failure is an error.
    ok: bool,
}

impl Done {
    const OK: Done = Done { ok: true };
}

/// The gate of a tool that changes the world.
const WORLD: Gate = Gate::Inner { asks: true, runs_code: false };
/// The same for one that loses nothing.
const WORLD_UNASKED: Gate = Gate::Inner { asks: false, runs_code: false };
/// The same for one that runs code.
const CONSOLE: Gate = Gate::Inner { asks: true, runs_code: true };

/// Version of the interface, as the document's example has it.
pub(crate) const VERSION: &str = "0.1.0";
/// What runs the world, where a game has `IL2CPP` or `Mono`.
const RUNTIME: &str = "scenewright";

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "explorer",
    engine: Some("unity"),
    about: "A Unity project's scenes as a world in memory: the Unity Explorer interface",
    tools: &[
        get_status::TOOL,
        get_version::TOOL,
        list_scenes::TOOL,
        list_build_scenes::TOOL,
        list_objects::TOOL,
        search_objects::TOOL,
        get_object::TOOL,
        list_children::TOOL,
        get_components::TOOL,
        get_selection::TOOL,
        get_camera_info::TOOL,
        tail_logs::TOOL,
        get_time_scale::TOOL,
        set_active::TOOL,
        select_object::TOOL,
        reparent::TOOL,
        destroy_object::TOOL,
        add_component::TOOL,
        remove_component::TOOL,
        set_member::TOOL,
        set_time_scale::TOOL,
        spawn_prefab::TOOL,
        spawn_test_ui::TOOL,
        destroy_test_ui::TOOL,
        load_scene::TOOL,
        save_scene::TOOL,
        get_config::TOOL,
        set_config::TOOL,
        read_console_script::TOOL,
        write_console_script::TOOL,
        delete_console_script::TOOL,
        get_startup_script::TOOL,
        set_startup_script_enabled::TOOL,
        write_startup_script::TOOL,
        get_clipboard::TOOL,
        set_clipboard_text::TOOL,
        set_clipboard_object::TOOL,
        clear_clipboard::TOOL,
        get_freecam::TOOL,
        set_freecam_enabled::TOOL,
        set_freecam_speed::TOOL,
        set_freecam_pose::TOOL,
        list_component_members::TOOL,
        read_component_member::TOOL,
        search_component_members::TOOL,
        inspect_ref::TOOL,
        list_ref_members::TOOL,
        read_ref_member::TOOL,
        list_ref_items::TOOL,
        release_ref::TOOL,
        search_static_classes::TOOL,
        list_static_members::TOOL,
        search_singletons::TOOL,
        list_singleton_members::TOOL,
        read_singleton_member::TOOL,
        read_static_member::TOOL,
        mouse_pick::TOOL,
        console_eval::TOOL,
        run_console_script::TOOL,
        run_startup_script::TOOL,
        call_method::TOOL,
        hook_add::TOOL,
        hook_remove::TOOL,
        hook_set_enabled::TOOL,
        hook_set_source::TOOL,
        hook_get_source::TOOL,
        hook_list_methods::TOOL,
        hook_list_allowed_types::TOOL,
    ],
};
