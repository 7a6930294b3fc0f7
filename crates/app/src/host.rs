//! The runner as the wire sees it: synchronous tools on worker threads, each under its timeout.

use std::sync::Arc;

use scenewright_contract::prompt::{CompletionOf, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Call, ErrorKind, Outcome, ToolError, ToolInfo};
use scenewright_toolkit::{Admitted, Runner, prompts, resources};
use scenewright_wire::host::Answer;
use scenewright_wire::{Changes, Explorer, Host, Identity};
use serde_json::{Value, json};

use crate::preview;
use crate::world_host::WorldHost;

/// The runner behind a server.
pub struct ToolHost {
    runner: Arc<Runner>,
    identity: Identity,
    world: Option<WorldHost>,
}

impl ToolHost {
    /// Put `runner` behind a server that announces `changes`.
    pub fn new(runner: Arc<Runner>, changes: &Changes) -> Arc<Self> {
        let identity = Identity {
            name: "scenewright",
            title: "scenewright",
            version: env!("CARGO_PKG_VERSION"),
            instructions: instructions(&runner),
        };
        let world = WorldHost::new(&runner, changes);
        Arc::new(Self { runner, identity, world })
    }
}

fn instructions(runner: &Runner) -> String {
    let projects: Vec<String> = runner
        .workspace()
        .projects()
        .iter()
        .map(|project| format!("{} ({})", project.id, project.engine.name()))
        .collect();
    let settings = runner.settings();
    let mode = match (settings.allow_writes, settings.allow_runs) {
        (true, true) => "Writes and runs are allowed.",
        (true, false) => "Writes are allowed.",
        (false, true) => "Runs are allowed, writes are not.",
        (false, false) => "Read-only.",
    };
    format!(
        "Unity and Godot projects from their files; no editor needed. Open: {}. {mode} Few tools are \
         listed: find others with tools_search and run any by name with tools_call.",
        projects.join(", ")
    )
}

/// Run an admitted call: at once if it is that quick, otherwise on a worker thread, under its
/// timeout.
pub async fn run(admitted: Admitted) -> Result<Outcome, ToolError> {
    if admitted.is_instant() {
        return admitted.run();
    }
    run_on_a_worker(admitted).await
}

async fn run_on_a_worker(admitted: Admitted) -> Result<Outcome, ToolError> {
    let (tool, timeout, cancel) = (admitted.tool(), admitted.timeout(), admitted.cancel());
    let work = tokio::task::spawn_blocking(move || admitted.run());
    match tokio::time::timeout(timeout, work).await {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => Err(ToolError::new(ErrorKind::Internal, format!("{tool}: {error}"))),
        Err(_) => {
            // The tool sees this at its next look and stops; its place is free only then.
            cancel.cancel();
            Err(ToolError::new(ErrorKind::Timeout, "Tool execution timed out")
                .hint("ask for less: a smaller folder, a filter, a lower limit")
                .tool(tool)
                .detail("timeoutMs", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
                .detail("tool", tool))
        }
    }
}

impl Host for ToolHost {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn explorer(&self) -> Option<&dyn Explorer> {
        self.world.as_ref().map(|world| world as &dyn Explorer)
    }

    fn allows_writes(&self) -> bool {
        self.runner.settings().allow_writes
    }

    fn catalog(&self) -> Vec<&ToolInfo> {
        self.runner.catalog()
    }

    fn is_listed(&self, tool: &ToolInfo) -> bool {
        self.runner.settings().toolsets.list(tool.toolset, tool.lean)
    }

    fn call(&self, call: Call) -> Answer<Outcome> {
        if call.is_large() {
            // Reading it takes time, which the message loop does not have; nor has it any for a
            // tool that answers at once when there is little to answer.
            let runner = self.runner.clone();
            return Box::pin(async move {
                run_on_a_worker(on_a_worker(move || runner.admit(call)).await?).await
            });
        }
        match self.runner.admit(call) {
            Ok(admitted) => Box::pin(run(admitted)),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }

    fn preview(&self, call: Call) -> Answer<Option<String>> {
        let Some(dry) = self.runner.dry(call) else {
            return Box::pin(std::future::ready(Ok(None)));
        };
        let answer = self.call(dry);
        Box::pin(async move { answer.await.map(|outcome| preview::text(&outcome.output)) })
    }

    fn has_room(&self, call: &Call) -> Result<(), ToolError> {
        self.runner.has_room(call)
    }

    fn health(&self) -> Result<Value, ToolError> {
        let health = self.runner.health();
        if !health.ready {
            return Err(ToolError::new(ErrorKind::NotReady, "no running engine is connected")
                .hint("start the editor or the game, or serve without --require-live"));
        }
        Ok(json!({
            "status": "ok",
            "ready": health.ready,
            "mode": health.mode,
            "projects": health.projects,
            "uptimeMs": u64::try_from(health.uptime.as_millis()).unwrap_or(u64::MAX),
        }))
    }

    fn resources(&self) -> Answer<Vec<ResourceInfo>> {
        let runner = self.runner.clone();
        on_a_worker(move || Ok(resources::list(&runner)))
    }

    fn templates(&self) -> &[TemplateInfo] {
        self.runner.templates()
    }

    fn read(&self, uri: String) -> Answer<ResourceText> {
        let runner = self.runner.clone();
        on_a_worker(move || resources::read(&runner, &uri))
    }

    fn prompts(&self) -> &[PromptInfo] {
        self.runner.prompts()
    }

    fn prompt(&self, name: String, values: PromptValues) -> Answer<String> {
        let runner = self.runner.clone();
        on_a_worker(move || prompts::fill(&runner, &name, &values))
    }

    fn complete(
        &self,
        of: CompletionOf<'_>,
        argument: &str,
        typed: &str,
        others: &PromptValues,
    ) -> Vec<String> {
        prompts::complete(&self.runner, of, argument, typed, others)
    }
}

pub(crate) fn on_a_worker<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Answer<T> {
    Box::pin(async move {
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|error| Err(ToolError::new(ErrorKind::Internal, error.to_string())))
    })
}
