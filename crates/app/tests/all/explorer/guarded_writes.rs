//! "Guarded writes": what they do when nothing stands in their way. What does is in `gates`.

use expect_test::{Expect, expect};
use scenewright_toolkit::Settings;
use serde_json::{Value, json};

use crate::explorer::support::{GROUND, HAND, LANTERNS, PLAYER, Setup, World};

async fn check(world: &World, tool: &str, arguments: Value, expected: Expect) {
    expected.assert_eq(&world.call(tool, arguments).await.to_string());
}

async fn value(world: &World, id: &str, class: &str, member: &str) -> Value {
    let member = json!({ "objectId": id, "componentType": class, "name": member });
    world.call("ReadComponentMember", member).await["valueJson"].clone()
}

/// "`GetConfig()` → `{ ok, enabled, bindAddress, port, allowWrites, requireConfirm, exportRoot,
/// logLevel, componentAllowlist, reflectionAllowlistMembers, enableConsoleEval,
/// hookAllowlistSignatures }` (sanitized)", and it needs nobody's word.
#[tokio::test]
async fn get_config() {
    let expected = expect![[
        r#"{"ok":true,"enabled":true,"bindAddress":"127.0.0.1","port":51477,"allowWrites":false,"requireConfirm":false,"exportRoot":null,"logLevel":"Information","componentAllowlist":null,"reflectionAllowlistMembers":null,"enableConsoleEval":false,"hookAllowlistSignatures":null}"#
    ]];
    check(&World::read_only(), "GetConfig", json!({}), expected).await;
}

