//! A pipe in the place of a file: whoever opens one to read it waits until somebody writes into it, and nobody does.
//! Every call must end all the same.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use scenewright_contract::Safety;
use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::testing::call;
use scenewright_toolkit::{Needs, Runner, Settings};
use scenewright_tools::{GROUPS, new_runner, open};
use serde_json::{Value, json};

/// Far longer than a call takes, and short enough that a test that fails does so while somebody waits.
const LONG: Duration = Duration::from_secs(60);

struct Site {
    folder: Folder,
}

impl Site {
    fn new() -> Site {
        let folder = Folder::empty();
        for name in ["unity", "godot"] {
            scenewright_fixture::copy(&sample(name), &folder.path(name));
        }
        Site { folder }
    }

    /// Every file of both projects.
    fn files(&self) -> Vec<PathBuf> {
        let (mut open, mut found) = (vec![self.folder.root().to_owned()], Vec::new());
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => open.push(path),
                    false => found.push(path),
                }
            }
        }
        found.sort();
        found
    }

    /// A project whose marker is a pipe is none.
    fn runner(&self) -> Option<Arc<Runner>> {
        let folders = [self.folder.path("unity"), self.folder.path("godot")];
        let settings = Settings { allow_writes: true, ..Settings::default() };
        Some(new_runner(open(&folders).ok()?, settings, None, &[]))
    }

    /// How many calls there were; each has to end, however.
    fn all_end(&self, calls: Vec<(&'static str, Value)>) -> usize {
        let (said, heard) = mpsc::channel();
        thread::scope(|scope| {
            let asked = calls.clone();
            scope.spawn(move || {
                let Some(runner) = self.runner() else { return };
                for (tool, arguments) in asked {
                    let _ = call(&runner, tool, arguments);
                    let _ = said.send(());
                }
            });
            for (tool, arguments) in &calls {
                match heard.recv_timeout(LONG) {
                    // The thread would be waited for, and wait for ever.
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("{tool} {arguments} did not end");
                        std::process::abort();
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                    Ok(()) => {}
                }
            }
        });
        calls.len()
    }
}

fn make_pipes(paths: &[PathBuf]) {
    for path in paths {
        fs::remove_file(path).ok();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
    }
    assert!(Command::new("mkfifo").args(paths).status().unwrap().success());
}

/// The examples of all tools that only read.
fn reads() -> Vec<(&'static str, Value)> {
    let tools = GROUPS.iter().flat_map(|group| group.tools);
    let tools =
        tools.filter(|tool| tool.safety == Safety::ReadOnly && tool.needs == Needs::Nothing);
    let examples = tools.flat_map(|tool| tool.examples.iter().map(|example| (tool.id, example)));
    examples.map(|(tool, example)| (tool, serde_json::from_str(example.input).unwrap())).collect()
}

/// Calls that look at most of a project, and one that writes.
fn some(project: &str) -> Vec<(&'static str, Value)> {
    let script = match project {
        "unity" => "Assets/Scripts/Fresh.cs",
        _ => "scripts/fresh.gd",
    };
    vec![
        ("project.check", json!({ "project": project })),
        ("project.searchText", json!({ "project": project, "pattern": "Player" })),
        ("project.history", json!({ "project": project })),
        ("project.writeFile", json!({ "project": project, "path": script, "content": "// x\n" })),
        ("project.undoLast", json!({ "project": project })),
    ]
}

#[test]
fn no_read_waits_where_every_file_is_a_pipe() {
    let site = Site::new();
    let markers = ["project.godot", "ProjectVersion.txt"];
    let is_marker = |path: &Path| markers.iter().any(|marker| path.ends_with(marker));
    let mut files = site.files();
    files.retain(|path| !is_marker(path));
    assert!(files.len() > 100, "{}", files.len());
    make_pipes(&files);
    let calls = site.all_end(reads());
    assert!(calls > 100, "{calls}");
}

#[test]
fn no_call_waits_for_a_pipe_where_a_known_file_is_looked_for() {
    for (project, name) in [
        ("unity", "ProjectSettings/ProjectVersion.txt"),
        ("unity", "ProjectSettings/EditorBuildSettings.asset"),
        ("unity", "ProjectSettings/EditorSettings.asset"),
        ("unity", "Packages/manifest.json"),
        ("unity", "Packages/packages-lock.json"),
        ("unity", "Temp/UnityLockfile"),
        ("unity", "Assets/Scenes/Main.unity"),
        ("unity", "Assets/Scenes/Main.unity.meta"),
        ("unity", ".gitignore"),
        ("unity", ".git"),
        ("unity", "scenewright.toml"),
        ("unity", ".scenewright/lock"),
        ("unity", ".scenewright/00000001.intent"),
        ("unity", ".scenewright/00000001.done"),
        ("godot", "project.godot"),
        ("godot", "export_presets.cfg"),
        ("godot", "scenes/main.tscn"),
        ("godot", ".gdignore"),
        ("godot", ".godot/global_script_class_cache.cfg"),
        ("godot", ".godot/uid_cache.bin"),
        ("godot", ".godot/scenewright/editor-1.json"),
        ("godot", ".scenewright/00000001.intent"),
    ] {
        let site = Site::new();
        make_pipes(&[site.folder.path(&format!("{project}/{name}"))]);
        site.all_end(some(project));
    }
}
