//! A running server as its client sees it: the real binary, what it says and what it hears of files.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use scenewright_fixture::{Folder, sample};
use serde_json::Value;

#[cfg(unix)]
use crate::cli::file;
use crate::cli::{broken_sample, command};

/// No answer takes longer, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server under test; its process ends with it.
pub(crate) struct Server {
    pub(crate) child: Child,
    lines: mpsc::Receiver<String>,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { child, lines }
    }

    pub(crate) fn send(&mut self, message: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
        serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("stdout is only for messages: {line}"))
    }

    /// What it says when it is ready.
    fn banner(&mut self) -> String {
        let mut lines = BufReader::new(self.child.stderr.take().unwrap()).lines();
        let mut seen = String::new();
        while !seen.contains("Ctrl-C ends the server") {
            seen.push_str(&lines.next().unwrap().unwrap());
            seen.push('\n');
        }
        seen
    }

    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        for _ in 0..400 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the server does not end")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn a_running_server_sees_what_changed_on_disk() {
    let folder = Folder::empty();
    let project = broken_sample(&folder);
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--structured", "--project"]).arg(&project);
    let mut server = Server::start(command);
    let changes = |server: &mut Server, arguments: &str| {
        server.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"project_changes","arguments":{arguments}}}}}"#));
        server.receive()["result"]["structuredContent"].clone()
    };
    let cursor = changes(&mut server, "{}")["cursor"].clone();
    std::fs::write(project.join("Assets/Data/Note.txt"), "new").unwrap();
    for _ in 0..100 {
        let seen = changes(&mut server, &format!(r#"{{"cursor":{cursor}}}"#));
        let list = seen["changes"].as_array().unwrap();
        if list.iter().any(|c| c["path"] == "Assets/Data/Note.txt" && c["kind"] == "added") {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the change was not seen");
}

#[test]
fn serve_without_a_terminal_speaks_stdio_and_ends_with_its_client() {
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command.args(["serve", "--structured", "--sample"]);
    let mut server = Server::start(command);
    server.send(INITIALIZE);
    assert_eq!(server.receive()["result"]["serverInfo"]["name"], "scenewright");
    server
        .send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"project_info"}}"#);
    assert_eq!(server.receive()["result"]["structuredContent"]["projectName"], "Lantern Keep");
    drop(server.child.stdin.take());
    assert_eq!(server.exit_code(), Some(0));
}

/// A server that may run a Godot project, with a shell script in the place of the engine.
#[cfg(unix)]
fn serve_with_engine(folder: &Folder, script: &str) -> Server {
    use std::os::unix::fs::PermissionsExt;

    let project = folder.path("game");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("project.godot"), "config_version=5\n").unwrap();
    std::fs::write(project.join("a.tscn"), "[gd_scene format=3]\n").unwrap();
    let script =
        format!("#!/bin/sh\n[ \"$1\" = --version ] && echo 4.6.stable && exit\n{script}\n");
    let engine = file(folder, "godot", &script);
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command(folder.root());
    command.args([
        "serve",
        "--stdio",
        "--structured",
        "--allow-runs",
        "--project",
        project.to_str().unwrap(),
    ]);
    command.env("GODOT_PATH", &engine);
    Server::start(command)
}

#[cfg(unix)]
fn is_running(pid: &serde_json::Value) -> bool {
    let pid = pid.as_u64().unwrap_or_else(|| panic!("{pid}")).to_string();
    Command::new("kill").args(["-0", &pid]).output().unwrap().status.success()
}

#[cfg(unix)]
#[test]
fn a_game_ends_with_the_server_that_started_it() {
    let folder = Folder::empty();
    let mut server = serve_with_engine(&folder, "exec sleep 600");
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_project","arguments":{"scene":"a.tscn","headless":true}}}"#);
    let answer = server.receive();
    let pid = &answer["result"]["structuredContent"]["pid"];
    assert!(is_running(pid));
    drop(server.child.stdin.take());
    assert_eq!(server.exit_code(), Some(0));
    assert!(!is_running(pid));
}

