//! A running game: seen, set, called, waited for, played with, measured.

mod hands;

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::cases::{Cases, column, has, same};
use super::{Client, Ground, Side};

/// A scene with something of everything that the tools touch.
const SCENE: &str = r#"[gd_scene format=3]

[ext_resource type="Script" path="res://cases.gd" id="1"]

[node name="Cases" type="Control"]
script = ExtResource("1")

[node name="Start" type="Button" parent="."]
offset_right = 100.0
offset_bottom = 31.0
text = "Start"

[node name="Under" type="Button" parent="."]
offset_top = 40.0
offset_right = 100.0
offset_bottom = 71.0
text = "Under"

[node name="Lid" type="Panel" parent="."]
offset_top = 40.0
offset_right = 100.0
offset_bottom = 71.0

[node name="Off" type="Button" parent="."]
offset_top = 80.0
offset_right = 100.0
offset_bottom = 111.0
disabled = true
text = "Off"

[node name="TwinA" type="Button" parent="." groups=["twins"]]
offset_top = 120.0
offset_right = 100.0
offset_bottom = 151.0
text = "Twin"

[node name="TwinB" type="Button" parent="." groups=["twins"]]
offset_top = 160.0
offset_right = 100.0
offset_bottom = 191.0
text = "Twin"

[node name="Field" type="LineEdit" parent="."]
offset_top = 200.0
offset_right = 200.0
offset_bottom = 231.0

[node name="Doomed" type="Node2D" parent="."]
"#;

const SCRIPT: &str = r#"extends Control

signal rang(loud: int)

var health := 10:
	set(value):
		health = clampi(value, 0, 100)
var steps := 0
var heard := PackedStringArray()


func _ready() -> void:
	for button: Button in find_children("*", "Button"):
		button.pressed.connect(func() -> void: heard.append("pressed " + button.name))


func _physics_process(_delta: float) -> void:
	steps += 1


func _input(event: InputEvent) -> void:
	if event is InputEventAction:
		heard.append("action %s %s" % [event.action, event.pressed])
	elif event is InputEventKey:
		heard.append("key %s %s" % [OS.get_keycode_string(event.keycode), event.pressed])
	elif event is InputEventMouseButton:
		heard.append("mouse %d %s" % [event.button_index, event.pressed])
	elif event is InputEventScreenTouch:
		heard.append("touch %d %s" % [event.index, event.pressed])


func ring(loud: int) -> int:
	rang.emit(loud)
	return loud * 2


func later(what: Callable) -> void:
	get_tree().create_timer(1.0).timeout.connect(what)


func ring_later() -> void:
	later(ring.bind(7))


func hurt_later() -> void:
	later(func() -> void: health = 3)


func say_later(text: String) -> void:
	later(func() -> void: print(text))


func drop_later() -> void:
	later($Doomed.queue_free)


func complain() -> void:
	push_error("on purpose")


func forever() -> void:
	while true:
		pass


func flood(count: int) -> void:
	for at in count:
		print("flood ", at)
"#;

/// Put the scene into a project.
pub(super) fn add_scene(project: &Path) -> Result<()> {
    fs::write(project.join("cases.gd"), SCRIPT)?;
    Ok(fs::write(project.join("cases.tscn"), SCENE)?)
}

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("game")?;
    add_scene(&project)?;
    let mut client = Client::start(ground, &project)?;
    cases.case("before it runs", || {
        let said = client.refusal("live_tree", &json!({}))?;
        has("live_tree", &said, "no game is connected")?;
        Ok("the tools say that no game is connected".to_owned())
    });
    let game = ground.start(Side::Game, &project, &["res://cases.tscn"])?;
    look(cases, &mut client, game.pid);
    touch(cases, &mut client);
    wait(cases, &mut client);
    time(cases, &mut client);
    hands::run(cases, &mut client);
    cases.case("what it printed", || {
        let log = game.log();
        ensure!(!log.contains("SCRIPT ERROR"), "a script failed: {log}");
        Ok("no error of a script but the one on purpose".to_owned())
    });
    Ok(())
}

