//! What needs the Godot program: running, exporting, converting, taking pictures.

use scenewright_toolkit::{Earlier, Group};

mod capture_editor_viewport;
mod convert3to4;
mod export_pack;
mod export_project;
mod generate_docs;
mod get_debug_output;
mod get_debug_stream_status;
mod get_godot_version;
mod get_script_errors;
mod launch_editor;
mod run_project;
mod run_tests;
mod start_debug_stream;
mod stop_debug_stream;
mod stop_project;
mod system_health;
mod take_screenshot;
mod validate_conversion3to4;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotEngine",
    engine: Some("godot"),
    about: "The Godot program: run, debug, export, convert, check scripts, run tests, take pictures",
    tools: &[
        get_godot_version::TOOL,
        system_health::TOOL,
        launch_editor::TOOL,
        run_project::TOOL,
        stop_project::TOOL,
        get_debug_output::TOOL,
        start_debug_stream::TOOL,
        stop_debug_stream::TOOL,
        get_debug_stream_status::TOOL,
        get_script_errors::TOOL,
        run_tests::TOOL,
        export_project::TOOL,
        export_pack::TOOL,
        convert3to4::TOOL,
        validate_conversion3to4::TOOL,
        generate_docs::TOOL,
        take_screenshot::TOOL,
        capture_editor_viewport::TOOL,
    ],
};

/// For examples about a running game; there may be no screen for it.
const GAME_RUNS: &[Earlier] = &[Earlier {
    tool: "godotEngine.runProject",
    input: r#"{ "projectPath": "godot", "scene": "scenes/level.tscn", "headless": true }"#,
}];
