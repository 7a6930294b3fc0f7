//! The everyday tasks in Godot projects.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::runs;
use crate::bench::agent::files::{Files, has_all};
use crate::bench::agent::projects::Project;
use crate::bench::agent::task::{
    Check, Done, Kind, Needs, Step, Task, call, find, list, read, same, shortened, texts,
};
use crate::bench::agent::tiles;

const ENEMY: &str = "scenes/enemy.tscn";
const LEVEL: &str = "scenes/level.tscn";
const MENU: &str = "scenes/menu.tscn";
const COIN: &str = "scenes/coin.tscn";
const ACTOR: &str = "scenes/actor.tscn";
const PLAYER: &str = "scenes/player.tscn";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = vec![
        everyday(
            "godot-overview",
            "What is this project: its main scene, autoloads, input actions, and what is in it?",
            Project::Godot,
            || {
                let tree = read("get_node_tree", Value::Null).with(|done| {
                    Ok(json!({ "scenePath": done.data(1)["mainScene"], "maxDepth": 2 }))
                });
                vec![
                    find("project overview autoloads input actions"),
                    read("get_project_info", json!({})),
                    tree,
                ]
            },
            Check::Told(overview),
        ),
        everyday(
            "signal-and-handler",
            "Where is the signal `collected` connected, and which script handles it?",
            Project::Godot,
            || {
                let handler = read("project_searchSymbols", Value::Null)
                    .with(|done| Ok(json!({ "name": done.data(1)["connections"][0]["method"] })));
                vec![
                    find("where is a signal connected"),
                    read("project_searchSymbols", json!({ "name": "collected" })),
                    handler,
                ]
            },
            Check::Told(signal_and_handler),
        ),
        everyday(
            "enemy-scene",
            "Make an enemy: a CharacterBody2D with a sprite, a shape, a script, and an Area2D whose signal is connected.",
            Project::Godot,
            || {
                vec![
                    find("create a scene and attach a script"),
                    find("collision shape and connected signal"),
                    call("project_batch", enemy()),
                ]
            },
            Check::Judged(enemy_is_there, |files, godot| {
                runs(files, godot, "res://scenes/enemy.tscn")
            }),
        ),
        everyday(
            "three-instances",
            "Put three coins into the level, at different places.",
            Project::Godot,
            || {
                let mut steps = Vec::new();
                for (number, x) in (1..).zip(COINS_AT) {
                    let name = format!("Extra{number}");
                    steps.push(step("instance_scene", json!({ "scenePath": LEVEL, "instancePath": "res://scenes/coin.tscn", "instanceName": name })));
                    steps.push(step("edit_node", json!({ "scenePath": LEVEL, "nodePath": name, "properties": { "position": { "x": x, "y": 200 } } })));
                }
                vec![
                    find("instance a scene in another"),
                    call("project_batch", json!({ "steps": steps })),
                ]
            },
            Check::Changed(three_instances),
        ),
        everyday(
            "renamed-everywhere",
            "Rename the actor's Body to Torso and the player's CoyoteTimer to GraceTimer, wherever scripts, animations and connections name them.",
            Project::Godot,
            || {
                let rename = |scene: &str, node: &str, name: &str| {
                    call(
                        "rename_node",
                        json!({ "scenePath": scene, "nodePath": node, "newName": name, "updateScripts": true }),
                    )
                };
                vec![
                    find("rename a node"),
                    rename(ACTOR, "Body", "Torso"),
                    rename(PLAYER, "CoyoteTimer", "GraceTimer"),
                ]
            },
            Check::Changed(renamed_everywhere),
        ),
        everyday(
            "input-and-autoload",
            "Add an input action `dash` on Shift, and an autoload `Wallet`.",
            Project::Godot,
            || {
                let script = "extends Node\n\nvar coins: int = 0\n";
                let key = json!([{ "type": "key", "keycode": "Shift" }]);
                let steps = [
                    step(
                        "write_script",
                        json!({ "scriptPath": "res://autoload/wallet.gd", "content": script }),
                    ),
                    step(
                        "manage_autoloads",
                        json!({ "action": "add", "name": "Wallet", "path": "res://autoload/wallet.gd" }),
                    ),
                    step(
                        "manage_input_actions",
                        json!({ "action": "add", "name": "dash", "events": key }),
                    ),
                ];
                vec![
                    find("add an input action and an autoload"),
                    call("project_batch", json!({ "steps": steps })),
                ]
            },
            Check::Changed(|files| {
                ensure!(
                    files.text("autoload/wallet.gd")?.starts_with("extends Node\n"),
                    "no script"
                );
                let autoloads = files.section("project.godot", &["[autoload]"])?;
                has_all(&autoloads, &["GameState=", "Wallet=\"*res://autoload/wallet.gd\""])?;
                // Shift is 4194325 in Godot.
                has_all(
                    &files.section("project.godot", &["[input]"])?,
                    &["\ndash={\n", "\"physical_keycode\":4194325"],
                )
            }),
        ),
        everyday(
            "menu-with-theme",
            "Make a menu with three buttons in a column, and a theme that makes them dark with large letters.",
            Project::Godot,
            || {
                vec![
                    find("create a scene with buttons in a container"),
                    find("create a theme resource"),
                    call("project_batch", menu()),
                ]
            },
            Check::Judged(menu_is_there, |files, godot| {
                runs(files, godot, "res://scenes/menu.tscn")
            }),
        ),
        everyday(
            "animation-with-keys",
            "Give the coin an animation `spin` of one second that turns its face once, with three keys.",
            Project::Godot,
            || vec![find("animation player with tracks and keys"), call("project_batch", spin())],
            Check::Changed(spin_is_there),
        ),
        everyday(
            "tiles-painted",
            "Build a step of three tiles at (2, 14) in the level, of the kind of the platforms.",
            Project::Godot,
            || {
                let look = json!({ "scenePath": LEVEL, "tilemapNodePath": "Ground", "region": { "x": 30, "y": 12, "width": 8, "height": 1 } });
                let paint = call("paint_tiles", Value::Null).with(|done| {
                    let like = list(done.data(1), "cells")?.first().context("no tile to copy")?;
                    let tile = |x: i32| json!({ "position": { "x": x, "y": 14 }, "sourceId": like["sourceId"], "atlasCoords": like["atlasCoords"] });
                    Ok(json!({ "scenePath": LEVEL, "tilemapNodePath": "Ground", "tiles": [tile(2), tile(3), tile(4)] }))
                });
                vec![find("paint tiles of a tile map"), read("get_tiles", look), paint]
            },
            Check::Changed(|files| {
                let cells = tiles::cells(&files.section(LEVEL, &["name=\"Ground\""])?)?;
                same("cells", cells.len(), 248)?;
                let platform =
                    cells.iter().find(|cell| cell.at == (33, 12)).context("a tile is gone")?;
                for x in 2..5 {
                    let cell =
                        cells.iter().find(|cell| cell.at == (x, 14)).context("no tile there")?;
                    same("tile", cell.tile, platform.tile)?;
                }
                Ok(())
            }),
        ),
        everyday(
            "reference-mended",
            "Find what is broken in this project, and mend it.",
            Project::GodotAfter(|files| {
                let good =
                    "uid=\"uid://b7462o8n3dnq3\" path=\"res://resources/coin_settings.tres\"";
                files.replace(COIN, good, "path=\"res://resources/coin_setings.tres\"").map(drop)
            }),
            || {
                let mend = json!({ "scenePath": COIN, "nodePath": ".", "properties": { "settings": "res://resources/coin_settings.tres" } });
                vec![
                    read("project_check", json!({})),
                    call("edit_node", mend),
                    read("project_check", json!({})),
                ]
            },
            Check::ChangedAndTold(
                |files| {
                    let settings = files
                        .section(COIN, &["ext_resource", "res://resources/coin_settings.tres"])?;
                    let id =
                        settings.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next());
                    let root = files.section(COIN, &["name=\"Coin\""])?;
                    has_all(
                        &root,
                        &[&format!("settings = ExtResource(\"{}\")", id.context("no id")?)],
                    )?;
                    files.lacks(COIN, &["coin_setings"])
                },
                |done| {
                    let found = list(done.data(0), "findings")?;
                    same("files", texts(found, "file"), vec![COIN.to_owned()])?;
                    same("errors left", done.data(2)["errors"].as_u64(), Some(0))
                },
            ),
        ),
        everyday(
            "script-diagnosed",
            "A script does not work any more: what is wrong with it?",
            Project::GodotAfter(broken_script),
            || vec![read("project_check", json!({ "paths": ["scripts"] }))],
            Check::Told(|done| {
                let found = list(done.data(0), "findings")?;
                same("files", texts(found, "file"), vec!["scripts/coin.gd".to_owned()])?;
                same("line", found[0]["line"].as_u64(), Some(broken_line(done.files)?))
            }),
        ),
    ];
    tasks.extend(with_engine());
    tasks
}

