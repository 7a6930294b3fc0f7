//! The running editor: its scenes, its player, its scripts, its classes.

use scenewright_toolkit::Group;

mod class;
mod install_addon;
mod play;
mod scene;
mod scripts;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotEditor",
    engine: Some("godot"),
    about: "A running Godot editor: open, save, undo scenes, play the game, unsaved scripts, its classes",
    tools: &[install_addon::TOOL, scene::TOOL, play::TOOL, scripts::TOOL, class::TOOL],
};
