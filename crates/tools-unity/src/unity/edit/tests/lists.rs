//! Lists, materials and references.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{MAIN, check, refused};
use crate::testing::{Site, bench, bench_on, lines_of};

#[test]
fn lists_and_materials_and_references() {
    check(
        MAIN,
        json!([{ "op": "set", "object": "Ground", "component": "MeshRenderer", "field": "materials", "value": ["Assets/Materials/Flame.mat"] }]),
        expect![[r#"
            -  - {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
            +  - {fileID: 2100000, guid: bb07ac992c76080f8d3cb1f8c52d8e7f, type: 2}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "insertItem", "object": "Ground", "component": "MeshRenderer", "field": "m_Materials", "value": "Assets/Materials/Flame.mat" }]),
        expect![[r#"
            +  - {fileID: 2100000, guid: bb07ac992c76080f8d3cb1f8c52d8e7f, type: 2}
        "#]],
    );
    check(
        "Assets/Materials/Stone.mat",
        json!([{ "op": "set", "field": "_Color", "value": [1, 0, 0, 1] }]),
        expect![[r#"
            -    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            +    - _Color: {r: 1, g: 0, b: 0, a: 1}
        "#]],
    );
    check(
        MAIN,
        json!([
            { "op": "set", "object": "Player", "component": "PlayerController", "field": "startMode", "value": "Running" },
            { "op": "set", "object": "Player", "component": "PlayerController", "field": "spawnPoint", "value": "Ground" },
            { "op": "set", "object": "Player", "component": "PlayerController", "field": "heldLantern", "value": { "object": "Lanterns/Gate Lantern" } },
            { "op": "set", "object": "Player", "component": "PlayerController", "field": "groundMask", "value": ["Default"] },
        ]),
        expect![[r#"
            +--- !u!114 &172147111 stripped
            +MonoBehaviour:
            +  m_CorrespondingSourceObject: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 172147110}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: e8d507bb07412d2524db5bc85fdbd39a, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            -  startMode: 0
            +  startMode: 2
            -    m_Bits: 128
            +    m_Bits: 1
            -  spawnPoint: {fileID: 0}
            -  heldLantern: {fileID: 1985487171}
            +  spawnPoint: {fileID: 1684365706}
            +  heldLantern: {fileID: 172147111}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "insertItem", "object": "UI/Start Button", "component": "Button", "field": "onClick",
            "value": { "target": { "object": "Player", "component": "PlayerController" }, "method": "Heal", "argument": 3 } }]),
        expect![[r#"
            +      - m_Target: {fileID: 1540250452}
            +        m_TargetAssemblyTypeName: LanternKeep.PlayerController, LanternKeep
            +        m_MethodName: Heal
            +        m_Mode: 3
            +        m_Arguments:
            +          m_ObjectArgument: {fileID: 0}
            +          m_ObjectArgumentAssemblyTypeName: UnityEngine.Object, UnityEngine
            +          m_IntArgument: 3
            +          m_FloatArgument: 0
            +          m_StringArgument: 
            +          m_BoolArgument: 0
            +        m_CallState: 2
        "#]],
    );
    check(
        "Assets/Data/LanternSettings.asset",
        json!([{ "op": "set", "field": "m_Name", "value": "Other" }]),
        expect![[r#"
            -  m_Name: LanternSettings
            +  m_Name: Other
        "#]],
    );
}

#[test]
fn lists_of_whole_numbers_stay_one_text() {
    let settings = "Assets/Data/LanternSettings.asset";
    let check_one = |change: Value, expected: Expect| check(settings, json!([change]), expected);
    let times = |op: &str| json!({ "op": op, "field": "burnTimes", "index": 1 });
    let set = |field: &str, value: Value| json!({ "op": "set", "field": field, "value": value });
    check_one(
        set("burnTimes", json!([1, -2, 300])),
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 01000000feffffff2c010000
    "#]],
    );
    check_one(
        set("burnTimes[1]", json!(7)),
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 3c000000070000002c010000
    "#]],
    );
    check_one(
        set("burnTimes.Array.size", json!(5)),
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 3c000000780000002c0100002c0100002c010000
    "#]],
    );
    check_one(
        set("burnTimes", json!([])),
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 
    "#]],
    );
    check_one(
        times("removeItem"),
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 3c0000002c010000
    "#]],
    );
    check_one(
        json!({ "op": "insertItem", "field": "burnTimes", "index": 0, "value": 9 }),
        expect![[r#"
            -  burnTimes: 3c000000780000002c010000
            +  burnTimes: 090000003c000000780000002c010000
        "#]],
    );
    check_one(
        json!({ "op": "moveItem", "field": "burnTimes", "index": 2, "to": 0 }),
        expect![[r#"
            -  burnTimes: 3c000000780000002c010000
            +  burnTimes: 2c0100003c00000078000000
        "#]],
    );
    // The message names what was asked for, and the item behind the last is one to insert only.
    for (change, wrong) in [
        (json!({ "op": "removeItem", "field": "burnTimes", "index": 3 }), 3),
        (json!({ "op": "moveItem", "field": "burnTimes", "index": 3, "to": 0 }), 3),
        (json!({ "op": "moveItem", "field": "burnTimes", "index": 0, "to": 4 }), 4),
        (json!({ "op": "insertItem", "field": "burnTimes", "index": 4, "value": 9 }), 4),
    ] {
        let arguments = json!({ "path": settings, "changes": [change] });
        let error = bench().error("unity.edit", arguments);
        let told = format!("the list has 3 items, and {wrong} is none of them");
        assert!(error.contains(&told), "{error}");
    }
    check_one(
        json!({ "op": "insertItem", "field": "burnTimes", "index": 3, "value": 9 }),
        expect![[r#"
            -  burnTimes: 3c000000780000002c010000
            +  burnTimes: 3c000000780000002c01000009000000
        "#]],
    );
    let both = json!([set("burnTimes", json!([])), { "op": "insertItem", "field": "burnTimes", "value": 5 }]);
    check(
        settings,
        both,
        expect![[r#"
        -  burnTimes: 3c000000780000002c010000
        +  burnTimes: 05000000
    "#]],
    );
    refused(
        settings,
        json!([set("burnTimes[3]", json!(7))]),
        expect![
            "change 1 (set): burnTimes[3] of LanternSettings: the list has 3 items, and 3 is none of them; nothing was changed"
        ],
    );
    refused(
        settings,
        json!([set("burnTimes", json!([1.5]))]),
        expect![
            "change 1 (set): burnTimes of LanternSettings: the field takes a whole number from -2147483648 to 2147483647, and not 1.5; nothing was changed"
        ],
    );
}

/// An instance whose script is not here gives a list of its prefab items that the prefab does not have.
#[test]
fn what_other_items_of_an_instance_have_can_be_set_in_a_new_one() {
    let head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    let guid = "2123456789abcdef0123456789abcdef";
    let prefab = "--- !u!1 &50\nGameObject:\n  m_Component:\n  - component: {fileID: 51}\n  - component: {fileID: 52}\n  m_Name: Boat\n--- !u!4 &51\nTransform:\n  m_GameObject: {fileID: 50}\n  m_Children: []\n  m_Father: {fileID: 0}\n--- !u!114 &52\nMonoBehaviour:\n  m_GameObject: {fileID: 50}\n  m_Script: {fileID: 11500000, guid: 3123456789abcdef0123456789abcdef, type: 3}\n  points: []\n";
    let entry = |path: &str, value: &str| {
        format!(
            "    - target: {{fileID: 52, guid: {guid}, type: 3}}\n      propertyPath: {path}\n      value: {value}\n      objectReference: {{fileID: 0}}\n"
        )
    };
    let entries = [
        entry("points.Array.size", "2"),
        entry("'points.Array.data[0].x'", "1"),
        entry("'points.Array.data[0].y'", "1"),
    ];
    let scene = format!(
        "--- !u!1001 &9\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n{}    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n",
        entries.concat()
    );
    let project = format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2021.3.6f1\n//- Assets/Main.unity\n{head}{scene}//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n//- Assets/Boat.prefab\n{head}{prefab}//- Assets/Boat.prefab.meta\nguid: {guid}\n"
    );
    let call = |field: &str| {
        let change = json!({ "op": "set", "object": "Boat", "component": "MonoBehaviour", "field": field, "value": 5 });
        let input = json!({ "path": "Assets/Main.unity", "changes": [change] });
        bench_on(&project).call("unity.edit", input)
    };
    let done = call("points[1].y").expect("other items have it");
    let diff = lines_of(done["changes"][0]["diff"].as_str().unwrap_or_default());
    expect![[r#"
        Assets/Main.unity
        +    - target: {fileID: 52, guid: 2123456789abcdef0123456789abcdef, type: 3}
        +      propertyPath: 'points.Array.data[1].y'
        +      value: 5
        +      objectReference: {fileID: 0}
    "#]]
    .assert_eq(&diff);
    let refused = call("points[1].depth").expect_err("no item has it");
    assert!(refused.message.contains("has no depth in points.Array.data[1]"), "{refused}");
}

/// Every id that the file refers to in itself.
fn lost(site: &Site) -> Vec<i64> {
    let text = std::fs::read(site.path(MAIN)).unwrap();
    let document = scenewright_unity::Document::parse(text);
    let local = document.references().map(|found| found.reference).filter(|to| to.guid.is_none());
    let lost = local.filter(|to| !to.is_null() && document.object(to.file_id).is_none());
    lost.map(|to| to.file_id.0).collect()
}

/// The items are in the prefab's ids, and the file of the instance has others for the same objects.
#[test]
fn items_of_an_instance_that_change_places_refer_to_the_same_objects() {
    let site = bench();
    let script =
        "using UnityEngine;\npublic class Wheels : MonoBehaviour { public Transform[] wheels; }\n";
    site.write("Assets/Scripts/Wheels.cs", script);
    let meta = format!("fileFormatVersion: 2\nguid: {}\n", "d".repeat(32));
    site.write("Assets/Scripts/Wheels.cs.meta", &meta);
    let changes = json!([
        { "op": "create", "name": "Car", "components": ["Wheels"] },
        { "op": "create", "parent": "Car", "name": "A" },
        { "op": "create", "parent": "Car", "name": "B" },
        { "op": "set", "object": "Car", "component": "Wheels", "field": "wheels", "value": ["Car/A", "Car/B"] },
    ]);
    site.call("unity.edit", json!({ "path": MAIN, "changes": changes })).unwrap();
    let prefab =
        json!({ "scenePath": MAIN, "hierarchyPath": "Car", "prefabPath": "Assets/Car.prefab" });
    site.call("prefab.create", prefab).unwrap();
    assert_eq!(lost(&site), Vec::<i64>::new());
    let call = |change: Value| {
        site.call("unity.edit", json!({ "path": MAIN, "changes": [change] })).unwrap()
    };
    let list = |op: &str| json!({ "op": op, "object": "Car", "component": "Wheels", "field": "wheels", "index": 0 });
    let mut stay = list("moveItem");
    stay["to"] = json!(0);
    assert_eq!(call(stay)["filesChanged"], 0);
    let mut swap = list("moveItem");
    swap["to"] = json!(1);
    assert_eq!(call(swap)["results"][0]["changed"], true);
    assert_eq!(lost(&site), Vec::<i64>::new());
    call(list("removeItem"));
    assert_eq!(lost(&site), Vec::<i64>::new());
}

/// What an item of it looks like nothing here tells.
#[test]
fn an_item_without_a_value_is_not_made_up() {
    let asset = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_Script: {fileID: 11500000, guid: aaaabbbbccccddddaaaabbbbccccdddd, type: 3}\n  m_Name: X\n  m_EditorClassIdentifier: \n  list: []\n  others:\n  - 7\n";
    let site = bench_on(&format!(
        "//- Assets/X.asset\n{asset}//- Assets/X.asset.meta\nguid: 1123456789abcdef0123456789abcdef\n"
    ));
    let insert = |field: &str| json!({ "path": "Assets/X.asset", "changes": [{ "op": "insertItem", "field": field }], "dryRun": true });
    expect!["change 1 (insertItem): list has no item that a new one could be like; give the change a value"]
        .assert_eq(&site.error("unity.edit", insert("list")).replace("\nTry: ", "; "));
    let output = site.call("unity.edit", insert("others")).expect("it is done");
    expect![[r#"
        Assets/X.asset
        +  - 7
    "#]]
    .assert_eq(&lines_of(output["changes"][0]["diff"].as_str().unwrap_or_default()));
}
