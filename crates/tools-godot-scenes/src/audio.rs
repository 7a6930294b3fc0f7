//! Buses and players of Godot projects.

use scenewright_toolkit::Group;

mod add_audio_effect;
mod create_audio_bus;
mod setup_audio_player;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotAudio",
    engine: Some("godot"),
    about: "Godot audio: buses, effects and players",
    tools: &[create_audio_bus::TOOL, setup_audio_player::TOOL, add_audio_effect::TOOL],
};
