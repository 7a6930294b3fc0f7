//! A server with every door open, and a client for each of them.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Ground;
use crate::bench::call::{self, Call};
use crate::bench::http::message_of;
use crate::bench::pipe::Pipe;
use crate::binary;
use crate::http::{self, Connection};
use crate::server::Server;
use crate::websocket::WebSocket;

/// Longer than any kind lasts.
const LIMIT: Duration = Duration::from_secs(3 * 3600);
/// A connection over HTTP that was silent for so long is not used again.
const IDLE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Stdio,
    Http,
    WebSocket,
    Framed,
}

impl Transport {
    pub(super) const ALL: [Transport; 4] =
        [Transport::Stdio, Transport::Http, Transport::WebSocket, Transport::Framed];

    pub(super) fn name(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "HTTP",
            Transport::WebSocket => "WebSocket",
            Transport::Framed => "framed",
        }
    }
}

/// A server that listens everywhere; it ends with this value.
pub(super) struct Host {
    pub(super) server: Server,
    stdio: Option<Pipe>,
}

impl Host {
    /// Serve a folder, a project or one of projects. What the server keeps for itself is in `home`.
    pub(super) fn start(
        ground: &Ground,
        project: &Path,
        home: &Path,
        extra: &[&str],
    ) -> Result<Host> {
        let listen = ["--stdio", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0"];
        // Clients here are quicker than people.
        let mut command = binary::serve(&ground.binary, &[&listen, extra].concat());
        command.args(["--rate", "1000000", "--project"]).arg(project);
        command.arg("--explorer-home").arg(home.join("explorer"));
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(name);
        }
        // No engine is to be found: what starts one is not what is tried here.
        command.env_remove("GODOT_PATH").env("PATH", home).env("HOME", home);
        command.env("UE_MCP_DISCOVERY", home.join("discovery.json"));
        command.env(SECRET_VARIABLE, SECRET);
        let (server, stdin, stdout) = Server::start_stdio(&mut command, LIMIT)?;
        Ok(Host { server, stdio: Some(Pipe::stdio(stdin, stdout)) })
    }

    /// The address of HTTP as `127.0.0.1:4000`.
    pub(super) fn http(&self) -> Result<String> {
        Ok(http::split(&self.server.mcp_url()?)?.0.to_owned())
    }

    /// A new client; stdio has only one.
    pub(super) fn client(&mut self, transport: Transport) -> Result<Client> {
        let carrier = match transport {
            Transport::Stdio => Carrier::Pipe(self.stdio.take().context("stdio has one client")?),
            Transport::Framed => Carrier::Pipe(Pipe::framed(&self.server.framed_address()?)?),
            Transport::Http => Carrier::Http(HttpSession::new(&self.http()?)?),
            Transport::WebSocket => {
                Carrier::WebSocket(WebSocket::open(&self.http()?, "/editormcp", "mcp")?)
            }
        };
        let mut client = Client { carrier, next_id: 1 };
        client.shake_hands().with_context(|| self.server.stderr_tail())?;
        Ok(client)
    }
}

/// In the environment of every server, and nowhere else that a client may read.
pub(super) const SECRET: &str = "MARK7c1e0f52";
const SECRET_VARIABLE: &str = "FAULTS_SECRET";

/// A client that asks one thing after the other.
pub(super) struct Client {
    carrier: Carrier,
    next_id: u64,
}

enum Carrier {
    Pipe(Pipe),
    Http(HttpSession),
    WebSocket(WebSocket),
}

impl Client {
    fn shake_hands(&mut self) -> Result<()> {
        let answer = self.exchange(&call::initialize().with_id(0), 0)?;
        ensure!(answer.contains("\"result\""), "the handshake failed: {answer}");
        if let Carrier::Http(http) = &mut self.carrier {
            return http.confirm();
        }
        self.send(call::INITIALIZED)
    }

    /// The whole answer, good or bad.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<String> {
        let id = self.next_id;
        self.next_id += 1;
        self.exchange(&Call::new(method, params).with_id(id), id)
    }

    /// The whole answer to a call of a tool.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// What a tool gave back; an error when it failed.
    pub(super) fn output(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let answer = self.call(tool, arguments)?;
        output_of(&answer).with_context(|| format!("{tool} {arguments}: {answer}"))
    }

    /// What a method gave back.
    pub(super) fn result(&mut self, method: &str, params: &Value) -> Result<Value> {
        let answer = self.ask(method, params)?;
        let mut message: Value =
            serde_json::from_slice(message_of(answer.as_bytes())).context("no JSON")?;
        ensure!(message["result"].is_object(), "{method} failed: {answer}");
        Ok(message["result"].take())
    }

    /// Say something and read until it is answered. What nobody could read an id in is answered
    /// without one.
    pub(super) fn exchange(&mut self, message: &str, id: u64) -> Result<String> {
        if let Carrier::Http(http) = &mut self.carrier {
            return http.exchange(message);
        }
        self.send(message)?;
        loop {
            let answer = self.receive()?;
            let shown: Value = serde_json::from_slice(&answer).context("the answer is no JSON")?;
            // A batch is answered as one.
            let is_ours = shown.is_array()
                || shown.get("method").is_none() && (shown["id"] == id || shown["id"].is_null());
            if is_ours {
                return Ok(String::from_utf8_lossy(&answer).into_owned());
            }
        }
    }

    /// Say something whose answer is read later; HTTP cannot.
    pub(super) fn send(&mut self, message: &str) -> Result<()> {
        match &mut self.carrier {
            Carrier::Pipe(pipe) => pipe.send(message),
            Carrier::WebSocket(socket) => socket.send(message),
            Carrier::Http(_) => anyhow::bail!("HTTP answers at once"),
        }
    }

    /// The next message of the server.
    pub(super) fn receive(&mut self) -> Result<Vec<u8>> {
        match &mut self.carrier {
            Carrier::Pipe(pipe) => Ok(pipe.next_message()?.to_vec()),
            Carrier::WebSocket(socket) => socket.receive(),
            Carrier::Http(_) => anyhow::bail!("HTTP answers at once"),
        }
    }
}

/// The structured content of an answer; nothing when the tool failed.
pub(super) fn output_of(answer: &str) -> Option<Value> {
    let mut message: Value = serde_json::from_slice(message_of(answer.as_bytes())).ok()?;
    let is_good = message["result"]["isError"] == false;
    is_good.then(|| message["result"]["structuredContent"].take())
}

/// A session over HTTP.
struct HttpSession {
    host: String,
    connection: Connection,
    head: String,
    last: Instant,
}

impl HttpSession {
    fn new(host: &str) -> Result<HttpSession> {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n"
        );
        let connection = Connection::open(host)?;
        Ok(HttpSession { host: host.to_owned(), connection, head, last: Instant::now() })
    }

    fn confirm(&mut self) -> Result<()> {
        let id = self.connection.session.take().context("no session was opened")?;
        self.head += &format!("Mcp-Session-Id: {id}\r\n");
        let status = self.connection.exchange(&self.head, call::INITIALIZED)?;
        ensure!(status == 202, "HTTP {status} after the handshake");
        Ok(())
    }

    /// The body, whatever the status.
    fn exchange(&mut self, message: &str) -> Result<String> {
        // A server may close what is idle; that is not what is tried here.
        if self.last.elapsed() > IDLE {
            self.connection = Connection::open(&self.host)?;
        }
        self.connection.exchange(&self.head, message)?;
        self.last = Instant::now();
        Ok(String::from_utf8_lossy(&self.connection.body).into_owned())
    }
}
