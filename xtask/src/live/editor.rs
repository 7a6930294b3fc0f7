//! A running editor: what is open and unsaved, changes put into it, files that it reads again, its player.

mod changes;

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::cases::{Cases, column, has, same, soon};
use super::{Client, Godot, Ground, Side};

/// A plugin of the project's own that changes the open scene as a person does: no tool may leave a
/// scene unsaved by itself, and the addon has no way to ask it for that.
const DIRT: &str = r#"@tool
extends EditorPlugin


func _process(_delta: float) -> void:
	var path := ProjectSettings.globalize_path("res://.godot/dirt")
	if not FileAccess.file_exists(path):
		return
	var words := FileAccess.get_file_as_string(path).split(" ")
	DirAccess.remove_absolute(path)
	if words[0] == "error":
		push_error("on purpose, in the editor")
		return
	if words[0] == "quit":
		get_tree().quit()
		return
	var root := EditorInterface.get_edited_scene_root()
	var node := root.get_node(words[0])
	var history := get_undo_redo()
	history.create_action("by hand", UndoRedo.MERGE_DISABLE, root)
	history.add_do_property(node, words[1], str_to_var(words[2]))
	history.add_undo_property(node, words[1], node.get(words[1]))
	history.commit_action()
"#;

const MAIN: &str = "res://scenes/main.tscn";
const SOON: Duration = Duration::from_secs(20);

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("editor")?;
    add_dirt(&project)?;
    let mut client = Client::start(ground, &project)?;
    let editor = ground.start(Side::Editor, &project, &[])?;
    client.call("editor_scene", &json!({ "scenePath": MAIN, "action": "open" }))?;
    look(cases, &mut client, &editor);
    changes::run(cases, &mut client, &project);
    scenes(cases, &mut client, &project);
    log(cases, &mut client, &project);
    play(cases, &mut client);
    cases.case("a normal end", || {
        let file = editor.file();
        ensure!(file.exists(), "it did not say where it listens");
        hand(&project, "quit")?;
        editor.ended()?;
        same("its file is there", file.exists(), false)?;
        let said = client.call("live_status", &json!({}))?;
        same("who runs", &said["running"], &json!([]))?;
        Ok("its file is gone, and nobody believes that it runs".to_owned())
    });
    Ok(())
}

fn look(cases: &mut Cases, client: &mut Client, editor: &Godot) {
    cases.case("status", || {
        let one = client.call("live_status", &json!({}))?["running"][0].take();
        same("the side", &one["side"], "editor")?;
        same("the process", &one["process"], editor.pid)?;
        same("the scene", &one["scenes"][0]["scene"], MAIN)?;
        same("unsaved", &one["scenes"][0]["isUnsaved"], false)?;
        same("dialogs", &one["dialogs"], &json!([]))?;
        Ok(format!("process {}, one scene, saved", editor.pid))
    });
    cases.case("class of the engine and of a script", || {
        let said = client.call("editor_class", &json!({ "name": "Timer" }))?;
        same("inherits", (&said["inherits"], &said["from"]), (&json!("Node"), &json!("engine")))?;
        let said = client.call("editor_class", &json!({ "name": "Player" }))?;
        same(
            "from",
            (&said["inherits"], &said["from"]),
            (&json!("Actor"), &json!("res://scripts/player.gd")),
        )?;
        let said = client.refusal("editor_class", &json!({ "name": "Palyer" }))?;
        has("no such class", &said, "there is no class Palyer")?;
        Ok("Timer, Player; Palyer is none".to_owned())
    });
    cases.case("scripts open", || {
        let said = client.call("editor_scripts", &json!({}))?;
        ensure!(said["scripts"].is_array(), "no list: {said}");
        Ok(format!("{} open", said["scripts"].as_array().map_or(0, Vec::len)))
    });
    cases.case("what is not open", || {
        let said = client.refusal("live_tree", &json!({ "scenePath": "scenes/level.tscn" }))?;
        has(
            "a scene that is not open",
            &said,
            "res://scenes/level.tscn is not open in the editor",
        )?;
        let save = json!({ "scenePath": "scenes/level.tscn", "action": "save" });
        has("saved all the same", &client.refusal("editor_scene", &save)?, "is not open")?;
        let far = json!({ "projectPath": "/nowhere", "scenePath": MAIN });
        client.refusal("live_tree", &far)?;
        Ok("a scene that is not open and a project that is not served are refused".to_owned())
    });
}

fn scenes(cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("save, reload, close, select", || {
        let act = |action: &str, discard: bool| json!({ "scenePath": MAIN, "action": action, "discard": discard });
        dirty(client, project, "Player z_index 41")?;
        let said = client.refusal("editor_scene", &act("reload", false))?;
        has("reload without discard", &said, "not saved")?;
        let said = client.refusal("editor_scene", &act("close", false))?;
        has("close without discard", &said, "not saved")?;
        client.call("editor_scene", &act("save", false))?;
        let text = fs::read_to_string(project.join("scenes/main.tscn"))?;
        has("the file", &text, "z_index = 41")?;
        same("unsaved", unsaved(client, MAIN)?, Some(false))?;
        dirty(client, project, "Player z_index 42")?;
        client.call("editor_scene", &act("reload", true))?;
        same("after reload", node(client, "Player", "z_index")?, 41)?;
        let select = json!({ "scenePath": MAIN, "action": "select", "nodes": ["Player", "HUD/Root"] });
        let said = client.call("editor_scene", &select)?;
        same("selected", &said["selection"], &json!(["Player", "HUD/Root"]))?;
        let open = json!({ "scenePath": "scenes/level.tscn", "action": "open" });
        client.call("editor_scene", &open)?;
        client.call("editor_scene", &act("close", false))?;
        same("still open", unsaved(client, MAIN)?, None)?;
        client.call("editor_scene", &act("open", false))?;
        Ok("each read back; what is not saved is not lost without `discard`".to_owned())
    });
}

