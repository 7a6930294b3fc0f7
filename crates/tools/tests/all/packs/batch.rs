//! Several calls as one change, in projects of either engine.

use expect_test::expect;
use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_fixture::Folder;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::testing::Bench;
use scenewright_toolkit::{Cx, Group, Settings, Tool, call, schema};
use scenewright_tools::{new_runner, open};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::packs::GodotSample;

/// What clients of spec 004 send.
fn batch() -> Value {
    json!([
        { "tool": "create_scene", "args": { "scenePath": "a.tscn" } },
        { "tool": "godotScene.addNode", "args": { "scene_path": "a.tscn", "nodeType": "Timer", "nodeName": "T" } },
        { "tool": "rename_node", "args": { "scenePath": "a.tscn", "nodePath": "T", "newName": "Clock" }, "id": "name" },
        { "tool": "instance_scene", "args": { "scenePath": "scenes/coin.tscn", "instancePath": "a.tscn" } },
        { "tool": "edit_node", "args": { "scenePath": "scenes/coin.tscn", "nodePath": "A/Clock", "properties": { "wait_time": 2 } } },
        { "tool": "rename_node", "args": { "scenePath": "a.tscn", "nodePath": "Clock", "newName": "Bell" } },
        { "tool": "get_node_tree", "args": { "scenePath": "scenes/coin.tscn", "nodePath": "A" } },
    ])
}

