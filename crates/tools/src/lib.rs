//! Every tool, in one list, and the runner that has all of them.
//!
//! The tools of one world are in their packs (`tools-common`, `tools-unity`, `tools-godot-…`,
//! `tools-explorer`); what runs them is `scenewright-toolkit`. Nothing else is here, because this is
//! compiled again after a change in any of them.

pub mod docs;

use std::path::PathBuf;
use std::sync::Arc;

use scenewright_toolkit::{
    Audit, Engine, Group, Kept, Kit, Runner, Settings, Workspace, WorkspaceError,
};
use scenewright_tools_common::{self as common, CommonPack};
use scenewright_tools_explorer::{ExplorerPack, explorer};
use scenewright_tools_godot::{self as godot, GodotPack};
use scenewright_tools_godot_live as godot_live;
use scenewright_tools_godot_project as godot_project;
use scenewright_tools_godot_scenes as godot_scenes;
use scenewright_tools_unity as unity;

/// The engines whose projects can be opened.
pub const ENGINES: &[Engine] = &[unity::ENGINE, godot::ENGINE];

/// Every tool that ships.
pub static GROUPS: &[&Group] = &[
    &common::tools::GROUP,
    &common::project::GROUP,
    &unity::scene::GROUP,
    &unity::unity::GROUP,
    &unity::go::GROUP,
    &unity::component::GROUP,
    &unity::prefab::GROUP,
    &unity::sobj::GROUP,
    &unity::batch::GROUP,
    &unity::asset::GROUP,
    &unity::script::GROUP,
    &unity::material::GROUP,
    &unity::sdk::GROUP,
    &unity::texture::GROUP,
    &unity::mesh::GROUP,
    &unity::ui::GROUP,
    &unity::audio::GROUP,
    &unity::timeline::GROUP,
    &unity::cinemachine::GROUP,
    &unity::asmdef::GROUP,
    &unity::packages::GROUP,
    &unity::yaml::GROUP,
    &unity::conventions::GROUP,
    &unity::build::GROUP,
    &unity::addressables::GROUP,
    &unity::animation::GROUP,
    &unity::animator::GROUP,
    &unity::settings::GROUP,
    &unity::input::GROUP,
    &unity::localization::GROUP,
    &common::ci::GROUP,
    &unity::editor::GROUP,
    &unity::runtime::GROUP,
    &unity::api::GROUP,
    &explorer::GROUP,
    &godot_scenes::scene::GROUP,
    &godot_scenes::tilemap::GROUP,
    &godot_scenes::shader::GROUP,
    &godot_scenes::resource::GROUP,
    &godot_project::asset::GROUP,
    &godot_project::uid::GROUP,
    &godot_scenes::animation::GROUP,
    &godot_scenes::physics::GROUP,
    &godot_scenes::ui::GROUP,
    &godot_scenes::lighting::GROUP,
    &godot_scenes::navigation::GROUP,
    &godot_scenes::particles::GROUP,
    &godot_scenes::audio::GROUP,
    &godot_project::project::GROUP,
    &godot_project::script::GROUP,
    &godot_project::class::GROUP,
    &godot_project::engine::GROUP,
    &godot_project::debug::GROUP,
    &godot_live::live::GROUP,
    &godot_live::editor::GROUP,
    &godot_live::game::GROUP,
    &common::mcp::GROUP,
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
            Box::new(CommonPack::default()),
            Box::new(GodotPack),
            Box::new(ExplorerPack::new(&settings, &workspace)),
        ],
    };
    Runner::new(kit, workspace, settings, audit)
}

/// Open folders as projects of any engine, with indexes that go with the process.
pub fn open(folders: &[PathBuf]) -> Result<Workspace, WorkspaceError> {
    Workspace::open(ENGINES, folders, Kept::default())
}
