//! Calls of this crate's tools in tests, on copies of the sample.

use scenewright_toolkit::Group;
use scenewright_tools_godot::testing::{self, Tools};

use crate::{asset, class, debug, engine, project, script, uid};

/// The tools of this crate.
pub(crate) struct Own;

impl Tools for Own {
    const GROUPS: &'static [&'static Group] = &[
        &asset::GROUP,
        &class::GROUP,
        &debug::GROUP,
        &engine::GROUP,
        &project::GROUP,
        &script::GROUP,
        &uid::GROUP,
    ];
}

/// A copy of the sample that may be written.
pub(crate) type GodotSample = testing::GodotSample<Own>;
