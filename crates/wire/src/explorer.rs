//! Unity Explorer, spec 001: the private method names of that server (`list_tools`, `call_tool`, …),
//! the standard ones as their aliases, and streams that see what happens and what others are told.

mod audit;
mod call;
mod hub;

use std::borrow::{Borrow, Cow};
use std::sync::Arc;

use bytes::Bytes;
use scenewright_contract::echo::brief;
use scenewright_contract::{Dialect, ErrorKind, Level, Listener, Origin, ToolError};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::envelope::{self, Broken, Envelope, Id, Members, Message};
use crate::errors;
use crate::host::Explorer;
use crate::listing::listing;
use crate::reply::{self, ReplyId};
use crate::server::Server;

use call::Called;
use hub::{Audience, Hub};
pub(crate) use hub::{Form, Stream};

/// Requests that may be worked on at once; spec 001 has the number in its words.
const IN_FLIGHT: usize = 32;

/// The methods that no other dialect has.
const PRIVATE: [&str; 5] =
    ["list_tools", "call_tool", "list_resources", "read_resource", "stream_events"];

/// What all clients of this dialect share.
pub(crate) struct Shared {
    hub: Arc<Hub>,
    places: Arc<Semaphore>,
}

impl Shared {
    pub(crate) fn new(streams: usize) -> Self {
        Self { hub: Hub::new(streams), places: Arc::new(Semaphore::new(IN_FLIGHT)) }
    }
}

/// What a message is answered with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Nothing: it was a notification.
    Nothing,
    /// This, and the HTTP status that goes with it.
    Answer(u16, String),
}

/// Whether `method` can only be meant for this dialect.
pub(crate) fn is_private(method: &str) -> bool {
    PRIVATE.iter().any(|name| name.eq_ignore_ascii_case(method))
}

/// Whether the message asks for a stream, which has no answer of its own.
pub(crate) fn opens_stream(message: &Envelope<'_>) -> bool {
    message.method.eq_ignore_ascii_case("stream_events")
}

/// Answer one message, and tell the streams of it. An empty one counts as `{}`.
pub(crate) async fn receive(server: Arc<Server>, origin: Origin, bytes: Bytes) -> Said {
    let text = if bytes.trim_ascii().is_empty() { b"{}" } else { &*bytes };
    let message = match read(text) {
        Ok(message) => message,
        Err((id, error)) => return settle_error(&server, id, &error),
    };
    let id = reply_id(message.id);
    if is_notification(&message) {
        return match id {
            ReplyId::Null => Said::Nothing,
            id => settle(&server, id, Ok::<_, ToolError>(json!({ "ok": true }))),
        };
    }
    let _place = match place(&server, origin.listener) {
        Ok(place) => place,
        Err(error) => return settle_error(&server, id, &error),
    };
    match method(&message) {
        "call_tool" => {
            let called = call::run(&server, &origin, &message).await;
            settle_call(&server, id, called)
        }
        method => {
            let result = answer(&server, &origin, method, &message).await;
            settle(&server, id, result)
        }
    }
}

/// Read a resource for a client that speaks no JSON-RPC: the text and its media type, or the status
/// and the error.
pub(crate) async fn read_resource(
    server: &Server,
    origin: &Origin,
    uri: Option<String>,
) -> Result<(&'static str, String), (u16, String)> {
    let read = async {
        let Some(uri) = uri.filter(|uri| !uri.trim().is_empty()) else {
            return Err(ToolError::new(ErrorKind::BadEnvelope, "missing uri")
                .hint("GET /read?uri=unity://status"));
        };
        world(server, "/read")?;
        server.host.read(address(uri)?, origin).await
    };
    read.await.map(|read| (read.mime, read.text)).map_err(|error| {
        let said = errors::explorer(&error);
        log(server, &said);
        (said.status, json!({ "error": said.to_json() }).to_string())
    })
}

/// Open a stream that lasts until `end`. First come the messages that show how things are; only
/// `stream_events` has them.
pub(crate) async fn open(
    server: &Server,
    form: Form,
    end: CancellationToken,
) -> Result<(Vec<Bytes>, Stream), ToolError> {
    let world = world(server, "stream_events")?;
    let stream = server.explorer.hub.open(&server.host, world, form, end)?;
    let first = match form {
        Form::Events => Vec::new(),
        Form::Lines | Form::Messages(_) => world.snapshot().await?,
    };
    Ok((first.iter().map(|event| hub::notification(&event.name, &event.payload)).collect(), stream))
}