fn log(cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("log with cursor and severity", || {
        let all = json!({ "of": "editor" });
        let cursor = client.call("live_log", &all)?["cursor"].take();
        hand(project, "error")?;
        let new = json!({ "of": "editor", "since": cursor, "severity": "error" });
        soon("the error", SOON, || {
            let said = client.call("live_log", &new)?;
            Ok(column(&said["lines"], "text").iter().any(|text| text.contains("on purpose")))
        })?;
        let before = json!({ "of": "editor", "since": 0, "severity": "error", "limit": 1000 });
        let said = client.call("live_log", &before)?;
        // Without a window Godot has no picture of a scene that it saves, and says so.
        let lines = said["lines"].as_array().into_iter().flatten();
        let ours: Vec<_> = lines
            .filter(|line| line["text"] != "Parameter \"t\" is null.")
            .filter(|line| {
                line["file"].as_str().is_some_and(|file| file.contains("addons/scenewright"))
            })
            .collect();
        ensure!(ours.is_empty(), "the addon had errors: {said}");
        Ok("the one on purpose came, and none of the addon's own".to_owned())
    });
}

fn play(cases: &mut Cases, client: &mut Client) {
    cases.case("play while a game plays", || {
        let first = client.call("editor_play", &json!({ "action": "main" }))?;
        let second = client.call("editor_play", &json!({ "action": "main" }))?;
        ensure!(second["gameProcess"].is_u64(), "the second game is not linked: {second}");
        ensure!(first["gameProcess"] != second["gameProcess"], "it is the same game: {second}");
        client.call("editor_play", &json!({ "action": "stop" }))?;
        Ok("the first ends, and another one is linked".to_owned())
    });
    for (action, scene) in [("main", MAIN), ("current", MAIN)] {
        cases.case(&format!("play {action} and stop"), || {
            let said = client.call("editor_play", &json!({ "action": action }))?;
            same("playing", (&said["isPlaying"], &said["scene"]), (&json!(true), &json!(scene)))?;
            ensure!(said["gameProcess"].is_u64(), "the game is not linked: {said}");
            let tree = client.call("live_tree", &json!({ "class": "Player" }))?;
            same("the player", column(&tree["nodes"], "path"), vec!["/root/Main/Player"])?;
            let said = client.call("editor_play", &json!({ "action": "stop" }))?;
            same("stopped", &said["isPlaying"], false)?;
            soon("the game's end", SOON, || {
                let said = client.call("live_status", &json!({}))?;
                Ok(!column(&said["running"], "side").contains(&"game"))
            })?;
            Ok("the game was linked, and is gone".to_owned())
        });
    }
}

/// Enable the plugin in a project.
fn add_dirt(project: &Path) -> Result<()> {
    let folder = project.join("addons/dirt");
    fs::create_dir_all(&folder)?;
    let about = "[plugin]\n\nname=\"dirt\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"dirt.gd\"\n";
    fs::write(folder.join("plugin.cfg"), about)?;
    fs::write(folder.join("dirt.gd"), DIRT)?;
    let settings = project.join("project.godot");
    let text = fs::read_to_string(&settings)?;
    let ours = "\"res://addons/scenewright/plugin.cfg\"";
    ensure!(text.contains(ours), "the addon is not enabled: {text}");
    Ok(fs::write(
        settings,
        text.replace(ours, &format!("{ours}, \"res://addons/dirt/plugin.cfg\"")),
    )?)
}

/// Tell the plugin what to do; it reads whole files only.
fn hand(project: &Path, what: &str) -> Result<()> {
    let whole = project.join(".godot/dirt");
    fs::write(project.join(".godot/dirt-part"), what)?;
    Ok(fs::rename(project.join(".godot/dirt-part"), whole)?)
}

/// A change by hand, in the main scene: node, property and value.
fn dirty(client: &mut Client, project: &Path, what: &str) -> Result<()> {
    hand(project, what)?;
    soon("a scene that is not saved", SOON, || Ok(unsaved(client, MAIN)? == Some(true)))
}

/// Whether an open scene is not saved; nothing when it is not open.
fn unsaved(client: &mut Client, scene: &str) -> Result<Option<bool>> {
    let said = client.call("live_status", &json!({}))?;
    let scenes = said["running"][0]["scenes"].as_array().into_iter().flatten();
    let mut open = scenes.filter(|open| open["scene"] == scene);
    Ok(open.next().and_then(|open| open["isUnsaved"].as_bool()))
}

/// A value of a node in the open main scene.
fn node(client: &mut Client, path: &str, name: &str) -> Result<Value> {
    let ask = json!({ "scenePath": MAIN, "nodePath": path, "properties": [name] });
    Ok(client.call("live_node", &ask)?["properties"][name].take())
}
