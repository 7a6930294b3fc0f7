//! Calls of tools in tests: on the samples, or on a project written as one text.

use std::path::PathBuf;
use std::sync::Arc;

use scenewright_contract::{Outcome, ToolError};
use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::{Kept, Kit, Runner, Settings, Workspace, testing};
use scenewright_tools_godot as godot;
use scenewright_tools_unity as unity;
use serde_json::Value;

use crate::{CommonPack, ci, mcp, project, tools};

/// Call a tool with the samples open.
pub(crate) fn call_sample(tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    let folders = [sample("unity"), sample("godot")];
    testing::call(&runner(&folders, Settings::default()), tool, arguments)
}

/// Call a tool on a Unity project, each file of which stands under a `//- path` line.
pub(crate) fn call_project(
    project: &str,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let folder = Folder::unity(project);
    testing::call(&runner(&[folder.path("")], Settings::default()), tool, arguments)
}

/// Call a tool that may write on a project that stays.
pub(crate) fn call_writing(
    folder: &Folder,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let settings = Settings { allow_writes: true, ..Settings::default() };
    testing::call(&runner(&[folder.path("")], settings), tool, arguments)
}

/// A runner of this crate's tools.
pub(crate) fn runner(folders: &[PathBuf], settings: Settings) -> Arc<Runner> {
    let workspace =
        Workspace::open(&[unity::ENGINE, godot::ENGINE], folders, Kept::default()).unwrap();
    let groups = vec![&ci::GROUP, &mcp::GROUP, &project::GROUP, &tools::GROUP];
    Runner::new(
        Kit { groups, packs: vec![Box::new(CommonPack::default())] },
        workspace,
        settings,
        None,
    )
}
