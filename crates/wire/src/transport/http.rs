//! HTTP: `/mcp` for standard MCP (and whoever else shows up there), `/editormcp` for EditorMCP, and
//! the paths of Unity Explorer (`http_explorer`).

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use futures_util::TryStreamExt;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use scenewright_contract::echo::brief;
use scenewright_contract::{
    Call, Dialect, ErrorKind, JsonMap, Listener, Origin, Reserved, ToolError,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::aside;
use crate::dialect::Choice;
use crate::envelope::{self, Broken, Envelope, Id, Message};
use crate::mcp::weight::Weight;
use crate::mcp::{self, Handler, LogLevel, WantsData, raw_id};
use crate::origin::{self, SESSION};
use crate::reply::{self, ReplyId};
use crate::server::Server;
use crate::session::Session;
use crate::transport::mcp_sessions::McpSessions;
use crate::transport::seats::Purpose;
use crate::transport::{bodies, http_connection, http_explorer, websocket};
use crate::{editor, framed};

pub(crate) const VERSION: &str = "mcp-protocol-version";
/// What a client must accept for `rmcp` to answer it; many do not say.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Serve HTTP clients until the server shuts down. `page` is what a browser sees at `/`.
pub async fn serve(server: Arc<Server>, listener: TcpListener, page: &'static str) {
    http_connection::serve(server.clone(), listener, router(server, page)).await;
}

/// Serve one client over any stream.
pub async fn serve_on<S>(server: Arc<Server>, stream: S, page: &'static str)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    http_connection::serve_on(server.clone(), stream, router(server, page)).await;
}

fn router(server: Arc<Server>, page: &'static str) -> Router {
    let routes = Arc::new(Routes::new(server.clone()));
    let root = get(move |server, headers| http_explorer::at_root(server, headers, page))
        .post(http_explorer::at_message);
    Router::new()
        .route("/mcp", any(at_mcp))
        .with_state(routes.clone())
        .route("/", root.with_state(server.clone()))
        .route("/message", post(http_explorer::at_message).with_state(server.clone()))
        .route("/read", get(http_explorer::at_read).with_state(server.clone()))
        .route(
            "/editormcp",
            get(websocket::upgrade).with_state(server).merge(post(at_editor).with_state(routes)),
        )
}

/// What the routes share: `rmcp`'s HTTP service with sessions, and without.
struct Routes {
    server: Arc<Server>,
    sessions: McpSessions,
    with_sessions: StreamableHttpService<Handler, LocalSessionManager>,
    stateless: StreamableHttpService<Handler, NeverSessionManager>,
}

impl Routes {
    fn new(server: Arc<Server>) -> Self {
        let handler = {
            let shared = server.mcp.clone();
            let origin = Origin::new(Dialect::Mcp, Listener::Http);
            move || Ok(Handler::new(shared.clone(), origin.clone(), LogLevel::default()))
        };
        // Our guard has checked Host and Origin for every route already.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(server.limits.message)
            .with_cancellation_token(server.shutdown.clone());
        let sessions = McpSessions::new(&server.limits);
        Self {
            with_sessions: StreamableHttpService::new(
                handler.clone(),
                sessions.open.clone(),
                config.clone(),
            ),
            stateless: StreamableHttpService::new(
                handler,
                Arc::new(NeverSessionManager::default()),
                config.with_legacy_session_mode(false).with_json_response(true),
            ),
            sessions,
            server,
        }
    }
}

async fn at_mcp(State(routes): State<Arc<Routes>>, request: Request) -> Response {
    let what = if request.method() == Method::GET { Purpose::Stream } else { Purpose::Call };
    let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok());
    let held = match session {
        Some(id) => routes.sessions.hold(id, what).await,
        None => None,
    };
    let response = answer(&routes, request).await;
    match held {
        Some(held) => response.map(|body| bodies::keeping(body, held)),
        None => response,
    }
}

