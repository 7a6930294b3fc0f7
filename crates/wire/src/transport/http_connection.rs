//! HTTP connections with their limits: a place for each, time for headers, an orderly end; and the
//! one guard that every request passes.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::access::Refusal;
use crate::server::Server;
use crate::transport::{self, Place};

/// After a shutdown, calls that run may take so long to finish.
const GRACE: Duration = Duration::from_secs(5);

/// Serve `router` behind the guard until the server shuts down.
pub(crate) async fn serve(server: Arc<Server>, listener: TcpListener, router: Router) {
    let router = router.layer(middleware::from_fn_with_state(server.clone(), guard));
    transport::accept(server, listener, move |server, stream, place| {
        connection(server, stream, place, router.clone())
    })
    .await;
}

async fn connection(server: Arc<Server>, mut stream: TcpStream, place: Place, router: Router) {
    if matches!(place, Place::Full) {
        let full = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
                    Content-Type: text/plain\r\nContent-Length: 28\r\n\r\nAll connections are in use.\n";
        let _ = stream.write_all(full.as_bytes()).await;
        return;
    }
    let service = TowerToHyperService::new(router);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(server.limits.header)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = server.shutdown.cancelled() => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(GRACE, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "an HTTP connection ended");
    }
}

/// Host, Origin and token, before anything else is looked at.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let place =
        server.access.check_place(text(headers, header::HOST), text(headers, header::ORIGIN));
    // The page holds no data and is where a person types the token.
    let is_page = request.method() == http::Method::GET && request.uri().path() == "/";
    let checked = place.and_then(|()| match text(headers, header::AUTHORIZATION) {
        None if is_page && !is_upgrade(headers) => Ok(()),
        authorization => server.access.check_token(authorization),
    });
    match checked {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            tracing::warn!(?refusal, host = ?headers.get(header::HOST), origin = ?headers.get(header::ORIGIN), "a request was turned away");
            refused(refusal)
        }
    }
}

fn refused(refusal: Refusal) -> Response {
    match refusal {
        Refusal::Host => {
            (StatusCode::FORBIDDEN, "Forbidden: this Host is not served here.\n").into_response()
        }
        Refusal::Origin => {
            (StatusCode::FORBIDDEN, "Forbidden: pages of this Origin may not talk to us.\n")
                .into_response()
        }
        Refusal::Token => (
            StatusCode::UNAUTHORIZED,
            [(header::WWW_AUTHENTICATE, "Bearer")],
            "Unauthorized: send the server's token as `Authorization: Bearer …`.\n",
        )
            .into_response(),
    }
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(header::UPGRADE)
}

/// A header as text; one that is no text counts as a wrong one, not as a missing one.
fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"))
}