/// "Config: `SetConfig(allowWrites?, requireConfirm?, enableConsoleEval?, componentAllowlist?,
/// reflectionAllowlistMembers?, hookAllowlistSignatures?, restart=false)` → `{ ok }`": what is given
/// changes and nothing else, lists are replaced whole, and an empty one clears.
#[tokio::test]
async fn set_config_changes_what_is_given() {
    let world = World::writable();
    check(&world, "SetConfig", json!({}), expect![[r#"{"ok":true}"#]]).await;
    let mut expected = world.call("GetConfig", json!({})).await;
    for (given, becomes) in [
        (json!({ "requireConfirm": true }), json!(true)),
        (json!({ "enableConsoleEval": true }), json!(true)),
        (json!({ "componentAllowlist": ["A", "B"] }), json!(["A", "B"])),
        (json!({ "componentAllowlist": ["C"] }), json!(["C"])),
        (json!({ "componentAllowlist": null }), json!(["C"])),
        (json!({ "reflectionAllowlistMembers": ["A.b"] }), json!(["A.b"])),
        (json!({ "hookAllowlistSignatures": ["A"] }), json!(["A"])),
        (json!({ "hookAllowlistSignatures": [] }), json!([])),
        (json!({ "allowWrites": false }), json!(false)),
        (json!({ "allowWrites": true }), json!(true)),
        (json!({ "requireConfirm": false }), json!(false)),
    ] {
        let field = given.as_object().unwrap().keys().next().unwrap().clone();
        world.done("SetConfig", given.clone()).await;
        expected[field] = becomes;
        assert_eq!(world.call("GetConfig", json!({})).await, expected, "{given}");
    }
}

/// "Default policy: read-only. All mutating tools require `allowWrites=true`": `SetConfig` opens and
/// closes writes inside the operator's word, never beyond it.
#[tokio::test]
async fn set_config_never_goes_beyond_the_operator() {
    let world = World::writable();
    let switch = json!({ "objectId": PLAYER, "active": false });
    world.done("SetConfig", json!({ "allowWrites": false })).await;
    assert_eq!(world.said("SetActive", switch.clone()).await, "PermissionDenied: Writes disabled");
    world.done("SetConfig", json!({ "allowWrites": true })).await;
    world.done("SetActive", switch.clone()).await;

    // The config file says that writes are allowed; the operator says they are not.
    let setup = Setup { settings: Settings::default(), ..Setup::default() };
    let world = world.served_again(&setup);
    let file = world.folder.read("home/mcp.config.json");
    assert!(file.contains(r#""AllowWrites": true"#), "{file}");
    assert_eq!(world.call("GetConfig", json!({})).await["allowWrites"], false);
    assert_eq!(world.said("SetActive", switch).await, "PermissionDenied: Writes disabled");
}

/// The same for `--require-confirm`: neither a client nor the config file can wish it away.
#[tokio::test]
async fn what_the_operator_wants_confirmed_is_confirmed() {
    let settings = Settings { allow_writes: true, require_confirm: true, ..Settings::default() };
    let text = r#"{ "AllowWrites": true, "RequireConfirm": false }"#.to_owned();
    let files = vec![("home/mcp.config.json", text)];
    let world = World::with(Setup { settings, files, ..Setup::default() });
    let expected = expect![[
        r#"{"ok":false,"error":{"kind":"PermissionDenied","message":"Confirmation is the operator's wish","hint":"the server was started with --require-confirm"}}"#
    ]];
    check(&world, "SetConfig", json!({ "requireConfirm": false }), expected).await;
    assert_eq!(world.call("GetConfig", json!({})).await["requireConfirm"], true);
    let switch = json!({ "objectId": PLAYER, "active": false });
    let said = world.said("SetActive", switch).await;
    assert!(said.starts_with("PermissionDenied: A person has to agree first"), "{said}");
    // The interface's word for it is none of a person, whom this world has no way to ask.
    let confirmed = json!({ "objectId": PLAYER, "active": false, "confirm": true });
    let said = world.said("SetActive", confirmed).await;
    assert!(said.starts_with("PermissionDenied: A person has to agree first"), "{said}");
}

/// `SetConfig` is kept in the interface's config file, which the next server reads. Its keys may
/// begin with a small letter, too.
#[tokio::test]
async fn the_settings_outlive_the_server() {
    let world = World::writable();
    let given = json!({
        "requireConfirm": true,
        "enableConsoleEval": true,
        "hookAllowlistSignatures": ["UnityEngine.GameObject"],
    });
    world.done("SetConfig", given).await;
    let before = world.call("GetConfig", json!({})).await;
    let world = world.served_again(&Setup::default());
    assert_eq!(world.call("GetConfig", json!({})).await, before);

    let text = "\u{feff}{ \"allowWrites\": true, \"componentAllowlist\": [\"UnityEngine.Light\"] }";
    let world = World::with_files(&[("home/mcp.config.json", text)]);
    let config = world.call("GetConfig", json!({})).await;
    assert_eq!(config["componentAllowlist"], json!(["UnityEngine.Light"]));
    assert_eq!(config["requireConfirm"], true, "what the file leaves out is the careful choice");
}

/// "`restart=false`": with `true` the server answers, and goes on with a world that begins anew.
#[tokio::test]
async fn restart_begins_anew_and_the_server_stays() {
    let world = World::writable();
    let before = world.call("ListObjects", json!({})).await;
    world.done("SelectObject", json!({ "objectId": PLAYER })).await;
    world.done("SetTimeScale", json!({ "value": 2, "lock": true })).await;
    world.done("SpawnTestUi", json!({})).await;
    world.done("DestroyObject", json!({ "objectId": GROUND })).await;
    world.done("SetConfig", json!({ "restart": true, "componentAllowlist": ["A"] })).await;
    assert_eq!(world.call("ListObjects", json!({})).await, before, "the same ids as before");
    assert_eq!(world.call("GetSelection", json!({})).await["ActiveId"], Value::Null);
    assert_eq!(world.call("GetTimeScale", json!({})).await["value"], 1.0);
    assert_eq!(world.call("GetConfig", json!({})).await["componentAllowlist"], json!(["A"]));
}

/// "Object state: `SetActive(objectId, active, confirm?)` → `{ ok }`".
#[tokio::test]
async fn set_active() {
    let world = World::writable();
    let switch = |active: bool| json!({ "objectId": PLAYER, "active": active });
    check(&world, "SetActive", switch(false), expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(world.call("GetObject", json!({ "id": PLAYER })).await["Active"], false);
    assert_eq!(world.call("GetObject", json!({ "id": HAND })).await["Active"], true, "its own box");
    let active = world.call("ListObjects", json!({ "activeOnly": true, "name": "hand" })).await;
    assert_eq!(active["Total"], 0, "but not with all its parents");
    world.done("SetActive", switch(true)).await;
    assert_eq!(world.call("GetObject", json!({ "id": PLAYER })).await["Active"], true);
}

/// "`SelectObject(objectId)` → `{ ok }`"; the event is in `streams`.
#[tokio::test]
async fn select_object() {
    let world = World::writable();
    check(&world, "SelectObject", json!({ "objectId": PLAYER }), expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(world.call("GetSelection", json!({})).await["ActiveId"], PLAYER);
}

/// "Reflection writes: `SetMember(objectId, componentType, member, jsonValue, confirm?)` → `{ ok }`":
/// the value is a text that holds JSON, in every shape that is understood.
#[tokio::test]
async fn set_member() {
    let world = World::writable();
    let (transform, light) = ("UnityEngine.Transform", "UnityEngine.Light");
    let sun = world.call("ListObjects", json!({ "name": "Directional Light" })).await;
    let sun = sun["Items"][0]["Id"].as_str().unwrap();
    let list = json!([
        "UnityEngine.Transform.localPosition",
        "UnityEngine.Light.intensity",
        "UnityEngine.Light.color",
        "UnityEngine.Light.type",
        "UnityEngine.Light.enabled"
    ]);
    world.done("SetConfig", json!({ "reflectionAllowlistMembers": list })).await;
    for (id, class, member, text, becomes) in [
        (PLAYER, transform, "localPosition", "[1,2,3]", json!({ "x": 1.0, "y": 2.0, "z": 3.0 })),
        (
            PLAYER,
            transform,
            "localPosition",
            r#"{"X":4,"y":5,"z":6}"#,
            json!({ "x": 4.0, "y": 5.0, "z": 6.0 }),
        ),
        (sun, light, "intensity", "0.5", json!(0.5)),
        (
            sun,
            light,
            "color",
            r#"{"r":1,"g":0,"b":0}"#,
            json!({ "r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0 }),
        ),
        (sun, light, "type", r#""point""#, json!("Point")),
        (sun, light, "type", "0", json!("Spot")),
        (sun, light, "enabled", "false", json!(false)),
    ] {
        let set =
            json!({ "objectId": id, "componentType": class, "member": member, "jsonValue": text });
        check(&world, "SetMember", set, expect![[r#"{"ok":true}"#]]).await;
        assert_eq!(value(&world, id, class, member).await, becomes, "{member} = {text}");
    }
}

/// "`CallMethod(objectId, componentType, method, argsJson="[]", confirm?)` → `{ ok, result }`".
#[tokio::test]
async fn call_method() {
    let world = World::writable();
    let class = "UnityEngine.Transform";
    let list =
        json!(["UnityEngine.Transform.GetSiblingIndex", "UnityEngine.Transform.SetSiblingIndex"]);
    world.done("SetConfig", json!({ "reflectionAllowlistMembers": list })).await;
    let ask = json!({ "objectId": PLAYER, "componentType": class, "method": "GetSiblingIndex" });
    check(&world, "CallMethod", ask.clone(), expect![[r#"{"ok":true,"result":"3"}"#]]).await;
    let set = json!({
        "objectId": PLAYER,
        "componentType": class,
        "method": "SetSiblingIndex",
        "argsJson": "[0]",
    });
    check(&world, "CallMethod", set, expect![[r#"{"ok":true,"result":null}"#]]).await;
    check(&world, "CallMethod", ask, expect![[r#"{"ok":true,"result":"0"}"#]]).await;
}

/// "Component writes: `AddComponent(objectId, type, confirm?)` / `RemoveComponent(objectId, typeOrIndex,
/// confirm?)` → `{ ok }`".
#[tokio::test]
async fn components() {
    let world = World::writable();
    world.done("SetConfig", json!({ "componentAllowlist": ["UnityEngine.Light"] })).await;
    let types = async || {
        let page = world.call("GetComponents", json!({ "objectId": PLAYER })).await;
        let types = page["Items"].as_array().unwrap().iter();
        types.map(|card| card["Type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = types().await;
    let light = json!({ "objectId": PLAYER, "type": "UnityEngine.Light" });
    check(&world, "AddComponent", light, expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(types().await, [&before[..], &["UnityEngine.Light".to_owned()]].concat());
    let light = json!({ "objectId": PLAYER, "typeOrIndex": "UnityEngine.Light" });
    check(&world, "RemoveComponent", light, expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(types().await, before);
    let second = json!({ "objectId": PLAYER, "typeOrIndex": "1" });
    check(&world, "RemoveComponent", second, expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(types().await, [&before[..1], &before[2..]].concat());
}

/// "Hierarchy: `Reparent(objectId, newParentId, confirm?)` and `DestroyObject(objectId, confirm?)` →
/// `{ ok }`; […] CoreCLR currently allows any object": and so does this world, which is a copy.
#[tokio::test]
async fn hierarchy() {
    let world = World::writable();
    let place = value(&world, HAND, "UnityEngine.Transform", "position").await;
    let into = json!({ "objectId": HAND, "newParentId": LANTERNS });
    check(&world, "Reparent", into, expect![[r#"{"ok":true}"#]]).await;
    assert_eq!(world.call("GetObject", json!({ "id": HAND })).await["Path"], "/Lanterns/Hand");
    assert_eq!(
        value(&world, HAND, "UnityEngine.Transform", "position").await,
        place,
        "it stays where it is"
    );

    check(&world, "DestroyObject", json!({ "objectId": LANTERNS }), expect![[r#"{"ok":true}"#]])
        .await;
    for gone in [LANTERNS, HAND] {
        assert_eq!(world.said("GetObject", json!({ "id": gone })).await, "404 NotFound: Not found");
    }
    assert_eq!(world.call("ListObjects", json!({ "name": "flame" })).await["Total"], 0);
    let file = world.folder.path("unity/Assets/Scenes/Main.unity");
    assert!(std::fs::read_to_string(file).unwrap().contains("m_Name: Lanterns"), "files stay");
}

/// "Console: `ConsoleEval(code, confirm?)` → `{ ok, result }`".
#[tokio::test]
async fn console_eval() {
    let world = World::writable();
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    for (code, expected) in [
        ("1 + 2", expect![[r#"{"ok":true,"result":"3"}"#]]),
        ("return \"a\" + 1;", expect![[r#"{"ok":true,"result":"a1"}"#]]),
        ("", expect![[r#"{"ok":true,"result":""}"#]]),
        ("var x = 5;", expect![[r#"{"ok":true,"result":""}"#]]),
        (
            "GameObject.Find(\"Player\").transform.position",
            expect![[r#"{"ok":true,"result":"(0.00, 0.00, -4.00)"}"#]],
        ),
        ("new int[] { 3, 1, 2 }.OrderBy(n => n).First()", expect![[r#"{"ok":true,"result":"1"}"#]]),
        ("null", expect![[r#"{"ok":true,"result":"null"}"#]]),
        (
            "1 +",
            expect![[
                r#"{"ok":false,"error":{"kind":"InvalidArgument","message":"Unable to compile the code. Evaluator's last output was:\n(1,4): error an expression is expected, found the end","hint":null}}"#
            ]],
        ),
        (
            "System.IO.File.ReadAllText(\"/etc/passwd\")",
            expect![[
                r#"{"ok":false,"error":{"kind":"InvalidArgument","message":"Unable to compile the code. Evaluator's last output was:\n(1,11): error 'File' is not supported: the console reaches no files; use the project's file tools","hint":null}}"#
            ]],
        ),
        (
            "GameObject.Find(\"Nobody\").name",
            expect![[
                r#"{"ok":false,"error":{"kind":"Internal","message":"System.NullReferenceException: Object reference not set to an instance of an object (line 1)","hint":null}}"#
            ]],
        ),
    ] {
        check(&world, "ConsoleEval", json!({ "code": code }), expected).await;
    }
    // Of steps or of time, whichever limit this machine meets first.
    let endless = world.said("ConsoleEval", json!({ "code": "while (true) { }" })).await;
    assert!(
        endless.starts_with("Internal: System.TimeoutException: the code ran for"),
        "{endless}"
    );
    world.done("ConsoleEval", json!({ "code": "var kept = 1;" })).await;
    let said = world.said("ConsoleEval", json!({ "code": "kept" })).await;
    assert!(said.starts_with("InvalidArgument: Unable to compile"), "nothing is kept: {said}");
}

/// "Time: `SetTimeScale(value, lock?, confirm?)` → `{ ok, value, locked }` (value clamped 0–4;
/// `lock=true` uses the Explorer widget lock when available)": a locked clock keeps its value until
/// somebody says `lock` again, and `lock=false` sets the value that comes with it.
#[tokio::test]
async fn set_time_scale() {
    let world = World::writable();
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    for (arguments, expected) in [
        (json!({ "value": 0.5 }), expect![[r#"{"ok":true,"value":0.5,"locked":false}"#]]),
        (json!({ "value": 9 }), expect![[r#"{"ok":true,"value":4.0,"locked":false}"#]]),
        (json!({ "value": 1e300 }), expect![[r#"{"ok":true,"value":4.0,"locked":false}"#]]),
        (json!({ "value": -1 }), expect![[r#"{"ok":true,"value":0.0,"locked":false}"#]]),
        (
            json!({ "value": 2, "lock": true }),
            expect![[r#"{"ok":true,"value":2.0,"locked":true}"#]],
        ),
        (json!({ "value": 1 }), expect![[r#"{"ok":true,"value":2.0,"locked":true}"#]]),
        (
            json!({ "value": 3, "lock": true }),
            expect![[r#"{"ok":true,"value":3.0,"locked":true}"#]],
        ),
    ] {
        check(&world, "SetTimeScale", arguments, expected).await;
    }
    world.done("ConsoleEval", json!({ "code": "Time.timeScale = 1f;" })).await;
    let locked = expect![[r#"{"ok":true,"value":3.0,"locked":true}"#]];
    check(&world, "GetTimeScale", json!({}), locked).await;
    let unlock = json!({ "value": 0.1, "lock": false });
    let unlocked = expect![[r#"{"ok":true,"value":0.1,"locked":false}"#]];
    check(&world, "SetTimeScale", unlock, unlocked).await;
    world.done("ConsoleEval", json!({ "code": "Time.timeScale = 1f;" })).await;
    assert_eq!(world.call("GetTimeScale", json!({})).await["value"], 1.0);
}

/// "Test UI helpers: `SpawnTestUi(confirm?)` → `{ ok, rootId, blocks: [{ name, id }] }` (id strings are
/// `obj:<instanceId>`); `DestroyTestUi(confirm?)` → `{ ok }`."
#[tokio::test]
async fn test_ui() {
    let world = World::writable();
    let made = world.call("SpawnTestUi", json!({})).await;
    expect![[r#"{"ok":true,"rootId":"obj:-2","blocks":[{"name":"McpTestBlock_Left","id":"obj:-12"},{"name":"McpTestBlock_Right","id":"obj:-20"}]}"#]].assert_eq(&made.to_string());
    assert_eq!(world.call("SpawnTestUi", json!({})).await, made, "the one that is there");
    let block = made["blocks"][0]["id"].as_str().unwrap();
    let components = world.call("GetComponents", json!({ "objectId": block })).await;
    let types = components["Items"].as_array().unwrap().iter();
    let types: Vec<&str> = types.map(|card| card["Type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        ["UnityEngine.RectTransform", "UnityEngine.CanvasRenderer", "UnityEngine.UI.Image"]
    );
    for _ in 0..2 {
        check(&world, "DestroyTestUi", json!({}), expect![[r#"{"ok":true}"#]]).await;
    }
    assert_eq!(world.said("GetObject", json!({ "id": block })).await, "404 NotFound: Not found");
}

/// "Tool errors: `{ ok: false, error: { kind, message, hint? } }` where `kind` mirrors the JSON-RPC
/// error kinds below": a write that fails is an answer with status 200, a read is an error.
#[tokio::test]
async fn there_are_two_styles_of_failure() {
    let world = World::writable();
    let write = world.respond("SetActive", json!({ "objectId": "obj:5", "active": true })).await;
    assert_eq!(write.status, 200);
    assert!(write.json().get("error").is_none(), "{}", write.body);
    let failed = &write.json()["result"]["content"][0]["json"];
    expect![[r#"{"ok":false,"error":{"kind":"NotFound","message":"Not found","hint":null}}"#]]
        .assert_eq(&failed.to_string());
    let read = world.respond("GetObject", json!({ "id": "obj:5" })).await;
    assert_eq!(read.status, 404);
    assert!(read.json().get("result").is_none(), "{}", read.body);
    expect![[r#"{"code":-32004,"message":"Not found","data":{"kind":"NotFound","hint":null}}"#]]
        .assert_eq(&read.json()["error"].to_string());
}

/// Writes leave a line in the log that says what was done, not what was written.
#[tokio::test]
async fn writes_are_in_the_log() {
    let world = World::writable();
    world.done("SetActive", json!({ "objectId": PLAYER, "active": true, "confirm": true })).await;
    world.done("WriteConsoleScript", json!({ "path": "a.cs", "content": "secret" })).await;
    world.said("DestroyObject", json!({ "objectId": "obj:5" })).await;
    world.done("SetConfig", json!({ "componentAllowlist": ["A", "B"] })).await;
    world.call("GetStatus", json!({})).await;
    let expected = expect![[r#"
        tool=SetActive ok=true args=active=true confirm=true objectId=obj:1616470424
        tool=WriteConsoleScript ok=true args=contentLen=6 path=a.cs
        tool=DestroyObject ok=false args=objectId=obj:5 error=NotFound:Not found
        tool=SetConfig ok=true args=componentAllowlist=array(2)"#]];
    expected.assert_eq(&world.log(10).await.join("\n"));
    let tail = world.call("TailLogs", json!({ "count": 1 })).await;
    let line = &tail["Items"][0];
    assert_eq!(
        (&line["Level"], &line["Source"], &line["Category"]),
        (&json!("info"), &json!("mcp"), &json!("audit"))
    );
}
