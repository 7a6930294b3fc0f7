//! The running game: values, methods, waiting, input, time, what the engine measures, its interface.

use scenewright_toolkit::Group;

mod call;
mod click;
mod input;
mod monitors;
mod set;
mod time;
mod ui;
mod wait;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotGame",
    engine: Some("godot"),
    about: "A running Godot game: set values, call methods, wait, press keys and buttons, pause, measure",
    tools: &[
        set::TOOL,
        call::TOOL,
        wait::TOOL,
        input::TOOL,
        ui::TOOL,
        click::TOOL,
        time::TOOL,
        monitors::TOOL,
    ],
};
