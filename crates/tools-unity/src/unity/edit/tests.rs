//! The exact diff of each kind of change on the sample, and what is refused.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::call_sample;

/// The lines that changes add and remove in a file of the sample, without hunks' surroundings.
fn lines(path: &str, changes: Value) -> String {
    let input = json!({ "path": path, "changes": changes, "dryRun": true });
    let outcome = call_sample("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
    let diff = outcome.output["changes"][0]["diff"].as_str().unwrap_or_default();
    let is_change = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-'))
            && !line.starts_with("+++")
            && !line.starts_with("--- a/")
    };
    diff.lines().filter(is_change).map(|line| format!("{line}\n")).collect()
}

fn check(path: &str, changes: Value, expected: Expect) {
    expected.assert_eq(&lines(path, changes));
}

fn refused(path: &str, changes: Value, expected: Expect) {
    let input = json!({ "path": path, "changes": changes, "dryRun": true });
    let error = call_sample("unity.edit", input).map(|outcome| outcome.output).unwrap_err();
    let hint = error.hint.as_deref().unwrap_or_default();
    expected.assert_eq(&format!("{}; {hint}", error.message));
}

const MAIN: &str = "Assets/Scenes/Main.unity";

#[test]
fn fields_are_set_by_the_names_of_c_sharp_and_of_files() {
    let set = |object: &str, component: Value, field: &str, value: Value| json!([{ "op": "set", "object": object, "component": component, "field": field, "value": value }]);
    let light = |field: &str, value: Value| set("Directional Light", json!("Light"), field, value);
    check(
        MAIN,
        light("intensity", json!(2.5)),
        expect![[r#"
        -  m_Intensity: 0.4
        +  m_Intensity: 2.5
    "#]],
    );
    check(
        MAIN,
        light("m_Shadows.m_Strength", json!(0.25)),
        expect![[r#"
        -    m_Strength: 1
        +    m_Strength: 0.25
    "#]],
    );
    check(
        MAIN,
        light("shadows", json!("Hard")),
        expect![[r#"
        -    m_Type: 2
        +    m_Type: 1
    "#]],
    );
    check(
        MAIN,
        light("color", json!("#ff8000")),
        expect![[r#"
        -  m_Color: {r: 0.62, g: 0.7, b: 1, a: 1}
        +  m_Color: {r: 1, g: 0.5019608, b: 0, a: 1}
    "#]],
    );
    check(
        MAIN,
        set("Player", Value::Null, "tag", json!("Untagged")),
        expect![[r#"
        -  m_TagString: Player
        +  m_TagString: Untagged
    "#]],
    );
    check(
        MAIN,
        set("Player", Value::Null, "m_IsActive", json!(false)),
        expect![[r#"
        -  m_IsActive: 1
        +  m_IsActive: 0
    "#]],
    );
    check(
        MAIN,
        set("Player", json!("Transform"), "localPosition", json!({ "y": 3 })),
        expect![[r#"
            -  m_LocalPosition: {x: 0, y: 0, z: -4}
            +  m_LocalPosition: {x: 0, y: 3, z: -4}
        "#]],
    );
    check(
        MAIN,
        set("Player", json!("PlayerController"), "moveSpeed", json!(7)),
        expect![[r#"
        -  moveSpeed: 5.5
        +  moveSpeed: 7
    "#]],
    );
}

#[test]
fn inside_an_instance_a_value_becomes_an_override_and_its_prefabs_value_takes_it_away() {
    let set = |field: &str, value: Value| json!({ "op": "set", "object": "Lanterns/Gate Lantern", "component": "Transform", "field": field, "value": value });
    check(
        MAIN,
        json!([set("m_LocalScale", json!([2, 2, 2]))]),
        expect![[r#"
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalScale.x
        +      value: 2
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalScale.y
        +      value: 2
        +      objectReference: {fileID: 0}
        +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        +      propertyPath: m_LocalScale.z
        +      value: 2
        +      objectReference: {fileID: 0}
    "#]],
    );
    check(
        MAIN,
        json!([set("m_LocalScale", json!([2, 2, 2])), set("m_LocalScale", json!([0.3, 0.4, 0.3]))]),
        expect![[r#""#]],
    );
    check(
        MAIN,
        json!([{ "op": "set", "object": "Lanterns/Gate Lantern/Flame", "component": "Light", "field": "range", "value": 12 }]),
        expect![[r#"
            +    - target: {fileID: 8251994606675419957, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_Range
            +      value: 12
            +      objectReference: {fileID: 0}
        "#]],
    );
}

#[test]
fn objects_come_go_and_move() {
    check(
        MAIN,
        json!([{ "op": "create", "parent": "Player", "name": "Marker", "components": ["BoxCollider"], "position": [0, 1, 0] }]),
        expect![[r#"
            +--- !u!1 &280921319
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 280921320}
            +  - component: {fileID: 280921321}
            +  m_Layer: 0
            +  m_Name: Marker
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &280921320
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 280921319}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 0, y: 1, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 1540250449}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +--- !u!65 &280921321
            +BoxCollider:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 280921319}
            +  m_Material: {fileID: 0}
            +  m_IncludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_ExcludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_LayerOverridePriority: 0
            +  m_IsTrigger: 0
            +  m_ProvidesContacts: 0
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  m_Size: {x: 1, y: 1, z: 1}
            +  m_Center: {x: 0, y: 0, z: 0}
            +  - {fileID: 280921320}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "delete", "object": "Player/Hand" }]),
        expect![[r#"
        ---- !u!4 &112104677 stripped
        -Transform:
        -  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_PrefabInstance: {fileID: 1188969389}
        -  m_PrefabAsset: {fileID: 0}
        ---- !u!1 &590947768
        -GameObject:
        -  m_ObjectHideFlags: 0
        -  m_CorrespondingSourceObject: {fileID: 0}
        -  m_PrefabInstance: {fileID: 0}
        -  m_PrefabAsset: {fileID: 0}
        -  serializedVersion: 6
        -  m_Component:
        -  - component: {fileID: 590947769}
        -  m_Layer: 0
        -  m_Name: Hand
        -  m_TagString: Untagged
        -  m_Icon: {fileID: 0}
        -  m_NavMeshLayer: 0
        -  m_StaticEditorFlags: 0
        -  m_IsActive: 1
        ---- !u!4 &590947769
        -Transform:
        -  m_ObjectHideFlags: 0
        -  m_CorrespondingSourceObject: {fileID: 0}
        -  m_PrefabInstance: {fileID: 0}
        -  m_PrefabAsset: {fileID: 0}
        -  m_GameObject: {fileID: 590947768}
        -  serializedVersion: 2
        -  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
        -  m_LocalPosition: {x: 0.45, y: 1.1, z: 0.3}
        -  m_LocalScale: {x: 1, y: 1, z: 1}
        -  m_ConstrainProportionsScale: 0
        -  m_Children:
        -  - {fileID: 112104677}
        -  m_Father: {fileID: 1540250449}
        -  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
        ---- !u!1001 &1188969389
        -PrefabInstance:
        -  m_ObjectHideFlags: 0
        -  serializedVersion: 2
        -  m_Modification:
        -    serializedVersion: 3
        -    m_TransformParent: {fileID: 590947769}
        -    m_Modifications:
        -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Enabled
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalPosition.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.w
        -      value: 1
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalRotation.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.x
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.y
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_LocalEulerAnglesHint.z
        -      value: 0
        -      objectReference: {fileID: 0}
        -    - target: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -      propertyPath: m_Name
        -      value: Hand Lantern
        -      objectReference: {fileID: 0}
        -    m_RemovedComponents: []
        -    m_RemovedGameObjects: []
        -    m_AddedGameObjects: []
        -    m_AddedComponents: []
        -  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_Children:
        -  - {fileID: 590947769}
        +  m_Children: []
        -  heldLantern: {fileID: 1985487171}
        +  heldLantern: {fileID: 0}
        ---- !u!114 &1985487171 stripped
        -MonoBehaviour:
        -  m_CorrespondingSourceObject: {fileID: 9188736221826269281, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        -  m_PrefabInstance: {fileID: 1188969389}
        -  m_PrefabAsset: {fileID: 0}
        -  m_GameObject: {fileID: 0}
        -  m_Enabled: 1
        -  m_EditorHideFlags: 0
        -  m_Script: {fileID: 11500000, guid: e8d507bb07412d2524db5bc85fdbd39a, type: 3}
        -  m_Name: 
        -  m_EditorClassIdentifier: 
    "#]],
    );
    check(
        MAIN,
        json!([{ "op": "rename", "object": "Player/Hand", "name": "Paw: left" }]),
        expect![[r#"
            -  m_Name: Hand
            +  m_Name: 'Paw: left'
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "reparent", "object": "Player/Hand", "parent": "", "index": 0 }]),
        expect![[r#"
            -  m_LocalPosition: {x: 0.45, y: 1.1, z: 0.3}
            +  m_LocalPosition: {x: 0.45, y: 1.1, z: -3.7}
            -  m_Father: {fileID: 1540250449}
            +  m_Father: {fileID: 0}
            -  m_Children:
            -  - {fileID: 590947769}
            +  m_Children: []
            +  - {fileID: 590947769}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "duplicate", "object": "Directional Light" }]),
        expect![[r#"
            +--- !u!1 &90721177
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 90721178}
            +  - component: {fileID: 90721179}
            +  m_Layer: 0
            +  m_Name: Directional Light (1)
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &90721178
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 90721177}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0.40821788, y: -0.23456968, z: 0.10938163, w: 0.8754261}
            +  m_LocalPosition: {x: 0, y: 3, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 50, y: -30, z: 0}
            +--- !u!108 &90721179
            +Light:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 90721177}
            +  m_Enabled: 1
            +  serializedVersion: 10
            +  m_Type: 1
            +  m_Shape: 0
            +  m_Color: {r: 0.62, g: 0.7, b: 1, a: 1}
            +  m_Intensity: 0.4
            +  m_Range: 10
            +  m_SpotAngle: 30
            +  m_InnerSpotAngle: 21.80208
            +  m_CookieSize: 10
            +  m_Shadows:
            +    m_Type: 2
            +    m_Resolution: -1
            +    m_CustomResolution: -1
            +    m_Strength: 1
            +    m_Bias: 0.05
            +    m_NormalBias: 0.4
            +    m_NearPlane: 0.2
            +    m_CullingMatrixOverride:
            +      e00: 1
            +      e01: 0
            +      e02: 0
            +      e03: 0
            +      e10: 0
            +      e11: 1
            +      e12: 0
            +      e13: 0
            +      e20: 0
            +      e21: 0
            +      e22: 1
            +      e23: 0
            +      e30: 0
            +      e31: 0
            +      e32: 0
            +      e33: 1
            +    m_UseCullingMatrixOverride: 0
            +  m_Cookie: {fileID: 0}
            +  m_DrawHalo: 0
            +  m_Flare: {fileID: 0}
            +  m_RenderMode: 0
            +  m_CullingMask:
            +    serializedVersion: 2
            +    m_Bits: 4294967295
            +  m_RenderingLayerMask: 1
            +  m_Lightmapping: 4
            +  m_LightShadowCasterMode: 0
            +  m_AreaSize: {x: 1, y: 1}
            +  m_BounceIntensity: 1
            +  m_ColorTemperature: 6570
            +  m_UseColorTemperature: 0
            +  m_BoundingSphereOverride: {x: 0, y: 0, z: 0, w: 0}
            +  m_UseBoundingSphereOverride: 0
            +  m_UseViewFrustumForShadowCasterCull: 1
            +  m_ForceVisible: 0
            +  m_ShadowRadius: 0
            +  m_ShadowAngle: 0
            +  - {fileID: 90721178}
        "#]],
    );
}

#[test]
fn components_come_and_go() {
    check(
        MAIN,
        json!([{ "op": "addComponent", "object": "Player/Hand", "component": "Rigidbody", "values": { "m_Mass": 2, "useGravity": false } }]),
        expect![[r#"
            +--- !u!54 &197712267
            +Rigidbody:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 590947768}
            +  serializedVersion: 4
            +  m_Mass: 2
            +  m_Drag: 0
            +  m_AngularDrag: 0.05
            +  m_CenterOfMass: {x: 0, y: 0, z: 0}
            +  m_InertiaTensor: {x: 1, y: 1, z: 1}
            +  m_InertiaRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_IncludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_ExcludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_ImplicitCom: 1
            +  m_ImplicitTensor: 1
            +  m_UseGravity: 0
            +  m_IsKinematic: 0
            +  m_Interpolate: 0
            +  m_Constraints: 0
            +  m_CollisionDetection: 0
            +  - component: {fileID: 197712267}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "addComponent", "object": "Player/Hand", "component": "LanternFlicker" }]),
        expect![[r#"
            +  - component: {fileID: 1794546622}
            +--- !u!114 &1794546622
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 590947768}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: e8d507bb07412d2524db5bc85fdbd39a, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +  flameLight: {fileID: 0}
            +  settings: {fileID: 0}
            +  style: 0
            +  startsLit: 1
            +  flickerOffset: 0
            +  pulseWeights:
            +  - 0.6
            +  - 1
            +  - 0.8
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "addComponent", "object": "Lanterns/Gate Lantern", "component": "BoxCollider" }]),
        expect![[r#"
            -    m_AddedComponents: []
            +    m_AddedComponents:
            +    - targetCorrespondingSourceObject: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      insertIndex: -1
            +      addedObject: {fileID: 1751426513}
            +--- !u!1 &172147111 stripped
            +GameObject:
            +  m_CorrespondingSourceObject: {fileID: 8188168328921076751, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 172147110}
            +  m_PrefabAsset: {fileID: 0}
            +    m_Bits: 0
            +  m_ExcludeLayers:
            +    serializedVersion: 2
            +    m_Bits: 0
            +  m_LayerOverridePriority: 0
            +  m_IsTrigger: 0
            +  m_ProvidesContacts: 0
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  m_Size: {x: 1, y: 1, z: 1}
            +  m_Center: {x: 0, y: 0, z: 0}
            +--- !u!65 &1751426513
            +BoxCollider:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 172147111}
            +  m_Material: {fileID: 0}
            +  m_IncludeLayers:
            +    serializedVersion: 2
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "removeComponent", "object": "Debug Marker", "component": "SphereCollider" }]),
        expect![[r#"
            -  - component: {fileID: 157266226}
            ---- !u!135 &157266226
            -SphereCollider:
            -  m_ObjectHideFlags: 0
            -  m_CorrespondingSourceObject: {fileID: 0}
            -  m_PrefabInstance: {fileID: 0}
            -  m_PrefabAsset: {fileID: 0}
            -  m_GameObject: {fileID: 157266224}
            -  m_Material: {fileID: 0}
            -  m_IncludeLayers:
            -    serializedVersion: 2
            -    m_Bits: 0
            -  m_ExcludeLayers:
            -    serializedVersion: 2
            -    m_Bits: 0
            -  m_LayerOverridePriority: 0
            -  m_IsTrigger: 0
            -  m_ProvidesContacts: 0
            -  m_Enabled: 1
            -  serializedVersion: 3
            -  m_Radius: 0.25
            -  m_Center: {x: 0, y: 0, z: 0}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "removeComponent", "object": "Lanterns/Gate Lantern/Flame", "component": "Light" }]),
        expect![[r#"
            -    m_RemovedComponents: []
            +    m_RemovedComponents:
            +    - {fileID: 8251994606675419957, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
        "#]],
    );
}

#[test]
fn instances_are_made_and_reverted() {
    check(
        MAIN,
        json!([{ "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Player", "name": "Coin", "position": [1, 0, 0] }]),
        expect![[r#"
            +--- !u!1001 &697311294
            +PrefabInstance:
            +  m_ObjectHideFlags: 0
            +  serializedVersion: 2
            +  m_Modification:
            +    serializedVersion: 3
            +    m_TransformParent: {fileID: 1540250449}
            +    m_Modifications:
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.x
            +      value: 1
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.y
            +      value: 0
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +      propertyPath: m_LocalPosition.z
            +      value: 0
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
            +      value: Coin
            +      objectReference: {fileID: 0}
            +    m_RemovedComponents: []
            +    m_RemovedGameObjects: []
            +    m_AddedGameObjects: []
            +    m_AddedComponents: []
            +  m_SourcePrefab: {fileID: 100100000, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +--- !u!4 &697311295 stripped
            +Transform:
            +  m_CorrespondingSourceObject: {fileID: 3290282613817365778, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            +  m_PrefabInstance: {fileID: 697311294}
            +  m_PrefabAsset: {fileID: 0}
            +  - {fileID: 697311295}
        "#]],
    );
    check(
        MAIN,
        json!([{ "op": "revert", "object": "Player/Hand/Hand Lantern" }]),
        expect![[r#"
            -    - target: {fileID: 222837617576246371, guid: bf59e81e2be283390722a0ddca6f8102, type: 3}
            -      propertyPath: m_Enabled
            -      value: 0
            -      objectReference: {fileID: 0}
        "#]],
    );
}

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
fn what_cannot_be_is_refused_with_what_can() {
    let set = |object: &str, component: Value, field: &str, value: Value| json!([{ "op": "set", "object": object, "component": component, "field": field, "value": value }]);
    refused(
        MAIN,
        set("Playr", Value::Null, "tag", json!("x")),
        expect!["change 1 (set): there is no object Playr in the file; did you mean Player?"],
    );
    refused(
        MAIN,
        set("Player", json!("Ligt"), "x", json!(1)),
        expect![
            "change 1 (set): Player has no component Ligt; there is Rigidbody, PlayerController, Transform, CapsuleCollider"
        ],
    );
    refused(
        MAIN,
        set("Directional Light", json!("Light"), "intensty", json!(1)),
        expect![
            "change 1 (set): Light of Directional Light has no field intensty; did you mean m_Intensity?"
        ],
    );
    refused(
        MAIN,
        set("Directional Light", json!("Light"), "intensity", json!("much")),
        expect![[
            r#"change 1 (set): intensity of Light of Directional Light: the field takes a number, and not "much"; nothing was changed"#
        ]],
    );
    refused(
        MAIN,
        set("Ground", json!("MeshFilter"), "mesh", json!("Assets/Materials/Stone.mat")),
        expect![
            "change 1 (set): mesh of MeshFilter of Ground: the field takes a Mesh, and Assets/Materials/Stone.mat is a Material; nothing was changed"
        ],
    );
    refused(
        MAIN,
        set("Player", json!("Transform"), "m_Father", json!(null)),
        expect![
            "change 1 (set): m_Father ties objects together and is not set by hand; use reparent"
        ],
    );
    refused(
        MAIN,
        json!([{ "op": "reparent", "object": "Player", "parent": "Player/Hand" }]),
        expect![
            "change 1 (reparent): Player cannot go into itself or into what is in it; nothing was changed"
        ],
    );
    refused(
        MAIN,
        json!([{ "op": "addComponent", "object": "Main Camera", "component": "Camera" }]),
        expect![
            "change 1 (addComponent): Main Camera has a Camera already, and an object can have only one; nothing was changed"
        ],
    );
    refused(
        "Assets/Prefabs/Lantern.prefab",
        json!([{ "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Lantern" }]),
        expect!["change 1 (instantiate): a prefab cannot contain itself; nothing was changed"],
    );
    refused(
        "Assets/Prefabs/Lantern.prefab",
        json!([{ "op": "create", "parent": "", "name": "Second" }]),
        expect![
            "change 1 (create): a prefab has one root, and nothing can be beside it; name a parent, such as Lantern"
        ],
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

/// A component with a field for objects of any class, and two such classes.
const ARMED: &str = "\
//- ProjectSettings/ProjectVersion.txt
m_EditorVersion: 2022.3.20f1
//- Assets/Armed.cs
using UnityEngine;
namespace Fight {
    public interface IWeapon {}
    [System.Serializable] public class Sword : IWeapon { public int damage = 5; public Vector3 grip; }
    public class Armed : MonoBehaviour { [SerializeReference] public IWeapon weapon; [SerializeReference] public IWeapon[] spare; }
}
//- Assets/Armed.cs.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/S.unity
%YAML 1.1
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  - component: {fileID: 3}
  m_Name: Knight
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Father: {fileID: 0}
--- !u!114 &3
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
  weapon:
    rid: -2
  spare: []
  references:
    version: 2
    RefIds:
    - rid: -2
      type: {class: , ns: , asm: }
//- Assets/S.unity.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
";

#[test]
fn objects_of_any_class_are_made_in_the_table_of_their_owner() {
    let edit = |change: Value| {
        let input = json!({ "path": "Assets/S.unity", "changes": [change], "dryRun": true });
        crate::testing::call_project(ARMED, "unity.edit", input)
    };
    let diff = |change: Value| {
        let output = edit(change).unwrap_or_else(|error| panic!("{error:?}")).output;
        let diff = output["changes"][0]["diff"].as_str().unwrap().to_owned();
        let lines = diff.lines().skip(2).filter(|line| line.starts_with(['+', '-']));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let sword = json!({ "type": "Fight.Sword", "value": { "damage": 9 } });
    let set = json!({ "op": "set", "object": "Knight", "component": "Armed", "field": "weapon", "value": sword });
    expect![[r#"
        -    rid: -2
        +    rid: 4394030442122280026
        +    - rid: 4394030442122280026
        +      type: {class: Sword, ns: Fight, asm: Assembly-CSharp}
        +      data:
        +        damage: 9
        +        grip: {x: 0, y: 0, z: 0}
    "#]]
    .assert_eq(&diff(set));
    let insert = json!({ "op": "insertItem", "object": "Knight", "component": "Armed", "field": "spare", "value": sword });
    expect![[r#"
        -  spare: []
        +  spare:
        +  - rid: 4394030442122280026
        +    - rid: 4394030442122280026
        +      type: {class: Sword, ns: Fight, asm: Assembly-CSharp}
        +      data:
        +        damage: 9
        +        grip: {x: 0, y: 0, z: 0}
    "#]]
    .assert_eq(&diff(insert));
    let axe = json!({ "op": "set", "object": "Knight", "component": "Armed", "field": "weapon", "value": { "type": "Axe" } });
    let error = edit(axe).unwrap_err();
    expect![
        "change 1 (set): weapon of Armed of Knight: no source of the project declares a class Axe"
    ]
    .assert_eq(&error.message);
}