fn everyday(
    name: &'static str,
    words: &'static str,
    project: Project,
    steps: fn() -> Vec<Step>,
    check: Check,
) -> Task {
    Task { name, words, kind: Kind::Everyday, project, needs: Needs::Files, steps, check }
}

/// Those that only an engine can do.
fn with_engine() -> Vec<Task> {
    vec![
        Task {
            needs: Needs::Godot,
            ..everyday(
                "run-headless",
                "Run the game without a window for some seconds and tell what goes wrong.",
                Project::GodotAfter(|files| {
                    let ready = "func _ready() -> void:\n";
                    let worse = format!("{ready}\tpush_error(\"no lamp oil\")\n");
                    files.replace("scripts/main.gd", ready, &worse).map(drop)
                }),
                || vec![call("run_project", json!({ "seconds": 6, "headless": true }))],
                Check::Told(|done| {
                    let problems = list(&done.data(0)["report"], "problems")?;
                    let is_ours = |problem: &&Value| {
                        problem["message"].as_str().is_some_and(|m| m.contains("no lamp oil"))
                    };
                    let ours =
                        problems.iter().find(is_ours).with_context(|| shortened(done.data(0)))?;
                    same("problems", problems.len(), 1)?;
                    let place = ours["place"].as_str().unwrap_or_default();
                    let text = done.files.text("scripts/main.gd")?;
                    let line = text
                        .lines()
                        .position(|line| line.contains("no lamp oil"))
                        .context("no line")?
                        + 1;
                    same("place", place, &format!("res://scripts/main.gd:{line}"))
                }),
            )
        },
        Task {
            needs: Needs::Screen,
            ..everyday(
                "picture",
                "Show me the level.",
                Project::Godot,
                || {
                    let level = json!({ "scenePath": "res://scenes/level.tscn", "delay": 0.2 });
                    vec![find("screenshot of a scene"), call("take_screenshot", level)]
                },
                Check::Told(|done| {
                    let picture = done.pictures(1).first().context("no picture")?;
                    let bytes = tiles::base64(picture)?;
                    ensure!(
                        bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 1000,
                        "no PNG"
                    );
                    let number = |at: usize| {
                        bytes[at..at + 4].iter().fold(0, |n, byte| n << 8 | u32::from(*byte))
                    };
                    let (width, height) = (number(16), number(20));
                    ensure!((320..=1024).contains(&width) && height <= 768, "{width}x{height}");
                    Ok(())
                }),
            )
        },
        Task {
            needs: Needs::NoScreen,
            kind: Kind::Other,
            ..everyday(
                "picture-without-a-screen",
                "Show me the level, where nothing can be drawn.",
                Project::Godot,
                || {
                    let level = json!({ "scenePath": "res://scenes/level.tscn" });
                    vec![call("take_screenshot", level).refused()]
                },
                Check::Told(|done| {
                    let said = done.text(0);
                    ensure!(said.contains("screen") && said.contains("xvfb-run"), "{said}");
                    Ok(())
                }),
            )
        },
        Task {
            needs: Needs::Godot,
            ..everyday(
                "script-diagnosed-by-godot",
                "A script does not work any more: what does Godot say?",
                Project::GodotAfter(broken_script),
                || {
                    vec![call(
                        "get_script_errors",
                        json!({ "scriptPath": "res://scripts/coin.gd" }),
                    )]
                },
                Check::Told(|done| {
                    let line = broken_line(done.files)?;
                    let errors = list(done.data(0), "errors")?;
                    // Godot stumbles over the line behind the one that lacks its colon.
                    let is_near = |error: &Value| {
                        error["line"].as_u64().is_some_and(|at| at == line || at == line + 1)
                    };
                    ensure!(errors.iter().any(is_near), "{}", shortened(done.data(0)));
                    Ok(())
                }),
            )
        },
    ]
}

