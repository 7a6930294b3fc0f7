//! Calls of this crate's tools in tests, on copies of the sample.

use scenewright_toolkit::Group;
use scenewright_tools_godot::testing::{self, Tools};

use crate::{
    animation, audio, lighting, navigation, particles, physics, resource, scene, shader, tilemap,
    ui,
};

/// The tools of this crate.
pub(crate) struct Own;

impl Tools for Own {
    const GROUPS: &'static [&'static Group] = &[
        &animation::GROUP,
        &audio::GROUP,
        &lighting::GROUP,
        &navigation::GROUP,
        &particles::GROUP,
        &physics::GROUP,
        &resource::GROUP,
        &scene::GROUP,
        &shader::GROUP,
        &tilemap::GROUP,
        &ui::GROUP,
    ];
}

/// A copy of the sample that may be written.
pub(crate) type GodotSample = testing::GodotSample<Own>;
