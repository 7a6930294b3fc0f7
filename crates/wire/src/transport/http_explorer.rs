//! HTTP as Unity Explorer has it: `POST /message`, `GET /read`, and two kinds of streams.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{Html, IntoResponse, Response};
use futures_util::{StreamExt, stream};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use scenewright_contract::{Dialect, ErrorKind, Origin, ToolError};

use crate::aside;
use crate::envelope::{self, Envelope, Id, Message};
use crate::explorer::{self, Form, Said, Stream};
use crate::origin::{self, SESSION};
use crate::server::Server;
use crate::transport::bodies;
use crate::transport::http::{VERSION, json, too_many};
use crate::transport::http_connection::wants_events;

/// `POST /message`, and `POST /`.
pub(super) async fn at_message(State(server): State<Arc<Server>>, request: Request) -> Response {
    match bodies::read(&server, Dialect::Explorer, request).await {
        Ok((head, bytes)) => {
            let origin = origin::of_http(&head.headers, &head.extensions, Dialect::Explorer);
            match bytes.len() > aside::LARGE {
                true => aside::steps(|| true, message(&server, origin, bytes)).await,
                false => message(&server, origin, bytes).await,
            }
        }
        Err(response) => response,
    }
}

/// `GET /`: the page for people, events for those who ask for them.
pub(super) async fn at_root(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    page: &'static str,
) -> Response {
    if wants_events(&headers) {
        return events(&server).await;
    }
    Html(page).into_response()
}

/// `GET /read?uri=…`: the resource itself.
pub(super) async fn at_read(State(server): State<Arc<Server>>, request: Request) -> Response {
    let origin = origin::of_http(request.headers(), request.extensions(), Dialect::Explorer);
    let uri = parameter(request.uri().query().unwrap_or_default(), "uri");
    match explorer::read_resource(&server, &origin, uri).await {
        Ok((mime, text)) => ([(header::CONTENT_TYPE, mime)], text).into_response(),
        Err((status, text)) => json(status_of(status), text),
    }
}

/// Whether `GET /mcp` comes from a client of this dialect. One of standard MCP shows its session or
/// its version, or goes on with a stream that it had.
pub(super) fn is_for_explorer(server: &Server, request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::GET
        && wants_events(headers)
        && [SESSION, VERSION, "last-event-id"].iter().all(|name| !headers.contains_key(*name))
        && server.host.explorer().is_some()
}

async fn message(server: &Arc<Server>, origin: Origin, bytes: Bytes) -> Response {
    match envelope::parse(&bytes) {
        Ok(Message::Call(message)) => called(server, origin, &message, bytes.clone()).await,
        _ => answer(server, origin, bytes).await,
    }
}

/// Answer one message, or open the stream that it asks for.
pub(super) async fn called(
    server: &Arc<Server>,
    origin: Origin,
    message: &Envelope<'_>,
    bytes: Bytes,
) -> Response {
    if explorer::opens_stream(message) {
        return stream_events(server, message.id).await;
    }
    answer(server, origin, bytes).await
}

async fn answer(server: &Arc<Server>, origin: Origin, bytes: Bytes) -> Response {
    // A client that leaves does not take the others' news of its call with it.
    let large = bytes.len() > aside::LARGE;
    let answer = explorer::receive(server.clone(), origin, bytes);
    let answer = tokio::spawn(aside::steps(move || large, answer));
    match answer.await {
        Ok(said) => respond(said),
        Err(error) => {
            let error = ToolError::new(ErrorKind::Internal, error.to_string());
            respond(explorer::refuse(server, Id::Absent, &error))
        }
    }
}

fn respond(said: Said) -> Response {
    match said {
        Said::Nothing => StatusCode::ACCEPTED.into_response(),
        Said::Answer(429, text) => too_many(text),
        Said::Answer(status, text) => json(status_of(status), text),
    }
}

/// JSON lines without end, each in a chunk of its own.
async fn stream_events(server: &Server, id: Id<'_>) -> Response {
    match explorer::open(server, Form::Lines, server.shutdown.clone()).await {
        Ok((first, stream)) => {
            let body = body(first, stream, |json| [&json, &b"\n"[..]].concat().into());
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        Err(error) => turned_away(explorer::refuse(server, id, &error)),
    }
}

/// Server-Sent Events.
pub(super) async fn events(server: &Server) -> Response {
    match explorer::open(server, Form::Events, server.shutdown.clone()).await {
        Ok((first, stream)) => {
            let body = body(first, stream, |json| [b"data: ", &*json, b"\n\n"].concat().into());
            let headers =
                [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
            let mut response = (headers, body).into_response();
            // These clients read frames, not chunks; an answer of HTTP/1.0 has none.
            *response.version_mut() = Version::HTTP_10;
            response
        }
        Err(error) => turned_away(explorer::refuse(server, Id::Absent, &error)),
    }
}

/// No stream: nor is there a reason to keep the connection.
fn turned_away(said: Said) -> Response {
    let mut response = respond(said);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn body(first: Vec<Bytes>, stream: Stream, frame: fn(Bytes) -> Bytes) -> Body {
    let rest = stream::unfold(stream, |mut stream| async move {
        let next = stream.next().await?;
        Some((next, stream))
    });
    let messages = stream::iter(first).chain(rest);
    Body::from_stream(messages.map(move |message| Ok::<_, Infallible>(frame(message))))
}

fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A parameter of a query, decoded; names in any case.
fn parameter(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let (_, value) = pairs.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    Some(decode(value))
}

/// Undo percent-encoding. What is none stays as it is.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code = more.get(..2).filter(|_| *first == b'%').and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)
        });
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_and_decoded() {
        for (query, expected) in [
            ("uri=unity://status", Some("unity://status")),
            (
                "a=b&URI=unity%3A%2F%2Fsearch%3Fname%3D%C3%84%26limit%3D2",
                Some("unity://search?name=Ä&limit=2"),
            ),
            ("uri=unity://object/obj:-1?x=1", Some("unity://object/obj:-1?x=1")),
            ("uri=100%&x", Some("100%")),
            ("uri=%+1%zz%4", Some("%+1%zz%4")),
            ("uri", Some("")),
            ("", None),
        ] {
            assert_eq!(parameter(query, "uri").as_deref(), expected, "{query}");
        }
    }
}