fn look(cases: &mut Cases, client: &mut Client, pid: u32) {
    cases.case("status", || {
        let said = client.call("live_status", &json!({}))?;
        let one = &said["running"][0];
        same("the process", &one["process"], pid)?;
        same("the scene", &one["scene"], "res://cases.tscn")?;
        same("the group twins", &one["groups"]["twins"], 2)?;
        same("problems", &said["problems"], &json!([]))?;
        Ok(format!("process {pid}, {} nodes", one["nodes"]))
    });
    cases.case("tree with filters and pages", || {
        let all = client.call("live_tree", &json!({ "nodePath": "/root/Cases" }))?;
        same("nodes", &all["total"], 9)?;
        same("the second", &all["nodes"][1]["path"], "/root/Cases/Start")?;
        let twins = client.call("live_tree", &json!({ "group": "twins" }))?;
        same(
            "twins",
            column(&twins["nodes"], "path"),
            vec!["/root/Cases/TwinA", "/root/Cases/TwinB"],
        )?;
        let buttons = client.call("live_tree", &json!({ "class": "BaseButton", "limit": 3 }))?;
        same("buttons", (&buttons["total"], &buttons["nextCursor"]), (&json!(5), &json!(3)))?;
        let rest =
            client.call("live_tree", &json!({ "class": "BaseButton", "limit": 3, "cursor": 3 }))?;
        same(
            "the rest",
            column(&rest["nodes"], "path"),
            vec!["/root/Cases/TwinA", "/root/Cases/TwinB"],
        )?;
        let page = client
            .call("live_tree", &json!({ "nodePath": "/root/Cases", "limit": 2, "cursor": 4 }))?;
        same(
            "a page",
            column(&page["nodes"], "path"),
            vec!["/root/Cases/Off", "/root/Cases/TwinA"],
        )?;
        let scripted =
            client.call("live_tree", &json!({ "script": "res://cases.gd", "name": "cas*" }))?;
        same("by script and name", &scripted["total"], 1)?;
        let none = client.call("live_tree", &json!({ "name": "nobody" }))?;
        same("nobody", &none["total"], 0)?;
        Ok("9 nodes; by group, class, script, name, page by page".to_owned())
    });
    cases.case("a node that is not there", || {
        let said = client.refusal("live_node", &json!({ "nodePath": "Strat" }))?;
        has("live_node", &said, "there is no node 'Strat'")?;
        let said =
            client.refusal("live_node", &json!({ "nodePath": "Start", "properties": ["txet"] }))?;
        has("live_node", &said, "txet")?;
        Ok("named, and so is a property that is none".to_owned())
    });
}

fn touch(cases: &mut Cases, client: &mut Client) {
    cases.case("set and read back", || {
        let set = json!({ "nodePath": ".", "properties": { "health": 55, "position:x": 0 } });
        let said = client.call("game_set", &set)?;
        same("health", &said["properties"]["health"], 55)?;
        same("read apart", &value(client, ".", "health")?, 55)?;
        let clamped = json!({ "nodePath": ".", "properties": { "health": 500 } });
        let said = client.refusal("game_set", &clamped)?;
        has("a setter that clamps", &said, "was set to 500 and is 100")?;
        let said = client
            .refusal("game_set", &json!({ "nodePath": ".", "properties": { "health": "much" } }))?;
        has("a text for a number", &said, "health")?;
        same("after the refusal", &value(client, ".", "health")?, 100)?;
        let dry = json!({ "nodePath": ".", "properties": { "health": 1 }, "dryRun": true });
        client.call("game_set", &dry)?;
        same("after a dry run", &value(client, ".", "health")?, 100)?;
        Ok("55 is 55; 500 is 100 and an error".to_owned())
    });
    cases.case("call and expression", || {
        let said = client
            .call("game_call", &json!({ "nodePath": ".", "method": "ring", "arguments": [4] }))?;
        same("ring(4)", (&said["value"], &said["type"]), (&json!(8), &json!("int")))?;
        let said = client.call("game_call", &json!({ "expression": "scene.name + str(2 + 3)" }))?;
        same("the expression", &said["value"], "Cases5")?;
        let said = client.refusal("game_call", &json!({ "nodePath": ".", "method": "rign" }))?;
        has("no such method", &said, "ring(loud)")?;
        let said = client.refusal("game_call", &json!({ "expression": "scene.(" }))?;
        ensure!(!said.is_empty(), "a broken expression is refused without a word");
        let said = client.call("game_call", &json!({ "nodePath": ".", "method": "complain" }))?;
        same("errors meanwhile", column(&said["errors"], "text"), vec!["on purpose"])?;
        same("where", &said["errors"][0]["file"], "res://cases.gd")?;
        Ok("results with types, errors with places".to_owned())
    });
    cases.case("log with cursor and severity", || {
        let errors = client.call("live_log", &json!({ "severity": "error" }))?;
        ensure!(column(&errors["lines"], "text").contains(&"on purpose"), "no error in {errors}");
        let cursor = &errors["cursor"];
        client.call("game_call", &json!({ "expression": "print('one more line')" }))?;
        let new = client.call("live_log", &json!({ "since": cursor }))?;
        same("what is new", column(&new["lines"], "text"), vec!["one more line"])?;
        let no_errors =
            client.call("live_log", &json!({ "since": cursor, "severity": "error" }))?;
        same("no new error", &no_errors["lines"], &json!([]))?;
        Ok("only what is new, only what is as bad".to_owned())
    });
}

