//! Every tool, in one list, and the runner that has all of them.
//!
//! The tools of one world are in their pack (`tools-unity`, `tools-godot`, `tools-explorer`); here are
//! those of every project. What runs them is `scenewright-toolkit`.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod ci;
mod common;
pub mod docs;
mod mcp;
mod project;
pub mod report;
#[cfg(test)]
mod testing;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

use scenewright_toolkit::{Audit, Engine, Group, Kit, Runner, Settings, Workspace, WorkspaceError};
use scenewright_tools_explorer::{ExplorerPack, explorer};
use scenewright_tools_godot::{self as godot, GodotPack};
use scenewright_tools_unity as unity;

/// The engines whose projects can be opened.
pub const ENGINES: &[Engine] = &[unity::ENGINE, godot::ENGINE];

/// Every tool that ships.
pub static GROUPS: &[&Group] = &[
    &tools::GROUP,
    &project::GROUP,
    &unity::scene::GROUP,
    &unity::go::GROUP,
    &unity::component::GROUP,
    &unity::asset::GROUP,
    &unity::audio::GROUP,
    &unity::asmdef::GROUP,
    &unity::packages::GROUP,
    &unity::build::GROUP,
    &unity::addressables::GROUP,
    &unity::localization::GROUP,
    &ci::GROUP,
    &unity::editor::GROUP,
    &unity::api::GROUP,
    &explorer::GROUP,
    &godot::scene::GROUP,
    &godot::batch::GROUP,
    &godot::tilemap::GROUP,
    &godot::shader::GROUP,
    &godot::resource::GROUP,
    &godot::asset::GROUP,
    &godot::uid::GROUP,
    &godot::animation::GROUP,
    &godot::physics::GROUP,
    &godot::ui::GROUP,
    &godot::lighting::GROUP,
    &godot::navigation::GROUP,
    &godot::particles::GROUP,
    &godot::audio::GROUP,
    &godot::project::GROUP,
    &godot::script::GROUP,
    &godot::class::GROUP,
    &godot::engine::GROUP,
    &mcp::GROUP,
];

/// A runner of every tool that ships and, for tests, of `more`.
pub fn new_runner(
    workspace: Workspace,
    settings: Settings,
    audit: Option<Audit>,
    more: &'static [Group],
) -> Arc<Runner> {
    let kit = Kit {
        groups: GROUPS.iter().copied().chain(more).collect(),
        packs: vec![
            Box::new(common::Common),
            Box::new(GodotPack),
            Box::new(ExplorerPack::new(&settings, &workspace)),
        ],
    };
    Runner::new(kit, workspace, settings, audit)
}

/// Open folders as projects of any engine, with indexes that go with the process.
pub fn open(folders: &[PathBuf]) -> Result<Workspace, WorkspaceError> {
    Workspace::open(ENGINES, folders, None)
}
