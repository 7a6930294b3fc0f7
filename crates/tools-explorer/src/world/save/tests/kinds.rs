//! The exact bytes that each kind of change writes, on the sample's scenes.

use expect_test::{Expect, expect};
use serde_json::json;

use super::{MAIN, UnitySample};

/// Runs code, saves, and checks the changed lines, then that a second save changes nothing, that a
/// world loaded anew agrees, and that an undo gives the file back.
fn check(code: &str, expected: Expect) {
    let sample = UnitySample::new();
    let before = sample.read(MAIN);
    sample.eval(code);
    let dry = sample.call("explorer.saveScene", json!({ "dryRun": true })).unwrap();
    assert_eq!(sample.read(MAIN), before);
    let (diff, output) = sample.saved();
    assert_eq!(dry["saved"], output["saved"]);
    assert_eq!(dry["changes"][0]["diff"], output["changes"][0]["diff"]);
    let mut shown = diff;
    for line in output["saved"].as_array().unwrap() {
        shown += &format!("= {}\n", line.as_str().unwrap());
    }
    for not in output["notSaved"].as_array().unwrap() {
        let text = |key: &str| not[key].as_str().unwrap().to_owned();
        shown += &format!("! {} {}: {}\n", text("path"), text("what"), text("why"));
    }
    // A trailing space is Unity's way to write nothing, which expectations show as it is.
    expected.assert_eq(&shown);
    let (again, second) = sample.saved();
    assert_eq!((again.as_str(), &second["filesChanged"]), ("", &json!(0)));
    if output["undo"].is_number() {
        sample.undo();
    }
    assert!(sample.read(MAIN) == before, "an undo gives the file back");
}

