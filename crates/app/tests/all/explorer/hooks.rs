//! "Hooks (advanced parity)".

use expect_test::expect;
use serde_json::{Value, json};

use crate::explorer::support::{PLAYER, SET_ACTIVE, World};

const CLASS: &str = "UnityEngine.GameObject";
/// The document's example of a signature.
const DOCUMENTED: &str = "System.Void UnityEngine.GameObject::SetActive(System.Boolean)";
/// A class of the project, with a method that means several.
const LAMP: &str = "namespace Keep {
    public class Lamp : UnityEngine.MonoBehaviour {
        public void Light(int level) { }
        public void Light(string colour) { }
        public static bool IsDay() { return true; }
        protected virtual float Dim(float by, UnityEngine.GameObject what) { return by; }
    }
}";

async fn world() -> World {
    let world = World::with_files(&[("unity/Assets/Scripts/Lamp.cs", LAMP)]);
    let list = json!([CLASS, "Keep.Lamp"]);
    let config = json!({ "hookAllowlistSignatures": list, "enableConsoleEval": true });
    world.done("SetConfig", config).await;
    world
}

async fn signatures(world: &World, arguments: Value) -> String {
    let page = world.call("HookListMethods", arguments).await;
    let items = page["Items"].as_array().unwrap().iter();
    let items = items.map(|item| format!("{} = {}\n", item["Name"], item["Signature"]));
    format!("{}\n{}", page["Total"], items.collect::<String>())
}

/// "Note: despite the name, `hookAllowlistSignatures` currently contains **type full names**", and
/// "`HookListAllowedTypes()` → `{ ok, items: string[] }` (mirrors current `hookAllowlistSignatures`
/// config values)."
#[tokio::test]
async fn the_allowlist_is_of_types() {
    let world = World::writable();
    let listed = async || world.call("HookListAllowedTypes", json!({})).await;
    assert_eq!(listed().await, json!({ "ok": true, "items": ["*"] }));
    world.done("SetConfig", json!({ "hookAllowlistSignatures": ["B", CLASS] })).await;
    assert_eq!(listed().await, json!({ "ok": true, "items": ["B", CLASS] }));
    world
        .done(
            "SetConfig",
            json!({ "hookAllowlistSignatures": [SET_ACTIVE, "unityengine.gameobject"] }),
        )
        .await;
    let add = world.said("HookAdd", json!({ "type": CLASS, "method": "SetActive" })).await;
    assert_eq!(add, "PermissionDenied: Denied by hook allowlist");
}

