//! What only shows when the tools of every pack are there.

mod assets;
mod batch;
mod godot_prompts;
mod godot_resources;
#[cfg(unix)]
mod links;
#[cfg(unix)]
mod pipes;
mod prompts;
mod spelling;
mod workspace;
mod writers;

use std::fs;
use std::ops::Deref;

use scenewright_contract::ErrorKind;
use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::testing::{Bench, call};
use scenewright_toolkit::{Audit, Settings};
use scenewright_tools::{new_runner, open};
use serde_json::{Value, json};

/// A copy of the Godot sample that may be written.
struct GodotSample {
    /// Removed with it.
    _folder: Folder,
    bench: Bench,
}

impl GodotSample {
    fn new() -> Self {
        let folder = Folder::copy_of(&sample("godot"));
        let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
        let bench = Bench(new_runner(open(&[folder.path("")]).unwrap(), settings, None, &[]));
        Self { _folder: folder, bench }
    }
}

impl Deref for GodotSample {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}

#[test]
fn the_audit_names_the_files() {
    let project = Folder::unity("//- Assets/a.txt\none\n");
    let log = Folder::empty();
    let audit = Audit::open(&log.path("audit.jsonl")).unwrap();
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    let runner = new_runner(open(&[project.path("")]).unwrap(), settings, Some(audit), &[]);
    call(&runner, "ci.exportResults", json!({ "resultsPath": "r.json" })).unwrap();
    let lines = log.read("audit.jsonl");
    let line: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&line["filesChanged"], &line["files"]), (&1.into(), &json!(["r.json"])));
}

#[test]
fn a_godot_project_has_no_mixers_of_unity() {
    let folders = [sample("unity"), sample("godot")];
    let runner = new_runner(open(&folders).unwrap(), Settings::default(), None, &[]);
    let error = call(&runner, "audio.mixer.list", json!({ "project": "godot" })).unwrap_err();
    assert_eq!(error.kind, ErrorKind::EngineError);
    assert_eq!(error.message, "Audio mixers: godot is a Godot project and has none");
    assert!(error.hint.is_some());
}

#[test]
fn an_undo_is_no_part_of_a_batch() {
    let sample = GodotSample::new();
    let before = fs::read(sample.path("project.godot")).unwrap();
    let operations = json!([{ "tool": "project.undoLast" }]);
    let error = sample.error("batch_operations", json!({ "operations": operations }));
    assert!(error.contains("project_undoLast cannot be part of a batch"), "{error}");
    assert_eq!(fs::read(sample.path("project.godot")).unwrap(), before);
}
