//! What people have changed in a Godot project, beside the everyday.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::everyday::step;
use crate::bench::agent::files::{Files, has_all};
use crate::bench::agent::projects::Project;
use crate::bench::agent::task::{
    Check, Kind, Needs, Step, Task, call, find, list, read, same, texts,
};

const MAIN: &str = "scenes/main.tscn";
const LEVEL: &str = "scenes/level.tscn";
const COIN: &str = "scenes/coin.tscn";
const COIN_SCRIPT: &str = "scripts/coin.gd";
const SETTINGS: &str = "resources/coin_settings.tres";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = of_scenes();
    tasks.extend(of_files());
    tasks.extend(taught());
    tasks
}

fn change(
    name: &'static str,
    words: &'static str,
    steps: fn() -> Vec<Step>,
    changed: fn(&Files) -> Result<()>,
) -> Task {
    let (kind, needs, check) = (Kind::Other, Needs::Files, Check::Changed(changed));
    Task { name, words, kind, project: Project::Godot, needs, steps, check }
}

fn of_scenes() -> Vec<Task> {
    vec![
        change(
            "groups",
            "Put the first two coins into the group `low`.",
            || {
                let add = |coin: &str| {
                    step(
                        "manage_groups",
                        json!({ "scenePath": MAIN, "nodePath": coin, "action": "add", "groups": ["low"] }),
                    )
                };
                vec![
                    find("add node to a group"),
                    call(
                        "project_batch",
                        json!({ "steps": [add("Coins/Coin1"), add("Coins/Coin2")] }),
                    ),
                ]
            },
            |files| {
                for name in ["Coin1", "Coin2"] {
                    files.section(MAIN, &[&format!("name=\"{name}\""), "groups=[\"low\"]"])?;
                }
                Ok(())
            },
        ),
        change(
            "instance-overridden",
            "In the main scene only: the tower is red, and the start is further right.",
            || {
                let edit = |node: &str, properties: Value| {
                    step(
                        "edit_node",
                        json!({ "scenePath": MAIN, "nodePath": node, "properties": properties }),
                    )
                };
                let steps = [
                    edit("Level/Lighthouse/Tower", json!({ "color": "#ff0000" })),
                    edit("Level/Start", json!({ "position": { "x": 64, "y": 288 } })),
                ];
                vec![call("project_batch", json!({ "steps": steps }))]
            },
            |files| {
                has_all(
                    &files.section(MAIN, &["name=\"Tower\"", "parent=\"Level/Lighthouse\""])?,
                    &["color = Color(1, 0, 0, 1)"],
                )?;
                has_all(
                    &files.section(MAIN, &["name=\"Start\"", "parent=\"Level\""])?,
                    &["position = Vector2(64, 288)"],
                )?;
                files.has(
                    LEVEL,
                    &["color = Color(0.95, 0.94, 0.9, 1)", "position = Vector2(48, 288)"],
                )
            },
        ),
        change(
            "node-removed",
            "Remove the gold coin, with its connection and its settings.",
            || {
                vec![
                    find("delete a node"),
                    call("remove_node", json!({ "scenePath": MAIN, "nodePath": "Coins/GoldCoin" })),
                ]
            },
            |files| {
                files.lacks(MAIN, &["GoldCoin", "Gold coin", "Resource_g5a1z"])?;
                files.has(MAIN, &["[connection signal=\"collected\" from=\"Coins/Coin4\""])
            },
        ),
        change(
            "signal-rewired",
            "The restart button calls a new method `_on_again`, no longer `_on_restart_pressed`.",
            || {
                let wire = |tool: &str, method: &str| {
                    step(
                        tool,
                        json!({ "scenePath": MAIN, "fromNodePath": "HUD/Root/TopBar/RestartButton", "signal": "pressed", "toNodePath": ".", "method": method }),
                    )
                };
                let text = json!({ "scriptPath": "res://scripts/main.gd", "oldText": "func _on_restart_pressed() -> void:", "newText": "func _on_again() -> void:" });
                let steps = [
                    step("edit_script", text),
                    wire("disconnect_signal", "_on_restart_pressed"),
                    wire("connect_signal", "_on_again"),
                ];
                vec![
                    find("connect a signal, edit the script"),
                    call("project_batch", json!({ "steps": steps })),
                ]
            },
            |files| {
                files
                    .section(MAIN, &["connection", "signal=\"pressed\"", "method=\"_on_again\""])?;
                files.lacks(MAIN, &["_on_restart_pressed"])?;
                files.has("scripts/main.gd", &["func _on_again() -> void:\n\tget_tree()"])
            },
        ),
        change(
            "later-steps-use-earlier",
            "A gate of its own scene in the level, in one change whose steps use each other's answers.",
            || {
                let scene = json!({ "tool": "create_scene", "as": "gate", "arguments": { "scenePath": "scenes/gate.tscn", "rootNodeType": "Area2D" } });
                let shape = json!({ "scenePath": "$gate.scenePath", "parentNodePath": ".", "nodeName": "Shape", "shapeType": "rectangle" });
                let instance =
                    json!({ "scenePath": LEVEL, "instancePath": "res://${gate.scenePath}" });
                vec![call(
                    "project_batch",
                    json!({ "steps": [scene, step("create_collision_shape", shape), step("instance_scene", instance)] }),
                )]
            },
            |files| {
                files.section(
                    "scenes/gate.tscn",
                    &["name=\"Shape\"", "type=\"CollisionShape2D\""],
                )?;
                files.section(LEVEL, &["ext_resource", "path=\"res://scenes/gate.tscn\""])?;
                files.section(LEVEL, &["name=\"Gate\"", "instance=ExtResource("]).map(drop)
            },
        ),
        change(
            "batch-undone",
            "Three nodes at once, then all of them taken back, and the change before them kept.",
            || {
                let add = |name: &str| {
                    step(
                        "add_node",
                        json!({ "scenePath": LEVEL, "nodeType": "Marker2D", "nodeName": name }),
                    )
                };
                let first = json!({ "scenePath": LEVEL, "nodePath": "Goal", "properties": { "gizmo_extents": 20 } });
                vec![
                    call("edit_node", first),
                    call("project_batch", json!({ "steps": [add("A"), add("B"), add("C")] })),
                    call("project_undoLast", json!({})),
                ]
            },
            |files| {
                files.has(LEVEL, &["gizmo_extents = 20.0\n"])?;
                files.lacks(
                    LEVEL,
                    &["name=\"A\"", "name=\"B\"", "name=\"C\"", "gizmo_extents = 16.0"],
                )
            },
        ),
    ]
}