async fn answer(routes: &Routes, request: Request) -> Response {
    if http_explorer::is_for_explorer(&routes.server, &request) {
        return http_explorer::events(&routes.server).await;
    }
    if request.method() != Method::POST {
        return routes.with_sessions.clone().oneshot(request).await.into_response();
    }
    let (head, bytes) = match bodies::read(&routes.server, Dialect::Mcp, request).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    match bytes.len() > aside::LARGE {
        true => aside::steps(|| true, posted(routes, head, bytes)).await,
        false => posted(routes, head, bytes).await,
    }
}

/// A message to `/mcp`.
async fn posted(routes: &Routes, head: http::request::Parts, bytes: Bytes) -> Response {
    let modern = is_modern(&head.headers);
    let nobody = if modern { ReplyId::Omitted } else { ReplyId::Null };
    let fail = |id: Option<&str>, error: &ToolError| {
        let id = id.map_or(nobody, ReplyId::Token);
        json(StatusCode::BAD_REQUEST, reply::failure(id, Dialect::Mcp, error))
    };
    let message = match envelope::parse(&bytes) {
        Ok(Message::Call(message)) => message,
        Ok(Message::Answer) => {
            let request = Request::from_parts(head, Body::from(bytes));
            return forward(routes, request, true).await;
        }
        Ok(Message::Batch(_)) => return batch(routes, &head.headers, &bytes).await,
        Err(Broken { id, error }) => return fail(id, &error),
    };
    // The header is as good as a word in the message.
    let mut choice = match head.headers.contains_key(VERSION) {
        true => Choice::Fixed(Dialect::Mcp),
        false => Choice::Open(Dialect::Mcp),
    };
    match choice.choose(&message) {
        Err(error) => fail(message.id.token(), &error),
        Ok(Dialect::Mcp) => match mcp::check(&message) {
            Err(error) => fail(message.id.token(), &error),
            Ok(()) => to_mcp(routes, head, bytes.clone(), message).await,
        },
        Ok(dialect) => {
            let origin = origin::of_http(&head.headers, &head.extensions, dialect);
            match dialect {
                Dialect::Explorer => {
                    http_explorer::called(&routes.server, origin, &message, bytes.clone()).await
                }
                _ => foreign(&routes.server, origin, message).await,
            }
        }
    }
}

/// A standard MCP request, on its way to `rmcp`.
async fn to_mcp(
    routes: &Routes,
    mut head: http::request::Parts,
    bytes: Bytes,
    message: Envelope<'_>,
) -> Response {
    let id = message.id.token().map_or(ReplyId::Null, ReplyId::Token);
    let mut origin = origin::of_http(&head.headers, &head.extensions, Dialect::Mcp);
    match reserve(&routes.server, &origin, &message) {
        Ok(place) => origin.place = place,
        Err(error) => return too_many(reply::failure(id, Dialect::Mcp, &error)),
    }
    // The handler finds it there.
    head.extensions.insert(origin.place.clone());
    let asks_for_data = asks_for_data(head.uri.query());
    if asks_for_data {
        head.extensions.insert(WantsData);
    }
    let mcp = &routes.server.mcp;
    if let Some((status, answer)) =
        mcp::answer_single(mcp, &origin, &head.headers, asks_for_data, &message).await
    {
        return json(status, answer);
    }
    let initialize = message.method == "initialize";
    if initialize && !routes.sessions.make_room().await {
        let error = ToolError::new(ErrorKind::RateLimited, "too many sessions are in use")
            .hint("close one with DELETE, or use protocol 2026-07-28, which needs none");
        return too_many(reply::failure(id, Dialect::Mcp, &error));
    }
    let batches = initialize && mcp::requested_version(&message) == Some("2025-03-26");
    let rewritten = raw_id::rewrite(&bytes, &message).ok().flatten();
    let marked = if rewritten.is_some() { Marked::Yes } else { Marked::No };
    // Clients of the handshake versions that send no session are served without one.
    let with_session =
        (initialize && !is_modern(&head.headers)) || head.headers.contains_key(SESSION);
    head.headers.insert(header::ACCEPT, ACCEPTED);
    head.headers
        .entry(header::CONTENT_TYPE)
        .or_insert(HeaderValue::from_static("application/json"));
    head.headers.remove(header::CONTENT_LENGTH);
    // A tool may close its own stream, so that the client resumes it later (SSE polling).
    head.extensions.insert(routes.sessions.open.clone());
    let weight = Weight::default();
    head.extensions.insert(weight.clone());
    let body = rewritten.map_or(bytes, Bytes::from);
    let request = Request::from_parts(head, Body::from(body));
    // `rmcp` writes the answer here, or in the steps of its body.
    let answer = forward(routes, request, with_session);
    let response = aside::steps(|| weight.get() > aside::LARGE, answer).await;
    if initialize
        && let Some(session) = response.headers().get(SESSION).and_then(|id| id.to_str().ok())
    {
        // It is used for the first time.
        let _held = routes.sessions.hold(session, Purpose::Call).await;
        if batches {
            routes.sessions.allow_batches(session);
        }
    }
    match (&*message.method, marked) {
        ("tools/call", _) | (_, Marked::Yes) => mend(response, marked, weight).await,
        _ => response,
    }
}