#[test]
fn values_of_the_scenes_own_objects() {
    check(
        r#"var player = GameObject.Find("Player");
        player.name = "Hero: one";
        player.tag = "Respawn";
        player.layer = 3;
        player.transform.localPosition = new Vector3(1.5f, 2f, -0.25f);
        player.transform.localEulerAngles = new Vector3(0f, 90f, 0f);
        player.SetActive(false);
        var light = GameObject.Find("Directional Light").GetComponent<Light>();
        light.intensity = 0.1f;
        light.color = new Color(1f, 0.7f, 0.5f, 1f);
        light.cullingMask = -2;
        light.enabled = false;"#,
        expect![[r#"
            -  m_Enabled: 1
            +  m_Enabled: 0
            -  m_Color: {r: 0.62, g: 0.7, b: 1, a: 1}
            -  m_Intensity: 0.4
            +  m_Color: {r: 1, g: 0.7, b: 0.5, a: 1}
            +  m_Intensity: 0.1
            -    m_Bits: 4294967295
            +    m_Bits: 4294967294
            -  m_Layer: 0
            -  m_Name: Player
            -  m_TagString: Player
            +  m_Layer: 3
            +  m_Name: 'Hero: one'
            +  m_TagString: Respawn
            -  m_IsActive: 1
            +  m_IsActive: 0
            -  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            -  m_LocalPosition: {x: 0, y: 0, z: -4}
            +  m_LocalRotation: {x: 0, y: 0.70710677, z: 0, w: 0.70710677}
            +  m_LocalPosition: {x: 1.5, y: 2, z: -0.25}
            -  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +  m_LocalEulerAnglesHint: {x: 0, y: 90, z: 0}
            = /Directional Light Light.enabled: true → false
            = /Directional Light Light.color: {"r":0.62,"g":0.7,"b":1.0,"a":1.0} → {"r":1.0,"g":0.7,"b":0.5,"a":1.0}
            = /Directional Light Light.cullingMask: -1 → -2
            = /Directional Light Light.intensity: 0.4 → 0.1
            = /Hero: one name: Player → Hero: one
            = /Hero: one tag: Player → Respawn
            = /Hero: one layer: 0 → 3
            = /Hero: one active: true → false
            = /Hero: one Transform.localPosition: {"x":0.0,"y":0.0,"z":-4.0} → {"x":1.5,"y":2.0,"z":-0.25}
            = /Hero: one Transform.localEulerAngles: {"x":0.0,"y":0.0,"z":0.0} → {"x":0.0,"y":90.0,"z":0.0}
        "#]],
    );
}

#[test]
fn values_inside_prefab_instances_are_overrides() {
    check(
        r#"var flame = GameObject.Find("/Lanterns/Gate Lantern/Flame");
        flame.GetComponent<Light>().intensity = 3f;
        flame.transform.localPosition = new Vector3(0f, 2f, 0f);
        var gate = GameObject.Find("/Lanterns/Gate Lantern");
        gate.name = "Gate";
        gate.transform.localPosition = new Vector3(-4f, 1f, 2f);
        gate.layer = 2;"#,
        expect![[r#"
            -      value: 0.4
            +      value: 1
            -      value: Gate Lantern
            +      value: Gate
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_Layer
            +      value: 2
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 8251994606675419957, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_Intensity
            +      value: 3
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 9016830613806214896, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.y
            +      value: 2
            = /Lanterns/Gate name: Gate Lantern → Gate
            = /Lanterns/Gate layer: 6 → 2
            = /Lanterns/Gate Transform.localPosition: {"x":-4.0,"y":0.4,"z":2.0} → {"x":-4.0,"y":1.0,"z":2.0}
            = /Lanterns/Gate/Flame Transform.localPosition: {"x":0.0,"y":1.2,"z":0.0} → {"x":0.0,"y":2.0,"z":0.0}
            = /Lanterns/Gate/Flame Light.intensity: 1.5 → 3.0
        "#]],
    );
}

#[test]
fn values_inside_nested_instances_are_overrides_of_the_outermost() {
    let sample = UnitySample::new();
    sample.call("explorer.loadScene", json!({ "name": "Cellar" })).unwrap();
    sample.eval(
        r#"var flame = GameObject.Find("Flame");
        flame.GetComponent<Light>().range = 7.5f;
        flame.SetActive(false);"#,
    );
    let (diff, output) = sample.saved();
    expect![[r#"
        +    - target: {fileID: 5632029180774998591, guid: f755b277b36ec092bed9651617f3a926, type: 3}
        +      propertyPath: m_IsActive
        +      value: 0
        +      objectReference: {fileID: 0}
        +      propertyPath: m_Range
        +      value: 7.5
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 6980475793544814359, guid: f755b277b36ec092bed9651617f3a926, type: 3}
    "#]].assert_eq(&diff);
    assert_eq!(output["notSaved"], json!([]));
}

#[test]
fn objects_move_to_other_parents() {
    check(
        r#"GameObject.Find("Player").transform.SetParent(GameObject.Find("Lanterns").transform);"#,
        expect![[r#"
            -  m_Father: {fileID: 0}
            +  m_Father: {fileID: 1773688713}
            +  - {fileID: 1540250449}
            -  - {fileID: 1540250449}
            = /Lanterns/Player moved here from /Player
        "#]],
    );
    check(
        r#"GameObject.Find("/Lanterns/Gate Lantern").transform.SetParent(null);"#,
        expect![[r#"
            -    m_TransformParent: {fileID: 1773688713}
            +    m_TransformParent: {fileID: 0}
            -  - {fileID: 1642027516}
            +  - {fileID: 172147110}
            = /Gate Lantern moved here from /Lanterns/Gate Lantern
        "#]],
    );
    check(
        r#"GameObject.Find("Main Camera").transform.SetParent(GameObject.Find("/Lanterns/Gate Lantern/Flame").transform);"#,
        expect![[r#"
            -    m_AddedGameObjects: []
            +    m_AddedGameObjects:
            +    - targetCorrespondingSourceObject: {fileID: 9016830613806214896, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      insertIndex: -1
            +      addedObject: {fileID: 1265979576}
            -  m_LocalPosition: {x: 0, y: 3, z: -10}
            -  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_LocalPosition: {x: 26.666666, y: 10.599999, z: -80}
            +  m_LocalScale: {x: 6.6666665, y: 5, z: 6.6666665}
            -  m_Father: {fileID: 0}
            +  m_Father: {fileID: 9016830613902831446}
            +--- !u!4 &9016830613902831446 stripped
            +Transform:
            +  m_CorrespondingSourceObject: {fileID: 9016830613806214896, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 172147110}
            +  m_PrefabAsset: {fileID: 0}
            -  - {fileID: 1265979576}
            = /Lanterns/Gate Lantern/Flame/Main Camera moved here from /Main Camera
            = /Lanterns/Gate Lantern/Flame/Main Camera Transform.localPosition: {"x":0.0,"y":3.0,"z":-10.0} → {"x":26.666666,"y":10.599999,"z":-80.0}
            = /Lanterns/Gate Lantern/Flame/Main Camera Transform.localScale: {"x":1.0,"y":1.0,"z":1.0} → {"x":6.6666665,"y":5.0,"z":6.6666665}
        "#]],
    );
}

#[test]
fn objects_are_destroyed() {
    check(
        r#"GameObject.DestroyImmediate(GameObject.Find("Start Button"));"#,
        expect![[r#"
            ---- !u!1 &330695926
            ---- !u!224 &330695927
            ---- !u!222 &330695928
            ---- !u!114 &330695929
            ---- !u!1 &994857788
            ---- !u!224 &994857789
            ---- !u!222 &994857790
            ---- !u!114 &994857791
            ---- !u!114 &994857792
            -  m_FirstSelected: {fileID: 994857788}
            +  m_FirstSelected: {fileID: 0}
            -  m_Children:
            -  - {fileID: 994857789}
            +  m_Children: []
            = /UI/Start Button destroyed
        "#]],
    );
    check(
        r#"GameObject.DestroyImmediate(GameObject.Find("/Lanterns/Gate Lantern"));"#,
        expect![[r#"
            ---- !u!1001 &172147110
            ---- !u!4 &1642027516 stripped
            -  - {fileID: 1642027516}
            = /Lanterns/Gate Lantern destroyed
        "#]],
    );
    check(
        r#"GameObject.DestroyImmediate(GameObject.Find("/Lanterns/Gate Lantern/Flame"));"#,
        expect![[r#"
            -    m_RemovedGameObjects: []
            +    m_RemovedGameObjects:
            +    - {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            = /Lanterns/Gate Lantern/Flame destroyed
        "#]],
    );
}

#[test]
fn components_come_and_go() {
    check(
        r#"var player = GameObject.Find("Player");
        var box = player.AddComponent<BoxCollider>();
        box.size = new Vector3(1f, 2f, 3f);
        GameObject.DestroyImmediate(player.GetComponent<Rigidbody>());"#,
        expect![[r#"
            +--- !u!65 &609793964
            +BoxCollider:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1540250448}
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  m_Size: {x: 1, y: 2, z: 3}
            -  - component: {fileID: 1540250451}
            +  - component: {fileID: 609793964}
            ---- !u!54 &1540250451
            = /Player Rigidbody: removed
            = /Player BoxCollider: added
        "#]],
    );
    check(
        r#"var flame = GameObject.Find("/Lanterns/Gate Lantern/Flame");
        flame.AddComponent<Collectible>();
        GameObject.DestroyImmediate(flame.GetComponent<SphereCollider>());"#,
        expect![[r#"
            -    m_RemovedComponents: []
            +    m_RemovedComponents:
            +    - {fileID: 5128925743551434861, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -    m_AddedComponents: []
            +    m_AddedComponents:
            +    - targetCorrespondingSourceObject: {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      insertIndex: -1
            +      addedObject: {fileID: 764553296}
            +--- !u!114 &764553296
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 6661848784858308539}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: dc1ef92529af97d86d3d50780f641622, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +--- !u!1 &6661848784858308539 stripped
            +GameObject:
            +  m_CorrespondingSourceObject: {fileID: 6661848785021967901, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 172147110}
            +  m_PrefabAsset: {fileID: 0}
            = /Lanterns/Gate Lantern/Flame SphereCollider: removed
            = /Lanterns/Gate Lantern/Flame Collectible: added
        "#]],
    );
}

#[test]
fn new_objects_get_documents() {
    check(
        r#"var crate = new GameObject("Crate");
        crate.transform.position = new Vector3(1f, 0f, 0f);
        crate.AddComponent<BoxCollider>();
        var lid = new GameObject("Lid");
        lid.transform.SetParent(crate.transform);"#,
        expect![[r#"
            +--- !u!1 &942679501
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 942679502}
            +  m_Layer: 0
            +  m_Name: Lid
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &942679502
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 942679501}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: -1, y: 0, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 1147297862}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +--- !u!1 &1147297861
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 1147297862}
            +  - component: {fileID: 1147297863}
            +  m_Layer: 0
            +  m_Name: Crate
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &1147297862
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1147297861}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 1, y: 0, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children:
            +  - {fileID: 942679502}
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +--- !u!65 &1147297863
            +BoxCollider:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1147297861}
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  - {fileID: 1147297862}
            = /Crate created
            = /Crate/Lid created
        "#]],
    );
    check(
        r#"Object.Instantiate(GameObject.Find("EventSystem"));"#,
        expect![[r#"
        +--- !u!1 &360323233
        +GameObject:
        +  m_ObjectHideFlags: 0
        +  m_CorrespondingSourceObject: {fileID: 0}
        +  m_PrefabInstance: {fileID: 0}
        +  m_PrefabAsset: {fileID: 0}
        +  serializedVersion: 6
        +  m_Component:
        +  - component: {fileID: 360323234}
        +  - component: {fileID: 360323235}
        +  - component: {fileID: 360323236}
        +  m_Layer: 0
        +  m_Name: EventSystem(Clone)
        +  m_TagString: Untagged
        +  m_Icon: {fileID: 0}
        +  m_NavMeshLayer: 0
        +  m_StaticEditorFlags: 0
        +  m_IsActive: 1
        +--- !u!4 &360323234
        +Transform:
        +  m_ObjectHideFlags: 0
        +  m_CorrespondingSourceObject: {fileID: 0}
        +  m_PrefabInstance: {fileID: 0}
        +  m_PrefabAsset: {fileID: 0}
        +  m_GameObject: {fileID: 360323233}
        +  serializedVersion: 2
        +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
        +  m_LocalPosition: {x: 0, y: 0, z: 0}
        +  m_LocalScale: {x: 1, y: 1, z: 1}
        +  m_ConstrainProportionsScale: 0
        +  m_Children: []
        +  m_Father: {fileID: 0}
        +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
        +--- !u!114 &360323235
        +MonoBehaviour:
        +  m_ObjectHideFlags: 0
        +  m_CorrespondingSourceObject: {fileID: 0}
        +  m_PrefabInstance: {fileID: 0}
        +  m_PrefabAsset: {fileID: 0}
        +  m_GameObject: {fileID: 360323233}
        +  m_Enabled: 1
        +  m_EditorHideFlags: 0
        +  m_Script: {fileID: 11500000, guid: 76c392e42b5098c458856cdf6ecaaaa1, type: 3}
        +  m_Name: 
        +  m_EditorClassIdentifier: 
        +  m_FirstSelected: {fileID: 994857788}
        +  m_sendNavigationEvents: 1
        +  m_DragThreshold: 10
        +--- !u!114 &360323236
        +MonoBehaviour:
        +  m_ObjectHideFlags: 0
        +  m_CorrespondingSourceObject: {fileID: 0}
        +  m_PrefabInstance: {fileID: 0}
        +  m_PrefabAsset: {fileID: 0}
        +  m_GameObject: {fileID: 360323233}
        +  m_Enabled: 1
        +  m_EditorHideFlags: 0
        +  m_Script: {fileID: 11500000, guid: 4f231c4fb786f3946a6b90b886c48677, type: 3}
        +  m_Name: 
        +  m_EditorClassIdentifier: 
        +  m_SendPointerHoverToParent: 1
        +  m_HorizontalAxis: Horizontal
        +  m_VerticalAxis: Vertical
        +  m_SubmitButton: Submit
        +  m_CancelButton: Cancel
        +  m_InputActionsPerSecond: 10
        +  m_RepeatDelay: 0.5
        +  m_ForceModuleActive: 0
        +  - {fileID: 360323234}
        = /EventSystem(Clone) created
    "#]],
    );
}

#[test]
fn copies_of_what_is_inside_instances_stand_alone() {
    let sample = UnitySample::new();
    sample.eval(r#"Object.Instantiate(GameObject.Find("/Lanterns/Gate Lantern"));"#);
    let (diff, output) = sample.saved();
    let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with("+---")).collect();
    assert_eq!(heads.len(), 12, "{diff}");
    // The original is not needed by anything of the copy.
    assert!(heads.iter().all(|head| !head.ends_with(" stripped")), "{diff}");
    let values = ["+  m_Name: Gate Lantern(Clone)", "+  startsLit: 0", "+  m_Radius: 1.5"];
    assert!(values.iter().all(|value| diff.contains(value)), "{diff}");
    assert_eq!(output["notSaved"], json!([]));
}

#[test]
fn references_of_a_copy_lead_into_the_copy() {
    let sample = UnitySample::new();
    let light_of = |name: &str| {
        let code = format!(
            r#"var f = GameObject.Find("{name}").GetComponent<LanternKeep.LanternFlicker>();
            f.flameLight.transform.root.name"#
        );
        sample.eval(&code)["result"].clone()
    };
    sample.eval(
        r#"var gate = GameObject.Find("/Lanterns/Gate Lantern");
        gate.transform.SetParent(null);
        var one = Object.Instantiate(gate); one.name = "One";
        var two = Object.Instantiate(one); two.name = "Two";
        var three = Object.Instantiate(gate); three.name = "Three";
        Object.DestroyImmediate(one);"#,
    );
    assert_eq!(light_of("Gate Lantern"), "Gate Lantern");
    assert_eq!(light_of("Two"), "Two");
    assert_eq!(light_of("Three"), "Three");
    let (_, output) = sample.saved();
    assert_eq!(output["notSaved"], json!([]));
    assert_eq!(light_of("Two"), "Two", "the same when the file is its own");
    sample.ask("explorer.setConfig", json!({ "restart": true }));
    assert_eq!(light_of("Two"), "Two", "and when it is read again");
    assert_eq!(light_of("Three"), "Three");
    assert_eq!(light_of("Gate Lantern"), "Gate Lantern");
}

#[test]
fn what_cannot_be_saved_is_told() {
    check(
        r#"GameObject.Find("/Lanterns/Gate Lantern/Flame").transform.SetParent(null);
        Object.DontDestroyOnLoad(GameObject.Find("Ground"));"#,
        expect![[r#"
            ! /Ground the object: it is no longer in this scene
            ! /Flame parent and place: objects inside a prefab instance stay where the prefab has them
        "#]],
    );
}

#[test]
fn an_order_that_only_the_prefab_can_have_is_told() {
    check(
        r#"GameObject.Find("/Lanterns/Altar Lantern").transform.GetChild(1).SetSiblingIndex(0);"#,
        expect![[r#"
            ! /Lanterns/Altar Lantern order of children: inside a prefab instance the prefab has the order
        "#]],
    );
}

#[test]
fn members_of_new_components_that_unity_does_not_save_are_told() {
    let sample = UnitySample::new();
    let class = "LanternKeep.Collectible";
    let allowed = json!([format!("{class}.collected"), format!("{class}.value")]);
    sample.call("explorer.setConfig", json!({ "reflectionAllowlistMembers": allowed })).unwrap();
    let id = sample.eval(
        r#"var o = GameObject.Find("Player"); o.AddComponent<LanternKeep.Collectible>(); o.GetInstanceID()"#,
    );
    for (member, value) in [("collected", "true"), ("value", "7")] {
        let set = json!({
            "objectId": format!("obj:{}", id["result"].as_str().unwrap()),
            "componentType": class,
            "member": member,
            "jsonValue": value,
        });
        sample.call("explorer.setMember", set).unwrap();
    }
    let (diff, output) = sample.saved();
    assert!(diff.contains("+  value: 7\n") && !diff.contains("collected"), "{diff}");
    let told = &output["notSaved"][0];
    assert_eq!(
        (&told["what"], &told["why"]),
        (&json!("Collectible.collected"), &json!("Unity does not save this member"))
    );
}

#[test]
fn the_test_interface_is_not_saved() {
    let sample = UnitySample::new();
    sample.call("explorer.spawnTestUi", json!({})).unwrap();
    let (diff, output) = sample.saved();
    assert_eq!((diff.as_str(), &output["notSaved"]), ("", &json!([])));
}

#[test]
fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let sample = UnitySample::new();
    sample.eval(r#"GameObject.Find("Player").SetActive(false);"#);
    let text = sample.read(MAIN).replace("m_Name: Ground", "m_Name: Floor");
    sample.write(MAIN, &text);
    let error = sample.call("explorer.saveScene", json!({})).unwrap_err();
    expect!["Assets/Scenes/Main.unity changed on disk since the world loaded it"]
        .assert_eq(&error.message);
    assert_eq!(sample.read(MAIN), text);
    let error = sample.call("explorer.saveScene", json!({ "sceneId": "scn:ddol" })).unwrap_err();
    expect!["scn:ddol has no file: what is in it lives as long as the world"]
        .assert_eq(&error.message);
}

#[test]
fn windows_line_ends_stay() {
    let sample = UnitySample::new();
    sample.write(MAIN, &sample.read(MAIN).replace('\n', "\r\n"));
    sample.eval(
        r#"GameObject.Find("Player").transform.SetParent(GameObject.Find("/Lanterns/Gate Lantern/Flame").transform);
        new GameObject("Crate");"#,
    );
    sample.call("explorer.saveScene", json!({})).unwrap();
    let after = sample.read(MAIN);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}
