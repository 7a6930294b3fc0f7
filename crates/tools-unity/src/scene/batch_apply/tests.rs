//! The exact lines of each operation on the sample, and what is refused.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{bench, lines_of};

const BOTH: [&str; 2] = ["Assets/Scenes/Main.unity", "Assets/Scenes/Cellar.unity"];

fn input(operation: &str, params: Value) -> Value {
    json!({ "scenes": BOTH, "operation": operation, "params": params })
}

fn check(operation: &str, params: Value, expected: Expect) {
    let bench = bench();
    let before = BOTH.map(|path| bench.read(path));
    let diff = lines_of(&bench.diff("scene.batchApply", input(operation, params.clone())));
    expected.assert_eq(&diff);
    let again = bench.call("scene.batchApply", input(operation, params)).unwrap();
    if operation != "applyPrefabOverride" && !diff.is_empty() {
        assert_eq!(again["objectsAffected"], 0, "it was done already: {again}");
        bench.undo();
        assert_eq!(BOTH.map(|path| bench.read(path)), before);
    }
}

#[test]
fn layers_and_tags_are_set_where_objects_match() {
    let by = |matched: Value, more: Value| {
        let mut params = json!({ "match": matched });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    check(
        "setLayer",
        by(json!({ "tag": "Player" }), json!({ "layer": "Interactable" })),
        expect![[r#"
            Assets/Scenes/Main.unity
            -  m_Layer: 0
            +  m_Layer: 6
        "#]],
    );
    check(
        "setLayer",
        by(json!({ "tag": "Player" }), json!({ "layer": 6, "recursive": true })),
        expect![[r#"
            Assets/Scenes/Main.unity
            -  m_Layer: 0
            +  m_Layer: 6
            -  m_Layer: 0
            +  m_Layer: 6
        "#]],
    );
    check(
        "setTag",
        by(json!({ "layer": "Ground" }), json!({ "tag": "Collectible" })),
        expect![[r#"
            Assets/Scenes/Main.unity
            -  m_TagString: Untagged
            +  m_TagString: Collectible
            Assets/Scenes/Cellar.unity
            +    - target: {fileID: 5123578593428063076, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +      propertyPath: m_TagString
            +      value: Collectible
            +      objectReference: {fileID: 0}
            -  m_TagString: Untagged
            +  m_TagString: Collectible
        "#]],
    );
    // Inside of instances it becomes an override.
    check(
        "setTag",
        by(json!({ "componentType": "Light" }), json!({ "tag": "Lantern" })),
        expect![[r#"
            Assets/Scenes/Main.unity
            +    - target: {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
            -  m_TagString: Untagged
            +  m_TagString: Lantern
            +    - target: {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 8184328102686427762, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
            Assets/Scenes/Cellar.unity
            +    - target: {fileID: 5632029180774998591, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 6425776387703797375, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +      propertyPath: m_TagString
            +      value: Lantern
            +      objectReference: {fileID: 0}
        "#]],
    );
}

#[test]
fn overrides_become_values_of_the_prefab() {
    check(
        "applyPrefabOverride",
        json!({ "match": { "componentType": "LanternFlicker" } }),
        expect![[r#"
            Assets/Scenes/Main.unity
            -    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -      propertyPath: startsLit
            -      value: 0
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -      propertyPath: 'pulseWeights.Array.data[1]'
            -      value: 1.25
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 1883028732468892773, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
            -      propertyPath: value
            -      value: 40
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 5936806198400341006, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
            -      propertyPath: flickerOffset
            -      value: 0.35
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -      propertyPath: m_Enabled
            -      value: 0
            -      objectReference: {fileID: 0}
            Assets/Scenes/Cellar.unity
            -    - target: {fileID: 6355778995408404967, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            -      propertyPath: value
            -      value: 3
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 6980475793544814359, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            -      propertyPath: m_Intensity
            -      value: 2.5
            -      objectReference: {fileID: 0}
            -      objectReference: {fileID: 0}
            -    - target: {fileID: 8852853455590467587, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            -      propertyPath: flickerOffset
            -      value: 0.6
            Assets/Prefabs/Lantern.prefab
            -  m_Enabled: 1
            +  m_Enabled: 0
            -  startsLit: 1
            +  startsLit: 0
            -  - 1
            +  - 1.25
            Assets/Prefabs/GoldenLantern.prefab
            +    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: flickerOffset
            +      value: 0.35
            +      objectReference: {fileID: 0}
            -  value: 25
            +  value: 40
            Assets/Prefabs/Room.prefab
            -  value: 1
            +  value: 3
            +    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: flickerOffset
            +      value: 0.6
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 6873564502161815386, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
            +      propertyPath: m_Intensity
            +      value: 2.5
            +      objectReference: {fileID: 0}
        "#]],
    );
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let bench = bench();
    let before = BOTH.map(|path| bench.read(path));
    let error = |input: Value| bench.error("scene.batchApply", input);
    let tag = json!({ "tag": "Player" });
    expect!["Invalid operation: setLayr; did you mean setLayer?"]
        .assert_eq(&error(input("setLayr", json!({ "match": tag, "layer": 1 }))));
    expect!["setLayer needs params.layer; which objects are meant stands apart, in params.match"]
        .assert_eq(&error(input("setLayer", json!({ "match": tag }))));
    expect![[r#"params.match says what the objects have in common; pass one of {"tag": …}, {"layer": …} and {"componentType": …} as params.match"#]].assert_eq(&error(input("setLayer", json!({ "layer": 1 }))));
    expect!["tag not found: Lantrn; did you mean Lantern?"]
        .assert_eq(&error(input("setTag", json!({ "match": tag, "tag": "Lantrn" }))));
    expect!["clearConsole clears the console of a running editor, and none is here; the other operations work from files"].assert_eq(&error(input("clearConsole", json!({}))));
    let mut strict = input("setTag", json!({ "match": tag, "tag": "Lantern" }));
    strict["scenes"] = json!([BOTH[0], "Assets/Scenes/Celar.unity"]);
    strict["continueOnError"] = json!(false);
    expect!["A scene cannot be changed: Assets/Scenes/Celar.unity: Asset at path 'Assets/Scenes/Celar.unity' not found; did you mean Assets/Scenes/Cellar.unity?; nothing was changed"].assert_eq(&error(strict.clone()));
    assert_eq!(BOTH.map(|path| bench.read(path)), before);
    strict["continueOnError"] = json!(true);
    let done = bench.call("scene.batchApply", strict).unwrap();
    assert_eq!((&done["success"], &done["filesChanged"]), (&json!(false), &json!(1)));
    assert_eq!(done["summary"], json!({ "completed": 1, "failed": 1 }));
}
