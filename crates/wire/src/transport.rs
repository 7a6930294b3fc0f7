//! Moving messages: each transport reads and writes whole messages and knows no meaning.

mod cors;
pub mod http;
mod http_connection;
mod http_explorer;
mod lines;
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

/// Take connections until the server shuts down; each gets a place or is turned away.
pub(crate) async fn accept<F>(
    server: Arc<Server>,
    listener: TcpListener,
    serve: impl Fn(Arc<Server>, tokio::net::TcpStream, Place) -> F,
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
            Ok((stream, _)) => {
                // Without this every small answer waits for the client's delayed acknowledgement.
                let _ = stream.set_nodelay(true);
                let place = match server.connections.clone().try_acquire_owned() {
                    Ok(permit) => Place::Taken(permit),
                    Err(_) => Place::Full,
                };
                tasks.spawn(serve(server.clone(), stream, place));
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

/// Whether a connection has a place among the allowed number.
pub(crate) enum Place {
    /// It has, until this is dropped.
    Taken(#[expect(dead_code, reason = "held for its drop")] tokio::sync::OwnedSemaphorePermit),
    /// All places are taken.
    Full,
}
