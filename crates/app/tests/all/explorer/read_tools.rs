//! "Read tools (no allowWrites required)".

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::explorer::support::{GROUND, PLAYER, World};

async fn check(world: &World, tool: &str, arguments: Value, expected: Expect) {
    expected.assert_eq(&world.call(tool, arguments).await.to_string());
}

/// The names in a page of objects, with how many there are in all.
async fn names(world: &World, tool: &str, arguments: Value) -> String {
    let page = world.call(tool, arguments).await;
    let names = page["Items"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|item| item["Name"].as_str().unwrap()).collect();
    format!("{} of {}: {}", names.len(), page["Total"], names.join(", "))
}

/// "`GetStatus()` → `StatusDto` (same as `unity://status`)", and so for every tool that is named
/// beside a resource.
#[tokio::test]
async fn tools_say_what_their_resources_say() {
    let world = World::read_only();
    world.write_script("mcp-test.cs", b"return 123;");
    for (tool, arguments, uri) in [
        ("GetStatus", json!({}), "unity://status"),
        ("ListScenes", json!({ "limit": 2 }), "unity://scenes?limit=2"),
        ("ListObjects", json!({ "sceneId": "scn:0" }), "unity://scene/scn:0/objects"),
        ("GetObject", json!({ "id": PLAYER }), &format!("unity://object/{PLAYER}")),
        (
            "GetComponents",
            json!({ "objectId": PLAYER, "offset": 1 }),
            &format!("unity://object/{PLAYER}/components?offset=1"),
        ),
        ("SearchObjects", json!({ "query": "hand" }), "unity://search?query=hand"),
        ("GetSelection", json!({}), "unity://selection"),
        ("GetCameraInfo", json!({}), "unity://camera/active"),
        ("TailLogs", json!({ "count": 5 }), "unity://logs/tail?count=5"),
        (
            "ReadConsoleScript",
            json!({ "path": "mcp-test.cs" }),
            "unity://console/script?path=mcp-test.cs",
        ),
    ] {
        assert_eq!(world.call(tool, arguments).await, world.read(uri).await, "{tool}");
    }
}

