//! What the pack of the Explorer interface brings besides its tools: the world itself, its gate, its
//! resources, and the host that may stand for it.

use std::sync::Arc;

use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Output, ToolError};
use scenewright_toolkit::pack::Pack;
use scenewright_toolkit::policy::Inner;
use scenewright_toolkit::{Cx, Runner, Settings, Tool, Workspace, resources};
use scenewright_tools_unity::base::NAME;
use serde_json::Value;

use crate::resources as unity;
use crate::world::{WorldHolder, relay};

/// The pack of the Explorer interface.
pub struct ExplorerPack {
    world: WorldHolder,
}

impl ExplorerPack {
    /// The pack of a server with these projects, under the operator's word.
    pub fn new(settings: &Settings, workspace: &Workspace) -> Self {
        Self { world: WorldHolder::new(settings, workspace) }
    }
}

/// Who has a world: every runner with the pack of the Explorer interface.
pub trait HasWorld {
    /// The world of the Explorer interface.
    fn world(&self) -> &WorldHolder;
}

impl HasWorld for Runner {
    fn world(&self) -> &WorldHolder {
        &self.pack::<ExplorerPack>().expect("who asks for the world brings its pack").world
    }
}

/// Whether the Explorer interface has anything to show: a Unity project or a running host.
pub fn is_served(runner: &Runner) -> bool {
    runner.world().link().is_some() || runner.workspace().candidates(Some(NAME)).next().is_some()
}

impl Pack for ExplorerPack {
    fn gate(&self, tool: &Tool, settings: &Settings) -> Option<Inner> {
        tool.explorer.map(|_| self.world.gate(settings))
    }

    fn runs_elsewhere(&self, tool: &Tool) -> bool {
        self.world.link().is_some() && tool.explorer.is_some()
    }

    fn run_elsewhere(&self, tool: &Tool, cx: &Cx, arguments: Value) -> Result<Output, ToolError> {
        relay::run(&self.world, tool, cx, arguments)
    }

    fn is_live(&self) -> bool {
        self.world.link().is_some_and(|link| link.status().connected)
    }

    fn projects_changed(&self, workspace: &Workspace) {
        self.world.follow(workspace);
    }

    fn resources(&self, runner: &Runner) -> Vec<ResourceInfo> {
        unity::list(runner)
    }

    fn templates(&self) -> &'static [TemplateInfo] {
        &unity::TEMPLATES
    }

    fn read(&self, runner: &Arc<Runner>, uri: &str) -> Option<Result<ResourceText, ToolError>> {
        let read = uri.starts_with(unity::PREFIX).then(|| unity::read(runner, uri))?;
        Some(read.map(|value| resources::json(uri, &value)))
    }
}
