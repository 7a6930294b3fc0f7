//! Servers as processes of their own, and a client that speaks to them over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use scenewright_fixture::{Folder, sample};
use serde_json::{Value, json};

/// No answer takes longer, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What servers of one test keep, gone at its end.
pub(crate) struct Home(Folder);

impl Home {
    pub(crate) fn new() -> Self {
        Self(Folder::empty())
    }

    /// The discovery file of this folder's servers.
    pub(crate) fn discovery(&self) -> PathBuf {
        self.0.path("discovery.json")
    }

    /// The binary, with everything that it keeps in this folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
        let home = self.0.root();
        command.current_dir(home).env("UE_MCP_DISCOVERY", self.discovery());
        command.env("HOME", home).env("XDG_CACHE_HOME", home).env("XDG_DATA_HOME", home);
        for name in ["SCENEWRIGHT_TOKEN", "SCENEWRIGHT_ATTACH_TOKEN", "READ_ONLY_MODE"] {
            command.env_remove(name);
        }
        command.args(args).stdin(Stdio::null());
        command
    }

    /// Run the binary to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// A host: a server with a world of its own.
    pub(crate) fn host(&self, args: &[&str]) -> Server {
        // Its settings are its own, so that no test finds those of another.
        let home = self.0.path("host-home");
        let own = [
            "serve",
            "--structured",
            "--http",
            "127.0.0.1:0",
            "--explorer-home",
            home.to_str().unwrap(),
        ];
        let mut command = self.command(&own);
        command.args(args).arg("--project").arg(sample("unity"));
        Server::start(command)
    }

    /// A server that is attached to a host.
    pub(crate) fn attached(&self, to: &str, args: &[&str]) -> Server {
        let mut command =
            self.command(&["serve", "--structured", "--http", "127.0.0.1:0", "--attach", to]);
        command.args(args);
        if !args.contains(&"--project") {
            command.arg("--project").arg(sample("unity"));
        }
        Server::start(command)
    }
}

/// A server under test; its process ends with it.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    notes: Arc<Mutex<String>>,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.stderr.take().unwrap();
        let notes = Arc::new(Mutex::new(String::new()));
        let writer = notes.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                writer.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        let mut server = Self { child, address: String::new(), notes };
        until(|| {
            let notes = server.notes();
            let message = notes.split("http://").find_map(|rest| rest.split_once("/mcp"));
            message.map(|(address, _)| server.address = address.to_owned()).is_some()
        });
        server
    }

    /// What it said on stderr so far.
    pub(crate) fn notes(&self) -> String {
        self.notes.lock().unwrap().clone()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// End it as a crash would: without a word to anyone.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn ask(&self, method: &str, params: Value) -> (u16, Value) {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post("/message", &message, &[])
    }

    pub(crate) fn post(&self, path: &str, message: &Value, headers: &[&str]) -> (u16, Value) {
        let head = format!("POST {path} HTTP/1.1\r\nContent-Type: application/json");
        self.request(&head, headers, &message.to_string())
    }

    /// Call a tool of the interface: the status, and its output or the error.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> (u16, Value) {
        let (status, mut answer) =
            self.ask("call_tool", json!({ "name": tool, "arguments": arguments }));
        let output = answer.pointer_mut("/result/content/0/json").map(Value::take);
        (status, output.unwrap_or_else(|| answer["error"].take()))
    }

    /// The output of a call that must succeed.
    pub(crate) fn output(&self, tool: &str, arguments: Value) -> Value {
        let (status, output) = self.call(tool, arguments);
        assert!(status == 200 && output["ok"] != false, "{tool}: {status} {output}");
        output
    }

    /// `GET /read`.
    pub(crate) fn read(&self, uri: &str) -> (u16, Value) {
        let uri = uri.replace('?', "%3F").replace('&', "%26");
        self.request(&format!("GET /read?uri={uri} HTTP/1.1"), &[], "")
    }

    fn request(&self, head: &str, headers: &[&str], body: &str) -> (u16, Value) {
        let mut stream = self.send(head, headers, body, "close");
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or_else(|_| json!(body)))
    }

    fn send(&self, head: &str, headers: &[&str], body: &str, connection: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "{head}\r\nHost: {address}\r\nConnection: {connection}\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        stream
    }

    /// Open `stream_events`.
    pub(crate) fn events(&self) -> Events {
        let message = json!({ "jsonrpc": "2.0", "id": "s", "method": "stream_events" }).to_string();
        let stream = self.send("POST /message HTTP/1.1", &[], &message, "keep-alive");
        // It is silent for as long as nothing happens.
        stream.set_read_timeout(None).unwrap();
        let (send, messages) = mpsc::channel();
        std::thread::spawn(move || {
            // Every message is a line; the lines between them are heads of chunks.
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if let Ok(message @ Value::Object(_)) = serde_json::from_str(&line) {
                    let _ = send.send(message);
                }
            }
        });
        Events { messages, seen: Vec::new() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An open stream.
pub(crate) struct Events {
    messages: mpsc::Receiver<Value>,
    pub(crate) seen: Vec<(String, Value)>,
}

impl Events {
    /// Read until an event of this name whose payload `fits`; all before it are in `seen`.
    pub(crate) fn until(&mut self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let next = self.messages.recv_timeout(PATIENCE);
            let (event, payload) = self.keep(next.unwrap_or_else(|_| panic!("no {name}")));
            if *event == name && fits(payload) {
                return payload.clone();
            }
        }
    }

    /// Whether such an event has come by now.
    pub(crate) fn has(&mut self, name: &str, fits: impl Fn(&Value) -> bool) -> bool {
        while let Ok(message) = self.messages.try_recv() {
            self.keep(message);
        }
        self.seen.iter().any(|(event, payload)| event == name && fits(payload))
    }

    fn keep(&mut self, mut message: Value) -> &(String, Value) {
        let event = message["params"]["event"].as_str().unwrap_or_default().to_owned();
        self.seen.push((event, message["params"]["payload"].take()));
        self.seen.last().expect("it was just added")
    }
}

/// Wait until something is so.
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it does not come about");
        std::thread::sleep(Duration::from_millis(20));
    }
}
