//! Whoever holds a place and does nothing with it keeps nobody out: connections, bodies, sessions.

use std::sync::Arc;
use std::time::Duration;

use scenewright_wire::transport::{self, tcp, websocket};
use scenewright_wire::{Limits, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::protocol::support::{Response, Setup, http_server, post, request, server};

const PING: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that comes until the connection ends.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    let _ = read.expect("the connection ends in time");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Connections that each send `text` and no more.
async fn hold(address: &str, count: usize, text: &str) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        held.push(stream);
    }
    // The server has seen all of them when it answers; a place is taken in the order of coming.
    tokio::time::sleep(Duration::from_millis(50)).await;
    held
}

async fn frames(server: &Arc<Server>) -> String {
    let listener = transport::bind(server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(tcp::serve(server.clone(), listener));
    address
}

async fn ask_framed(stream: &mut TcpStream, message: &str) -> String {
    let length = u32::try_from(message.len()).unwrap();
    stream.write_all(&length.to_le_bytes()).await.unwrap();
    stream.write_all(message.as_bytes()).await.unwrap();
    let answer = async {
        let length = stream.read_u32_le().await.unwrap();
        let mut frame = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut frame).await.unwrap();
        String::from_utf8(frame).unwrap()
    };
    tokio::time::timeout(PATIENCE, answer).await.expect("an answer in time")
}

#[tokio::test]
async fn a_body_announced_too_large_is_refused_at_once() {
    let server = server(Setup::default());
    let address = http_server(&server).await;
    for path in ["/mcp", "/editormcp", "/message"] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
             Content-Length: {}\r\n\r\n",
            17 << 20
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let text = rest(&mut stream).await;
        assert!(text.starts_with("HTTP/1.1 413 "), "{path}: {text}");
        assert!(text.contains("over the limit of 16777216 bytes"), "{path}: {text}");
    }
    // One byte of a body is no reason to wait for the others.
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{{", 17 << 20);
    stream.write_all(head.replace("Host: a", "Host: localhost").as_bytes()).await.unwrap();
    let mut begin = [0; 13];
    let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut begin)).await;
    read.expect("an answer in time").unwrap();
    assert_eq!(&begin, b"HTTP/1.1 413 ");
}

