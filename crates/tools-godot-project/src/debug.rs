//! A game under the engine's debugger: breakpoints, steps, the stack and what variables hold.

mod debug_inspect;
mod debug_start;
mod debug_step;
mod debug_stop;

use scenewright_toolkit::{Earlier, Group};

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotDebug",
    engine: Some("godot"),
    about: "Debug a Godot game: breakpoints, steps, stack, variables, expressions",
    tools: &[debug_start::TOOL, debug_step::TOOL, debug_inspect::TOOL, debug_stop::TOOL],
};

/// For examples about a game that waits.
const GAME_WAITS: &[Earlier] = &[Earlier {
    tool: "godotDebug.debugStart",
    input: r#"{ "projectPath": "godot", "breakpoints": [{ "scriptPath": "scripts/main.gd", "line": 17 }] }"#,
}];