/// Say that no stream could be opened. The open ones need not know.
pub(crate) fn refuse(server: &Server, id: Id<'_>, error: &ToolError) -> Said {
    let (status, text) = failure(server, reply_id(id), error);
    Said::Answer(status, text)
}

/// The world, if there is one; otherwise this dialect is not spoken here.
fn world<'a>(server: &'a Server, method: &str) -> Result<&'a dyn Explorer, ToolError> {
    server.host.explorer().ok_or_else(|| {
        no_method(method).hint("this server has no Unity world; serve a Unity project")
    })
}

type Problem<'a> = (ReplyId<'a>, ToolError);

fn read(bytes: &[u8]) -> Result<Envelope<'_>, Problem<'_>> {
    let problem = |text| ToolError::new(ErrorKind::InvalidRequest, text);
    let no_method = "Invalid request: 'method' is required.";
    let message = match envelope::parse(bytes) {
        Ok(Message::Call(message)) => message,
        Ok(Message::Answer) => return Err((ReplyId::Null, problem(no_method))),
        Ok(Message::Batch(_)) => {
            let text = "Invalid request: batch requests are not supported; send one at a time";
            return Err((ReplyId::Null, problem(text)));
        }
        Err(Broken { id, error }) => {
            let error = if has_no_method(bytes) { problem(no_method) } else { error };
            return Err((id.map_or(ReplyId::Null, ReplyId::Token), error));
        }
    };
    if message.method.trim().is_empty() {
        return Err((reply_id(message.id), problem(no_method)));
    }
    if message.id == Id::Invalid {
        let text = "Invalid request: id must be a string or a number";
        return Err((ReplyId::Null, problem(text)));
    }
    Ok(message)
}

/// Whether this is an object in which only the method is missing.
fn has_no_method(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Seen {
        method: Option<IgnoredAny>,
    }
    serde_json::from_slice::<Seen>(bytes).is_ok_and(|seen| seen.method.is_none())
}

/// In this dialect `null` is no id.
fn reply_id(id: Id<'_>) -> ReplyId<'_> {
    id.token().map_or(ReplyId::Null, ReplyId::Token)
}

fn is_notification(message: &Envelope<'_>) -> bool {
    const PREFIX: &str = "notifications/";
    message.method.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
}

/// A place among the requests that are worked on. A client on stdio has the server for itself.
fn place(server: &Server, listener: Listener) -> Result<Option<OwnedSemaphorePermit>, ToolError> {
    if listener == Listener::Stdio {
        return Ok(None);
    }
    server.explorer.places.clone().try_acquire_owned().map(Some).map_err(|_| {
        let text =
            format!("Cannot have more than {IN_FLIGHT} parallel requests. Please slow down.");
        ToolError::new(ErrorKind::RateLimited, text).hint("wait for an answer before the next one")
    })
}

/// The method by its one name: any case, and the standard names as aliases.
fn method<'a>(message: &'a Envelope<'_>) -> &'a str {
    const NAMES: [(&str, &str); 10] = [
        ("initialize", "initialize"),
        ("ping", "ping"),
        ("list_tools", "list_tools"),
        ("tools/list", "list_tools"),
        ("call_tool", "call_tool"),
        ("tools/call", "call_tool"),
        ("list_resources", "list_resources"),
        ("resources/list", "list_resources"),
        ("read_resource", "read_resource"),
        ("resources/read", "read_resource"),
    ];
    let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(&message.method));
    known.map_or(&*message.method, |(_, method)| method)
}

async fn answer(
    server: &Server,
    origin: &Origin,
    method: &str,
    message: &Envelope<'_>,
) -> Result<Value, ToolError> {
    let world = world(server, method)?;
    match method {
        "initialize" => Ok(initialize(world)),
        "ping" => Ok(json!({})),
        "list_tools" => Ok(listing(Dialect::Explorer, &world.tools())),
        "list_resources" => resources(server, origin).await,
        "read_resource" => {
            let uri = address(required(message, "uri")?)?;
            let read = server.host.read(uri, origin).await?;
            let content = json!({ "uri": read.uri, "mimeType": read.mime, "text": read.text });
            Ok(json!({ "contents": [content] }))
        }
        _ => Err(no_method(method)),
    }
}

fn no_method(method: &str) -> ToolError {
    let message = format!("Method not found: {}", brief(method));
    ToolError::new(ErrorKind::MethodNotFound, message)
}