fn of_files() -> Vec<Task> {
    vec![
        change(
            "script-edited",
            "Coins bob twice as fast, and say so when they are collected.",
            || {
                let edits = json!([
                    { "oldText": "sin(_time * 4.0)", "newText": "sin(_time * 8.0)" },
                    { "oldText": "\t\tcollected.emit(settings.value)", "newText": "\t\tprint(\"collected\")\n\t\tcollected.emit(settings.value)" },
                ]);
                vec![
                    find("edit part of a script"),
                    call(
                        "edit_script",
                        json!({ "scriptPath": "res://scripts/coin.gd", "edits": edits }),
                    ),
                ]
            },
            |files| {
                files.has(COIN_SCRIPT, &["sin(_time * 8.0)", "\t\tprint(\"collected\")\n\t\tcollected.emit(settings.value)\n\t\tqueue_free()"])
            },
        ),
        change(
            "text-edited-by-lines",
            "The readme's title is `Lighthouse Run 2`.",
            || {
                let edit = json!({ "path": "README.md", "startLine": 1, "expected": "# Lighthouse Run", "newText": "# Lighthouse Run 2" });
                vec![find("change a line of a text file"), call("project_editText", edit)]
            },
            |files| {
                ensure!(
                    files.text("README.md")?.starts_with("# Lighthouse Run 2\n\nA small"),
                    "another title"
                );
                Ok(())
            },
        ),
        change(
            "picture-replaced",
            "Use the icon wherever the picture of the tiles is used.",
            || {
                vec![
                    find("replace references to a file"),
                    call(
                        "project_replaceReference",
                        json!({ "from": "res://art/tiles.png", "to": "res://icon.svg" }),
                    ),
                ]
            },
            |files| {
                let import = files.text("icon.svg.import")?;
                let uid = import
                    .split("uid=\"")
                    .nth(1)
                    .and_then(|rest| rest.split('"').next())
                    .context("no uid")?;
                files.section(
                    "resources/tiles.tres",
                    &["ext_resource", uid, "path=\"res://icon.svg\""],
                )?;
                files.lacks("resources/tiles.tres", &["art/tiles.png"])
            },
        ),
        change(
            "resource-moved",
            "Move the settings of the coins into a folder of their own; everything still finds them.",
            || {
                let to = json!({ "resourcePath": "res://resources/coin_settings.tres", "newPath": "res://resources/coins/silver.tres" });
                vec![find("move a resource and update references"), call("rename_resource", to)]
            },
            |files| {
                ensure!(
                    files.text("resources/coins/silver.tres").is_ok()
                        && files.text(SETTINGS).is_err(),
                    "it was not moved"
                );
                files.section(
                    COIN,
                    &["ext_resource", "path=\"res://resources/coins/silver.tres\""],
                )?;
                let left = files.with_text("res://resources/coin_settings.tres")?;
                same("files with the old path", left.into_keys().collect(), Vec::<String>::new())
            },
        ),
        change(
            "resource-made-and-used",
            "Copper coins, worth 2: a resource of their own, used by the first coin.",
            || {
                let made = json!({ "resourcePath": "res://resources/copper.tres", "resourceType": "CoinSettings", "properties": { "title": "Copper coin", "value": 2, "metal": 0 } });
                let used = json!({ "scenePath": MAIN, "nodePath": "Coins/Coin1", "properties": { "settings": "res://resources/copper.tres" } });
                vec![
                    find("create a resource of a script's class"),
                    call(
                        "project_batch",
                        json!({ "steps": [step("create_resource", made), step("edit_node", used)] }),
                    ),
                ]
            },
            |files| {
                files.has(
                    "resources/copper.tres",
                    &["script_class=\"CoinSettings\"", "title = \"Copper coin\"\n", "value = 2\n"],
                )?;
                files.section(MAIN, &["ext_resource", "path=\"res://resources/copper.tres\""])?;
                has_all(&files.section(MAIN, &["name=\"Coin1\""])?, &["settings = ExtResource("])
            },
        ),
        change(
            "glowing-material",
            "A green glow as a material, on the tower.",
            || {
                let made = json!({ "materialPath": "res://resources/green.tres", "shaderPath": "res://resources/glow.gdshader", "parameters": { "glow_color": "#00ff00", "strength": 1 } });
                let used = json!({ "scenePath": LEVEL, "nodePath": "Lighthouse/Tower", "properties": { "material": "res://resources/green.tres" } });
                vec![
                    find("shader material"),
                    call(
                        "project_batch",
                        json!({ "steps": [step("create_shader_material", made), step("edit_node", used)] }),
                    ),
                ]
            },
            |files| {
                files.has(
                    "resources/green.tres",
                    &[
                        "shader_parameter/glow_color = Color(0, 1, 0, 1)",
                        "shader_parameter/strength = 1.0",
                    ],
                )?;
                has_all(&files.section(LEVEL, &["name=\"Tower\""])?, &["material = ExtResource("])
            },
        ),
        change(
            "theme-changed",
            "Larger letters on all labels of the theme.",
            || {
                let theme = json!({ "resourcePath": "res://resources/theme.tres", "properties": { "Label/font_sizes/font_size": 24 } });
                vec![find("change a resource"), call("modify_resource", theme)]
            },
            |files| {
                has_all(
                    &files.section("resources/theme.tres", &["[resource]"])?,
                    &["Label/font_sizes/font_size = 24\n"],
                )
            },
        ),
        change(
            "settings-and-translations",
            "A window of 960 pixels, German as a fallback, and a list of translations.",
            || {
                let set = |key: &str, value: Value| {
                    step("set_project_setting", json!({ "key": key, "value": value }))
                };
                let steps = [
                    set("display/window/size/viewport_width", json!(960)),
                    set("internationalization/locale/fallback", json!("de")),
                    set(
                        "internationalization/locale/translations",
                        json!("PackedStringArray(\"res://texts.de.translation\")"),
                    ),
                ];
                vec![
                    find("change a project setting"),
                    call("project_batch", json!({ "steps": steps })),
                ]
            },
            |files| {
                has_all(
                    &files.section("project.godot", &["[display]"])?,
                    &["window/size/viewport_width=960\n", "window/size/viewport_height=360\n"],
                )?;
                let locale = files.section("project.godot", &["[internationalization]"])?;
                has_all(
                    &locale,
                    &[
                        "locale/fallback=\"de\"\n",
                        "locale/translations=PackedStringArray(\"res://texts.de.translation\")\n",
                    ],
                )
            },
        ),
        change(
            "audio-bus",
            "A bus for voices that feeds SFX, 3 dB down.",
            || {
                vec![
                    find("audio bus"),
                    call(
                        "create_audio_bus",
                        json!({ "busName": "Voices", "parentBus": "SFX", "volume": -3 }),
                    ),
                ]
            },
            |files| {
                files.has(
                    "default_bus_layout.tres",
                    &["/name = &\"Voices\"\n", "/send = &\"SFX\"\n", "/volume_db = -3.0\n"],
                )
            },
        ),
    ]
}