async fn forward(routes: &Routes, request: Request, with_session: bool) -> Response {
    if with_session {
        routes.with_sessions.clone().oneshot(request).await.into_response()
    } else {
        routes.stateless.clone().oneshot(request).await.into_response()
    }
}

/// A batch runs as a conversation of its own in memory, and only for sessions that agreed on it.
async fn batch(routes: &Routes, headers: &HeaderMap, bytes: &[u8]) -> Response {
    let allowed = match headers.get(SESSION).and_then(|id| id.to_str().ok()) {
        Some(id) => routes.sessions.may_send_batches(id).await,
        None => false,
    };
    let choice = Choice::Open(Dialect::Mcp);
    let (mut session, mut answers) = Session::new(routes.server.clone(), Listener::Http, choice);
    if allowed {
        session.allow_batches();
    }
    session.receive(bytes).await;
    let finished = tokio::spawn(session.finish());
    let mut answer = answers.recv().await;
    // What tools report on the way has no place in a batch's answer.
    while allowed && answer.as_ref().is_some_and(|answer| !answer.starts_with(b"[")) {
        answer = answers.recv().await;
    }
    let _ = finished.await;
    match answer {
        Some(answer) if allowed => json(StatusCode::OK, answer),
        Some(answer) => json(StatusCode::BAD_REQUEST, answer),
        None => StatusCode::ACCEPTED.into_response(),
    }
}

async fn at_editor(State(routes): State<Arc<Routes>>, request: Request) -> Response {
    let (head, bytes) = match bodies::read(&routes.server, Dialect::Editor, request).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    let origin = origin::of_http(&head.headers, &head.extensions, Dialect::Editor);
    match bytes.len() > aside::LARGE {
        true => aside::steps(|| true, posted_to_editor(&routes, origin, bytes)).await,
        false => posted_to_editor(&routes, origin, bytes).await,
    }
}

/// A message to `/editormcp`.
async fn posted_to_editor(routes: &Routes, origin: Origin, bytes: Bytes) -> Response {
    let fail = |id: Option<&str>, error: &ToolError| {
        let id = id.map_or(ReplyId::Null, ReplyId::Token);
        json(StatusCode::OK, reply::failure(id, Dialect::Editor, error))
    };
    match envelope::parse(&bytes) {
        Ok(Message::Call(message)) => match Choice::Fixed(Dialect::Editor).choose(&message) {
            Ok(_) => foreign(&routes.server, origin, message).await,
            Err(error) => fail(message.id.token(), &error),
        },
        Ok(Message::Answer) => StatusCode::ACCEPTED.into_response(),
        Ok(Message::Batch(_)) => {
            let problem = "Invalid request: batch requests are not supported; send one at a time";
            fail(None, &ToolError::new(ErrorKind::InvalidRequest, problem))
        }
        Err(Broken { id, error }) => fail(id, &error),
    }
}

