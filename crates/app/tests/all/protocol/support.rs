//! Transcripts: `>` is sent, `<` is what must come back, over whichever transport is named.
//!
//! In what must come back `"*"` stands for any value, and a member `"…"` for any further members.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use scenewright::host::ToolHost;
use scenewright_toolkit::{Audit, Group, Kept, Settings, Workspace, fixtures};
use scenewright_tools::{ENGINES, new_runner};
use scenewright_wire::transport::{self, stdio, tcp, websocket};
use scenewright_wire::{Access, Changes, Limits, Server, Token};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// No answer takes longer, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a test server is made of.
pub(crate) struct Setup {
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    pub(crate) token: Option<&'static str>,
    pub(crate) audit: Option<PathBuf>,
    pub(crate) groups: &'static [Group],
    /// The samples that are open.
    pub(crate) open: &'static [&'static str],
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            // Programs that ask for data, as most of these transcripts do.
            settings: Settings { structured: true, ..Settings::default() },
            limits: Limits::default(),
            token: None,
            audit: None,
            groups: fixtures::GROUPS,
            open: &["unity", "godot"],
        }
    }
}

/// The samples as they are in the repository.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

pub(crate) fn server(setup: Setup) -> Arc<Server> {
    let folders: Vec<PathBuf> = setup.open.iter().map(|name| samples().join(name)).collect();
    let workspace = Workspace::open(ENGINES, &folders, Kept::default()).unwrap();
    let audit = setup.audit.map(|path| Audit::open(&path).unwrap());
    let runner = new_runner(workspace, setup.settings, audit, setup.groups);
    let access = Access { token: setup.token.map(Token::unchecked) };
    let changes = Changes::default();
    let host = ToolHost::new(runner, &changes);
    Server::new(host, changes, access, setup.limits, false)
}

/// A way to carry messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    Stdio,
    Framed,
    WebSocket,
    /// A WebSocket that asked for the subprotocol `mcp`.
    McpSocket,
    /// A POST for each message.
    Http(&'static str),
}

