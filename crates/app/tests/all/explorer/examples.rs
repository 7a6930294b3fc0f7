//! "Example Payloads": each of them on the sample. Its values take the place of those of the document's
//! game; names, types and order of the members are the document's.

use expect_test::expect;
use serde_json::{Value, json};

use crate::explorer::http::post;
use crate::explorer::support::World;

/// The names of the members and the types of their values, however deep.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), shape(value))).collect()
        }
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        Value::String(_) => json!("text"),
        Value::Number(_) => json!("number"),
        Value::Bool(_) => json!("bool"),
        Value::Null => Value::Null,
    }
}

/// The document's payload and ours have one shape.
fn assert_alike(documented: &str, ours: &Value) {
    let documented: Value = serde_json::from_str(documented).unwrap();
    assert_eq!(shape(&documented).to_string(), shape(ours).to_string(), "{ours}");
}

/// "`unity://status`".
#[tokio::test]
async fn status() {
    let world = World::read_only();
    let mut status = world.read("unity://status").await;
    let documented = r#"{
        "Version": "0.1.0", "UnityVersion": "2021.3.45f1", "Platform": "WindowsPlayer",
        "Runtime": "IL2CPP", "ExplorerVersion": "4.12.8", "Ready": true, "ScenesLoaded": 1,
        "Selection": []
    }"#;
    assert_alike(documented, &status);
    let platform = status["Platform"].take();
    assert!(["LinuxPlayer", "OSXPlayer", "WindowsPlayer"].iter().any(|name| platform == *name));
    expect![[r#"{"Version":"0.1.0","UnityVersion":"2022.3.20f1","Platform":null,"Runtime":"scenewright","ExplorerVersion":"0.1.0","Ready":true,"ScenesLoaded":1,"Selection":[]}"#]].assert_eq(&status.to_string());
}

/// "`unity://scene/scn:0/objects?limit=2`". The example's `Total` was how many had been seen; ours is how
/// many there are, as its name says.
#[tokio::test]
async fn objects_of_a_scene() {
    let world = World::read_only();
    let page = world.read("unity://scene/scn:0/objects?limit=2").await;
    let documented = r#"{
        "Total": 2,
        "Items": [
            { "Id": "obj:2134", "Name": "EventSystem", "Path": "/EventSystem", "Tag": "Untagged", "Layer": 0, "Active": true, "ComponentCount": 4 },
            { "Id": "obj:2136", "Name": "Lighting", "Path": "/Lighting", "Tag": "Untagged", "Layer": 0, "Active": true, "ComponentCount": 1 }
        ]
    }"#;
    assert_alike(documented, &page);
    expect![[r#"
        {
          "Total": 20,
          "Items": [
            {
              "Id": "obj:1279963751",
              "Name": "Main Camera",
              "Path": "/Main Camera",
              "Tag": "MainCamera",
              "Layer": 0,
              "Active": true,
              "ComponentCount": 3
            },
            {
              "Id": "obj:795774851",
              "Name": "Directional Light",
              "Path": "/Directional Light",
              "Tag": "Untagged",
              "Layer": 0,
              "Active": true,
              "ComponentCount": 2
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&page).unwrap());
}

/// "`MousePick(mode="world")` when no world hit is under the cursor": at the top of the screen is the sky.
#[tokio::test]
async fn a_pick_that_hits_nothing() {
    let world = World::read_only();
    let sky = json!({ "mode": "world", "x": 0.5, "y": 1.0, "normalized": true });
    let picked = world.call("MousePick", sky).await;
    expect![[r#"{"Mode":"world","Hit":false,"Id":null,"Items":null}"#]]
        .assert_eq(&picked.to_string());
}

/// "`MousePick(mode="ui")` after `SpawnTestUi` (shape)".
#[tokio::test]
async fn a_pick_of_the_test_interface() {
    let world = World::writable();
    world.done("SpawnTestUi", json!({})).await;
    let left = json!({ "mode": "ui", "x": 0.35, "y": 0.5, "normalized": true });
    let picked = world.call("MousePick", left).await;
    let documented = r#"{ "Mode": "ui", "Hit": true, "Id": "obj:1", "Items": [{ "Id": "obj:1", "Name": "McpTestBlock_Left", "Path": "/McpTestCanvas/McpTestBlock_Left" }] }"#;
    assert_alike(documented, &picked);
    expect![[r#"{"Mode":"ui","Hit":true,"Id":"obj:-12","Items":[{"Id":"obj:-12","Name":"McpTestBlock_Left","Path":"/McpTestCanvas/McpTestBlock_Left"}]}"#]].assert_eq(&picked.to_string());
    let right = json!({ "mode": "ui", "x": 0.65, "y": 0.5, "normalized": true });
    expect![[r#"{"Mode":"ui","Hit":true,"Id":"obj:-20","Items":[{"Id":"obj:-20","Name":"McpTestBlock_Right","Path":"/McpTestCanvas/McpTestBlock_Right"}]}"#]].assert_eq(&world.call("MousePick", right).await.to_string());
}

/// "`WriteConsoleScript` (JSON-RPC call_tool shape)", word for word, and then
/// "`unity://console/script?path=mcp-test.cs` (shape)".
#[tokio::test]
async fn a_script_is_written_and_read() {
    let world = World::writable();
    let message = r#"{"jsonrpc":"2.0","id":"write-script","method":"call_tool","params":{"name":"WriteConsoleScript","arguments":{"path":"mcp-test.cs","content":"return 123;","confirm":true}}}"#;
    let answer = post(&world.server, message).await;
    expect![[r#"{"jsonrpc":"2.0","id":"write-script","result":{"content":[{"type":"text","text":"{\"ok\":true}","mimeType":"application/json","json":{"ok":true}}]}}"#]].assert_eq(&answer.body);
    let mut script = world.read("unity://console/script?path=mcp-test.cs").await;
    let documented = r#"{ "Name": "mcp-test.cs", "Path": "<ScriptsFolder>/mcp-test.cs", "Content": "return 123;", "SizeBytes": 11, "LastModifiedUtc": "2025-12-17T18:00:00Z", "Truncated": false }"#;
    assert_alike(documented, &script);
    assert_eq!(script["Path"], json!(world.script("mcp-test.cs")));
    let time = script["LastModifiedUtc"].as_str().unwrap();
    assert!(time.starts_with("20") && time.contains('T') && time.ends_with('Z'), "{time}");
    script["Path"] = json!("<ScriptsFolder>/mcp-test.cs");
    script["LastModifiedUtc"] = json!("2025-12-17T18:00:00Z");
    let documented: Value = serde_json::from_str(documented).unwrap();
    assert_eq!(script.to_string(), documented.to_string());
}
