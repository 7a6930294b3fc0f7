//! HTTP bodies: read whole within their time, and watched for their end.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::{Body as _, Frame, SizeHint};
use scenewright_contract::echo::brief;
use scenewright_contract::{Dialect, ErrorKind, ToolError};
use tokio::time::Instant;

use crate::reply::{self, ReplyId};
use crate::server::{Limits, Server};
use crate::transport::http::json;
use crate::transport::seats::Turn;

/// What is left of a body that was refused is taken for so long, so that the client reads why.
const LINGER: Duration = Duration::from_secs(2);

/// A request with its whole body, or how `dialect` says that there is none.
pub(super) async fn read(
    server: &Server,
    dialect: Dialect,
    request: Request,
) -> Result<(Parts, Bytes), Response> {
    let (head, body) = request.into_parts();
    let bytes = read_whole(server, dialect, &head, body).await?;
    Ok((head, bytes))
}

async fn read_whole(
    server: &Server,
    dialect: Dialect,
    head: &Parts,
    mut body: Body,
) -> Result<Bytes, Response> {
    let limits = &server.limits;
    if let Some(error) = encoded(&head.headers) {
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, dialect, &error, Some(body)));
    }
    // A length that is announced needs no reading; nor is the client told to go on then.
    if body.size_hint().lower() > limits.message as u64 {
        // Nor is there anything to take from one who waits for that.
        let rest = (!head.headers.contains_key(header::EXPECT)).then_some(body);
        return Err(too_large(limits, dialect, rest));
    }
    let begun = Instant::now();
    let mut whole = BytesMut::new();
    loop {
        let frame = match tokio::time::timeout_at(
            begun + time_for(limits, whole.len()),
            body.frame(),
        )
        .await
        {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(_))) => return Err(StatusCode::BAD_REQUEST.into_response()),
            Ok(None) => return Ok(whole.freeze()),
            Err(_) => return Err(closing(StatusCode::REQUEST_TIMEOUT.into_response())),
        };
        let Ok(piece) = frame.into_data() else { continue };
        if whole.len() + piece.len() > limits.message {
            return Err(too_large(limits, dialect, Some(body)));
        }
        if whole.is_empty() && body.is_end_stream() {
            // Most come in one piece, which need not be copied.
            return Ok(piece);
        }
        whole.extend_from_slice(&piece);
    }
}

/// The time that a body of which so much has come may take.
fn time_for(limits: &Limits, received: usize) -> Duration {
    let rate = limits.body_rate.max(1);
    limits.body + Duration::from_secs_f64(received as f64 / rate as f64)
}

fn too_large(limits: &Limits, dialect: Dialect, rest: Option<Body>) -> Response {
    let most = limits.message;
    let error = ToolError::new(
        ErrorKind::InvalidRequest,
        format!("Invalid request: a body is over the limit of {most} bytes"),
    );
    refused(StatusCode::PAYLOAD_TOO_LARGE, dialect, &error, rest)
}

/// What is wrong with a body that is not written as it is meant. It is not decoded here, and bytes
/// that mean something else to whoever else reads them are no message.
fn encoded(headers: &HeaderMap) -> Option<ToolError> {
    let mut all = headers.get_all(header::CONTENT_ENCODING).iter();
    let encoding = all.find(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))?;
    let encoding = String::from_utf8_lossy(encoding.as_bytes());
    let problem =
        format!("Invalid request: the Content-Encoding `{}` is not taken", brief(&encoding));
    Some(ToolError::new(ErrorKind::InvalidRequest, problem).hint("send the body as plain JSON"))
}

fn refused(
    status: StatusCode,
    dialect: Dialect,
    error: &ToolError,
    rest: Option<Body>,
) -> Response {
    let text = reply::failure(ReplyId::Null, dialect, error);
    // Closing a connection with something unread in it would take the answer back.
    if let Some(mut rest) = rest {
        tokio::spawn(tokio::time::timeout(LINGER, async move {
            while let Some(Ok(_)) = rest.frame().await {}
        }));
    }
    closing(json(status, text))
}

fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The body of a request, whose turn begins when it has ended.
pub(super) fn beginning(body: Body, turn: &Arc<Turn>) -> Body {
    let turn = turn.clone();
    Body::new(Watched { body, at_end: move || turn.begin() })
}

/// The body of an answer, with something that is kept for as long as it is read.
pub(super) fn keeping<K: Send + Unpin + 'static>(body: Body, kept: K) -> Body {
    Body::new(Watched {
        body,
        at_end: move || {
            let _ = &kept;
        },
    })
}

struct Watched<E> {
    body: Body,
    at_end: E,
}

impl<E: Fn() + Unpin> hyper::body::Body for Watched<E> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            (self.at_end)();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
