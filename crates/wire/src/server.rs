//! What every connection of one server shares.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::explorer;
use crate::host::{Changes, Host};
use crate::mcp;
use crate::transport::seats::Seats;

/// One server: the host behind it and the rules in front of it.
pub struct Server {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    pub(crate) mcp: Arc<mcp::Shared>,
    pub(crate) explorer: explorer::Shared,
    pub(crate) seats: Arc<Seats>,
    pub(crate) shutdown: CancellationToken,
}

/// Hard limits of the transports.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest line, frame, body or WebSocket message, in bytes.
    pub message: usize,
    /// Connections at once, over all listeners. When all are taken, the one that has been idle for
    /// longest makes room for the next.
    pub connections: usize,
    /// The time a client has to send the head of an HTTP request.
    pub header: Duration,
    /// The time a client has to send a body, beside what its length takes.
    pub body: Duration,
    /// The bytes of a body that must come in each further second.
    pub body_rate: usize,
    /// The time after which a silent connection is closed.
    pub idle: Duration,
    /// MCP sessions at once. When there are as many, the one that has been idle for longest ends.
    pub sessions: usize,
    /// The time after which an MCP session that nobody uses ends.
    pub session_idle: Duration,
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
            body: Duration::from_secs(10),
            body_rate: 64 * 1024,
            idle: Duration::from_secs(600),
            sessions: 256,
            session_idle: Duration::from_secs(30 * 60),
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
            seats: Seats::new(limits.connections),
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
