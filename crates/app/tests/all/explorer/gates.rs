//! "Guarded writes (require `allowWrites=true`; `requireConfirm=true` forces `confirm=true` where
//! supported)": what stands in the way of each tool, in which order, and in which words.

use serde_json::{Value, json};

use crate::explorer::support::{HAND, NOBODY, PLAYER, SET_ACTIVE, World};

/// Everything that can be shut is.
fn shut() -> Value {
    json!({
        "allowWrites": false,
        "requireConfirm": true,
        "enableConsoleEval": false,
        "componentAllowlist": [],
        "reflectionAllowlistMembers": [],
        "hookAllowlistSignatures": [],
    })
}

/// Which gates come before the arguments are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gates {
    /// `allowWrites`, then `confirm`.
    Usual,
    /// `allowWrites` alone.
    Unasked,
    /// `enableConsoleEval`, then the usual ones.
    Console,
}

/// How to put right what was refused.
enum Then {
    Set(Value),
    Say(Value),
}
use Gates::{Console, Unasked, Usual};
use Then::{Say, Set};

/// A call that is wrong in every way meets one refusal after the other, and in the end succeeds.
async fn check(
    world: &World,
    tool: &str,
    gates: Gates,
    mut arguments: Value,
    then: Vec<(&str, Then)>,
) {
    let set = async |config: Value| world.done("SetConfig", config).await;
    let said = async |arguments: &Value| world.said(tool, arguments.clone()).await;
    set(shut()).await;
    if gates == Console {
        let text = "PermissionDenied: ConsoleEval disabled by config";
        assert_eq!(said(&arguments).await, text, "{tool}");
        set(json!({ "enableConsoleEval": true })).await;
    }
    assert_eq!(said(&arguments).await, "PermissionDenied: Writes disabled", "{tool}");
    set(json!({ "allowWrites": true })).await;
    if gates != Unasked {
        let refused = world.call(tool, arguments.clone()).await;
        let error = json!({
            "kind": "PermissionDenied",
            "message": "Confirmation required",
            "hint": "resend with confirm=true",
        });
        assert_eq!(refused, json!({ "ok": false, "error": error }), "{tool}");
        arguments["confirm"] = json!(true);
    }
    for (refusal, then) in then {
        assert_eq!(said(&arguments).await, refusal, "{tool} {arguments}");
        match then {
            Set(config) => set(config).await,
            Say(Value::Object(better)) => arguments.as_object_mut().unwrap().extend(better),
            Say(other) => panic!("{other} is no object"),
        }
    }
    assert_eq!(said(&arguments).await, "ok", "{tool} {arguments}");
}

/// "Object state: `SetActive(objectId, active, confirm?)` […]; `SelectObject(objectId)` […] (still
/// gated by `allowWrites`)." Nobody is asked to confirm a selection.
#[tokio::test]
async fn object_state() {
    let world = World::writable();
    let steps = || {
        vec![
            (
                "InvalidArgument: Invalid id; expected 'obj:<instanceId>'",
                Say(json!({ "objectId": "obj:x" })),
            ),
            ("InvalidArgument: Invalid instance id", Say(json!({ "objectId": NOBODY }))),
            ("NotFound: Not found", Say(json!({ "objectId": PLAYER }))),
        ]
    };
    let wrong = json!({ "objectId": "nobody", "active": false });
    check(&world, "SetActive", Usual, wrong, steps()).await;
    check(&world, "SelectObject", Unasked, json!({ "objectId": "nobody" }), steps()).await;
    check(&world, "SetClipboardObject", Usual, json!({ "objectId": "nobody" }), steps()).await;
}

