//! WebSocket, one message per text frame. The listener of its own speaks EditorMCP, as that
//! product's does on 27182; the subprotocol `mcp` asks for standard MCP.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use scenewright_contract::{Dialect, Listener};
use tokio::net::TcpListener;

use crate::dialect::Choice;
use crate::server::Server;
use crate::session::{Flow, Session};
use crate::transport::seats::Seat;
use crate::transport::{LastHeard, end_of, http_connection, lost};

/// Serve WebSocket clients, whatever the path, until the server shuts down.
pub async fn serve(server: Arc<Server>, listener: TcpListener) {
    let router = Router::new().fallback(any(upgrade)).with_state(server.clone());
    http_connection::serve(server, listener, router).await;
}

/// Turn a request into a WebSocket conversation.
pub(crate) async fn upgrade(
    State(server): State<Arc<Server>>,
    seat: Option<Extension<Arc<Seat>>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        let text =
            "This is a WebSocket endpoint; POST /editormcp takes the same messages over HTTP.\n";
        return (http::StatusCode::UPGRADE_REQUIRED, text).into_response();
    };
    let most = server.limits.message;
    let upgrade =
        upgrade.max_message_size(most).max_frame_size(most).protocols(["mcp", "editormcp"]);
    let choice = match upgrade.selected_protocol().and_then(|name| name.to_str().ok()) {
        Some("mcp") => Choice::Fixed(Dialect::Mcp),
        Some(_) => Choice::Fixed(Dialect::Editor),
        None => Choice::Open(Dialect::Editor),
    };
    let seat = seat.map(|Extension(seat)| seat);
    upgrade.on_upgrade(move |socket| conversation(server, socket, choice, seat))
}

async fn conversation(
    server: Arc<Server>,
    socket: WebSocket,
    choice: Choice,
    seat: Option<Arc<Seat>>,
) {
    let (mut session, mut answers) = Session::new(server.clone(), Listener::WebSocket, choice);
    session.sit(seat.clone());
    let (mut output, mut input) = socket.split();
    let writer = tokio::spawn(async move {
        while let Some(answer) = answers.recv().await {
            if output.send(text(answer)).await.is_err() {
                return;
            }
        }
        let _ = output.send(Message::Close(None)).await;
    });
    let last = LastHeard::now();
    let end = end_of(&server, &last);
    tokio::pin!(end);
    loop {
        let message = tokio::select! {
            message = input.next() => message,
            () = &mut end => None,
            () = lost(seat.as_deref()) => None,
        };
        last.touch();
        let flow = match message {
            Some(Ok(Message::Text(text))) => session.receive(text.as_bytes()).await,
            Some(Ok(Message::Binary(bytes))) => session.receive(&bytes).await,
            // Pings are answered by the library.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Flow::Continue,
            Some(Ok(Message::Close(_)) | Err(_)) | None => Flow::Close,
        };
        if session.is_streaming() {
            last.keep();
        }
        if flow == Flow::Close {
            break;
        }
    }
    session.finish().await;
    let _ = writer.await;
}

fn text(answer: Bytes) -> Message {
    match Utf8Bytes::try_from(answer) {
        Ok(text) => Message::Text(text),
        Err(_) => Message::Text(Utf8Bytes::from_static("{}")),
    }
}
