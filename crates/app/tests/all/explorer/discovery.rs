//! "discovery file `%TEMP%/unity-explorer-mcp.json` advertises `{ pid, baseUrl, port, modeHints:
//! ["streamable-http"], startedAt }`": of the program itself, which is started for it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::explorer::http::PATIENCE;

/// The program; it ends with its standard input.
struct Program(Child);

impl Program {
    /// Serve the sample on a free port. `folder` takes the place of the user's folders.
    fn start(folder: &Path, discovery: Option<&Path>) -> Program {
        let sample = scenewright_fixture::sample("unity");
        let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
        command.args(["serve", "--stdio", "--http", "127.0.0.1:0", "--project"]).arg(sample);
        command.arg("--explorer-home").arg(folder.join("home"));
        for name in ["XDG_CACHE_HOME", "HOME", "TMPDIR", "TMP", "TEMP"] {
            command.env(name, folder);
        }
        command.env_remove("SCENEWRIGHT_TOKEN").env_remove("READ_ONLY_MODE");
        match discovery {
            Some(file) => command.env("UE_MCP_DISCOVERY", file),
            None => command.env_remove("UE_MCP_DISCOVERY"),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Program(command.spawn().unwrap())
    }

    fn end(mut self) {
        drop(self.0.stdin.take());
        let ended = poll(|| self.0.try_wait().unwrap());
        assert_eq!(ended.code(), Some(0));
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Ask until there is an answer.
fn poll<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "it takes too long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn read(file: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// What the server that is announced answers.
fn ask(said: &Value, line: &str, body: &str) -> String {
    let address = said["baseUrl"].as_str().unwrap();
    let address = address.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn check(discovery: Option<&Path>, file: &Path, folder: &Path) {
    let program = Program::start(folder, discovery);
    let said = poll(|| read(file));
    let mut fields: Vec<&String> = said.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["baseUrl", "modeHints", "pid", "port", "startedAt"]);
    assert_eq!(said["pid"], program.0.id());
    assert_eq!(said["baseUrl"], format!("http://127.0.0.1:{}/", said["port"]));
    assert_eq!(said["modeHints"], json!(["streamable-http"]));
    let time = said["startedAt"].as_str().unwrap();
    assert!(time.starts_with("20") && time.ends_with('Z'), "{time}");
    let status = ask(&said, "GET /read?uri=unity://status", "");
    assert!(status.starts_with("HTTP/1.1 200") && status.contains("\"Ready\": true"), "{status}");
    let call = r#"{"id":1,"method":"call_tool","params":{"name":"GetConfig"}}"#;
    let config = ask(&said, "POST /message", call);
    let port = format!(r#""bindAddress":"127.0.0.1","port":{},"#, said["port"]);
    assert!(config.contains(&port), "{config}");
    program.end();
    assert!(!file.exists(), "it says where a server is, and there is none");
}

/// In the folder for temporary files.
#[test]
fn a_server_is_found_while_it_runs() {
    let folder = Folder::empty();
    check(None, &folder.path("unity-explorer-mcp.json"), folder.root());
}

/// Clients look at `UE_MCP_DISCOVERY` first, so a server that has it writes there.
#[test]
fn a_server_is_found_where_clients_look_first() {
    let folder = Folder::empty();
    let file = folder.path("elsewhere.json");
    check(Some(&file), &file, folder.root());
    assert!(!folder.path("unity-explorer-mcp.json").exists());
}

/// A server that came later has the file; the one before it leaves it alone.
#[test]
fn the_file_belongs_to_the_last_server() {
    let folder = Folder::empty();
    let file = folder.path("unity-explorer-mcp.json");
    let first = Program::start(folder.root(), None);
    poll(|| read(&file).filter(|said| said["pid"] == first.0.id()));
    let second = Program::start(folder.root(), None);
    poll(|| read(&file).filter(|said| said["pid"] == second.0.id()));
    first.end();
    assert_eq!(read(&file).unwrap()["pid"], second.0.id());
    second.end();
    assert!(!file.exists());
}
