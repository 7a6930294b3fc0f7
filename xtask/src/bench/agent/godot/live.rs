//! Tasks in a running game: seen, touched, waited for, looked into.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::super::files::Files;
use super::super::projects::Project;
use super::super::task::{
    Check, Done, Kind, Needs, Step, Task, call, find, list, read, same, shortened, texts,
};
use crate::paths;

const ADDON: &str = "addons/scenewright";

/// The sample with the addon in it.
pub(super) fn linked(files: &Files) -> Result<()> {
    let source = paths::root().join("bridges/godot").join(ADDON);
    copy(&source, ADDON, files)?;
    let state = "GameState=\"*res://autoload/game_state.gd\"\n";
    let link = format!("{state}ScenewrightLink=\"*res://{ADDON}/runtime.gd\"\n");
    files.replace("project.godot", state, &link)?;
    let plugins =
        format!("\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://{ADDON}/plugin.cfg\")\n");
    files.write("project.godot", files.text("project.godot")? + &plugins)
}

fn copy(from: &Path, to: &str, files: &Files) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let name = format!("{to}/{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &name, files)?,
            false => files.write(&name, fs::read(entry.path())?)?,
        }
    }
    Ok(())
}

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = touched();
    tasks.extend(seen());
    tasks.extend(looked_into());
    tasks
}

