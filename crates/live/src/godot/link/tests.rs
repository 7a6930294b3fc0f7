//! Links against stand-ins on loopback that do what real ones must not.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use scenewright_fixture::Folder;
use serde_json::{Map, Value, json};

use super::{Links, Peer, Side, frames};

const TOKEN: &str = "a token of this test";

/// A project with an editor that answers by a function; nothing ends the connection.
struct Stand {
    folder: Folder,
    links: Links,
}

type Answer = fn(&str, &Value) -> Option<Value>;

impl Stand {
    fn new() -> Self {
        let folder = Folder::empty();
        let links = Links::new(folder.root());
        Self { folder, links }
    }

    fn announce(&self, pid: u32, port: u16, protocol: u32) {
        let said = json!({
            "protocol": protocol, "version": "0.1.0", "kind": "editor", "pid": pid, "port": port,
            "token": TOKEN, "project": self.folder.root().display().to_string(),
        });
        let path = format!(".godot/scenewright/editor-{pid}.json");
        self.folder.write(&path, "");
        scenewright_text::private::write_whole(&self.folder.path(&path), said.to_string()).unwrap();
    }

    /// An editor for `clients` connections, one after the other.
    fn editor(&self, pid: u32, clients: usize, answer: Answer) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        self.announce(pid, listener.local_addr().unwrap().port(), 1);
        let project = self.folder.root().display().to_string();
        std::thread::spawn(move || {
            for _ in 0..clients {
                let Ok((stream, _)) = listener.accept() else { return };
                serve(stream, pid, &project, answer);
            }
        });
    }

    fn peer(&self) -> Result<Arc<Peer>, ToolError> {
        self.links.peer(Side::Editor, None)
    }

    fn call(&self, method: &str, seconds: f64) -> Result<Value, ToolError> {
        let time = Duration::from_secs_f64(seconds);
        self.peer()?.call(method, Map::new(), time, &Cancel::default())
    }
}

fn serve(mut stream: TcpStream, pid: u32, project: &str, answer: Answer) {
    while let Ok(Some(text)) = frames::read(&mut stream) {
        let message: Value = serde_json::from_slice(&text).unwrap();
        let method = message["method"].as_str().unwrap();
        let said = match method {
            "session.authenticate" if message["params"]["token"] == TOKEN => {
                Some(json!({ "result": { "pid": pid, "project": project, "godot": "4.6" } }))
            }
            "session.authenticate" => {
                Some(json!({ "error": { "code": 1000, "message": "Authentication failed" } }))
            }
            _ => answer(method, &message["params"]),
        };
        let Some(mut said) = said else { return };
        if said.is_null() {
            continue;
        }
        if said.get("event").is_none() {
            said["id"] = message["id"].clone();
        }
        if frames::write(&mut stream, &said).is_err() {
            return;
        }
    }
}

#[test]
fn a_call_names_the_project_and_is_answered() {
    let stand = Stand::new();
    stand.editor(7, 1, |_, params| Some(json!({ "result": params["project"] })));
    let said = stand.call("state", 2.0).unwrap();
    assert_eq!(said, stand.folder.root().display().to_string());
    let (states, problems) = stand.links.states();
    assert_eq!((states.len(), problems.len()), (1, 0));
    assert_eq!(states[0].godot.as_deref(), Some("4.6"));
}

#[test]
fn an_end_in_the_middle_is_heard_at_once_and_the_next_one_works() {
    let stand = Stand::new();
    stand.editor(7, 2, |method, _| match method {
        "die" => None,
        _ => Some(json!({ "result": 1 })),
    });
    let begin = Instant::now();
    let error = stand.call("die", 30.0).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert!(error.message.contains("whether it did it is not known"), "{}", error.message);
    assert!(begin.elapsed() < Duration::from_secs(10), "it waited for what cannot come");
    assert_eq!(stand.call("state", 2.0).unwrap(), 1);
}

#[test]
fn a_busy_main_thread_is_told_from_silence() {
    let stand = Stand::new();
    stand.editor(7, 1, |method, _| match method {
        "transport.healthCheck" => Some(json!({ "result": { "status": "ok", "busyMs": 4200 } })),
        _ => Some(Value::Null),
    });
    let error = stand.call("tree", 1.8).unwrap_err();
    assert!(error.message.contains("busy for 4.2 s"), "{}", error.message);
    let silent = Stand::new();
    silent.editor(7, 1, |_, _| Some(Value::Null));
    let error = silent.call("tree", 0.2).unwrap_err();
    assert!(error.message.contains("does not answer at all"), "{}", error.message);
}

#[test]
fn who_gives_up_does_not_wait() {
    let stand = Stand::new();
    stand.editor(7, 1, |_, _| Some(Value::Null));
    let cancel = Cancel::default();
    cancel.cancel();
    let peer = stand.peer().unwrap();
    let error = peer.call("tree", Map::new(), Duration::from_secs(30), &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

#[test]
fn nobody_and_two_and_another_version_are_told_apart() {
    let stand = Stand::new();
    let error = stand.peer().err().unwrap();
    assert!(error.message.contains("no editor is connected"), "{}", error.message);
    // A file of a process that is gone is taken away.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    stand.announce(3, port, 1);
    assert!(stand.peer().is_err());
    assert!(!stand.folder.path(".godot/scenewright/editor-3.json").exists());
    stand.announce(4, 1, 9);
    let error = stand.peer().err().unwrap();
    assert!(error.message.contains("scenewright install godot-addon"), "{}", error.message);
    stand.editor(7, 1, |_, _| Some(json!({ "result": 1 })));
    assert_eq!(stand.call("state", 2.0).unwrap(), 1);
    stand.editor(8, 1, |_, _| Some(json!({ "result": 2 })));
    let error = stand.peer().err().unwrap();
    assert!(error.message.contains("7, 8"), "{}", error.message);
    assert!(stand.links.peer(Side::Editor, Some(8)).is_ok());
    assert_eq!(stand.links.editors().len(), 2);
    assert!(stand.links.peer(Side::Game, None).is_err());
}

#[test]
fn whoever_took_the_port_of_another_is_not_believed() {
    let stand = Stand::new();
    stand.editor(7, 1, |_, _| Some(json!({ "result": 1 })));
    // The file names another process.
    let text =
        stand.folder.read(".godot/scenewright/editor-7.json").replace("\"pid\":7", "\"pid\":9");
    let path = stand.folder.path(".godot/scenewright/editor-7.json");
    scenewright_text::private::write_whole(&path, text).unwrap();
    let error = stand.peer().err().unwrap();
    assert!(error.message.contains("is not of the editor of process 9"), "{}", error.message);
}

#[test]
fn what_is_told_by_itself_is_kept_in_order() {
    let stand = Stand::new();
    stand.editor(7, 1, |method, _| match method {
        "tell" => Some(json!({ "event": true, "params": { "event": "scene_changed", "scene": "res://a.tscn" } })),
        _ => Some(json!({ "result": 1 })),
    });
    let peer = stand.peer().unwrap();
    assert!(peer.call("tell", Map::new(), Duration::from_millis(200), &Cancel::default()).is_err());
    assert_eq!(stand.call("state", 2.0).unwrap(), 1);
    let (events, last) = peer.events(0);
    assert_eq!((events.len(), last), (1, 1));
    assert_eq!(events[0]["scene"], "res://a.tscn");
    assert!(peer.events(last).0.is_empty());
}
