//! Godot projects as a whole: their settings, autoloads, input actions and presets.

use scenewright_toolkit::Group;

mod create_project;
mod get_project_info;
mod get_project_settings;
mod list_export_presets;
mod list_input_actions;
mod list_projects;
mod manage_autoloads;
mod manage_input_actions;
mod set_project_setting;
mod validate_project;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotProject",
    engine: Some("godot"),
    about: "Godot projects: settings, autoloads, input actions, export presets, validation",
    tools: &[
        list_projects::TOOL,
        get_project_info::TOOL,
        get_project_settings::TOOL,
        set_project_setting::TOOL,
        manage_autoloads::TOOL,
        list_input_actions::TOOL,
        manage_input_actions::TOOL,
        list_export_presets::TOOL,
        validate_project::TOOL,
        create_project::TOOL,
    ],
};
