//! Which project a server works on: what it finds, what its client says, and what is said where there is
//! none.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::cli::serving::Server;
use crate::cli::{command, run, stdout};

const GODOT: &str = "config_version=5\n";
const UNITY: &str = "m_EditorVersion: 2022.3.20f1\n";

/// A server on stdio, its client, and what came unasked.
struct Talk {
    server: Server,
    next: u64,
    came: VecDeque<Value>,
}

impl Talk {
    /// Serve from a folder, with a state folder of its own.
    fn start(folder: &Folder, from: &str, args: &[&str]) -> Self {
        std::fs::create_dir_all(folder.path(from)).unwrap();
        let mut command = command(&folder.path(from));
        let home = folder.path("user");
        for name in ["HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            command.env(name, &home);
        }
        command.args(["serve", "--stdio"]).args(args);
        Self { server: Server::start(command), next: 1, came: VecDeque::new() }
    }

    fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.server.send(&request.to_string());
        id
    }

    fn notify(&mut self, method: &str) {
        self.server.send(&json!({ "jsonrpc": "2.0", "method": method }).to_string());
    }

    /// The next message of a kind, whatever came before it.
    fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.came.iter().position(&is_wanted) {
            return self.came.remove(at).unwrap();
        }
        loop {
            let message = self.server.receive();
            if is_wanted(&message) {
                return message;
            }
            self.came.push_back(message);
        }
    }

    /// What came of a request; the error where it is one.
    fn answer(&mut self, id: u64) -> Value {
        let answer = self.wait(|came| came["id"] == id && came.get("method").is_none());
        answer.get("result").unwrap_or(&answer["error"]).clone()
    }

    /// Shake hands; gives the instructions.
    fn hello(&mut self, capabilities: Value) -> String {
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": { "name": "t", "version": "1" } });
        let id = self.request("initialize", hello);
        let instructions = self.answer(id)["instructions"].as_str().unwrap().to_owned();
        self.notify("notifications/initialized");
        instructions
    }

    /// The same for a client that tells the folders it works in.
    fn hello_with_roots(&mut self) -> String {
        self.hello(json!({ "roots": { "listChanged": true } }))
    }

    /// The question for the folders.
    fn asked(&mut self) -> Value {
        self.wait(|came| came["method"] == "roots/list")["id"].clone()
    }

    fn tell(&mut self, question: &Value, folders: &[&Path]) {
        let roots: Vec<Value> = folders.iter().map(|path| json!({ "uri": uri(path) })).collect();
        let answer = json!({ "jsonrpc": "2.0", "id": question, "result": { "roots": roots } });
        self.server.send(&answer.to_string());
    }

    fn works_in(&mut self, folders: &[&Path]) {
        let question = self.asked();
        self.tell(&question, folders);
    }

    /// What a tool says, remarks included.
    fn call(&mut self, tool: &str, arguments: Value) -> Said {
        let id = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        Said::of(&self.answer(id))
    }

    fn open(&mut self) -> Vec<String> {
        let id = self.request("resources/read", json!({ "uri": "scenewright://server" }));
        let read = self.answer(id)["contents"][0]["text"].as_str().unwrap().to_owned();
        let read: Value = serde_json::from_str(&read).unwrap();
        let ids = read["projects"].as_array().unwrap().iter();
        ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    }

    fn tools(&mut self) -> Vec<String> {
        let id = self.request("tools/list", json!({}));
        let tools = self.answer(id)["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The lists that changed so far.
    fn changed_lists(&mut self) -> Vec<String> {
        self.open();
        let came = self.came.drain(..);
        let methods = came.filter_map(|came| came["method"].as_str().map(str::to_owned));
        let mut lists: Vec<String> = methods
            .filter_map(|method| {
                let list = method.strip_suffix("/list_changed")?.strip_prefix("notifications/")?;
                Some(list.to_owned())
            })
            .collect();
        lists.sort();
        lists.dedup();
        lists
    }
}

/// What a call came to.
#[derive(Debug)]
struct Said {
    failed: bool,
    text: String,
}

impl Said {
    fn of(result: &Value) -> Self {
        let Some(blocks) = result["content"].as_array() else {
            return Self { failed: true, text: result["message"].to_string() };
        };
        let blocks = blocks.iter();
        let text: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
        Self { failed: result["isError"] == true, text: text.join("\n") }
    }

    #[track_caller]
    fn says(&self, words: &[&str]) -> &Self {
        for words in words {
            assert!(self.text.contains(words), "{words}: {self:#?}");
        }
        self
    }

    #[track_caller]
    fn is_fine(&self) -> &Self {
        assert!(!self.failed, "{self:#?}");
        self
    }

    #[track_caller]
    fn is_refused(&self) -> &Self {
        assert!(self.failed, "{self:#?}");
        self
    }
}

/// The address of a folder, as clients write it.
fn uri(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

fn godot(folder: &Folder, path: &str) {
    folder.write(&format!("{path}/project.godot"), GODOT);
}

fn unity(folder: &Folder, path: &str) {
    folder.write(&format!("{path}/ProjectSettings/ProjectVersion.txt"), UNITY);
}

const NOTES: &str = "notes.txt";

fn write() -> (&'static str, Value) {
    ("project_writeFile", json!({ "path": NOTES, "content": "hi" }))
}

#[test]
fn a_write_goes_into_the_project_that_the_client_works_in() {
    let folder = Folder::empty();
    godot(&folder, "home/OldGame");
    godot(&folder, "Mario");
    let mut talk = Talk::start(&folder, "home", &["--allow-writes"]);
    let instructions = talk.hello_with_roots();
    assert!(instructions.contains("Should this client announce folders"), "{instructions}");
    talk.works_in(&[&folder.path("Mario")]);
    let (tool, arguments) = write();
    talk.call(tool, arguments).is_fine();
    assert!(folder.path("Mario").join(NOTES).exists());
    assert!(!folder.path("home/OldGame").join(NOTES).exists());
    assert_eq!(talk.changed_lists(), ["prompts", "resources", "tools"]);
    assert_eq!(talk.open(), ["Mario"]);
}

#[test]
fn calls_wait_for_the_folders() {
    let folder = Folder::empty();
    unity(&folder, "home/OldGame");
    godot(&folder, "Mario");
    let mut talk = Talk::start(&folder, "home", &["--allow-writes"]);
    talk.hello_with_roots();
    let question = talk.asked();
    let (tool, arguments) = write();
    let calls = [
        talk.request("tools/call", json!({ "name": tool, "arguments": arguments })),
        talk.request("tools/list", json!({})),
        talk.request("resources/read", json!({ "uri": "scenewright://server" })),
        talk.request("prompts/list", json!({})),
    ];
    // As many as there are, none is answered before the folders are known.
    std::thread::sleep(Duration::from_millis(300));
    talk.tell(&question, &[&folder.path("Mario")]);
    let answers = calls.map(|id| talk.answer(id).to_string());
    assert!(answers.iter().skip(1).all(|answer| !answer.contains("OldGame")), "{answers:?}");
    assert!(answers[1].contains("get_node_tree") && !answers[1].contains("scene_hierarchy_dump"));
    assert!(answers[2].contains("Mario"), "{}", answers[2]);
    assert!(answers[3].contains("create_enemy_ai"), "{}", answers[3]);
    assert!(folder.path("Mario").join(NOTES).exists());
}

#[test]
fn a_client_that_does_not_say_where_it_works_is_waited_for_once() {
    let folder = Folder::empty();
    godot(&folder, "home/OldGame");
    godot(&folder, "Mario");
    let mut talk = Talk::start(&folder, "home", &[]);
    talk.hello_with_roots();
    let began = Instant::now();
    assert_eq!(talk.open(), ["OldGame"]);
    let took = began.elapsed();
    assert!(took > Duration::from_millis(1500), "{took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
    let began = Instant::now();
    talk.call("project_info", json!({})).is_fine();
    assert!(began.elapsed() < Duration::from_millis(1500), "{:?}", began.elapsed());
    // A late answer counts all the same.
    talk.works_in(&[&folder.path("Mario")]);
    while talk.open() != ["Mario"] {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_client_without_roots_is_not_waited_for() {
    let folder = Folder::empty();
    godot(&folder, "home");
    let mut talk = Talk::start(&folder, "home", &[]);
    let instructions = talk.hello(json!({}));
    assert!(instructions.contains("Open: home (godot). Read-only"), "{instructions}");
    talk.notify("notifications/roots/list_changed");
    let began = Instant::now();
    assert_eq!(talk.open(), ["home"]);
    assert!(began.elapsed() < Duration::from_millis(1500), "{:?}", began.elapsed());
}

#[test]
fn the_operators_word_stands_above_the_clients() {
    let folder = Folder::empty();
    godot(&folder, "Named");
    godot(&folder, "Mario");
    let named = folder.path("Named");
    let mut talk = Talk::start(&folder, "", &["--project", named.to_str().unwrap()]);
    talk.hello_with_roots();
    assert_eq!(talk.open(), ["Named"]);
    assert!(talk.came.is_empty(), "it is not asked: {:?}", talk.came);
    let path = folder.path("Mario");
    talk.call("project_open", json!({ "path": path })).is_refused().says(&["--allow-projects DIR"]);
}

#[test]
fn a_client_that_goes_elsewhere_is_followed() {
    let folder = Folder::empty();
    godot(&folder, "one");
    unity(&folder, "two");
    let mut talk = Talk::start(&folder, "empty", &[]);
    talk.hello_with_roots();
    talk.works_in(&[&folder.path("one/scenes")]);
    assert!(talk.open().is_empty(), "there is no such folder");
    std::fs::create_dir_all(folder.path("one/scenes")).unwrap();
    assert_eq!(talk.open(), ["one"], "a folder in a project");
    // What a search knows of fields is that of the engine.
    let vsync = json!({ "query": "enable vsync" });
    talk.call("tools_search", vsync.clone()).is_fine();
    talk.changed_lists();
    talk.notify("notifications/roots/list_changed");
    let call = talk.request("tools/list", json!({}));
    talk.works_in(&[&folder.path("two")]);
    let tools = talk.answer(call).to_string();
    assert!(tools.contains("scene_hierarchy_dump") && !tools.contains("get_node_tree"), "{tools}");
    assert_eq!(talk.open(), ["two"]);
    talk.call("tools_search", vsync).is_fine().says(&["vSyncCount"]);
    assert_eq!(talk.changed_lists(), ["prompts", "resources", "tools"]);
}

#[test]
fn several_projects_are_told_apart() {
    let folder = Folder::empty();
    unity(&folder, "work/Alpha");
    unity(&folder, "work/Beta");
    godot(&folder, "work/Gamma");
    let mut talk = Talk::start(&folder, "empty", &["--allow-writes", "--allow-runs"]);
    talk.hello_with_roots();
    talk.works_in(&[&folder.path("work")]);
    let (tool, arguments) = write();
    talk.call(tool, arguments).is_refused().says(&[
        "3 projects are open, and the call names none: Alpha, Beta, Gamma",
        "call again with `project`",
    ]);
    let script = json!({ "path": "Assets/A.cs", "content": "class A {}" });
    let refused =
        talk.call("tools_call", json!({ "tool": "project_writeFile", "arguments": script }));
    refused.is_refused().says(&["Alpha, Beta, Gamma"]);
    for tool in ["project_undoLast", "project_batch"] {
        let step = json!({ "steps": [{ "tool": "project_writeFile", "arguments": write().1 }] });
        let arguments = if tool == "project_batch" { step } else { json!({}) };
        talk.call(tool, arguments).is_refused().says(&["Alpha, Beta, Gamma"]);
    }
    let unity = json!({ "path": "Assets/A.unity", "changes": [] });
    talk.call("unity_edit", unity).is_refused().says(&["2 projects", "Alpha, Beta", "`project`"]);
    let search = talk.call("tools_search", json!({ "query": "rename a game object" }));
    search.is_fine().says(&[r#""project":"Alpha""#]);
    // Only one project of that engine is open.
    let scene = json!({ "scenePath": "a.tscn", "rootNodeType": "Node" });
    talk.call("create_scene", scene).is_fine();
    assert!(folder.path("work/Gamma/a.tscn").exists());
    let beta = json!({ "path": NOTES, "content": "hi", "project": "Beta" });
    talk.call("project_writeFile", beta).is_fine();
    assert!(folder.path("work/Beta").join(NOTES).exists());
    assert!(!folder.path("work/Alpha").join(NOTES).exists());
    let read = talk.call("project_info", json!({}));
    read.is_fine().says(&["This is about Alpha. Also open: Beta, Gamma; `project` names one"]);
    let read = talk.call("project_scenes_list", json!({}));
    read.is_fine().says(&["This is about Alpha. Also open: Beta"]);
    let steps = json!({ "steps": [{ "tool": "project_info" }] });
    talk.call("project_batch", steps).is_fine().says(&["This is about Alpha."]);
    let named = talk.call("project_info", json!({ "project": "Beta" }));
    assert!(!named.is_fine().text.contains("This is about"), "{named:?}");
}

#[test]
fn where_there_is_no_project_none_is_made_up() {
    let folder = Folder::empty();
    let mut talk = Talk::start(&folder, "empty", &["--allow-writes"]);
    let instructions = talk.hello(json!({}));
    let here = folder.path("empty").to_str().unwrap().to_owned();
    let what = ["No project is open", "ask the user", "project_open", "--project DIR", &here];
    for words in what {
        assert!(instructions.contains(words), "{words}: {instructions}");
    }
    let (tool, arguments) = write();
    talk.call(tool, arguments).is_refused().says(&what);
    talk.call("project_info", json!({})).is_refused().says(&what);
    talk.call("mcp_health", json!({})).is_fine().says(&what);
    talk.call("tools_search", json!({ "query": "rename" })).is_fine().says(&what);
    talk.call("no_such_tool", json!({})).is_refused().says(&what);
    let nested = talk.call("tools_read", json!({ "tool": "mcp_health", "arguments": {} }));
    assert_eq!(nested.is_fine().text.matches("No project is open").count(), 1, "{nested:?}");
    assert!(talk.tools().contains(&"project_open".to_owned()));
    assert!(!talk.tools().iter().any(|tool| ["add_node", "unity_edit"].contains(&&**tool)));
    // It comes while the server runs.
    godot(&folder, "empty/New");
    let read = talk.call("project_info", json!({}));
    assert!(!read.is_fine().text.contains("No project is open"), "{read:?}");
    assert_eq!(talk.changed_lists(), ["prompts", "resources", "tools"]);
    assert!(!talk.tools().contains(&"project_open".to_owned()));
    std::fs::remove_dir_all(folder.path("empty/New")).unwrap();
    talk.call("project_info", json!({})).is_refused().says(&what);
}

#[test]
fn a_project_is_opened_by_a_read_only_server() {
    let folder = Folder::empty();
    godot(&folder, "empty/a/b/Deep");
    unity(&folder, "lib/Lib");
    godot(&folder, "Outside");
    let lib = folder.path("lib");
    let mut talk = Talk::start(&folder, "empty", &["--allow-projects", lib.to_str().unwrap()]);
    talk.hello(json!({}));
    let outside = talk.call("project_open", json!({ "path": folder.path("Outside") }));
    outside.is_refused().says(&["outside of the folders", "--allow-projects DIR"]);
    talk.call("project_open", json!({ "path": "../Outside" })).is_refused();
    let opened = talk.call("project_open", json!({ "path": "a" }));
    assert!(!opened.is_fine().says(&["Deep"]).text.contains("No project is open"), "{opened:?}");
    assert_eq!(talk.changed_lists(), ["prompts", "resources", "tools"]);
    talk.call("project_open", json!({ "path": lib })).is_fine().says(&["Lib"]);
    talk.call("project_open", json!({ "path": "Lib" })).is_fine().says(&["wasOpen: true"]);
    assert_eq!(talk.open(), ["Deep", "Lib"]);
}

#[test]
fn a_project_that_a_call_made_can_be_opened() {
    let folder = Folder::empty();
    godot(&folder, "games/first");
    let first = folder.path("games/first");
    let args = ["--allow-writes", "--project", first.to_str().unwrap()];
    let mut talk = Talk::start(&folder, "empty", &args);
    talk.hello(json!({}));
    let second = folder.path("games/second");
    talk.call("project_open", json!({ "path": second })).is_refused();
    talk.call("create_project", json!({ "directory": "second" })).is_fine();
    talk.call("project_open", json!({ "path": second })).is_fine();
    assert_eq!(talk.open(), ["first", "second"]);
    // Where nothing is open, the first one is made in the working folder.
    let mut talk = Talk::start(&folder, "empty", &["--allow-writes"]);
    talk.hello(json!({}));
    talk.call("create_project", json!({ "directory": "new" })).is_fine();
    talk.call("list_scenes", json!({})).is_fine();
    assert_eq!(talk.open(), ["new"]);
}

#[test]
fn a_project_that_is_opened_later_is_watched() {
    let folder = Folder::empty();
    godot(&folder, "empty/game/first");
    godot(&folder, "empty/game/second");
    let mut talk = Talk::start(&folder, "empty", &[]);
    talk.hello(json!({}));
    talk.call("project_open", json!({ "path": "game/first" })).is_fine();
    talk.call("project_open", json!({ "path": "game/second" })).is_fine();
    for project in ["first", "second"] {
        let uri = format!("scenewright://project/{project}");
        let id = talk.request("resources/subscribe", json!({ "uri": uri }));
        talk.answer(id);
        let named = format!("{GODOT}\n[application]\n\nconfig/name=\"Late\"\n");
        folder.write(&format!("empty/game/{project}/project.godot"), &named);
        let told = talk.wait(|came| came["method"] == "notifications/resources/updated");
        assert_eq!(told["params"]["uri"], uri);
        let info = talk.call("project_info", json!({ "project": project }));
        info.is_fine().says(&["Late"]);
    }
}

#[test]
fn the_sample_says_that_it_is_one() {
    let folder = Folder::empty();
    godot(&folder, "Mario");
    let mut talk = Talk::start(&folder, "Mario", &["--sample"]);
    let instructions = talk.hello_with_roots();
    let what = ["sample project that comes with scenewright"];
    assert!(instructions.contains(what[0]), "{instructions}");
    talk.call("project_info", json!({ "project": "unity" })).is_fine().says(&what);
    talk.call("mcp_health", json!({})).is_fine().says(&what);
    talk.call("project_readFile", json!({ "path": "none" })).is_refused().says(&what);
    // It takes its part of the room, and what is cut still says at its end how it goes on.
    let files = json!({ "project": "unity", "maxTokens": 300 });
    let files = talk.call("project_listFiles", files);
    let text = &files.is_fine().text;
    assert!(text.starts_with("note: This is the sample project"), "{text}");
    assert!(text.ends_with(']') && text.len() <= 4 * 300, "{} bytes: {text}", text.len());
    assert_eq!(talk.open(), ["unity", "godot"]);
    // EditorMCP has remarks of its own.
    let call = json!({ "jsonrpc": "2.0", "id": "e", "method": "tools/call", "params": { "tool": "mcp.health", "arguments": {} } });
    talk.server.send(&call.to_string());
    let answer = talk.server.receive();
    let said = answer["result"]["diagnostics"].to_string();
    assert!(said.contains(what[0]), "{answer}");
}

#[test]
fn doctor_counts_no_sample_as_a_project() {
    let output = run(&["doctor", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let projects: Vec<&Value> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["section"] == "Projects")
        .collect();
    assert_eq!(projects.len(), 1, "{projects:?}");
    assert_eq!(projects[0]["state"], "absent");
    assert_eq!(projects[0]["what"], "no project was found");
}

#[test]
fn the_audit_names_clients_without_a_handshake() {
    let folder = Folder::empty();
    godot(&folder, "game");
    let audit = folder.path("audit.jsonl");
    let args = ["--allow-writes", "--audit", audit.to_str().unwrap()];
    let mut talk = Talk::start(&folder, "game", &args);
    for (number, client) in ["zed", "cline"].into_iter().enumerate() {
        let path = format!("{number}.txt");
        let call = json!({
            "name": "project_writeFile",
            "arguments": { "path": path, "content": "hi" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
            },
        });
        let id = talk.request("tools/call", call);
        assert_eq!(talk.answer(id)["isError"], false);
    }
    assert!(talk.came.iter().all(|came| came["method"] != "roots/list"), "{:?}", talk.came);
    let lines = std::fs::read_to_string(&audit).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut names: Vec<Value> = lines.map(|line| line["client"].clone()).collect();
    names.dedup();
    assert_eq!(names, ["zed", "cline"]);
}
