//! Load over HTTP, one thread a connection.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::call::{self, Call, Reply, STATELESS_VERSION};
use crate::http::{self, Connection};

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
    let mut connection = Connection::open(http::split(url)?.0)?;
    let params = json!({ "name": tool, "arguments": {} });
    let request = Request::new(url, "tools/call", Some(tool), params)?;
    let mut answers = 0;
    for id in 1.. {
        request.exchange(&mut connection, id)?;
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
    let mut connection = Connection::open(http::split(url)?.0)?;
    Request::new(url, "tools/list", None, json!({}))?.exchange(&mut connection, 1)?;
    call::parse_result(message_of(&connection.body))
}

/// A stateless request, to be sent many times.
pub(crate) struct Request {
    call: Call,
    head: String,
}

impl Request {
    /// With the headers that 2026-07-28 asks for.
    pub(crate) fn new(
        url: &str,
        method: &str,
        tool: Option<&str>,
        params: Value,
    ) -> Result<Request> {
        let (host, path) = http::split(url)?;
        let name = tool.map(|name| format!("Mcp-Name: {name}\r\n")).unwrap_or_default();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {STATELESS_VERSION}\r\nMcp-Method: {method}\r\n{name}"
        );
        Ok(Request { call: Call::stateless(method, params), head })
    }

    /// Send it; the body of the connection is then a good answer.
    fn exchange(&self, connection: &mut Connection, id: u64) -> Result<()> {
        self.exchange_timed(connection, id).map(drop)
    }

    /// The same, telling how many bytes the answer has and how many seconds it took.
    pub(crate) fn exchange_timed(
        &self,
        connection: &mut Connection,
        id: u64,
    ) -> Result<(usize, f64)> {
        exchange_timed(connection, &self.head, &self.call.with_id(id))
    }
}

/// A session of the versions before 2026-07-28.
pub(crate) struct Session {
    connection: Connection,
    head: String,
}

impl Session {
    pub(crate) fn open(url: &str) -> Result<Session> {
        let (host, path) = http::split(url)?;
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n"
        );
        let mut connection = Connection::open(host)?;
        exchange_timed(&mut connection, &head, &call::initialize().with_id(1))?;
        let id = connection.session.take().context("no session was opened")?;
        head += &format!("Mcp-Session-Id: {id}\r\n");
        let status = connection.exchange(&head, call::INITIALIZED)?;
        ensure!(status == 202, "HTTP {status} after the handshake");
        Ok(Session { connection, head })
    }

    pub(crate) fn exchange_timed(&mut self, call: &Call) -> Result<(usize, f64)> {
        exchange_timed(&mut self.connection, &self.head, &call.with_id(2))
    }
}

fn exchange_timed(connection: &mut Connection, head: &str, message: &str) -> Result<(usize, f64)> {
    let asked = Instant::now();
    let status = connection.exchange(head, message)?;
    let seconds = asked.elapsed().as_secs_f64();
    let body = message_of(&connection.body);
    ensure!(status == 200, "HTTP {status}: {}", String::from_utf8_lossy(body));
    let kind = call::classify(&connection.body)?;
    ensure!(kind == Reply::Result, "no result in {}", String::from_utf8_lossy(body));
    Ok((body.len(), seconds))
}

/// The JSON message in a body: all of it, or the last data line of an event stream.
pub(crate) fn message_of(body: &[u8]) -> &[u8] {
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