#[test]
fn each_sees_what_those_before_it_did() {
    let sample = GodotSample::new();
    let output = sample.call("batch_operations", json!({ "operations": batch() })).unwrap();
    expect![[r#"
        [
          {
            "step": 1,
            "index": 0,
            "tool": "create_scene",
            "success": true,
            "result": {
              "success": true,
              "scenePath": "a.tscn",
              "rootNodeName": "A",
              "rootNodeType": "Node2D",
              "uid": "uid://fsfbgh2nfqve"
            }
          },
          {
            "step": 2,
            "index": 1,
            "tool": "godotScene.addNode",
            "success": true,
            "result": {
              "success": true,
              "nodePath": "T",
              "nodeType": "Timer"
            }
          },
          {
            "step": 3,
            "index": 2,
            "tool": "rename_node",
            "id": "name",
            "success": true,
            "result": {
              "success": true,
              "oldPath": "T",
              "nodePath": "Clock",
              "referencesUpdated": 0,
              "otherScenes": [],
              "notTouched": []
            }
          },
          {
            "step": 4,
            "index": 3,
            "tool": "instance_scene",
            "success": true,
            "result": {
              "success": true,
              "nodePath": "A",
              "instancePath": "a.tscn",
              "nodeType": "Node2D"
            }
          },
          {
            "step": 5,
            "index": 4,
            "tool": "edit_node",
            "success": true,
            "result": {
              "success": true,
              "nodePath": "A/Clock",
              "nodeType": "Timer",
              "properties": [
                "wait_time"
              ]
            },
            "diagnostics": [
              "A shows its children from now on ([editable]): Godot's editor drops changes inside of instances that do not"
            ]
          },
          {
            "step": 6,
            "index": 5,
            "tool": "rename_node",
            "success": true,
            "result": {
              "success": true,
              "oldPath": "Clock",
              "nodePath": "Bell",
              "referencesUpdated": 1,
              "otherScenes": [
                "scenes/coin.tscn"
              ],
              "notTouched": []
            }
          },
          {
            "step": 7,
            "index": 6,
            "tool": "get_node_tree",
            "success": true,
            "result": {
              "scenePath": "scenes/coin.tscn",
              "nodeCount": 5,
              "tree": {
                "name": "A",
                "type": "Node2D",
                "path": "A",
                "instance": "res://a.tscn",
                "children": [
                  {
                    "name": "Bell",
                    "type": "Timer",
                    "path": "A/Bell"
                  }
                ]
              },
              "truncated": false
            }
          }
        ]"#]].assert_eq(&serde_json::to_string_pretty(&output["results"]).unwrap());
    let changes = output["changes"].as_array().unwrap().iter();
    let diffs = changes.map(|change| change["diff"].as_str().unwrap());
    let diffs: String = diffs.map(|diff| diff.replace("\n \n", "\n\n")).collect();
    expect![[r#"
        --- /dev/null
        +++ b/a.tscn
        @@ -0,0 +1,5 @@
        +[gd_scene format=3 uid="uid://fsfbgh2nfqve"]
        +
        +[node name="A" type="Node2D"]
        +
        +[node name="Bell" type="Timer" parent="."]
        --- a/scenes/coin.tscn
        +++ b/scenes/coin.tscn
        @@ -1,7 +1,8 @@
        -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
        +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]

         [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
         [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
        +[ext_resource type="PackedScene" uid="uid://fsfbgh2nfqve" path="res://a.tscn" id="3_plkkt"]

         [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
         radius = 7.0
        @@ -18,4 +19,11 @@
         [node name="Face" type="Polygon2D" parent="."]
         polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)

        +[node name="A" parent="." instance=ExtResource("3_plkkt")]
        +
        +[node name="Bell" parent="A" index="0"]
        +wait_time = 2.0
        +
         [connection signal="body_entered" from="." to="." method="_on_body_entered"]
        +
        +[editable path="A"]
    "#]].assert_eq(&diffs);
    assert!(output["undo"].is_number());
    sample.undo();
    let scenes = sample.call("list_scenes", json!({})).unwrap();
    assert_eq!(scenes["count"], 5);
}

/// The same in this server's own words, each step with the answers of those before it.
fn steps() -> Value {
    json!([
        { "tool": "create_scene", "as": "scene", "arguments": { "scenePath": "a.tscn" } },
        { "tool": "add_node", "arguments": { "scenePath": "$scene.scenePath", "nodeType": "Timer", "nodeName": "T" } },
        { "tool": "rename_node", "arguments": { "scenePath": "$1.scenePath", "nodePath": "$2.nodePath", "newName": "Clock" } },
        { "tool": "instance_scene", "as": "use", "arguments": { "scenePath": "scenes/coin.tscn", "instancePath": "res://${scene.scenePath}" } },
        { "tool": "edit_node", "arguments": { "scenePath": "scenes/coin.tscn", "nodePath": "${use.nodePath}/${3.nodePath}", "properties": { "wait_time": 2 } } },
    ])
}

#[test]
fn steps_use_what_those_before_them_answered() {
    let sample = GodotSample::new();
    let output = sample.call("batch", json!({ "steps": steps() })).unwrap();
    assert_eq!(output["results"][4]["result"]["nodePath"], "A/Clock");
    assert!(sample.read("scenes/coin.tscn").contains("wait_time = 2.0"));
    assert!(output["undo"].is_number());
    sample.undo();
    assert!(!sample.has("a.tscn"));
}

#[test]
fn a_step_that_fails_is_named_and_nothing_is_written() {
    let sample = GodotSample::new();
    let before = sample.read("scenes/coin.tscn");
    let mut failing = steps();
    failing[4]["arguments"]["nodePath"] = "A/Clok".into();
    let error = sample.call("batch", json!({ "steps": failing })).unwrap_err();
    assert!(error.message.starts_with("step 5 of 5 (edit_node) failed: "), "{error}");
    assert!(error.message.ends_with(". Nothing was written."), "{error}");
    assert!(error.hint.as_deref().unwrap_or_default().contains("A/Clock"), "{error:?}");
    assert_eq!((&error.details["step"], &error.details["filesChanged"]), (&json!(5), &json!(0)));
    assert!(!sample.has("a.tscn") && sample.read("scenes/coin.tscn") == before);

    let wrong = json!([{ "tool": "list_scenes" }, { "tool": "add_node", "arguments": { "nodeName": "$1.cuont" } }]);
    expect!["step 2 of 2 (add_node) failed: $1.cuont is not there: the step answered no 'cuont'. Nothing was written.; did you mean count?"]
        .assert_eq(&sample.error("batch", json!({ "steps": wrong })));
    let unknown = json!({ "steps": [{ "tool": "create_scen" }] });
    let error = sample.call("batch", unknown).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadArguments, "it is not the batch that is unknown");
    let typo = json!({ "steps": [{ "tool": "list_scenes", "argumnts": {} }] });
    let error = sample.error("batch", typo);
    assert!(error.contains("steps.0.argumnts is not known"), "{error}");
}

#[test]
fn all_errors_are_collected_where_that_is_asked_for() {
    let sample = GodotSample::new();
    let before = sample.read("scenes/coin.tscn");
    let mut operations = batch();
    operations[4]["args"]["nodePath"] = "Nobody".into();
    operations[6]["args"]["nodePath"] = "Nobody".into();
    for (stop, expected) in [(true, [4, 1]), (false, [5, 2])] {
        let arguments = json!({ "operations": operations, "stopOnError": stop });
        let details = sample.call("batch_operations", arguments).unwrap_err().details;
        assert_eq!([&details["successCount"], &details["failureCount"]], expected);
        assert_eq!(details["stoppedEarly"], stop);
        assert_eq!(details["failures"][0]["step"], 5);
        assert_eq!(sample.read("scenes/coin.tscn"), before);
        assert_eq!(sample.call("list_scenes", json!({})).unwrap()["count"], 5);
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let sample = GodotSample::new();
    for arguments in [
        json!({ "operations": batch(), "dryRun": true }),
        json!({ "steps": steps(), "dry_run": true }),
    ] {
        let output = sample.call("batch", arguments).unwrap();
        assert_eq!((&output["success"], &output["filesChanged"]), (&json!(true), &json!(2)));
        assert_eq!(sample.call("list_scenes", json!({})).unwrap()["count"], 5);
    }
}

#[test]
fn a_read_only_server_lets_no_write_through() {
    let settings = Settings::default();
    let folder = Folder::copy_of(&scenewright_fixture::sample("godot"));
    let bench = Bench(new_runner(open(&[folder.path("")]).unwrap(), settings, None, &[]));
    let reads = json!([{ "tool": "list_scenes" }, { "tool": "project_info" }]);
    assert_eq!(bench.call("batch", json!({ "steps": reads })).unwrap()["successCount"], 2);
    let write = json!([{ "tool": "create_scene", "arguments": { "scenePath": "a.tscn" } }]);
    let error = bench.call("batch", json!({ "steps": write })).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied);
    expect!["step 1 of 1 (create_scene) failed: godotScene.createScene changes the project, and this server is read-only. Nothing was written."]
        .assert_eq(&error.message);
}

#[test]
fn what_cannot_wait_is_refused() {
    let sample = GodotSample::new();
    let refuse = |step: Value| {
        let error = sample.error("batch", json!({ "steps": [step] }));
        error.trim_start_matches("step 1 of 1 ").to_owned()
    };
    expect!["(batch_operations) failed: project_batch cannot be part of a batch. Nothing was written.; call it by itself, before or after the batch"]
        .assert_eq(&refuse(json!({ "tool": "batch_operations", "args": { "operations": [] } })));
    expect!["(create_scen) failed: Tool not found: create_scen. Nothing was written.; did you mean create_scene?"]
        .assert_eq(&refuse(json!({ "tool": "create_scen" })));
    expect!["(create_scene) failed: Invalid tool arguments: dryRun belongs to the whole batch. Nothing was written.; give dryRun to batch itself"]
        .assert_eq(&refuse(
            json!({ "tool": "create_scene", "args": { "scenePath": "b", "dryRun": true } }),
        ));
    let many: Vec<Value> = (0..3).map(|_| json!({ "tool": "list_scenes" })).collect();
    let arguments = json!({ "operations": many, "maxOperations": 2 });
    expect!["Invalid tool arguments: steps are 3, and maxOperations is 2"]
        .assert_eq(&sample.error("batch", arguments));
}

#[test]
fn reads_see_what_earlier_steps_planned() {
    let sample = GodotSample::new();
    let steps = json!([
        { "tool": "create_scene", "arguments": { "scenePath": "new/a.tscn" } },
        { "tool": "write_script", "arguments": { "scriptPath": "new/a.gd", "content": "class_name Novelty\nextends Node2D\n" } },
        { "tool": "list_scenes" },
        { "tool": "project_readFile", "arguments": { "path": "res://new/a.gd" } },
        { "tool": "project_searchText", "arguments": { "pattern": "Novelty" } },
        { "tool": "project_listFiles", "arguments": { "root": "new", "pattern": "*" } },
        { "tool": "set_project_setting", "arguments": { "key": "application/config/version", "value": "9.9" } },
        { "tool": "get_project_info" },
    ]);
    let output = sample.call("batch", json!({ "steps": steps, "dryRun": true })).unwrap();
    let result = |step: usize| output["results"][step - 1]["result"].clone();
    assert_eq!(result(3)["count"], 6, "{}", result(3));
    assert!(result(4)["content"].as_str().unwrap().contains("Novelty"));
    assert_eq!(result(5)["totalMatches"], 1, "{}", result(5));
    assert_eq!(
        result(6)["files"],
        json!(["new/a.gd", "new/a.gd.uid", "new/a.tscn"]),
        "{}",
        result(6)
    );
    assert!(result(8).to_string().contains("9.9"), "{}", result(8));
    assert!(!sample.has("new"));
}

/// A tool that writes a text file into any project.
const PUT: Tool = Tool {
    id: "testFiles.put",
    title: "Put",
    category: "test",
    safety: Safety::SafeWrite,
    input: schema::input::<Put>,
    output: schema::output::<Written>,
    call: |cx, args| call(cx, args, put),
    ..Tool::READ
};

static MORE: &[Group] =
    &[Group { name: "testFiles", engine: None, about: "For tests", tools: &[PUT] }];

/// Put a text into a file.
#[derive(Deserialize, JsonSchema)]
struct Put {
    /// The file.
    path: String,
    /// What it is to be; nothing removes it.
    text: Option<String>,
}

fn put(cx: &Cx, input: Put) -> Result<Written, ToolError> {
    let project = cx.project(None)?;
    let path = ProjectPath::parse(project, &input.path)?;
    let before = scenewright_toolkit::door::read(cx, project, &path).ok();
    let mut plan = Plan::new(project);
    match (&input.text, &before) {
        (Some(text), before) => plan.write(&path, before.as_deref(), text.as_bytes()),
        (None, Some(before)) => plan.remove(&path, before),
        (None, None) => {}
    }
    plan.commit(cx, false, |_, _| Ok(()))
}

const SCENE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n  m_Name: NAME\n--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_Father: {fileID: 0}\n";

#[test]
fn unity_is_read_as_it_is_planned_and_written_once() {
    let folder = Folder::unity(&format!("//- Assets/Old.unity\n{}", SCENE.replace("NAME", "Old")));
    let settings = Settings { allow_writes: true, ..Settings::default() };
    let bench = Bench(new_runner(open(&[folder.path("")]).unwrap(), settings, None, MORE));
    let meta = "fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\n";
    let steps = json!([
        { "tool": "testFiles.put", "arguments": { "path": "Assets/New/Fresh.unity", "text": SCENE.replace("NAME", "Fresh") } },
        { "tool": "testFiles.put", "arguments": { "path": "Assets/New/Fresh.unity.meta", "text": meta } },
        { "tool": "testFiles.put", "arguments": { "path": "Assets/Old.unity", "text": SCENE.replace("NAME", "Changed") } },
        { "tool": "scene_hierarchy_dump", "arguments": { "scenePath": "Assets/New/Fresh.unity" } },
        { "tool": "scene_hierarchy_dump", "arguments": { "scenePath": "Assets/Old.unity" } },
        { "tool": "asset_info", "arguments": { "assetPath": "Assets/New/Fresh.unity" } },
        { "tool": "testFiles.put", "arguments": { "path": "Assets/New/Fresh.unity" } },
        { "tool": "testFiles.put", "arguments": { "path": "Assets/New/Fresh.unity.meta" } },
    ]);
    let output = bench.call("batch", json!({ "steps": steps })).unwrap();
    let result = |step: usize| output["results"][step - 1]["result"].to_string();
    assert!(result(4).contains("Fresh"), "{}", result(4));
    assert!(result(5).contains("Changed") && !result(5).contains("Old\""), "{}", result(5));
    assert!(result(6).contains("0123456789abcdef0123456789abcdef"), "{}", result(6));
    // What comes and goes inside of a batch was never there.
    assert_eq!(output["filesChanged"], 1);
    assert!(!bench.has("Assets/New") && bench.read("Assets/Old.unity").contains("Changed"));
    bench.undo();
    assert!(bench.read("Assets/Old.unity").contains("m_Name: Old"));
    // And a step that reads what was removed does not find it.
    let gone = json!([
        { "tool": "testFiles.put", "arguments": { "path": "Assets/Old.unity" } },
        { "tool": "scene_hierarchy_dump", "arguments": { "scenePath": "Assets/Old.unity" } },
    ]);
    let error = bench.error("batch", json!({ "steps": gone }));
    assert!(error.starts_with("step 2 of 2 (scene_hierarchy_dump) failed: "), "{error}");
    assert!(bench.has("Assets/Old.unity"));
}

#[test]
fn tags_and_layers_of_earlier_steps_are_known() {
    let folder = Folder::copy_of(&scenewright_fixture::sample("unity"));
    let settings = Settings { allow_writes: true, ..Settings::default() };
    let bench = Bench(new_runner(open(&[folder.path("")]).unwrap(), settings, None, &[]));
    const SCENE: &str = "Assets/Scenes/Cellar.unity";
    let named = json!([
        { "tool": "settings_setLayer", "arguments": { "name": "Foes" } },
        { "tool": "settings_addTag", "arguments": { "tag": "Boss" } },
    ]);
    let change = |field: &str, value: &str| json!({ "op": "set", "object": "Floor", "field": field, "value": value });
    let of_scenes = |operation: &str, key: &str, name: &str| {
        let params = json!({ "match": { "tag": "Untagged" }, key: name });
        json!({ "tool": "scene_batchApply", "arguments": { "scenes": [SCENE], "operation": operation, "params": params } })
    };
    let uses = |layer: &str, tag: &str| {
        [
            json!({ "tool": "settings_setLayerCollision", "arguments": { "layerA": layer, "layerB": layer, "collide": false } }),
            json!({ "tool": "unity_edit", "arguments": { "path": SCENE, "changes": [change("m_Layer", layer)] } }),
            json!({ "tool": "unity_edit", "arguments": { "path": SCENE, "changes": [change("m_TagString", tag)] } }),
            of_scenes("setLayer", "layer", layer),
            of_scenes("setTag", "tag", tag),
            json!({ "tool": "editor_selection_applyTag", "arguments": { "tag": tag, "scenePath": SCENE, "objectPaths": ["Floor"] } }),
        ]
    };
    let before = bench.read(SCENE);
    let with = |step: &Value| {
        let mut steps = named.as_array().unwrap().clone();
        steps.push(step.clone());
        json!({ "steps": steps })
    };
    for (right, wrong) in uses("Foes", "Boss").iter().zip(uses("Ghosts", "Ghost")) {
        bench.call("batch", with(right)).unwrap();
        bench.undo();
        // What no step gives the project is as unknown as ever.
        bench.call("batch", with(&wrong)).unwrap_err();
        bench.call("batch", json!({ "steps": [right] })).unwrap_err();
    }
    assert_eq!(bench.read(SCENE), before);
    assert!(!bench.read("ProjectSettings/TagManager.asset").contains("Foes"));
}
