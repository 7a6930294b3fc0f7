//! Moving messages: each transport reads and writes whole messages and knows no meaning.

pub mod http;
mod http_connection;
mod lines;
pub mod stdio;
pub mod tcp;
pub mod websocket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

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
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    }
    tasks.close();
    tasks.wait().await;
}

/// Whether a connection has a place among the allowed number.
pub(crate) enum Place {
    /// It has, until this is dropped.
    Taken(#[expect(dead_code, reason = "held for its drop")] tokio::sync::OwnedSemaphorePermit),
    /// All places are taken.
    Full,
}