/// A client on one connection.
pub(crate) enum Client {
    Stdio(BufReader<tokio::io::ReadHalf<DuplexStream>>, tokio::io::WriteHalf<DuplexStream>),
    Framed(DuplexStream),
    WebSocket(Box<WebSocketStream<TcpStream>>),
    Http(String, &'static str),
}

pub(crate) async fn connect(server: &Arc<Server>, over: Over) -> Client {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (input, output) = tokio::io::split(theirs);
    match over {
        Over::Stdio => {
            tokio::spawn(stdio::serve_on(server.clone(), input, output));
            let (input, output) = tokio::io::split(ours);
            Client::Stdio(BufReader::new(input), output)
        }
        Over::Framed => {
            tokio::spawn(tcp::serve_on(server.clone(), input, output));
            Client::Framed(ours)
        }
        Over::WebSocket => Client::WebSocket(web_socket(server, None).await),
        Over::McpSocket => Client::WebSocket(web_socket(server, Some("mcp")).await),
        Over::Http(path) => Client::Http(http_server(server).await, path),
    }
}

/// Serve HTTP on a free port; gives the address.
pub(crate) async fn http_server(server: &Arc<Server>) -> String {
    let listener = transport::bind(server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(transport::http::serve(server.clone(), listener, "page"));
    address
}

async fn web_socket(
    server: &Arc<Server>,
    protocol: Option<&str>,
) -> Box<WebSocketStream<TcpStream>> {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let listener = transport::bind(server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(websocket::serve(server.clone(), listener));
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some(protocol) = protocol {
        request.headers_mut().insert("sec-websocket-protocol", protocol.parse().unwrap());
    }
    let stream = TcpStream::connect(address).await.unwrap();
    Box::new(tokio_tungstenite::client_async(request, stream).await.unwrap().0)
}

impl Client {
    pub(crate) async fn send(&mut self, message: &str) {
        match self {
            Self::Stdio(_, output) => {
                output.write_all(format!("{message}\n").as_bytes()).await.unwrap();
            }
            Self::Framed(stream) => {
                let length = u32::try_from(message.len()).unwrap();
                stream.write_all(&length.to_le_bytes()).await.unwrap();
                stream.write_all(message.as_bytes()).await.unwrap();
            }
            Self::WebSocket(socket) => socket.send(Message::text(message)).await.unwrap(),
            Self::Http(..) => unreachable!("HTTP is asked with `ask`"),
        }
    }

    /// The next message; none when the connection has ended.
    pub(crate) async fn receive(&mut self) -> Option<String> {
        let next = async {
            match self {
                Self::Stdio(input, _) => {
                    let mut line = String::new();
                    (input.read_line(&mut line).await.unwrap() > 0)
                        .then(|| line.trim_end().to_owned())
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
                Self::Http(..) => unreachable!("HTTP is asked with `ask`"),
            }
        };
        tokio::time::timeout(PATIENCE, next).await.expect("an answer in time")
    }

    /// Send a message and take what comes back, if anything should.
    pub(crate) async fn ask(&mut self, message: &str, answered: bool) -> Option<String> {
        if let Self::Http(address, path) = self {
            let response = post(address, path, &[], message.as_bytes()).await;
            return Some(response.body).filter(|body| !body.is_empty());
        }
        self.send(message).await;
        if answered { self.receive().await } else { None }
    }
}

/// Replay a transcript on a fresh connection.
pub(crate) async fn check(server: &Arc<Server>, over: Over, transcript: &str) {
    let mut client = connect(server, over).await;
    replay(&mut client, transcript, &format!("{over:?}")).await;
}

/// Replay a transcript on this connection.
pub(crate) async fn replay(client: &mut Client, transcript: &str, place: &str) {
    let lines: Vec<&str> = transcript.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(message) = line.strip_prefix("> ") else { continue };
        let expected = lines.get(at + 1).and_then(|next| next.strip_prefix("< "));
        let actual = client.ask(message, expected.is_some()).await;
        match (expected, actual) {
            (None, None) => {}
            (Some(expected), Some(actual)) => {
                assert_like(expected, &actual, &format!("{place}: {message}"))
            }
            (expected, actual) => {
                panic!("{place}: {message}\n expected {expected:?}\n got {actual:?}")
            }
        }
    }
}

/// The id token as written and everything else as JSON.
pub(crate) fn assert_like(expected: &str, actual: &str, place: &str) {
    let want: Value =
        serde_json::from_str(expected).unwrap_or_else(|e| panic!("{place}: {e}: {expected}"));
    let got: Value =
        serde_json::from_str(actual).unwrap_or_else(|e| panic!("{place}: {e}: {actual}"));
    assert!(like(&want, &got), "{place}\n expected {want}\n      got {got}");
}

pub(crate) fn like(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::String(any), _) if any == "*" => true,
        (Value::Object(want), Value::Object(got)) => {
            let open = want.contains_key("…");
            want.iter()
                .all(|(key, value)| key == "…" || got.get(key).is_some_and(|g| like(value, g)))
                && (open || got.keys().all(|key| want.contains_key(key)))
        }
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(w, g)| like(w, g))
        }
        (want, got) => want == got,
    }
}

/// An HTTP response, read to its end.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) async fn post(
    address: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    request(address, "POST", path, headers, body).await
}

pub(crate) async fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that has seen enough may close before it has read everything.
    let _ = stream.write_all(body).await;
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    let _ = read.expect("an answer in time");
    parse_response(&String::from_utf8_lossy(&bytes))
}

fn parse_response(text: &str) -> Response {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
        unchunk(body)
    } else {
        body.to_owned()
    };
    // Of an event stream the last event is the answer.
    let body = if head.contains("text/event-stream") {
        body.lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .next_back()
            .unwrap_or("")
            .to_owned()
    } else {
        body
    };
    Response { status, head: head.to_owned(), body }
}

fn unchunk(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > rest.len() {
            break;
        }
        text.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    text
}
