//! HTTP connections with their limits: a place for each, time for headers, an orderly end; and the
//! one guard that every request passes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, StatusCode, header};
use hyper::body::{Body as _, Incoming};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use scenewright_contract::Dialect;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::access::{Place, Refusal};
use crate::origin;
use crate::server::Server;
use crate::transport::seats::{Purpose, Seat, Turn};
use crate::transport::{self, bodies, cors, lost};

/// After a shutdown, calls that run may take so long to finish.
const GRACE: Duration = Duration::from_secs(5);
/// What browsers say about the page that makes them ask.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Bytes of headers, or of anything that waits to be read or written.
const MAX_BUFFER: usize = 64 << 10;
/// A client that finds no place may take so long to read that.
const LINGER: Duration = Duration::from_secs(2);

/// Serve `router` behind the guard until the server shuts down.
pub(crate) async fn serve(server: Arc<Server>, listener: TcpListener, router: Router) {
    let router = router.layer(middleware::from_fn_with_state(server.clone(), guard));
    transport::accept(server, listener, move |server, stream, seat| {
        connection(server, stream, seat, router.clone())
    })
    .await;
}

/// Serve one client over any stream.
pub(crate) async fn serve_on<S>(server: Arc<Server>, stream: S, router: Router)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let router = router.layer(middleware::from_fn_with_state(server.clone(), guard));
    converse(server, stream, None, router).await;
}

async fn connection(
    server: Arc<Server>,
    stream: TcpStream,
    seat: Option<Arc<Seat>>,
    router: Router,
) {
    match seat {
        None => {
            let _ = tokio::time::timeout(LINGER, turn_away(stream)).await;
        }
        seat => converse(server, stream, seat, router).await,
    }
}

/// Say that there is no place. What the client has sent is read as well: closing a connection with
/// something unread in it would take the answer back.
async fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    let full = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
                Content-Type: text/plain\r\nContent-Length: 28\r\n\r\nAll connections are in use.\n";
    stream.write_all(full.as_bytes()).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(())
}

async fn converse<S>(server: Arc<Server>, stream: S, seat: Option<Arc<Seat>>, router: Router)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let given = seat.clone();
    let service =
        TowerToHyperService::new(router.map_request(move |mut request: Request<Incoming>| {
            if let Some(seat) = &given {
                request.extensions_mut().insert(seat.clone());
            }
            request
        }));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(server.limits.header)
        // A stranger's headers take no more, and everything else comes and goes in pieces.
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = lost(seat.as_deref()) => return,
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

/// Who is let in; and what browsers are told, whoever it is.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = admit(&server, request, next).await;
    cors::protect(response.headers_mut());
    response
}

/// Host, Origin and token, before anything else is looked at.
async fn admit(server: &Server, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let place = Place {
        host: text(headers, header::HOST),
        origin: text(headers, header::ORIGIN),
        // A person may follow a link of another site to the page, which holds no data.
        site: text(headers, SITE).filter(|_| !is_followed_to_page(&request)),
    };
    if let Err(refusal) = server.access.check_place(place) {
        return refused(server, refusal, &request);
    }
    let told = cors::headers(server, &request);
    let token = match text(headers, header::AUTHORIZATION) {
        None if needs_no_token(&request) => Ok(()),
        authorization => server.access.check_token(authorization),
    };
    let mut response = match token {
        Ok(()) if cors::is_preflight(request.method()) => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => in_turn(request, next).await,
        Err(refusal) => refused(server, refusal, &request),
    };
    cors::add(&told, response.headers_mut());
    response
}

/// Answer a request, and know for how long its connection is needed.
async fn in_turn(request: Request, next: Next) -> Response {
    let Some(seat) = request.extensions().get::<Arc<Seat>>().cloned() else {
        return next.run(request).await;
    };
    let is_stream = request.method() == http::Method::GET && wants_events(request.headers());
    let purpose = if is_stream { Purpose::Stream } else { Purpose::Call };
    let turn = Arc::new(Turn::new(seat, purpose));
    let request = match request.body().is_end_stream() {
        true => {
            turn.begin();
            request
        }
        false => request.map(|body| bodies::beginning(body, &turn)),
    };
    next.run(request).await.map(|body: Body| bodies::keeping(body, turn))
}

/// The page holds no data and is where a person types the token; and a browser's question what it
/// may do comes before its token.
fn needs_no_token(request: &Request) -> bool {
    is_page(request) || cors::is_preflight(request.method())
}

fn is_page(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == http::Method::GET
        && request.uri().path() == "/"
        && !is_upgrade(headers)
        && !wants_events(headers)
}

/// Whether a person opens the page by a link. What a page fetches by itself is no navigation.
fn is_followed_to_page(request: &Request) -> bool {
    is_page(request) && request.headers().get(MODE).is_some_and(|mode| mode == "navigate")
}

/// Whether the client asks for Server-Sent Events.
pub(crate) fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
}

fn refused(server: &Server, refusal: Refusal, request: &Request) -> Response {
    let headers = request.headers();
    let origin = origin::of_http(headers, request.extensions(), Dialect::Mcp);
    server.host.turned_away(&origin, refusal.reason(headers.contains_key(header::AUTHORIZATION)));
    let (host, origin) = (headers.get(header::HOST), headers.get(header::ORIGIN));
    tracing::warn!(?refusal, ?host, ?origin, "a request was turned away");
    match refusal {
        Refusal::Host => {
            (StatusCode::FORBIDDEN, "Forbidden: this Host is not served here.\n").into_response()
        }
        Refusal::Origin => {
            (StatusCode::FORBIDDEN, "Forbidden: pages of this Origin may not talk to us.\n")
                .into_response()
        }
        Refusal::Site => {
            (StatusCode::FORBIDDEN, "Forbidden: pages of other sites may not ask anything here.\n")
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

/// A header as text; one that is no text, or is there twice, counts as a wrong one, not as a missing
/// one.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    let only = values.next().is_none().then(|| first.to_str().ok()).flatten();
    Some(only.unwrap_or("\u{fffd}"))
}