/// "Reflection writes: `SetMember` […] (enforces `reflectionAllowlistMembers` entries
/// `<Type>.<Member>`). `CallMethod` […] will use the same allowlist."
#[tokio::test]
async fn reflection_writes() {
    let world = World::writable();
    let denied = "PermissionDenied: Denied by allowlist";
    let list = json!([
        "Zork.position",
        "UnityEngine.Component.position",
        "UnityEngine.Transform.position",
        "UnityEngine.Transform.childCount"
    ]);
    let steps = vec![
        (denied, Set(json!({ "reflectionAllowlistMembers": ["UnityEngine.Light.range"] }))),
        (denied, Set(json!({ "reflectionAllowlistMembers": list }))),
        ("InvalidArgument: Invalid id", Say(json!({ "objectId": NOBODY }))),
        ("NotFound: Not found", Say(json!({ "objectId": PLAYER }))),
        ("NotFound: Component not found", Say(json!({ "componentType": "UnityEngine.Component" }))),
        (
            "InvalidArgument: Ambiguous component type",
            Say(json!({ "componentType": "UnityEngine.Transform", "member": "childCount" })),
        ),
        ("InvalidArgument: Member not writable", Say(json!({ "member": "position" }))),
    ];
    let wrong = json!({
        "objectId": "nobody",
        "componentType": "Zork",
        "member": "position",
        "jsonValue": "[1,2,3]",
    });
    check(&world, "SetMember", Usual, wrong, steps).await;
    let ambiguous = json!({
        "objectId": PLAYER,
        "componentType": "UnityEngine.Component",
        "member": "position",
        "jsonValue": "[1,2,3]",
        "confirm": true,
    });
    let hint = world.call("SetMember", ambiguous).await["error"]["hint"].clone();
    assert_eq!(hint, "Use the exact component type (from GetComponents)");

    let list = json!(["Zork.GetSiblingIndex", "UnityEngine.Transform.GetSiblingIndex"]);
    let steps = vec![
        (denied, Set(json!({ "reflectionAllowlistMembers": list }))),
        ("InvalidArgument: Invalid id", Say(json!({ "objectId": NOBODY }))),
        ("NotFound: Not found", Say(json!({ "objectId": PLAYER }))),
        ("NotFound: Component not found", Say(json!({ "componentType": "UnityEngine.Transform" }))),
        ("NotFound: Method overload not found", Say(json!({ "argsJson": "[]" }))),
    ];
    let wrong = json!({
        "objectId": "nobody",
        "componentType": "Zork",
        "method": "GetSiblingIndex",
        "argsJson": "[1]",
    });
    check(&world, "CallMethod", Usual, wrong, steps).await;
}

/// "Component writes: `AddComponent` / `RemoveComponent` […]; `componentAllowlist` must include the
/// type when removing by type or adding." By its place a component is removed without the list.
#[tokio::test]
async fn component_writes() {
    let world = World::writable();
    let steps = vec![
        (
            "PermissionDenied: No components are allowlisted",
            Set(json!({ "componentAllowlist": ["UnityEngine.Light"] })),
        ),
        (
            "PermissionDenied: Denied by allowlist",
            Set(json!({ "componentAllowlist": ["Zork", "UnityEngine.Light"] })),
        ),
        (
            "InvalidArgument: Invalid id; expected 'obj:<instanceId>'",
            Say(json!({ "objectId": NOBODY })),
        ),
        (
            "InvalidArgument: Type not found or not a Component",
            Say(json!({ "type": "UnityEngine.Light" })),
        ),
        ("NotFound: Not found", Say(json!({ "objectId": PLAYER }))),
    ];
    let wrong = json!({ "objectId": "nobody", "type": "Zork" });
    check(&world, "AddComponent", Usual, wrong, steps).await;

    let steps = vec![
        (
            "InvalidArgument: Invalid id; expected 'obj:<instanceId>'",
            Say(json!({ "objectId": NOBODY })),
        ),
        ("NotFound: Not found", Say(json!({ "objectId": HAND }))),
        (
            "PermissionDenied: No components are allowlisted",
            Set(json!({ "componentAllowlist": ["UnityEngine.Rigidbody"] })),
        ),
        (
            "PermissionDenied: Denied by allowlist",
            Set(json!({ "componentAllowlist": ["UnityEngine.Light"] })),
        ),
        ("NotFound: Component not found", Say(json!({ "objectId": PLAYER }))),
    ];
    let wrong = json!({ "objectId": "nobody", "typeOrIndex": "UnityEngine.Light" });
    check(&world, "RemoveComponent", Usual, wrong, steps).await;
    let by_place = json!({ "objectId": PLAYER, "typeOrIndex": "9" });
    let steps = vec![
        ("NotFound: Component not found", Say(json!({ "typeOrIndex": "0" }))),
        (
            "InvalidArgument: Can't remove Transform because every object has one",
            Say(json!({ "typeOrIndex": "2" })),
        ),
    ];
    check(&world, "RemoveComponent", Usual, by_place, steps).await;
}