const BROKEN: &str = "func _process(delta: float) -> void";

fn broken_script(files: &Files) -> Result<()> {
    files.replace("scripts/coin.gd", &format!("{BROKEN}:"), BROKEN).map(drop)
}

fn broken_line(files: &Files) -> Result<u64> {
    let text = files.text("scripts/coin.gd")?;
    let line = text.lines().position(|line| line == BROKEN).context("it is not broken")?;
    Ok(line as u64 + 1)
}

/// One step of a batch.
pub(super) fn step(tool: &str, arguments: Value) -> Value {
    json!({ "tool": tool, "arguments": arguments })
}

fn overview(done: &Done<'_>) -> Result<()> {
    let info = done.data(1);
    let settings = done.files.text("project.godot")?;
    let between = |key: &str| {
        settings.split(&format!("{key}=\"")).nth(1).and_then(|rest| rest.split('"').next())
    };
    same("name", info["name"].as_str(), between("config/name"))?;
    let uid = between("run/main_scene").context("no main scene")?;
    let main = done.files.with_text(&format!("[gd_scene load_steps=8 format=3 uid=\"{uid}\"]"))?;
    let main = main.keys().next().map(|path| format!("res://{path}"));
    same("main scene", info["mainScene"].as_str().map(str::to_owned), main)?;
    let input = done.files.section("project.godot", &["[input]"])?;
    let actions = input.lines().filter_map(|line| line.strip_suffix("={")).map(str::to_owned);
    same("actions", texts(list(info, "inputActions")?, ""), actions.collect())?;
    let autoloads = texts(list(info, "autoloads")?, "name");
    same("autoloads", autoloads, vec!["GameState".to_owned()])?;
    same("root", done.data(2)["tree"]["name"].as_str(), Some("Main"))
}