/// The handshake. That server knows one version and negotiates none.
fn initialize(world: &dyn Explorer) -> Value {
    json!({
        "protocolVersion": "2024-11-05",
        "capabilities": {
            "tools": { "listChanged": true },
            "resources": { "listChanged": true },
            "experimental": { "streamEvents": {} },
        },
        "serverInfo": { "name": "UnityExplorer.Mcp", "version": world.version() },
        "instructions": world.instructions(),
    })
}

/// The resources of the world; families are listed as if each were one.
async fn resources(server: &Server, origin: &Origin) -> Result<Value, ToolError> {
    let entry = |uri: &str, name: &str, description: &str, mime: &str| {
        uri.starts_with("unity://").then(
            || json!({ "uri": uri, "name": name, "description": description, "mimeType": mime }),
        )
    };
    let fixed = server.host.resources(origin).await?;
    let fixed = fixed.iter().filter_map(|r| entry(&r.uri, &r.name, &r.description, r.mime));
    let families = server.host.templates().iter();
    // The first implementation lists searches without what they search for.
    let plain = |uri: &'static str| uri.strip_suffix("?query={query}").unwrap_or(uri);
    let families = families.filter_map(|t| entry(plain(t.uri), t.name, t.description, t.mime));
    Ok(json!({ "resources": fixed.chain(families).collect::<Vec<_>>() }))
}

/// A URI, as far as it must be one to be looked for.
fn address(uri: String) -> Result<String, ToolError> {
    let scheme = uri.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        let mut letters = scheme.bytes();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    match scheme.is_some_and(is_scheme) {
        true => Ok(uri),
        false => Err(ToolError::new(ErrorKind::BadEnvelope, "invalid uri")
            .hint("resources are named as in unity://status")),
    }
}

/// A parameter that is a text and not blank.
fn required(message: &Envelope<'_>, name: &str) -> Result<String, ToolError> {
    let value = params(message)?.last(name);
    value
        .and_then(envelope::text)
        .filter(|text| !text.trim().is_empty())
        .map(Cow::into_owned)
        .ok_or_else(|| bad_params(&format!("'{name}' is required.")))
}

fn params<'m, 'a>(message: &'m Envelope<'a>) -> Result<&'m Members<'a>, ToolError> {
    message.members.as_ref().ok_or_else(|| bad_params("'params' object is required."))
}

fn bad_params(problem: &str) -> ToolError {
    ToolError::new(ErrorKind::BadEnvelope, format!("Invalid params: {problem}"))
}

/// Tell the streams how a request ended, and give its answer.
fn settle(
    server: &Server,
    id: ReplyId<'_>,
    result: Result<impl Serialize, impl Borrow<ToolError>>,
) -> Said {
    let (status, text) = match result {
        Ok(result) => (200, reply::result(id, result)),
        Err(error) => failure(server, id, error.borrow()),
    };
    send(server, Audience::Mirrors, || text.clone().into());
    Said::Answer(status, text)
}

fn settle_error(server: &Server, id: ReplyId<'_>, error: &ToolError) -> Said {
    settle(server, id, Err::<Value, _>(error))
}

/// The same for a tool, whose outcome is an event, too.
fn settle_call(server: &Server, id: ReplyId<'_>, called: Called) -> Said {
    if let Some(line) = &called.audit
        && let Some(world) = server.host.explorer()
    {
        world.log(Level::Info, Some("audit"), line);
    }
    let said = settle(server, id, called.answer());
    if let Some(told) = called.told() {
        send(server, Audience::Everyone, || hub::notification("tool_result", &told));
    }
    said
}

/// An error as its answer with its status, and in the log.
fn failure(server: &Server, id: ReplyId<'_>, error: &ToolError) -> (u16, String) {
    let said = errors::explorer(error);
    log(server, &said);
    (said.status, reply::explorer(id, &said))
}

fn log(server: &Server, said: &errors::ExplorerError) {
    let Some(world) = server.host.explorer() else { return };
    let detail = said.detail.iter().map(|detail| format!(": {detail}")).collect::<String>();
    let line = format!("[MCP] error {}: {}{detail}", said.code, said.message);
    world.log(Level::Error, Some(said.kind), &line);
}

fn send(server: &Server, audience: Audience, message: impl FnOnce() -> Bytes) {
    let hub = &server.explorer.hub;
    if !hub.is_empty()
        && let Some(world) = server.host.explorer()
    {
        hub.send(world, message(), audience);
    }
}
