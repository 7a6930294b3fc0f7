//! Instances of the sample that become others', and what does not fit.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::{bench, lines_of};

const MAIN: &str = "Assets/Scenes/Main.unity";
const LANTERN: &str = "Assets/Prefabs/Lantern.prefab";
const GOLDEN: &str = "Assets/Prefabs/GoldenLantern.prefab";

fn input(old: &str, new: &str, more: Value) -> Value {
    let mut input = json!({ "oldPrefabPath": old, "newPrefabPath": new, "scenePaths": [MAIN] });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

/// What is said, then the lines that changed.
fn check(old: &str, new: &str, more: Value, expected: Expect) {
    let bench = bench();
    let before = bench.read(MAIN);
    let output = bench.call("prefab.batchReplace", input(old, new, more)).unwrap();
    let mut text = format!("{} replaced, ", output["replacedCount"]);
    text += &format!("{} kept\n", output["preservedOverrides"]);
    for key in ["dropped", "remarks"] {
        for line in output[key].as_array().unwrap() {
            text += &format!("{key}: {}\n", line.as_str().unwrap());
        }
    }
    for change in output["changes"].as_array().unwrap() {
        text += &lines_of(change["diff"].as_str().unwrap_or_default());
    }
    expected.assert_eq(&text);
    bench.undo();
    assert_eq!(bench.read(MAIN), before);
}

#[test]
fn a_variant_takes_every_override_of_its_base() {
    check(
        LANTERN,
        GOLDEN,
        json!({}),
        expect![[r#"
        3 replaced, 3 kept
        Assets/Scenes/Main.unity
        -  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_CorrespondingSourceObject: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 5936806198400341006, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        +      propertyPath: startsLit
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 6648721072637395040, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: startsLit
        -      value: 0
        -      objectReference: {fileID: 0}
        -  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_SourcePrefab: {fileID: 100100000, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_CorrespondingSourceObject: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Name
        -      value: Well Lantern
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 5936806198400341006, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        +    - target: {fileID: 6648721072637395040, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        +      propertyPath: m_Name
        +      value: Well Lantern
        +      objectReference: {fileID: 0}
        -  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_SourcePrefab: {fileID: 100100000, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Enabled
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +    - target: {fileID: 3382373200632277004, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        +      propertyPath: m_Enabled
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 6648721072637395040, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_SourcePrefab: {fileID: 100100000, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_CorrespondingSourceObject: {fileID: 22053704798519677, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
        -  m_CorrespondingSourceObject: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_CorrespondingSourceObject: {fileID: 5936806198400341006, guid: da90853f91e6c4810b8c702af8b250da, type: 3}
    "#]],
    );
}

#[test]
fn what_does_not_fit_is_dropped_and_told() {
    let said = |bench: &crate::testing::Site, new: &str, more: Value| {
        let output = bench.call("prefab.batchReplace", input(LANTERN, new, more)).unwrap();
        let dropped = output["dropped"].as_array().unwrap().iter();
        let dropped: Vec<&str> = dropped.filter_map(Value::as_str).collect();
        let kept = &output["preservedOverrides"];
        format!("{} replaced, {kept} kept\n{}\n", output["replacedCount"], dropped.join("\n"))
    };
    expect![[r#"
        3 replaced, 0 kept
        Assets/Scenes/Main.unity: startsLit of Lanterns/Gate Lantern
        Assets/Scenes/Main.unity: pulseWeights.Array.data[1] of Lanterns/Well Lantern
        Assets/Scenes/Main.unity: m_Enabled of Player/Hand/Hand Lantern
    "#]]
    .assert_eq(&said(&bench(), GOLDEN, json!({ "preserveOverrides": false })));
    // An object and a component are added to a part that the other prefab lacks.
    let bench = bench();
    let flame = "Lanterns/Gate Lantern/Flame";
    let changes = json!([
        { "op": "create", "parent": flame, "name": "Moth" },
        { "op": "addComponent", "object": flame, "component": "BoxCollider" },
        { "op": "create", "parent": "Lanterns/Gate Lantern", "name": "Sign" },
    ]);
    bench.call("unity.edit", json!({ "path": MAIN, "changes": changes })).unwrap();
    expect![[r#"
        3 replaced, 0 kept
        Assets/Scenes/Main.unity: Lanterns/Gate Lantern/Flame/Moth is now right below Lanterns/Gate Lantern
        Assets/Scenes/Main.unity: BoxCollider, which was added to Lanterns/Gate Lantern/Flame
        Assets/Scenes/Main.unity: startsLit of Lanterns/Gate Lantern
        Assets/Scenes/Main.unity: pulseWeights.Array.data[1] of Lanterns/Well Lantern
        Assets/Scenes/Main.unity: m_Enabled of Player/Hand/Hand Lantern
        Assets/Scenes/Main.unity: the reference to Player/Hand/Hand Lantern in Player MonoBehaviour.heldLantern
    "#]].assert_eq(&said(&bench, "Assets/Prefabs/Room.prefab", json!({})));
    let left = bench.call("prefab.overrides", json!({ "hierarchyPath": "Lanterns/Gate Lantern" }));
    let left = left.unwrap();
    assert_eq!(left["prefab"], "Assets/Prefabs/Room.prefab");
    let added = json!([
        { "object": "Lanterns/Gate Lantern/Sign" },
        { "object": "Lanterns/Gate Lantern/Moth" },
    ]);
    assert_eq!(left["addedObjects"], added);
    assert_eq!((&left["addedComponents"], &left["unusedOverrides"]), (&json!([]), &Value::Null));
}

#[test]
fn instances_in_prefabs_are_replaced_where_that_is_asked_for() {
    let bench = bench();
    let room = "Assets/Prefabs/Room.prefab";
    let cellar = json!({ "scenePaths": ["Assets/Scenes/Cellar.unity"] });
    let output = bench.call("prefab.batchReplace", input(LANTERN, GOLDEN, cellar)).unwrap();
    assert_eq!((&output["replacedCount"], &output["filesChanged"]), (&json!(0), &json!(0)));
    expect![[r#"["Assets/Prefabs/Room.prefab, which is used there, has instances of it, too; nested: true replaces them"]"#]].assert_eq(&output["remarks"].to_string());
    let nested = json!({ "scenePaths": ["Assets/Scenes/Cellar.unity"], "nested": true });
    let before = bench.read(room);
    let output = bench.call("prefab.batchReplace", input(LANTERN, GOLDEN, nested)).unwrap();
    assert_eq!((&output["replacedCount"], &output["filesChanged"]), (&json!(1), &json!(1)));
    assert_ne!(bench.read(room), before);
    expect!["[]"].assert_eq(&output["remarks"].to_string());
    bench.undo();
    assert_eq!(bench.read(room), before);
}

#[test]
fn what_cannot_be_done_is_said() {
    let bench = bench();
    let before = bench.read(MAIN);
    let error = |old: &str, new: &str, more: Value| {
        bench.error("prefab.batchReplace", input(old, new, more))
    };
    expect!["Prefab not found: Assets/Prefabs/Lantrn.prefab; did you mean Assets/Prefabs/Lantern.prefab or Assets/Prefabs/GoldenLantern.prefab or Assets/Prefabs/Room.prefab?"].assert_eq(&error("Assets/Prefabs/Lantrn.prefab", GOLDEN, json!({})));
    expect!["Assets/Prefabs/Lantern.prefab cannot be replaced by itself; nothing was changed"]
        .assert_eq(&error(LANTERN, LANTERN, json!({})));
    expect!["Max instances limit exceeded: 3 instances, at most 1; nothing was changed; name fewer scenes in each call"].assert_eq(&error(LANTERN, GOLDEN, json!({ "maxInstances": 1 })));
    let nowhere = json!({ "scenePaths": ["Assets/Scenes/Nowhere.unity"] });
    expect!["Scene not found: Assets/Scenes/Nowhere.unity; did you mean Assets/Scenes/Cellar.unity or Assets/Scenes/Main.unity?"].assert_eq(&error(LANTERN, GOLDEN, nowhere));
    // The variant contains its base, so that the base cannot contain the variant.
    let inside = json!({ "scenePaths": [GOLDEN] });
    expect!["The instances of a file cannot be replaced: Assets/Prefabs/GoldenLantern.prefab: a prefab cannot contain itself; nothing was changed"].assert_eq(&error(LANTERN, GOLDEN, inside));
    assert_eq!(bench.read(MAIN), before);
}