/// "`ListScenes(limit?, offset?)` → `Page<SceneDto>`": loaded ones in the order of their loading, and
/// ids that are places in it.
#[tokio::test]
async fn list_scenes() {
    let world = World::writable();
    world.done("LoadScene", json!({ "name": "Cellar", "mode": "additive" })).await;
    let all = names(&world, "ListScenes", json!({})).await;
    expect!["4 of 4: Main, Cellar, DontDestroyOnLoad, HideAndDontSave"].assert_eq(&all);
    check(&world, "ListScenes", json!({ "limit": 1, "offset": 1 }), expect![[r#"{"Total":4,"Items":[{"Id":"scn:1","Name":"Cellar","Index":1,"IsLoaded":true,"RootCount":5}]}"#]]).await;
    world.done("LoadScene", json!({ "name": "Cellar" })).await;
    let cellar = world.call("ListScenes", json!({ "limit": 1 })).await;
    assert_eq!(
        (&cellar["Items"][0]["Id"], &cellar["Items"][0]["Name"]),
        (&json!("scn:0"), &json!("Cellar"))
    );
}

/// "`ListObjects(sceneId?, name?, type?, activeOnly?, limit?, offset?)` → `Page<ObjectCardDto>`":
/// parents before children, inactive ones too, and `Total` counts every match.
#[tokio::test]
async fn list_objects() {
    let world = World::writable();
    for (arguments, expected) in [
        (
            json!({}),
            expect![
                "20 of 20: Main Camera, Directional Light, Ground, Player, Hand, Hand Lantern, Flame, Lanterns, Gate Lantern, Flame, Well Lantern, Flame, Altar Lantern, Flame, Gilded Ring, UI, Start Button, Label, EventSystem, Debug Marker"
            ],
        ),
        (json!({ "limit": 2 }), expect!["2 of 20: Main Camera, Directional Light"]),
        (
            json!({ "limit": 2, "offset": 2, "name": "LANTERN" }),
            expect!["2 of 5: Gate Lantern, Well Lantern"],
        ),
        (json!({ "type": "Light", "limit": 1 }), expect!["1 of 5: Directional Light"]),
        (json!({ "type": "UnityEngine.Light", "limit": 1 }), expect!["1 of 5: Directional Light"]),
        (json!({ "type": "UnityEngine.Renderer", "name": "ground" }), expect!["1 of 1: Ground"]),
        (json!({ "type": "PlayerController" }), expect!["1 of 1: Player"]),
        (json!({ "type": "Zork" }), expect!["0 of 0: "]),
        (json!({ "activeOnly": true, "limit": 1 }), expect!["1 of 19: Main Camera"]),
        (json!({ "sceneId": "scn:0", "limit": 1 }), expect!["1 of 20: Main Camera"]),
        (json!({ "sceneId": "scn:1" }), expect!["0 of 0: "]),
        (json!({ "sceneId": "scn:ddol" }), expect!["0 of 0: "]),
        (json!({ "sceneId": "Main" }), expect!["0 of 0: "]),
    ] {
        expected.assert_eq(&names(&world, "ListObjects", arguments).await);
    }
}

/// "`GetObject(id)` → `ObjectCardDto` by `obj:<instanceId>`": inactive ones as well, and those that
/// came later, whose ids are negative as in Unity.
#[tokio::test]
async fn get_object() {
    let world = World::writable();
    check(&world, "GetObject", json!({ "id": GROUND }), expect![[r#"{"Id":"obj:1809311514","Name":"Ground","Path":"/Ground","Tag":"Untagged","Layer":7,"Active":true,"ComponentCount":4}"#]]).await;
    let inactive = world.call("GetObject", json!({ "id": "obj:101221269" })).await;
    assert_eq!((&inactive["Name"], &inactive["Active"]), (&json!("Debug Marker"), &json!(false)));
    let made = world.call("SpawnTestUi", json!({})).await;
    check(&world, "GetObject", json!({ "id": made["rootId"] }), expect![[r#"{"Id":"obj:-2","Name":"McpTestCanvas","Path":"/McpTestCanvas","Tag":"Untagged","Layer":0,"Active":true,"ComponentCount":4}"#]]).await;
    world.done("SetActive", json!({ "objectId": GROUND, "active": false })).await;
    assert_eq!(world.call("GetObject", json!({ "id": GROUND })).await["Active"], false);
}

/// "`GetComponents(objectId, limit?, offset?)` → `Page<ComponentCardDto>`": in their order, the
/// transform first.
#[tokio::test]
async fn get_components() {
    let world = World::read_only();
    check(&world, "GetComponents", json!({ "objectId": PLAYER }), expect![[r#"{"Total":4,"Items":[{"Type":"UnityEngine.Transform","Summary":"Player (UnityEngine.Transform)"},{"Type":"UnityEngine.CapsuleCollider","Summary":"Player (UnityEngine.CapsuleCollider)"},{"Type":"UnityEngine.Rigidbody","Summary":"Player (UnityEngine.Rigidbody)"},{"Type":"LanternKeep.PlayerController","Summary":"Player (LanternKeep.PlayerController)"}]}"#]]).await;
}

/// "`GetVersion()` → `VersionInfoDto { ExplorerVersion, McpVersion, UnityVersion, Runtime }`."
#[tokio::test]
async fn get_version() {
    let world = World::read_only();
    check(&world, "GetVersion", json!({}), expect![[r#"{"ExplorerVersion":"0.1.0","McpVersion":"0.1.0","UnityVersion":"2022.3.20f1","Runtime":"scenewright"}"#]]).await;
}

/// "`SearchObjects(query?, name?, type?, path?, activeOnly?, limit?, offset?)` → `Page<ObjectCardDto>`":
/// everything that is given must hold.
#[tokio::test]
async fn search_objects() {
    let world = World::read_only();
    for (arguments, expected) in [
        (json!({ "query": "hand" }), expect!["3 of 3: Hand, Hand Lantern, Flame"]),
        (json!({ "name": "hand" }), expect!["2 of 2: Hand, Hand Lantern"]),
        (json!({ "path": "/player/hand" }), expect!["3 of 3: Hand, Hand Lantern, Flame"]),
        (json!({ "query": "hand", "type": "Light" }), expect!["1 of 1: Flame"]),
        (json!({ "query": "hand", "type": "Light", "name": "lantern" }), expect!["0 of 0: "]),
        (json!({ "path": "/lanterns/", "name": "flame", "limit": 1 }), expect!["1 of 3: Flame"]),
        (json!({ "activeOnly": true, "limit": 1 }), expect!["1 of 19: Main Camera"]),
    ] {
        expected.assert_eq(&names(&world, "SearchObjects", arguments).await);
    }
}

/// "`GetCameraInfo()` → `CameraInfoDto`."
#[tokio::test]
async fn get_camera_info() {
    let world = World::read_only();
    let mut camera = world.call("GetCameraInfo", json!({})).await;
    let tilt = camera["Rot"]["X"].take().as_f64().unwrap();
    assert!((tilt - 15.0).abs() < 1e-3, "{tilt}");
    expect![[r#"{"IsFreecam":false,"Name":"Main Camera","Fov":60.0,"Pos":{"X":0.0,"Y":3.0,"Z":-10.0},"Rot":{"X":null,"Y":0.0,"Z":0.0}}"#]].assert_eq(&camera.to_string());
}

/// "`MousePick(mode="world"|"ui", x?, y?, normalized=false)` → `PickResultDto { Mode, Hit, Id?, Items? }`;
/// world mode omits `Items` (null)". The screen is 1920×1080, and its origin is at the bottom left.
#[tokio::test]
async fn mouse_pick_in_the_world() {
    let world = World::read_only();
    let hit = |id: &str| json!({ "Mode": "world", "Hit": true, "Id": id, "Items": null });
    for (arguments, id) in [
        (json!({ "mode": "world", "x": 0.5, "y": 0.5, "normalized": true }), PLAYER),
        (json!({ "x": 960, "y": 540 }), PLAYER),
        (json!({}), PLAYER),
        (json!({ "x": 0.5, "y": 0.1, "normalized": true }), GROUND),
        (json!({ "x": 0.5, "y": -7, "normalized": true }), GROUND),
    ] {
        assert_eq!(world.call("MousePick", arguments.clone()).await, hit(id), "{arguments}");
    }
}

/// "UI mode uses EventSystem ordering (top-most first) and `Id` mirrors the first resolvable hit (hits
/// are filtered to GameObjects that `GetObject` can resolve; if none, Items is empty/Id null)".
#[tokio::test]
async fn mouse_pick_in_the_user_interface() {
    let world = World::writable();
    let made = world.call("SpawnTestUi", json!({})).await;
    let pick = async |x: f64| {
        world.call("MousePick", json!({ "mode": "ui", "x": x, "y": 0.5, "normalized": true })).await
    };
    for (x, block) in [(0.35, 0), (0.65, 1)] {
        let hit = pick(x).await;
        let block = &made["blocks"][block];
        let item = &hit["Items"][0];
        assert_eq!((&hit["Hit"], &hit["Id"]), (&json!(true), &block["id"]), "{hit}");
        assert_eq!((&item["Id"], &item["Name"]), (&block["id"], &block["name"]), "{hit}");
        let card = world.call("GetObject", json!({ "id": item["Id"] })).await;
        assert_eq!(card["Path"], item["Path"]);
    }
    let nothing = json!({ "Mode": "ui", "Hit": false, "Id": null, "Items": [] });
    assert_eq!(pick(0.01).await, nothing);
    // Two blocks in one place: the later sibling is drawn on top.
    let (left, right) = (&made["blocks"][0]["id"], &made["blocks"][1]["id"]);
    let list = json!(["UnityEngine.RectTransform.anchoredPosition"]);
    world.done("SetConfig", json!({ "reflectionAllowlistMembers": list })).await;
    let onto_left = (0.35 - 0.65) * 1920.0;
    let moved = json!({
        "objectId": right,
        "componentType": "UnityEngine.RectTransform",
        "member": "anchoredPosition",
        "jsonValue": format!("[{onto_left}, 0]"),
    });
    world.done("SetMember", moved).await;
    let both = pick(0.35).await;
    let ids: Vec<&Value> =
        both["Items"].as_array().unwrap().iter().map(|item| &item["Id"]).collect();
    assert_eq!((ids, &both["Id"]), (vec![right, left], right));
    world.done("DestroyObject", json!({ "objectId": right })).await;
    assert_eq!(pick(0.35).await["Id"], *left, "what is destroyed is not hit");
}

/// "`TailLogs(count=200)` → `LogTailDto`": the last lines, the oldest of them first.
#[tokio::test]
async fn tail_logs() {
    let world = World::read_only();
    for number in 10..220 {
        world.said("GetObject", json!({ "id": format!("obj:{number}") })).await;
    }
    assert_eq!(world.log(3).await.len(), 3);
    let usual = world.call("TailLogs", json!({})).await;
    assert_eq!(usual["Items"].as_array().unwrap().len(), 200);
    let times: Vec<&str> =
        usual["Items"].as_array().unwrap().iter().map(|line| line["T"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "oldest first");
    assert_eq!(world.log(1000).await.len(), 210, "and all when more are wanted");
    assert_eq!(world.log(0).await.len(), 1, "at least one");
}

/// "`ReadConsoleScript(path)` → `ConsoleScriptFileDto { Name, Path, Content, SizeBytes, LastModifiedUtc,
/// Truncated }`": also by the path that the list gives.
#[tokio::test]
async fn read_console_script() {
    let world = World::read_only();
    world.write_script("sub/deep.cs", "return \"Ä\";".as_bytes());
    let file = world.script("sub").join("deep.cs");
    for path in ["sub/deep.cs", "sub\\deep.cs", "./sub/../sub/deep.cs", file.to_str().unwrap()] {
        let mut script = world.call("ReadConsoleScript", json!({ "path": path })).await;
        let fields: Vec<&String> = script.as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            ["Name", "Path", "Content", "SizeBytes", "LastModifiedUtc", "Truncated"]
        );
        assert_eq!(script["Path"].take(), json!(file), "{path}");
        let time = script["LastModifiedUtc"].take();
        assert!(time.as_str().unwrap().ends_with('Z'), "{time}");
        expect![[r#"{"Name":"deep.cs","Path":null,"Content":"return \"Ä\";","SizeBytes":12,"LastModifiedUtc":null,"Truncated":false}"#]]
        .assert_eq(&script.to_string());
    }
}

/// "`GetSelection()` → `SelectionDto { ActiveId, Items[] }`."
#[tokio::test]
async fn get_selection() {
    let world = World::writable();
    world.done("SelectObject", json!({ "objectId": PLAYER })).await;
    let selection = json!({ "ActiveId": PLAYER, "Items": [PLAYER] });
    assert_eq!(world.call("GetSelection", json!({})).await, selection);
}

/// "`GetTimeScale()` → `{ ok: true, value: float, locked: bool }`."
#[tokio::test]
async fn get_time_scale() {
    let world = World::read_only();
    let scale = expect![[r#"{"ok":true,"value":1.0,"locked":false}"#]];
    check(&world, "GetTimeScale", json!({}), scale).await;
}