/// "`HookListMethods(type, filter?, limit?, offset?)` → `Page<HookMethodDto> { Total, Items: [{ Name,
/// Signature }] }`": in the form of Harmony, with the names of parameters, sorted.
#[tokio::test]
async fn methods_are_listed_by_signature() {
    let world = world().await;
    let active = signatures(&world, json!({ "type": CLASS, "filter": "ACTIVE" })).await;
    expect![[r#"
        3
        "get_activeInHierarchy" = "System.Boolean UnityEngine.GameObject::get_activeInHierarchy()"
        "get_activeSelf" = "System.Boolean UnityEngine.GameObject::get_activeSelf()"
        "SetActive" = "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)"
    "#]]
    .assert_eq(&active);
    let second =
        signatures(&world, json!({ "type": CLASS, "filter": "active", "limit": 1, "offset": 1 }))
            .await;
    expect![[r#"
        3
        "get_activeSelf" = "System.Boolean UnityEngine.GameObject::get_activeSelf()"
    "#]]
    .assert_eq(&second);
    let lamp = signatures(&world, json!({ "type": "Keep.Lamp", "filter": "Keep.Lamp::" })).await;
    expect![[r#"
        4
        "Light" = "System.Void Keep.Lamp::Light(System.Int32 level)"
        "Light" = "System.Void Keep.Lamp::Light(System.String colour)"
        "IsDay" = "static System.Boolean Keep.Lamp::IsDay()"
        "Dim" = "virtual System.Single Keep.Lamp::Dim(System.Single by, UnityEngine.GameObject what)"
    "#]].assert_eq(&lamp);
    let all = world.call("HookListMethods", json!({ "type": CLASS })).await;
    let all = all["Items"].as_array().unwrap().iter();
    assert!(all.map(|item| item["Signature"].as_str().unwrap()).is_sorted());
}

/// "let an agent discover safe hook targets (within allowlist)".
#[tokio::test]
async fn only_listed_types_show_their_methods() {
    let world = world().await;
    let denied = world.respond("HookListMethods", json!({ "type": "UnityEngine.Light" })).await;
    expect![[r#"403 {"code":-32003,"message":"Denied by hook allowlist","data":{"kind":"PermissionDenied","hint":"SetConfig sets hookAllowlistSignatures: full names of types"}}"#]].assert_eq(&format!("{} {}", denied.status, denied.json()["error"]));
    world.done("SetConfig", json!({ "hookAllowlistSignatures": ["Zork"] })).await;
    let unknown = world.said("HookListMethods", json!({ "type": "Zork" })).await;
    assert_eq!(unknown, "400 InvalidArgument: Type not found");
}

/// "`HookAdd` accepts either a method name (may be ambiguous) or a full `MethodInfo.FullDescription()`
/// signature string for deterministic overload selection", under either name of the argument.
#[tokio::test]
async fn hooks_are_added_by_name_or_signature() {
    let world = world().await;
    for arguments in [
        json!({ "type": CLASS, "method": "SetActive" }),
        json!({ "type": CLASS, "method": SET_ACTIVE }),
        json!({ "type": CLASS, "method": DOCUMENTED }),
        json!({ "type": CLASS, "methodOrSignature": "SetActive" }),
        json!({ "type": CLASS, "methodOrSignature": DOCUMENTED }),
    ] {
        world.done("HookAdd", arguments.clone()).await;
        let hooks = world.read("unity://hooks").await;
        let hook = json!({ "Signature": SET_ACTIVE, "Enabled": true });
        assert_eq!(hooks["Items"], json!([hook]), "{arguments}");
        let again = world.said("HookAdd", arguments).await;
        assert_eq!(again, "InvalidArgument: Method is already hooked");
        // The document's own form is as good as Harmony's.
        world.done("HookRemove", json!({ "signature": DOCUMENTED })).await;
    }
}

/// "name-based lookup can be ambiguous and should return `InvalidArgument` with a hint to pass the
/// signature."
#[tokio::test]
async fn an_ambiguous_name_is_refused_with_a_signature_to_use() {
    let world = world().await;
    let said = world.call("HookAdd", json!({ "type": "Keep.Lamp", "method": "Light" })).await;
    expect![[r#"{"ok":false,"error":{"kind":"InvalidArgument","message":"Multiple overloads found for 'Keep.Lamp.Light'.","hint":"pass the full signature in method (example: System.Void Keep.Lamp::Light(System.Int32 level))"}}"#]].assert_eq(&said.to_string());
    let hint = said["error"]["hint"].as_str().unwrap();
    let (_, signature) = hint.split_once("example: ").unwrap();
    let signature = signature.strip_suffix(')').unwrap();
    world.done("HookAdd", json!({ "type": "Keep.Lamp", "method": signature })).await;
    let other = "System.Void Keep.Lamp::Light(System.String colour)";
    world.done("HookAdd", json!({ "type": "Keep.Lamp", "method": other })).await;
    assert_eq!(world.read("unity://hooks").await["Total"], 2);
}

/// "`HookGetSource(signature)` → `{ ok, signature, source }`": what a new hook does is there to be read.
#[tokio::test]
async fn the_source_of_a_hook_can_be_read() {
    let world = world().await;
    world.done("HookAdd", json!({ "type": CLASS, "method": "SetActive" })).await;
    let source = world.call("HookGetSource", json!({ "signature": SET_ACTIVE })).await;
    expect![[r#"{"ok":true,"signature":"System.Void UnityEngine.GameObject::SetActive(System.Boolean value)","source":"static void Postfix(UnityEngine.GameObject __instance, System.Boolean value)\n{\n    Debug.Log($\"System.Void UnityEngine.GameObject::SetActive(System.Boolean value)\\n- __instance: {__instance}\\n- value: {value}\");\n}\n"}"#]].assert_eq(&source.to_string());
    assert_eq!(world.call("HookGetSource", json!({ "signature": DOCUMENTED })).await, source);
    let none = world.said("HookGetSource", json!({ "signature": "Zork" })).await;
    assert_eq!(none, "400 InvalidArgument: Hook not found");
}

/// "toggle hooks, and (optionally) edit/apply patch source": a new hook works at once, one that is
/// switched off does not, and other code does something else.
#[tokio::test]
async fn hooks_see_what_happens() {
    let world = world().await;
    let switch = async |active: bool| {
        world.done("SetActive", json!({ "objectId": PLAYER, "active": active })).await;
        let log = world.log(2).await;
        log[0].clone()
    };
    world.done("HookAdd", json!({ "type": CLASS, "method": "SetActive" })).await;
    expect![[r#"
        System.Void UnityEngine.GameObject::SetActive(System.Boolean value)
        - __instance: Player (UnityEngine.GameObject)
        - value: False"#]]
    .assert_eq(&switch(false).await);

    let enabled = |enabled: bool| json!({ "signature": SET_ACTIVE, "enabled": enabled });
    world.done("HookSetEnabled", enabled(false)).await;
    let line = switch(true).await;
    assert!(line.starts_with("tool=HookSetEnabled"), "{line}");
    assert_eq!(world.read("unity://hooks").await["Items"][0]["Enabled"], false);

    let source = "static void Postfix(GameObject __instance, bool value) { Debug.Log(__instance.name + \" \" + value); }";
    world.done("HookSetSource", json!({ "signature": SET_ACTIVE, "source": source })).await;
    assert_eq!(world.read("unity://hooks").await["Items"][0]["Enabled"], false, "as it was");
    world.done("HookSetEnabled", enabled(true)).await;
    assert_eq!(switch(false).await, "Player False");
    let read = world.call("HookGetSource", json!({ "signature": SET_ACTIVE })).await;
    assert_eq!(read["source"], source);

    let bad = json!({ "signature": SET_ACTIVE, "source": "static void Postfix() { 1 + }" });
    let said = world.said("HookSetSource", bad).await;
    assert!(said.starts_with("InvalidArgument: Compile failed"), "{said}");
    assert_eq!(switch(true).await, "Player True", "what ran before runs on");

    let prefix = "static bool Prefix() { return false; }";
    world.done("HookSetSource", json!({ "signature": SET_ACTIVE, "source": prefix })).await;
    switch(false).await;
    assert_eq!(
        world.call("GetObject", json!({ "id": PLAYER })).await["Active"],
        true,
        "it was held back"
    );
    world.done("HookRemove", json!({ "signature": SET_ACTIVE })).await;
    switch(false).await;
    assert_eq!(world.call("GetObject", json!({ "id": PLAYER })).await["Active"], false);
    assert_eq!(world.read("unity://hooks").await["Total"], 0);
}
