//! Load over HTTP: a minimal HTTP/1.1 client with keep-alive, one thread a connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::call::{self, Call, Reply, STATELESS_VERSION};

const READ_LIMIT: Duration = Duration::from_secs(20);
const LARGEST_BODY: usize = 64 << 20;

/// Stateless calls of one tool over `connections` connections for the window.
pub(crate) fn calls_per_second(
    url: &str,
    tool: &str,
    connections: usize,
    window: Duration,
) -> Result<f64> {
    let warm = Instant::now() + window / 10;
    let counts: Result<Vec<u64>> = thread::scope(|scope| {
        let load = || answers_between(url, tool, warm, warm + window);
        let threads: Vec<_> = (0..connections).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().expect("the load does not panic")).collect()
    });
    Ok(counts?.iter().sum::<u64>() as f64 / window.as_secs_f64())
}

fn answers_between(url: &str, tool: &str, from: Instant, to: Instant) -> Result<u64> {
    let mut connection = Connection::open(url)?;
    let request = Request {
        call: Call::stateless("tools/call", json!({ "name": tool, "arguments": {} })),
        head: connection.head("tools/call", Some(tool)),
    };
    let mut answers = 0;
    for id in 1.. {
        connection.exchange(&request, id)?;
        let now = Instant::now();
        if now >= to {
            break;
        }
        if now >= from {
            answers += 1;
        }
    }
    Ok(answers)
}

/// One `tools/list`, to know that the server answers.
pub(crate) fn list_tools(url: &str) -> Result<Value> {
    let mut connection = Connection::open(url)?;
    let request = Request {
        call: Call::stateless("tools/list", json!({})),
        head: connection.head("tools/list", None),
    };
    connection.exchange(&request, 1)?;
    call::parse_result(message_of(&connection.body))
}

struct Request {
    call: Call,
    head: String,
}

struct Connection {
    host: String,
    path: String,
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
}

/// How an answer says where its body ends.
#[derive(Clone, Copy)]
enum Length {
    Known(usize),
    Chunked,
    ToTheEnd,
}

impl Connection {
    fn open(url: &str) -> Result<Connection> {
        let address = url.strip_prefix("http://").context("only http:// is spoken here")?;
        let (host, path) = address.split_once('/').context("the URL has no path")?;
        let stream = connect(host)?;
        Ok(Connection { host: host.into(), path: format!("/{path}"), stream, body: Vec::new() })
    }

    /// The headers 2026-07-28 asks for, up to the length.
    fn head(&self, method: &str, name: Option<&str>) -> String {
        let name = name.map(|name| format!("Mcp-Name: {name}\r\n")).unwrap_or_default();
        format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {STATELESS_VERSION}\r\nMcp-Method: {method}\r\n{name}",
            self.path, self.host
        )
    }

    fn exchange(&mut self, request: &Request, id: u64) -> Result<()> {
        let body = request.call.with_id(id);
        let message = format!("{}Content-Length: {}\r\n\r\n{body}", request.head, body.len());
        self.stream.get_mut().write_all(message.as_bytes())?;
        let (status, length, keep) = self.read_head()?;
        self.read_body(length)?;
        if !keep || matches!(length, Length::ToTheEnd) {
            self.stream = connect(&self.host)?;
        }
        let body = message_of(&self.body);
        ensure!(status == 200, "HTTP {status}: {}", String::from_utf8_lossy(body));
        let kind = call::classify(&self.body)?;
        ensure!(kind == Reply::Result, "no result in {}", String::from_utf8_lossy(body));
        Ok(())
    }

    fn read_head(&mut self) -> Result<(u16, Length, bool)> {
        let status = self.read_line()?;
        let code = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let code = code.with_context(|| format!("not an HTTP status line: {status:?}"))?;
        let (mut length, mut keep) = (Length::ToTheEnd, true);
        loop {
            let line = self.read_line()?;
            if line.is_empty() {
                return Ok((code, length, keep));
            }
            let (name, value) = line.split_once(':').context("a header without a colon")?;
            let (name, value) = (name.to_ascii_lowercase(), value.trim());
            match name.as_str() {
                "content-length" => length = Length::Known(value.parse()?),
                "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => {
                    length = Length::Chunked;
                }
                "connection" if value.eq_ignore_ascii_case("close") => keep = false,
                _ => {}
            }
        }
    }

    fn read_body(&mut self, length: Length) -> Result<()> {
        self.body.clear();
        match length {
            Length::Known(length) => self.read_part(length),
            Length::Chunked => self.read_chunks(),
            Length::ToTheEnd => {
                let limit = LARGEST_BODY as u64;
                self.stream.by_ref().take(limit).read_to_end(&mut self.body)?;
                Ok(())
            }
        }
    }

    fn read_chunks(&mut self) -> Result<()> {
        loop {
            let line = self.read_line()?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size =
                usize::from_str_radix(size, 16).with_context(|| format!("chunk {line:?}"))?;
            self.read_part(size)?;
            // After a chunk comes an empty line; after the last one trailers, then an empty line.
            while !self.read_line()?.is_empty() {}
            if size == 0 {
                return Ok(());
            }
        }
    }

    fn read_part(&mut self, length: usize) -> Result<()> {
        let start = self.body.len();
        ensure!(length <= LARGEST_BODY - start, "a body over {LARGEST_BODY} bytes");
        self.body.resize(start + length, 0);
        Ok(self.stream.read_exact(&mut self.body[start..])?)
    }

    fn read_line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

fn connect(host: &str) -> Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(host).with_context(|| format!("could not reach {host}"))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(READ_LIMIT))?;
    Ok(BufReader::new(stream))
}

/// The JSON message in a body: all of it, or the last data line of an event stream.
fn message_of(body: &[u8]) -> &[u8] {
    if body.trim_ascii_start().starts_with(b"{") {
        return body;
    }
    let mut data = body.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(b"data:"));
    data.next_back().unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use super::message_of;

    #[test]
    fn finds_the_message_in_json_and_in_events() {
        assert_eq!(message_of(b"{}"), b"{}");
        assert_eq!(message_of(b": hi\n\ndata: {1}\n\nid: 2\ndata: {2}\r\n\r\n"), b" {2}\r");
    }
}
