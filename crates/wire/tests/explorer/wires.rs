//! The same dialect over transports that carry whole messages: stdio lines, TCP frames, WebSocket.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use scenewright_wire::transport::{self, stdio, tcp, websocket};
use scenewright_wire::{Limits, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::http::{PATIENCE, call, event_name, until};
use crate::world::{World, serve, serve_with};

/// A client of one of them.
enum Client {
    Stdio(BufReader<DuplexStream>),
    Framed(DuplexStream),
    WebSocket(Box<WebSocketStream<TcpStream>>),
}

/// Which one.
#[derive(Debug, Clone, Copy)]
enum Over {
    Stdio,
    Framed,
    WebSocket,
}

const ALL: [Over; 3] = [Over::Stdio, Over::Framed, Over::WebSocket];

async fn connect(server: &Arc<Server>, over: Over) -> Client {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    match over {
        Over::Stdio => {
            tokio::spawn(stdio::serve_on(server.clone(), input, output));
            Client::Stdio(BufReader::new(ours))
        }
        Over::Framed => {
            tokio::spawn(tcp::serve_on(server.clone(), input, output));
            Client::Framed(ours)
        }
        Over::WebSocket => {
            let listener = transport::bind(server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(websocket::serve(server.clone(), listener));
            let stream = TcpStream::connect(address).await.unwrap();
            let socket = tokio_tungstenite::client_async(format!("ws://{address}/"), stream).await;
            Client::WebSocket(Box::new(socket.unwrap().0))
        }
    }
}

impl Client {
    async fn send(&mut self, message: &str) {
        match self {
            Self::Stdio(stream) => {
                stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
            }
            Self::Framed(stream) => {
                let length = u32::try_from(message.len()).unwrap();
                stream.write_all(&length.to_le_bytes()).await.unwrap();
                stream.write_all(message.as_bytes()).await.unwrap();
            }
            Self::WebSocket(socket) => socket.send(Message::text(message)).await.unwrap(),
        }
    }

    async fn receive(&mut self) -> Option<Value> {
        let read = async {
            match self {
                Self::Stdio(stream) => {
                    let mut line = String::new();
                    (stream.read_line(&mut line).await.unwrap() > 0).then_some(line)
                }
                Self::Framed(stream) => {
                    let length = stream.read_u32_le().await.ok()?;
                    let mut frame = vec![0; usize::try_from(length).unwrap()];
                    stream.read_exact(&mut frame).await.unwrap();
                    Some(String::from_utf8(frame).unwrap())
                }
                Self::WebSocket(socket) => match socket.next().await {
                    Some(Ok(Message::Text(text))) => Some(text.to_string()),
                    _ => None,
                },
            }
        };
        let text = tokio::time::timeout(PATIENCE, read).await.expect("an answer in time")?;
        Some(serde_json::from_str(&text).unwrap())
    }

    async fn ask(&mut self, message: &str) -> Value {
        self.send(message).await;
        self.receive().await.unwrap()
    }
}

/// Private names are evidence enough, and are remembered.
#[tokio::test]
async fn private_names_are_understood() {
    for over in ALL {
        let mut client = connect(&serve(&World::new(false)), over).await;
        let listed = client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"list_tools"}"#).await;
        assert_eq!(listed["result"]["tools"][0]["name"], "GetStatus");
        let again = client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
        assert_eq!(again, listed);
        let called = r#"{"jsonrpc":"2.0","id":2,"method":"call_tool","params":{"name":"Fail","arguments":{"kind":"denied"}}}"#;
        assert_eq!(client.ask(called).await["error"]["code"], -32003);
        let broken = client.ask("{").await;
        assert_eq!(broken["error"]["message"], "Parse error");
        let batch = client.ask("[]").await;
        assert_eq!(batch["error"]["data"]["kind"], "InvalidRequest");
        // On the WebSocket listener EditorMCP would be the default, were it not for what was seen.
        let initialize = r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let standard = client.ask(initialize).await;
        assert_eq!(standard["result"]["protocolVersion"], "2025-06-18");
    }
}

/// `stream_events` puts notifications among the messages of the connection, and nobody else's
/// answers: their ids are not this client's.
#[tokio::test]
async fn events_come_as_messages_of_the_connection() {
    let world = World::new(false);
    let server = serve(&world);
    for over in ALL {
        let mut client = connect(&server, over).await;
        let first = client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"stream_events"}"#).await;
        assert_eq!(event_name(&first), "scenes");
        assert_eq!(event_name(&client.receive().await.unwrap()), "selection");
        world.emit("tick", json!(1));
        assert_eq!(event_name(&client.receive().await.unwrap()), "tick");
        assert_eq!(call(&server, "GetStatus", "{}").await.status, 200);
        let result = client.receive().await.unwrap();
        assert_eq!(event_name(&result), "tool_result");
        assert_eq!(client.ask(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#).await["id"], 7);
        // Its own error is logged, and the log is an event.
        client.send(r#"{"jsonrpc":"2.0","id":2,"method":"stream_events"}"#).await;
        let both = [client.receive().await.unwrap(), client.receive().await.unwrap()];
        assert!(both.iter().any(|message| message["error"]["code"] == -32600), "{both:?}");
    }
}

/// Who listens may be silent for longer than others.
#[tokio::test]
async fn a_stream_is_not_idle() {
    let world = World::new(false);
    let limits = Limits { idle: Duration::from_secs(1), ..Limits::default() };
    let server = serve_with(&world, None, limits);
    for over in [Over::Framed, Over::WebSocket] {
        let mut client = connect(&server, over).await;
        client.ask(r#"{"jsonrpc":"2.0","id":1,"method":"stream_events"}"#).await;
        client.receive().await.unwrap();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        world.emit("tick", json!(1));
        assert_eq!(event_name(&client.receive().await.unwrap()), "tick");
        drop(client);
        until(async || !world.is_heard()).await;
    }
}

/// Nothing of this passes before the token, and what is refused is no news to anyone.
#[tokio::test]
async fn the_gate_is_in_front_of_streams() {
    let world = World::new(false);
    let server = serve_with(&world, Some("s3cret"), Limits::default());
    let mut client = connect(&server, Over::Framed).await;
    for (message, code) in
        [(r#"{"jsonrpc":"2.0","id":1,"method":"stream_events"}"#, 1000), ("{", -32700)]
    {
        assert_eq!(client.ask(message).await["error"]["code"], code);
    }
    assert!(!world.is_heard() && world.lines().is_empty());
}
