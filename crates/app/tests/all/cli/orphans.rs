//! What a server started ends with it, also when it is killed; with a shell script in the place of the engine.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::cli::serving::Server;

/// What has to happen happens within this time, on any machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// An engine behind a script of its own, as many are; both tell their numbers.
const ENGINE: &str = "#!/bin/sh\n[ \"$1\" = --version ] && echo 4.6.stable && exit\n\
    sleep 600 &\necho $$ $! >> \"$PIDS\"\nwait\n";

struct Ground {
    folder: Folder,
}

impl Ground {
    fn new() -> Self {
        let folder = Folder::empty();
        folder.write("game/project.godot", "config_version=5\n");
        folder.write("game/a.tscn", "[gd_scene format=3]\n");
        folder.write("game/a.gd", "extends Node\nvar health := 1\n");
        folder.write("tmp/other.txt", "");
        let engine = crate::cli::file(&folder, "godot", ENGINE);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(engine, mode).unwrap();
        Self { folder }
    }

    fn server(&self) -> Server {
        let mut command = hearing(crate::cli::command(self.folder.root()));
        command.args(["serve", "--stdio", "--structured", "--allow-runs", "--project"]);
        command.arg(self.folder.path("game")).env("GODOT_PATH", self.folder.path("godot"));
        command.env("PIDS", self.folder.path("pids")).env("TMPDIR", self.folder.path("tmp"));
        Server::start(command)
    }

    /// The processes that engines told of so far.
    fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.folder.path("pids")).unwrap_or_default();
        text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
    }

    /// What this program has in the temporary folder.
    fn left(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path("tmp")).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("scenewright-")).collect()
    }
}

/// Whoever runs these tests may have said that the end of the terminal is to be ignored; the program is not to know.
#[cfg(target_os = "linux")]
fn hearing(program: Command) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP".as_ref(), program.get_program()]);
    command.args(program.get_args());
    command.current_dir(program.get_current_dir().unwrap());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[cfg(not(target_os = "linux"))]
fn hearing(program: Command) -> Command {
    program
}

/// A case that fails leaves nothing behind.
impl Drop for Ground {
    fn drop(&mut self) {
        let root = self.folder.root().display().to_string();
        for pid in self.pids() {
            let said = Command::new("ps").args(["-o", "args=", "-p", &pid.to_string()]).output();
            let said = String::from_utf8_lossy(&said.unwrap().stdout).into_owned();
            if said.contains(&root) || said.contains("sleep 600") {
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).output();
            }
        }
    }
}

fn begin(server: &mut Server, name: &str, arguments: &Value) {
    let params = json!({ "name": name, "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params });
    server.send(&call.to_string());
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// One that ended and that nobody has waited for yet runs no longer.
fn is_running(pid: u32) -> bool {
    let said = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

fn signal(name: &str, pid: u32) {
    let pid = pid.to_string();
    assert!(Command::new("kill").args([name, &pid]).status().unwrap().success(), "{name} {pid}");
}

/// A server with a game, a hidden editor in a temporary folder and an editor for a person; their
/// processes, the last two of which are the person's.
fn busy(ground: &Ground) -> (Server, Vec<u32>) {
    let mut server = ground.server();
    begin(&mut server, "run_project", &json!({ "scene": "a.tscn", "headless": true }));
    assert_eq!(server.receive()["result"]["structuredContent"]["running"], true);
    // It waits for an answer of the hidden editor's, which this one never gives.
    begin(&mut server, "script_symbol", &json!({ "scriptPath": "a.gd", "symbol": "health" }));
    wait_until("a hidden editor", || ground.pids().len() == 4);
    begin(&mut server, "launch_editor", &json!({}));
    let answer = server.receive();
    assert_eq!(answer["result"]["structuredContent"]["success"], true, "{answer}");
    wait_until("an editor for a person", || ground.pids().len() == 6);
    let pids = ground.pids();
    assert!(pids.iter().all(|pid| is_running(*pid)), "{pids:?}");
    assert!(!ground.left().is_empty(), "the hidden editor has a folder");
    (server, pids)
}

fn only_the_persons_editor_stays(ground: &Ground, pids: &[u32]) {
    let (ours, persons) = pids.split_at(4);
    wait_until("the game and the hidden editor are gone", || {
        !ours.iter().any(|pid| is_running(*pid))
    });
    wait_until("the temporary folder is gone", || ground.left().is_empty());
    assert!(persons.iter().all(|pid| is_running(*pid)), "the person's editor is theirs");
    assert!(Path::new(&ground.folder.path("tmp/other.txt")).exists());
    persons.iter().for_each(|pid| signal("-KILL", *pid));
}

#[test]
fn a_killed_server_leaves_no_game_no_hidden_editor_and_no_folder() {
    let ground = Ground::new();
    let (mut server, pids) = busy(&ground);
    signal("-KILL", server.child.id());
    server.child.wait().unwrap();
    only_the_persons_editor_stays(&ground, &pids);
}

#[test]
fn a_server_whose_terminal_goes_leaves_nothing_either() {
    for name in ["-HUP", "-TERM"] {
        let ground = Ground::new();
        let (mut server, pids) = busy(&ground);
        signal(name, server.child.id());
        if cfg!(target_os = "linux") {
            assert_eq!(server.exit_code(), Some(0), "it ends in good order");
        } else {
            server.child.wait().unwrap();
        }
        only_the_persons_editor_stays(&ground, &pids);
    }
}

/// `nohup` says that the end of the terminal is to be ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_server_under_nohup_stays() {
    let ground = Ground::new();
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_scenewright")).current_dir(ground.folder.root());
    command.env("HOME", ground.folder.root());
    command.args(["serve", "--stdio", "--structured", "--project"]).arg(ground.folder.path("game"));
    let mut server = Server::start(command);
    begin(&mut server, "project_info", &json!({}));
    server.receive();
    signal("-HUP", server.child.id());
    begin(&mut server, "project_info", &json!({}));
    assert_eq!(server.receive()["id"], "project_info");
    drop(server.child.stdin.take());
    assert_eq!(server.exit_code(), Some(0));
}

/// Whoever kills all that is ours kills the watchdog, too.
#[cfg(target_os = "linux")]
#[test]
fn what_outlived_the_server_and_its_watchdog_is_ended_by_the_next_server() {
    let ground = Ground::new();
    let (mut server, pids) = busy(&ground);
    let id = server.child.id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let watchdogs: Vec<u32> = all
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            line == b"scenewright\0watchdog\0" && status.contains(&format!("PPid:\t{id}\n"))
        })
        .collect();
    assert_eq!(watchdogs.len(), 1, "{children}");
    // The server would notice, and start another one.
    signal("-STOP", id);
    signal("-KILL", watchdogs[0]);
    signal("-KILL", id);
    server.child.wait().unwrap();
    assert!(pids.iter().all(|pid| is_running(*pid)), "nobody is there to end them");
    assert!(!ground.left().is_empty());
    // A server that may run nothing ends nothing.
    let mut reader = crate::cli::command(ground.folder.root());
    reader.args(["serve", "--stdio", "--structured", "--project"]).arg(ground.folder.path("game"));
    let mut reader = Server::start(reader);
    begin(&mut reader, "project_info", &json!({}));
    reader.receive();
    assert!(pids.iter().all(|pid| is_running(*pid)), "a reader ends nothing");
    let _next = ground.server();
    only_the_persons_editor_stays(&ground, &pids);
}
