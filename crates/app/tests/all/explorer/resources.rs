//! "Resources (read-only)". Most of them are what a tool answers; its values are in `read_tools`.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::explorer::support::{CAMERA, HAND, PLAYER, SET_ACTIVE, World};

async fn check(world: &World, uri: &str, expected: Expect) {
    expected.assert_eq(&world.read(uri).await.to_string());
}

/// "Default policy: read-only": a server that was told nothing reads everything.
#[tokio::test]
async fn every_resource_is_read_without_allow_writes() {
    let world = World::read_only();
    for uri in [
        "unity://status",
        "unity://scenes",
        "unity://scene/scn:0/objects",
        &format!("unity://object/{PLAYER}"),
        &format!("unity://object/{PLAYER}/components"),
        "unity://search",
        "unity://selection",
        "unity://camera/active",
        "unity://logs/tail",
        "unity://console/scripts",
        "unity://hooks",
    ] {
        assert!(world.read(uri).await.is_object(), "{uri}");
    }
}

/// "`unity://scenes` — `Page<SceneDto> { Total, Items: [{ Id, Name, Index, IsLoaded, RootCount }] }`."
/// Behind the loaded scenes are the two that hold what belongs to none.
#[tokio::test]
async fn scenes() {
    let world = World::read_only();
    check(&world, "unity://scenes", expect![[r#"{"Total":3,"Items":[{"Id":"scn:0","Name":"Main","Index":0,"IsLoaded":true,"RootCount":8},{"Id":"scn:ddol","Name":"DontDestroyOnLoad","Index":-1,"IsLoaded":true,"RootCount":0},{"Id":"scn:hide","Name":"HideAndDontSave","Index":-2,"IsLoaded":false,"RootCount":0}]}"#]]).await;
    check(&world, "unity://scenes?limit=1&offset=1", expect![[r#"{"Total":3,"Items":[{"Id":"scn:ddol","Name":"DontDestroyOnLoad","Index":-1,"IsLoaded":true,"RootCount":0}]}"#]]).await;
}

/// "`unity://scene/{sceneId}/objects?limit&offset` — `Page<ObjectCardDto> { Total, Items: [{ Id, Name,
/// Path, Tag, Layer, Active, ComponentCount }] }`": `Total` is how many there are, not how many are
/// given.
#[tokio::test]
async fn objects_of_a_scene() {
    let world = World::read_only();
    check(&world, "unity://scene/scn:0/objects?limit=2&offset=3", expect![[r#"{"Total":20,"Items":[{"Id":"obj:1616470424","Name":"Player","Path":"/Player","Tag":"Player","Layer":0,"Active":true,"ComponentCount":4},{"Id":"obj:1533678696","Name":"Hand","Path":"/Player/Hand","Tag":"Untagged","Layer":0,"Active":true,"ComponentCount":1}]}"#]]).await;
    check(&world, "unity://scene/scn:0/objects?limit=1&offset=19", expect![[r#"{"Total":20,"Items":[{"Id":"obj:101221269","Name":"Debug Marker","Path":"/Debug Marker","Tag":"Untagged","Layer":0,"Active":false,"ComponentCount":2}]}"#]]).await;
    check(&world, "unity://scene/scn:0/objects?offset=20", expect![[r#"{"Total":20,"Items":[]}"#]])
        .await;
    check(&world, "unity://scene/scn:7/objects", expect![[r#"{"Total":0,"Items":[]}"#]]).await;
}

/// "`unity://object/{id}` — `ObjectCardDto` (same shape as list items; no transform payload today)."
#[tokio::test]
async fn an_object() {
    let world = World::read_only();
    let uri = format!("unity://object/{PLAYER}");
    check(&world, &uri, expect![[r#"{"Id":"obj:1616470424","Name":"Player","Path":"/Player","Tag":"Player","Layer":0,"Active":true,"ComponentCount":4}"#]]).await;
    let list = world.read("unity://scene/scn:0/objects?limit=1&offset=3").await;
    assert_eq!(world.read(&uri).await, list["Items"][0], "the same card");
}

/// "`unity://object/{id}/components?limit&offset` — `Page<ComponentCardDto> { Total, Items: [{ Type,
/// Summary }] }`."
#[tokio::test]
async fn components() {
    let world = World::read_only();
    let uri = format!("unity://object/{PLAYER}/components?limit=2&offset=2");
    check(&world, &uri, expect![[r#"{"Total":4,"Items":[{"Type":"UnityEngine.Rigidbody","Summary":"Player (UnityEngine.Rigidbody)"},{"Type":"LanternKeep.PlayerController","Summary":"Player (LanternKeep.PlayerController)"}]}"#]]).await;
}

/// "`unity://search?query=&name=&type=&path=&activeOnly=&limit=&offset=` — `Page<ObjectCardDto>` using
/// the same card shape as `ListObjects`": parameters in any case, blank ones as if they were not there.
#[tokio::test]
async fn search() {
    let world = World::read_only();
    check(&world, "unity://search?query=hand&type=Light&path=lantern&limit=5", expect![[r#"{"Total":1,"Items":[{"Id":"obj:2116692453","Name":"Flame","Path":"/Player/Hand/Hand Lantern/Flame","Tag":"Untagged","Layer":6,"Active":true,"ComponentCount":5}]}"#]])
        .await;
    let all =
        world.read("unity://search?query=&name=&type=&path=&activeOnly=&limit=&offset=").await;
    assert_eq!(all["Total"], 20);
    for (uri, total) in [
        ("unity://search?NAME=FLAME", 4),
        ("unity://search?activeOnly=true", 19),
        ("unity://search?activeOnly=FALSE", 20),
        ("unity://search?name=Gate%20Lantern", 1),
        ("unity://search?name=Gate+Lantern", 1),
        ("unity://search?limit=many", 20),
        ("unity://search?name=nobody", 0),
        ("unity://SEARCH?path=/Player/Hand", 3),
    ] {
        assert_eq!(world.read(uri).await["Total"], total, "{uri}");
    }
}

/// "`unity://status` — […] (selection mirrors inspector targets, e.g., `obj:<instanceId>`)" and
/// "`unity://selection` — `SelectionDto { ActiveId, Items[] }`".
#[tokio::test]
async fn the_selection_is_in_its_resource_and_in_the_status() {
    let world = World::writable();
    check(&world, "unity://selection", expect![[r#"{"ActiveId":null,"Items":[]}"#]]).await;
    for id in [CAMERA, PLAYER, CAMERA] {
        world.done("SelectObject", json!({ "objectId": id })).await;
    }
    check(
        &world,
        "unity://selection",
        expect![[r#"{"ActiveId":"obj:1279963751","Items":["obj:1279963751","obj:1616470424"]}"#]],
    )
    .await;
    assert_eq!(world.read("unity://status").await["Selection"], json!([CAMERA, PLAYER]));
    world.done("DestroyObject", json!({ "objectId": CAMERA })).await;
    check(
        &world,
        "unity://selection",
        expect![[r#"{"ActiveId":"obj:1616470424","Items":["obj:1616470424"]}"#]],
    )
    .await;
}

/// "`unity://camera/active` — `CameraInfoDto { IsFreecam, Name, Fov, Pos{X,Y,Z}, Rot{X,Y,Z} }`; falls
/// back to `Camera.main`/first camera or `<none>` when missing."
#[tokio::test]
async fn the_camera_falls_back() {
    let world = World::writable();
    let name = async || world.read("unity://camera/active").await["Name"].clone();
    assert_eq!(name().await, "Main Camera");
    world.done("LoadScene", json!({ "name": "Cellar", "mode": "additive" })).await;
    assert_eq!(name().await, "Main Camera", "the one that is tagged as main");
    world.done("SetActive", json!({ "objectId": CAMERA, "active": false })).await;
    assert_eq!(name().await, "Cellar Camera", "the first one that sees");
    world
        .done(
            "SetFreecamPose",
            json!({ "pos": { "X": 1, "Y": 2, "Z": 3 }, "rot": { "X": 0, "Y": 90, "Z": 0 } }),
        )
        .await;
    world.done("SetFreecamEnabled", json!({ "enabled": true })).await;
    let free = world.read("unity://camera/active").await;
    assert_eq!(
        (&free["IsFreecam"], &free["Pos"]),
        (&json!(true), &json!({ "X": 1.0, "Y": 2.0, "Z": 3.0 }))
    );
    world.done("SetFreecamEnabled", json!({ "enabled": false })).await;
    world.done("LoadScene", json!({ "name": "Cellar", "discard": true })).await;
    let cellar = world.call("ListObjects", json!({ "type": "Camera" })).await;
    world.done("DestroyObject", json!({ "objectId": cellar["Items"][0]["Id"] })).await;
    check(&world, "unity://camera/active", expect![[r#"{"IsFreecam":false,"Name":"<none>","Fov":0.0,"Pos":{"X":0.0,"Y":0.0,"Z":0.0},"Rot":{"X":0.0,"Y":0.0,"Z":0.0}}"#]]).await;
}

/// "`unity://logs/tail?count=` — `LogTailDto { Items: [{ T, Level, Message, Source, Category? }] }`;
/// `[MCP] error ...` lines are written here when requests fail."
#[tokio::test]
async fn logs() {
    let world = World::writable();
    world.done("SetActive", json!({ "objectId": HAND, "active": false })).await;
    world.said("GetObject", json!({ "id": "obj:5" })).await;
    let mut tail = world.read("unity://logs/tail?count=2").await;
    for line in tail["Items"].as_array_mut().unwrap() {
        let time = line["T"].take();
        assert!(time.as_str().unwrap().ends_with('Z'), "{time}");
    }
    expect![[r#"{"Items":[{"T":null,"Level":"info","Message":"tool=SetActive ok=true args=active=false objectId=obj:1533678696","Source":"mcp","Category":"audit"},{"T":null,"Level":"error","Message":"[MCP] error -32004: Not found","Source":"mcp","Category":"NotFound"}]}"#]].assert_eq(&tail.to_string());
    let last = world.read("unity://logs/tail?count=1").await;
    assert_eq!(last["Items"].as_array().unwrap().len(), 1);
    assert_eq!(last["Items"][0]["Message"], tail["Items"][1]["Message"], "the newest is last");
}

/// "`unity://console/scripts` — `Page<ConsoleScriptDto> { Total, Items: [{ Name, Path }] }`": scripts
/// directly in the folder, by name; nothing when there is no folder.
#[tokio::test]
async fn console_scripts() {
    let world = World::read_only();
    check(&world, "unity://console/scripts", expect![[r#"{"Total":0,"Items":[]}"#]]).await;
    for name in ["b.cs", "a.CS", "note.txt", "sub/c.cs"] {
        world.write_script(name, b"");
    }
    let card = |name: &str| json!({ "Name": name, "Path": world.script(name) });
    let all = json!({ "Total": 2, "Items": [card("a.CS"), card("b.cs")] });
    assert_eq!(world.read("unity://console/scripts").await, all);
    let second = json!({ "Total": 2, "Items": [card("b.cs")] });
    assert_eq!(world.read("unity://console/scripts?limit=1&offset=1").await, second);
}

/// "`unity://hooks` — `Page<HookDto> { Total, Items: [{ Signature, Enabled }] }` (Harmony signatures
/// such as `System.Void UnityEngine.GameObject::SetActive(System.Boolean)`)". Harmony's own words name
/// the parameter, too.
#[tokio::test]
async fn hooks() {
    let world = World::writable();
    check(&world, "unity://hooks", expect![[r#"{"Total":0,"Items":[]}"#]]).await;
    let list = json!(["UnityEngine.GameObject"]);
    world.done("SetConfig", json!({ "hookAllowlistSignatures": list })).await;
    for method in ["SetActive", "CompareTag"] {
        let hook = json!({ "type": "UnityEngine.GameObject", "method": method });
        world.done("HookAdd", hook).await;
    }
    world.done("HookSetEnabled", json!({ "signature": SET_ACTIVE, "enabled": false })).await;
    check(&world, "unity://hooks", expect![[r#"{"Total":2,"Items":[{"Signature":"System.Void UnityEngine.GameObject::SetActive(System.Boolean value)","Enabled":false},{"Signature":"System.Boolean UnityEngine.GameObject::CompareTag(System.String tag)","Enabled":true}]}"#]]).await;
    check(&world, "unity://hooks?offset=1", expect![[r#"{"Total":2,"Items":[{"Signature":"System.Boolean UnityEngine.GameObject::CompareTag(System.String tag)","Enabled":true}]}"#]]).await;
}