/// "Hooks: […] allowlist via `hookAllowlistSignatures` (type full names). `HookSetSource` requires
/// `enableConsoleEval=true`."
#[tokio::test]
async fn hooks() {
    let world = World::writable();
    let class = "UnityEngine.GameObject";
    let add = json!({ "type": "Zork", "method": "Zork" });
    let steps = vec![
        (
            "PermissionDenied: Denied by hook allowlist",
            Set(json!({ "hookAllowlistSignatures": ["Zork", class, "UnityEngine.Transform"] })),
        ),
        ("NotFound: Type not found", Say(json!({ "type": class }))),
        (
            "NotFound: Method not found",
            Say(json!({ "type": "UnityEngine.Transform", "method": "Translate" })),
        ),
        (
            "InvalidArgument: Multiple overloads found for 'UnityEngine.Transform.Translate'.",
            Say(json!({ "type": class, "method": "SetActive" })),
        ),
    ];
    check(&world, "HookAdd", Usual, add, steps).await;

    let listed = || Set(json!({ "hookAllowlistSignatures": [class] }));
    let known = || Say(json!({ "signature": SET_ACTIVE }));
    let steps = vec![
        ("NotFound: Hook not found", known()),
        ("PermissionDenied: Permission denied", listed()),
    ];
    let wrong = json!({ "signature": "Zork", "enabled": false });
    check(&world, "HookSetEnabled", Usual, wrong, steps).await;

    let steps = vec![
        (
            "PermissionDenied: ConsoleEval disabled by config",
            Set(json!({ "enableConsoleEval": true })),
        ),
        ("NotFound: Hook not found", known()),
        ("PermissionDenied: Permission denied", listed()),
        (
            "InvalidArgument: Compile failed: (1,3): error an expression is expected, found the end",
            Say(json!({ "source": "static void Postfix() { }" })),
        ),
    ];
    let wrong = json!({ "signature": "Zork", "source": "1+" });
    check(&world, "HookSetSource", Usual, wrong, steps).await;

    // To stop watching needs nobody's list.
    let steps = vec![("NotFound: Hook not found", known())];
    check(&world, "HookRemove", Usual, json!({ "signature": "Zork" }), steps).await;
}

/// "Hierarchy: `Reparent(objectId, newParentId, confirm?)` and `DestroyObject(objectId, confirm?)`".
#[tokio::test]
async fn hierarchy() {
    let world = World::writable();
    let steps = vec![
        ("InvalidArgument: Invalid child id", Say(json!({ "objectId": NOBODY }))),
        ("InvalidArgument: Invalid parent id", Say(json!({ "newParentId": NOBODY }))),
        ("NotFound: Not found", Say(json!({ "objectId": HAND }))),
        ("NotFound: Not found", Say(json!({ "newParentId": HAND }))),
        ("InvalidArgument: an object cannot be its own parent", Say(json!({ "objectId": PLAYER }))),
        (
            "InvalidArgument: an object cannot be its own parent",
            Say(json!({ "objectId": HAND, "newParentId": PLAYER })),
        ),
    ];
    let wrong = json!({ "objectId": "nobody", "newParentId": "nobody" });
    check(&world, "Reparent", Usual, wrong, steps).await;
    let steps = vec![
        ("InvalidArgument: Invalid id", Say(json!({ "objectId": NOBODY }))),
        ("NotFound: Not found", Say(json!({ "objectId": PLAYER }))),
    ];
    check(&world, "DestroyObject", Usual, json!({ "objectId": "nobody" }), steps).await;
}

/// "Console: `ConsoleEval(code, confirm?)` […] (requires `enableConsoleEval=true` in config)", and the
/// scripts that run, which need it "in addition to write gating": for these it is asked first.
#[tokio::test]
async fn code() {
    let world = World::writable();
    let compile = "InvalidArgument: Unable to compile the code. Evaluator's last output was:\n(1,3): error an expression is expected, found the end";
    let steps = vec![(compile, Say(json!({ "code": "" })))];
    check(&world, "ConsoleEval", Console, json!({ "code": "1+" }), steps).await;

    world.write_script("run.cs", b"return 1;");
    world.write_script("large.cs", &vec![b' '; 262_145]);
    let steps = vec![
        (
            "InvalidArgument: path must stay inside the Scripts folder",
            Say(json!({ "path": "none.cs" })),
        ),
        ("NotFound: Not found", Say(json!({ "path": "large.cs" }))),
        ("InvalidArgument: Content too large; max 262144 bytes", Say(json!({ "path": "run.cs" }))),
    ];
    check(&world, "RunConsoleScript", Console, json!({ "path": "../run.cs" }), steps).await;

    let set = json!({ "enableConsoleEval": true, "allowWrites": true });
    world.done("SetConfig", set).await;
    let none = world.said("RunStartupScript", json!({ "confirm": true })).await;
    assert_eq!(none, "NotFound: Not found");
    world.write_script("startup.cs", b"return 1;");
    check(&world, "RunStartupScript", Console, json!({}), vec![]).await;
}

