//! Points on buttons of a layout group, whose places Unity saves as zero.

use scenewright_contract::Outcome;
use scenewright_toolkit::testing::call;
use serde_json::{Value, json};

use crate::testing::UnitySample;

const ELEMENT: &str = "306cc8c2b49d7114eaa3623786fc2126";
const EVENT_SYSTEM: &str = "76c392e42b5098c458856cdf6ecaaaa1";
const IMAGE: &str = "fe87c0e1cc204ed48ad3b37840f39efc";
const RAYCASTER: &str = "dc42784cf147c0c48a680349fa168899";
const ROW: &str = "30649d3a9faa99c48a7b1166b86bf2a0";
const TEXT: &str = "5f7201a12d95ffc409449d95f23cf332";

/// The head of a scene with an event system, and a canvas over the screen that has one child.
const STAGE: &str = "//- Assets/Main.unity.meta
guid: 0123456789abcdef0123456789abcdef
//- Assets/Main.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
";

/// An object with a rectangle: its number, name, parent, children and size. Its components are a
/// script each, with their fields.
fn object(
    number: u32,
    name: &str,
    (parent, children): (u32, &[u32]),
    size: &str,
    scripts: &[(&str, &str)],
) -> String {
    let children: Vec<String> =
        children.iter().map(|child| format!("  - {{fileID: {child}1}}\n")).collect();
    let (mut list, mut documents) = (String::new(), String::new());
    for (at, (script, fields)) in (2..).zip(scripts) {
        list += &format!("  - component: {{fileID: {number}{at}}}\n");
        documents += &match *script {
            "Canvas" => format!(
                "--- !u!223 &{number}{at}\nCanvas:\n  m_GameObject: {{fileID: {number}0}}\n  \
                 m_Enabled: 1\n  m_RenderMode: 0\n"
            ),
            guid => format!(
                "--- !u!114 &{number}{at}\nMonoBehaviour:\n  m_GameObject: {{fileID: {number}0}}\n  \
                 m_Enabled: 1\n  m_Script: {{fileID: 11500000, guid: {guid}, type: 3}}\n{fields}"
            ),
        };
    }
    let parent = if parent == 0 { "0".to_owned() } else { format!("{parent}1") };
    format!(
        "--- !u!1 &{number}0\nGameObject:\n  m_Component:\n  - component: {{fileID: {number}1}}\n{list}  \
         m_Layer: 5\n  m_Name: {name}\n  m_TagString: Untagged\n  m_IsActive: 1\n\
         --- !u!224 &{number}1\nRectTransform:\n  m_GameObject: {{fileID: {number}0}}\n  \
         m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  \
         m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children:\n{}  m_Father: {{fileID: {parent}}}\n  \
         m_LocalEulerAnglesHint: {{x: 0, y: 0, z: 0}}\n  m_AnchorMin: {{x: 0.5, y: 0.5}}\n  \
         m_AnchorMax: {{x: 0.5, y: 0.5}}\n  m_AnchoredPosition: {{x: 0, y: 0}}\n  \
         m_SizeDelta: {size}\n  m_Pivot: {{x: 0.5, y: 0.5}}\n{documents}",
        children.concat()
    )
}

/// A row of 600 × 100 in the middle of a screen of 1920 × 1080, with two buttons of 200 and a hundred
/// between them.
fn project(button: &[(&str, &str)]) -> String {
    let nothing = "{x: 0, y: 0}";
    let row = "  m_Padding:\n    m_Left: 50\n    m_Right: 50\n    m_Top: 10\n    m_Bottom: 10\n  \
               m_ChildAlignment: 0\n  m_Spacing: 100\n  m_ChildForceExpandWidth: 0\n  \
               m_ChildForceExpandHeight: 1\n  m_ChildControlWidth: 1\n  m_ChildControlHeight: 1\n";
    STAGE.to_owned()
        + &object(1, "Events", (0, &[]), nothing, &[(EVENT_SYSTEM, "")])
        + &object(2, "Canvas", (0, &[3]), nothing, &[("Canvas", ""), (RAYCASTER, "")])
        + &object(3, "Row", (2, &[4, 5]), "{x: 600, y: 100}", &[(ROW, row)])
        + &object(4, "First", (3, &[]), nothing, button)
        + &object(5, "Second", (3, &[]), nothing, button)
}

const SPRITELESS: (&str, &str) = (IMAGE, "  m_RaycastTarget: 1\n  m_Sprite: {fileID: 0}\n");
const WIDE: (&str, &str) = (ELEMENT, "  m_IgnoreLayout: 0\n  m_PreferredWidth: 200\n");

fn pick(sample: &UnitySample, x: f64, y: f64) -> Outcome {
    let arguments = json!({ "mode": "ui", "x": x, "y": y });
    call(sample.runner(), "explorer.mousePick", arguments).unwrap()
}

fn name(outcome: &Outcome) -> Value {
    outcome.output["Items"][0]["Name"].clone()
}

#[test]
fn buttons_of_a_row_are_hit_where_unity_shows_them() {
    let sample = UnitySample::of(&project(&[SPRITELESS, WIDE]));
    let hits = [709.0, 711.0, 909.0, 960.0, 1009.0, 1011.0, 1209.0, 1211.0]
        .map(|x| name(&pick(&sample, x, 540.0)));
    let (first, second, none) = (json!("First"), json!("Second"), Value::Null);
    let expected = [&none, &first, &first, &none, &none, &second, &second, &none];
    assert_eq!(hits.each_ref(), expected);
    assert_eq!(name(&pick(&sample, 1100.0, 579.0)), "Second");
    assert_eq!(name(&pick(&sample, 1100.0, 581.0)), none, "the padding");
    assert!(pick(&sample, 960.0, 540.0).diagnostics.is_empty(), "all sizes are known");
}

#[test]
fn sizes_that_are_estimated_are_told() {
    let text = (TEXT, "  m_RaycastTarget: 1\n  m_FontData:\n    m_FontSize: 40\n  m_Text: Play\n");
    let sample = UnitySample::of(&project(&[text]));
    let outcome = pick(&sample, 715.0, 540.0);
    assert_eq!(name(&outcome), "First");
    assert_eq!(
        outcome.diagnostics,
        ["Sizes of 2 texts in layouts are estimates: their fonts are not measured here."]
    );
}

#[test]
fn saving_writes_no_place_that_a_group_gave() {
    let sample = UnitySample::of(&project(&[SPRITELESS, WIDE]));
    let id = pick(&sample, 1100.0, 540.0).output["Id"].clone();
    let set = json!({
        "objectId": id, "componentType": "UnityEngine.RectTransform",
        "member": "localEulerAngles", "jsonValue": "{\"x\":0,\"y\":0,\"z\":90}"
    });
    sample.ask("explorer.setMember", set);
    let saved = sample.ask("explorer.saveScene", json!({ "dryRun": true })).to_string();
    assert!(saved.contains("m_LocalRotation"), "{saved}");
    assert!(!saved.contains("+  m_SizeDelta") && !saved.contains("+  m_Anchor"), "{saved}");
}
