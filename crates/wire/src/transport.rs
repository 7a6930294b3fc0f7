//! Moving messages: each transport reads and writes whole messages and knows no meaning.

mod bodies;
mod cors;
pub mod http;
mod http_connection;
mod http_explorer;
mod lines;
mod mcp_sessions;
pub(crate) mod seats;
pub mod stdio;
pub mod tcp;
pub mod websocket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;

use crate::server::Server;
use seats::Seat;

/// Bind a listener, if the rules let us.
pub async fn bind(server: &Server, address: SocketAddr) -> io::Result<TcpListener> {
    if !server.access.may_bind(address) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "{address} can be reached from other machines; that needs --token or --token-file"
            ),
        ));
    }
    TcpListener::bind(address).await
}

/// Take connections until the server shuts down; each gets a place, or is turned away when there is
/// none.
pub(crate) async fn accept<F>(
    server: Arc<Server>,
    listener: TcpListener,
    serve: impl Fn(Arc<Server>, tokio::net::TcpStream, Option<Arc<Seat>>) -> F + Clone + Send + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let tasks = tokio_util::task::TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = server.shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Without this every small answer waits for the client's delayed acknowledgement.
                let _ = stream.set_nodelay(true);
                let (server, serve) = (server.clone(), serve.clone());
                tasks.spawn(async move {
                    let seat = server.seats.find(peer).await;
                    serve(server, stream, seat).await;
                });
            }
            Err(error) => {
                // Out of file descriptors, for one: it passes, but not by trying at once.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    tasks.close();
    tasks.wait().await;
}

/// When a connection was last heard of. Cheaper than a timer for every message.
pub(crate) struct LastHeard {
    since: Instant,
    millis: AtomicU64,
}

impl LastHeard {
    pub(crate) fn now() -> Self {
        Self { since: Instant::now(), millis: AtomicU64::new(0) }
    }

    /// It was heard just now.
    pub(crate) fn touch(&self) {
        let millis = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.millis.store(millis, Ordering::Relaxed);
    }

    /// It need not be heard again: it is there to listen.
    pub(crate) fn keep(&self) {
        self.millis.store(u64::MAX, Ordering::Relaxed);
    }

    fn silence(&self) -> Duration {
        let last = Duration::from_millis(self.millis.load(Ordering::Relaxed));
        self.since.elapsed().saturating_sub(last)
    }
}

/// Wait until the server shuts down or the connection has been silent for too long.
pub(crate) async fn end_of(server: &Server, last: &LastHeard) {
    let idle = server.limits.idle;
    loop {
        let left = idle.saturating_sub(last.silence());
        if left.is_zero() {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(left) => {}
            () = server.shutdown.cancelled() => return,
        }
    }
}

/// Wait until the place of a connection is given to another; without one there is nothing to lose.
pub(crate) async fn lost(seat: Option<&Seat>) {
    match seat {
        Some(seat) => seat.lost().await,
        None => std::future::pending().await,
    }
}
