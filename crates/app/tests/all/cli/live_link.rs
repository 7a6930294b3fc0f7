//! What the real server says to whoever listens where an editor once announced itself.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::cli::serving::Server;

const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

fn server(folder: &Folder) -> Server {
    folder.write("game/project.godot", "config_version=5\n");
    folder.write("game/a.tscn", SCENE);
    let mut command = crate::cli::command(folder.root());
    command
        .args(["serve", "--stdio", "--structured", "--allow-writes", "--project"])
        .arg(folder.path("game"));
    Server::start(command)
}

fn announce(folder: &Folder, protocol: u32, port: u16) {
    let said = json!({
        "protocol": protocol, "version": "0.1.0", "kind": "editor", "pid": std::process::id(),
        "port": port, "token": TOKEN, "project": folder.path("game").display().to_string(),
    });
    let path = folder.path("game/.godot/scenewright/editor-1.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    scenewright_text::private::write_whole(&path, said.to_string()).unwrap();
}

fn call(server: &mut Server, name: &str, arguments: &Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    server.send(&call.to_string());
    server.receive()["result"].take()
}

/// Hears what every client says, and answers as an editor of before there were proofs.
fn stranger(project: String) -> (u16, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, tell) = (stream.unwrap(), tell.clone());
            let pid = std::process::id();
            let hello = json!({ "pid": pid, "project": project, "godot": "4.6.3", "nonce": "00".repeat(32), "proof": "00".repeat(32) });
            std::thread::spawn(move || {
                let mut buffer = [0; 65536];
                while let Ok(read @ 1..) = stream.read(&mut buffer) {
                    let _ = tell.send(buffer[..read].to_vec());
                    let said: Value = serde_json::from_slice(&buffer[4..read]).unwrap_or_default();
                    let answer = json!({ "jsonrpc": "2.0", "id": said["id"], "result": hello });
                    let text = answer.to_string();
                    let length = u32::try_from(text.len()).unwrap().to_le_bytes();
                    let _ = stream.write_all(&[&length, text.as_bytes()].concat());
                }
            });
        }
    });
    (port, heard)
}

#[test]
fn a_listener_without_the_token_gets_neither_token_nor_path_nor_state() {
    for protocol in [1, 2] {
        let folder = Folder::empty();
        let project = folder.path("game").display().to_string();
        let (port, heard) = stranger(project.clone());
        let mut server = server(&folder);
        announce(&folder, protocol, port);
        let state = call(&mut server, "live_status", &json!({}))["structuredContent"].take();
        let problem = state["running"][0]["problem"].as_str().unwrap_or_else(|| panic!("{state}"));
        let expected = match protocol {
            1 => "`scenewright install godot-addon` brings its own",
            _ => "does not prove to be the editor",
        };
        assert!(problem.contains(expected), "{problem}");
        let save = json!({ "scenePath": "res://a.tscn", "action": "save" });
        assert_eq!(call(&mut server, "editor_scene", &save)["isError"], true);
        let add = json!({ "scenePath": "res://a.tscn", "nodeType": "Timer", "nodeName": "T" });
        assert_ne!(call(&mut server, "add_node", &add)["isError"], true);
        assert!(folder.read("game/a.tscn").contains("Timer"));
        let all: Vec<u8> = heard.try_iter().flatten().collect();
        let all = String::from_utf8_lossy(&all).into_owned();
        for secret in [TOKEN, &project, "res://", "scene.save", "files.changed", "\"state\""] {
            assert!(!all.contains(secret), "protocol {protocol}: {secret} was said: {all}");
        }
        // The control: it was listening, and an addon that can prove itself would have been asked.
        assert_eq!(all.contains("session.challenge"), protocol == 2, "{all}");
    }
}

#[test]
fn a_pipe_where_an_editor_announces_itself_holds_nothing_up() {
    let folder = Folder::empty();
    let mut server = server(&folder);
    let pipe = folder.path("game/.godot/scenewright/editor-1.json");
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let begin = Instant::now();
    let state = call(&mut server, "live_status", &json!({}))["structuredContent"].take();
    let problem = "editor-1.json is not believed: it is a pipe, not a file";
    assert_eq!(state["problems"], json!([problem]), "{state}");
    let add = json!({ "scenePath": "res://a.tscn", "nodeType": "Timer", "nodeName": "T" });
    assert_ne!(call(&mut server, "add_node", &add)["isError"], true);
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
}
