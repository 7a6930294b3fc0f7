//! Components that come and go.

use expect_test::expect;
use serde_json::json;

use super::{MAIN, check};

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
