//! A plain HTTP client over memory: what it is sent is looked at byte by byte, and nobody needs
//! a thousand sockets.

use std::sync::Arc;
use std::time::Duration;

use scenewright_wire::Server;
use scenewright_wire::transport::http;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// No answer takes longer, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: Head,
    pub(crate) body: String,
}

/// The head of an answer.
#[derive(Debug)]
pub(crate) struct Head(String);

impl Head {
    /// The value of a header.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn status(&self) -> u16 {
        self.0.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
    }
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// A connection whose answer is being read.
pub(crate) struct Connection {
    input: BufReader<DuplexStream>,
    pub(crate) head: Head,
}

/// Open a connection with room for `buffer` bytes on the way.
pub(crate) fn connect(server: &Arc<Server>, buffer: usize) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(buffer);
    tokio::spawn(http::serve_on(server.clone(), theirs, "page"));
    ours
}

/// Send a request and read the head of its answer.
pub(crate) async fn begin(
    server: &Arc<Server>,
    line: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Connection {
    let mut stream = connect(server, 1 << 16);
    stream.write_all(request(line, headers, body).as_bytes()).await.unwrap();
    let _ = stream.write_all(body).await;
    let mut input = BufReader::new(stream);
    let head = tokio::time::timeout(PATIENCE, read_head(&mut input)).await;
    Connection { input, head: head.expect("a head in time") }
}

/// The head of a request.
pub(crate) fn request(line: &str, headers: &[(&str, &str)], body: &[u8]) -> String {
    let mut text = format!("{line} HTTP/1.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    let has = |name: &str| headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
    if !has("host") {
        text.push_str("Host: localhost\r\n");
    }
    if !has("transfer-encoding") {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text
}

async fn read_head(input: &mut BufReader<DuplexStream>) -> Head {
    let mut head = String::new();
    while input.read_line(&mut head).await.unwrap() > 2 {}
    Head(head)
}

/// Send a request and read its answer to the end.
pub(crate) async fn ask(
    server: &Arc<Server>,
    line: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let headers: Vec<_> = headers.iter().copied().chain([("Connection", "close")]).collect();
    let mut connection = begin(server, line, &headers, body).await;
    let mut body = String::new();
    let read = connection.input.read_to_string(&mut body);
    tokio::time::timeout(PATIENCE, read).await.expect("an answer in time").unwrap();
    Response { status: connection.head.status(), head: connection.head, body }
}

/// Send a message to `/message`.
pub(crate) async fn post(server: &Arc<Server>, message: &str) -> Response {
    ask(server, "POST /message", &[], message.as_bytes()).await
}

/// Call a tool there.
pub(crate) async fn call(server: &Arc<Server>, tool: &str, arguments: &str) -> Response {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"call_tool","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    );
    post(server, &message).await
}

/// Open a stream with `stream_events`.
pub(crate) async fn stream_events(server: &Arc<Server>) -> Connection {
    let message = br#"{"jsonrpc":"2.0","id":"s","method":"stream_events"}"#;
    let connection = begin(server, "POST /message", &[], message).await;
    assert_eq!(connection.head.status(), 200, "{:?}", connection.head);
    connection
}

/// Open a stream of Server-Sent Events.
pub(crate) async fn events(server: &Arc<Server>, line: &str) -> Connection {
    begin(server, line, &[("Accept", "application/json, text/event-stream")], b"").await
}

impl Connection {
    /// The next message of a stream, whichever form it has.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let chunked = self.head.get("transfer-encoding") == Some("chunked");
        let next = async { if chunked { self.chunk().await } else { self.event().await } };
        let text = tokio::time::timeout(PATIENCE, next).await.expect("a message in time")?;
        Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}")))
    }

    /// One chunk, which must be one line of JSON.
    async fn chunk(&mut self) -> Option<String> {
        let size = self.line().await?;
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        self.input.read_exact(&mut chunk).await.ok()?;
        let text = String::from_utf8(chunk).unwrap();
        let text = text.strip_suffix("\r\n").unwrap();
        if text.is_empty() {
            return None;
        }
        let line = text.strip_suffix('\n').expect("a line in each chunk");
        assert!(!line.contains('\n'), "one line in each chunk: {line}");
        Some(line.to_owned())
    }

    /// One frame, `data: …` and an empty line.
    async fn event(&mut self) -> Option<String> {
        let data = self.line().await?;
        assert_eq!(self.line().await.as_deref(), Some("\n"));
        Some(data.strip_prefix("data: ").expect("nothing but data").trim_end().to_owned())
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.input.read_line(&mut line).await.ok()? > 0).then_some(line)
    }
}

/// The name of the event in a notification.
pub(crate) fn event_name(message: &Value) -> &str {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    assert_eq!(message["method"], "notification", "{message}");
    message["params"]["event"].as_str().unwrap()
}

/// Wait until `done`, for which the server may need a moment.
pub(crate) async fn until(mut done: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("it happens in time");
}
