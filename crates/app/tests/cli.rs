//! The command line as scripts use it: the real binary, its output and its exit codes.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use scenewright_fixture::{Folder, copy, sample};
use serde_json::Value;

/// No answer takes longer, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A new file of the folder, as an argument.
fn file(folder: &Folder, name: &str, text: &str) -> String {
    folder.write(name, text);
    folder.path(name).to_str().unwrap().to_owned()
}

/// The binary in `folder`, with a cache of its own there.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
    command.current_dir(folder).env("XDG_CACHE_HOME", folder).env("HOME", folder);
    command.env_remove("SCENEWRIGHT_TOKEN").env_remove("READ_ONLY_MODE");
    command
}

fn run(args: &[&str]) -> Output {
    let folder = Folder::empty();
    command(folder.root()).args(args).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn call_prints_json_and_exits_0() {
    let project = sample("godot");
    let output = run(&["call", "project.info", "--project", project.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["projectName"], "Lighthouse Run");
    assert_eq!(stderr(&output), "");
}

#[test]
fn call_takes_typed_arguments() {
    let output = run(&["call", "tools.search", "query=10", "limit=2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output =
        run(&["call", "tools_search", "--json", r#"{"query":"project version","limit":1}"#]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["tools"][0]["name"], "project_getVersion");
}

#[test]
fn a_tool_error_is_json_on_stderr_and_exit_1() {
    let project = sample("godot");
    let project = project.to_str().unwrap();
    let output = run(&["call", "project.info", "project=nope", "--project", project]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    assert_eq!(error["error"]["kind"], "engine_error");
    let output = run(&["call", "project.inof", "--project", project]);
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error["error"]["hint"], "did you mean project.info?");
}

#[test]
fn where_there_is_no_project_nothing_is_reported_about_another() {
    for args in [
        &["check"][..],
        &["check", "--format", "junit"],
        &["tree", "scenes/main.tscn"],
        &["call", "project.info"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains("no project here") && said.contains("--project DIR"), "{said}");
        assert_eq!(stdout(&output), "", "{args:?}");
        let output = run(&[args, &["--sample"]].concat());
        assert!(output.status.code() != Some(2), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_project_is_found_from_any_folder_in_it() {
    let folder = Folder::copy_of(&sample("godot"));
    std::fs::create_dir_all(folder.path("deep/er")).unwrap();
    for place in ["", "scenes", "deep/er"] {
        let call = |args: &[&str]| command(&folder.path(place)).args(args).output().unwrap();
        let output = call(&["call", "project.info"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["projectName"], "Lighthouse Run", "{place}");
        assert!(stdout(&call(&["tree", "res://scenes/coin.tscn"])).contains("Coin"), "{place}");
        let output = call(&["check", "--format", "json", "--fail-on", "never"]);
        assert_eq!(output.status.code(), Some(0), "{place}: {}", stderr(&output));
    }
}

#[test]
fn a_dry_run_needs_no_word_of_the_operator() {
    let folder = Folder::copy_of(&sample("godot"));
    let project = folder.root().to_str().unwrap();
    let scene = || std::fs::read_to_string(folder.path("scenes/main.tscn")).unwrap();
    let before = scene();
    let arguments = ["scenePath=scenes/main.tscn", "nodeType=Timer", "nodeName=10"];
    let add = [&["call", "add_node", "--project", project][..], &arguments].concat();
    let shown = run(&[&add[..], &["--dry-run"]].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    let value: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((&value["dryRun"], &value["filesChanged"]), (&true.into(), &1.into()));
    assert_eq!(run(&add).status.code(), Some(1), "without it the write is refused");
    assert_eq!(scene(), before);
}

/// A limit on the size of files ends the write, not the program.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = Folder::copy_of(&sample("godot"));
    let home = Folder::empty();
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]);
    limited.arg(env!("CARGO_BIN_EXE_scenewright"));
    limited.args(["call", "add_node", "--allow-writes", "scenePath=scenes/main.tscn"]);
    limited.args(["nodeType=Timer", "nodeName=Late", "--project"]).arg(folder.root());
    limited.current_dir(home.root()).env("XDG_CACHE_HOME", home.root()).env("HOME", home.root());
    let output = limited.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("\"error\""), "{}", stderr(&output));
}

#[test]
fn read_only_mode_holds_for_every_command() {
    let folder = Folder::copy_of(&sample("godot"));
    let home = Folder::empty();
    let call = |mode: &str| {
        let mut command = command(home.root());
        command.env("READ_ONLY_MODE", mode).args(["call", "add_node", "--allow-writes"]);
        command.args([
            "scenePath=scenes/main.tscn",
            "nodeType=Timer",
            "nodeName=Late",
            "--project",
        ]);
        command.arg(folder.root()).stdin(Stdio::null()).output().unwrap()
    };
    let scene = || std::fs::read_to_string(folder.path("scenes/main.tscn")).unwrap();
    let before = scene();
    for mode in ["true", "1", "YES", "on"] {
        let output = call(mode);
        assert_eq!(output.status.code(), Some(1), "{mode}: {}", stderr(&output));
        assert!(stderr(&output).contains("\"denied\""), "{mode}: {}", stderr(&output));
    }
    let output = call("maybe");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("it takes true or false"), "{}", stderr(&output));
    assert_eq!(scene(), before);
    let output = call("off");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(scene().contains("Late"));
}

#[test]
fn bad_usage_is_exit_2_and_says_what_to_try() {
    for (args, hint) in [
        (&["call", "project.info", "oops"][..], "key=value"),
        (&["call", "project.info", "--json", "7"], "JSON object"),
        (&["call", "project.info", "--project", "no/such/folder"], "no/such/folder"),
        (&["call", "project.info", "--allow-write"], "--allow-writes"),
        (&["serv"], "serve"),
        (&["serve", "--tier", "gold"], "unknown tier 'gold'"),
        (&["serve", "--toolsets", "projct"], "did you mean project?"),
        (&["serve", "--http", "0.0.0.0:0"], "--token"),
        (&["serve", "--token-file", "none"], "none"),
        (&["serve", "--http", "0.0.0.0:0", "--token", ""], "at least 16"),
        (&["serve", "--tcp", "0.0.0.0:0", "--token", "short"], "at least 16"),
        (&["serve", "--config", "none.toml"], "none.toml"),
        (&["tools", "describe", "project.inof"], "did you mean project.info?"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(hint), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
    }
}

#[test]
fn tools_are_listed_for_people_and_for_every_dialect() {
    let table = stdout(&run(&["tools"]));
    assert!(table.contains("project.info") && !table.contains('\x1b'), "{table}");
    for (dialect, name) in [("mcp", "project_info"), ("editor", "project.info")] {
        let output = run(&["tools", "list", "--dialect", dialect]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let key = if dialect == "mcp" { "name" } else { "id" };
        assert!(value["tools"].as_array().unwrap().iter().any(|tool| tool[key] == name));
    }
    let explorer = run(&["tools", "list", "--dialect", "explorer"]);
    assert!(stdout(&explorer).starts_with(r#"{"tools":[{"name":"GetStatus","description":""#));
    let described = stdout(&run(&["tools", "describe", "tools_search"]));
    assert!(described.contains("query?") && described.contains("scenewright call tools.search"));
}

#[test]
fn definitions_are_validated_with_pointers() {
    let folder = Folder::empty();
    let good = run(&["tools", "list", "--dialect", "editor"]);
    let good = file(&folder, "good.json", &stdout(&good));
    let output = run(&["tools", "validate", "--profile", "open", &good]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let bad = file(
        &folder,
        "bad.json",
        r#"{"tools":[{"id":"Scene Dump","inputs":{"a":{"type":"int"}}}]}"#,
    );
    let output = run(&["tools", "validate", &bad]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for pointer in ["#/tools/0 ", "#/tools/0/id ", "#/tools/0/inputs/a/type "] {
        assert!(text.contains(pointer), "{pointer}: {text}");
    }
    let json = run(&["tools", "validate", "--json", &bad, &good]);
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(value["errors"].as_u64().unwrap() > 0 && value["problems"].is_array());
    let broken = file(&folder, "broken.json", "{");
    assert_eq!(run(&["tools", "validate", &broken]).status.code(), Some(2));
}

#[test]
fn doctor_tells_what_is_there() {
    let project = sample("unity");
    let output = run(&["doctor", "--project", project.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for word in ["Lantern Keep", "2022.3.20f1", "Engines", "Live links", "Clients"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let json = run(&["doctor", "--json"]);
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(value["findings"].as_array().unwrap().len() > 5);
}

/// A copy of the Unity sample to break.
fn broken_sample(folder: &Folder) -> PathBuf {
    let project = folder.path("keep");
    copy(&sample("unity"), &project);
    // Every package is on disk, so that what is unknown is really unknown.
    std::fs::write(project.join("Packages/manifest.json"), r#"{"dependencies":{}}"#).unwrap();
    std::fs::write(project.join("Packages/packages-lock.json"), r#"{"dependencies":{}}"#).unwrap();
    std::fs::remove_file(project.join("Assets/Scripts/Collectible.cs")).unwrap();
    std::fs::remove_file(project.join("Assets/Materials/Stone.mat")).unwrap();
    std::fs::remove_file(project.join("Assets/Materials/Stone.mat.meta")).unwrap();
    project
}

#[test]
fn check_finds_what_is_broken_in_every_format() {
    let folder = Folder::empty();
    let project = broken_sample(&folder);
    let project = project.to_str().unwrap();
    let output = run(&["check", "--project", project, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let has = |rule: &str, file: &str, object: &str| {
        findings.iter().any(|f| f["rule"] == rule && f["file"] == file && f["object"] == object)
    };
    assert!(has("missing-script", "Assets/Prefabs/Room.prefab", "Room/Key"), "{findings:#?}");
    assert!(has("missing-script", "Assets/Prefabs/GoldenLantern.prefab", "GoldenLantern"));
    assert!(has("broken-reference", "Assets/Scenes/Main.unity", "Ground"));
    assert!(findings.iter().any(|f| {
        f["rule"] == "meta-without-asset" && f["file"] == "Assets/Scripts/Collectible.cs.meta"
    }));
    for (format, word) in [
        ("text", "missing-script: Restore"),
        ("sarif", "\"version\": \"2.1.0\""),
        ("junit", "<testsuite name="),
        ("github", "::error file=Assets/Prefabs/Room.prefab,line="),
    ] {
        let output = run(&["check", "--project", project, "--format", format]);
        assert!(stdout(&output).contains(word), "{format}: {}", stdout(&output));
    }
    let accepted = folder.path("accepted.json");
    let accepted = accepted.to_str().unwrap();
    let output = run(&["check", "--project", project, "--write-baseline", accepted]);
    assert_eq!(output.status.code(), Some(0));
    let output = run(&["check", "--project", project, "--baseline", accepted]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let output = run(&["check", "--project", project, "--fail-on", "never"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn check_judges_godot_projects() {
    let project = sample("godot");
    let output =
        run(&["check", "--project", project.to_str().unwrap(), "--fail-on", "warning", "--all"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let folder = Folder::empty();
    let write = |name: &str, text: &str| folder.write(name, text);
    write("project.godot", "config_version=5\n");
    write(
        "main.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\
         [node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n",
    );
    let project = folder.root().to_str().unwrap();
    let output = run(&["check", "--project", project, "--format", "github"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("::error file=main.tscn,line=2,title=godot-missing-resource"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn tree_draws_what_the_editor_shows() {
    let scene = sample("unity").join("Assets/Scenes/Cellar.unity");
    let project = sample("unity");
    let output = run(&["tree", scene.to_str().unwrap(), "--project", project.to_str().unwrap()]);
    assert_eq!(
        stdout(&output).lines().skip(1).collect::<Vec<_>>(),
        [
            "├─ Cellar Camera",
            "├─ Floor",
            "├─ Rune Stone ᚠ",
            "├─ Storage Room <Assets/Prefabs/Room.prefab>",
            "│  ├─ Floor",
            "│  ├─ Wall North",
            "│  ├─ Key",
            "│  ├─ GoldenLantern <Assets/Prefabs/GoldenLantern.prefab>",
            "│  │  ├─ Flame",
            "│  │  └─ Gilded Ring",
            "│  └─ Wall Lantern <Assets/Prefabs/Lantern.prefab>",
            "│     └─ Flame",
            "└─ Drip Sound",
        ]
    );
    assert_eq!(run(&["tree", "Assets/Nope.unity", "--sample"]).status.code(), Some(1));
}

#[test]
fn tree_draws_godot_scenes_with_what_instances_bring() {
    let scene = sample("godot").join("scenes/player.tscn");
    let project = sample("godot");
    let output = run(&["tree", scene.to_str().unwrap(), "--project", project.to_str().unwrap()]);
    assert_eq!(
        stdout(&output).lines().collect::<Vec<_>>(),
        [
            "scenes/player.tscn",
            "└─ Player CharacterBody2D <scenes/actor.tscn> scripts/player.gd",
            "   ├─ Shape CollisionShape2D",
            "   ├─ Body Polygon2D",
            "   │  └─ Scarf Polygon2D",
            "   ├─ AnimationPlayer AnimationPlayer",
            "   └─ CoyoteTimer Timer",
        ]
    );
    let output = run(&["tree", "res://scenes/coin.tscn", "--depth", "0", "--json", "--sample"]);
    let dumped: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(dumped["objectCount"], 1);
    assert_eq!(dumped["rootObjects"][0]["groups"], serde_json::json!(["coins"]));
    assert_eq!(run(&["tree", "scenes/nope.tscn", "--sample"]).status.code(), Some(1));
}

#[test]
fn a_running_server_sees_what_changed_on_disk() {
    let folder = Folder::empty();
    let project = broken_sample(&folder);
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--project"]).arg(&project);
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

/// A server under test; its process ends with it.
struct Server {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Server {
    fn start(mut command: Command) -> Self {
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

    fn send(&mut self, message: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
        serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("stdout is only for messages: {line}"))
    }

    fn exit_code(&mut self) -> Option<i32> {
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
fn serve_without_a_terminal_speaks_stdio_and_ends_with_its_client() {
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command.arg("serve");
    let mut server = Server::start(command);
    server.send(INITIALIZE);
    assert_eq!(server.receive()["result"]["serverInfo"]["name"], "scenewright");
    server
        .send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"project_info"}}"#);
    assert_eq!(server.receive()["result"]["structuredContent"]["projectName"], "Lantern Keep");
    drop(server.child.stdin.take());
    assert_eq!(server.exit_code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_game_ends_with_the_server_that_started_it() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::empty();
    let project = folder.path("game");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("project.godot"), "config_version=5\n").unwrap();
    std::fs::write(project.join("a.tscn"), "[gd_scene format=3]\n").unwrap();
    let engine = file(
        &folder,
        "godot",
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 4.6.stable && exit\nexec sleep 600\n",
    );
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--allow-runs", "--project", project.to_str().unwrap()]);
    command.env("GODOT_PATH", &engine);
    let mut server = Server::start(command);
    server.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_project","arguments":{"scene":"a.tscn","headless":true}}}"#);
    let answer = server.receive();
    let pid = answer["result"]["structuredContent"]["pid"].as_u64();
    let pid = pid.unwrap_or_else(|| panic!("{answer}"));
    let runs = || {
        let pid = pid.to_string();
        Command::new("kill").args(["-0", &pid]).output().unwrap().status.success()
    };
    assert!(runs());
    drop(server.child.stdin.take());
    assert_eq!(server.exit_code(), Some(0));
    assert!(!runs());
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
    command.args(["serve", "--stdio", "--project", project.to_str().unwrap()]);
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
    command.args(["serve", "--stdio", "--project", project.to_str().unwrap()]);
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

#[test]
fn fixtures_are_in_no_shipped_list() {
    let project = sample("godot");
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command
        .args(["serve", "--stdio", "--toolsets", "all", "--allow-writes", "--project"])
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

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_in_good_order() {
    let folder = Folder::empty();
    let mut command = command(folder.root());
    command.args(["serve", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--ws", "127.0.0.1:0"]);
    let mut server = Server::start(command);
    let mut lines = BufReader::new(server.child.stderr.take().unwrap()).lines();
    let mut seen = String::new();
    while !seen.contains("Ctrl-C ends the server") {
        seen.push_str(&lines.next().unwrap().unwrap());
        seen.push('\n');
    }
    for word in
        ["http://127.0.0.1:", "/mcp", "ws://127.0.0.1:", "tcp://127.0.0.1:", "bundled samples"]
    {
        assert!(seen.contains(word), "{word}: {seen}");
    }
    let killed = Command::new("kill").arg(server.child.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(server.exit_code(), Some(0));
}