fn taught() -> Vec<Task> {
    vec![
        Task {
            check: Check::ChangedAndTold(
                |files| {
                    has_all(&files.section(LEVEL, &["name=\"Goal\""])?, &["gizmo_extents = 32.0\n"])
                },
                |done| {
                    ensure!(
                        done.text(0).contains("gizmo_extents"),
                        "it does not teach: {}",
                        done.text(0)
                    );
                    Ok(())
                },
            ),
            ..change(
                "property-misspelt",
                "Make the marker of the goal larger. (The property is misspelt at first.)",
                || {
                    let edit = |name: &str| json!({ "scenePath": LEVEL, "nodePath": "Goal", "properties": { name: 32 } });
                    let again = call("edit_node", Value::Null).with(|done| {
                        let word = |word: &&str| word.starts_with("gizmo_") && *word != "gizmo_extent";
                        let better = done.text(0).split(|c: char| !(c.is_alphanumeric() || c == '_')).find(word);
                        Ok(json!({ "scenePath": LEVEL, "nodePath": "Goal", "properties": { better.context("no better name")?: 32 } }))
                    });
                    vec![call("edit_node", edit("gizmo_extent")).refused(), again]
                },
                |_| Ok(()),
            )
        },
        Task {
            check: Check::ChangedAndTold(
                |files| files.section(LEVEL, &["name=\"Late\"", "type=\"Timer\""]).map(drop),
                |done| {
                    ensure!(done.text(0).contains("Timer"), "it does not teach: {}", done.text(0));
                    Ok(())
                },
            ),
            ..change(
                "class-misspelt",
                "Add a timer to the level. (Its class is misspelt at first.)",
                || {
                    let add = |class: &str| json!({ "scenePath": LEVEL, "nodeType": class, "nodeName": "Late" });
                    vec![call("add_node", add("Timmer")).refused(), call("add_node", add("Timer"))]
                },
                |_| Ok(()),
            )
        },
        Task {
            check: Check::ChangedAndTold(
                |files| has_all(&files.section(MAIN, &["name=\"Coin2\""])?, &["visible = false\n"]),
                |done| {
                    ensure!(
                        done.text(0).contains("Coins/Coin2"),
                        "it does not teach: {}",
                        done.text(0)
                    );
                    let history = list(done.data(2), "changes")?;
                    same("tools", texts(history, "tool").len(), 1)
                },
            ),
            ..change(
                "node-path-misspelt",
                "Hide the second coin. (Its path is wrong at first, and nothing is written to the wrong node.)",
                || {
                    let hide = |node: &str| json!({ "scenePath": MAIN, "nodePath": node, "properties": { "visible": false } });
                    vec![
                        call("edit_node", hide("Coin2")).refused(),
                        call("edit_node", hide("Coins/Coin2")),
                        read("project_history", json!({ "limit": 5 })),
                    ]
                },
                |_| Ok(()),
            )
        },
    ]
}
