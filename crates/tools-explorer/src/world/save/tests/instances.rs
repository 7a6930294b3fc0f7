//! Instances of prefabs that were made in the world, in the scene's file.

use expect_test::expect;
use serde_json::json;

use super::{MAIN, UnitySample};
use crate::testing::LANTERNS;

const LANTERN: &str = "Assets/Prefabs/Lantern.prefab";

fn spawn(sample: &UnitySample, more: serde_json::Value) {
    let mut arguments = json!({ "prefabPath": LANTERN });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sample.ask("explorer.spawnPrefab", arguments);
}

#[test]
fn an_instance_is_saved_with_its_prefab_and_what_was_changed() {
    let sample = UnitySample::new();
    let before = sample.read(MAIN);
    spawn(&sample, json!({ "parentId": LANTERNS, "name": "New" }));
    sample.eval(
        r#"var made = GameObject.Find("New");
        made.transform.localPosition = new Vector3(1f, 2f, 3f);
        made.transform.Find("Flame").GetComponent<Light>().intensity = 9f;
        made.AddComponent<AudioSource>().volume = 0.5f;"#,
    );
    let (diff, output) = sample.saved();
    expect![[r#"
        +--- !u!82 &460969966
        +AudioSource:
        +  m_ObjectHideFlags: 0
        +  m_CorrespondingSourceObject: {fileID: 0}
        +  m_PrefabInstance: {fileID: 0}
        +  m_PrefabAsset: {fileID: 0}
        +  m_GameObject: {fileID: 8188168329009378743}
        +  m_Enabled: 1
        +  serializedVersion: 4
        +  m_Volume: 0.5
        +--- !u!1001 &1036313016
        +PrefabInstance:
        +  m_ObjectHideFlags: 0
        +  serializedVersion: 2
        +  m_Modification:
        +    serializedVersion: 3
        +    m_TransformParent: {fileID: 1773688713}
        +    m_Modifications:
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalPosition.x
        +      value: 1
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalPosition.y
        +      value: 2
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalPosition.z
        +      value: 3
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalRotation.w
        +      value: 1
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalRotation.x
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalRotation.y
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalRotation.z
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalEulerAnglesHint.x
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalEulerAnglesHint.y
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalEulerAnglesHint.z
        +      value: 0
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_Name
        +      value: New
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 8251994606675419957, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_Intensity
        +      value: 9
        +      objectReference: {fileID: 0}
        +    m_RemovedComponents: []
        +    m_RemovedGameObjects: []
        +    m_AddedGameObjects: []
        +    m_AddedComponents:
        +    - targetCorrespondingSourceObject: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      insertIndex: -1
        +      addedObject: {fileID: 460969966}
        +  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  - {fileID: 3290282614685873322}
        +--- !u!4 &3290282614685873322 stripped
        +Transform:
        +  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_PrefabInstance: {fileID: 1036313016}
        +  m_PrefabAsset: {fileID: 0}
        +--- !u!1 &8188168329009378743 stripped
        +GameObject:
        +  m_CorrespondingSourceObject: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +  m_PrefabInstance: {fileID: 1036313016}
        +  m_PrefabAsset: {fileID: 0}
    "#]].assert_eq(&diff);
    expect![[r#"["/Lanterns/New created as an instance of Assets/Prefabs/Lantern.prefab","/Lanterns/New name: Lantern → New","/Lanterns/New Transform.localPosition: {\"x\":0.0,\"y\":0.0,\"z\":0.0} → {\"x\":1.0,\"y\":2.0,\"z\":3.0}","/Lanterns/New AudioSource: added","/Lanterns/New/Flame Light.intensity: 1.5 → 9.0"]"#]].assert_eq(&output["saved"].to_string());
    assert_eq!(output["notSaved"], json!([]));
    let (again, _) = sample.saved();
    assert_eq!(again, "", "it is saved");
    // What is loaded from the file now is what was made.
    sample.ask("explorer.loadScene", json!({ "name": "Main" }));
    let seen = sample.eval(
        r#"var made = GameObject.Find("/Lanterns/New");
        made.transform.localPosition + " " + made.transform.Find("Flame").GetComponent<Light>().intensity
            + " " + made.GetComponent<AudioSource>().volume"#,
    );
    expect!["(1.00, 2.00, 3.00) 9 0.5"].assert_eq(seen["result"].as_str().unwrap());
    sample.undo();
    assert!(sample.read(MAIN) == before, "an undo gives the file back");
}

#[test]
fn what_was_taken_from_an_instance_is_not_in_the_file() {
    let sample = UnitySample::new();
    spawn(&sample, json!({}));
    sample.eval(r#"DestroyImmediate(GameObject.Find("/Lantern/Flame"));"#);
    sample.saved();
    sample.ask("explorer.loadScene", json!({ "name": "Main" }));
    let seen = sample.eval(r#"GameObject.Find("/Lantern").transform.childCount"#);
    let whole = sample.eval(r#"GameObject.Find("/Lanterns/Gate Lantern").transform.childCount"#);
    let count = |seen: &serde_json::Value| seen["result"].as_str().unwrap().parse::<u32>().unwrap();
    assert_eq!(count(&seen) + 1, count(&whole));
}

#[test]
fn an_instance_inside_of_another_is_saved() {
    let sample = UnitySample::new();
    spawn(&sample, json!({ "name": "Outer" }));
    let outer = sample.page("explorer.searchObjects", json!({ "query": "Outer" }), "Id");
    let outer = outer.rsplit(' ').next().unwrap();
    spawn(&sample, json!({ "name": "Inner", "parentId": outer }));
    let dry = sample.ask("explorer.saveScene", json!({ "dryRun": true }));
    let (_, output) = sample.saved();
    assert_eq!(dry["saved"], output["saved"]);
    expect![[r#"["/Outer created as an instance of Assets/Prefabs/Lantern.prefab","/Outer/Flame/Inner created as an instance of Assets/Prefabs/Lantern.prefab","/Outer/Flame/Inner name: Lantern → Inner","/Outer name: Lantern → Outer"]"#]].assert_eq(&output["saved"].to_string());
    sample.ask("explorer.loadScene", json!({ "name": "Main" }));
    let inner = sample.page("explorer.searchObjects", json!({ "query": "Inner" }), "Path");
    expect!["2 of 2: /Outer/Flame/Inner, /Outer/Flame/Inner/Flame"].assert_eq(&inner);
}

#[test]
fn an_instance_that_is_gone_leaves_nothing() {
    let sample = UnitySample::new();
    spawn(&sample, json!({ "name": "New" }));
    sample.eval(r#"DestroyImmediate(GameObject.Find("New"));"#);
    let (diff, output) = sample.saved();
    assert_eq!((diff.as_str(), &output["savedCount"]), ("", &json!(0)));
}
