//! Hosts that are slow, broken or something else: no call panics, hangs or makes up an answer.

#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ExplorerLink, JsonMap, ToolError};
use scenewright_live::explorer::{ExplorerHost, Found, News};
use serde_json::{Value, json};

/// No answer takes longer, on any machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A link to a host that treats every connection by `answer`, after it read the request.
fn link_to(answer: impl Fn(TcpStream, String) + Send + Clone + 'static) -> ExplorerHost {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            std::thread::spawn(move || {
                let mut stream = stream;
                let request = read_request(&mut stream);
                answer(stream, request);
            });
        }
    });
    let address: scenewright_live::explorer::Address = address;
    let found = Found { address, token: None };
    ExplorerHost::new(Box::new(move || Ok(found.clone())), None).unwrap()
}

/// The body of a request, as a host reads it that counts its length in bytes.
fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.to_lowercase();
            let length = length.split("content-length: ").nth(1).unwrap_or("0");
            let length: usize = length.lines().next().unwrap().parse().unwrap();
            if body.len() >= length {
                return body.to_owned();
            }
        }
        match stream.read(&mut part) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&part[..read]),
            _ => return text,
        }
    }
}

fn respond(mut stream: TcpStream, status: &str, body: &str) {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

fn call(link: &ExplorerHost, timeout: Duration) -> Result<Value, ToolError> {
    link.call("GetStatus", JsonMap::new(), timeout, &Cancel::default())
}

#[test]
fn what_answers_otherwise_is_no_host() {
    for (status, body, word) in [
        ("200 OK", "ok", "no answer of that interface (HTTP 200)"),
        ("404 Not Found", "<html>", "HTTP 404"),
        ("401 Unauthorized", "", "token"),
        ("200 OK", "[1, 2]", "HTTP 200"),
        ("200 OK", r#"{"jsonrpc":"2.0","id":1}"#, "HTTP 200"),
        (
            "400 Bad Request",
            r#"{"error":{"code":-32601,"message":"Method not found: call_tool"}}"#,
            "it does not speak that interface (Method not found: call_tool)",
        ),
    ] {
        let link = link_to(move |stream, _| respond(stream, status, body));
        let error = call(&link, PATIENCE).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady, "{body}: {error}");
        assert!(error.message.contains(word), "{body}: {error}");
        assert!(!link.status().connected, "{body}");
        assert!(link.status().problem.is_some_and(|problem| problem.contains(word)), "{body}");
    }
}

#[test]
fn connections_that_break_off_are_said() {
    let link = link_to(|stream, _| drop(stream));
    let error = call(&link, PATIENCE).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert!(error.message.contains("a change may have been made"), "{error}");
    let link = link_to(|mut stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"resu");
    });
    assert_eq!(call(&link, PATIENCE).unwrap_err().kind, ErrorKind::NotReady);
}

#[test]
fn an_answer_without_end_is_cut() {
    let link = link_to(|mut stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        let part = vec![b' '; 1 << 20];
        while stream.write_all(&part).is_ok() {}
    });
    let error = call(&link, PATIENCE).unwrap_err();
    assert!(error.message.contains("longer than 64 MiB"), "{error}");
}

#[test]
fn waiting_ends_with_the_time_or_the_caller() {
    let link = link_to(|stream, _| {
        std::thread::sleep(PATIENCE);
        drop(stream);
    });
    let error = call(&link, Duration::from_millis(100)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout);
    let cancel = Cancel::default();
    let other = cancel.clone();
    let caller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.cancel();
    });
    let error = link.call("GetStatus", JsonMap::new(), PATIENCE, &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
    caller.join().unwrap();
}

#[test]
fn requests_can_be_read_by_hosts_that_count_characters() {
    let (send, sent) = mpsc::channel();
    let link = link_to(move |stream, request| {
        send.send(request).unwrap();
        respond(stream, "200 OK", r#"{"result":{"content":[{"json":{"ok":true}}]}}"#);
    });
    let arguments = JsonMap::from_iter([("name".to_owned(), json!("Tür"))]);
    let output = link.call("SearchObjects", arguments, PATIENCE, &Cancel::default()).unwrap();
    assert_eq!(output, json!({ "ok": true }));
    let request = sent.recv_timeout(PATIENCE).unwrap();
    assert!(request.is_ascii(), "{request}");
    let request: Value = serde_json::from_str(&request).unwrap();
    assert_eq!(request["method"], "call_tool");
    assert_eq!(
        request["params"],
        json!({ "name": "SearchObjects", "arguments": { "name": "Tür" } })
    );
    assert!(link.status().connected);
}

#[test]
fn a_host_without_events_is_still_a_host() {
    let link = link_to(|stream, request| match request.contains("stream_events") {
        true => respond(stream, "429 Too Many Requests", "{}"),
        false => respond(stream, "200 OK", r#"{"result":{"content":[{"json":{"a":1}}]}}"#),
    });
    let (send, heard) = mpsc::channel();
    link.follow(Box::new(move |news| drop(send.send(news))));
    let first = heard.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(&first, News::Away(text) if text.contains("HTTP 429")), "{first:?}");
    call(&link, PATIENCE).unwrap();
    let second = heard.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(&second, News::Here(_)), "{second:?}");
    let until = Instant::now() + PATIENCE;
    while link.status().problem.is_none_or(|problem| !problem.contains("no events")) {
        assert!(Instant::now() < until, "{:?}", link.status());
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(link.status().connected);
    call(&link, PATIENCE).unwrap();
    // However often the stream is refused, that is no news.
    assert!(heard.try_recv().is_err());
}

#[test]
fn events_pass_and_what_is_no_event_does_not() {
    let link = link_to(|mut stream, _| {
        let event = |name: &str| {
            let params = json!({ "event": name, "payload": { "n": 1 } });
            json!({ "jsonrpc": "2.0", "method": "notification", "params": params }).to_string()
        };
        let lines = [
            "not json".to_owned(),
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notification"}"#.to_owned(),
            event("selection"),
        ];
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        for byte in (lines.join("\n") + "\n").bytes() {
            let _ = stream.write_all(&[byte]);
        }
    });
    let (send, heard) = mpsc::channel();
    link.follow(Box::new(move |news| drop(send.send(news))));
    let next = || heard.recv_timeout(PATIENCE).unwrap();
    // The stream ends after that, and is opened again.
    for _ in 0..2 {
        assert!(matches!(next(), News::Here(_)));
        assert_eq!(next(), News::Event("selection".to_owned(), json!({ "n": 1 })));
        let gone = next();
        assert!(matches!(&gone, News::Away(text) if text.contains("ended")), "{gone:?}");
    }
}
