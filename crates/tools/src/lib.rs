//! Every tool, the one list of them, and the one function that every call passes.
//!
//! A tool is a value in a file of its own ([`Tool`]); a group is a folder with a list; [`GROUPS`]
//! is the list of groups. [`Runner::admit`] is the policy: nothing runs without it. This crate
//! knows no wire format and no async runtime: tools are plain functions that run on the thread
//! that calls [`Admitted::run`].

mod addressables;
mod arguments;
mod asmdef;
mod asset;
mod audio;
mod audit;
mod build;
mod check;
mod ci;
mod common;
mod component;
mod cx;
pub mod docs;
pub mod door;
mod editor;
mod explorer;
mod files;
pub mod fixtures;
mod footprint;
mod go;
mod godot;
mod godot_animation;
mod godot_asset;
mod godot_audio;
mod godot_batch;
mod godot_class;
mod godot_engine;
mod godot_lighting;
mod godot_navigation;
mod godot_particles;
mod godot_physics;
mod godot_project;
mod godot_resource;
mod godot_scene;
mod godot_script;
mod godot_shader;
mod godot_tilemap;
mod godot_ui;
mod godot_uid;
mod images;
mod localization;
mod mcp;
pub mod pack;
mod paths;
pub mod policy;
mod project;
pub mod prompts;
pub mod report;
pub mod resources;
mod runner;
mod scene;
mod schema;
#[cfg(test)]
mod testing;
mod tool;
mod tools;
mod unity;
mod unity_api;
mod unity_files;
mod unity_packages;
pub mod workspace;
pub mod world;

use std::sync::Arc;

pub use audit::Audit;
pub use cx::{Cx, TimeGuard};
pub use godot::GodotProject;
pub use pack::{Group, Kit, Pack};
pub use policy::{Rate, Settings, Toolsets};
pub use runner::{Admitted, Health, Runner};
pub use tool::{Earlier, Example, Gate, Needs, Tool, call, call_large};
pub use unity::UnityProject;
pub use workspace::{Engine, EngineProject, Project, ProjectId, Workspace, WorkspaceError};

/// A runner of every tool that ships and, for tests, of `more`.
pub fn new_runner(
    workspace: Workspace,
    settings: Settings,
    audit: Option<Audit>,
    more: &'static [Group],
) -> Arc<Runner> {
    let kit = Kit {
        groups: GROUPS.iter().chain(more).collect(),
        packs: vec![
            Box::new(common::Common),
            Box::new(godot::GodotPack),
            Box::new(world::ExplorerPack::new(&settings, &workspace)),
        ],
    };
    Runner::new(kit, workspace, settings, audit)
}

/// What of a tool's needs is not there now, in words that the error of a call has.
pub fn missing(needs: Needs) -> Option<String> {
    godot::missing(needs)
}

/// The engines whose projects can be opened.
pub const ENGINES: &[Engine] = &[unity::ENGINE, godot::ENGINE];

/// Every tool that ships.
pub const GROUPS: &[Group] = &[
    tools::GROUP,
    project::GROUP,
    scene::GROUP,
    go::GROUP,
    component::GROUP,
    asset::GROUP,
    audio::GROUP,
    asmdef::GROUP,
    unity_packages::GROUP,
    build::GROUP,
    addressables::GROUP,
    localization::GROUP,
    ci::GROUP,
    editor::GROUP,
    unity_api::GROUP,
    explorer::GROUP,
    godot_scene::GROUP,
    godot_batch::GROUP,
    godot_tilemap::GROUP,
    godot_shader::GROUP,
    godot_resource::GROUP,
    godot_asset::GROUP,
    godot_uid::GROUP,
    godot_animation::GROUP,
    godot_physics::GROUP,
    godot_ui::GROUP,
    godot_lighting::GROUP,
    godot_navigation::GROUP,
    godot_particles::GROUP,
    godot_audio::GROUP,
    godot_project::GROUP,
    godot_script::GROUP,
    godot_class::GROUP,
    godot_engine::GROUP,
    mcp::GROUP,
];
