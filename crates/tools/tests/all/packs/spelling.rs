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

/// The lines that a dry run adds.
fn added(engine: &str, tool: &str, arguments: Value) -> String {
    let runner = new_runner(open(&[sample(engine)]).unwrap(), Settings::default(), None, &[]);
    let mut arguments = arguments;
    arguments["dryRun"] = json!(true);
    let output = call(&runner, tool, arguments).unwrap_or_else(|error| panic!("{error}")).output;
    let diff = output["changes"][0]["diff"].as_str().unwrap_or_default().to_owned();
    let lines = diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
    lines.map(|line| line[1..].trim()).collect::<Vec<_>>().join("; ")
}

#[test]
fn json_in_a_string_is_the_value_that_a_field_takes() {
    let unity = |object: &str, class: &str, field: &str, value: &str| {
        let arguments = json!({
            "hierarchyPath": object, "componentType": class, "propertyPath": field, "value": value,
        });
        added("unity", "component_setProperty", arguments)
    };
    let light = |field: &str, value: &str| unity("Directional Light", "Light", field, value);
    let player = |class: &str, field: &str, value: &str| unity("Player", class, field, value);
    for (given, expected) in [
        (
            player("Transform", "m_LocalPosition", "[1, 2, 3]"),
            "m_LocalPosition: {x: 1, y: 2, z: 3}",
        ),
        (
            player("Transform", "position", r#"{"x": 1, "y": 2, "z": 3}"#),
            "m_LocalPosition: {x: 1, y: 2, z: 3}",
        ),
        (light("m_Color", "[1, 0, 0, 1]"), "m_Color: {r: 1, g: 0, b: 0, a: 1}"),
        (light("enabled", "false"), "m_Enabled: 0"),
        (light("intensity", "2.5"), "m_Intensity: 2.5"),
        (player("Rigidbody", "isKinematic", "true"), "m_IsKinematic: 1"),
        // A text keeps its string.
        (player("GameObject", "m_Name", "[1]"), "m_Name: '[1]'"),
        (player("GameObject", "m_Name", "true"), "m_Name: true"),
    ] {
        assert_eq!(given, expected);
    }
    let event = r#"[{"target": {"object": "Player", "component": "PlayerController"}, "method": "Heal", "argument": 3}]"#;
    let click = unity("UI/Start Button", "Button", "onClick", event);
    assert!(click.contains("m_MethodName: Heal") && click.contains("m_IntArgument: 3"), "{click}");
    let godot = |properties: Value| {
        let arguments =
            json!({ "scene": "scenes/main.tscn", "node": ".", "properties": properties });
        added("godot", "edit_node", arguments)
    };
    for (given, expected) in [
        (json!({ "position": "[10, 20]" }), "position = Vector2(10, 20)"),
        (json!({ "position": r#"{"x": 10, "y": 20}"# }), "position = Vector2(10, 20)"),
        (json!({ "modulate": "[1, 0, 0, 1]" }), "modulate = Color(1, 0, 0, 1)"),
        (json!({ "visible": "false" }), "visible = false"),
        (json!({ "editor_description": "[1]" }), "editor_description = \"[1]\""),
        (json!(r#"{"rotation": "1.5"}"#), "rotation = 1.5"),
    ] {
        assert_eq!(godot(given), expected);
    }
}

#[test]
fn a_string_that_no_field_takes_is_still_refused() {
    let runner = new_runner(open(&[sample("unity")]).unwrap(), Settings::default(), None, &[]);
    let refuse = |value: &str| {
        let arguments = json!({
            "object": "Player", "component": "Transform", "field": "m_LocalPosition", "value": value, "dryRun": true,
        });
        call(&runner, "component_setProperty", arguments).unwrap_err().message
    };
    for value in ["[1, 2]", "here", "[1, 2, 3", "true"] {
        assert!(refuse(value).contains("the field takes [x, y, z]"), "{value}: {}", refuse(value));
    }
}
