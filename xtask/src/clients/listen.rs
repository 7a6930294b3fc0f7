//! A small HTTP/1.1 server on loopback: one request a connection, the whole body read before it is answered.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::http::Chunks;

/// A client that says nothing for so long has left.
const PATIENCE: Duration = Duration::from_secs(60);
const LARGEST_BODY: u64 = 64 << 20;
const MOST_HEADERS: usize = 200;

/// A request.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    /// Null where the body is not JSON.
    pub(super) body: Value,
}

/// An answer.
#[derive(Debug)]
pub(super) enum Said {
    Json(Value),
    /// The text of an event stream.
    Events(String),
    NotFound,
}

/// Serve on a free port until the task ends, and say which.
pub(super) fn listen(answer: impl Fn(&Asked) -> Said + Send + Sync + 'static) -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no free port on loopback")?;
    let port = listener.local_addr()?.port();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            // A client that hangs up in the middle is its own affair.
            thread::spawn(move || drop(serve(stream, &*answer)));
        }
    });
    Ok(port)
}

fn serve(stream: TcpStream, answer: &(impl Fn(&Asked) -> Said + ?Sized)) -> Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(&stream);
    let asked = read(&mut reader)?;
    let (status, kind, body) = match answer(&asked) {
        Said::Json(value) => ("200 OK", "application/json", value.to_string()),
        Said::Events(text) => ("200 OK", "text/event-stream", text),
        Said::NotFound => ("404 Not Found", "application/json", "{}".to_owned()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let body = if asked.method == "HEAD" { "" } else { &body };
    (&stream).write_all(format!("{head}{body}").as_bytes())?;
    Ok(())
}

fn read(reader: &mut BufReader<&TcpStream>) -> Result<Asked> {
    let first = line(reader)?;
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    ensure!(path.starts_with('/'), "not a request: {first:?}");
    let (mut length, mut is_chunked, mut is_packed) = (0, false, false);
    for _ in 0..MOST_HEADERS {
        let header = line(reader)?;
        if header.is_empty() {
            let mut body = Vec::new();
            match is_chunked {
                true => Chunks::new(&mut *reader).take(LARGEST_BODY).read_to_end(&mut body)?,
                false => reader.take(length).read_to_end(&mut body)?,
            };
            if is_packed {
                let packed = std::mem::take(&mut body);
                GzDecoder::new(&*packed).take(LARGEST_BODY).read_to_end(&mut body)?;
            }
            let path = path.split('?').next().unwrap_or_default().to_owned();
            let body = serde_json::from_slice(&body).unwrap_or_default();
            return Ok(Asked { method: method.to_owned(), path, body });
        }
        let (name, value) = header.split_once(':').context("a header without a colon")?;
        let value = value.trim();
        match &*name.to_ascii_lowercase() {
            "content-length" => length = value.parse::<u64>()?.min(LARGEST_BODY),
            "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
            "content-encoding" => is_packed = value.eq_ignore_ascii_case("gzip"),
            _ => {}
        }
    }
    bail!("more than {MOST_HEADERS} headers")
}

fn line(reader: &mut BufReader<&TcpStream>) -> Result<String> {
    let mut line = String::new();
    ensure!(reader.read_line(&mut line)? > 0, "the client hung up");
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::Connection;

    #[test]
    fn answers_what_was_asked() {
        let port = listen(|asked| match &*asked.path {
            "/echo" => Said::Json(json!([asked.method, asked.body])),
            _ => Said::NotFound,
        })
        .unwrap();
        let mut connection = Connection::open(&format!("127.0.0.1:{port}")).unwrap();
        let head = |path: &str| format!("POST {path} HTTP/1.1\r\nHost: x\r\n");
        assert_eq!(connection.exchange(&head("/echo?a=1"), r#"{"b":2}"#).unwrap(), 200);
        assert_eq!(connection.body, br#"["POST",{"b":2}]"#);
        assert_eq!(connection.exchange(&head("/other"), "").unwrap(), 404);
    }
}