#[cfg(unix)]
#[test]
fn a_game_that_runs_for_some_seconds_is_ended_and_its_errors_are_told_once() {
    let script = r"
i=0
while [ $i -lt 40 ]; do
  echo frame $i
  printf 'ERROR: no target\n   at: push_error (core/variant.cpp:1098)\n   GDScript backtrace (most recent call first):\n       [0] _aim (res://turret.gd:12)\n' >&2
  i=$((i+1))
done
echo 'WARNING: odd' >&2
exec sleep 600";
    let folder = Folder::empty();
    let mut server = serve_with_engine(&folder, script);
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_project","arguments":{"scene":"a.tscn","headless":true,"seconds":3}}}"#);
    let answer = server.receive();
    let output = &answer["result"]["structuredContent"];
    assert_eq!(output["running"], false);
    assert!(!is_running(&output["pid"]));
    assert!(output.get("exitCode").is_none(), "it was ended");
    let report = &output["report"];
    assert_eq!((&report["errorCount"], &report["warningCount"]), (&40.into(), &1.into()));
    let expected = serde_json::json!([
        { "type": "error", "message": "no target", "place": "res://turret.gd:12", "count": 40 },
        { "type": "warning", "message": "odd", "count": 1 },
    ]);
    assert_eq!(report["problems"], expected);
    let last = report["lastOutput"].as_array().unwrap();
    assert_eq!((last.len(), last[29].as_str()), (30, Some("frame 39")));
}

#[cfg(unix)]
#[test]
fn a_game_that_ends_before_its_seconds_are_over_tells_its_code() {
    let folder = Folder::empty();
    let mut server = serve_with_engine(&folder, "echo 'SCRIPT ERROR: bad' >&2; exit 7");
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_project","arguments":{"scene":"a.tscn","headless":true,"seconds":60}}}"#);
    let answer = server.receive();
    let output = &answer["result"]["structuredContent"];
    assert_eq!(output["exitCode"], 7, "{answer}");
    assert_eq!(output["report"]["problems"][0]["message"], "bad");
    assert!(output["report"]["seconds"].as_f64().unwrap() < 30.0);
}

#[test]
fn a_changed_project_is_told_to_who_subscribed() {
    let folder = Folder::empty();
    let project = folder.path("game");
    std::fs::create_dir_all(&project).unwrap();
    let settings = project.join("project.godot");
    let text =
        |name: &str| format!("config_version=5\n\n[application]\n\nconfig/name=\"{name}\"\n");
    std::fs::write(&settings, text("Before")).unwrap();
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--structured", "--project", project.to_str().unwrap()]);
    let mut server = Server::start(command);
    server.send(INITIALIZE);
    server.receive();
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"scenewright://project/game"}}"#);
    assert_eq!(server.receive()["result"], serde_json::json!({}));
    std::fs::write(&settings, text("After")).unwrap();
    let told = server.receive();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "scenewright://project/game");
    server
        .send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"project_info"}}"#);
    let answer = loop {
        let message = server.receive();
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(answer["result"]["structuredContent"]["projectName"], "After");
}

#[test]
fn a_changed_godot_scene_is_told_and_read_anew() {
    let folder = Folder::empty();
    let project = folder.path("game");
    std::fs::create_dir_all(project.join("scenes")).unwrap();
    std::fs::write(project.join("project.godot"), "config_version=5\n").unwrap();
    let scene = project.join("scenes/a.tscn");
    let text =
        |name: &str| format!("[gd_scene format=3]\n\n[node name=\"{name}\" type=\"Node\"]\n");
    std::fs::write(&scene, text("Before")).unwrap();
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--structured", "--project", project.to_str().unwrap()]);
    let mut server = Server::start(command);
    server.send(INITIALIZE);
    server.receive();
    let uri = "godot://scene/scenes/a.tscn";
    let ask = |id: u32, method: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/{method}","params":{{"uri":"{uri}"}}}}"#
        )
    };
    server.send(&ask(1, "subscribe"));
    assert_eq!(server.receive()["result"], serde_json::json!({}));
    std::fs::write(&scene, text("After")).unwrap();
    let told = server.receive();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], uri);
    server.send(&ask(2, "read"));
    let answer = loop {
        let message = server.receive();
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(answer["result"]["contents"][0]["text"], text("After"));
}