fn wait(cases: &mut Cases, client: &mut Client) {
    cases.case("wait for a signal, a value, a line", || {
        start(client, "ring_later()")?;
        let said = client.call("game_wait", &json!({ "nodePath": ".", "signal": "rang", "seconds": 20 }))?;
        same("the signal", (&said["isMet"], &said["what"]["arguments"]), (&json!(true), &json!([7])))?;
        start(client, "hurt_later()")?;
        let less = json!({ "nodePath": ".", "property": "health", "is": "less", "value": 5, "seconds": 20 });
        let said = client.call("game_wait", &less)?;
        same("the value", (&said["isMet"], &said["what"]["value"]), (&json!(true), &json!(3)))?;
        start(client, "say_later('the ship is in')")?;
        let said = client.call("game_wait", &json!({ "log": "ship is", "seconds": 20 }))?;
        same("the line", &said["what"]["text"], "the ship is in")?;
        Ok("each came".to_owned())
    });
    cases.case("a wait has a limit", || {
        let never = json!({ "nodePath": ".", "property": "health", "is": "equal", "value": 99, "seconds": 0.5 });
        let said = client.call("game_wait", &never)?;
        same("met", (&said["isMet"], &said["last"]), (&json!(false), &json!(3)))?;
        let said = client.refusal("game_wait", &json!({ "nodePath": ".", "signal": "rung" }))?;
        has("no such signal", &said, "has no signal 'rung'")?;
        Ok(format!("{} s, and the last value", never["seconds"]))
    });
    cases.case("a node that is freed meanwhile", || {
        start(client, "drop_later()")?;
        let watched = json!({ "nodePath": "Doomed", "property": "position", "seconds": 20 });
        let said = client.call("game_wait", &watched)?;
        same("what", &said["what"], &json!({ "gone": true }))?;
        let said = client.refusal("live_node", &json!({ "nodePath": "Doomed" }))?;
        has("afterwards", &said, "there is no node 'Doomed'")?;
        Ok("told as gone, and not there afterwards".to_owned())
    });
}

fn time(cases: &mut Cases, client: &mut Client) {
    cases.case("pause, scale and exact steps", || {
        let said = client.call("game_time", &json!({ "pause": true, "scale": 2 }))?;
        same("paused", (&said["isPaused"], &said["timeScale"]), (&json!(true), &json!(2.0)))?;
        let before = value(client, ".", "steps")?.as_i64();
        same("while paused", value(client, ".", "steps")?.as_i64(), before)?;
        for steps in [1, 10] {
            let before = value(client, ".", "steps")?.as_i64().unwrap_or_default();
            let said = client.call("game_time", &json!({ "steps": steps }))?;
            same("paused again", &said["isPaused"], true)?;
            let now = value(client, ".", "steps")?.as_i64().unwrap_or_default();
            same("frames of physics that the nodes saw", now - before, steps)?;
        }
        let said = client.call("game_time", &json!({ "pause": false, "scale": 1 }))?;
        same("goes on", (&said["isPaused"], &said["timeScale"]), (&json!(false), &json!(1.0)))?;
        Ok("1 and 10 frames, no more and no fewer".to_owned())
    });
    cases.case("monitors", || {
        let said = client.call("game_monitors", &json!({ "seconds": 0.5 }))?;
        let nodes = &said["monitors"]["nodes"][1];
        ensure!(nodes.as_f64().is_some_and(|nodes| nodes > 8.0), "nodes: {nodes}");
        ensure!(said["frames"].as_u64().is_some_and(|frames| frames > 1), "frames: {said}");
        Ok(format!("{} frames in half a second", said["frames"]))
    });
}

/// A value of a node now.
fn value(client: &mut Client, node: &str, name: &str) -> Result<Value> {
    let mut said = client.call("live_node", &json!({ "nodePath": node, "properties": [name] }))?;
    Ok(said["properties"][name].take())
}

/// Something that goes on after the call.
fn start(client: &mut Client, what: &str) -> Result<Value> {
    client.call("game_call", &json!({ "expression": format!("scene.{what}") }))
}
