//! What every connection of one server shares.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::explorer;
use crate::host::{Changes, Host};
use crate::mcp;

/// One server: the host behind it and the rules in front of it.
pub struct Server {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    pub(crate) mcp: Arc<mcp::Shared>,
    pub(crate) explorer: explorer::Shared,
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) shutdown: CancellationToken,
}

/// Hard limits of the transports.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest line, frame, body or WebSocket message, in bytes.
    pub message: usize,
    /// Connections at once, over all listeners.
    pub connections: usize,
    /// The time a client has to send the head of an HTTP request.
    pub header: Duration,
    /// The time after which a silent connection is closed.
    pub idle: Duration,
    /// MCP sessions at once.
    pub sessions: usize,
    /// Event streams of the Unity Explorer interface at once; fewer than connections, so that
    /// those who only listen leave room for those who ask.
    pub streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 16 * 1024 * 1024,
            connections: 256,
            header: Duration::from_secs(10),
            idle: Duration::from_secs(600),
            sessions: 256,
            streams: 128,
        }
    }
}

impl Server {
    /// A server in front of `host`. `fixtures` adds what conformance suites look for.
    pub fn new(
        host: Arc<dyn Host>,
        changes: Changes,
        access: Access,
        limits: Limits,
        fixtures: bool,
    ) -> Arc<Self> {
        Arc::new(Self {
            mcp: mcp::Shared::new(host.clone(), changes, fixtures),
            explorer: explorer::Shared::new(limits.streams),
            host,
            access,
            limits,
            connections: Arc::new(Semaphore::new(limits.connections)),
            shutdown: CancellationToken::new(),
        })
    }

    /// Ask every listener and connection to finish.
    pub fn shut_down(&self) {
        self.shutdown.cancel();
    }

    /// Wait until someone asked for that.
    pub async fn shutting_down(&self) {
        self.shutdown.cancelled().await;
    }
}
