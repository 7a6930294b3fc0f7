//! The Unity Explorer interface as its clients know it: calls on `/message`, and two kinds of streams.

use std::borrow::Cow;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::http::{self, Connection, Incoming};
use crate::server::Server;
use crate::{binary, paths};

/// The Unity sample of the workspace.
pub(crate) fn sample() -> PathBuf {
    paths::root().join("samples").join("unity")
}

/// Serve the world of a project over HTTP. Its settings and the file by which clients find it are kept
/// away from those of this machine's user, in a folder of this name.
pub(crate) fn serve(
    binary: &Path,
    name: &str,
    project: &Path,
    extra: &[&str],
    limit: Duration,
) -> Result<Server> {
    let folder = paths::target().join("tmp").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(&folder)?;
    let mut command = binary::serve(binary, &["--http", "127.0.0.1:0"]);
    command.arg("--project").arg(project).arg("--explorer-home").arg(folder.join("home"));
    command.args(extra).env("UE_MCP_DISCOVERY", folder.join("discovery.json"));
    Server::start(&mut command, limit)
}

/// The address of a server as `127.0.0.1:4000`.
pub(crate) fn host(server: &Server) -> Result<String> {
    Ok(http::split(&server.mcp_url()?)?.0.to_owned())
}

/// A connection that calls are made on, one after the other.
#[derive(Debug)]
pub(crate) struct Caller {
    connection: Connection,
    head: String,
}

impl Caller {
    pub(crate) fn open(host: &str) -> Result<Caller> {
        Ok(Caller { connection: Connection::open(host)?, head: head(host) })
    }

    /// The status and the body of the answer to a message.
    pub(crate) fn ask(&mut self, message: &str) -> Result<(u16, &[u8])> {
        let status = self.connection.exchange(&self.head, message)?;
        Ok((status, &self.connection.body))
    }

    /// What a tool answers; an error when it fails.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let (status, body) = self.ask(&call("\"call\"", tool, arguments))?;
        let text =
            || format!("{tool} {arguments}: HTTP {status}, {}", String::from_utf8_lossy(body));
        let mut answer: Value = serde_json::from_slice(body).with_context(text)?;
        let payload = answer["result"]["content"][0]["json"].take();
        ensure!(status == 200 && !payload.is_null() && payload["ok"] != false, text());
        Ok(payload)
    }
}

/// `call_tool` with an id as it is written in JSON.
pub(crate) fn call(id: &str, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"call_tool","params":{params}}}"#)
}

fn head(host: &str) -> String {
    format!("POST /message HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n")
}

/// How a stream carries its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The lines that answer `stream_events`.
    Lines,
    /// Server-Sent Events.
    Events,
}

/// An open stream.
#[derive(Debug)]
pub(crate) struct Events {
    incoming: Incoming,
    form: Form,
    line: Vec<u8>,
}

impl Events {
    pub(crate) fn open(host: &str, form: Form) -> Result<Events> {
        let connection = Connection::open(host)?;
        let incoming = match form {
            Form::Lines => {
                let message = r#"{"jsonrpc":"2.0","id":"stream","method":"stream_events"}"#;
                connection.stream(&head(host), message)?
            }
            Form::Events => {
                let head =
                    format!("GET / HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n");
                connection.stream(&head, "")?
            }
        };
        Ok(Events { incoming, form, line: Vec::new() })
    }

    /// A second hand on the connection, to end it from elsewhere.
    pub(crate) fn handle(&self) -> Result<TcpStream> {
        self.incoming.handle()
    }

    /// The next message; nothing when the stream has ended.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>> {
        while self.incoming.read_line(&mut self.line)? {
            let start = match self.form {
                Form::Lines => 0,
                Form::Events if self.line.starts_with(b"data:") => "data:".len(),
                Form::Events => continue,
            };
            if self.line.len() > start {
                return Ok(Some(&self.line[start..]));
            }
        }
        Ok(None)
    }
}

/// A message of a stream: somebody's answer, which has an id, or an event.
#[derive(Debug, Deserialize)]
pub(crate) struct Message<'a> {
    #[serde(borrow)]
    pub(crate) id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) params: Option<Event<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Event<'a> {
    #[serde(borrow, rename = "event")]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) payload: &'a RawValue,
}

impl<'a> Message<'a> {
    pub(crate) fn parse(message: &'a [u8]) -> Result<Message<'a>> {
        serde_json::from_slice(message)
            .with_context(|| String::from_utf8_lossy(message).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_answers_from_events() {
        let answer = Message::parse(br#"{"jsonrpc":"2.0","id":"c1-2","result":{}}"#).expect("JSON");
        assert_eq!((answer.id.as_deref(), answer.params.is_none()), (Some("c1-2"), true));
        let event = br#"{"method":"notification","params":{"event":"log","payload":{"t":1}}}"#;
        let event = Message::parse(event).expect("JSON").params.expect("an event");
        assert_eq!((&*event.name, event.payload.get()), ("log", r#"{"t":1}"#));
    }
}