fn live(
    name: &'static str,
    words: &'static str,
    project: fn(&Files) -> Result<()>,
    steps: fn() -> Vec<Step>,
    told: fn(&Done<'_>) -> Result<()>,
) -> Task {
    let project = Project::GodotAfter(project);
    let check = Check::Told(told);
    Task { name, words, kind: Kind::Other, project, needs: Needs::Godot, steps, check }
}

/// A game that runs on.
fn play() -> Step {
    call("run_project", json!({ "headless": true }))
}

fn number(data: &Value, path: &str) -> Result<f64> {
    data.pointer(path)
        .and_then(Value::as_f64)
        .with_context(|| format!("no {path} in {}", shortened(data)))
}

/// What an agent does to a game.
fn touched() -> Vec<Task> {
    vec![
        live(
            "live-variable",
            "Make the player of the running game faster, without stopping it.",
            linked,
            || {
                let faster = json!({ "nodePath": "Player", "properties": { "speed": 300 } });
                let now = json!({ "nodePath": "Player", "properties": ["speed"] });
                vec![play(), call("game_set", faster), read("live_node", now)]
            },
            |done| same("speed", number(done.data(2), "/properties/speed")?, 300.0),
        ),
        live(
            "live-click",
            "Press the button that says Restart.",
            linked,
            || vec![play(), call("game_click", json!({ "text": "restart" }))],
            |done| {
                same("pressed", &done.data(1)["isPressed"], &json!(true))?;
                let path = done.data(1)["path"].as_str().unwrap_or_default();
                ensure!(path.ends_with("RestartButton"), "{path}");
                Ok(())
            },
        ),
        live(
            "live-walk",
            "Walk to the right for half a second: how far does the player come?",
            linked,
            || {
                let place = || {
                    read("live_node", json!({ "nodePath": "Player", "properties": ["position"] }))
                };
                let walk = json!({ "events": [{ "action": "move_right", "frames": 30 }] });
                vec![play(), place(), call("game_input", walk), place()]
            },
            |done| {
                let x = |step| number(done.data(step), "/properties/position/x");
                let far = x(3)? - x(1)?;
                ensure!((20.0..200.0).contains(&far), "{far} pixels in half a second");
                Ok(())
            },
        ),
        live(
            "live-jump-signal",
            "Does the jump key make the player jump?",
            // The key comes by itself, so that a wait of one call has something to hear.
            |files| {
                linked(files)?;
                let ready = "func _ready() -> void:\n";
                let timer = "\tget_tree().create_timer(4.0).timeout.connect(func() -> void: player.jumped.emit())\n";
                files.replace("scripts/main.gd", ready, &format!("{ready}{timer}")).map(drop)
            },
            || {
                vec![
                    play(),
                    read(
                        "game_wait",
                        json!({ "nodePath": "Player", "signal": "jumped", "seconds": 8 }),
                    ),
                ]
            },
            |done| same("met", &done.data(1)["isMet"], &json!(true)),
        ),
        live(
            "live-steps",
            "Stop the game and go on by exactly ten frames of physics.",
            linked,
            || {
                let pause = call("game_time", json!({ "pause": true }));
                let steps = call("game_time", json!({ "steps": 10 }));
                vec![play(), pause, steps, call("game_time", json!({}))]
            },
            |done| {
                let paused: Vec<&Value> = (1..4).map(|step| &done.data(step)["isPaused"]).collect();
                ensure!(paused.iter().all(|paused| **paused == json!(true)), "{paused:?}");
                let fell = number(done.data(3), "/timeScale")?;
                same("time scale", fell, 1.0)
            },
        ),
        live(
            "live-method",
            "Put the player back to (100, 100) with its own method.",
            linked,
            || {
                let respawn =
                    json!({ "nodePath": "Player", "method": "respawn", "arguments": [[100, 100]] });
                let now = json!({ "nodePath": "Player", "properties": ["position:x"] });
                let pause = call("game_time", json!({ "pause": true }));
                vec![play(), pause, call("game_call", respawn), read("live_node", now)]
            },
            |done| same("x", number(done.data(3), "/properties/position:x")?, 100.0),
        ),
    ]
}

/// What an agent sees of a game.
fn seen() -> Vec<Task> {
    vec![
        live(
            "live-group",
            "Which coins are left in the running game?",
            linked,
            || {
                vec![
                    play(),
                    find("nodes of the running game in a group"),
                    read("live_tree", json!({ "group": "coins" })),
                ]
            },
            |done| {
                let nodes = list(done.data(2), "nodes")?;
                let coins =
                    done.files.text("scenes/main.tscn")?.matches("parent=\"Coins\"").count();
                same("coins", nodes.len(), coins)?;
                let paths = texts(nodes, "path");
                ensure!(
                    paths.iter().all(|path| path.starts_with("/root/Main/Coins/")),
                    "{paths:?}"
                );
                Ok(())
            },
        ),
        live(
            "live-error",
            "Something goes wrong while the game runs: what, and where?",
            |files| {
                linked(files)?;
                let ready = "func _ready() -> void:\n";
                let worse = format!("{ready}\tpush_error(\"no lamp oil\")\n");
                files.replace("scripts/main.gd", ready, &worse).map(drop)
            },
            || vec![play(), read("live_log", json!({ "severity": "error" }))],
            |done| {
                let lines = list(done.data(1), "lines")?;
                let ours = lines.iter().find(|line| line["text"] == "no lamp oil");
                let ours = ours.with_context(|| shortened(done.data(1)))?;
                let text = done.files.text("scripts/main.gd")?;
                let at = text
                    .lines()
                    .position(|line| line.contains("no lamp oil"))
                    .context("no line")?;
                same("file", &ours["file"], &json!("res://scripts/main.gd"))?;
                same("line", &ours["line"], &json!(at + 1))
            },
        ),
        live(
            "live-screen",
            "What does the screen of the game say?",
            linked,
            || vec![play(), read("game_ui", json!({}))],
            |done| {
                let said = texts(list(done.data(1), "controls")?, "text");
                for text in ["Score: 0", "Restart"] {
                    ensure!(said.iter().any(|one| one == text), "{text} is not in {said:?}");
                }
                Ok(())
            },
        ),
        live(
            "live-expression",
            "How many physics bodies that fall are there now?",
            linked,
            || {
                let count =
                    "tree.root.find_children(\"*\", \"CharacterBody2D\", true, false).size()";
                vec![play(), call("game_call", json!({ "expression": count }))]
            },
            |done| same("bodies", &done.data(1)["value"], &json!(1)),
        ),
        live(
            "live-leak",
            "Does the game leak nodes?",
            |files| {
                linked(files)?;
                let ready = "func _ready() -> void:\n";
                let leak = format!("{ready}\tfor i in 25:\n\t\tNode.new()\n");
                files.replace("scripts/main.gd", ready, &leak).map(drop)
            },
            || vec![play(), read("game_monitors", json!({ "seconds": 0.5 }))],
            |done| {
                let orphans = number(done.data(1), "/monitors/orphans/2")?;
                ensure!((25.0..40.0).contains(&orphans), "{orphans} orphans");
                Ok(())
            },
        ),
        live(
            "live-nobody",
            "What is the score, while no game runs?",
            linked,
            || vec![read("live_node", json!({ "nodePath": "Player" })).refused()],
            |done| {
                let said = done.text(0);
                ensure!(
                    said.contains("no game is connected") && said.contains("run_project"),
                    "{said}"
                );
                Ok(())
            },
        ),
    ]
}

/// What an agent finds out with the engine's own helpers.
fn looked_into() -> Vec<Task> {
    vec![
        live(
            "debug-null",
            "The hint stays empty: find by a breakpoint which node is null.",
            |files| {
                let hint = "@onready var _hint: Label = $HUD/Root/Hint";
                let wrong = "@onready var _hint: Label = get_node_or_null(\"HUD/Root/Hnt\")";
                files.replace("scripts/main.gd", hint, wrong).map(drop)
            },
            || {
                vec![
                    call("debug_start", json!({})).with(|done| {
                        let text = done.files.text("scripts/main.gd")?;
                        let begin = text.lines().position(|line| line.contains("GameState.begin_run"));
                        let line = begin.context("no line")? + 1;
                        Ok(json!({ "breakpoints": [{ "scriptPath": "scripts/main.gd", "line": line }], "wait": 60 }))
                    }),
                    call("debug_inspect", json!({ "evaluate": ["_hint == null", "_lamp == null"] })),
                    call("debug_stop", json!({})),
                ]
            },
            |done| {
                let values = list(done.data(1), "values")?;
                let said = texts(values, "value");
                same("null", said.as_slice(), ["true".to_owned(), "false".to_owned()].as_slice())
            },
        ),
        live(
            "smoke-test",
            "The project has no tests: does every scene at least start?",
            |files| {
                let ready = "func _ready() -> void:\n";
                let worse = format!("{ready}\tpush_error(\"no lamp oil\")\n");
                files.replace("scripts/main.gd", ready, &worse).map(drop)
            },
            || vec![call("run_tests", json!({}))],
            |done| {
                let said = done.data(0).to_string();
                ensure!(
                    said.contains("no lamp oil") && said.contains("main.tscn"),
                    "{}",
                    shortened(done.data(0))
                );
                Ok(())
            },
        ),
        live(
            "symbol-uses",
            "Where is the function respawn used? Ask the engine.",
            |_| Ok(()),
            || {
                vec![call(
                    "script_symbol",
                    json!({ "scriptPath": "scripts/player.gd", "symbol": "respawn" }),
                )]
            },
            |done| {
                let said = done.data(0).to_string();
                ensure!(said.contains("main.gd"), "{}", shortened(done.data(0)));
                Ok(())
            },
        ),
    ]
}
