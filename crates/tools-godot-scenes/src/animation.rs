//! Players, tracks and trees that animate Godot scenes.

use scenewright_toolkit::Group;

mod add_animation;
mod add_animation_track;
mod blend_animations;
mod create_animation_player;
mod create_animation_tree;
mod set_keyframe;
mod setup_state_machine;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "godotAnimation",
    engine: Some("godot"),
    about: "Godot animations: players, tracks, keys, state machines and blend spaces",
    tools: &[
        create_animation_player::TOOL,
        add_animation::TOOL,
        add_animation_track::TOOL,
        set_keyframe::TOOL,
        create_animation_tree::TOOL,
        setup_state_machine::TOOL,
        blend_animations::TOOL,
    ],
};