/// A Godot project with one scene, `a.tscn`.
fn small_game(folder: &Folder) -> PathBuf {
    folder.write("game/project.godot", "config_version=5\n");
    folder.write("game/a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    folder.path("game")
}

#[test]
fn a_new_scene_is_told_to_every_client_that_shook_hands() {
    let folder = Folder::empty();
    let project = small_game(&folder);
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--structured", "--project"]).arg(&project);
    let mut server = Server::start(command);
    server.send(INITIALIZE);
    let declared = &server.receive()["result"]["capabilities"];
    assert_eq!(declared["resources"]["listChanged"], true);
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#);
    assert_eq!(server.receive()["id"], 1);
    std::fs::copy(project.join("a.tscn"), project.join("b.tscn")).unwrap();
    assert_eq!(server.receive()["method"], "notifications/resources/list_changed");
}

#[test]
fn who_only_listens_is_told_of_a_project_that_nobody_has_read() {
    let folder = Folder::empty();
    let project = small_game(&folder);
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--structured", "--project"]).arg(&project);
    let mut server = Server::start(command);
    let uri = "godot://scene/a.tscn";
    server.send(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{{"resourceSubscriptions":["{uri}"],"resourcesListChanged":true}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    ));
    assert_eq!(server.receive()["method"], "notifications/subscriptions/acknowledged");
    std::fs::write(project.join("a.tscn"), "[gd_scene format=3]\n").unwrap();
    let told = server.receive();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], uri);
    assert_eq!(server.receive()["method"], "notifications/resources/list_changed");
}

#[test]
fn fixtures_are_in_no_shipped_list() {
    let project = sample("godot");
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command
        .args([
            "serve",
            "--stdio",
            "--structured",
            "--toolsets",
            "all",
            "--allow-writes",
            "--project",
        ])
        .arg(project);
    let mut server = Server::start(command);
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let list = server.receive();
    let names: Vec<&str> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.len() >= 10 && !names.iter().any(|name| name.starts_with("test")), "{names:?}");
    server.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_echo"}}"#);
    assert_eq!(server.receive()["error"]["code"], -32602);
}

#[test]
fn addresses_of_older_protocols_are_shown_to_who_asks_for_one() {
    let folder = Folder::empty();
    let banner = |more: &[&str]| {
        let mut serve = command(folder.root());
        serve.args(["serve", "--http", "127.0.0.1:0", "--project"]).arg(sample("unity")).args(more);
        Server::start(serve).banner()
    };
    let plain = banner(&[]);
    assert!(plain.contains("/mcp\n"), "{plain}");
    for word in ["EditorMCP", "Explorer", "Framed"] {
        assert!(!plain.contains(word), "{plain}");
    }
    let asked = banner(&["--ws", "127.0.0.1:0"]);
    assert!(asked.contains("/editormcp\n") && asked.contains("/message\n"), "{asked}");
}

#[test]
fn the_line_to_connect_with_shows_the_token() {
    for (token, shown) in [("a token of sixteen letters", "YOUR_TOKEN"), ("auto", "")] {
        let folder = Folder::empty();
        let mut command = command(folder.root());
        command.args(["serve", "--structured", "--http", "127.0.0.1:0", "--token", token]);
        command.env("TMPDIR", folder.root());
        let mut server = Server::start(command);
        let seen = server.banner();
        let line = seen.lines().find(|line| line.contains("claude mcp add")).unwrap();
        let header = format!("--header \"Authorization: Bearer {shown}");
        assert!(line.contains(&header) && !line.contains(token), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_in_good_order() {
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command.args([
        "serve",
        "--structured",
        "--http",
        "127.0.0.1:0",
        "--tcp",
        "127.0.0.1:0",
        "--ws",
        "127.0.0.1:0",
    ]);
    let mut server = Server::start(command);
    let seen = server.banner();
    for word in
        ["http://127.0.0.1:", "/mcp", "ws://127.0.0.1:", "tcp://127.0.0.1:", "bundled samples"]
    {
        assert!(seen.contains(word), "{word}: {seen}");
    }
    let killed = Command::new("kill").arg(server.child.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(server.exit_code(), Some(0));
}