/// A message of EditorMCP, or of the framed protocol's own methods.
async fn foreign(server: &Server, mut origin: Origin, message: Envelope<'_>) -> Response {
    // The token was in a header, so the gate is open.
    if origin.dialect == Dialect::Framed {
        return json(StatusCode::OK, framed::Gate::open().answer(server, &message));
    }
    let id = message.id.token().map_or(ReplyId::Null, ReplyId::Token);
    match reserve(server, &origin, &message) {
        Ok(place) => origin.place = place,
        Err(error) => return too_many(reply::failure(id, Dialect::Editor, &error)),
    }
    match editor::answer(&server.host, &origin, message).await {
        Some(text) => json(StatusCode::OK, text),
        None => StatusCode::ACCEPTED.into_response(),
    }
}

/// Whether a request takes a place among the running calls.
fn takes_place(dialect: Dialect, method: &str) -> bool {
    match dialect {
        Dialect::Editor => matches!(
            method,
            "tools/call" | "tools/list" | "tools/describe" | "tools/batchCall" | "server/info"
        ),
        _ => matches!(
            method,
            "tools/call"
                | "resources/list"
                | "resources/read"
                | "resources/subscribe"
                | "prompts/get"
                | "completion/complete"
        ),
    }
}

/// HTTP has a status for too many calls, so a place is kept before the call is read: when `rmcp`
/// has begun its answer, the status is said.
fn reserve(
    server: &Server,
    origin: &Origin,
    message: &Envelope<'_>,
) -> Result<Reserved, ToolError> {
    if !takes_place(origin.dialect, &message.method) || message.id == Id::Absent {
        return Ok(Reserved::default());
    }
    let given = |names: &[&str]| {
        let members = message.members.as_ref()?;
        members.one(names).ok().flatten().and_then(envelope::text)
    };
    let call = match &*message.method {
        "tools/call" => Call::new(given(&["name", "tool"]).unwrap_or_default(), JsonMap::new()),
        method => {
            let name = given(&["name", "uri"]).unwrap_or_default();
            let arguments = JsonMap::from_iter([("name".to_owned(), brief(&name).into())]);
            Call::new(method, arguments)
        }
    };
    server.host.reserve(&call.from(origin))
}

/// Whether the id of a request went through `rmcp` marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marked {
    Yes,
    No,
}

/// Put the id of the request back into its answer. Each message is in one piece, be it a body or an event. A large one
/// is written beside the message loop.
async fn mend(response: Response, marked: Marked, weight: Weight) -> Response {
    let mend = move |bytes: Bytes| match marked {
        Marked::No => bytes,
        Marked::Yes => raw_id::restore_anywhere(&bytes),
    };
    let size = move || weight.get();
    let (mut head, body) = response.into_parts();
    let kind = head.headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let body = match kind {
        Some(b"text/event-stream") => {
            let body = Body::new(aside::Pieces::new(size, body));
            Body::from_stream(body.into_data_stream().map_ok(mend))
        }
        // It is in memory already, and a body of known length needs no chunks.
        Some(b"application/json") => match body.collect().await {
            Ok(whole) => Body::from(aside::run(size(), || mend(whole.to_bytes()))),
            Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        _ => return Response::from_parts(head, body),
    };
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, body)
}

/// Whether an address asks for `structuredContent`: `/mcp?structured`.
fn asks_for_data(query: Option<&str>) -> bool {
    let mut pairs = query.unwrap_or_default().split('&');
    pairs.any(|pair| matches!(pair, "structured" | "structured=1" | "structured=true"))
}

fn is_modern(headers: &HeaderMap) -> bool {
    headers
        .get(VERSION)
        .and_then(|version| version.to_str().ok())
        .is_some_and(|v| v >= "2026-07-28")
}

pub(super) fn too_many(text: String) -> Response {
    let mut response = json(StatusCode::TOO_MANY_REQUESTS, text);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

pub(super) fn json(status: StatusCode, text: impl Into<Bytes>) -> Response {
    let body = Body::from(text.into());
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
