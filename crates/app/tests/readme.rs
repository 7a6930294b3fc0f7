//! Every line of the README that a reader may type is typed here, by a shell that is as strict about
//! patterns as zsh is.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};

use scenewright_fixture::{Folder, copy, sample};
use serde_json::Value;

const README: &str = include_str!("../../../README.md");

/// Commands that build this program: the test is a part of that.
const BUILDS: &str = "cargo ";

/// A line to type, and what the README says that it prints.
struct Typed {
    command: String,
    prints: Vec<String>,
}

/// The parts of the README between fences of this language.
fn blocks(language: &str) -> impl Iterator<Item = &'static str> {
    let fence = format!("```{language}\n");
    let parts: Vec<&str> = README.split(&*fence).skip(1).collect();
    parts.into_iter().map(|part| part.split("```").next().unwrap())
}

fn typed(block: &str) -> Vec<Typed> {
    let mut all: Vec<Typed> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Typed { command: command.to_owned(), prints: Vec::new() });
            continue;
        }
        let last = all.last_mut().expect("a block begins with a command");
        let is_open = last.command.ends_with('\\') || last.command.matches('\'').count() % 2 == 1;
        match is_open {
            true => last.command = format!("{}\n{line}", last.command),
            false => last.prints.push(line.to_owned()),
        }
    }
    all
}

/// Where a reader is: a folder of two projects under version control, with this program on the PATH.
struct Desk {
    folder: Folder,
    /// The port that stands for the one in the README, which may be taken.
    port: String,
}

impl Desk {
    fn new() -> Self {
        let folder = Folder::empty();
        for (name, place) in [
            ("unity", "work/keep"),
            ("godot", "work/run"),
            ("unity", "games/keep"),
            ("unity", "work/MyGame"),
        ] {
            copy(&sample(name), &folder.path(place));
        }
        std::fs::create_dir(folder.path("bin")).unwrap();
        let program = env!("CARGO_BIN_EXE_scenewright");
        std::os::unix::fs::symlink(program, folder.path("bin/scenewright")).unwrap();
        let depth = r#"{"type": "integer", "default": 99, "maximum": 10, "minimum": 0, "required": false, "description": "How deep to go."}"#;
        folder.write("work/my-tools.json", definition(depth));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let desk = Self { folder, port: port.to_string() };
        let git = "git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -q -m first";
        assert!(desk.shell(git).output().unwrap().status.success());
        desk
    }

    /// A shell that takes a pattern without a match for a mistake.
    fn shell(&self, command: &str) -> Command {
        let command = command
            .replace("127.0.0.1:51477", &format!("127.0.0.1:{}", self.port))
            .replace("--http ", &format!("--http 127.0.0.1:{} ", self.port));
        let mut shell = Command::new("bash");
        shell.args(["-O", "failglob", "-c", &command]).current_dir(self.folder.path("work"));
        for name in ["HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"] {
            shell.env(name, self.folder.root());
        }
        let path = std::env::var("PATH").unwrap();
        shell.env("PATH", format!("{}:{path}", self.folder.path("bin").display()));
        shell.env_remove("SCENEWRIGHT_TOKEN").env_remove("READ_ONLY_MODE");
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }

    /// Type a line; one that goes on in the background is given back when it is ready.
    fn run(&self, Typed { command, prints }: &Typed) -> Option<Server> {
        if let Some(command) = command.strip_suffix('&') {
            let mut server = Server(self.shell(&format!("exec {command}")).spawn().unwrap());
            let mut lines = BufReader::new(server.0.stderr.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap().contains("Ctrl-C ends")), "it is ready");
            return Some(server);
        }
        let output = self.shell(command).output().unwrap();
        let (said, failed) = (text(&output.stdout), text(&output.stderr));
        match prints.is_empty() {
            true => check_success(command, &output),
            false => {
                let lines: Vec<&str> = said.lines().collect();
                let fits = lines.len() == prints.len()
                    && lines.iter().zip(prints).all(|(line, shown)| is_like(line, shown));
                assert!(fits, "{command}\n{said}{failed}");
            }
        }
        None
    }
}

/// A definition of a tool with this input.
fn definition(depth: &str) -> String {
    format!(
        r#"{{"id": "scene.look", "name": "Look", "description": "Look at a scene.", "category": "scene",
        "safetyLevel": "read-only", "tier": "core", "inputs": {{"depth": {depth}}},
        "outputs": {{"names": {{"type": "string", "description": "What is there."}}}}}}"#
    )
}

fn check_success(command: &str, output: &Output) {
    let (said, failed) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command}\n{said}{failed}");
    if command.starts_with("curl") {
        let answer: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
        assert!(answer.get("error").is_none(), "{command}\n{said}");
    }
}

/// Whether a line is as shown; `…` stands for anything.
fn is_like(line: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        Some((start, end)) => line.starts_with(start) && line.ends_with(end),
        None => line == shown,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A server in the background; it ends with the block that started it.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn every_line_to_type_works() {
    let desk = Desk::new();
    let mut count = 0;
    for block in blocks("console") {
        let mut running = Vec::new();
        for line in typed(block).iter().filter(|line| !line.command.starts_with(BUILDS)) {
            running.extend(desk.run(line));
            count += 1;
        }
    }
    assert!(count >= 11, "{count}");
}

#[test]
fn what_a_client_is_given_starts() {
    let desk = Desk::new();
    let settings: Value = serde_json::from_str(blocks("json").next().unwrap()).unwrap();
    let server = &settings["mcpServers"]["scenewright"];
    let args = server["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let by_file =
        format!("{} {}", server["command"].as_str().unwrap(), args.collect::<Vec<_>>().join(" "));
    // What Claude Code is to start stands behind the dashes.
    let (_, by_line) = README.split_once("`claude mcp add scenewright -- ").unwrap();
    let by_line = by_line.split('`').next().unwrap().replace('\n', " ");
    for command in [by_file, by_line] {
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let output = desk.shell(&format!("echo '{hello}' | {command}")).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["result"]["serverInfo"]["name"], "scenewright", "{command}");
    }
}
