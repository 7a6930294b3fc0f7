//! Lists, materials and references.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{MAIN, check, refused};

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
