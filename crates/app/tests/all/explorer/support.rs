//! A server over a copy of the Unity sample, and what its tools say.

use std::path::PathBuf;
use std::sync::Arc;

use scenewright::host::ToolHost;
use scenewright_fixture::{Folder, copy, sample};
use scenewright_toolkit::{Kept, Settings, Workspace, fixtures};
use scenewright_tools::{ENGINES, new_runner};
use scenewright_wire::{Access, Changes, Limits, Server};
use serde_json::{Value, json};

use crate::explorer::http::{self, Response};
use scenewright_tools_explorer::HasWorld;

/// Objects of the sample's first scene. Ids come from its file, so they are always the same.
pub(crate) const CAMERA: &str = "obj:1279963751";
pub(crate) const GROUND: &str = "obj:1809311514";
pub(crate) const PLAYER: &str = "obj:1616470424";
pub(crate) const HAND: &str = "obj:1533678696";
pub(crate) const LANTERNS: &str = "obj:464006272";
/// An id that nothing has.
pub(crate) const NOBODY: &str = "obj:5";
/// The method that the document's example of a signature is of.
pub(crate) const SET_ACTIVE: &str =
    "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)";

/// The sample, served.
pub(crate) struct World {
    pub(crate) server: Arc<Server>,
    pub(crate) folder: Folder,
}

/// What a server is made of.
pub(crate) struct Setup {
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    /// Files that are put into the project, or beside it under `home/`, before it is opened.
    pub(crate) files: Vec<(&'static str, String)>,
    /// Whether the interface has a folder for its settings and scripts.
    pub(crate) has_home: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            settings: Settings { allow_writes: true, ..Settings::default() },
            limits: Limits::default(),
            files: Vec::new(),
            has_home: true,
        }
    }
}

impl World {
    /// A server that was started with `--allow-writes`.
    pub(crate) fn writable() -> World {
        World::with(Setup::default())
    }

    /// A server that was started without.
    pub(crate) fn read_only() -> World {
        World::with(Setup { settings: Settings::default(), ..Setup::default() })
    }

    /// A server of a project with a few files more.
    pub(crate) fn with_files(files: &[(&'static str, &str)]) -> World {
        let files = files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        World::with(Setup { files, ..Setup::default() })
    }

    pub(crate) fn with(setup: Setup) -> World {
        let folder = Folder::empty();
        copy(&sample("unity"), &folder.path("unity"));
        for (name, text) in &setup.files {
            folder.write(name, text);
        }
        let server = open(&folder, &setup);
        World { server, folder }
    }

    /// The same folders, served anew.
    pub(crate) fn served_again(self, setup: &Setup) -> World {
        let server = open(&self.folder, setup);
        World { server, folder: self.folder }
    }

    /// Call a tool and take the whole answer.
    pub(crate) async fn respond(&self, tool: &str, arguments: Value) -> Response {
        http::call(&self.server, tool, &arguments.to_string()).await
    }

    /// Call a tool that answers, and take what it says.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let response = self.respond(tool, arguments.clone()).await;
        assert_eq!(response.status, 200, "{tool} {arguments}: {}", response.body);
        response.json()["result"]["content"][0]["json"].clone()
    }

    /// Call a tool that must do as it is told.
    pub(crate) async fn done(&self, tool: &str, arguments: Value) {
        let said = self.call(tool, arguments.clone()).await;
        assert_eq!(said["ok"], true, "{tool} {arguments}: {said}");
    }

    /// How a call ended, in short: `ok`, `Kind: message` of a tool that says so itself, or
    /// `404 Kind: message` of a request that failed.
    pub(crate) async fn said(&self, tool: &str, arguments: Value) -> String {
        let response = self.respond(tool, arguments).await;
        let body = response.json();
        if let Some(error) = body.get("error") {
            return format!("{} {}", response.status, short(error, &error["data"]));
        }
        assert_eq!(response.status, 200, "{body}");
        let payload = &body["result"]["content"][0]["json"];
        match payload.get("error") {
            Some(error) => short(error, error),
            None => "ok".to_owned(),
        }
    }

    /// Read a resource that is there.
    pub(crate) async fn read(&self, uri: &str) -> Value {
        let read = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "read_resource",
            "params": { "uri": uri },
        });
        let response = http::post(&self.server, &read.to_string()).await;
        assert_eq!(response.status, 200, "{uri}: {}", response.body);
        let text = response.json()["result"]["contents"][0]["text"].as_str().unwrap().to_owned();
        serde_json::from_str(&text).unwrap()
    }

    /// Messages of the last lines of the log.
    pub(crate) async fn log(&self, count: usize) -> Vec<String> {
        let tail = self.call("TailLogs", json!({ "count": count })).await;
        let lines = tail["Items"].as_array().unwrap().iter();
        lines.map(|line| line["Message"].as_str().unwrap().to_owned()).collect()
    }

    /// A file of the Scripts folder, whether it is there or not.
    pub(crate) fn script(&self, name: &str) -> PathBuf {
        self.folder.path("home/Scripts").join(name)
    }

    /// Put a file into the Scripts folder.
    pub(crate) fn write_script(&self, name: &str, bytes: &[u8]) {
        self.folder.write(&format!("home/Scripts/{name}"), bytes);
    }
}

fn short(error: &Value, data: &Value) -> String {
    format!("{}: {}", data["kind"].as_str().unwrap(), error["message"].as_str().unwrap())
}

fn open(folder: &Folder, setup: &Setup) -> Arc<Server> {
    let workspace = Workspace::open(ENGINES, &[folder.path("unity")], Kept::default()).unwrap();
    let runner = new_runner(workspace, setup.settings.clone(), None, fixtures::GROUPS);
    if setup.has_home {
        let file = folder.path("home/mcp.config.json");
        runner.world().set_home(&file, runner.settings()).unwrap();
    }
    let changes = Changes::default();
    let host = ToolHost::new(runner, &changes);
    Server::new(host, changes, Access::default(), setup.limits, false)
}
