//! The world as the Explorer dialect sees it: its events, its log, what a stream begins with.

use std::sync::Arc;

use scenewright_contract::{Level, ToolInfo};
use scenewright_toolkit::Runner;
use scenewright_tools_explorer::HasWorld;
use scenewright_tools_explorer::world::WorldHolder;
use scenewright_wire::host::{Answer, Event};
use scenewright_wire::{Change, Changes, Explorer};
use tokio::sync::broadcast;

use crate::host::on_a_worker;

/// Events that wait for a slow stream's own queue.
const EVENTS: usize = 4096;

const INSTRUCTIONS: &str = "A Unity project's scenes as a world in memory, read from its files. \
    Objects are named obj:<instanceId>; ListObjects and SearchObjects find them. Changes stay in \
    memory, and need a server started with --allow-writes.";

const ATTACHED: &str = "A running Unity game, by its Unity Explorer host. Objects are named \
    obj:<instanceId>; ListObjects and SearchObjects find them. Changes are made in the game, and need \
    a server started with --allow-writes and a host that allows them. GetStatus tells whether the \
    host answers.";

/// The world behind a server.
pub(crate) struct WorldHost {
    runner: Arc<Runner>,
    events: broadcast::Sender<Event>,
}

impl WorldHost {
    /// The world of the first Unity project, or of a running host.
    pub(crate) fn new(runner: &Arc<Runner>, changes: &Changes) -> Self {
        let (events, _) = broadcast::channel(EVENTS);
        let sender = events.clone();
        runner.world().listen(Box::new(move |name, payload| {
            // No listener is no error.
            let _ = sender.send(Event { name: name.to_owned(), payload });
        }));
        let changes = changes.clone();
        runner.world().watch(Box::new(move |uri| changes.announce(Change::Below(uri.to_owned()))));
        Self { runner: runner.clone(), events }
    }
}

impl Explorer for WorldHost {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn instructions(&self) -> &str {
        if self.runner.world().link().is_some() { ATTACHED } else { INSTRUCTIONS }
    }

    fn tools(&self) -> Vec<&ToolInfo> {
        self.runner.explorer_tools()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn snapshot(&self) -> Answer<Vec<Event>> {
        let runner = self.runner.clone();
        on_a_worker(move || {
            let first = WorldHolder::snapshot(&runner)?.into_iter();
            Ok(first.map(|(name, payload)| Event { name: name.to_owned(), payload }).collect())
        })
    }

    fn log(&self, level: Level, category: Option<&'static str>, message: &str) {
        // The log is the host's then, and it writes the same lines itself.
        if self.runner.world().link().is_some() {
            tracing::debug!(?level, category, "{message}");
            return;
        }
        let level = match level {
            Level::Debug | Level::Info | Level::Notice => "info",
            Level::Warning => "warn",
            _ => "error",
        };
        let category = category.map(str::to_owned);
        self.runner.world().log(level, message.to_owned(), "mcp", category);
    }
}
