//! Names of C# that stand elsewhere in the file, were others in another version, or say two fields at once.

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;
use serde_json::{Value, json};

use crate::testing::{call_writing, lines_of};

const COMPONENTS: [&str; 9] = [
    "Rigidbody",
    "AudioSource",
    "Light",
    "MeshRenderer",
    "ParticleSystem",
    "LineRenderer",
    "SpriteRenderer",
    "TextMeshProUGUI",
    "Text",
];

/// A project of a version with an object `A` that has the components.
fn project(version: &str) -> Folder {
    let head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
    let scene = "--- !u!1 &10\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Component:\n  - component: {fileID: 11}\n  m_Layer: 0\n  m_Name: Root\n--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n";
    let tags = "--- !u!78 &1\nTagManager:\n  tags: []\n  layers:\n  - Default\n  m_SortingLayers:\n  - name: Back\n    uniqueID: 2992731221\n    locked: 0\n  - name: Default\n    uniqueID: 0\n    locked: 0\n  - name: Front\n    uniqueID: 5\n    locked: 0\n";
    let folder = Folder::unity(&format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: {version}\n//- ProjectSettings/TagManager.asset\n{head}{tags}//- Assets/Main.unity\n{head}{scene}//- Assets/Main.unity.meta\nguid: 1123456789abcdef0123456789abcdef\n//- Assets/Red.mat\n{head}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n//- Assets/Red.mat.meta\nguid: 2123456789abcdef0123456789abcdef\nNativeFormatImporter:\n  externalObjects: {{}}\n//- Assets/Step.wav\n//- Assets/Step.wav.meta\nguid: 3123456789abcdef0123456789abcdef\nAudioImporter:\n  externalObjects: {{}}\n"
    ));
    for component in COMPONENTS {
        let create = json!({ "op": "create", "name": component, "components": [component] });
        let input = json!({ "path": "Assets/Main.unity", "changes": [create] });
        call_writing(&folder, "unity.edit", input).expect("it is created");
    }
    folder
}

fn set(component: &str, field: &str, value: Value) -> Value {
    json!({ "op": "set", "object": component, "component": component, "field": field, "value": value })
}

fn check(folder: &Folder, change: Value, expected: Expect) {
    expected.assert_eq(&answer(folder, change));
}

/// The lines that a change adds and takes away, or why it does not.
fn answer(folder: &Folder, change: Value) -> String {
    let input = json!({ "path": "Assets/Main.unity", "changes": [change], "dryRun": true });
    match call_writing(folder, "unity.edit", input) {
        Ok(outcome) => lines_of(outcome.output["changes"][0]["diff"].as_str().unwrap_or_default()),
        Err(error) => format!("{}; {}\n", error.message, error.hint.unwrap_or_default()),
    }
}