/// "Console scripts: `WriteConsoleScript(path, content, confirm?)` / `DeleteConsoleScript(path,
/// confirm?)`", and the startup script: "`enableConsoleEval` not required for writing".
#[tokio::test]
async fn scripts() {
    let world = World::writable();
    let paths = || {
        vec![
            ("InvalidArgument: path is required", Say(json!({ "path": "a.txt" }))),
            ("InvalidArgument: Only .cs files are allowed", Say(json!({ "path": "../a.cs" }))),
            (
                "InvalidArgument: path must stay inside the Scripts folder",
                Say(json!({ "path": "a.cs" })),
            ),
        ]
    };
    let large = json!({ "path": " ", "content": "x".repeat(262_145) });
    let too_large =
        ("InvalidArgument: Content too large; max 262144 bytes", Say(json!({ "content": "" })));
    let mut steps = paths();
    steps.push(too_large);
    check(&world, "WriteConsoleScript", Usual, large, steps).await;

    let mut steps = paths();
    steps.insert(3, ("NotFound: Not found", Say(json!({ "path": "b.cs" }))));
    world.write_script("b.cs", b"");
    std::fs::remove_file(world.script("a.cs")).unwrap();
    check(&world, "DeleteConsoleScript", Usual, json!({ "path": " " }), steps).await;

    let large = json!({ "content": "x".repeat(262_145) });
    let too_large =
        ("InvalidArgument: Content too large; max 262144 bytes", Say(json!({ "content": "" })));
    check(&world, "WriteStartupScript", Usual, large, vec![too_large]).await;
    check(&world, "SetStartupScriptEnabled", Usual, json!({ "enabled": false }), vec![]).await;
}

/// "Time: `SetTimeScale(value, lock?, confirm?)`", "Test UI helpers: `SpawnTestUi(confirm?)` […]
/// `DestroyTestUi(confirm?)`", and the tools that came after the document.
#[tokio::test]
async fn the_rest() {
    let world = World::writable();
    let steps =
        vec![("InvalidArgument: value must be number, not string", Say(json!({ "value": 1 })))];
    check(&world, "SetTimeScale", Usual, json!({ "value": "NaN" }), steps).await;
    check(&world, "SpawnTestUi", Usual, json!({}), vec![]).await;
    check(&world, "DestroyTestUi", Usual, json!({}), vec![]).await;
    check(&world, "SetClipboardText", Usual, json!({ "text": "" }), vec![]).await;
    check(&world, "ClearClipboard", Usual, json!({}), vec![]).await;
    check(&world, "SetFreecamEnabled", Usual, json!({ "enabled": true }), vec![]).await;
    check(&world, "SetFreecamSpeed", Usual, json!({ "speed": 1 }), vec![]).await;
    let corner = json!({ "X": 0, "Y": 0, "Z": 0 });
    let steps = vec![(
        "InvalidArgument: pos and rot are required",
        Say(json!({ "pos": corner, "rot": corner })),
    )];
    check(&world, "SetFreecamPose", Usual, json!({}), steps).await;
    let steps = vec![
        ("InvalidArgument: name is required", Say(json!({ "name": "Attic" }))),
        ("NotFound: Scene file not found", Say(json!({ "name": "Cellar" }))),
    ];
    check(&world, "LoadScene", Usual, json!({ "name": " " }), steps).await;
}

/// "All mutating tools require `allowWrites=true`": on a server that was started without
/// `--allow-writes`, the operator's word comes before everything else, and nothing opens it.
#[tokio::test]
async fn the_operator_has_the_first_word() {
    let world = World::read_only();
    for tool in [
        "SetConfig",
        "SetActive",
        "SelectObject",
        "SetMember",
        "CallMethod",
        "AddComponent",
        "RemoveComponent",
        "HookAdd",
        "HookRemove",
        "HookSetEnabled",
        "HookSetSource",
        "Reparent",
        "DestroyObject",
        "ConsoleEval",
        "WriteConsoleScript",
        "DeleteConsoleScript",
        "RunConsoleScript",
        "SetStartupScriptEnabled",
        "WriteStartupScript",
        "RunStartupScript",
        "SetTimeScale",
        "SpawnTestUi",
        "DestroyTestUi",
        "LoadScene",
        "SetClipboardText",
        "SetClipboardObject",
        "ClearClipboard",
        "SetFreecamEnabled",
        "SetFreecamSpeed",
        "SetFreecamPose",
    ] {
        let said = world.said(tool, json!({ "allowWrites": true, "confirm": true })).await;
        assert_eq!(said, "PermissionDenied: Writes disabled", "{tool}");
    }
}
