//! Names that are slightly wrong: read as meant, with a remark, where nothing is written; refused
//! with the right one where something is.

use expect_test::{Expect, expect};
use scenewright_fixture::sample;
use scenewright_toolkit::Settings;
use scenewright_toolkit::testing::call;
use scenewright_tools::{new_runner, open};
use serde_json::{Value, json};

use crate::packs::GodotSample;

/// What is remarked about a read, or what it fails with.
fn check(engine: &str, tool: &str, arguments: Value, expected: Expect) {
    let runner = new_runner(open(&[sample(engine)]).unwrap(), Settings::default(), None, &[]);
    let text = match call(&runner, tool, arguments) {
        Ok(outcome) => {
            let about = |text: &&String| text.starts_with("There is no ");
            let remarks = outcome.diagnostics.iter().filter(about);
            remarks.map(String::as_str).collect::<Vec<_>>().join("\n")
        }
        Err(error) => format!("{}\n{}", error.message, error.hint.unwrap_or_default()),
    };
    expected.assert_eq(&text);
}

#[test]
fn a_file_of_godot_is_read_as_meant() {
    let tree = |scene: &str, expected| {
        check("godot", "get_node_tree", json!({ "scenePath": scene }), expected);
    };
    tree("scenes/coin.tscn", expect![""]);
    tree(
        "scenes/Coin.tscn",
        expect!["There is no file 'scenes/Coin.tscn'; 'scenes/coin.tscn' was read instead."],
    );
    tree(
        "res://coin.tscn",
        expect!["There is no file 'coin.tscn'; 'scenes/coin.tscn' was read instead."],
    );
    tree(
        "scenes/coinn.tscn",
        expect!["There is no file 'scenes/coinn.tscn'; 'scenes/coin.tscn' was read instead."],
    );
    tree(
        "scenes/coin2.tscn",
        expect![[r#"
        file not found: scenes/coin2.tscn
        did you mean scenes/coin.tscn?"#]],
    );
    tree(
        "scenes/zebra.tscn",
        expect![[r#"
        file not found: scenes/zebra.tscn
        did you mean scenes/player.tscn or scenes/level.tscn or scenes/actor.tscn?"#]],
    );
}

#[test]
fn a_node_is_read_as_meant() {
    let properties = |node: &str, expected| {
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "nodePath": node });
        check("godot", "get_node_properties", arguments, expected);
    };
    properties("Shape", expect![""]);
    properties("shape", expect!["There is no node 'shape'; 'Shape' was read instead."]);
    properties("Shpae", expect!["There is no node 'Shpae'; 'Shape' was read instead."]);
    properties(
        "Shape2",
        expect![[r#"
        node not found: Shape2
        did you mean Shape?"#]],
    );
}

#[test]
fn where_something_is_written_nothing_is_guessed() {
    let sample = GodotSample::new();
    let before = sample.read("scenes/coin.tscn");
    for dry in [true, false] {
        let edit = |scene: &str, node: &str| {
            let arguments = json!({
                "scenePath": scene, "nodePath": node, "dryRun": dry,
                "properties": { "visible": false },
            });
            sample.error("edit_node", arguments)
        };
        assert_eq!(
            edit("scenes/Coin.tscn", "Face"),
            "file not found: scenes/Coin.tscn; did you mean scenes/coin.tscn?"
        );
        assert_eq!(edit("scenes/coin.tscn", "face"), "node not found: face; did you mean Face?");
    }
    assert_eq!(sample.read("scenes/coin.tscn"), before);
}

#[test]
fn a_file_of_unity_is_read_as_meant() {
    let dump = |scene: &str, expected| {
        check("unity", "scene_hierarchy_dump", json!({ "scenePath": scene }), expected);
    };
    dump("Assets/Scenes/Main.unity", expect![""]);
    dump(sample("unity").join("Assets/Scenes/Main.unity").to_str().unwrap(), expect![""]);
    dump(
        "/elsewhere/Assets/Scenes/Main.unity",
        expect![[r#"
            Scene file not found
            did you mean Assets/Scenes/Main.unity?"#]],
    );
    dump("res://Assets/Scenes/Main.unity", expect![""]);
    dump("Assets\\Scenes\\Main.unity", expect![""]);
    dump(
        "Scenes/Main.unity",
        expect![
            "There is no file 'Scenes/Main.unity'; 'Assets/Scenes/Main.unity' was read instead."
        ],
    );
    dump(
        "Assets/scenes/main.unity",
        expect![
            "There is no file 'Assets/scenes/main.unity'; 'Assets/Scenes/Main.unity' was read instead."
        ],
    );
    dump(
        "Main.unity",
        expect!["There is no file 'Main.unity'; 'Assets/Scenes/Main.unity' was read instead."],
    );
    dump(
        "Assets/Scenes/Mian.unity",
        expect![
            "There is no file 'Assets/Scenes/Mian.unity'; 'Assets/Scenes/Main.unity' was read instead."
        ],
    );
    dump(
        "Assets/Scenes/Nowhere.unity",
        expect![[r#"
        Scene file not found
        did you mean Assets/Scenes/Cellar.unity or Assets/Scenes/Main.unity?"#]],
    );
}

#[test]
fn an_object_of_unity_is_read_as_meant() {
    let list = |object: &str, expected| {
        let arguments = json!({ "scenePath": "Assets/Scenes/Main.unity", "objectPath": object });
        check("unity", "scene_components_list", arguments, expected);
    };
    list("Player", expect![""]);
    list("player", expect!["There is no object 'player'; 'Player' was read instead."]);
    list("Plyaer", expect!["There is no object 'Plyaer'; 'Player' was read instead."]);
    list(
        "Nobody",
        expect![[r#"
        GameObject with path 'Nobody' not found in scene
        there is Ground, EventSystem, Player, Lanterns, Player/Hand/Hand Lantern, Player/Hand/Hand Lantern/Flame, Main Camera, Player/Hand, Lanterns/Gate Lantern, Lanterns/Well Lantern, UI/Start Button/Label, Lanterns/Altar Lantern and 8 more; scene_hierarchy_dump or scene_objects_find give the paths"#]],
    );
}

#[test]
fn a_file_of_any_project_is_read_as_meant() {
    let read = |path: &str, expected| {
        check("godot", "project_readFile", json!({ "path": path }), expected);
    };
    read(
        "scripts/Coin.gd",
        expect![
            "There is no file or folder 'scripts/Coin.gd'; 'scripts/coin.gd' was read instead."
        ],
    );
    read(
        "Scripts/coin.gd",
        expect![
            "There is no file or folder 'Scripts/coin.gd'; 'scripts/coin.gd' was read instead."
        ],
    );
    read(
        "scripts/nothing.gd",
        expect![[r#"
        File not found: scripts/nothing.gd
        did you mean scripts/coin.gd or scripts/coin_settings.gd or scripts/main.gd?"#]],
    );
}