fn signal_and_handler(done: &Done<'_>) -> Result<()> {
    let scene = done.files.text("scenes/main.tscn")?;
    let lines = (1..).zip(scene.lines());
    let connected = lines.filter(|(_, line)| line.starts_with("[connection signal=\"collected\""));
    let expected = connected.map(|(number, _)| format!("scenes/main.tscn:{number}")).collect();
    same("connections", texts(list(done.data(1), "connections")?, "place"), expected)?;
    let script = done.files.text("scripts/main.gd")?;
    let line = script.lines().position(|line| line.starts_with("func _on_coin_collected("));
    let handler = format!("scripts/main.gd:{}", line.context("no handler")? + 1);
    same("handler", texts(list(done.data(2), "definitions")?, "place"), vec![handler])
}

fn enemy() -> Value {
    let script = "extends CharacterBody2D\n\n\nfunc _on_zone_body_entered(_body: Node2D) -> void:\n\tqueue_free()\n";
    let shape = |parent: &str, name: &str, kind: &str, measures: Value| {
        step(
            "create_collision_shape",
            json!({ "scenePath": ENEMY, "parentNodePath": parent, "nodeName": name, "shapeType": kind, "shapeParams": measures }),
        )
    };
    json!({ "steps": [
        step("write_script", json!({ "scriptPath": "res://scripts/enemy.gd", "content": script })),
        step("create_scene", json!({ "scenePath": ENEMY, "rootNodeType": "CharacterBody2D", "rootNodeName": "Enemy" })),
        step("attach_script", json!({ "scenePath": ENEMY, "nodePath": ".", "scriptPath": "res://scripts/enemy.gd" })),
        step("add_node", json!({ "scenePath": ENEMY, "nodeType": "Sprite2D", "nodeName": "Sprite", "properties": { "texture": "res://icon.svg" } })),
        shape(".", "Shape", "capsule", json!({ "radius": 8, "height": 24 })),
        step("add_node", json!({ "scenePath": ENEMY, "nodeType": "Area2D", "nodeName": "Zone" })),
        shape("Zone", "ZoneShape", "circle", json!({ "radius": 20 })),
        step("connect_signal", json!({ "scenePath": ENEMY, "fromNodePath": "Zone", "signal": "body_entered", "toNodePath": ".", "method": "_on_zone_body_entered" })),
    ] })
}

