//! Curves of numbers, of transforms, and names that there are not.

use expect_test::expect;
use serde_json::json;

use crate::testing::bench;

#[test]
fn a_number_has_a_curve_as_it_is_played_and_as_it_is_edited() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    let before = bench.read(clip);
    let arguments = json!({ "clipPath": clip, "object": "Lamp", "component": "GameObject", "property": "m_IsActive", "ease": "constant", "keys": [{ "time": 0, "value": 1 }, { "time": 2.5, "value": 0 }] });
    expect![[r#"
        --- a/Assets/Swing.anim
        +++ b/Assets/Swing.anim
        @@ -16,7 +16,37 @@
           m_EulerCurves: []
           m_PositionCurves: []
           m_ScaleCurves: []
        -  m_FloatCurves: []
        +  m_FloatCurves:
        +  - serializedVersion: 2
        +    curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: 1
        +        inSlope: Infinity
        +        outSlope: Infinity
        +        tangentMode: 103
        +        weightedMode: 0
        +        inWeight: 0
        +        outWeight: 0
        +      - serializedVersion: 3
        +        time: 2.5
        +        value: 0
        +        inSlope: Infinity
        +        outSlope: Infinity
        +        tangentMode: 103
        +        weightedMode: 0
        +        inWeight: 0
        +        outWeight: 0
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    attribute: m_IsActive
        +    path: Lamp
        +    classID: 1
        +    script: {fileID: 0}
        +    flags: 0
           m_PPtrCurves: []
           m_SampleRate: 60
           m_WrapMode: 0
        @@ -24,14 +54,23 @@
             m_Center: {x: 0, y: 0, z: 0}
             m_Extent: {x: 0, y: 0, z: 0}
           m_ClipBindingConstant:
        -    genericBindings: []
        +    genericBindings:
        +    - serializedVersion: 2
        +      path: 969276760
        +      attribute: 2086281974
        +      script: {fileID: 0}
        +      typeID: 1
        +      customType: 0
        +      isPPtrCurve: 0
        +      isIntCurve: 0
        +      isSerializeReferenceCurve: 0
             pptrCurveMapping: []
           m_AnimationClipSettings:
             serializedVersion: 2
             m_AdditiveReferencePoseClip: {fileID: 0}
             m_AdditiveReferencePoseTime: 0
             m_StartTime: 0
        -    m_StopTime: 1
        +    m_StopTime: 2.5
             m_OrientationOffsetY: 0
             m_Level: 0
             m_CycleOffset: 0
        @@ -46,7 +85,37 @@
             m_KeepOriginalPositionXZ: 0
             m_HeightFromFeet: 0
             m_Mirror: 0
        -  m_EditorCurves: []
        +  m_EditorCurves:
        +  - serializedVersion: 2
        +    curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: 1
        +        inSlope: Infinity
        +        outSlope: Infinity
        +        tangentMode: 103
        +        weightedMode: 0
        +        inWeight: 0
        +        outWeight: 0
        +      - serializedVersion: 3
        +        time: 2.5
        +        value: 0
        +        inSlope: Infinity
        +        outSlope: Infinity
        +        tangentMode: 103
        +        weightedMode: 0
        +        inWeight: 0
        +        outWeight: 0
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    attribute: m_IsActive
        +    path: Lamp
        +    classID: 1
        +    script: {fileID: 0}
        +    flags: 0
           m_EulerEditorCurves: []
           m_HasGenericRootTransform: 0
           m_HasMotionFloatCurves: 0
    "#]]
    .assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
    // The same again changes nothing.
    let output = bench.call(super::TOOL.id, arguments).unwrap();
    assert_eq!((&output["replaced"], &output["filesChanged"]), (&json!(true), &json!(0)));
    bench.undo();
    assert_eq!(bench.read(clip), before);
}

#[test]
fn axes_of_a_transform_are_one_curve() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    let arguments = json!({ "clipPath": clip, "component": "Transform", "property": "position", "ease": "linear", "keys": [{ "time": 0, "value": [0, 1, 0] }, { "time": 0.5, "value": [0, 2, 0] }] });
    expect![[r#"
        --- a/Assets/Swing.anim
        +++ b/Assets/Swing.anim
        @@ -14,7 +14,32 @@
           m_RotationCurves: []
           m_CompressedRotationCurves: []
           m_EulerCurves: []
        -  m_PositionCurves: []
        +  m_PositionCurves:
        +  - curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: {x: 0, y: 1, z: 0}
        +        inSlope: {x: 0, y: 2, z: 0}
        +        outSlope: {x: 0, y: 2, z: 0}
        +        tangentMode: 0
        +        weightedMode: 0
        +        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        +        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        +      - serializedVersion: 3
        +        time: 0.5
        +        value: {x: 0, y: 2, z: 0}
        +        inSlope: {x: 0, y: 2, z: 0}
        +        outSlope: {x: 0, y: 2, z: 0}
        +        tangentMode: 0
        +        weightedMode: 0
        +        inWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        +        outWeight: {x: 0.33333334, y: 0.33333334, z: 0.33333334}
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    path: 
           m_ScaleCurves: []
           m_FloatCurves: []
           m_PPtrCurves: []
        @@ -24,14 +49,23 @@
             m_Center: {x: 0, y: 0, z: 0}
             m_Extent: {x: 0, y: 0, z: 0}
           m_ClipBindingConstant:
        -    genericBindings: []
        +    genericBindings:
        +    - serializedVersion: 2
        +      path: 0
        +      attribute: 1
        +      script: {fileID: 0}
        +      typeID: 4
        +      customType: 0
        +      isPPtrCurve: 0
        +      isIntCurve: 0
        +      isSerializeReferenceCurve: 0
             pptrCurveMapping: []
           m_AnimationClipSettings:
             serializedVersion: 2
             m_AdditiveReferencePoseClip: {fileID: 0}
             m_AdditiveReferencePoseTime: 0
             m_StartTime: 0
        -    m_StopTime: 1
        +    m_StopTime: 0.5
             m_OrientationOffsetY: 0
             m_Level: 0
             m_CycleOffset: 0
        @@ -46,8 +80,98 @@
             m_KeepOriginalPositionXZ: 0
             m_HeightFromFeet: 0
             m_Mirror: 0
        -  m_EditorCurves: []
        +  m_EditorCurves:
        +  - serializedVersion: 2
        +    curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: 0
        +        inSlope: 0
        +        outSlope: 0
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      - serializedVersion: 3
        +        time: 0.5
        +        value: 0
        +        inSlope: 0
        +        outSlope: 0
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    attribute: m_LocalPosition.x
        +    path: 
        +    classID: 4
        +    script: {fileID: 0}
        +    flags: 0
        +  - serializedVersion: 2
        +    curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: 1
        +        inSlope: 2
        +        outSlope: 2
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      - serializedVersion: 3
        +        time: 0.5
        +        value: 2
        +        inSlope: 2
        +        outSlope: 2
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    attribute: m_LocalPosition.y
        +    path: 
        +    classID: 4
        +    script: {fileID: 0}
        +    flags: 0
        +  - serializedVersion: 2
        +    curve:
        +      serializedVersion: 2
        +      m_Curve:
        +      - serializedVersion: 3
        +        time: 0
        +        value: 0
        +        inSlope: 0
        +        outSlope: 0
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      - serializedVersion: 3
        +        time: 0.5
        +        value: 0
        +        inSlope: 0
        +        outSlope: 0
        +        tangentMode: 69
        +        weightedMode: 0
        +        inWeight: 0.33333334
        +        outWeight: 0.33333334
        +      m_PreInfinity: 2
        +      m_PostInfinity: 2
        +      m_RotationOrder: 4
        +    attribute: m_LocalPosition.z
        +    path: 
        +    classID: 4
        +    script: {fileID: 0}
        +    flags: 0
           m_EulerEditorCurves: []
        -  m_HasGenericRootTransform: 0
        +  m_HasGenericRootTransform: 1
           m_HasMotionFloatCurves: 0
           m_Events: []
    "#]]
    .assert_eq(&bench.diff(super::TOOL.id, arguments));
}

#[test]
fn properties_are_those_of_csharp_or_of_files() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    let set = |component: &str, property: &str, value: serde_json::Value| json!({ "clipPath": clip, "component": component, "property": property, "keys": [{ "time": 0, "value": value }] });
    let curves = |arguments| bench.call(super::TOOL.id, arguments).unwrap()["curves"].to_string();
    let made = [
        curves(set("Light", "intensity", json!(2))),
        curves(set("Light", "color", json!([1, 0, 0, 1]))),
        curves(set("SpriteRenderer", "m_Color.a", json!(0.5))),
        curves(set("MeshRenderer", "material._Glossiness", json!(0.5))),
        curves(set("LanternFlicker", "flickerOffset", json!(1))),
    ];
    expect![[r#"
        ["m_Intensity"]
        ["m_Color.r","m_Color.g","m_Color.b","m_Color.a"]
        ["m_Color.a"]
        ["material._Glossiness"]
        ["flickerOffset"]"#]]
    .assert_eq(&made.join("\n"));
    let errors = [
        bench.error(super::TOOL.id, set("Light", "intensty", json!(1))),
        bench.error(super::TOOL.id, set("LanternFlicker", "flickerOfset", json!(1))),
        bench.error(super::TOOL.id, set("Light", "m_Cookie", json!(1))),
        bench.error(super::TOOL.id, set("Light", "color", json!(1))),
        bench.error(super::TOOL.id, set("Lihgt", "color", json!(1))),
        bench.error(super::TOOL.id, set("Transform", "position", json!([1, 2]))),
    ];
    expect![[r#"
        Light has no property intensty that is a number; did you mean m_Intensity?
        LanternFlicker has no property flickerOfset that is a number; did you mean flickerOffset?
        Light has no property m_Cookie that is a number; nothing was changed
        Invalid tool arguments: keys have 4 numbers each (m_Color.r, m_Color.g, m_Color.b, m_Color.a), and not 1
        there is no component class Lihgt; did you mean Light?
        Invalid tool arguments: keys have three numbers each, [x, y, z], and not 2"#]].assert_eq(&errors.join("\n"));
}

#[test]
fn colours_of_materials_have_a_curve_for_each_part() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    bench.write(
        "Assets/Water.shader",
        "Shader \"Water\" { Properties { _Flow (\"Flow\", Vector) = (1,0,0,0) _Foam (\"Foam\", Color) = (1,1,1,1) } }",
    );
    bench.write("Assets/Water.shader.meta", "guid: 99999999999999999999999999999999\n");
    let set = |property: &str, value: serde_json::Value| json!({ "clipPath": clip, "component": "MeshRenderer", "property": property, "keys": [{ "time": 0, "value": value }] });
    let curves = |property: &str, value| {
        bench.call(super::TOOL.id, set(property, value)).unwrap()["curves"].to_string()
    };
    let made = [
        curves("material._Color", json!([1, 0, 0, 1])),
        curves("material._Flow", json!([1, 0, 0, 1])),
        curves("material._Color.a", json!(0.5)),
        curves("material._MainTex_ST", json!([1, 1, 0, 0])),
        curves("material._Nobodys", json!([1, 1, 0, 0])),
        curves("material._Nobodys", json!(2)),
    ];
    expect![[r#"
        ["material._Color.r","material._Color.g","material._Color.b","material._Color.a"]
        ["material._Flow.x","material._Flow.y","material._Flow.z","material._Flow.w"]
        ["material._Color.a"]
        ["material._MainTex_ST.x","material._MainTex_ST.y","material._MainTex_ST.z","material._MainTex_ST.w"]
        ["material._Nobodys.r","material._Nobodys.g","material._Nobodys.b","material._Nobodys.a"]
        ["material._Nobodys"]"#]].assert_eq(&made.join("\n"));
    let errors = [
        bench.error(super::TOOL.id, set("material._Foam", json!(1))),
        bench.error(super::TOOL.id, set("material._Foam", json!([1, 0, 0]))),
        bench.error(super::TOOL.id, set("material._Glossiness", json!([1, 0]))),
    ];
    expect![[r#"
        Invalid tool arguments: keys have 4 numbers each (material._Foam.r, material._Foam.g, material._Foam.b, material._Foam.a), and not 1
        Invalid tool arguments: keys have 4 numbers each (material._Foam.r, material._Foam.g, material._Foam.b, material._Foam.a), and not 3
        Invalid tool arguments: keys have 1 numbers each (material._Glossiness), and not 2"#]].assert_eq(&errors.join("\n"));
}

#[test]
fn what_the_editor_keeps_for_itself_has_no_curve() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    let error = |component: &str, property: &str| {
        bench.error(super::TOOL.id, json!({ "clipPath": clip, "component": component, "property": property, "keys": [{ "time": 0, "value": 1 }] }))
    };
    let errors = [
        error("Light", "m_ObjectHideFlags"),
        error("Light", "m_CorrespondingSourceObject"),
        error("GameObject", "m_Layer"),
        error("GameObject", "isActve"),
        error("LanternFlicker", "m_ObjectHideFlags"),
    ];
    expect![[r#"
        Light has no property m_ObjectHideFlags that is a number; there is m_InnerSpotAngle, m_SpotAngle, m_Enabled, m_ShadowAngle, m_BounceIntensity, m_LightShadowCasterMode, m_AreaSize, m_ShadowRadius, m_RenderingLayerMask, m_DrawHalo, m_UseBoundingSphereOverride, m_Lightmapping and 11 more; nothing was changed
        Light has no property m_CorrespondingSourceObject that is a number; there is m_ColorTemperature, m_AreaSize, m_Color, m_Range, m_UseBoundingSphereOverride, m_BoundingSphereOverride, m_UseColorTemperature, m_CookieSize, m_InnerSpotAngle, m_RenderingLayerMask, m_UseViewFrustumForShadowCasterCull, m_LightShadowCasterMode and 11 more; nothing was changed
        GameObject has no property m_Layer that is a number; there is m_IsActive
        GameObject has no property isActve that is a number; did you mean m_IsActive?
        LanternFlicker has no property m_ObjectHideFlags that is a number; there is pulseWeights, flameLight, flickerOffset, settings, startsLit, style"#]].assert_eq(&errors.join("\n"));
}

#[test]
fn what_is_on_or_off_stays_until_the_next_key() {
    let bench = bench();
    let clip = "Assets/Swing.anim";
    bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
    let modes = ["m_IsActive", "m_Enabled", "m_Intensity"].map(|property| {
        let component = if property == "m_IsActive" { "GameObject" } else { "Light" };
        let keys = json!([{ "time": 0, "value": 1 }, { "time": 1, "value": 0 }]);
        let input =
            json!({ "clipPath": clip, "component": component, "property": property, "keys": keys });
        let diff = bench.diff(super::TOOL.id, input);
        let mode = diff.lines().find(|line| line.contains("tangentMode"));
        format!("{property} {}", mode.unwrap().trim_start_matches('+').trim())
    });
    expect![[r#"
        m_IsActive tangentMode: 103
        m_Enabled tangentMode: 103
        m_Intensity tangentMode: 136"#]]
    .assert_eq(&modes.join("\n"));
}
