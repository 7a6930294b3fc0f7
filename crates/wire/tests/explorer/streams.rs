//! "Streams & Notifications".

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use scenewright_wire::{Limits, Server, transport};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::http::{
    Connection, PATIENCE, begin, call, connect, event_name, events, post, request, stream_events,
    until,
};
use crate::world::{World, serve, serve_with};

/// The next messages in short: an event's name, or an answer's id.
async fn next(stream: &mut Connection, count: usize) -> Vec<String> {
    let mut seen = Vec::new();
    for _ in 0..count {
        let message = stream.next().await.expect("the stream goes on");
        seen.push(match message.get("id") {
            Some(id) if message.get("error").is_some() => format!("error {id}"),
            Some(id) => format!("result {id}"),
            None => event_name(&message).to_owned(),
        });
    }
    seen
}

/// "`stream_events` emits chunked JSON notifications until the client disconnects; on open it emits
/// a deterministic `scenes` snapshot notification."
#[tokio::test]
async fn a_stream_begins_with_how_things_are() {
    let world = World::new(false);
    let server = serve(&world);
    for path in ["/message", "/mcp", "/"] {
        let message = br#"{"jsonrpc":"2.0","id":1,"method":"stream_events","params":{}}"#;
        let mut stream = begin(&server, &format!("POST {path}"), &[], message).await;
        assert_eq!(stream.head.get("content-type"), Some("application/json"));
        assert_eq!(stream.head.get("transfer-encoding"), Some("chunked"));
        expect![[r#"{"jsonrpc":"2.0","method":"notification","params":{"event":"scenes","payload":{"Total":0,"Items":[]}}}"#]]
            .assert_eq(&stream.next().await.unwrap().to_string());
        assert_eq!(next(&mut stream, 1).await, ["selection"]);
        world.emit("scenes_diff", json!({ "added": ["scn:1"], "removed": [] }));
        expect![[r#"{"jsonrpc":"2.0","method":"notification","params":{"event":"scenes_diff","payload":{"added":["scn:1"],"removed":[]}}}"#]]
            .assert_eq(&stream.next().await.unwrap().to_string());
    }
}

/// "`GET /` (or `/?…`) with `Accept: text/event-stream` — Server-Sent Events channel […] `data:
/// <json>\n\n` frames until the client disconnects (no chunked encoding)."
#[tokio::test]
async fn server_sent_events_carry_the_same() {
    let world = World::new(true);
    let server = serve(&world);
    for line in ["GET /", "GET /?x=1", "GET /mcp", "GET /mcp?x=1"] {
        let mut stream = events(&server, line).await;
        assert_eq!(stream.head.status(), 200, "{line}");
        assert_eq!(stream.head.get("content-type"), Some("text/event-stream"));
        assert_eq!(stream.head.get("cache-control"), Some("no-cache"));
        assert_eq!(stream.head.get("transfer-encoding"), None);
        assert_eq!(stream.head.get("content-length"), None);
        world.emit("log", json!({ "level": "info", "message": "Ä\nb", "t": 1 }));
        let seen = stream.next().await.unwrap();
        assert_eq!(seen["params"]["payload"]["message"], "Ä\nb", "{line}");
        post(&server, r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#).await;
        assert_eq!(
            stream.next().await.unwrap(),
            json!({ "jsonrpc": "2.0", "id": "p", "result": {} })
        );
    }
}

/// "`tool_result`: …" and "JSON-RPC results and errors for other requests are also mirrored onto the
/// stream", in the order: what the tool did, the answer, `tool_result`, and only then the answer
/// itself.
#[tokio::test]
async fn calls_are_seen_by_all_in_one_order() {
    let world = World::new(true);
    let server = serve(&world);
    let mut lines = stream_events(&server).await;
    next(&mut lines, 2).await;
    let mut frames = events(&server, "GET /").await;
    let answer = call(&server, "setactive", "{}").await;
    for stream in [&mut lines, &mut frames] {
        assert_eq!(next(stream, 2).await, ["selection", "log"]);
        assert_eq!(stream.next().await.unwrap(), answer.json());
        let done = stream.next().await.unwrap();
        assert_eq!(event_name(&done), "tool_result");
        let payload = json!({ "name": "setactive", "ok": true, "result": { "ok": true } });
        assert_eq!(done["params"]["payload"], payload);
    }
    let answer = call(&server, "Fail", r#"{"kind":"engine_error"}"#).await;
    for stream in [&mut lines, &mut frames] {
        assert_eq!(next(stream, 1).await, ["log"]);
        assert_eq!(stream.next().await.unwrap(), answer.json());
        let failed = stream.next().await.unwrap();
        let payload = json!({ "name": "Fail", "ok": false, "error": answer.json()["error"] });
        assert_eq!(failed["params"]["payload"], payload);
    }
    // A write that was refused is an answer, but no success.
    call(&server, "Refuse", "{}").await;
    for stream in [&mut lines, &mut frames] {
        assert_eq!(next(stream, 2).await, ["log", "result 1"]);
        let error = json!({ "code": -32004, "message": "Not found", "data": { "kind": "NotFound", "hint": null } });
        let payload = json!({ "name": "Refuse", "ok": false, "error": error });
        assert_eq!(stream.next().await.unwrap()["params"]["payload"], payload);
    }
    post(&server, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    post(&server, r#"{"jsonrpc":"2.0","id":9,"method":"nope"}"#).await;
    assert_eq!(next(&mut lines, 2).await, ["log", "error 9"]);
}

/// "mirrored onto the stream for connected clients": of this dialect. What standard MCP is told
/// stays in its sessions, and nothing of this goes there.
#[tokio::test]
async fn standard_sessions_neither_show_nor_see_any_of_it() {
    let server = serve(&World::new(false));
    let mut stream = events(&server, "GET /mcp").await;
    let initialize = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let opened = begin(&server, "POST /mcp", &[], initialize).await;
    assert_eq!(opened.head.status(), 200);
    let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(begin(&server, "POST /mcp", &[], list).await.head.status(), 200);

    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    tokio::spawn(scenewright_wire::transport::stdio::serve_on(server.clone(), input, output));
    ours.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await.unwrap();
    let mut buffer = vec![0; 4096];
    let read = ours.read(&mut buffer).await.unwrap();
    assert_eq!(&buffer[..read], b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");

    call(&server, "GetStatus", "{}").await;
    assert_eq!(next(&mut stream, 2).await, ["result 1", "tool_result"]);
    let more = tokio::time::timeout(Duration::from_millis(50), ours.read(&mut buffer)).await;
    assert!(more.is_err(), "nothing is sent there");
}

/// "Disconnects clean up their slots."
#[tokio::test]
async fn a_closed_stream_is_gone_at_once() {
    let world = World::new(false);
    let server = serve_with(&world, None, Limits { streams: 1, ..Limits::default() });
    for _ in 0..3 {
        let mut stream = stream_events(&server).await;
        assert!(world.is_heard());
        let refused = events(&server, "GET /").await;
        assert_eq!(refused.head.status(), 429);
        assert_eq!(refused.head.get("connection"), Some("close"));
        // Who is refused is in the log; it is no answer that others could learn from.
        post(&server, r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#).await;
        let seen = next(&mut stream, 4).await;
        assert_eq!(seen, ["scenes", "selection", "log", "result \"p\""]);
        drop(stream);
        until(async || !world.is_heard()).await;
    }
}

/// "HTTP connection stays open until client closes": or until the server ends.
#[tokio::test]
async fn streams_end_with_the_server() {
    let server = serve(&World::new(false));
    let mut stream = stream_events(&server).await;
    next(&mut stream, 2).await;
    let mut frames = events(&server, "GET /").await;
    server.shut_down();
    assert_eq!(stream.next().await, None);
    assert_eq!(frames.next().await, None);
}

/// A stream whose client does not read, with no room for anything on the way.
async fn stopped(server: &Arc<Server>) -> tokio::io::DuplexStream {
    let mut stream = connect(server, 64);
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"stream_events"}"#;
    stream.write_all(request("POST /message", &[], message).as_bytes()).await.unwrap();
    stream.write_all(message).await.unwrap();
    stream
}

/// A queue of 256 for each stream: a client that stops reading loses its oldest messages and holds
/// up nobody.
#[tokio::test]
async fn a_client_that_stopped_reading_holds_up_nobody() {
    let world = World::new(false);
    let server = serve(&world);
    let mut stuck = stopped(&server).await;
    until(async || world.is_heard()).await;
    let mut other = stream_events(&server).await;
    next(&mut other, 2).await;
    for number in 0..20_000 {
        world.emit("tick", json!(number));
        if number % 100 == 99 {
            let last = loop {
                let message = other.next().await.unwrap();
                if event_name(&message) == "tick" && message["params"]["payload"] == json!(number) {
                    break message;
                }
            };
            assert_eq!(event_name(&last), "tick");
        }
    }
    assert_eq!(
        world.lines(),
        ["[MCP] http stream 1 backpressure: dropped 1 pending message(s) (limit 256)."],
        "once for the whole time"
    );
    assert_eq!(call(&server, "GetStatus", "{}").await.status, 200);
    // When it reads on, it gets what it began with, then the newest.
    let ticks = read_ticks(&mut stuck, 19_999).await;
    assert!(ticks.len() < 400, "{} were kept", ticks.len());
    assert!(ticks.is_sorted() && ticks.ends_with(&[19_998, 19_999]), "{ticks:?}");
}

/// The numbers of the ticks up to `last`.
async fn read_ticks(stream: &mut tokio::io::DuplexStream, last: u64) -> Vec<u64> {
    let mut text = String::new();
    let end = format!(r#""payload":{last}}}"#);
    let read = async {
        let mut buffer = vec![0; 4096];
        while !text.contains(&end) {
            let count = stream.read(&mut buffer).await.unwrap();
            text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("all in time");
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message["params"]["payload"].as_u64())
        .collect()
}

/// One warning for each time that it happens.
#[tokio::test]
async fn each_overload_has_its_warning() {
    let world = World::new(false);
    let server = serve(&world);
    let mut stuck = stopped(&server).await;
    until(async || world.is_heard()).await;
    for round in 1..=3 {
        for number in 0..1000 {
            world.emit("tick", json!(round * 1000 + number));
            tokio::task::yield_now().await;
        }
        until(async || world.lines().len() == usize::try_from(round).unwrap()).await;
        read_ticks(&mut stuck, round * 1000 + 999).await;
        // Its queue is empty now.
        world.emit("tick", json!(round));
        read_ticks(&mut stuck, round).await;
    }
    assert_eq!(world.lines().len(), 3);
}

/// Of a thousand streams the first are served, and the rest are told why not.
#[tokio::test]
async fn a_thousand_streams_are_all_answered() {
    let world = World::new(false);
    let server = serve(&world);
    let (mut open, mut refused) = (Vec::new(), 0);
    for number in 0..1000 {
        let stream = match number % 2 {
            0 => events(&server, "GET /").await,
            _ => {
                let message = br#"{"jsonrpc":"2.0","id":5,"method":"stream_events"}"#;
                begin(&server, "POST /message", &[], message).await
            }
        };
        match stream.head.status() {
            200 => open.push(stream),
            429 => refused += 1,
            status => panic!("{status}"),
        }
    }
    assert_eq!((open.len(), refused), (128, 872));
    let text = "[MCP] error -32005: Cannot have more than 128 parallel streams. Please slow down.";
    assert!(world.lines().iter().all(|line| line == text || line.contains("backpressure")));
    assert_eq!(call(&server, "GetStatus", "{}").await.status, 200);
    for stream in &mut open {
        while event_name_of(stream.next().await) != "tool_result" {}
    }
    drop(open);
    until(async || !world.is_heard()).await;
    assert_eq!(stream_events(&server).await.head.status(), 200);
}

/// The same at once and over sockets: there are places for 256 connections, and those who find none
/// are told so as well.
#[tokio::test]
async fn three_hundred_streams_at_once_are_all_answered_over_sockets() {
    let server = serve(&World::new(false));
    let listener = transport::bind(&server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(transport::http::serve(server.clone(), listener, "page"));
    let message = br#"{"jsonrpc":"2.0","id":5,"method":"stream_events"}"#;
    let mut opening = tokio::task::JoinSet::new();
    for _ in 0..300 {
        opening.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let head = request("POST /message", &[], message);
            // Who is turned away at the door may be so before this is written.
            let _ = stream.write_all(&[head.as_bytes(), message].concat()).await;
            let mut start = [0; 12];
            tokio::time::timeout(PATIENCE, stream.read_exact(&mut start)).await.unwrap().unwrap();
            (String::from_utf8_lossy(&start).into_owned(), stream)
        });
    }
    let answers = opening.join_all().await;
    let count = |status: &str| answers.iter().filter(|(start, _)| start.ends_with(status)).count();
    assert_eq!(count(" 200"), 128);
    assert_eq!(count(" 429") + count(" 503"), 172);
}

fn event_name_of(message: Option<Value>) -> String {
    let message = message.expect("the stream goes on");
    message["params"]["event"].as_str().unwrap_or_default().to_owned()
}