#[test]
fn names_of_another_version_mean_the_same_field() {
    let folder = project("2021.3.6f1");
    check(
        &folder,
        set("Rigidbody", "drag", json!(2)),
        expect![[r#"
        Assets/Main.unity
        -  m_Drag: 0
        +  m_Drag: 2
    "#]],
    );
    check(
        &folder,
        set("Rigidbody", "linearDamping", json!(2)),
        expect![[r#"
        Assets/Main.unity
        -  m_Drag: 0
        +  m_Drag: 2
    "#]],
    );
    check(
        &folder,
        set("Rigidbody", "angularDamping", json!(2)),
        expect![[r#"
        Assets/Main.unity
        -  m_AngularDrag: 0.05
        +  m_AngularDrag: 2
    "#]],
    );
    check(
        &folder,
        set("Rigidbody", "dragging", json!(2)),
        expect![[r#"
        change 1 (set): Rigidbody of Rigidbody has no field dragging; there is m_Drag, m_UseGravity, m_AngularDrag, m_IsKinematic, m_CollisionDetection, m_Mass, m_Interpolate, m_ObjectHideFlags, m_Constraints
    "#]],
    );
}

#[test]
fn members_of_c_sharp_are_found_where_they_stand() {
    let folder = project("2021.3.6f1");
    check(
        &folder,
        set("AudioSource", "spatialBlend", json!(1)),
        expect![[r#"
        Assets/Main.unity
        -      value: 0
        +      value: 1
    "#]],
    );
    check(
        &folder,
        set("Light", "shadowBias", json!(0.1)),
        expect![[r#"
        Assets/Main.unity
        -    m_Bias: 0.05
        +    m_Bias: 0.1
    "#]],
    );
    check(
        &folder,
        set("MeshRenderer", "sharedMaterial", json!("Assets/Red.mat")),
        expect![[r#"
        Assets/Main.unity
        -  - {fileID: 0}
        +  - {fileID: 2100000, guid: 2123456789abcdef0123456789abcdef, type: 2}
    "#]],
    );
    check(
        &folder,
        set("MeshRenderer", "material", json!("Assets/Step.wav")),
        expect![[r#"
        change 1 (set): material of MeshRenderer of MeshRenderer: the field takes a Material, and Assets/Step.wav is an AudioClip; nothing was changed
    "#]],
    );
    check(
        &folder,
        set("LineRenderer", "widthMultiplier", json!(0.2)),
        expect![[r#"
        Assets/Main.unity
        -    widthMultiplier: 1
        +    widthMultiplier: 0.2
    "#]],
    );
    check(
        &folder,
        set("LineRenderer", "positionCount", json!(3)),
        expect![[r#"
        Assets/Main.unity
        +  - {x: 0, y: 0, z: 1}
    "#]],
    );
}

#[test]
fn what_particles_take_has_the_names_of_their_modules() {
    let folder = project("2021.3.6f1");
    check(
        &folder,
        set("ParticleSystem", "main.loop", json!(false)),
        expect![[r#"
        Assets/Main.unity
        -  looping: 1
        +  looping: 0
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "main.duration", json!(3)),
        expect![[r#"
        Assets/Main.unity
        -  lengthInSec: 5
        +  lengthInSec: 3
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "main.simulationSpace", json!("World")),
        expect![[r#"
        Assets/Main.unity
        -  moveWithTransform: 0
        +  moveWithTransform: 1
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "main.simulationSpace", json!("Moon")),
        expect![[r#"
        change 1 (set): main.simulationSpace of ParticleSystem of ParticleSystem: the field takes one of Local, World, Custom, or its number, and not "Moon"; nothing was changed
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "main.stopAction", json!("Destroy")),
        expect![[r#"
        Assets/Main.unity
        -  stopAction: 0
        +  stopAction: 2
    "#]],
    );
    // One number or colour is what does not change.
    check(
        &folder,
        set("ParticleSystem", "main.startLifetime", json!(3)),
        expect![[r#"
        Assets/Main.unity
        -      scalar: 5
        +      scalar: 3
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "startColor", json!("#ff0000")),
        expect![[r#"
        Assets/Main.unity
        -      maxColor: {r: 1, g: 1, b: 1, a: 1}
        +      maxColor: {r: 1, g: 0, b: 0, a: 1}
    "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "main.startSpeed", json!({ "minMaxState": 3, "scalar": 2 })),
        expect![[r#"
            Assets/Main.unity
            -      minMaxState: 0
            -      scalar: 5
            +      minMaxState: 3
            +      scalar: 2
        "#]],
    );
    check(
        &folder,
        set("ParticleSystem", "emission.rateOverTime", json!(40)),
        expect![[r#"
        Assets/Main.unity
        -      scalar: 10
        +      scalar: 40
    "#]],
    );
}

#[test]
fn a_curve_of_several_keys_has_no_value_of_its_own() {
    let folder = project("2021.3.6f1");
    let key = |time: i32| json!({ "time": time, "value": time });
    let keys = set("AudioSource", "panLevelCustomCurve.m_Curve", json!([key(0), key(1)]));
    let input = json!({ "path": "Assets/Main.unity", "changes": [keys] });
    call_writing(&folder, "unity.edit", input).expect("it is set");
    check(
        &folder,
        set("AudioSource", "spatialBlend", json!(1)),
        expect![[r#"
        change 1 (set): spatialBlend of AudioSource of AudioSource is a curve of several keys; set panLevelCustomCurve
    "#]],
    );
}

#[test]
fn what_stands_in_two_fields_is_set_in_both() {
    let folder = project("2021.3.6f1");
    check(
        &folder,
        set("SpriteRenderer", "sortingLayerName", json!("Back")),
        expect![[r#"
        Assets/Main.unity
        -  m_SortingLayerID: 0
        -  m_SortingLayer: 0
        +  m_SortingLayerID: -1302236075
        +  m_SortingLayer: -1
    "#]],
    );
    check(
        &folder,
        set("SpriteRenderer", "sortingLayerID", json!(5)),
        expect![[r#"
        Assets/Main.unity
        -  m_SortingLayerID: 0
        -  m_SortingLayer: 0
        +  m_SortingLayerID: 5
        +  m_SortingLayer: 1
    "#]],
    );
    check(
        &folder,
        set("SpriteRenderer", "sortingLayerName", json!("Middle")),
        expect![[r#"
        change 1 (set): the project has no sorting layer Middle; there is Default, Back, Front
    "#]],
    );
    check(
        &folder,
        set("AudioSource", "clip", json!("Assets/Step.wav")),
        expect![[r#"
        Assets/Main.unity
        -  m_audioClip: {fileID: 0}
        +  m_audioClip: {fileID: 8300000, guid: 3123456789abcdef0123456789abcdef, type: 3}
    "#]],
    );
    let after = project("6000.0.30f1");
    check(
        &after,
        set("AudioSource", "clip", json!("Assets/Step.wav")),
        expect![[r#"
        Assets/Main.unity
        -  m_audioClip: {fileID: 0}
        -  m_Resource: {fileID: 0}
        +  m_audioClip: {fileID: 8300000, guid: 3123456789abcdef0123456789abcdef, type: 3}
        +  m_Resource: {fileID: 8300000, guid: 3123456789abcdef0123456789abcdef, type: 3}
    "#]],
    );
}

#[test]
fn a_text_is_set_by_what_it_is_drawn_with() {
    for version in ["2021.3.6f1", "6000.0.30f1"] {
        let folder = project(version);
        let mut lines = String::new();
        for (field, value) in [
            ("color", json!("#ff8000")),
            ("color.a", json!(0.5)),
            ("fontSize", json!(24)),
            ("alignment", json!("Center")),
            ("alignment", json!("Sideways")),
            ("font", json!(null)),
            ("font", json!("Assets/Red.mat")),
            ("enableWordWrapping", json!(1)),
        ] {
            lines += &format!(
                "{field} {value}\n{}",
                answer(&folder, set("TextMeshProUGUI", field, value.clone()))
            );
        }
        // What wraps lines is called otherwise since.
        let lines = lines.replace("m_enableWordWrapping", "m_TextWrappingMode");
        expect![[r##"
                color "#ff8000"
                Assets/Main.unity
                -    rgba: 4294967295
                -  m_fontColor: {r: 1, g: 1, b: 1, a: 1}
                +    rgba: 4278223103
                +  m_fontColor: {r: 1, g: 0.5019608, b: 0, a: 1}
                color.a 0.5
                Assets/Main.unity
                -    rgba: 4294967295
                -  m_fontColor: {r: 1, g: 1, b: 1, a: 1}
                +    rgba: 2164260863
                +  m_fontColor: {r: 1, g: 1, b: 1, a: 0.5}
                fontSize 24
                Assets/Main.unity
                -  m_fontSize: -99
                -  m_fontSizeBase: 36
                +  m_fontSize: 24
                +  m_fontSizeBase: 24
                alignment "Center"
                Assets/Main.unity
                -  m_HorizontalAlignment: 1
                -  m_VerticalAlignment: 256
                +  m_HorizontalAlignment: 2
                +  m_VerticalAlignment: 512
                alignment "Sideways"
                change 1 (set): "Sideways" is no alignment of a text; there is MidlineFlush, BaselineFlush, Midline, MidlineJustified, MidlineGeoAligned, BaselineJustified, MidlineLeft, MidlineRight, BaselineLeft, CaplineFlush, BaselineRight, Capline and 25 more; nothing was changed
                font null
                font "Assets/Red.mat"
                change 1 (set): font of TextMeshProUGUI of TextMeshProUGUI: the field takes a TMP_FontAsset, and Assets/Red.mat is a Material; nothing was changed
                enableWordWrapping 1
                Assets/Main.unity
                -  m_TextWrappingMode: 0
                +  m_TextWrappingMode: 1
            "##]]
        .assert_eq(&lines);
    }
}

#[test]
fn texts_shapes_and_flags_have_their_names() {
    let folder = project("2021.3.6f1");
    let mut lines = String::new();
    for (component, field, value) in [
        ("ParticleSystem", "shape.shapeType", json!("Box")),
        ("ParticleSystem", "shape.radius", json!(3)),
        ("ParticleSystem", "main.startSpeed", json!([1, 2])),
        ("LineRenderer", "textureMode", json!("Tile")),
        ("Light", "shadowResolution", json!("High")),
        ("Text", "resizeTextForBestFit", json!(true)),
        ("Text", "horizontalOverflow", json!("Overflow")),
        ("Text", "m_Script", json!(null)),
    ] {
        let said = answer(&folder, set(component, field, value.clone()));
        lines += &format!("{component} {field} {value}\n{said}");
    }
    for value in
        [json!(["BatchingStatic", "OccludeeStatic"]), json!("Everything"), json!(["Batching"])]
    {
        let change =
            json!({ "op": "set", "object": "Light", "field": "staticEditorFlags", "value": value });
        lines += &format!("{value}\n{}", answer(&folder, change));
    }
    expect![[r#"
        ParticleSystem shape.shapeType "Box"
        Assets/Main.unity
        -    type: 4
        +    type: 5
        ParticleSystem shape.radius 3
        Assets/Main.unity
        -      value: 1
        +      value: 3
        ParticleSystem main.startSpeed [1,2]
        Assets/Main.unity
        -      minMaxState: 0
        -      scalar: 5
        -      minScalar: 5
        +      minMaxState: 3
        +      scalar: 2
        +      minScalar: 1
        LineRenderer textureMode "Tile"
        Assets/Main.unity
        -    textureMode: 0
        +    textureMode: 1
        Light shadowResolution "High"
        Assets/Main.unity
        -    m_Resolution: -1
        +    m_Resolution: 2
        Text resizeTextForBestFit true
        Assets/Main.unity
        -    m_BestFit: 0
        +    m_BestFit: 1
        Text horizontalOverflow "Overflow"
        change 1 (set): horizontalOverflow of Text of Text: the type of the field is not known here; the file has no value of it yet; give a number, for an enum that of the member, or a reference such as {"asset": "Assets/…"}
        Text m_Script null
        change 1 (set): without its script Text of Text is lost; removeComponent takes a component away
        ["BatchingStatic","OccludeeStatic"]
        Assets/Main.unity
        -  m_StaticEditorFlags: 0
        +  m_StaticEditorFlags: 20
        "Everything"
        Assets/Main.unity
        -  m_StaticEditorFlags: 0
        +  m_StaticEditorFlags: 4294967295
        ["Batching"]
        change 1 (set): objects are not static for "Batching"; did you mean BatchingStatic?
    "#]].assert_eq(&lines);
}

#[test]
fn what_can_be_there_once_keeps_what_derives_from_it_away() {
    let folder = project("2021.3.6f1");
    let add = |object: &str, component: &str| json!({ "op": "addComponent", "object": object, "component": component });
    check(
        &folder,
        add("Text", "Image"),
        expect![[r#"
            change 1 (addComponent): Text has the component Text, and Image cannot be beside it; both derive from Graphic, of which an object can have only one
        "#]],
    );
    check(
        &folder,
        add("Text", "TextMeshProUGUI"),
        expect![[r#"
            change 1 (addComponent): Text has the component Text, and TextMeshProUGUI cannot be beside it; both derive from Graphic, of which an object can have only one
        "#]],
    );
    check(
        &folder,
        add("Light", "Collider"),
        expect![[r#"
        change 1 (addComponent): Collider is abstract, and components are of what derives from it; did you mean BoxCollider?
    "#]],
    );
    let button = answer(&folder, add("Text", "Button"));
    assert!(button.contains("Navigation"), "{button}");
    let create = json!({ "op": "create", "name": "N", "components": ["Button", "Toggle"] });
    check(
        &folder,
        create,
        expect![[r#"
            change 1 (create): N has the component Button, and Toggle cannot be beside it; both derive from Selectable, of which an object can have only one
        "#]],
    );
    let create = json!({ "op": "create", "parent": "Text", "name": "N", "position": [1, 2, 3] });
    let placed = answer(&folder, create);
    let placed: Vec<_> = placed.lines().filter(|line| line.contains("Position: ")).collect();
    assert_eq!(
        placed,
        ["+  m_LocalPosition: {x: 0, y: 0, z: 3}", "+  m_AnchoredPosition: {x: 1, y: 2}"]
    );
}