#[tokio::test]
async fn a_body_that_fits_is_still_asked_for() {
    let server = server(Setup::default());
    let address = http_server(&server).await;
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n\
         Content-Length: {}\r\n\r\n",
        PING.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut begin = [0; 25];
    stream.read_exact(&mut begin).await.unwrap();
    assert_eq!(&begin, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(PING).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn a_body_that_does_not_come_loses_its_connection() {
    let limits =
        Limits { body: Duration::from_millis(150), body_rate: 1 << 20, ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let mut slow = TcpStream::connect(&address).await.unwrap();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{\"json")
        .await
        .unwrap();
    let text = rest(&mut slow).await;
    assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
    assert_eq!(post(&address, "/mcp", &[], PING).await.status, 200);
}

#[tokio::test]
async fn a_slow_body_has_the_time_that_its_length_takes() {
    let limits = Limits { body: Duration::from_millis(500), body_rate: 1, ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let mut slow = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        PING.len()
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    // Each of these twenty bytes is worth a second more.
    slow.write_all(&PING[..20]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(700)).await;
    slow.write_all(&PING[20..]).await.unwrap();
    let text = rest(&mut slow).await;
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
}

#[tokio::test]
async fn connections_that_say_nothing_or_half_of_it_keep_nobody_out() {
    for text in [
        "",
        "POST /mcp HTTP/1.1\r\nHost: lo",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{\"json",
    ] {
        let server = server(Setup::default());
        let address = http_server(&server).await;
        let mut held = hold(&address, 256, text).await;
        for _ in 0..3 {
            assert_eq!(post(&address, "/mcp", &[], PING).await.status, 200, "{text}");
        }
        // The oldest has made room, the newest has its place.
        assert!(!rest(&mut held[0]).await.contains("503"), "{text}");
        let newest = held.last_mut().unwrap();
        let mut byte = [0];
        let quiet = tokio::time::timeout(Duration::from_millis(50), newest.read(&mut byte)).await;
        assert!(quiet.is_err(), "{text}: the newest is still there");
    }
}

#[tokio::test]
async fn a_kept_connection_that_asks_nothing_makes_room() {
    let limits = Limits { connections: 3, ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut held = hold(&address, 3, get).await;
    assert_eq!(request(&address, "GET", "/", &[], b"").await.status, 200);
    assert!(rest(&mut held[0]).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn frames_and_sockets_make_room_as_well() {
    let limits = Limits { connections: 3, ..Limits::default() };
    let server = server(Setup { limits, token: Some("s3cret"), ..Setup::default() });
    let address = frames(&server).await;
    let health = r#"{"jsonrpc":"2.0","id":1,"method":"transport.healthCheck"}"#;
    let known =
        r#"{"jsonrpc":"2.0","id":1,"method":"session.authenticate","params":{"token":"s3cret"}}"#;
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcp.health"}}"#;
    let mut friend = TcpStream::connect(&address).await.unwrap();
    assert!(ask_framed(&mut friend, known).await.contains("sessionId"));
    assert!(ask_framed(&mut friend, call).await.contains("result"));
    // Strangers take turns among themselves; who has shown the token stays.
    let mut strangers = Vec::new();
    for _ in 0..10 {
        let mut stranger = TcpStream::connect(&address).await.unwrap();
        assert!(ask_framed(&mut stranger, health).await.contains("ok"));
        strangers.push(stranger);
    }
    assert!(ask_framed(&mut friend, call).await.contains("result"));
}

#[tokio::test]
async fn a_web_socket_keeps_its_place_and_gives_it_away_when_idle() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let listener = transport::bind(&server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(websocket::serve(server.clone(), listener));
    let upgrade = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n\
                   Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    let mut held = hold(&address, 2, upgrade).await;
    let third = &mut hold(&address, 1, upgrade).await[0];
    let mut begin = [0; 12];
    third.read_exact(&mut begin).await.unwrap();
    assert_eq!(&begin, b"HTTP/1.1 101");
    assert!(rest(&mut held[0]).await.starts_with("HTTP/1.1 101 "), "the oldest has ended");
}

#[tokio::test]
async fn who_is_being_answered_keeps_the_place() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let sleep = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.sleep","arguments":{"ms":900}}}"#;
    let busy = || {
        let address = address.clone();
        tokio::spawn(async move { post(&address, "/mcp", &[], sleep.as_bytes()).await })
    };
    let calls = [busy(), busy()];
    let mut full = 0;
    for _ in 0..50 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        full = post(&address, "/mcp", &[], PING).await.status;
        if full == 503 {
            break;
        }
    }
    assert_eq!(full, 503);
    for call in calls {
        assert_eq!(call.await.unwrap().status, 200);
    }
}

async fn open_session(address: &str) -> Response {
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    post(address, "/mcp", &[], initialize.as_bytes()).await
}

fn session_of(response: &Response) -> String {
    let line = response.head.lines().find(|line| line.to_lowercase().starts_with("mcp-session-id"));
    line.and_then(|line| line.split_once(": ")).expect("a session").1.to_owned()
}

#[tokio::test]
async fn of_three_hundred_sessions_that_nobody_ended_the_last_works_and_the_used_one_stays() {
    let server = server(Setup::default());
    let address = http_server(&server).await;
    let ping = |session: String| {
        let address = address.clone();
        async move { post(&address, "/mcp", &[("Mcp-Session-Id", &session)], PING).await.status }
    };
    let [first, used] = [open_session(&address).await, open_session(&address).await];
    let (first, used) = (session_of(&first), session_of(&used));
    let mut last = String::new();
    for at in 2..300 {
        let opened = open_session(&address).await;
        assert_eq!(opened.status, 200, "session {at}: {opened:?}");
        last = session_of(&opened);
        if at % 100 == 0 {
            assert_eq!(ping(used.clone()).await, 200);
        }
    }
    assert_eq!(ping(last).await, 200);
    assert_eq!(ping(used).await, 200);
    assert_eq!(ping(first).await, 404, "the oldest has made room");
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends() {
    let limits = Limits { session_idle: Duration::from_millis(150), ..Limits::default() };
    let server = server(Setup { limits, ..Setup::default() });
    let address = http_server(&server).await;
    let session = session_of(&open_session(&address).await);
    let mut status = 0;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        status = post(&address, "/mcp", &[("Mcp-Session-Id", &session)], PING).await.status;
        if status == 404 {
            break;
        }
    }
    assert_eq!(status, 404);
}