fn enemy_is_there(files: &Files) -> Result<()> {
    let root = files.section(ENEMY, &["name=\"Enemy\"", "type=\"CharacterBody2D\""])?;
    has_all(&root, &["script = ExtResource("])?;
    has_all(
        &files.section(ENEMY, &["name=\"Sprite\"", "type=\"Sprite2D\""])?,
        &["texture = ExtResource("],
    )?;
    for (name, parent, shape) in
        [("Shape", ".", "CapsuleShape2D"), ("ZoneShape", "Zone", "CircleShape2D")]
    {
        let node = files
            .section(ENEMY, &[&format!("name=\"{name}\""), &format!("parent=\"{parent}\"")])?;
        has_all(&node, &[&format!("shape = SubResource(\"{shape}")])?;
    }
    has_all(
        &files.section(ENEMY, &["sub_resource", "CapsuleShape2D"])?,
        &["radius = 8.0", "height = 24.0"],
    )?;
    let connection = [
        "connection",
        "signal=\"body_entered\"",
        "from=\"Zone\"",
        "to=\".\"",
        "method=\"_on_zone_body_entered\"",
    ];
    files.section(ENEMY, &connection).map(drop)
}

const COINS_AT: [u32; 3] = [100, 240, 390];

fn three_instances(files: &Files) -> Result<()> {
    let coin = files.section(LEVEL, &["ext_resource", "path=\"res://scenes/coin.tscn\""])?;
    let id =
        coin.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).context("no id")?;
    for (number, x) in (1..).zip(COINS_AT) {
        let instance = format!("instance=ExtResource(\"{id}\")");
        let node = files
            .section(LEVEL, &[&format!("name=\"Extra{number}\""), "parent=\".\"", &instance])?;
        has_all(&node, &[&format!("position = Vector2({x}, 200)")])?;
    }
    Ok(())
}

fn renamed_everywhere(files: &Files) -> Result<()> {
    files.has(
        ACTOR,
        &["NodePath(\"Torso:position\")", "NodePath(\"Torso:skew\")", "[node name=\"Torso\""],
    )?;
    files.lacks(ACTOR, &["\"Body"])?;
    files.has(
        PLAYER,
        &["[node name=\"Torso\" parent=\".\"", "parent=\"Torso\"", "from=\"GraceTimer\""],
    )?;
    files.lacks(PLAYER, &["\"Body\"", "CoyoteTimer"])?;
    files.has("scripts/player.gd", &["= $Torso\n", "= $GraceTimer\n"])
}

