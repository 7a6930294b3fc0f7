//! Components whose classes are in Unity's packages, which a checkout does not have.

use expect_test::expect;
use serde_json::{Value, json};

use crate::testing::{call_project, call_sample};

fn edit(changes: Value) -> Value {
    let input = json!({ "path": "Assets/Scenes/Main.unity", "changes": changes, "dryRun": true });
    call_sample("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}")).output.into_value()
}

/// The lines that are added from the one with the script on.
fn added(output: &Value, script: &str) -> String {
    let diff = output["changes"][0]["diff"].as_str().unwrap();
    let lines = diff.lines().skip_while(|line| !line.contains(script)).skip(3);
    let own = lines.take_while(|line| line.starts_with("+ "));
    own.map(|line| format!("{}\n", &line[3..])).collect()
}

#[test]
fn an_image_has_the_fields_and_values_of_a_new_one() {
    let output = edit(json!([
        { "op": "create", "parent": "UI", "name": "Badge", "components": ["Image"] },
        { "op": "set", "object": "UI/Badge", "component": "Image", "field": "color", "value": "#ff0000" },
        { "op": "set", "object": "UI/Badge", "component": "Image", "field": "type", "value": "Filled" },
    ]));
    expect![[r#"
          m_Material: {fileID: 0}
          m_Color: {r: 1, g: 0, b: 0, a: 1}
          m_RaycastTarget: 1
          m_RaycastPadding: {x: 0, y: 0, z: 0, w: 0}
          m_Maskable: 1
          m_OnCullStateChanged:
            m_PersistentCalls:
              m_Calls: []
          m_Sprite: {fileID: 0}
          m_Type: 3
          m_PreserveAspect: 0
          m_FillCenter: 1
          m_FillMethod: 4
          m_FillAmount: 1
          m_FillClockwise: 1
          m_FillOrigin: 0
          m_UseSpriteMesh: 0
          m_PixelsPerUnitMultiplier: 1
    "#]]
    .assert_eq(&added(&output, "fe87c0e1cc204ed48ad3b37840f39efc"));
}

#[test]
fn a_toggle_is_as_code_makes_it() {
    let output = edit(
        json!([{ "op": "addComponent", "object": "UI/Start Button/Label", "component": "Toggle" }]),
    );
    expect![[r#"
          m_Navigation:
            m_Mode: 3
            m_WrapAround: 0
            m_SelectOnUp: {fileID: 0}
            m_SelectOnDown: {fileID: 0}
            m_SelectOnLeft: {fileID: 0}
            m_SelectOnRight: {fileID: 0}
          m_Transition: 1
          m_Colors:
            m_NormalColor: {r: 1, g: 1, b: 1, a: 1}
            m_HighlightedColor: {r: 0.9607843, g: 0.9607843, b: 0.9607843, a: 1}
            m_PressedColor: {r: 0.78431374, g: 0.78431374, b: 0.78431374, a: 1}
            m_SelectedColor: {r: 0.9607843, g: 0.9607843, b: 0.9607843, a: 1}
            m_DisabledColor: {r: 0.78431374, g: 0.78431374, b: 0.78431374, a: 0.5019608}
            m_ColorMultiplier: 1
            m_FadeDuration: 0.1
          m_SpriteState:
            m_HighlightedSprite: {fileID: 0}
            m_PressedSprite: {fileID: 0}
            m_SelectedSprite: {fileID: 0}
            m_DisabledSprite: {fileID: 0}
          m_AnimationTriggers:
            m_NormalTrigger: Normal
            m_HighlightedTrigger: Highlighted
            m_PressedTrigger: Pressed
            m_SelectedTrigger: Selected
            m_DisabledTrigger: Disabled
          m_Interactable: 1
          m_TargetGraphic: {fileID: 0}
          toggleTransition: 1
          graphic: {fileID: 0}
          m_Group: {fileID: 0}
          onValueChanged:
            m_PersistentCalls:
              m_Calls: []
          m_IsOn: 0
    "#]]
    .assert_eq(&added(&output, "9085046f02f69544eb97fd06b6048fe2"));
}

/// The sample's button was saved by an editor; only what stands in the file is compared.
#[test]
fn new_ones_have_the_keys_of_those_that_are_there() {
    let output = edit(json!([
        { "op": "create", "parent": "UI", "name": "One", "components": ["Button"] },
        { "op": "create", "parent": "UI", "name": "Two", "components": ["Text"] },
    ]));
    let scene = include_str!("../../../../../samples/unity/Assets/Scenes/Main.unity");
    for script in ["4e29b1a8efbd4b44bb3f3716e73f07ff", "5f7201a12d95ffc409449d95f23cf332"] {
        let there = scene.lines().skip_while(|line| !line.contains(script)).skip(3);
        let there = there.take_while(|line| line.starts_with(' '));
        let keys = |text: &str| -> Vec<String> {
            let own = text.lines().filter(|line| line.starts_with("m_"));
            own.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
        };
        let there = there.map(|line| format!("{}\n", &line[2..])).collect::<String>();
        assert_eq!(keys(&added(&output, script)), keys(&there), "{script}");
    }
}

#[test]
fn names_and_classes_of_package_fields_are_judged() {
    let refused = |field: &str, value: Value| {
        let changes = json!([{ "op": "set", "object": "UI/Start Button", "component": "Image", "field": field, "value": value }]);
        let input =
            json!({ "path": "Assets/Scenes/Main.unity", "changes": changes, "dryRun": true });
        let error = call_sample("unity.edit", input).unwrap_err();
        format!("{}; {}", error.message, error.hint.unwrap_or_default())
    };
    let all = [
        refused("sprit", json!(1)),
        refused("type", json!("Round")),
        refused("sprite", json!("Assets/Materials/Stone.mat")),
    ];
    expect![[r#"
        change 1 (set): Image of UI/Start Button has no field sprit; did you mean m_Sprite?
        change 1 (set): type of Image of UI/Start Button: the field takes one of Simple, Sliced, Tiled, Filled, or its number, and not "Round"; nothing was changed
        change 1 (set): sprite of Image of UI/Start Button: the field takes a Sprite, and Assets/Materials/Stone.mat is a Material; nothing was changed"#]].assert_eq(&all.join("\n"));
}

#[test]
fn members_of_c_sharp_are_found_in_the_structures_of_files() {
    let set = |field: &str, value: Value| {
        let output = edit(
            json!([{ "op": "set", "object": "UI/Start Button/Label", "component": "Text", "field": field, "value": value }]),
        );
        output["results"][0]["field"].as_str().unwrap().to_owned()
    };
    assert_eq!(set("fontSize", json!(7)), "m_FontData.m_FontSize");
    assert_eq!(set("alignment", json!("LowerRight")), "m_FontData.m_Alignment");
    let mask = edit(
        json!([{ "op": "set", "object": "Main Camera", "component": "Camera", "field": "cullingMask", "value": ["UI", "Default", "UI"] },
               { "op": "set", "object": "Directional Light", "component": "Light", "field": "shadows.bias", "value": 0.5 }]),
    );
    let diff = mask["changes"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("+    m_Bits: 33\n") && diff.contains("+    m_Bias: 0.5\n"), "{diff}");
}

#[test]
fn a_class_of_the_project_that_derives_from_one_of_a_package() {
    let project = "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n\
         //- Packages/manifest.json\n{ \"dependencies\": { \"com.unity.ugui\": \"1.0.0\" } }\n\
         //- Assets/Glow.cs\nusing UnityEngine.UI; public class Glow : Shadow { public float pulse = 0.5f; }\n\
         //- Assets/Glow.cs.meta\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\
         //- Assets/S.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  serializedVersion: 6\n  m_Component:\n  - component: {fileID: 2}\n  m_Name: A\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n\
         //- Assets/S.unity.meta\nguid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\n";
    let changes = json!([{ "op": "addComponent", "object": "A", "component": "Glow" }]);
    let input = json!({ "path": "Assets/S.unity", "changes": changes, "dryRun": true });
    let output = call_project(project, "unity.edit", input).unwrap().output;
    expect![[r#"
          m_EffectColor: {r: 0, g: 0, b: 0, a: 0.5}
          m_EffectDistance: {x: 1, y: -1}
          m_UseGraphicAlpha: 1
          pulse: 0.5
    "#]]
    .assert_eq(&added(&output, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

#[test]
fn what_a_package_class_needs_is_taken_from_its_own_package() {
    let output = edit(
        json!([{ "op": "addComponent", "object": "Player", "component": "Unity.Netcode.Components.NetworkRigidbody" }]),
    );
    expect![[r#"["NetworkTransform was added, which NetworkRigidbody needs"]"#]]
        .assert_eq(&output["results"][0]["remarks"].to_string());
}