fn menu() -> Value {
    let button = |name: &str, text: &str| {
        step(
            "create_control",
            json!({ "scenePath": MENU, "parentNodePath": "Column", "nodeName": name, "controlType": "button", "text": text }),
        )
    };
    let theme = json!({
        "Button/font_sizes/font_size": 28,
        "Button/colors/font_color": "#f0e0c0",
        "Button/styles/normal": { "type": "StyleBoxFlat", "bg_color": "#202028" },
    });
    json!({ "steps": [
        step("create_resource", json!({ "resourcePath": "res://resources/menu_theme.tres", "resourceType": "Theme", "properties": theme })),
        step("create_scene", json!({ "scenePath": MENU, "rootNodeType": "Control", "rootNodeName": "Menu" })),
        step("edit_node", json!({ "scenePath": MENU, "nodePath": ".", "properties": { "theme": "res://resources/menu_theme.tres" } })),
        step("create_ui_container", json!({ "scenePath": MENU, "nodeName": "Column", "containerType": "vbox", "anchorsPreset": "center" })),
        button("Play", "Play"),
        button("Options", "Options"),
        button("Quit", "Quit"),
    ] })
}

fn menu_is_there(files: &Files) -> Result<()> {
    let theme = "resources/menu_theme.tres";
    files.has(
        theme,
        &[
            "Button/font_sizes/font_size = 28\n",
            "Button/colors/font_color = Color(",
            "Button/styles/normal = SubResource(\"StyleBoxFlat",
        ],
    )?;
    has_all(
        &files.section(MENU, &["name=\"Menu\"", "type=\"Control\""])?,
        &["theme = ExtResource("],
    )?;
    files.section(MENU, &["name=\"Column\"", "type=\"VBoxContainer\"", "parent=\".\""])?;
    for name in ["Play", "Options", "Quit"] {
        let node = files.section(
            MENU,
            &[&format!("name=\"{name}\""), "type=\"Button\"", "parent=\"Column\""],
        )?;
        has_all(&node, &[&format!("text = \"{name}\"")])?;
    }
    Ok(())
}

fn spin() -> Value {
    let animation = |more: Value| {
        let mut arguments = json!({ "scenePath": COIN, "playerNodePath": "AnimationPlayer", "animationName": "spin" });
        more.as_object()
            .into_iter()
            .flatten()
            .for_each(|(name, value)| arguments[name] = value.clone());
        arguments
    };
    let mut steps = vec![
        step("create_animation_player", json!({ "scenePath": COIN })),
        step("add_animation", animation(json!({ "length": 1.0, "loop": true }))),
        step(
            "add_animation_track",
            animation(json!({ "trackType": "value", "nodePath": "Face", "property": "rotation" })),
        ),
    ];
    for (time, value) in [(0.0, 0.0), (0.5, 3.25), (1.0, 6.5)] {
        steps.push(step(
            "set_keyframe",
            animation(json!({ "trackIndex": 0, "time": time, "value": value })),
        ));
    }
    json!({ "steps": steps })
}

fn spin_is_there(files: &Files) -> Result<()> {
    let spin = files.section(COIN, &["sub_resource", "type=\"Animation\""])?;
    has_all(
        &spin,
        &[
            "loop_mode = 1",
            "NodePath(\"Face:rotation\")",
            "PackedFloat32Array(0, 0.5, 1)",
            "[0.0, 3.25, 6.5]",
        ],
    )?;
    let library = files.section(COIN, &["sub_resource", "type=\"AnimationLibrary\""])?;
    has_all(&library, &["&\"spin\": SubResource(\"Animation_"])?;
    has_all(
        &files.section(COIN, &["type=\"AnimationPlayer\""])?,
        &["SubResource(\"AnimationLibrary_"],
    )
}
